"""Forces: whose a figure is, its type, who rides on it and what it carries (PM-PREP-08)."""

from __future__ import annotations

from engine.actions import Action
from engine.common import assigned
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.roster import next_name
from engine.rulesets.judging import check_joins
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.marks import (
    BOWS,
    Phase,
    aboard,
    carries,
    crew_of,
    kind_of,
    men,
    type_of,
)
from engine.rulesets.playmobil.mounting import riders_of
from engine.spots import living
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale

MOST_THROWN = 9


def join(tale: Tale, table: TableState, action: Action) -> None:
    """A figure comes to a side (PM-PREP-08).

    Raises:
        Refused: There is no such figure or side, or it belongs to one already.
    """
    expect(tale.state, Phase.SETUP)
    figure_id, side = action.figure_id or "", action.value or ""
    check_joins(tale.state, table, figure_id, side, ("PM-PREP-08", "PM-PREP-08", "PM-GEN-05"))
    tale.tell(assigned(figure_id, side, next_name(tale.state, side), ()))


def choose_type(tale: Tale, action: Action) -> None:
    """A figure gets its troop type; elephants and chariots get a man aboard.

    A side has one general (PM-GENL-05).

    Raises:
        Refused: There is no such type or figure.
    """
    unit = _recruit(tale.state, action)
    own = data().types.get(action.value or "")
    if own is not None and aboard(unit) and own.kind != "foot":
        raise Refused("riders have a type of infantry", "PM-ELE-12")
    if own is None or own.name not in offered_types(tale.state, unit):
        raise Refused("that type is not to be had", "PM-GENL-05" if own else "PM-PREP-08")
    marks = dict.fromkeys(("bow", "thrown", "torch", "lance", "piece", "hits_agreed",
                           "dice_agreed"), "")  # fmt: skip
    values: dict[str, Value] = {f"unit.{name}": None for name in marks}
    tale.note("typed", "PM-PREP-08", unit, {**values, "type": own.name, "unit.type": own.name})
    wanted = 1 if own.kind in ("elephant", "chariot") else 0
    fill_crew(tale, tale.now(unit), wanted)


def offered_types(state: GameState, unit: Unit) -> list[str]:
    """Types a figure may have at set-up."""
    other_general = any(
        own is not None and own.name.startswith("general")
        for u in living(state, unit.side)
        if u.figure_id != unit.figure_id
        for own in (type_of(u),)
    )
    return [
        name
        for name, kind in data().types.items()
        if name != "riderless_elephant"
        and not (other_general and name.startswith("general"))
        and (not aboard(unit) or kind.kind == "foot")
    ]


def fill_crew(tale: Tale, unit: Unit, wanted: int) -> None:
    """So many riders aboard, light infantry unless told otherwise (PM-ELE-12, PM-CHAR-12)."""
    crew = crew_of(tale.state, unit)
    for man in crew[wanted:]:
        tale.tell(assigned(man.figure_id, None, "", ()))
    rule = "PM-ELE-09" if kind_of(unit) == "elephant" else "PM-CHAR-05"
    word_for = "Rider" if kind_of(unit) == "elephant" else "Driver"
    for i in range(len(crew), wanted):
        tale.tell(Event("appeared", rule, unit.side, f"{unit.figure_id}_man{i + 1}",
                        values=results(**{
            "name": f"{word_for} {i + 1} of {unit.name}", "unit.aboard": unit.figure_id,
            "unit.type": "light_infantry",
        })))  # fmt: skip


def choose_crew(tale: Tale, action: Action) -> None:
    """How many riders an elephant has (PM-ELE-21).

    Raises:
        Refused: It carries none, or not so many.
    """
    unit = _recruit(tale.state, action)
    most = riders_of(kind_of(unit)) if kind_of(unit) in ("elephant", "chariot") else 0
    number = action.numbers[0] if len(action.numbers) == 1 else 0.0
    if not float(number).is_integer() or not 1 <= number <= most:
        raise Refused(f"it carries 1 to {most} men", "PM-ELE-21")
    fill_crew(tale, unit, int(number))


def equip(tale: Tale, action: Action) -> None:
    """Bow, thrown weapons, torch, lance or kind of piece (PM-PREP-08, PM-THROW-08).

    Raises:
        Refused: That type does not carry it.
    """
    unit = _recruit(tale.state, action)
    own = type_of(unit)
    if own is None:
        raise Refused(f"first say what {unit.name} is", "PM-PREP-08")
    if action.kind == "bow":
        if action.value not in BOWS or not own.bow:
            raise Refused("archers have a short bow, a crossbow or a longbow", "PM-ARCH-03")
        tale.note("equipped", "PM-ARCH-03", unit, {"what": action.value, "unit.bow": action.value})
        return
    if action.kind == "piece":
        if action.value not in data().words["artillery.pieces"] or own.name != "artillery":
            raise Refused("artillery is one of the known pieces", "PM-ART-09")
        tale.note("equipped", "PM-ART-09", unit,
                  {"what": action.value, "unit.piece": action.value})  # fmt: skip
        return
    if action.kind == "thrown":
        number = action.numbers[0] if len(action.numbers) == 1 else -1.0
        if own.kind not in ("foot", "horse") or own.bow:
            raise Refused("archers and engines throw nothing", "PM-THROW-01")
        if not float(number).is_integer() or not 0 <= number <= MOST_THROWN:
            raise Refused(f"0 to {MOST_THROWN} weapons to throw", "PM-THROW-08")
        tale.note("equipped", "PM-THROW-08", unit,
                  {"what": "thrown weapons", "unit.thrown": int(number)})  # fmt: skip
        return
    held = not carries(unit, action.kind)
    if not may_carry(unit, action.kind):
        raise Refused(f"{unit.name} carries no {action.kind}", "PM-PREP-08")
    rule = "PM-SIEGE-01" if action.kind == "torch" else "PM-DIS-04"
    tale.note("equipped", rule, unit, {"what": action.kind, f"unit.{action.kind}": held})


def may_carry(unit: Unit, what: str) -> bool:
    """Men on foot carry torches, riders lances."""
    return kind_of(unit) == ("foot" if what == "torch" else "horse") and not aboard(unit)


def balance(state: GameState, side: str) -> dict[str, int]:
    """Men and dice of a side, for advice only (PM-PREP-02)."""
    own = [kind for unit in living(state, side) if (kind := type_of(unit)) is not None]
    return {
        "men": sum(1 for _ in men(state, side)),
        "attack": sum(kind.a for kind in own),
        "defend": sum(kind.d for kind in own if kind.kind != "engine"),
    }


def _recruit(state: GameState, action: Action) -> Unit:
    expect(state, Phase.SETUP)
    unit = state.unit(action.figure_id or "")
    if unit is None:
        raise Refused("which figure?", "PM-PREP-08")
    return unit


def expect(state: GameState, phase: Phase) -> None:
    """Something is done in one phase only.

    Raises:
        Refused: It is another one.
    """
    if state.phase != phase:
        raise Refused(f"that is done in {phase.value}, not in {state.phase}", "PM-PREP-04")
