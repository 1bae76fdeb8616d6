"""Armies on the page: chosen, built, kept, and bound to figures by tapping."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.armies.lists import read_army, ready_armies
from engine.army import MUSTERS, reckon
from engine.events import Event
from server.datafolder import data_folder
from tests.browser.conftest import Served, slowed
from tests.browser.layout import faults
from tests.browser.waiting import at_rest, becomes, drawn, spot, tap_figure, told, until
from tests.simulated import by_hand

pytestmark = pytest.mark.browser

Shoot = Callable[[Any, str], None]


@pytest.fixture
def hand(leave: Callable[[], None]) -> Iterator[Served]:
    """A table at which no camera looks."""
    served = Served(by_hand())
    yield served
    leave()
    served.close()


def begin(page: Any, served: Served, ruleset: str, side: str = "red") -> None:
    """Begin a game and look at the armies of a side."""
    page.goto(served.url)
    page.wait_for_selector("#map .plate")
    page.click("#menu")
    page.click("#dialog >> text=New game")
    page.click(f"[data-ruleset={ruleset}]")
    page.click("[data-key=armies]")
    page.click(f"[data-army-side={side}]")
    page.wait_for_selector("[data-army]")


def enlisted(served: Served) -> dict[str, int]:
    return {name: one.entry for name, one in served.table.referee.facts.enlisted.items()}


def events(served: Served) -> list[Event]:
    return [line.event for line in served.table.referee.lines]


def at(page: Any, served: Served, x: float, y: float) -> tuple[float, float]:
    """Where a place of the table is on the screen."""
    assert served.table.table is not None
    return spot(page, served.table.table.size_mm, x, y)


def test_figures_are_tapped_for_a_list_and_a_line_for_a_figure(
    page: Any, serve: Callable[..., Served], keep: Shoot
) -> None:
    served = serve()
    begin(page, served, "deathzap")
    assert faults(page) == []
    keep(page, "army-choose")
    page.click("[data-army=patrol]")
    page.wait_for_selector("[data-entry='0'][aria-pressed=true]")
    tap_figure(page, "f1")
    becomes(lambda: enlisted(served), {"f1": 0})
    page.wait_for_selector("[data-entry='0'] >> text=1 of 3")
    # A finger on the camera's picture says it as well.
    small = page.viewport_size["width"] < 900
    if small:
        page.click("[data-tool=swap]")
        page.wait_for_selector("body[data-main=camera]")
    tap_figure(page, "f2", "camera")
    becomes(lambda: enlisted(served), {"f1": 0, "f2": 0})
    if small:
        page.click("[data-tool=swap]")
        page.wait_for_selector("body[data-main=map]")
    tap_figure(page, "f3")
    # All three soldiers are there: the next line is taken by itself.
    page.wait_for_selector("[data-entry='1'][aria-pressed=true]")
    assert faults(page) == []
    keep(page, "army-bound")
    # The other way round: the figure first. Where no line waits, a tap looks at the figure.
    page.click("[data-key=armiesdone]")
    page.click("[data-key=armies]")
    page.click("[data-army-side=red]")
    page.wait_for_selector("[data-entry='1'][aria-pressed=false]")
    tap_figure(page, "f5")
    page.wait_for_selector("#work >> text=which line of the list")
    page.click("[data-entry='2']")
    becomes(lambda: enlisted(served).get("f5"), 2)
    units = {unit.figure_id: unit for unit in served.table.referee.state.units}
    assert units["f1"].equipment == ("Soldier",)
    assert units["f5"].name == "Gunslinger"
    page.click("[data-key=armiesdone]")
    bound = "Gunslinger, Gunslinger (special), Red, standing"
    becomes(lambda: page.locator("#map [data-figure=f5]").get_attribute("aria-label"), bound)
    tap_figure(page, "f5")
    page.wait_for_selector(".sheethead >> text=Gunslinger (special)")
    told(page, served.table)
    page.click("[data-tool=undo]")
    until(lambda: "f5" not in enlisted(served))


def test_an_army_is_built_and_reckoned_while_it_is_changed(
    page: Any, hand: Served, keep: Shoot
) -> None:
    begin(page, hand, "deathzap")
    page.click("[data-key=build]")
    page.wait_for_selector(".builder .sum")
    page.fill("[data-key=name]", "Our band")
    page.select_option("[data-key=kind-0]", "Beast")
    for _ in range(3):
        page.click("[data-key=count-0-more]")
    page.fill("[data-key=a-0-might]", "6")
    page.wait_for_selector(".faults >> text=DZ-WB-06")
    page.wait_for_selector(".sum >> text=24 of 20 points")
    assert faults(page) == []
    keep(page, "army-dear")
    page.fill("[data-key=a-0-might]", "5")
    page.wait_for_selector(".sum >> text=20 of 20 points")
    page.wait_for_selector(".faults", state="detached")
    page.click("[data-key=addentry]")
    page.select_option("[data-key=kind-1]", "Soldier")
    page.wait_for_selector(".sum >> text=21 of 20 points")
    page.click("[data-key=remove-1]")
    page.wait_for_selector(".sum >> text=20 of 20 points")
    page.click("[data-key=savearmy]")
    page.wait_for_selector("#toast.shown >> text=Saved: Our band")
    page.click("[data-key=use]")
    page.wait_for_selector("[data-entry='0']")
    army = hand.table.referee.facts.armies["red"]
    assert (army.name, army.entries[0].kind, army.entries[0].count) == ("Our band", "Beast", 4)
    # Blue finds it among the lists, and may throw it away.
    page.click("[data-army-side=blue]")
    page.click("[data-army=our-band]")
    page.wait_for_selector("[data-army-side=blue] >> text=Our band")
    page.click("[data-key=change]")
    page.click("[data-key=deletearmy]")
    page.wait_for_selector(".builder", state="hidden")
    page.click("[data-key=another]")
    page.wait_for_selector("[data-army=our-band]", state="detached")
    page.wait_for_selector("[data-army=patrol]")


def test_a_list_under_a_name_of_ones_own_is_found_and_thrown_away(page: Any, hand: Served) -> None:
    """Put into the folder by hand, also where another one bears the same name inside."""
    folder = data_folder() / "armies" / "deathzap"
    folder.mkdir(parents=True)
    list_ = 'name = "Band"\n[[figures]]\nkind = "Beast"\nmight = {might}\n'
    for name, might in (("My army", 2), ("band", 3)):
        (folder / f"{name}.toml").write_text(list_.format(might=might))
    begin(page, hand, "deathzap")
    page.click("[data-army='My army']")
    page.wait_for_selector("[data-entry='0']")
    assert hand.table.referee.facts.armies["red"].entries[0].might == 2
    page.click("[data-key=change]")
    page.click("[data-key=deletearmy]")
    page.wait_for_selector(".builder", state="hidden")
    page.click("[data-key=another]")
    page.wait_for_selector("[data-army='My army']", state="detached")
    page.wait_for_selector("[data-army=band]")
    assert sorted(path.name for path in folder.iterdir()) == ["band.toml"]


def test_a_list_goes_to_a_file_and_comes_back(page: Any, hand: Served, tmp_path: Path) -> None:
    begin(page, hand, "playmobil")
    page.click("[data-army=guard]")
    page.click("[data-key=change]")
    page.wait_for_selector(".builder .sum")
    with page.expect_download() as waited:
        page.click("[data-key=download]")
    path = tmp_path / waited.value.suggested_filename
    waited.value.save_as(path)
    assert path.name == "Guard of the gate.toml"
    assert read_army(path.read_text()) == read_army(ready_armies("playmobil")["guard"])
    page.click("#dialog >> text=Close")
    page.click("[data-key=another]")
    army = {"name": "From a file", "figures": [{"kind": "chariot"}, {"kind": "knight"}]}
    (tmp_path / "mine.json").write_text(json.dumps(army))
    page.set_input_files("#work input[type=file]", tmp_path / "mine.json")
    page.wait_for_selector(".faults >> text=PM-PREP-08")
    page.click("[data-key=row-1]")
    page.select_option("[data-key=kind-1]", "infantry_archer")
    page.wait_for_selector(".verdict >> text=nothing against it")
    # An archer has a bow from the start, and only one.
    page.wait_for_selector("[data-thing=short_bow][aria-pressed=true]")
    page.click("[data-thing=longbow]")
    page.wait_for_selector("[data-thing=short_bow][aria-pressed=false]")
    page.click("[data-key=use]")
    page.wait_for_selector("[data-entry='1'] >> text=longbow")
    assert hand.table.referee.facts.armies["red"].entries[1].items == ["longbow"]
    page.click("[data-key=another]")
    (tmp_path / "wrong.toml").write_text("figures = [")
    page.set_input_files("#work input[type=file]", tmp_path / "wrong.toml")
    page.wait_for_selector("#toast.shown.error >> text=not TOML")


HIDDEN = """() => {
  const box = (one) => one.getBoundingClientRect();
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const bases = [...document.querySelectorAll("#map .figure .base")].map(box);
  return [...document.querySelectorAll("#map .figure text")]
    .filter((one) => one.getAttribute("visibility") !== "hidden")
    .filter((one) => bases.some((base) => over(base, box(one)))).map((one) => one.textContent);
}"""
FIGHT = {
    "deathzap": "giants",
    "figurslag": "standard",
    "follow_me": "knights",
    "legowars": "patrol",
    "playmobil": "elephants",
}


@pytest.mark.parametrize("ruleset", MUSTERS)
def test_figures_put_by_hand_are_of_the_chosen_line(
    page: Any, hand: Served, keep: Shoot, ruleset: str
) -> None:
    """One by a tap on the map, the others put in rows by the page."""
    begin(page, hand, ruleset)
    page.click(f"[data-army={FIGHT[ruleset]}]")
    page.wait_for_selector("[data-key=putrest]")
    assert faults(page) == []
    page.mouse.click(*at(page, hand, 300, 250))
    becomes(lambda: list(enlisted(hand).values()), [0])
    told(page, hand.table)
    with page.expect_response("**/api/armies/muster"):
        page.click("[data-key=putrest]")
    page.wait_for_selector("[data-key=putrest]", state="detached")
    # One tap takes all of them back, and no other.
    told(page, hand.table)
    page.click("[data-tool=undo]")
    becomes(lambda: list(enlisted(hand).values()), [0])
    # On a phone it is spoken only: the army has the room.
    page.wait_for_selector("#said >> text=Taken back: the figures that were put", state="attached")
    told(page, hand.table)
    page.click("[data-key=putrest]")
    page.wait_for_selector("[data-key=putrest]", state="detached")
    page.wait_for_selector("[data-key=otherside]")
    assert faults(page) == []
    keep(page, f"army-{ruleset}")
    # No name hides a figure, not even where the scale is in the way.
    becomes(lambda: page.evaluate(HIDDEN), [])
    army = read_army(ready_armies(ruleset)[FIGHT[ruleset]])
    assert len(enlisted(hand)) == reckon(ruleset, army).figures
    figures = hand.table.table.figures  # type: ignore[union-attr]
    assert len({one.position_mm for one in figures}) == len(figures)
    page.click("[data-key=otherside]")
    page.click(f"[data-army={FIGHT[ruleset]}]")
    page.wait_for_selector("[data-key=putrest]")
    page.click("[data-key=armiesdone]")
    assert faults(page) == []


def test_both_complete_there_is_one_way_on(page: Any, hand: Served) -> None:
    begin(page, hand, "figurslag")
    for side in ("red", "blue"):
        page.click(f"[data-army-side={side}]")
        page.click("[data-army=standard]")
        page.click("[data-key=putrest]")
        page.wait_for_selector("[data-key=putrest]", state="detached")
    told(page, hand.table)
    becomes(page.get_by_role("button", name="Done with armies").count, 1)
    page.get_by_role("button", name="Done with armies").click()
    page.wait_for_selector("[data-army-side]", state="detached")


def test_a_list_that_names_no_kind_is_of_the_first(page: Any, hand: Served) -> None:
    begin(page, hand, "legowars")
    page.click("[data-army=patrol]")
    page.click("[data-key=change]")
    page.click("[data-key=row-0]")
    page.wait_for_selector("[data-key=kind-0]")
    chosen = "(one) => one.selectedOptions[0].textContent"
    assert page.locator("[data-key=kind-0]").evaluate(chosen) == "man"
    assert "body armor" in page.locator("[data-thing=body]").inner_text()


def test_faults_of_the_list_that_is_played_are_told(page: Any, hand: Served) -> None:
    begin(page, hand, "figurslag")
    page.click("[data-key=build]")
    page.wait_for_selector(".builder .faults >> text=FS-FLAG-13")
    page.click("[data-key=use]")
    page.wait_for_selector("#work .faults >> text=FS-FLAG-13")
    assert faults(page) == []


def test_a_keep_is_drawn_and_tapped(page: Any, hand: Served) -> None:
    begin(page, hand, "legowars")
    page.click("[data-army=keep]")
    page.wait_for_selector("[data-entry='0']")
    page.click("[data-entry='0']")
    page.wait_for_selector("#work >> text=draw it with Terrain")
    page.mouse.click(*at(page, hand, 600, 500))
    page.wait_for_selector("#toast.shown >> text=draw it with Terrain")
    page.click("[data-tool=terrain]")
    page.click("[data-key=numbers]")
    page.select_option("[data-key=kind]", "building")
    page.click("[data-key=save]")
    page.wait_for_selector("#map [data-terrain=t1]")
    page.click("[data-tool=play]")
    page.click("[data-key=armies]")
    page.click("[data-army-side=red]")
    page.click("[data-entry='0']")
    page.wait_for_selector("[data-entry='0'][aria-pressed=true]")
    page.mouse.click(*at(page, hand, 90, 58))
    becomes(lambda: enlisted(hand), {"t1": 0})


def test_the_keyboard_is_enough_for_an_army(page: Any, hand: Served) -> None:
    """No tap at all: buttons, fields and figures are reached and pressed by keys."""

    def press(selector: str, key: str = "Enter") -> None:
        page.locator(selector).first.focus()
        page.keyboard.press(key)

    page.goto(hand.url)
    page.wait_for_selector("#map .plate")
    press("#menu")
    press("#dialog >> text=New game")
    page.wait_for_selector("[data-ruleset=deathzap]")
    press("[data-ruleset=deathzap]")
    page.wait_for_selector("[data-key=armies]")
    press("[data-key=armies]", "Space")
    page.wait_for_selector("[data-army=giants]")
    press("[data-army=giants]")
    page.wait_for_selector("[data-key=putrest]")
    press("[data-key=putrest]")
    page.wait_for_selector("[data-key=putrest]", state="detached")
    becomes(lambda: len(enlisted(hand)), 4)
    told(page, hand.table)
    before = hand.table.table.figures[0].position_mm  # type: ignore[union-attr]
    page.locator("#map [data-figure=f1]").focus()
    page.keyboard.press("ArrowUp")
    becomes(lambda: hand.table.table.figures[0].position_mm[1], before[1] + 10)  # type: ignore[union-attr]
    # A figure becomes what a line says: Enter on the figure, then on the line.
    press("#map [data-figure=f1]")
    page.wait_for_selector("#map .figure.selected[data-figure=f1]")
    told(page, hand.table)
    press("[data-entry='0']")
    becomes(lambda: [e.kind for e in events(hand) if e.figure_id == "f1"].count("enlisted"), 2)
    press("[data-key=another]")
    page.wait_for_selector("[data-key=build]")
    press("[data-key=build]")
    page.wait_for_selector(".builder [data-key=count-0-more]")
    press("[data-key=count-0-more]")
    page.wait_for_selector(".sum >> text=2 figures")
    # Drawn anew, the list keeps the keyboard's place.
    becomes(lambda: page.evaluate("document.activeElement.dataset.key"), "count-0-more")
    page.keyboard.press("Enter")
    page.wait_for_selector(".sum >> text=3 figures")
    page.keyboard.press("Escape")
    page.wait_for_selector(".builder", state="hidden")


def test_a_reload_keeps_armies_and_who_is_who(page: Any, hand: Served) -> None:
    begin(page, hand, "playmobil")
    page.click("[data-army=guard]")
    page.wait_for_selector("[data-key=putrest]")
    page.mouse.click(*at(page, hand, 300, 250))
    becomes(lambda: len(enlisted(hand)), 1)
    page.reload()
    page.wait_for_selector("#map [data-figure=f1] >> text=General")
    page.click("[data-key=armies]")
    page.click("[data-army-side=red]")
    page.wait_for_selector("[data-entry='0'] >> text=there")
    # Another game has other rules: nothing of the list stays.
    page.click("#menu")
    page.click("#dialog >> text=New game")
    page.click("[data-ruleset=deathzap]")
    until(lambda: not hand.table.referee.facts.armies)
    page.click("[data-key=armies]")
    page.wait_for_selector("[data-army-side=red] >> text=no army yet")


def test_a_small_phone_shows_all_of_it(hand: Served, browser: Any, keep: Shoot) -> None:
    """320x568: the main buttons stand in a row each, nothing is cut or scrolls sideways."""
    page = slowed(browser.new_page(viewport={"width": 320, "height": 568}))

    def look(name: str) -> None:
        assert faults(page) == [], name
        keep(page, f"small-{name}")

    page.goto(hand.url)
    page.wait_for_selector("#map .plate")
    at_rest(page, "#tools")
    for bar in ("#bar button, #bar .camera", "#tools button:visible"):
        boxes = [one.bounding_box() for one in page.locator(bar).all()]
        assert len(boxes) >= 3
        assert len({round(box["y"]) for box in boxes}) == 1
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= 320 for box in boxes)
    look("start")
    page.click("#menu")
    look("menu")
    page.click("#dialog >> text=New game")
    page.locator("#dialog summary").first.click()
    page.wait_for_selector("#dialog details[open] .field")
    look("new")
    page.click("[data-ruleset=deathzap]")
    page.wait_for_selector("[data-key=armies]")
    look("begun")
    page.click("[data-key=armies]")
    page.wait_for_selector("[data-army]")
    look("armies")
    page.click("[data-army=giants]")
    page.click("[data-key=putrest]")
    page.wait_for_selector("[data-key=otherside]")
    becomes(lambda: page.evaluate("document.querySelector('#panel').scrollTop"), 0)
    look("put")
    page.click("[data-key=change]")
    page.wait_for_selector(".builder .sum")
    page.click("[data-key=row-0]")
    page.wait_for_selector(".builder .entryform")
    look("builder")
    page.click("#dialog >> text=Close")
    page.click("[data-key=armiesdone]")
    page.wait_for_selector("[data-key=armiesdone]", state="detached")
    tap_figure(page, "f1")
    page.wait_for_selector(".sheethead")
    look("sheet")
    for tool in ("measure", "terrain"):
        page.click(f"[data-tool={tool}]")
        page.wait_for_selector(f"body[data-tool={tool}]")
        drawn(page)
        look(tool)
        box = at_rest(page, "#work h2")
        assert box["y"] + box["height"] < at_rest(page, "#tools")["y"]
    page.close()
