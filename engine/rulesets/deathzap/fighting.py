"""TARGET, ROLL, DAMAGE and MORALE: from naming the enemy to what it comes to."""

from __future__ import annotations

from collections.abc import Sequence

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, results
from engine.roster import state_mark
from engine.rulesets.deathzap.aiming import Aim, aim
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.flow import actor, after_action, end_if_beaten, over
from engine.rulesets.deathzap.marks import (
    MELEE,
    RANGED,
    Phase,
    active,
    alive_count,
    class_of,
    count_mark,
    defending,
    killed_count,
    might,
    wounded,
)
from engine.rulesets.deathzap.measures import attacks, bands
from engine.rulesets.deathzap.settings import Settings
from engine.spots import other_side, text_mark
from engine.state import Unit
from engine.table import TableState
from engine.tale import Tale


def attack(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """Name the enemy of a blow or a shot.

    Raises:
        Refused: The attack is not legal.
    """
    fighter = actor(tale.state, action.figure_id)
    if tale.state.phase != Phase.CHOOSE_ACTION:
        raise Refused("first make the move that was announced", "DZ-AP-04")
    target = tale.state.unit(action.target_id or "")
    if target is None:
        raise Refused("at whom?", "DZ-MEL-01" if action.kind == MELEE else "DZ-RNG-01")
    _take_aim(tale, aim(tale.state, settings, table, fighter, target, action.kind), fighter, target)


def strike(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """After a charge: name the enemy that is struck (DZ-CHG-06).

    Raises:
        Refused: No charge has ended, or that enemy is not touched.
    """
    fighter = _charger(tale)
    target = tale.state.unit(action.target_id or "")
    names = text_mark(tale.state, "contacts").split(";")
    if target is None or target.figure_id not in names:
        raise Refused("a charge strikes an enemy it touches", "DZ-CHG-06")
    struck(tale, settings, table, fighter, target)


def struck(tale: Tale, settings: Settings, table: TableState, fighter: Unit, target: Unit) -> None:
    """The blow that is part of a charge (DZ-CHG-01); a boost adds its die (DZ-BST-03)."""
    found = aim(tale.state, settings, table, fighter, target, MELEE)
    if not found.allowed:
        raise Refused(found.text, found.rule)
    _tell_aim(tale, found, fighter, target, charge=True)


def strike_nobody(tale: Tale, settings: Settings) -> None:
    """It was only a move (DZ-MOVE-07).

    Raises:
        Refused: A charge was announced, or none has ended.
    """
    _charger(tale)
    if state_mark(tale.state, "plain") is not True:
        raise Refused("this charge was announced: pick whom it strikes", "DZ-CHG-06")
    tale.tell(Event("struck_nobody", "DZ-MOVE-07", tale.state.active_side))
    after_action(tale, settings)


def answer_aim(tale: Tale, settings: Settings, table: TableState, yes: bool) -> None:
    """The players say whether a target is in range or near enough (DZ-GEO-14)."""
    state = tale.state
    fighter, target = active(state), state.unit(text_mark(state, "aim_target"))
    if fighter is None or target is None:
        raise Refused("nobody is aiming", "DZ-GEO-14")
    values = results(what=text_mark(state, "ask"), yes=yes)
    tale.tell(
        Event(
            "aim_answered",
            "DZ-GEO-14",
            fighter.side,
            fighter.figure_id,
            target.figure_id,
            values=values,
        )
    )
    found = aim(tale.state, settings, table, fighter, target, RANGED)
    if found.allowed:
        _take_aim(tale, found, fighter, target)


def roll(tale: Tale, settings: Settings, action: Action, dice: Dice) -> None:
    """ROLL and DAMAGE.

    Raises:
        Refused: Nothing waits for dice, or they are not as many as needed.
    """
    state = tale.state
    fighter, target = active(state), state.unit(text_mark(state, "aim_target"))
    if state.phase != Phase.ROLL or fighter is None or target is None:
        raise Refused("no attack waits for its dice", "DZ-MEL-02")
    count = count_mark(state, "aim_dice")
    kind = text_mark(state, "aim_kind")
    if action.dice and len(action.dice) != count:
        rule = "DZ-MEL-02" if kind == MELEE else "DZ-RNG-02"
        raise Refused(f"{count} dice are rolled, not {len(action.dice)}", rule)
    faces = dice.roll(count, data().dice_sides)
    own = class_of(fighter)
    sure = own.always_hits_on if own is not None and kind == RANGED else ()
    hits = attacks.count_hits(
        faces, count_mark(state, "aim_need"), count_mark(state, "aim_mod"), sure
    )
    was_wounded = wounded(target)
    came = attacks.result(hits, wounded=was_wounded)
    tale.tell(
        Event(
            "attacked",
            _damage_rule(hits, was_wounded),
            fighter.side,
            fighter.figure_id,
            target.figure_id,
            faces,
            results(
                kind=kind,
                hits=hits,
                result=came,
                second=came == attacks.KILLED and hits < data().killed_hits,
                need=count_mark(state, "aim_need"),
                mod=count_mark(state, "aim_mod"),
                charge=state_mark(state, "aim_free") is True,
            ),
        )
    )
    if came == attacks.KILLED:
        tale.tell(Event("killed", "DZ-DMG-10", target.side, target.figure_id, fighter.figure_id))
        if end_if_beaten(tale):
            return
        tale.begin(Phase.MORALE, fighter.side, "DZ-MORALE-01")
        return
    after_action(tale, settings)


def morale(tale: Tale, settings: Settings, action: Action, dice: Dice) -> None:
    """Both roll; the enemy may break (DZ-MORALE-01 to DZ-MORALE-04).

    Raises:
        Refused: Nobody was killed, or the dice are not two.
    """
    state = tale.state
    side = state.active_side or ""
    if state.phase != Phase.MORALE:
        raise Refused("morale is tested after a kill", "DZ-MORALE-01")
    if action.dice and len(action.dice) != 2:
        raise Refused("each player rolls one die", "DZ-MORALE-02")
    other = other_side(state, side)
    faces = dice.roll(2, data().dice_sides)
    dead, left = killed_count(state, other), alive_count(state, other)
    killer, defender, broken = bands.morale(dead, left, *faces)
    rule = "DZ-MORALE-03" if broken else "DZ-MORALE-04"
    tale.tell(
        Event(
            "morale",
            rule,
            side,
            dice=faces,
            values=results(killed=dead, left=left, killer=killer, other=defender, broken=broken),
        )
    )
    if broken:
        over(tale, side, "DZ-END-01")
        return
    tale.begin(Phase.CHOOSE_ACTION, side, "DZ-CHAIN-12")
    after_action(tale, settings)


def _damage_rule(hits: int, was_wounded: bool) -> str:
    """The rule item that says what so many hits do."""
    if hits > data().killed_hits:
        return "DZ-DMG-05"
    if hits == data().killed_hits:
        return "DZ-DMG-03"
    if hits == data().wounded_hits:
        return "DZ-DMG-04" if was_wounded else "DZ-DMG-02"
    if hits == data().stunned_hits:
        return "DZ-DMG-07" if was_wounded else "DZ-DMG-01"
    return "DZ-DMG-06"


def _charger(tale: Tale) -> Unit:
    fighter = active(tale.state)
    waits = text_mark(tale.state, "contacts") and tale.state.phase == Phase.TARGET
    if fighter is None or not waits:
        raise Refused("no charge has ended", "DZ-CHG-01")
    return fighter


def _take_aim(tale: Tale, found: Aim, fighter: Unit, target: Unit) -> None:
    if not found.allowed:
        raise Refused(found.text, found.rule)
    if found.ask:
        tale.tell(
            Event(
                "aim_asked",
                found.rule,
                fighter.side,
                fighter.figure_id,
                target.figure_id,
                values=results(
                    what=found.ask, length_mm=found.length_mm, limit_mm=found.ask_limit_mm
                ),
            )
        )
        return
    _tell_aim(tale, found, fighter, target)


def _tell_aim(tale: Tale, found: Aim, fighter: Unit, target: Unit, *, charge: bool = False) -> None:
    odds: Sequence[float] = (
        float(attacks.p_kill(found.dice, found.need, found.mod, found.always)),
        float(attacks.p_wound(found.dice, found.need, found.mod, found.always)),
    )
    if wounded(target):
        odds = (odds[1], odds[1])  # a second wound kills as well
    tale.tell(
        Event(
            "aimed",
            found.rule,
            fighter.side,
            fighter.figure_id,
            target.figure_id,
            values=results(
                kind=found.kind,
                dice=found.dice,
                need=found.need,
                mod=found.mod,
                a=might(fighter),
                t=might(target),
                length_mm=found.length_mm,
                hidden=found.hidden,
                defending=defending(target),
                always=bool(found.always),
                charge=charge,
                close=found.close_call,
                p_kill=odds[0],
                p_wound=odds[1],
            ),
        )
    )
