"""Armies in a game: lists are chosen for a side, and figures become what the entries say."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.actions import Action
from engine.armies.choosing import TERRAIN
from engine.armies.enlisting import BEFORE, SYSTEMS, kinds_of, may_enlist
from engine.armies.lists import (
    ArmyList,
    Entry,
    army_of,
    read_army,
    read_entries,
    ready_armies,
    write_army,
    write_entry,
)
from engine.army import MUSTERS, reckon
from engine.errors import BadData, Refused
from engine.log import fold
from engine.referee import Referee
from engine.rulesets import RULESETS, by_id
from engine.setup import fold_facts
from engine.table import Base, BaseShape, Figure, FigureState, Seen, TableState, Terrain

SQUARE = ((0.0, 0.0), (64.0, 0.0), (64.0, 64.0), (0.0, 64.0))
READY = [(one, name) for one in MUSTERS for name in ready_armies(one)]


def figure(i: int) -> Figure:
    base = Base(BaseShape.CIRCLE, 10.0)
    at = (60.0 * i, 40.0)
    standing = FigureState.STANDING
    return Figure(f"f{i}", "minifig", None, "", at, None, base, 1.0, 0.0, standing, Seen.SEEN, 0.0)


class Game:
    """A game before its first turn, with figures nobody has said anything of."""

    def __init__(self, ruleset_id: str, figures: int = 40, **options: Any) -> None:
        self.referee = Referee(by_id(ruleset_id), options)
        keep = Terrain("keep", "building", SQUARE, 19.2, True, True, ())
        table = TableState(0, None, tuple(figure(i) for i in range(figures)), (keep,), settled=True)
        self.referee.take(table)

    @property
    def state(self) -> Any:
        return self.referee.state

    def do(self, kind: str, **more: Any) -> Any:
        return self.referee.take(Action(kind, basis_seq=self.state.seq, **more))

    def choose(self, side: str, army: ArmyList) -> None:
        items = tuple(write_entry(entry) for entry in army.figures)
        self.do("army", side=side, value=army.name, items=items)

    def enlist(self, side: str, figure_id: str, entry: int) -> Any:
        return self.do("enlist", side=side, figure_id=figure_id, numbers=(float(entry),))


@pytest.mark.parametrize(("ruleset_id", "name"), READY)
def test_a_ready_army_takes_its_place_on_the_table(ruleset_id: str, name: str) -> None:
    """As many figures as the list has, and the log alone folds to the same."""
    army = read_army(ready_armies(ruleset_id)[name])
    labels = {kind.value: kind.label for kind in kinds_of(ruleset_id)}
    game = Game(ruleset_id, **army.options)
    side = game.state.sides[0]
    game.choose(side, army)
    figures = iter(range(40))
    for index, entry in enumerate(army.figures):
        for _ in range(entry.count):
            terrain = labels.get(entry.kind) == TERRAIN
            game.enlist(side, "keep" if terrain else f"f{next(figures)}", index)
    facts, state = game.referee.facts, game.state
    assert len(facts.enlisted) == reckon(ruleset_id, army).figures
    assert {one.entry for one in facts.enlisted.values()} == set(range(len(army.figures)))
    names = [unit.name for unit in state.units]
    assert len(set(names)) == len(names)
    assert fold_facts(game.referee.lines) == facts
    assert fold(game.referee.lines, {"": Referee().ruleset, ruleset_id: by_id(ruleset_id)}) == state


@pytest.mark.parametrize("ruleset_id", MUSTERS)
def test_ready_armies_say_only_what_can_be_chosen(ruleset_id: str) -> None:
    kinds = {kind.value: kind for kind in kinds_of(ruleset_id)}
    for text in ready_armies(ruleset_id).values():
        for entry in read_army(text).figures:
            kind = kinds.get(entry.kind) or kinds_of(ruleset_id)[0]
            things = {thing.value: thing.most for thing in kind.things}
            amounts = {amount.key for amount in kind.amounts}
            for item in entry.items:
                name, sign, _ = item.partition("=")
                assert name in (amounts if sign else things)
                assert sign or entry.items.count(item) <= things[name]
            assert (entry.might is None) or "might" in amounts


@pytest.mark.parametrize("ruleset_id", MUSTERS)
def test_everything_that_can_be_chosen_is_known_to_the_rules(ruleset_id: str) -> None:
    """No kind and no thing on the page that the muster refuses to know."""
    for kind in kinds_of(ruleset_id):
        usual = [f"{a.key}={a.usual}" for a in kind.amounts if a.usual and a.key != "might"]
        might = next((a.usual for a in kind.amounts if a.key == "might"), None)
        for thing in [None, *kind.things]:
            items = usual if thing is None else [*usual, *[thing.value] * thing.most]
            reckon(ruleset_id, ArmyList(figures=[Entry(kind=kind.value, might=might, items=items)]))


def test_every_rule_set_has_armies() -> None:
    assert set(SYSTEMS) == set(BEFORE) == set(MUSTERS) == {one.info.id for one in RULESETS}
    assert all(may_enlist(Referee(one).state) for one in RULESETS)
    assert not may_enlist(Referee().state)


PLAYED = {
    "figurslag": "MOVE",
    "deathzap": "CHOOSE_ACTION",
    "playmobil": "ACT",
    "legowars": "MOVE",
    "follow_me": "ORDERS",
}


@pytest.mark.parametrize("ruleset_id", MUSTERS)
def test_in_mid_game_armies_are_settled(ruleset_id: str) -> None:
    """Refused by a rule of the game, in words, and nothing changes."""
    game = Game(ruleset_id)
    side = game.state.sides[0]
    army = read_army(next(iter(ready_armies(ruleset_id).values())))
    game.choose(side, army)
    referee, begun = game.referee, replace(game.state, phase=PLAYED[ruleset_id])
    over = replace(begun, outcome=side)
    for state, why in ((begun, "it has begun"), (over, "the game is over")):
        referee._state = state
        for wish in (lambda: game.enlist(side, "f0", 0), lambda: game.choose(side, army)):
            with pytest.raises(Refused, match=f"before play, and {why}") as refused:
                wish()
            assert by_id(ruleset_id).info.items[refused.value.rule]
    assert referee.facts.enlisted == {}


def test_a_team_of_figurslag_is_settled_when_play_has_begun() -> None:
    """Played to its first move, not only said to be there."""
    game = Game("figurslag", figures=6)
    army = read_army('[[figures]]\nname = "A"\nitems = ["large"]\ncount = 3\n')
    for number, side in enumerate(("red", "blue")):
        game.choose(side, army)
        game.enlist(side, f"f{number}", 0)
    for kind, value in (
        *(("terrain_done", None), ("roster_done", None)),
        *(("deploy_done", None), ("first", "red")),
    ):
        game.do(kind, value=value)
    assert game.state.phase == "MOVE"
    before = game.referee.lines
    with pytest.raises(Refused, match="before play") as refused:
        game.enlist("red", "f2", 0)
    assert refused.value.rule == "FS-SET-01"
    assert game.referee.lines == before


def test_a_fighter_has_class_and_might_of_its_entry() -> None:
    game = Game("deathzap")
    game.choose("red", read_army('[[figures]]\nname = "Ann"\nkind = "Sniper"\nmight = 4\n'))
    game.enlist("red", "f0", 0)
    (unit,) = game.state.units
    assert (unit.name, unit.side, unit.equipment) == ("Ann", "red", ("Sniper",))
    assert unit.mark("might") == 4


def test_a_model_costs_on_the_table_what_it_costs_in_the_list() -> None:
    """Spear 15, shield 5, helmet: the same things in the game as in the list."""
    game = Game("legowars")
    army = read_army('[[figures]]\nname = "Ann"\nitems = ["spear", "shield"]\ncount = 2\n')
    game.choose("blue", army)
    game.enlist("blue", "f0", 0)
    game.enlist("blue", "f1", 0)
    assert [unit.name for unit in game.state.units] == ["Ann 1", "Ann 2"]
    assert all(unit.equipment == ("spear", "shield") for unit in game.state.units)


def test_a_cart_has_the_numbers_that_were_bought() -> None:
    game = Game("legowars")
    items = '["seats=2", "wheels=2", "armor=16", "ballista"]'
    game.choose("red", read_army(f'[[figures]]\nkind = "vehicle"\nitems = {items}\n'))
    game.enlist("red", "f0", 0)
    (unit,) = game.state.units
    assert (unit.mark("seats"), unit.mark("wheels"), unit.mark("armor")) == (2, 2, 16)
    assert unit.equipment == ("vehicle", "ballista")


def test_an_elephant_comes_with_its_riders() -> None:
    game = Game("playmobil")
    text = '[[figures]]\nkind = "war_elephant"\nitems = ["rider", "rider"]\n'
    game.choose("red", read_army(text))
    game.enlist("red", "f0", 0)
    assert sum(1 for unit in game.state.units if unit.mark("aboard") == "f0") == 2


@pytest.mark.parametrize("hero_first", [True, False])
def test_men_follow_the_hero_listed_before_them(hero_first: bool) -> None:
    game = Game("follow_me")
    hero, men = '[[figures]]\nkind = "hero_foot_light"\n', '[[figures]]\nkind = "fighter"\n'
    game.choose("red", read_army(hero + men + hero + men))
    for entry in (0, 1, 2, 3) if hero_first else (3, 1, 2, 0):
        game.enlist("red", f"f{entry}", entry)
    led = {unit.figure_id: unit.mark("led_by") for unit in game.state.units}
    assert (led["f1"], led["f3"]) == ("f0", "f2")


def test_spells_are_left_out_where_they_are_not_in_use() -> None:
    text = '[[figures]]\nkind = "mage"\nitems = ["fire", "heal"]\n'
    for used, known in ((True, "fire,heal"), (False, "")):
        game = Game("follow_me", **{"fm.modules.mages": True, "fm.modules.spells": used})
        game.choose("red", read_army(text))
        game.enlist("red", "f0", 0)
        assert (game.state.units[0].mark("known") or "") == known


def test_a_figure_that_becomes_somebody_else_keeps_nothing() -> None:
    game = Game("legowars")
    entries = (
        '[[figures]]\nname = "A"\nitems = ["sword"]\n[[figures]]\nname = "B"\nitems = ["bow"]\n'
    )
    game.choose("red", read_army(entries))
    game.enlist("red", "f0", 0)
    game.enlist("red", "f0", 1)
    (unit,) = game.state.units
    assert (unit.name, unit.equipment) == ("B", ("bow",))
    assert game.referee.facts.enlisted["f0"].entry == 1
    game.enlist("red", "f1", 0)  # the first entry is free again


def test_a_list_and_a_figure_are_told_in_one_sentence_each() -> None:
    game = Game("deathzap")
    game.choose(
        "red", read_army('name = "Band"\n[[figures]]\nkind = "Beast"\nmight = 2\ncount = 2\n')
    )
    game.enlist("red", "f0", 0)
    said = [one.text for one in game.referee.announcements()]
    assert said[-2:] == ["Red plays Band: 2 figures.", "Beast 1: Beast (basic), Red."]
    game.do("undo")
    last = game.referee.announcements()[-1]
    assert last.text == "Taken back: Beast 1: Beast (basic), Red."
    game.do("army", side="red")
    assert game.referee.announcements()[-1].text == "Red plays no army."


def test_one_undo_takes_back_all_of_an_enlisting() -> None:
    game = Game("deathzap")
    game.choose("red", read_army('[[figures]]\nkind = "Beast"\nmight = 2\n'))
    before = game.referee.facts, game.state.units
    game.enlist("red", "f0", 0)
    assert game.referee.undoable == "enlist"
    game.do("undo")
    assert (game.referee.facts, game.state.units) == before


def test_a_refusal_in_the_middle_leaves_nothing_behind() -> None:
    """A light horseman carries no torch (PM-PREP-08): not even its side is kept."""
    game = Game("playmobil")
    game.choose("red", read_army('[[figures]]\nkind = "light_cavalry"\nitems = ["torch"]\n'))
    lines = game.referee.lines
    with pytest.raises(Refused) as caught:
        game.enlist("red", "f0", 0)
    assert caught.value.rule == "PM-PREP-08"
    assert game.referee.lines == lines
    assert game.state.units == ()


def test_another_list_frees_the_figures_of_the_last_one() -> None:
    game = Game("deathzap")
    army = read_army('[[figures]]\nkind = "Beast"\nmight = 2\n')
    for side in ("red", "blue"):
        game.choose(side, army)
    game.enlist("red", "f0", 0)
    game.enlist("blue", "f1", 0)
    longer = '[[figures]]\nkind = "Beast"\nmight = 2\ncount = 3\n[[figures]]\nkind = "Mech"\n'
    game.choose("red", read_army(longer))
    assert set(game.referee.facts.enlisted) == {"f0", "f1"}  # the line is the same, but longer
    game.choose("red", read_army('[[figures]]\nkind = "Beast"\nmight = 3\n'))
    assert list(game.referee.facts.enlisted) == ["f1"]
    game.do("assign", figure_id="f1")
    assert not game.referee.facts.enlisted
    game.do("army", side="blue")
    assert list(game.referee.facts.armies) == ["red"]
    game.do("new_game", value="playmobil")
    assert not game.referee.facts.armies


TWO = '[[figures]]\nkind = "Beast"\nmight = 2\n[[figures]]\nkind = "Mech"\nmight = 2\n'


@pytest.mark.parametrize(
    ("kind", "more", "reason"),
    [
        ("army", {"side": "pink"}, "no side"),
        ("army", {"side": "red", "items": ("{",)}, "no army list"),
        ("army", {"side": "red", "items": ('{"cost":1}',)}, "no army list"),
        ("army", {"side": "red", "items": ('{"count":150}',) * 2}, "at most"),
        ("enlist", {"side": "blue", "figure_id": "f0", "numbers": (0.0,)}, "choose an army"),
        ("enlist", {"side": "red", "figure_id": "f0"}, "which entry"),
        ("enlist", {"side": "red", "figure_id": "f0", "numbers": (2.0,)}, "which entry"),
        ("enlist", {"side": "red", "numbers": (1.0,)}, "which figure"),
        ("enlist", {"side": "red", "figure_id": "f99", "numbers": (1.0,)}, "no figure"),
        ("enlist", {"side": "red", "figure_id": "f2", "numbers": (0.0,)}, "all 1 of Beast"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    kind: str, more: dict[str, Any], reason: str
) -> None:
    game = Game("deathzap")
    game.choose("red", read_army(TWO))
    game.enlist("red", "f1", 0)
    with pytest.raises(Refused, match=reason):
        game.do(kind, **more)


def test_a_building_is_a_piece_of_terrain() -> None:
    game = Game("legowars")
    text = '[[figures]]\nkind = "building"\nitems = ["studs=64", "levels=2"]\n'
    game.choose("red", read_army(text))
    with pytest.raises(Refused, match="draw it, then tap it"):
        game.enlist("red", "f0", 0)
    game.enlist("red", "keep", 0)
    assert game.state.unit("keep").mark("levels") == 2


def test_a_table_without_rules_has_no_armies() -> None:
    with pytest.raises(Refused, match="begin a game"):
        Referee().take(Action("army", side="red"))


@pytest.mark.parametrize(("ruleset_id", "name"), READY)
def test_what_is_written_is_read_again(ruleset_id: str, name: str) -> None:
    army = read_army(ready_armies(ruleset_id)[name])
    assert read_army(write_army(army)) == army
    assert read_army(json.dumps(army.model_dump())) == army
    assert read_entries(map(write_entry, army.figures)) == tuple(army.figures)


@pytest.mark.parametrize("name", ['"', "\\", "\x7f\x00\n", "Zoë 🗡", "'''", ""])
def test_any_name_is_written_and_read(name: str) -> None:
    army = ArmyList(name=name, figures=[Entry(name=name)], options={"a.b": 1.5, "on": True})
    assert read_army(write_army(army)) == army
    empty = ArmyList(name=name, figures=[])
    assert read_army(write_army(empty)) == empty


@pytest.mark.parametrize("text", ["{", "{}", '{"figures": 1}', '{"figures": [{"name": 3}]}', "["])
def test_a_wrong_file_is_bad_data(text: str) -> None:
    with pytest.raises(BadData):
        read_army(text)
    with pytest.raises(BadData):
        army_of([])
