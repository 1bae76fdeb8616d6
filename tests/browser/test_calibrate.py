"""The table step: looked for by itself, shown, corrected, accepted, and helped when it fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from calibration.sheet import SHEETS
from server.demo import demo_calibration, demo_source
from tests.browser.conftest import Served
from tests.browser.layout import faults
from tests.browser.test_page import CONTRAST, Shoot
from tests.browser.waiting import at_rest, becomes, drawn, until, words_matching
from tests.calibration.flat import PAPER, box, fill, scene
from tests.calibration.rulers import WHITE, draw_ruler
from tests.stills import Still, still_table
from vision.frames import Image

pytestmark = pytest.mark.browser
Show = Callable[..., tuple[Served, Still]]


@pytest.fixture
def show(leave: Callable[[], None]) -> Iterator[Show]:
    """Serve a table whose camera shows one picture."""
    made: list[Served] = []

    def start(image: Image, calibration: Any = None) -> tuple[Served, Still]:
        table, source = still_table(image, calibration)
        made.append(Served(table))
        return made[-1], source

    yield start
    leave()
    for one in made:
        one.close()


def plate() -> Image:
    return next(iter(demo_source())).image


def test_studs_are_found_by_themselves_and_taken_with_one_tap(
    page: Any, show: Show, keep: Shoot
) -> None:
    served, _ = show(plate())
    page.goto(served.url)
    page.wait_for_selector("#work >> text=Measured by LEGO studs")
    words_matching(page, "#work .within", "Right to within.* on the whole table")
    assert served.table.calibration is None
    # Points that fit and points that do not differ in more than colour.
    shapes = page.evaluate(
        "[...document.querySelectorAll('#camera .off')].map((e) => [e.tagName, e.classList[1]])"
    )
    assert len(shapes) > 40
    assert {tag for tag, how in shapes if how == "fine"} == {"circle"}
    assert "path" not in {tag for tag, how in shapes if how == "fine"}
    counted = page.locator(".legend li").all_inner_texts()
    assert "fit within 0.5 mm" in counted[0]
    until(lambda: page.evaluate("document.querySelector('#camera img').naturalWidth") > 0)
    drawn(page)
    assert faults(page) == []
    assert page.evaluate(CONTRAST) == []
    keep(page, "look-found")
    page.click("[data-key=accept]")
    page.wait_for_selector("body[data-tool=play]")
    known = served.table.calibration
    assert known is not None and known.reference == "studs"
    assert known.size_mm == pytest.approx((384, 384), abs=1)
    becomes(page.locator("#camera .off").count, 0)


def test_corners_of_what_was_found_are_dragged_and_moved_by_keys(
    page: Any, show: Show, keep: Shoot
) -> None:
    served, _ = show(plate())
    page.goto(served.url)
    page.wait_for_selector("#camera .off")
    page.click("[data-key=corners]")
    page.wait_for_selector(".handle")
    becomes(lambda: page.get_attribute("#camera svg", "aria-hidden"), "false")
    handle = page.locator("[data-corner='2']")
    before = handle.get_attribute("aria-valuetext")
    handle.focus()
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("ArrowUp")
    after = page.locator("[data-corner='2']").get_attribute("aria-valuetext")
    x0, y0, x1, y1 = (
        int(part) for part in (before + after).replace("down", " ").split() if part.isdigit()
    )
    assert (x1 - x0, y1 - y0) == (-10, -1)
    assert page.evaluate("document.activeElement.dataset.corner") == "2"
    box_ = at_rest(page, "[data-corner='4'] circle")
    x, y = box_["x"] + box_["width"] / 2, box_["y"] + box_["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 12, y + 9, steps=4)
    page.mouse.up()
    assert faults(page) == []
    keep(page, "look-corners")
    page.click("[data-key=use]")
    page.wait_for_selector("[data-key=accept]")
    page.click("[data-key=accept]")
    page.wait_for_selector("body[data-tool=play]")
    width, depth = served.table.calibration.size_mm  # type: ignore[union-attr, misc]
    assert 340 < width < 383
    assert 340 < depth < 384
    assert served.table.calibration.reference == "studs"  # type: ignore[union-attr]


def test_the_dark_is_said_and_light_is_enough(page: Any, show: Show, keep: Shoot) -> None:
    light = plate()
    served, source = show(np.zeros_like(light))
    page.goto(served.url)
    page.wait_for_selector(".advice >> text=too dark")
    words_matching(page, "[role=status].visuallyhidden >> nth=-1", "too dark")
    assert faults(page) == []
    keep(page, "look-dark")
    source.image = light
    page.wait_for_selector("#work >> text=Measured by LEGO studs")


def test_an_unread_ruler_asks_for_its_unit(page: Any, show: Show, keep: Shoot) -> None:
    view = scene(1004, (300.0, 30.0), (50, 70), (900, 1000))
    draw_ruler(view.drawing, 300.0, "mm", body=WHITE)
    served, _ = show(view.drawing.picture(seed=4))
    page.goto(served.url)
    asked: list[dict[str, Any]] = []
    page.on(
        "request",
        lambda sent: (
            asked.append(json.loads(sent.post_data or "{}")) if "/try" in sent.url else None
        ),
    )
    unread = {"ok": False, "reason": "a ruler is seen, but not its unit", "advice": ["unit"]}

    def answer(route: Any) -> None:
        # As on a worn ruler: centimetres do not tell yet how far apart its finest lines are.
        if json.loads(route.request.post_data or "{}").get("unit") in (None, "cm"):
            route.fulfill(json=unread)
        else:
            route.continue_()

    page.route("**/api/calibrate/try", answer)
    page.reload()
    page.wait_for_selector("text=Is it in centimetres or inches?")
    assert faults(page) == []
    keep(page, "look-unit")
    page.click("[data-unit=cm]")
    page.wait_for_selector("text=How far apart are its finest lines?")
    assert faults(page) == []
    keep(page, "look-space")
    page.click("[data-unit='1']")
    page.wait_for_selector("#work >> text=Measured by a ruler")
    assert asked[-1] | {"quick": True} == {"reference": "ruler", "unit": "1", "quick": True}
    words_matching(page, ".within", "about what was measured by")
    # What is said is for somebody at the page: no options of the command line, whole sentences.
    told = page.locator("#work .error").all_inner_texts()
    assert told and all(one[0].isupper() and one[-1] == "." and "--" not in one for one in told)
    words_matching(page, "#work", "Taken for granted: strokes 1 mm apart")
    # The grid is wide enough to be judged.
    across = page.evaluate("[...document.querySelectorAll('#camera .grid polyline')].length")
    assert across > 12
    page.wait_for_selector("[data-key=accept]")
    before = page.evaluate(
        "document.querySelector('.advice').compareDocumentPosition("
        "document.querySelector('[data-key=accept]')) & Node.DOCUMENT_POSITION_PRECEDING"
    )
    assert before  # the one tap comes before advice and counts
    assert faults(page) == []
    keep(page, "look-ruler")


def test_everything_can_be_chosen(page: Any, show: Show, keep: Shoot) -> None:
    size = SHEETS["A4"]
    view = scene(2, size)
    fill(view.drawing, box(0, 0, *size), PAPER)
    served, _ = show(view.drawing.picture(seed=2))
    page.goto(served.url)
    page.click("[data-key=choose]")
    for name in ("auto", "studs", "ruler", "markers", "points", "sheet"):
        page.click(f"[data-reference={name}]")
        page.wait_for_selector(f"[data-reference={name}][aria-pressed=true]")
        assert faults(page) == [], name
        keep(page, f"look-choose-{name}")
    page.select_option("[data-key=s-sheet]", "other")
    page.click("[data-key=look]")
    page.wait_for_selector("text=Type both of the two lengths")
    page.fill("[data-key=t-long]", "297")
    page.fill("[data-key=t-short]", "210")
    page.click("[data-key=look]")
    page.wait_for_selector("#work >> text=Measured by a sheet")
    page.wait_for_selector(".advice >> text=corners")
    assert faults(page) == []
    keep(page, "look-sheet")
    page.click("[data-key=accept]")
    page.wait_for_selector("body[data-tool=play]")
    assert served.table.calibration.reference == "sheet"  # type: ignore[union-attr]


def test_studs_that_were_measured_tell_their_pitch_and_it_is_kept(
    page: Any, show: Show, keep: Shoot
) -> None:
    served, _ = show(plate())
    page.goto(served.url)
    page.wait_for_selector("#camera .off")
    page.click("[data-key=choose]")
    page.click("[data-reference=studs]")
    page.fill("[data-key=t-counted]", "48")
    page.click("[data-key=look]")
    page.wait_for_selector("text=Type both of the two lengths")
    page.fill("[data-key=t-spanned]", "383.2")
    page.click("[data-key=look]")
    page.wait_for_selector("text=Taken for granted: stud pitch 7.9833 mm")
    assert faults(page) == []
    keep(page, "look-pitch")
    page.click("[data-key=accept]")
    page.wait_for_selector("body[data-tool=play]")
    page.click("#menu")
    page.get_by_role("button", name="Table and camera").click()
    page.click("[data-key=again]")
    page.wait_for_selector("#camera .off")
    words_matching(page, "#work", "stud pitch 7.9833 mm")
    page.click("[data-key=accept]")
    page.wait_for_selector("body[data-tool=play]")
    size = served.table.calibration.size_mm  # type: ignore[union-attr]
    assert size == pytest.approx((383.2, 383.2), abs=1)


def test_a_bump_while_a_grid_is_shown_is_looked_at_anew(page: Any, show: Show) -> None:
    served, source = show(plate(), demo_calibration())
    page.goto(served.url)
    page.click("#menu")
    page.get_by_role("button", name="Table and camera").click()
    page.click("[data-key=again]")
    page.wait_for_selector("#camera .off")
    old = page.locator("#camera .grid polyline").first.get_attribute("points")
    source.image = np.roll(source.image, 14, axis=1)
    becomes(
        lambda: page.locator("#camera .look .grid polyline").first.get_attribute("points") != old,
        True,
    )


def test_points_are_tapped_and_typed(page: Any, show: Show, keep: Shoot) -> None:
    truth = demo_calibration()
    served, _ = show(plate())
    page.goto(served.url)
    page.wait_for_selector("#camera .off")
    page.click("[data-key=choose]")
    page.click("[data-reference=points]")
    page.click("[data-key=look]")
    places = [(40.0, 40.0), (340.0, 40.0), (340.0, 300.0), (40.0, 300.0)]
    page.wait_for_selector("[data-key=addpoint]")
    frame = at_rest(page, "#camera svg")
    width, height = served.table.picture_size()  # type: ignore[misc]
    scale = min(frame["width"] / width, frame["height"] / height)
    left = frame["x"] + (frame["width"] - scale * width) / 2
    top = frame["y"] + (frame["height"] - scale * height) / 2
    for index, (place, px) in enumerate(zip(places, truth.to_image(np.array(places)), strict=True)):
        if index == 3:  # by the keyboard alone
            page.focus("[data-key=addpoint]")
            page.keyboard.press("Enter")
            page.wait_for_selector("[data-corner='4']")
            page.focus("[data-corner='4']")
            for key, count in (
                ("ArrowLeft" if px[0] < width / 2 else "ArrowRight", abs(px[0] - width / 2)),
                ("ArrowUp" if px[1] < height / 2 else "ArrowDown", abs(px[1] - height / 2)),
            ):
                for _ in range(int(count // 10)):
                    page.keyboard.press(f"Shift+{key}")
                for _ in range(round(count % 10)):
                    page.keyboard.press(key)
        else:
            page.mouse.click(left + scale * (px[0] + 0.5), top + scale * (px[1] + 0.5))
        page.wait_for_selector(f"[data-key=p-{index}-0]")
        for axis in (0, 1):
            page.fill(f"[data-key=p-{index}-{axis}]", str(place[axis]))
    becomes(page.locator(".handle").count, 4)
    assert faults(page) == []
    keep(page, "look-points")
    page.click("[data-key=use]")
    page.wait_for_selector("#work >> text=Measured by points")
    assert faults(page) == []
    page.click("[data-key=accept]")
    page.wait_for_selector("body[data-tool=play]")
    found = served.table.calibration
    assert found is not None
    middle = truth.to_image(np.array([[180.0, 170.0]]))
    assert found.to_table(middle)[0] == pytest.approx([180, 170], abs=4)


def test_a_measured_table_is_shown_and_left(page: Any, show: Show, keep: Shoot) -> None:
    served, _ = show(plate(), demo_calibration())
    page.goto(served.url)
    page.click("#menu")
    page.get_by_role("button", name="Table and camera").click()
    page.wait_for_selector("#camera .grid polyline")
    words_matching(page, "#work", "Right to within")
    assert faults(page) == []
    keep(page, "look-known")
    page.click("[data-key=again]")
    page.wait_for_selector("#camera .off")
    page.click("[data-tool=play]")
    page.wait_for_selector("#camera .off", state="detached")
    assert served.table.calibration.reference == demo_calibration().reference  # type: ignore[union-attr]
