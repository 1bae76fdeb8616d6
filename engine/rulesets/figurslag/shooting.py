"""From choosing a target to the last die: SHOT_DECLARE, SHOT_CHECK, HIT, DODGE, DEATH."""

from __future__ import annotations

from engine.actions import Action
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event, results
from engine.geometry.interval import Verdict
from engine.roster import marked, state_mark
from engine.rulesets.figurslag.aiming import Aim, aim, shooter_fault
from engine.rulesets.figurslag.giving_up import finish_shots
from engine.rulesets.figurslag.marks import SHOT_PHASES, Phase, number, text_mark
from engine.rulesets.figurslag.measures.shooting import dodges, hits, los_close
from engine.rulesets.figurslag.measures.turns import deaths_wait
from engine.rulesets.figurslag.settings import Settings
from engine.rulesets.figurslag.shots import shots_left, weapons_left
from engine.rulesets.figurslag.turns import end_if_won
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale


def shoot(tale: Tale, settings: Settings, table: TableState, action: Action, dice: Dice) -> None:
    """Choose shooter and target; the die is rolled at once where nothing is in doubt.

    Raises:
        Refused: The shot is not legal.
    """
    state = tale.state
    shooter, target = _pair(state, settings, action)
    weapon = _weapon(state, settings, shooter, action)
    found = aim(state, settings, table, shooter, target, weapon)
    if found.verdict is Verdict.NO:
        raise Refused(found.text, found.rule)
    if found.verdict is Verdict.BORDERLINE:
        tale.tell(_asked(shooter, target, weapon, found))
        return
    if settings.split_fire == "declare_first":
        _declare(tale, settings, table, shooter, target, weapon)
        return
    roll_hit(tale, settings, table, shooter.figure_id, target.figure_id, weapon, dice, found)


def answer_shot(tale: Tale, settings: Settings, table: TableState, yes: bool) -> None:
    """The players say whether a doubtful target is in range or seen."""
    state = tale.state
    what, weapon = text_mark(state, "shot_ask"), text_mark(state, "shot_weapon")
    shooter = state.unit(text_mark(state, "shot_by"))
    target = state.unit(text_mark(state, "shot_at"))
    if shooter is None or target is None:
        raise Refused("nobody is shooting", "FS-SHOOT-01")
    tale.tell(
        Event(
            "shot_answered",
            "FS-FLAG-19",
            shooter.side,
            shooter.figure_id,
            target.figure_id,
            values=results(yes=yes, what=what),
        )
    )
    if not yes:
        return
    found = aim(tale.state, settings, table, shooter, target, weapon)
    if what == "range" and found.verdict is not Verdict.NO and _sight_open(settings, found):
        tale.tell(_asked(shooter, target, weapon, found, "sight"))
        return
    if settings.split_fire == "declare_first":
        _declare(tale, settings, table, shooter, target, weapon)
        return
    tale.tell(
        Event(
            "shot_cleared",
            "FS-SHOOT-04",
            shooter.side,
            shooter.figure_id,
            target.figure_id,
            values=results(weapon=weapon),
        )
    )


def fire_declared(tale: Tale, settings: Settings, table: TableState) -> None:
    """All targets are named: on to the first die.

    Raises:
        Refused: No target is named.
    """
    if tale.state.phase != Phase.SHOT_DECLARE or not text_mark(tale.state, "declared"):
        raise Refused("name a target first", "FS-SHOOT-08")
    shooter = tale.state.unit(text_mark(tale.state, "shooter"))
    tale.tell(
        Event(
            "declared_all",
            "FS-SHOOT-08",
            tale.state.active_side,
            None if shooter is None else shooter.figure_id,
        )
    )
    _skip_wasted(tale, settings, table)


def roll_pending(tale: Tale, settings: Settings, table: TableState, dice: Dice) -> None:
    """The hit die of a shot that was cleared or declared before.

    Raises:
        Refused: No shot waits for its die.
    """
    state = tale.state
    if state.phase != Phase.HIT:
        raise Refused("no shot waits for its die", "FS-HIT-01")
    shooter, target = text_mark(state, "shot_by"), text_mark(state, "shot_at")
    weapon = text_mark(state, "shot_weapon")
    a, b = state.unit(shooter), state.unit(target)
    found = None
    if a is not None and b is not None:
        found = aim(state, settings, table, a, b, weapon)
    roll_hit(tale, settings, table, shooter, target, weapon, dice, found)


def roll_hit(
    tale: Tale,
    settings: Settings,
    table: TableState,
    shooter_id: str,
    target_id: str,
    weapon: str,
    dice: Dice,
    found: Aim | None,
) -> None:
    """HIT, and the dodge as well when its die is there."""
    shooter = tale.state.unit(shooter_id)
    if shooter is None:
        raise Refused("nobody is shooting", "FS-SHOOT-01")
    rolled = dice.roll(1, settings.die_sides)
    hit = hits(rolled[0])
    left = shots_left(tale.state, settings, shooter) - 1
    tale.tell(
        Event(
            "shot",
            "FS-HIT-01",
            shooter.side,
            shooter_id,
            target_id,
            rolled,
            results(
                weapon=weapon,
                hit=hit,
                shots_left=max(0, left),
                length_mm=0.0 if found is None else found.length.middle,
                seen=1.0 if found is None else found.seen,
                one_target=settings.split_fire == "one_target",
            ),
        )
    )
    if hit and not settings.dodge_optional:
        try:
            die = dice.roll(1, settings.die_sides)
        except Refused:
            return  # typed dice: the target's player types the second one
        _dodged(tale, settings, table, die)
        return
    _shot_ended(tale, settings, table)


def roll_dodge(tale: Tale, settings: Settings, table: TableState, dice: Dice) -> None:
    """DODGE by the target's player.

    Raises:
        Refused: Nobody has to dodge.
    """
    if tale.state.phase != Phase.DODGE:
        raise Refused("nobody has to dodge", "FS-HIT-02")
    _dodged(tale, settings, table, dice.roll(1, settings.die_sides))


def decline_dodge(tale: Tale, settings: Settings, table: TableState) -> None:
    """The target's player takes the hit.

    Raises:
        Refused: Nobody has to dodge, or a dodge is always rolled in this game.
    """
    if tale.state.phase != Phase.DODGE or not settings.dodge_optional:
        raise Refused("a dodge is always rolled", "FS-HIT-02")
    _dodged(tale, settings, table, ())


def shooter_done(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A model gives up the rest of its shots.

    Raises:
        Refused: It has none.
    """
    unit = tale.state.unit(action.figure_id or text_mark(tale.state, "shooter"))
    if unit is None or not shots_left(tale.state, settings, unit):
        raise Refused("that model has no shots left", "FS-FLAG-08")
    if tale.state.phase not in (Phase.SHOOT, Phase.SHOT_DECLARE):
        raise Refused("first finish the shot under way", "FS-HIT-01")
    tale.tell(Event("shots_lost", "FS-TURN-03", unit.side, unit.figure_id))
    finish_shots(tale, settings, table)


def _pair(state: GameState, settings: Settings, action: Action) -> tuple[Unit, Unit]:
    if state.phase not in (Phase.SHOOT, Phase.SHOT_DECLARE):
        rule = "FS-FLAG-10" if state.phase not in SHOT_PHASES else "FS-HIT-01"
        raise Refused("this is no time to choose a target", rule)
    shooter = state.unit(action.figure_id or "")
    target = state.unit(action.target_id or "")
    if shooter is None:
        raise Refused("who shoots?", "FS-SHOOT-01")
    fault = shooter_fault(state, settings, shooter)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    if target is None:
        raise Refused("at whom?", "FS-SHOOT-09")
    declaring = state.phase == Phase.SHOT_DECLARE
    if declaring and state_mark(state, "shooter") != shooter.figure_id:
        raise Refused("first fire the shots that are declared", "FS-SHOOT-08")
    return shooter, target


def _weapon(state: GameState, settings: Settings, shooter: Unit, action: Action) -> str:
    left = _undeclared_weapons(state, settings, shooter)
    if not left:
        raise Refused(f"{shooter.name} has declared all its shots", "FS-FLAG-08")
    if action.value is None:
        return left[0]
    if action.value not in left:
        raise Refused(f"{shooter.name} has no shot left with that weapon", "FS-FLAG-08")
    return action.value


def _undeclared_weapons(state: GameState, settings: Settings, shooter: Unit) -> tuple[str, ...]:
    """Weapon classes for the next shot, those declared taken as fired."""
    return weapons_left(state, settings, with_declared(state, shooter))


def with_declared(state: GameState, shooter: Unit) -> Unit:
    """The shooter as if its declared shots were fired."""
    queue = [entry for entry in text_mark(state, "declared").split(";") if entry]
    if state_mark(state, "shooter") != shooter.figure_id:
        return shooter
    for entry in queue:
        key = f"fired_{entry.split(':')[1]}"
        shooter = marked(shooter, **{key: number(shooter, key) + 1})
    return shooter


def _declare(
    tale: Tale,
    settings: Settings,
    table: TableState,
    shooter: Unit,
    target: Unit,
    weapon: str,
) -> None:
    tale.tell(
        Event(
            "declared",
            "FS-SHOOT-08",
            shooter.side,
            shooter.figure_id,
            target.figure_id,
            values=results(weapon=weapon),
        )
    )
    unit = tale.state.unit(shooter.figure_id)
    if unit is not None and not _undeclared_weapons(tale.state, settings, unit):
        fire_declared(tale, settings, table)


def _dodged(tale: Tale, settings: Settings, table: TableState, die: tuple[int, ...]) -> None:
    state = tale.state
    target = state.unit(text_mark(state, "shot_at"))
    shooter_id = text_mark(state, "shot_by")
    if target is None:
        raise Refused("nobody has to dodge", "FS-HIT-02")
    ducked = bool(die) and dodges(die[0])
    tale.tell(
        Event(
            "dodged",
            "FS-HIT-02",
            target.side,
            target.figure_id,
            shooter_id,
            die,
            results(dodged=ducked),
        )
    )
    if not ducked:
        kind = "struck" if deaths_wait(settings) else "died"
        rule = "FS-TURN-06" if deaths_wait(settings) else "FS-HIT-04"
        tale.tell(Event(kind, rule, target.side, target.figure_id, shooter_id))
        if settings.split_fire == "one_target":
            _lose_rest(tale, settings, shooter_id)
    _shot_ended(tale, settings, table)


def _lose_rest(tale: Tale, settings: Settings, shooter_id: str) -> None:
    """With one target for all, what is left after it falls is lost (FS-HIT-07)."""
    shooter = tale.state.unit(shooter_id)
    if shooter is not None and shots_left(tale.state, settings, shooter):
        tale.tell(Event("shots_lost", "FS-HIT-07", shooter.side, shooter_id))


def _shot_ended(tale: Tale, settings: Settings, table: TableState) -> None:
    if not deaths_wait(settings) and end_if_won(tale, settings):
        return
    _skip_wasted(tale, settings, table)


def _skip_wasted(tale: Tale, settings: Settings, table: TableState) -> None:
    """Declared shots at a model that has fallen meanwhile are lost."""
    while tale.state.phase == Phase.HIT:
        state = tale.state
        target = state.unit(text_mark(state, "shot_at"))
        if target is not None and target.alive and not target.mark("struck"):
            break
        tale.tell(
            Event(
                "shot_wasted",
                "FS-HIT-07",
                state.active_side,
                text_mark(state, "shot_by"),
                text_mark(state, "shot_at"),
                values=results(weapon=text_mark(state, "shot_weapon")),
            )
        )
    finish_shots(tale, settings, table)


def _asked(shooter: Unit, target: Unit, weapon: str, found: Aim, ask: str = "") -> Event:
    return Event(
        "shot_asked",
        "FS-FLAG-19",
        shooter.side,
        shooter.figure_id,
        target.figure_id,
        values=results(
            what=ask or found.ask,
            weapon=weapon,
            lo=found.length.lo,
            hi=found.length.hi,
            limit=found.limit_mm,
            seen=found.seen,
        ),
    )


def _sight_open(settings: Settings, found: Aim) -> bool:
    asks = settings.boundary_policy == "ask" and settings.los_tol > 0
    return asks and los_close(found.seen, settings)
