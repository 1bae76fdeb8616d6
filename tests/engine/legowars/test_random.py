"""Random legal games keep the promises: nothing crashes, nothing impossible is offered."""

import os
import random

import pytest

from engine.codec import decode_input, decode_line, encode_input, encode_line
from engine.log import fold
from engine.norules import NoRules
from engine.play import play
from engine.referee import Referee
from engine.rulesets import by_id
from engine.rulesets.legowars.measures import gear
from engine.rulesets.legowars.settings import settings_of
from tests.engine.legowars.battle import Battle
from tests.engine.legowars.chance import act, enlist, every_offer_is_taken, send
from tests.engine.randomly import meddle, undo_is_the_way_back

GAMES = int(os.environ.get("MINIMARSHAL_RANDOM_GAMES", "50"))
MOST_TURNS = 40
BY_ID = {"": NoRules(), "legowars": by_id("legowars")}


def held(game) -> dict[str, int]:
    """Every thing of the game, wherever it is."""
    found: dict[str, int] = {}
    words = [item for unit in game.state.units for item in unit.equipment]
    words += [
        entry.split("|")[1]
        for entry in str(dict(game.state.marks).get("loose", "")).split(";")
        if entry
    ]
    for item in words:
        found[item] = found.get(item, 0) + 1
    return found


def nothing_for_the_dead(game) -> None:
    """Whoever is out is offered nothing to do, but to be told about, laid down or agreed on."""
    for option in game.referee.options():
        unit = game.state.unit(option.figure_id or "")
        about = option.kind in ("status", "fallen", "agree", "accept", "answer")
        assert unit is None or unit.alive or about, f"{option.kind} by the dead"


def invariants(game, things: dict[str, int]) -> None:
    settings = settings_of(game.state)
    for unit in game.state.units:
        assert gear.hands(unit.equipment, settings) <= 2
        structure = dict(unit.marks).get("structure", 0)
        assert structure >= 0
        if not unit.alive:
            assert "mount" not in dict(unit.marks)
            assert "ladder" not in dict(unit.marks)
    for item, count in held(game).items():
        assert count <= things.get(item, 0) or item == "club"  # nothing comes from nowhere


def legal_game(seed: int) -> Battle:
    """A random game of what is offered, at most 40 turns, its promises checked on the way."""
    dice = random.Random(seed)  # noqa: S311
    options = {"item_actions_per_turn": 2} if seed % 5 == 0 else {}
    if seed % 7 == 0:
        options |= {"attack_resolution": "simultaneous", "horse_attack": "instead_of_rider"}
    game = enlist(dice, options)
    things = None
    checked = 0
    for step in range(350):
        if game.state.outcome is not None or game.state.turn > MOST_TURNS:
            break
        act(game, dice)
        if things is None and game.state.turn > 0:
            things = held(game)
        if step % 12 == 0:
            checked += every_offer_is_taken(game, dice)
            nothing_for_the_dead(game)
        if things is not None:
            invariants(game, things)
    assert checked > 0
    assert game.state.turn > 0
    lines = [encode_line(line) for line in game.referee.lines]
    assert fold([decode_line(text) for text in lines], BY_ID) == game.state
    if seed % 10 == 0:
        again = Referee(
            by_id("legowars"),
            dict(zip(*zip(*game.state.options, strict=True), strict=True)),
            game.state.sides,
            int(game.referee.lines[0].event.number("seed")),
        )
        play([decode_input(encode_input(item)) for item in game.inputs], again)
        assert again.state == game.state
    return game


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_game(seed):
    """LW-TURN-10, LW-WIN-01: a turn follows a turn until one side is left."""
    legal_game(seed)


KINDS = (
    "attack", "horse_attack", "crew_heavy", "roll", "pick_up", "drop", "mount", "dismount", "steer",
    "start_climb", "harness", "door", "winch", "cut_wires", "flee", "agree", "concede", "done",
    "ready", "join", "gear", "stat", "building", "initiative", "answer", "accept", "fallen",
)  # fmt: skip


@pytest.mark.parametrize("seed", range(max(3, GAMES // 10)))
def test_wishes_out_of_the_blue(seed):
    """LW-TURN-05: refused with a rule, or taken; a refusal changes nothing."""
    dice = random.Random(4000 + seed)  # noqa: S311
    game = enlist(dice)
    for _ in range(80):
        if game.state.outcome is not None:
            break
        act(game, dice)
        for _ in range(4):
            meddle(game, KINDS, "LW-", dice)


@pytest.mark.parametrize("seed", range(max(3, GAMES // 10)))
def test_undo_brings_back_the_state_before(seed):
    """On a table that stands still, undo is exactly the way back."""
    dice = random.Random(5000 + seed)  # noqa: S311
    game = enlist(dice)
    for _ in range(25):
        act(game, dice)
    undo_is_the_way_back(game, tapped, range(12))


def tapped(game, dice: random.Random) -> None:
    """Something that is tapped, with no model moved."""
    offered = [o for o in game.referee.options() if o.kind not in ("concede", "undo")]
    dice.shuffle(offered)
    if game.state.outcome is None:
        any(send(game, one, dice) for one in offered)
