"""From activation to activation: begin, end, who is next, and the end of the game."""

from __future__ import annotations

from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.deathzap.marks import (
    Phase,
    actions_left,
    active,
    alive_count,
    attacks,
    count_mark,
    stunned,
)
from engine.rulesets.deathzap.measures.bands import actions
from engine.rulesets.deathzap.measures.chains import next_activation
from engine.rulesets.deathzap.settings import Settings
from engine.rulesets.judging import check_gives_up
from engine.spots import living, name_of, other_side, side_name, text_mark
from engine.state import GameState, Unit
from engine.tale import Tale


def may_pick(state: GameState, unit: Unit) -> bool:
    """Whether a fighter may be picked now (DZ-CHAIN-01, 03 to 05).

    Nothing marks who has acted before (DZ-CHAIN-10); only the one just activated may be barred
    (DZ-CHAIN-11).
    """
    if state.phase != Phase.PICK or unit.side != state.active_side or not unit.alive:
        return False
    alone = alive_count(state, unit.side) == 1
    return alone or unit.figure_id != text_mark(state, "not_again")


def pick(tale: Tale, figure_id: str | None) -> None:
    """The active player picks a fighter.

    Raises:
        Refused: It is not one of those that may be picked.
    """
    state = tale.state
    if state.phase != Phase.PICK:
        raise Refused("nobody is picked now", "DZ-CHAIN-05")
    unit = state.unit(figure_id or "")
    if unit is None or unit.side != state.active_side:
        raise Refused(f"{side_name(state.active_side)} picks a fighter", "DZ-CHAIN-05")
    if not unit.alive:
        raise Refused(f"{unit.name} is out of the game", "DZ-DMG-10")
    if not may_pick(state, unit):
        raise Refused(f"after a kill a different fighter, not {unit.name}", "DZ-CHAIN-03")
    activate(tale, unit, text_mark(state, "why") or "DZ-CHAIN-05")


def activate(tale: Tale, unit: Unit, rule: str, *, forced: bool = False) -> None:
    """A fighter is activated: its defence ends, its actions are counted (DZ-AP-01, DZ-AP-02)."""
    weak = stunned(unit)
    tale.about(
        "activated",
        rule,
        unit,
        actions=actions(stunned=weak),
        stunned=weak,
        forced=forced,
    )


def after_action(tale: Tale, settings: Settings) -> None:
    """SPEND: on with the activation while actions are left (DZ-CHAIN-12, DZ-CHAIN-13).

    A boost so leaves one action, and never room for two attacks (DZ-BST-05).
    """
    if tale.state.phase == Phase.CHOOSE_ACTION and actions_left(tale.state) == 0:
        end_activation(tale, settings)


def end_activation(tale: Tale, settings: Settings) -> None:
    """END_ACTIVATION: clear the stun, look for a stalemate, decide who is next.

    There are no turns, only this (DZ-GEN-06).
    """
    unit = active(tale.state)
    if unit is None:
        return
    told = attacks(tale.state)
    side = unit.side
    tale.about("ended", "DZ-AP-07", unit, attacks=len(told))
    if end_if_beaten(tale):
        return
    if count_mark(tale.state, "idle") >= settings.stalemate:
        tale.begin(Phase.OFFER_DRAW, side, "DZ-CHAIN-14")
        return
    follows = next_activation(
        unit.figure_id, told, alive_count(tale.state, side), settings.chain_multi
    )
    if not follows.same_player:
        target = tale.state.unit(follows.fighter or "")
        if target is not None and target.alive:
            activate(tale, target, "DZ-CHAIN-02", forced=True)
            return
        pass_on(tale, side)
        return
    # DZ-CHAIN-04: the only one left may be picked again.
    rule = "DZ-CHAIN-04" if follows.not_again is None else "DZ-CHAIN-03"
    again = follows.not_again or ""
    tale.begin(Phase.PICK, side, rule, not_again=again, why=rule)


def pass_on(tale: Tale, side: str) -> None:
    """The other player becomes active and picks any fighter (DZ-CHAIN-05)."""
    other = other_side(tale.state, side)
    tale.begin(Phase.PICK, other, "DZ-CHAIN-05", why="DZ-CHAIN-05")


def end_if_beaten(tale: Tale) -> bool:
    """End the game when a side has nobody left (DZ-MORALE-06); says whether it is over."""
    if tale.state.phase == Phase.FINISHED:
        return True
    for side in tale.state.sides:
        if not any(living(tale.state, side)):
            over(tale, other_side(tale.state, side), "DZ-MORALE-06")
            return True
    return False


def over(tale: Tale, outcome: str, rule: str) -> None:
    """The game is over."""
    tale.tell(Event("over", rule, values=results(outcome=outcome)))


def concede(tale: Tale, side: str | None) -> None:
    """A player gives up (DZ-END-02).

    Raises:
        Refused: There is no such side.
    """
    side = check_gives_up(tale.state, side, "DZ-END-02")
    over(tale, other_side(tale.state, side), "DZ-END-02")


def active_unit(state: GameState) -> Unit:
    """The activated fighter, ready to choose.

    Raises:
        Refused: Nobody is activated, or it is no time to choose.
    """
    unit = active(state)
    if state.phase == Phase.MORALE:
        raise Refused("first morale is tested", "DZ-MORALE-01")
    if unit is None:
        raise Refused("first a fighter is activated", "DZ-CHAIN-05")
    if state.phase not in (Phase.CHOOSE_ACTION, Phase.MOVING):
        raise Refused("first finish the attack under way", "DZ-CHAIN-13")
    return unit


def actor(state: GameState, figure_id: str | None) -> Unit:
    """The activated fighter, if that is who is meant and it has an action left.

    What it did with the first action does not matter for the second (DZ-AP-05).

    Raises:
        Refused: It is not, or it has none.
    """
    unit = active_unit(state)
    if figure_id is not None and figure_id != unit.figure_id:
        other = state.unit(figure_id)
        if other is not None and not other.alive:
            raise Refused(f"{other.name} is out of the game", "DZ-DMG-10")
        rule = "DZ-CHAIN-02" if other is not None and other.side == unit.side else "DZ-CHAIN-05"
        raise Refused(f"{name_of(state, unit.figure_id)} is the one that acts now", rule)
    if actions_left(state) < 1:
        raise Refused(f"{unit.name} has no actions left", "DZ-AP-01")
    if unit.mark("open"):
        raise Refused(f"first put {unit.name} back or accept where it stands", "DZ-GEO-19")
    return unit
