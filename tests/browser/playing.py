"""A player who plays a whole game on the page by tapping and dragging."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from engine.ruleset import InputKind, Option
from engine.table import FigureState
from tests.browser.conftest import Served
from tests.browser.layout import faults
from tests.browser.waiting import becomes, drawn, spot, tap_figure, told, until

PLACE = """async (id) => {
  const { figure } = await import("/static/store.js");
  return figure(id)?.position_mm ?? null;
}"""
Wanted = dict[str, Any]
"""How to take an option: ``value`` of a choice, ``number`` to type, ``only`` whether at all."""


@dataclass(frozen=True)
class Approach:
    """Moves towards the enemy.

    Attributes:
        phase: In which one moves.
        length_mm: Of each move.
        times: How many moves in the whole game.
    """

    phase: str
    length_mm: float
    times: int


class Player:
    """Knows the game as the page is told it, and does everything with the page alone.

    Args:
        page: Playwright's page, opened here.
        served: A table without a camera.
    """

    def __init__(self, page: Any, served: Served) -> None:
        self.page = page
        self.table = served.table
        self._unanswered = 0
        page.on("request", lambda sent: self._count(sent, 1))
        page.on("requestfinished", lambda sent: self._count(sent, -1))
        page.on("requestfailed", lambda sent: self._count(sent, -1))
        page.goto(served.url)
        page.wait_for_selector("#map .plate")
        self.faults: list[str] = []
        self._approached: set[object] = set()
        self._drags = 0

    @property
    def options(self) -> list[Option]:
        return [one for one in self.table.referee.options() if one.input is not InputKind.SHOW]

    @property
    def outcome(self) -> str | None:
        return self.table.referee.state.outcome

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Where a place of the table is on the screen."""
        assert self.table.table is not None
        return spot(self.page, self.table.table.size_mm, x, y)

    def begin(self, ruleset: str, size_cm: tuple[int, int], **options: str) -> None:
        """Say how large the table is, and begin a game."""
        page = self.page
        page.click("#menu")
        page.click("#dialog >> text=The table")
        for i, side in enumerate(size_cm):
            page.fill(f"#dialog input >> nth={i}", str(side))
        self.then(lambda: page.click("[data-key=usesize]"))
        page.click("[data-key=newgame]")
        section = page.locator(".ruleset", has=page.locator(f"[data-ruleset={ruleset}]"))
        section.locator("summary").click()
        section.locator("[data-key=seed]").fill("5")
        self.then(lambda: page.click(f"[data-ruleset={ruleset}]"))

    def put(self, side: str, places: Iterable[tuple[float, float]], label: str = "minifig") -> None:
        """Put the figures of one side."""
        page = self.page
        page.click("[data-key=put]")
        page.click(f"[data-put-side={side}]")
        page.click(f"[data-put-label={label}]")
        for place in places:
            before = len(self.table.referee.facts.sides)
            page.mouse.click(*self.at(*place))
            until(lambda before=before: len(self.table.referee.facts.sides) > before)
            self.rest()
        page.click("[data-key=putdone]")
        drawn(page)

    def drag(self, figure_id: str, x: float, y: float) -> None:
        """Carry a figure to a place."""
        one = self.figure(figure_id)
        becomes(lambda: self.page.evaluate(PLACE, figure_id), list(one.position_mm))
        mouse = self.page.mouse
        mouse.move(*self.at(*one.position_mm))
        mouse.down()
        mouse.move(*self.at(x, y), steps=3)
        self.then(mouse.up)

    def figure(self, figure_id: str) -> Any:
        assert self.table.table is not None
        return next(one for one in self.table.table.figures if one.figure_id == figure_id)

    def lay(self, figure_id: str) -> None:
        """Lay a figure down."""
        self.look_at(figure_id)
        self.then(lambda: self.page.click("[data-key=lie]"))

    def arm(self, figure_id: str, *items: str) -> None:
        """Say what a figure holds."""
        self.look_at(figure_id)
        self.page.click("[data-key=who]")
        for item in items:
            self.page.click(f"[data-item={item}]")
        self.then(lambda: self.page.click("#work [data-key=save]"))
        self.look_at(None)

    def look_at(self, figure_id: str | None) -> None:
        """Tap a figure, or none."""
        page = self.page
        if page.locator("[data-key=cancel]").count():
            page.click("[data-key=cancel]")
            page.wait_for_selector("[data-key=cancel]", state="detached")
        chosen = page.locator("#map .figure.selected")
        now = chosen.get_attribute("data-figure") if chosen.count() else None
        if now is not None and now != figure_id:
            page.click("#work [data-key=close]")
            page.wait_for_selector("#work [data-key=close]", state="detached")
        if figure_id is not None and now != figure_id:
            tap_figure(page, figure_id)
            page.wait_for_selector(f"#map .figure.selected[data-figure={figure_id}]")
            page.wait_for_selector("#work [data-key=close]")

    def take_first(self, kind: str, how: Wanted, figure_id: str | None) -> None:
        """Carry out the option of a kind that a figure has."""
        options = (o for o in self.options if (o.kind, o.figure_id) == (kind, figure_id))
        self.take(next(options), how)
        self.look_at(None)

    def take(self, option: Option, how: Wanted) -> None:
        """Carry out one option by tapping."""
        page = self.page
        self.look_at(option.figure_id)
        key = f"o-{option.kind}-{option.figure_id or ''}-{option.value or ''}-"
        taps: list[Callable[[], object]] = []
        question = self.table.referee.state.question
        # Answers to the open question stand there already.
        if question is None or question.text != option.text:
            taps.append(lambda: page.click(f'#work [data-key^="{key}"]'))
        if option.input is InputKind.CHOICE:
            values = [value for value, _words in option.choices]
            value = how["value"] if how.get("value") in values else values[0]
            taps.append(lambda: page.click(f'#work [data-value="{value}"]'))
        elif option.input is InputKind.FIGURE:
            target = next(one.figure_id for one in option.targets if one.allowed)
            taps.append(lambda: page.click(f"#work [data-target={target}]"))
        elif option.input is InputKind.CONFIRM:
            taps.append(lambda: page.click("#work [data-key=yes]"))
        elif option.input is InputKind.NUMBER:
            taps.append(lambda: self.type_number(how["number"]))
        if option.dice[0]:
            taps.append(lambda: page.click("#work [data-key=roll]"))
        for tap in taps[:-1]:
            tap()
            drawn(page)
        self.then(taps[-1])

    def type_number(self, number: float) -> None:
        self.page.fill("#work form input", str(number))
        self.page.click("#work form button.main")

    def then(self, tap: Callable[[], object]) -> None:
        """Tap, and wait until the table has taken it and the page has drawn it."""
        before = self.table.referee.state.seq
        tap()
        until(
            lambda: self.table.referee.state.seq > before,
            lambda: f"{self.page.inner_text('#toast')!r} {[o.text for o in self.options]}",
        )
        self.rest()

    def rest(self) -> None:
        """Wait until the page has been answered, knows what has happened, and has drawn it."""
        # Words of the browser are heard only while it is asked something.
        until(lambda: self.page.evaluate("1") and self._unanswered == 0)
        told(self.page, self.table)

    def _count(self, sent: Any, by: int) -> None:
        if sent.method == "POST":
            self._unanswered += by

    def play(
        self,
        wishes: list[tuple[str, Wanted]],
        approach: Approach | None = None,
        steps: int = 80,
    ) -> None:
        """Take the first option wished for, again and again, until the game is over.

        Args:
            wishes: Kinds of options, the most wanted first.
            approach: How figures are moved towards one another.
            steps: How many at most.
        """
        for step in range(steps):
            if self.outcome is not None:
                return
            if self._lay_the_dead() or (approach is not None and self._approach(approach)):
                continue
            found = next(self._wished(wishes), None)
            assert found is not None, f"nothing to do: {[o.kind for o in self.options]}"
            self.take(*found)
            if step % 10 == 0:
                self.faults += faults(self.page)
        raise AssertionError(f"not over after {steps} steps")

    def _lay_the_dead(self) -> bool:
        for unit in self.table.referee.state.units:
            if not unit.alive and self.figure(unit.figure_id).state is FigureState.STANDING:
                self.lay(unit.figure_id)
                return True
        return False

    def _approach(self, how: Approach) -> bool:
        """Once in a phase, one figure is dragged towards the other side's."""
        state = self.table.referee.state
        now = (state.turn, state.phase, state.active_side)
        if state.phase != how.phase or now in self._approached or self._drags >= how.times:
            return False
        units = [unit for unit in state.units if unit.alive]
        own = next(unit for unit in units if unit.side == state.active_side)
        other = next(unit for unit in units if unit.side != state.active_side)
        a, b = (self.figure(unit.figure_id).position_mm for unit in (own, other))
        share = how.length_mm / math.dist(a, b)
        self._approached.add(now)
        self._drags += 1
        self.look_at(None)
        self.drag(own.figure_id, a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
        return True

    def _wished(self, wishes: list[tuple[str, Wanted]]) -> Any:
        for kind, how in wishes:
            for option in self.options:
                if option.kind != kind or not how.get("only", lambda _option: True)(option):
                    continue
                if option.input is InputKind.FIGURE and not any(t.allowed for t in option.targets):
                    continue
                yield option, how
