"""A short game of every rule system, played on the page alone to its end: tapped and dragged."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.ruleset import Option
from tests.browser.conftest import Served
from tests.browser.playing import Approach, Player, Wanted
from tests.browser.waiting import drawn, tap_figure, words_matching
from tests.simulated import by_hand

pytestmark = pytest.mark.browser


@pytest.fixture
def player(page: Any, leave: Callable[[], None]) -> Iterator[Player]:
    served = Served(by_hand())
    yield Player(page, served)
    leave()
    served.close()


def asked(option: Option) -> bool:
    """An edge that has still to be chosen."""
    return "choose" in option.text


def finish(player: Player, keep: Callable[[Any, str], None], name: str, side: str) -> None:
    """See that the game is over, was moved in, and that the page says who has won."""
    assert player.outcome == side
    lines = player.table.referee.lines
    assert any(line.cause == "table" and line.event.figure_id for line in lines)
    player.page.wait_for_selector(f"#turn >> text={side.capitalize()} wins")
    keep(player.page, name)
    assert player.faults == []


Keep = Callable[[Any, str], None]


def test_lengths_and_leaving_without_a_camera(player: Player) -> None:
    """Two figures are measured on the map alone; one that is taken away is of no team."""
    page = player.page
    player.begin("legowars", (60, 60))
    player.put("red", [(200, 250)])
    player.put("blue", [(300, 250)])
    page.click("[data-tool=measure]")
    page.wait_for_selector("[data-tool=measure][aria-pressed=true]")
    for figure_id in ("f1", "f2"):
        tap_figure(page, figure_id)
        drawn(page)
    centre = words_matching(page, "[data-which=centre]", r"([0-9.]+) cm")
    one, other = (player.figure(name).position_mm for name in ("f1", "f2"))
    assert float(centre[1]) == pytest.approx(math.dist(one, other) / 10, abs=0.06)
    assert page.locator("#map path.length").count() == 1
    page.click("[data-tool=play]")
    page.wait_for_selector("[data-tool=play][aria-pressed=true]")
    player.look_at("f2")
    player.then(lambda: page.click("[data-key=takeaway]"))
    assert [unit.figure_id for unit in player.table.referee.state.units] == ["f1"]
    page.wait_for_selector("#map [data-figure=f2]", state="detached")


def test_figurslag(player: Player, keep: Keep) -> None:
    player.begin("figurslag", (40, 40))
    player.put("red", [(100, 40)])
    player.put("blue", [(100, 360)])
    player.arm("f1", "large")
    player.arm("f2", "large")
    wishes: list[tuple[str, Wanted]] = [
        *(("terrain_done", {}), ("roster_done", {}), ("deploy_done", {}), ("roll_first", {})),
        *(("dodge", {}), ("roll", {}), ("shoot", {}), ("done", {})),
    ]
    player.play(wishes, Approach("MOVE", 90, times=2))
    finish(player, keep, "figurslag", "blue")


def test_deathzap(player: Player, keep: Keep) -> None:
    player.begin("deathzap", (60, 60))
    player.put("red", [(270, 90)])
    player.put("blue", [(330, 510)])
    for figure_id in ("f1", "f2"):
        for kind, how in (("class", {"value": "Soldier"}), ("might", {"number": 2})):
            player.take_first(kind, how, figure_id)
    wishes: list[tuple[str, Wanted]] = [
        *(("answer", {}), ("roll_off", {}), ("edge", {"only": asked}), ("roll", {})),
        *(("morale", {}), ("ranged", {}), ("pick", {}), ("ready", {}), ("finish", {})),
    ]
    player.play(wishes, Approach("CHOOSE_ACTION", 60, times=2))
    finish(player, keep, "deathzap", "blue")


def test_playmobil(player: Player, keep: Keep) -> None:
    player.begin("playmobil", (60, 60))
    player.put("red", [(300, 130)], "playmobil")
    player.put("blue", [(300, 470)], "playmobil")
    for figure_id in ("f1", "f2"):
        player.take_first("type", {"value": "infantry_archer"}, figure_id)
    wishes: list[tuple[str, Wanted]] = [
        *(("answer", {}), ("roll_off", {}), ("roll", {}), ("edge", {"only": asked})),
        *(("shoot", {}), ("ready", {}), ("done", {})),
    ]
    player.play(wishes, Approach("ACT", 60, times=2))
    finish(player, keep, "playmobil", "blue")


def test_legowars(player: Player, keep: Keep) -> None:
    player.begin("legowars", (60, 60))
    player.put("red", [(300, 250)])
    player.put("blue", [(300, 350)])
    player.arm("f1", "sword")
    player.arm("f2", "sword")
    wishes: list[tuple[str, Wanted]] = [
        *(("answer", {}), ("initiative", {}), ("roll", {}), ("attack", {})),
        *(("ready", {}), ("done", {})),
    ]
    player.play(wishes, Approach("MOVE", 40, times=1))
    finish(player, keep, "legowars", "red")


def test_follow_me(player: Player, keep: Keep) -> None:
    """Two heroes with a man each: an archer shoots the other side's whole contingent."""
    player.begin("follow_me", (60, 60))
    player.put("red", [(160, 100), (300, 200)])
    player.put("blue", [(460, 520), (300, 400)])
    for figure_id, kind in (
        *(("f1", "hero_foot_light"), ("f2", "archer")),
        *(("f3", "hero_foot_light"), ("f4", "goblin")),
    ):
        player.take_first("type", {"value": kind}, figure_id)
    player.take_first("ready", {}, None)
    for figure_id in ("f1", "f3"):
        player.take_first("hold", {}, figure_id)
    player.look_at(None)
    player.drag("f1", 200, 140)
    wishes: list[tuple[str, Wanted]] = [
        *(("answer", {"value": "yes"}), ("hold", {}), ("roll", {}), ("volley", {})),
        *(("test", {}), ("done", {})),
    ]
    player.play(wishes)
    finish(player, keep, "follow_me", "red")
