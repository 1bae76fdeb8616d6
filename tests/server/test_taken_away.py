"""A figure put by hand and taken away before play is of no game, in every rule system."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from engine.actions import Action
from engine.errors import Refused
from engine.log import LogLine, fold
from engine.referee import Referee
from engine.ruleset import InputKind, Option
from engine.rulesets import RULESETS
from engine.setup import fold_facts
from server.live import LiveTable
from tests.server.conftest import wait_for
from tests.simulated import by_hand

Wanted = dict[str, Any]


@dataclass(frozen=True)
class Opening:
    """How a game of one man a side begins: where they stand, what they are, what is tapped."""

    red: tuple[float, float]
    blue: tuple[float, float]
    label: str = "minifig"
    items: tuple[str, ...] = ()
    arms: tuple[tuple[str, Wanted], ...] = ()
    taps: tuple[str, ...] = ()
    only: Callable[[Option], bool] = field(default=lambda _option: True)


OPENINGS: Final = {
    "figurslag": Opening(
        *((100.0, 40.0), (100.0, 360.0)),
        items=("large",),
        taps=("terrain_done", "roster_done", "deploy_done", "roll_first"),
    ),
    "deathzap": Opening(
        *((270.0, 90.0), (330.0, 510.0)),
        arms=(("class", {"value": "Soldier"}), ("might", {"numbers": (2.0,)})),
        taps=("answer", "roll_off", "edge", "ready"),
        only=lambda option: option.kind != "edge" or "choose" in option.text,
    ),
    "playmobil": Opening(
        *((300.0, 130.0), (300.0, 470.0)),
        label="playmobil",
        arms=(("type", {"value": "infantry_archer"}),),
        taps=("answer", "roll_off", "edge", "ready"),
        only=lambda option: option.kind != "edge" or "choose" in option.text,
    ),
    "legowars": Opening((300.0, 250.0), (300.0, 350.0), items=("sword",), taps=("answer", "ready")),
    "follow_me": Opening(
        *((160.0, 100.0), (460.0, 520.0)),
        arms=(("type", {"value": "hero_foot_light"}),),
        taps=("answer", "ready"),
    ),
}


class Hands:
    """Two people at a table without a camera."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table

    @property
    def referee(self) -> Referee:
        return self.table.referee

    def do(self, kind: str, **more: Any) -> tuple[LogLine, ...]:
        return self.table.act(Action(kind, basis_seq=self.referee.state.seq, **more))

    def put(self, side: str, at: tuple[float, float], how: Opening = OPENINGS["legowars"]) -> str:
        facing = 90 if side == "red" else 270
        items = (f"label={how.label}", f"facing_deg={facing}")
        figure_id = self.do("place", point_mm=at, items=items)[0].event.figure_id
        assert figure_id is not None
        self.do("assign", figure_id=figure_id, side=side)
        return figure_id

    def arm(self, figure_id: str, how: Opening) -> None:
        if how.items:
            side = self.referee.facts.sides[figure_id]
            self.do("assign", figure_id=figure_id, side=side, items=how.items)
        for kind, more in how.arms:
            self.do(kind, figure_id=figure_id, **more)

    @property
    def before_play(self) -> bool:
        return self.referee.state.phase in self.referee.ruleset.info.before

    def begin(self, how: Opening) -> None:
        """Tap until the first turn."""
        for _ in range(20):
            if not self.before_play:
                return
            options = [one for one in self.referee.options() if how.only(one)]
            found = [one for kind in how.taps for one in options if one.kind == kind]
            assert found, (self.referee.state.phase, [one.kind for one in options])
            option = found[0]
            value = option.value
            if option.input is InputKind.CHOICE:
                edge = "south" if option.side == "red" else "north"
                value = edge if option.kind == "edge" else option.choices[0][0]
            self.do(option.kind, side=option.side, figure_id=option.figure_id, value=value)
        raise AssertionError(f"not begun: {self.referee.announcements()[-2:]}")

    @property
    def units(self) -> set[str]:
        return {unit.figure_id for unit in self.referee.state.units}


@pytest.fixture
def hands() -> Iterator[Hands]:
    table = by_hand()
    table.start()
    wait_for(lambda: table.table is not None)
    hands = Hands(table)
    hands.do("table_size", numbers=(600.0, 600.0))
    yield hands
    table.stop()


def test_every_rule_system_has_an_opening_and_says_what_is_before_play() -> None:
    assert set(OPENINGS) == {one.info.id for one in RULESETS}
    for one in RULESETS:
        assert one.begin({}, ()).phase in one.info.before


@pytest.mark.parametrize("ruleset", OPENINGS)
def test_who_is_taken_away_before_play_is_of_no_game(hands: Hands, ruleset: str) -> None:
    how = OPENINGS[ruleset]
    if ruleset == "figurslag":
        hands.do("table_size", numbers=(400.0, 400.0))
    hands.do("new_game", value=ruleset)
    red, blue = hands.put("red", how.red, how), hands.put("blue", how.blue, how)
    for figure_id in (red, blue):
        hands.arm(figure_id, how)
    spare = hands.put("blue", (200.0, 300.0), how)
    with_it = hands.referee.state
    assert with_it.unit(spare) is not None

    lines = hands.do("remove", figure_id=spare)
    assert [line.event.kind for line in lines] == ["taken_by_hand", "assigned"]
    assert hands.units == set(hands.referee.facts.sides) == {red, blue}
    hands.do("undo")
    assert hands.referee.state.units == with_it.units
    assert hands.referee.facts.sides[spare] == "blue"
    assert hands.table.table is not None
    assert hands.table.table.figure(spare).side == "blue"
    hands.do("remove", figure_id=spare)

    hands.begin(how)
    assert not hands.before_play
    hands.do("new_game", value=ruleset)
    assert hands.units == {red, blue}
    rulesets = {one.info.id: one for one in (*RULESETS, Referee().ruleset)}
    assert fold(hands.referee.lines, rulesets) == hands.referee.state
    assert fold_facts(hands.referee.lines) == hands.referee.facts


@pytest.mark.parametrize("ruleset", OPENINGS)
def test_who_is_taken_away_in_play_stays_in_that_game_alone(hands: Hands, ruleset: str) -> None:
    how = OPENINGS[ruleset]
    if ruleset == "figurslag":
        hands.do("table_size", numbers=(400.0, 400.0))
    hands.do("new_game", value=ruleset)
    red, blue = hands.put("red", how.red, how), hands.put("blue", how.blue, how)
    for figure_id in (red, blue):
        hands.arm(figure_id, how)
    hands.begin(how)
    hands.do("remove", figure_id=blue)
    assert hands.units == {red, blue}
    # A new figure is another one.
    assert hands.do("place", point_mm=(50.0, 300.0))[0].event.figure_id == "f3"
    hands.do("new_game", value=ruleset)
    assert hands.units == set(hands.referee.facts.sides) == {red}
    hands.do("undo")
    assert hands.units == set(hands.referee.facts.sides) == {red, blue}


def test_who_is_taken_away_without_a_game_is_forgotten(hands: Hands) -> None:
    figure_id = hands.put("red", (100.0, 100.0))
    hands.do("remove", figure_id=figure_id)
    assert (hands.referee.facts.sides, hands.referee.facts.names, hands.units) == ({}, {}, set())
    hands.do("undo")
    assert hands.referee.facts.names == {figure_id: "Red 1"}
    hands.do("remove", figure_id=figure_id)
    hands.do("new_game", value="legowars")
    assert hands.units == set()


def test_a_crew_leaves_with_its_chariot(hands: Hands) -> None:
    hands.do("new_game", value="playmobil")
    chariot = hands.put("red", (300.0, 130.0), OPENINGS["playmobil"])
    hands.do("type", figure_id=chariot, value="chariot")
    assert hands.units == {chariot, f"{chariot}_man1"}
    hands.do("remove", figure_id=chariot)
    assert hands.units == set()
    hands.do("undo")
    assert hands.units == {chariot, f"{chariot}_man1"}


def test_nobody_is_led_by_who_was_taken_away(hands: Hands) -> None:
    how = OPENINGS["follow_me"]
    hands.do("new_game", value="follow_me")
    hero, enemy = hands.put("red", how.red), hands.put("blue", how.blue)
    for figure_id in (hero, enemy):
        hands.arm(figure_id, how)
    archer = hands.put("red", (200.0, 150.0))
    hands.do("type", figure_id=archer, value="archer")
    assert hands.referee.state.unit(archer).mark("led_by") == hero  # type: ignore[union-attr]
    hands.do("remove", figure_id=hero)
    assert hands.referee.state.unit(archer).mark("led_by") is None  # type: ignore[union-attr]
    with pytest.raises(Refused, match="hero"):
        hands.do("ready")
    hands.do("undo")
    assert hands.referee.state.unit(archer).mark("led_by") == hero  # type: ignore[union-attr]


def test_nothing_is_asked_of_who_was_taken_away(hands: Hands) -> None:
    how = OPENINGS["playmobil"]
    hands.do("new_game", value="playmobil")
    for side, at in (("red", how.red), ("blue", how.blue)):
        hands.arm(hands.put(side, at, how), how)
    engine = hands.put("red", (200.0, 150.0), how)
    hands.do("type", figure_id=engine, value="artillery")
    hands.do("ready")
    assert hands.referee.state.question is not None
    hands.do("remove", figure_id=engine)
    assert hands.referee.state.question is None
    hands.begin(how)
    assert not hands.before_play


def test_a_ghost_is_not_paid_for(hands: Hands) -> None:
    """In Legowars the lists are told and agreed on after it was taken away."""
    how = OPENINGS["legowars"]
    hands.do("new_game", value="legowars")
    hands.arm(hands.put("red", how.red), how)
    hands.arm(hands.put("blue", how.blue), how)
    hands.do("ready")
    spare = hands.put("blue", (200.0, 300.0))
    hands.arm(spare, how)
    with pytest.raises(Refused, match="no figure"):
        hands.do("remove", figure_id="f9")
    hands.do("remove", figure_id=spare)
    told = [line.event for line in hands.do("ready") if line.event.kind == "list_told"]
    assert told[0].value("points") == told[1].value("points")
