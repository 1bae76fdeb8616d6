"""Waits for what is read: a page answers when it can, never at once."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
SLOW = float(os.environ.get("MINIMARSHAL_SLOW", "1"))
"""How many times slower than it is the browser is made, to find tests that do not wait."""
LONGEST_S = 120.0 * SLOW
DRAWN = """() => new Promise((done) => {
  const frame = (then) => requestAnimationFrame(() => setTimeout(then, 0));
  frame(() => frame(done));
})"""


def until(true: Callable[[], object], why: Callable[[], str] = str) -> None:
    """Wait; the page's policy forbids Playwright's own way of waiting for a script."""
    end = time.monotonic() + LONGEST_S
    while not true():
        assert time.monotonic() < end, f"waited too long; {why()}"
        time.sleep(0.02)


def becomes(read: Callable[[], T], wanted: object) -> T:
    """Read again and again until it is what is wanted, and say what it was if it never is."""
    last: list[T] = []

    def same() -> bool:
        last[:] = [read()]
        return bool(last[0] == wanted)

    until(same, lambda: f"{last[0]!r} never became {wanted!r}")
    return last[0]


def words_matching(page: Any, selector: str, pattern: str) -> re.Match[str]:
    """The first place of the words shown there that a pattern fits, once there is one."""
    found: list[re.Match[str]] = []
    words = [""]

    def fits() -> bool:
        place = page.locator(selector)
        words[0] = place.first.inner_text() if place.count() else ""
        found.extend(re.finditer(pattern, words[0]))
        return bool(found)

    until(fits, lambda: f"{pattern!r} never came in {words[0]!r}")
    return found[0]


def drawn(page: Any) -> None:
    """Wait until the page has drawn what it knows: two frames and the timers set before them."""
    page.evaluate(DRAWN)


def at_rest(page: Any, selector: str) -> dict[str, float]:
    """Where something is once it keeps its place: a finger does not hit what still moves either."""
    drawn(page)
    places: list[dict[str, float] | None] = [None]

    def rests() -> bool:
        places.append(page.locator(selector).first.bounding_box())
        time.sleep(0.1)
        return places[-1] is not None and places[-1] == places[-2]

    until(rests, lambda: f"{selector} at {places[-1]}")
    return places[-1] or {}


def tap_at_rest(page: Any, selector: str) -> None:
    """Tap what is seen once it keeps its place."""
    at_rest(page, selector)
    page.click(selector, force=True)


def tap_figure(page: Any, figure_id: str, view: str = "map") -> None:
    """Tap a figure on the map, or on the camera's picture, once it keeps its place."""
    tap_at_rest(page, f"#{view} [data-figure={figure_id}] .tap")


def spot(page: Any, size_mm: tuple[float, float] | None, x: float, y: float) -> tuple[float, float]:
    """Where a place of the table is on the screen, once the map keeps its place."""
    assert size_mm is not None
    plate = at_rest(page, "#map .plate")
    width, depth = size_mm
    return plate["x"] + x / width * plate["width"], plate["y"] + (1 - y / depth) * plate["height"]


KNOWN = """async () => {
  const { store } = await import("/static/store.js");
  return Math.min(store.seq, store.state?.seq ?? store.seq);
}"""


def told(page: Any, table: Any) -> None:
    """Wait until the page knows all that has happened at the table, and has drawn it."""
    until(lambda: page.evaluate(KNOWN) >= table.referee.state.seq)
    drawn(page)
