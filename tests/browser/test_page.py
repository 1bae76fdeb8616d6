from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from shapely import box

from calibration.plane import Calibration
from engine.actions import Action
from engine.announce import Announcement, Level
from engine.rulesets.offers import area_shapes
from engine.table import Terrain
from server.darkness import Darkness
from server.documents import plain
from server.guard import Guard
from server.interlude import Interlude
from server.live import LiveTable
from tests.browser.conftest import Served, slowed
from tests.browser.layout import faults
from tests.browser.waiting import (
    at_rest,
    becomes,
    drawn,
    spot,
    tap_figure,
    told,
    until,
    words_matching,
)
from tests.simulated import Move, opening
from vision.frames import Frame
from vision.sources import SourceState

pytestmark = pytest.mark.browser
Shoot = Callable[[Any, str], None]
HERE = Path(__file__).parent
CONTRAST = (HERE / "contrast.js").read_text()


def place(page: Any, table: LiveTable, x: float, y: float) -> tuple[float, float]:
    """Where a place of the table is on the screen's map."""
    assert table.table is not None
    return spot(page, table.table.size_mm, x, y)


def carry(served: Served, *moves: tuple[int, tuple[float, float]], seconds: float = 0.5) -> None:
    """Hands carry figures to places, from soon on."""
    assert served.table.table is not None
    table = served.table._source.table  # type: ignore[union-attr]
    start = served.table.table.t_ns / 1e9 + 0.5
    table.moves = (*table.moves, *(Move(start, start + seconds, one, to) for one, to in moves))


def centimetres(page: Any, which: str) -> float:
    """A length as it is said; not a number while none is."""
    words = page.evaluate(
        "(one) => document.querySelector(one)?.innerText", f"[data-which={which}]"
    )
    found = re.search(r"([0-9.]+) cm", words or "")
    return float(found[1]) if found else math.nan


def test_a_distance_is_measured_by_two_taps(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.click("[data-tool=measure]")
    page.wait_for_selector("#work >> text=Tap a figure or a place")
    tap_figure(page, "f1")
    page.wait_for_selector("text=Tap the second")
    tap_figure(page, "f2")
    words_matching(page, "#work", "Red 1 – Red 2")
    becomes(lambda: centimetres(page, "centre"), 8.0)
    edge, centre = (page.inner_text(f"[data-which={w}]") for w in ("edge", "centre"))
    assert "10.0 studs" in centre
    assert "1.6 segments" in centre
    assert "±" in edge
    assert "±" in centre
    assert centimetres(page, "edge") == pytest.approx(6.1, abs=0.4)
    assert faults(page) == []
    keep(page, "measure")
    # The map lies where it lay: two quick taps, without waiting for words in between.
    ends = [place(page, ready.table, x, 200) for x in (100, 300)]
    page.click("[data-key=again]")
    for end in ends:
        page.mouse.click(*end)
    becomes(lambda: centimetres(page, "centre"), pytest.approx(20.0, abs=0.4))


def test_an_answer_that_comes_late_belongs_to_its_own_taps(page: Any, ready: Served) -> None:
    """A third tap begins anew, whatever is still on its way, and so does another tool."""
    page.goto(ready.url)
    held: list[Any] = []
    page.route("**/api/measure", lambda route: held.append(route))
    page.click("[data-tool=measure]")

    def let_through(count: int) -> None:
        until(lambda: page.evaluate("1") and len(held) == count)
        with page.expect_response("**/api/measure"):
            held[-1].continue_()
        drawn(page)

    for figure in ("f1", "f2", "f3"):
        tap_figure(page, figure)
    page.wait_for_selector("#map circle.end")
    let_through(1)
    words_matching(page, "#work", "Tap the second")
    assert page.locator("section.length").count() == 0
    tap_figure(page, "f5")
    let_through(2)
    words_matching(page, "#work", "Red 3 – Red 5")
    becomes(lambda: centimetres(page, "centre"), 16.0)
    page.click("[data-key=again]")
    for figure in ("f1", "f2"):
        tap_figure(page, figure)
    page.click("[data-tool=play]")
    page.wait_for_selector("[data-tool=play][aria-pressed=true]")
    drawn(page)
    page.click("[data-tool=measure]")
    page.wait_for_selector("[data-tool=measure][aria-pressed=true]")
    let_through(3)
    words_matching(page, "#work", "Tap a figure or a place")
    assert page.locator("section.length").count() == 0


def test_a_wall_is_drawn_changed_moved_and_deleted(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.click("[data-tool=terrain]")
    page.click("[data-key=rectangle]")
    page.mouse.move(*place(page, ready.table, 150, 150))
    page.mouse.down()
    page.mouse.move(*place(page, ready.table, 200, 160), steps=5)
    page.mouse.move(*place(page, ready.table, 300, 182), steps=5)
    page.mouse.up()
    page.wait_for_selector("[data-key=save]")
    page.fill("[data-key=height]", "4")
    page.click("[data-key=u-bricks]")
    drawn(page)
    page.check("[data-key=standable]")
    assert faults(page) == []
    keep(page, "terrain")
    page.click("[data-key=save]")
    page.wait_for_selector("[data-terrain=t1]")
    page.wait_for_selector("[data-key=rectangle]")
    (wall,) = ready.table.referee.facts.terrain
    assert wall.kind == "wall"
    assert wall.height_mm == pytest.approx(38.4)
    assert wall.standable
    xs, ys = [p[0] for p in wall.footprint_mm], [p[1] for p in wall.footprint_mm]
    assert (min(xs), max(xs)) == pytest.approx((150, 300), abs=2)
    assert (min(ys), max(ys)) == pytest.approx((150, 182), abs=2)

    page.mouse.click(*place(page, ready.table, 225, 166))
    page.wait_for_selector("[data-key=delete]")
    page.mouse.move(*place(page, ready.table, 225, 166))
    page.mouse.down()
    page.mouse.move(*place(page, ready.table, 235, 190), steps=5)
    page.mouse.move(*place(page, ready.table, 245, 206), steps=5)
    page.mouse.up()
    page.click("[data-key=save]")
    page.wait_for_selector("[data-key=rectangle]")
    (wall,) = ready.table.referee.facts.terrain
    assert min(p[1] for p in wall.footprint_mm) == pytest.approx(190, abs=2)

    page.click("[data-key=p-t1]")
    page.click("[data-key=delete]")
    page.wait_for_selector("[data-terrain=t1]", state="detached")
    page.wait_for_selector("[data-key=rectangle]")
    told(page, ready.table)
    page.click("[data-tool=undo]")
    page.wait_for_selector("[data-terrain=t1]")
    assert faults(page) == []


def test_a_hole_in_an_area_is_left_open(
    page: Any, serve: Callable[..., Served], keep: Shoot
) -> None:
    served = serve()
    page.goto(served.url)
    page.wait_for_selector("#map .figure")
    outer, hole = box(60, 60, 260, 200), box(120, 100, 180, 160)
    (shape,) = area_shapes(outer.difference(hole))
    said = plain(Announcement(1, Level.INFO, "Here.", "Here.", shapes=(shape,)))
    page.evaluate(
        """async said => {
          const { set } = await import("/static/store.js");
          set({ said: [said], selected: null });
        }""",
        said,
    )
    page.wait_for_selector("#map .shape.reach path")
    within = """async (path, [place, outlines]) => {
      const point = place === "map"
        ? ([x, y]) => new DOMPoint(x, flip(y))
        : ([x, y]) => new DOMPoint(...project(store.calibration, [x, y]));
      const { flip } = await import("/static/map.js");
      const { project } = await import("/static/project.js");
      const { store } = await import("/static/store.js");
      return outlines.map((at) => path.isPointInFill(point(at)));
    }"""
    places = [[150.0, 130.0], [90.0, 130.0], [150.0, 80.0], [50.0, 130.0]]
    for view in ("map", "camera"):
        path = page.locator(f"#{view} .shape.reach path")
        becomes(path.count, 1)
        assert path.evaluate(within, [view, places]) == [False, True, True, False]
    keep(page, "hole")


def begin(page: Any) -> None:
    for kind in ("terrain_done", "roster_done", "deploy_done", "first"):
        page.click(f"[data-kind={kind}]")
    page.click("[data-value=red]")
    page.wait_for_selector("[data-kind=done]")


def test_a_turn_is_played_by_tapping_and_goes_on_after_a_reload(
    page: Any, serve: Callable[..., Served], keep: Shoot
) -> None:
    # Carried ten centimetres, Red 5 has Blue 5 within a big gun's reach.
    served = serve(game=opening())
    page.goto(served.url)
    page.wait_for_selector("[data-kind=terrain_done]")
    assert faults(page) == []
    keep(page, "begin")
    begin(page)
    page.wait_for_selector("#turn:has-text('Red')")
    tap_figure(page, "f5")
    page.wait_for_selector("#map .shape.reach", state="attached")
    page.wait_for_selector("#map .shape.reach_far", state="attached")
    assert faults(page) == []
    keep(page, "reach")
    carry(served, (5, (416.0, 126.0)))
    page.wait_for_selector("text=may shoot")
    page.click("[data-key=close]")
    page.click("[data-kind=done]")
    page.wait_for_selector("text=/Red shoots/ >> visible=true")
    page.wait_for_selector("#turn:has-text('Shoot')")

    told(page, served.table)
    before = page.evaluate("JSON.parse(sessionStorage.getItem('minimarshal'))")
    with page.expect_websocket() as socket:
        page.reload()
    page.wait_for_selector("text=/Red shoots/ >> visible=true")
    assert f"after={before['seq']}" in socket.value.url
    assert f"epoch={before['epoch']}" in socket.value.url
    assert before["seq"] > 1

    tap_figure(page, "f5")
    page.wait_for_selector("#work .sheethead >> text=Red 5")
    assert faults(page) == []
    keep(page, "targets")
    shooter = page.locator("#work .options button.main").first
    shooter.click()
    page.wait_for_selector("[data-target], [data-die], [data-kind=roll]")
    if page.locator("[data-target=f10]").count():
        page.click("[data-target=f10]")
    page.wait_for_selector("[data-die]")
    assert faults(page) == []
    keep(page, "dice")
    page.click("[data-die='5']")
    page.wait_for_selector("text=/Hit/ >> visible=true")
    keep(page, "hit")
    page.click("[data-kind=dodge]")
    page.click("[data-die='2']")
    page.wait_for_selector("text=/Struck: Blue 5 is dead/ >> visible=true")
    log = [line.event.kind for line in served.table.referee.lines]
    assert any("hit" in kind or "shot" in kind for kind in log), log
    assert faults(page) == []


def test_figures_are_assigned_and_put_right(
    page: Any, serve: Callable[..., Served], keep: Shoot
) -> None:
    served = serve()
    page.goto(served.url)
    page.click("[data-key=newgame]")
    page.wait_for_selector("[data-ruleset=figurslag]")
    assert faults(page) == []
    keep(page, "newgame")
    page.click("[data-ruleset=figurslag]")
    page.wait_for_selector("[data-kind=terrain_done]")
    tap_figure(page, "f3")
    page.click("[data-key=who]")
    page.click("[data-side=blue]")
    page.click("[data-item=small]")
    page.click("[data-item=small]")
    assert faults(page) == []
    keep(page, "who")
    page.click("[data-key=save]")
    page.wait_for_selector("text=Blue 1")
    facts = served.table.referee.facts
    assert facts.sides == {"f3": "blue"}
    assert facts.equipment["f3"] == ("small", "small")

    page.click("[data-key=correct]")
    page.click("[data-key=move]")
    page.mouse.click(*place(page, served.table, 256, 150))
    page.wait_for_selector("[data-key=here]:enabled")
    keep(page, "move")
    page.click("[data-key=here]")
    page.wait_for_selector("text=put right by hand")
    correction = served.table.referee.facts.corrections["f3"]
    assert correction.position_mm == pytest.approx((256, 150), abs=2)

    page.click("[data-key=someone]")
    page.click("[data-key=w-f4]")
    page.wait_for_selector("#work h2:has-text('Figure 4')")
    told(page, served.table)
    page.click("[data-tool=undo]")
    until(lambda: not served.table.referee.facts.identities)
    told(page, served.table)
    page.click("[data-tool=undo]")
    until(lambda: not served.table.referee.facts.corrections)
    until(lambda: "seen" in page.get_attribute("#map [data-figure=f3]", "class").split())


def test_the_keyboard_is_enough(page: Any, ready: Served) -> None:
    page.goto(ready.url)
    page.focus("[data-figure=f1]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#work h2:has-text('Red 1')")
    becomes(lambda: page.get_attribute("[data-figure=f1]", "aria-label"), "Red 1, Red, standing")
    page.focus("[data-key=correct]")
    page.keyboard.press("Enter")
    page.focus("[data-key=move]")
    page.keyboard.press("Enter")
    page.focus("[data-figure=f1]")
    for _ in range(3):
        page.keyboard.press("Shift+ArrowUp")
    page.wait_for_selector("[data-key=here]:enabled")
    page.focus("[data-key=here]")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=put right by hand")
    assert ready.table.referee.facts.corrections["f1"].position_mm == (96.0, 60.0)


def test_a_frozen_camera_is_said_and_measures_nothing(
    page: Any, ready: Served, keep: Shoot
) -> None:
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f1]")
    ready.table._source.state = SourceState.STALE  # type: ignore[union-attr]
    page.wait_for_selector("#banner >> text=/frozen/i")
    assert faults(page) == []
    keep(page, "frozen")
    page.click("[data-tool=measure]")
    tap_figure(page, "f1")
    tap_figure(page, "f2")
    words_matching(page, "#work .error", "not live")
    ready.table._source.state = SourceState.LIVE  # type: ignore[union-attr]
    page.wait_for_selector("#banner", state="hidden")


def test_an_unknown_table_asks_for_its_corners(
    page: Any, serve: Callable[..., Served], keep: Shoot
) -> None:
    served = serve(calibrated=False)
    page.goto(served.url)
    page.click("[data-key=corners]")
    page.wait_for_selector(".handle")
    width, height = served.table.picture_size()
    becomes(lambda: page.get_attribute("#camera svg", "viewBox"), f"0 0 {width} {height}")
    handle = at_rest(page, "[data-corner='1'] circle")
    x, y = handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 6, y + 4, steps=3)
    page.mouse.up()
    assert faults(page) == []
    keep(page, "corners")
    page.fill("[data-key=width]", "512")
    page.fill("[data-key=depth]", "344")
    page.click("[data-key=use]")
    page.wait_for_selector("[data-key=accept]")
    assert served.table.calibration is None
    page.click("[data-key=accept]")
    page.wait_for_selector("body[data-tool=play]")
    calibration = served.table.calibration
    assert calibration is not None
    assert calibration.size_mm == (512.0, 344.0)


def test_a_new_lap_of_a_recording_is_followed(page: Any, serve: Callable[..., Served]) -> None:
    served = serve(game=opening(), length_s=3.0, loop=True)
    page.goto(served.url)
    page.wait_for_selector("[data-kind=terrain_done]")
    first = page.evaluate("JSON.parse(sessionStorage.getItem('minimarshal')).epoch")
    page.click("[data-kind=terrain_done]")
    epoch = "JSON.parse(sessionStorage.getItem('minimarshal')).epoch"
    until(lambda: page.evaluate(epoch) > first)
    page.wait_for_selector("[data-kind=terrain_done]")


def test_the_camera_picture_moves(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.click("[data-tool=swap]")
    until(lambda: page.evaluate("document.querySelector('#camera img').naturalWidth") > 0)
    page.wait_for_selector("#camera [data-figure=f1] .base")
    assert faults(page) == []
    keep(page, "camera")
    page.click("[data-tool=measure]")
    tap_figure(page, "f1", "camera")
    tap_figure(page, "f2", "camera")
    becomes(lambda: centimetres(page, "centre"), 8.0)


def test_menu_and_about_fit(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f1]")
    page.click("#menu")
    assert faults(page) == []
    page.get_by_role("button", name="About minimarshal").click()
    words_matching(page, "#dialog", "LEGO®")
    words_matching(page, "#dialog", "LDraw")
    assert faults(page) == []
    keep(page, "about")


def test_the_voice_speaks_after_a_tap(page: Any, ready: Served) -> None:
    page.add_init_script(path=HERE / "voice.js")
    page.goto(ready.url)
    page.click("[data-kind=terrain_done]")
    page.wait_for_selector("[data-kind=roster_done]")
    assert page.evaluate("window.spoken") == []
    page.get_by_role("button", name="Voice off").click()
    page.click("[data-kind=roster_done]")
    until(lambda: page.evaluate("window.spoken.length") > 0)
    becomes(lambda: bool(page.inner_text("[aria-live=polite].visuallyhidden")), True)


def test_dark_and_light_have_enough_contrast(ready: Served, browser: Any) -> None:
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        page = slowed(context.new_page())
        page.goto(ready.url)
        page.wait_for_selector("[data-kind=terrain_done]")
        drawn(page)
        assert page.evaluate(CONTRAST) == [], scheme
        context.close()


def test_a_side_has_the_colour_of_its_name(ready: Served, browser: Any) -> None:
    names = """() => ["--side0", "--side1", "--side2", "--side3"].map((name) =>
      getComputedStyle(document.documentElement).getPropertyValue(name).trim())"""
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        page = slowed(context.new_page())
        page.goto(ready.url)
        red, blue, green, yellow = (
            tuple(int(one[i : i + 2], 16) for i in (1, 3, 5)) for one in page.evaluate(names)
        )
        assert (max(red), max(blue), max(green)) == (red[0], blue[2], green[1]), scheme
        assert min(yellow[:2]) > 1.5 * yellow[2], scheme
        context.close()


def test_words_on_the_map_keep_apart(page: Any, serve: Callable[..., Served], keep: Shoot) -> None:
    served = serve(game=opening())
    page.goto(served.url)
    page.click("[data-tool=terrain]")
    for number, (x, height) in enumerate(((200, "1"), (216, "2"), (232, "3"))):
        page.click("[data-key=numbers]")
        page.fill("[data-key=height]", height)
        page.click("#work summary")
        for name, value in (("x", x), ("y", 150), ("width", 16), ("depth", 16)):
            page.fill(f"[data-key=b-{name}]", str(value))
        page.click("[data-key=save]")
        page.wait_for_selector(f"[data-terrain=t{number + 1}]")
        page.wait_for_selector("[data-key=numbers]")
    assert faults(page) == []
    keep(page, "stairs")
    page.click("[data-tool=play]")
    begin(page)
    carry(served, (2, (34.0, 336.0)), (3, (500.0, 330.0)))
    page.wait_for_selector("text=/Put back/ >> visible=true")
    page.wait_for_selector("#camerastate:not(:has-text('Hand'))")
    for figure in ("f1", "f2", "f3", "f6", "f10"):
        tap_figure(page, figure)
        page.wait_for_selector(f"#map .figure.selected[data-figure={figure}]")
        page.wait_for_selector("#work .sheethead")
        assert faults(page) == [], figure
        keep(page, f"edge-{figure}")
        page.click("[data-tool=swap]")
        page.wait_for_selector("body[data-main=camera]")
        assert faults(page) == [], figure
        keep(page, f"edge-camera-{figure}")
        page.click("[data-tool=swap]")
        page.wait_for_selector("body[data-main=map]")
        page.click("[data-key=close]")
        page.wait_for_selector("#work .sheethead", state="detached")
    carry(served, (4, (336.0, 60.0)), seconds=90)
    page.wait_for_selector("#camerastate:has-text('Hand')")
    assert faults(page) == []
    keep(page, "hand")


FAR_OUT = {
    "reach 28 cm": ("circle", [[256, 172]], 280),
    "to the north": ("polygon", [[100, 200], [400, 200], [400, 900], [100, 900]], 0),
    "a long way": ("line", [[256, 120], [256, 1200]], 0),
}
"""Shapes whose usual place for words is beside the table."""


@pytest.mark.parametrize("words", FAR_OUT)
def test_words_stand_at_the_part_of_a_line_that_is_in_view(
    page: Any, ready: Served, words: str
) -> None:
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f10]")
    kind, points, radius = FAR_OUT[words]
    shape = {"kind": kind, "points_mm": points, "radius_mm": radius, "role": "reach", "text": words}
    said = {"seq": 9999, "level": "info", "text": "Look.", "spoken": "", "rule": None}
    page.evaluate(
        "async (said) => (await import('/static/store.js')).set({ said: [said] })",
        {**said, "shapes": [shape]},
    )
    label = page.locator(f"#map .shape text >> text={words}")
    label.wait_for(state="visible")
    # That it lies at its line and leaves no view is seen there.
    assert faults(page) == []
    becomes(lambda: label.get_attribute("visibility"), None)


def test_nothing_of_a_measurement_stays(page: Any, ready: Served) -> None:
    page.goto(ready.url)
    page.click("[data-tool=swap]")
    page.click("[data-tool=measure]")
    tap_figure(page, "f1", "camera")
    tap_figure(page, "f2", "camera")
    page.wait_for_selector("#camera path.length", state="attached")
    page.wait_for_selector("section.length")
    page.click("[data-tool=play]")
    page.wait_for_selector("#camera path.length", state="detached")
    page.click("[data-tool=measure]")
    tap_figure(page, "f1", "camera")
    tap_figure(page, "f1", "camera")
    page.wait_for_selector("text=That is Red 1 twice")
    page.click("[data-key=again]")
    page.wait_for_selector("#work >> text=Tap a figure or a place")
    page.click("[data-tool=swap]")
    page.wait_for_selector("body[data-main=map]")
    page.mouse.click(*place(page, ready.table, 256, 200))
    page.wait_for_selector("text=Tap the second")
    page.mouse.click(*place(page, ready.table, 256, -15))
    page.wait_for_selector("text=One end is not on the table")


def test_a_table_that_is_not_measured_has_no_game(
    page: Any, serve: Callable[..., Served], keep: Shoot
) -> None:
    served = serve(calibrated=False)
    page.goto(served.url)
    page.wait_for_selector("[data-key=corners]")
    page.wait_for_selector("[data-tool=swap]:disabled")
    page.click("[data-tool=terrain]")
    page.wait_for_selector("#toast.shown >> text=Measure the table first")
    page.click("[data-tool=play]")
    page.click("[data-key=newgame]")
    page.wait_for_selector("#dialog >> text=not measured yet")
    keep(page, "unmeasured")
    assert faults(page) == []
    page.click("[data-key=measuretable]")
    page.wait_for_selector("[data-key=corners]")


def test_a_height_is_kept_as_typed_or_refused(page: Any, ready: Served) -> None:
    page.goto(ready.url)
    page.click("[data-tool=terrain]")
    page.click("[data-key=numbers]")
    page.fill("[data-key=height]", "-2")
    page.click("[data-key=save]")
    page.wait_for_selector("#toast.shown >> text=0 or more")
    assert ready.table.referee.facts.terrain == ()
    page.fill("[data-key=height]", "12")
    page.click("[data-key=u-plates]")
    page.wait_for_selector("[data-key=u-plates][aria-pressed=true]")
    assert page.input_value("[data-key=height]") == "12"
    page.click("[data-key=save]")
    page.wait_for_selector("[data-terrain=t1][aria-label*='3.8 cm high']")
    assert ready.table.referee.facts.terrain[0].height_mm == pytest.approx(38.4)
    # Only shown, not typed: the same height in another unit.
    page.click("[data-key=p-t1]")
    page.click("[data-key=u-mm]")
    until(lambda: page.input_value("[data-key=height]") == "38.4")


def test_giving_up_stands_last_and_quiet(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    begin(page)
    give_up = page.locator("[data-kind=concede]").first
    give_up.wait_for()
    drawn(page)
    assert "main" not in (give_up.get_attribute("class") or "").split()
    tops = """(shown) => [shown, ...document.querySelectorAll("#work button.main")]
      .map((one) => one.getBoundingClientRect().top)"""
    lowest, *others = give_up.evaluate(tops)
    assert others
    assert max(others) < lowest
    keep(page, "giveup")
    give_up.click()
    page.wait_for_selector("#work [data-answers] button")
    assert not ready.table.referee.state.outcome


def test_the_voice_comes_back_after_a_reload(page: Any, ready: Served) -> None:
    page.add_init_script(path=HERE / "voice.js")
    page.goto(ready.url)
    page.get_by_role("button", name="Voice off").click()
    page.reload()
    page.get_by_role("button", name="Voice: tap once").wait_for()
    page.wait_for_selector("[data-kind=terrain_done]")
    page.click("[data-kind=terrain_done]")
    page.get_by_role("button", name="Voice on").wait_for()
    until(lambda: page.evaluate("window.spoken.length") > 0)


def test_house_rules_are_said_in_words(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.click("#menu")
    page.get_by_role("button", name="New game").click()
    page.wait_for_selector("[data-ruleset=figurslag]")
    page.locator("#dialog summary").first.click()
    page.wait_for_selector("#dialog .field")
    words_matching(page, "#dialog", "dice again")
    for label in page.locator("#dialog details[open] .field > span").all_inner_texts():
        assert "_" not in label
        assert " " in label
    assert all(
        n > 1
        for n in page.evaluate(
            "[...document.querySelectorAll('#dialog select')].map((s) => s.options.length)"
        )
    )
    assert faults(page) == []
    keep(page, "house")


def test_a_box_is_drawn_by_two_taps(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f1]")
    page.click("[data-tool=terrain]")
    # What was done last is not of the terrain, so nothing here takes it back.
    page.wait_for_selector("[data-tool=undo]:disabled")
    page.click("[data-key=rectangle]")
    page.mouse.click(*place(page, ready.table, 200, 120))
    page.wait_for_selector("text=Now tap the opposite corner")
    assert faults(page) == []
    page.mouse.click(*place(page, ready.table, 201, 121))
    page.wait_for_selector("#toast.shown >> text=too small")
    page.mouse.click(*place(page, ready.table, 200, 120))
    page.wait_for_selector("text=Now tap the opposite corner")
    page.mouse.click(*place(page, ready.table, 300, 200))
    page.wait_for_selector("[data-key=save]")
    page.locator("[data-key=save]").scroll_into_view_if_needed()
    page.click("[data-key=save]")
    page.wait_for_selector("#map [data-terrain]")
    page.wait_for_selector("[data-key=rectangle]")
    becomes(lambda: page.evaluate("document.querySelector('#panel').scrollTop"), 0)
    assert faults(page) == []
    keep(page, "box")
    (piece,) = ready.table.referee.facts.terrain
    xs, ys = zip(*piece.footprint_mm, strict=True)
    assert (min(xs), max(xs)) == (pytest.approx(200, abs=3), pytest.approx(300, abs=3))
    assert (min(ys), max(ys)) == (pytest.approx(120, abs=3), pytest.approx(200, abs=3))
    words, outline = (at_rest(page, f"#map .piece {part}") for part in ("text", "polygon"))
    assert outline["x"] <= words["x"]
    assert words["x"] + words["width"] <= outline["x"] + outline["width"]
    page.reload()
    page.wait_for_selector("[data-tool=terrain][aria-pressed=true]")
    told(page, ready.table)
    page.click("[data-tool=undo]")
    page.wait_for_selector("#map [data-terrain]", state="detached")
    page.wait_for_selector("#said >> text=Taken back: the terrain")
    page.wait_for_selector("[data-tool=undo]:disabled")
    page.click("[data-tool=measure]")
    page.wait_for_selector("[data-tool=undo]:disabled")


def test_words_that_a_wall_cannot_bear_are_left_out(
    page: Any, serve: Callable[..., Served]
) -> None:
    served = serve(game=opening())
    for name, wide, deep in (("t1", 100, 40), ("t2", 100, 8), ("t3", 8, 60)):
        x = {"t1": 60, "t2": 200, "t3": 340}[name]
        corners = ((x, 150.0), (x + wide, 150.0), (x + wide, 150.0 + deep), (x, 150.0 + deep))
        piece = Terrain(name, "wall", corners, 28.8)
        served.table.act(
            Action(
                "terrain_set",
                0,
                terrain_id=name,
                terrain=piece,
                basis_seq=served.table.referee.state.seq,
            )
        )
    page.goto(served.url)
    page.wait_for_selector("#map [data-terrain=t3]")
    page.wait_for_selector("[data-figure=f10]")

    def shown(name: str) -> str:
        return str(page.locator(f"#map [data-terrain={name}] text").get_attribute("visibility"))

    becomes(lambda: [shown(name) for name in ("t1", "t2", "t3")], ["None", "hidden", "hidden"])
    assert faults(page) == []


def test_a_visitor_is_told_that_the_film_waits(
    page: Any, serve: Callable[..., Served], keep: Shoot
) -> None:
    served = serve(game=opening(), length_s=600.0, loop=True)
    served.table._interlude = Interlude(served.table._stop, tick_s=0.1)
    until(lambda: len(served.table.referee.facts.sides) == 10)
    page.goto(served.url)
    page.wait_for_selector("[data-figure=f1]")
    page.click("[data-tool=undo]")
    page.wait_for_selector("#banner >> text=The film waits")
    assert faults(page) == []
    keep(page, "visitor")
    page.wait_for_selector("#banner", state="hidden")
    until(lambda: len(served.table.referee.facts.sides) == 10)


def test_the_dark_is_said_and_measures_nothing(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f1]")
    night = ready.table._darkness = Night()
    page.wait_for_selector("#banner >> text=switch on a light")
    assert faults(page) == []
    keep(page, "dark")
    night.dark = False
    page.wait_for_selector("#banner", state="hidden")


def test_what_is_refused_in_a_dialog_is_said_over_it(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f1]")
    page.click("#menu")
    page.click("#dialog >> text=New game")
    section = page.locator(".ruleset", has=page.locator("[data-ruleset=figurslag]"))
    section.locator("summary").click()
    section.locator("input[inputmode=decimal]").first.fill("-5")
    page.click("[data-ruleset=figurslag]")
    page.wait_for_selector("#toast.shown >> text=is not allowed")
    on_top = """(toast) => {
      const box = toast.getBoundingClientRect();
      return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).id;
    }"""
    becomes(lambda: page.locator("#toast").evaluate(on_top), "toast")
    keep(page, "refused")


def test_house_rules_are_chosen_by_words(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f1]")
    page.click("#menu")
    page.click("#dialog >> text=New game")
    rules = page.locator(".ruleset", has=page.locator("[data-ruleset=follow_me]"))
    page.locator(".ruleset").first.wait_for()
    told = page.locator(".ruleset .field").evaluate_all("all => all.map(one => one.textContent)")
    assert len(told) > 150
    raw = re.compile(r"\w_\w|\b(true|false|null|undefined)\b|\b(dz|fm|pm|geom)\.")
    assert [words for words in told if raw.search(words)] == []
    rules.locator("summary").click()
    field = rules.locator(".field", has_text="does the order Attack Them carry")
    field.locator("select").wait_for()
    field.locator("input").wait_for(state="hidden")
    field.locator("select").select_option(label="A number:")
    field.locator("input").fill("20")
    keep(page, "houserules")
    page.click("[data-ruleset=follow_me]")
    until(lambda: ready.table.referee.state.ruleset == "follow_me")
    assert dict(ready.table.referee.state.options)["fm.attack_them.range_in"] == 20


def test_a_phone_on_its_side_shows_map_and_words(ready: Served, browser: Any, keep: Shoot) -> None:
    page = slowed(browser.new_page(viewport={"width": 844, "height": 390}))
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f1]")
    map_, panel = (at_rest(page, name) for name in ("#map", "#panel"))
    assert map_["height"] > 200
    assert panel["x"] >= map_["x"] + map_["width"] - 1
    for tool in ("measure", "terrain", "play"):
        page.click(f"[data-tool={tool}]")
        page.wait_for_selector(f"[data-tool={tool}][aria-pressed=true]")
        top = "() => document.querySelector('#work > *')?.getBoundingClientRect().top ?? 999"
        until(lambda top=top: page.evaluate(top) < 330)
        assert faults(page) == []
        keep(page, f"side-{tool}")
    page.close()


def test_numbers_that_make_no_box_are_refused(page: Any, ready: Served) -> None:
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f1]")
    page.click("[data-tool=terrain]")
    page.click("[data-key=numbers]")
    page.click("#work summary")
    no_box = "Type where the box lies, and a width and depth of more than 0."
    # No two alike one after the other: the words before would be taken for the answer.
    for name, number, words in (
        ("b-width", "-50", no_box),
        ("b-x", "-900", "That place is not on the table."),
        ("b-depth", "", no_box),
    ):
        before = page.input_value(f"[data-key={name}]")
        page.fill(f"[data-key={name}]", number)
        page.click("[data-key=save]")
        page.wait_for_selector("#toast.shown.error")
        becomes(lambda: page.inner_text("#toast"), words)
        page.fill(f"[data-key={name}]", before)
    assert ready.table.referee.facts.terrain == ()
    page.click("[data-key=save]")
    page.wait_for_selector("#map [data-terrain=t1]")
    (piece,) = ready.table.referee.facts.terrain
    assert piece.height_mm == 28.8


def test_a_tap_is_not_lost_while_news_come(page: Any, ready: Served) -> None:
    """What is pressed stays under the finger until it is let go, then the news are drawn."""
    page.goto(ready.url)
    page.click("#work [data-kind=terrain_done]")
    box = at_rest(page, "#work [data-kind=roster_done]")
    page.mouse.move(box["x"] + 30, box["y"] + box["height"] / 2)
    page.mouse.down()
    seq = ready.table.referee.state.seq
    action = Action("assign", figure_id="f1", side="red", value="Zoe", basis_seq=seq)
    ready.table.act(replace(action, items=("large",)))
    told(page, ready.table)
    page.mouse.up()
    until(lambda: "roster_done" in {line.cause for line in ready.table.referee.lines[-3:]})
    page.wait_for_selector("#map [data-figure=f1] >> text=Z")


def test_a_press_of_the_space_bar_is_not_lost_while_news_come(page: Any, ready: Served) -> None:
    page.goto(ready.url)
    page.click("#work [data-kind=terrain_done]")
    page.locator("#work [data-kind=roster_done]").focus()
    page.keyboard.down("Space")
    seq = ready.table.referee.state.seq
    ready.table.act(Action("assign", figure_id="f1", side="red", value="Zoe", basis_seq=seq))
    told(page, ready.table)
    page.keyboard.up("Space")
    until(lambda: "roster_done" in {line.cause for line in ready.table.referee.lines[-3:]})
    page.wait_for_selector("#map [data-figure=f1] >> text=Z")


def test_a_tap_on_the_picture_is_not_lost_while_figures_are_drawn_anew(
    page: Any, ready: Served
) -> None:
    page.goto(ready.url)
    page.click("[data-tool=swap]")
    page.wait_for_selector("body[data-main=camera]")
    figure = "#camera [data-figure=f1]"
    box = at_rest(page, f"{figure} .tap")
    page.locator(figure).evaluate("(one) => { one.dataset.old = 'yes'; }")
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    ready.table._source.table.lying[10] = 0.0  # type: ignore[union-attr]
    page.wait_for_selector(f"{figure}[data-old]", state="detached")
    page.mouse.up()
    page.wait_for_selector("#work .sheethead >> text=Red 1")


def test_two_quick_taps_on_a_weapon_are_two_weapons(page: Any, ready: Served) -> None:
    page.goto(ready.url)
    tap_figure(page, "f3")
    page.click("[data-key=who]")
    page.click("[data-key='i-']")
    small = page.locator("[data-item=small]")
    small.wait_for()
    # Before the page has drawn the first.
    small.evaluate("(button) => { button.click(); button.click(); }")
    page.wait_for_selector("#work h3 >> text=/small.*, .*small/i")


def test_an_answer_ends_only_what_was_asked(page: Any, ready: Served) -> None:
    """Whoever has begun something else before the answer came goes on with that."""
    page.goto(ready.url)
    held: list[Any] = []
    page.route("**/api/actions", lambda route: held.append(route))

    def let_through() -> None:
        until(lambda: page.evaluate("1") and held)
        with page.expect_response("**/api/actions"):
            held.pop().continue_()
        told(page, ready.table)

    tap_figure(page, "f3")
    page.click("[data-key=who]")
    page.click("[data-key=save]")
    page.click("[data-key=close]")
    tap_figure(page, "f4")
    page.click("[data-key=correct]")
    page.wait_for_selector("[data-key=move]")
    let_through()
    assert page.locator("[data-key=move]").is_visible()
    page.click("[data-tool=terrain]")
    page.click("[data-key=numbers]")
    page.click("[data-key=save]")
    page.click("[data-key=cancel]")
    page.click("[data-key=numbers]")
    page.wait_for_selector("[data-key=height]")
    let_through()
    page.wait_for_selector("#map [data-terrain=t1]")
    assert page.locator("[data-key=height]").is_visible()


def test_a_rule_is_said_in_words_when_tapped(page: Any, ready: Served) -> None:
    page.goto(ready.url)
    begin(page)
    page.locator("[data-rule=FS-TURN-01]").first.click()
    page.wait_for_selector("#dialog >> text=A turn is movement first")
    assert faults(page) == []


def test_a_new_game_has_its_own_announcements(page: Any, ready: Served) -> None:
    """A warning of the last game is gone, on the page and after a reload, till that comes back."""
    page.goto(ready.url)
    begin(page)
    page.click("[data-key=all]")
    page.wait_for_selector("#dialog .allsaid li")
    old = page.locator("#dialog .allsaid li").all_inner_texts()
    page.click("#dialog >> text=Close")
    page.click("#menu")
    page.click("#dialog >> text=New game")
    page.click("[data-ruleset=playmobil]")
    page.wait_for_selector("#turn >> text=Setup")
    told(page, ready.table)
    for _ in range(2):
        drawn(page)
        if page.locator("[data-key=all]").count():
            page.click("[data-key=all]")
            page.wait_for_selector("#dialog .allsaid li")
            new = page.locator("#dialog .allsaid li").all_inner_texts()
            page.click("#dialog >> text=Close")
            assert not set(new) & set(old)
        page.reload()
        page.wait_for_selector("#said .large >> text=/[a-z]/")
    told(page, ready.table)
    page.click("[data-tool=undo]")
    page.wait_for_selector("#said .large >> text=Taken back")
    page.click("[data-key=all]")
    page.wait_for_selector("#dialog .allsaid li")
    assert set(old) <= set(page.locator("#dialog .allsaid li").all_inner_texts())


def test_an_open_question_is_answered_with_one_tap(page: Any, serve: Callable[..., Served]) -> None:
    served = serve()
    page.goto(served.url)
    page.wait_for_selector("[data-figure=f10]")
    seq = lambda: served.table.referee.state.seq  # noqa: E731
    served.table.act(Action("new_game", value="deathzap", basis_seq=seq()))
    for figure, side in (("f1", "red"), ("f6", "blue")):
        wish = Action("assign", figure_id=figure, side=side, items=("Soldier",), basis_seq=seq())
        served.table.act(wish)
        served.table.act(Action("might", figure_id=figure, numbers=(2.0,), basis_seq=seq()))
    told(page, served.table)
    page.click("#work [data-kind=ready]")
    page.wait_for_selector("#work [data-answers=answer] button")
    question = served.table.referee.state.question
    assert question is not None
    # It is said large once, and not asked again below.
    page.wait_for_selector(f"#said .large >> text={question.text[:30]}")
    drawn(page)
    assert page.locator("#work .question").count() == 0
    assert faults(page) == []
    told(page, served.table)
    page.locator("#work [data-answers=answer] button").first.click()
    until(lambda: served.table.referee.state.question is None)


class Night(Darkness):
    """Sees nothing, whatever the picture."""

    def __init__(self) -> None:
        super().__init__()
        self.dark = True

    def step(self, frame: Frame) -> None:
        """Look at nothing."""


class Bumped(Guard):
    """Has noticed a bump and does not find the table again by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.moved = True

    def step(self, frame: Frame, calibration: Calibration | None) -> None:
        """Look at nothing."""


def test_a_moved_camera_is_said(page: Any, ready: Served, keep: Shoot) -> None:
    page.goto(ready.url)
    page.wait_for_selector("[data-figure=f1]")
    # One of its own: the camera's thread may be in the middle of a step of the other.
    guard = ready.table._guard = Bumped()
    page.wait_for_selector("#banner >> text=The camera moved")
    assert faults(page) == []
    keep(page, "moved")
    page.click("[data-tool=measure]")
    tap_figure(page, "f1")
    tap_figure(page, "f2")
    page.wait_for_selector("#work .error >> text=the camera moved")
    guard.moved = False
    page.wait_for_selector("#banner", state="hidden")
