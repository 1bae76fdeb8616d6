"""Legowars' words for the marks of a unit and of the whole game."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Final

from engine.memo import known_by
from engine.roster import marked
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.measures import gear
from engine.rulesets.legowars.settings import Settings
from engine.spots import text_mark, word
from engine.state import GameState, Unit


class Phase(StrEnum):
    """States of the game that wait for somebody (section 4 of the rules)."""

    SETUP = "SETUP"
    BUY = "BUY"
    DEPLOY = "DEPLOY"
    INIT = "INIT"
    INIT_TIE = "INIT_TIE"
    MOVE = "MOVE"
    ATTACK = "ATTACK"
    ATK_HIT = "ATK_HIT"
    ATK_DAMAGE = "ATK_DAMAGE"
    ATK_FALL = "ATK_FALL"
    GAME_OVER = "GAME_OVER"


BEFORE: Final = (Phase.SETUP, Phase.BUY, Phase.DEPLOY)
ROLLING: Final = (Phase.INIT, Phase.INIT_TIE)
UNDER_WAY: Final = (Phase.ATK_HIT, Phase.ATK_DAMAGE, Phase.ATK_FALL)
"""Within one attack."""
IN_PLAY: Final = (*ROLLING, Phase.MOVE, Phase.ATTACK, *UNDER_WAY)

MAN: Final = "man"
HORSE: Final = "horse"
MOUNT: Final = "mount"
"""Another animal that is ridden like a horse (LW-WPN-04)."""
VEHICLE: Final = "vehicle"
BOAT: Final = "boat"
HEAVY: Final = "heavy"
BUILDING: Final = "building"
KINDS: Final = (MAN, HORSE, MOUNT, VEHICLE, BOAT, *gear.HEAVY)
"""What a figure on the table can be said to be."""


@known_by(1024)
def kind_of(unit: Unit) -> str:
    """``man``, ``horse``, ``vehicle``, ``heavy`` or ``building`` (LW-GEN-07)."""
    held = unit.equipment
    if BUILDING in held:
        return BUILDING
    if HORSE in held or MOUNT in held:
        return HORSE
    if VEHICLE in held or BOAT in held:
        return VEHICLE
    return HEAVY if any(item in gear.HEAVY for item in held) else MAN


def things_of(unit: Unit) -> tuple[str, ...]:
    """What it wears and holds, without the word for what it is."""
    return tuple(item for item in unit.equipment if item not in KINDS and item != BUILDING)


def heavy_of(unit: Unit) -> str:
    """The heavy weapon a unit is or carries, ``""`` for none (LW-HVY-04)."""
    return next((item for item in unit.equipment if item in gear.HEAVY), "")


def broken(unit: Unit) -> tuple[str, ...]:
    """Broken weapons still in the hands (LW-HAND-11)."""
    return tuple(one for one in word(unit, "broken").split(";") if one)


def whole_things(unit: Unit) -> tuple[str, ...]:
    """What it wears and holds without the broken (LW-DMG-06)."""
    left = list(things_of(unit))
    for item in broken(unit):
        if item in left:
            left.remove(item)
    return tuple(left)


def armor_of(unit: Unit, settings: Settings) -> int:
    """ARMOR of a unit as it is now (LW-STAT-02, LW-STAT-07, LW-ARM-09, LW-VEH-11, LW-BLDG-02)."""
    kind = kind_of(unit)
    if kind == MAN:
        return gear.armor(things_of(unit), settings)
    if kind == HORSE:
        return gear.horse_armor(things_of(unit))
    return whole(unit, "armor")


def whole(unit: Unit, name: str) -> int:
    """A mark that is a whole number, 0 when it is not set."""
    value = unit.mark(name)
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def is_set(unit: Unit, name: str) -> bool:
    """A mark that is true."""
    return unit.mark(name) is True


def living(state: GameState, side: str | None = None, kind: str | None = None) -> Iterator[Unit]:
    """Units in the game, of one side or all, of one kind or all."""
    return (
        unit
        for unit in state.units
        if unit.alive and side in (None, unit.side) and kind in (None, kind_of(unit))
    )


def dead(state: GameState) -> Iterator[Unit]:
    """Units killed that lie on the table (LW-STAT-09)."""
    return (u for u in state.units if not u.alive and word(u, "gone") == "dead")


def rider_of(state: GameState, horse: Unit) -> Unit | None:
    """Who rides a horse."""
    return next((u for u in living(state) if word(u, "mount") == horse.figure_id), None)


def mount_of(state: GameState, man: Unit) -> Unit | None:
    """The horse a man rides."""
    name = word(man, "mount")
    return state.unit(name) if name else None


def steered(state: GameState, horse: Unit) -> bool:
    """Somebody holds its reins without riding (LW-HORSE-10)."""
    return any(word(u, "steers") == horse.figure_id for u in living(state, horse.side))


def climbing(unit: Unit) -> bool:
    """It is on a ladder."""
    return bool(word(unit, "ladder"))


def must_flee(unit: Unit) -> bool:
    """It runs on its owner's next move (LW-HORSE-08)."""
    return unit.mark("flee_x") is not None


def words_mark(state: GameState, name: str) -> tuple[str, ...]:
    """A mark of the game that is a list of words."""
    return tuple(one for one in text_mark(state, name).split(";") if one)


def order_of(state: GameState) -> tuple[str, ...]:
    """Sides in the order of this turn."""
    return words_mark(state, "order")


def conceded(state: GameState) -> tuple[str, ...]:
    """Sides that gave up."""
    return words_mark(state, "conceded")


def in_game(state: GameState) -> tuple[str, ...]:
    """Sides that have not given up and have something living (LW-WIN-02)."""
    out = conceded(state)
    return tuple(side for side in state.sides if side not in out and any(_keeps_in(state, side)))


def _keeps_in(state: GameState, side: str) -> Iterator[Unit]:
    any_unit = dict(state.options)["side_alive_by"] == "any_unit"
    return (
        unit
        for unit in living(state, side)
        if kind_of(unit) == MAN or (any_unit and kind_of(unit) != HEAVY)
    )


def counts(state: GameState) -> dict[str, int]:
    """Living men of each side, or units where those keep it in (LW-WIN-02)."""
    return {side: sum(1 for _ in _keeps_in(state, side)) for side in state.sides}


def moving_sides(state: GameState) -> tuple[str, ...]:
    """Sides whose step 2 it is (LW-TURN-03, LW-TURN-04)."""
    if state.phase != Phase.MOVE or state.active_side is None:
        return ()
    merged = dict(state.options)["extra_sides_move"] == "merged_with_side_2"
    order = order_of(state)
    if merged and state.active_side in order[1:]:
        return tuple(side for side in order[1:] if side in in_game(state))
    return (state.active_side,)


def held(unit: Unit, settings: Settings) -> int:
    """Hands in use."""
    return gear.hands(things_of(unit), settings)


def full_hands(unit: Unit, settings: Settings) -> bool:
    """No hand is free (LW-HAND-08)."""
    return held(unit, settings) >= data().whole("hands", "most")


TURN_MARKS: Final = (
    "moved",
    "walked",
    "spent_move",
    "fell",
    "acted",
    "used",
    "struck",
    "handled",
    "horse_struck",
    "mounted_now",
    "arrived",
    "jumping",
)
"""Cleared when a turn ends (LW-TURN-12)."""


def new_turn(unit: Unit) -> Unit:
    """Without what counts for one turn only."""
    return marked(unit, **dict.fromkeys(TURN_MARKS))
