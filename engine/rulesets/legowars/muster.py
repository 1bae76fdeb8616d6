"""Armies as lists, before there are models on the table (LW-GEN-06, LW-COST-07)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.drill import Drill
from engine.errors import Refused
from engine.rulesets.legowars.buying import army_cost, faults
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.game import Legowars
from engine.rulesets.legowars.marks import BUILDING, HORSE, KINDS, MAN, VEHICLE, living
from engine.rulesets.legowars.measures import gear
from engine.rulesets.legowars.measures.prices import shown
from engine.rulesets.legowars.setting_up import BUILDING_STATS, VEHICLE_STATS
from engine.rulesets.legowars.settings import settings_of
from engine.state import OptionValue
from engine.table import PointMm, Terrain, TerrainMark

_MARKS: Final = {"doors": "door", "ports": "port", "ladders": "ladder"}
_MOST_MARKS: Final = 1000


@dataclass(frozen=True, slots=True)
class Bought:
    """One entry, read.

    Attributes:
        figure_id: What it is called in the set-up.
        name: For the players.
        kind: Man, horse, vehicle, a heavy weapon or building.
        things: What it holds or wears.
        numbers: What is bought by number, for example ``seats``.
    """

    figure_id: str
    name: str
    kind: str
    things: tuple[str, ...]
    numbers: Mapping[str, int]


def muster(
    entries: Sequence[Mapping[str, object]], options: Mapping[str, OptionValue]
) -> tuple[int | None, tuple[tuple[str, str], ...]]:
    """Points and errors of an army (LW-COST-01 to LW-COST-07).

    Args:
        entries: ``kind`` of each model, ``man`` unless it says otherwise, and ``items``: what a
            man or horse holds and wears; of a vehicle ``seats=2``, ``wheels=4``, ``armor=16``,
            ``structure=8`` and heavy weapons; of a building ``studs=96``, ``levels=2``,
            ``doors=1``, ``ports=4``, ``ladders=2``, ``armor_bought=1``, ``structure_bought=5``.
        options: Those that differ from their default; ``army_points`` is the limit.

    Raises:
        Refused: A kind, a thing or an option is unknown, or a model has Might.
    """
    bought = [_read(i, entry) for i, entry in enumerate(entries)]
    castles = tuple(_castle(one) for one in bought if one.kind == BUILDING)
    drill = Drill(Legowars(), options, len(bought), castles)
    for one in bought:
        _buy(drill, one)
    settings, names = settings_of(drill.state), {one.figure_id: one.name for one in bought}
    errors = []
    for code, unit in faults(drill.state, settings, drill.table, drill.side):
        flag = data().flags[code]
        figure = "The army" if unit is None else names[unit.figure_id]
        errors.append((flag.rule, flag.text.format(figure=figure, target="")))
    if not any(living(drill.state, drill.side, MAN)):
        errors.append(("LW-WIN-02", "A side without a man is out before it begins."))
    points = shown(army_cost(drill.state, settings, drill.table, drill.side))
    return points, tuple(dict.fromkeys(errors))


def _read(i: int, entry: Mapping[str, object]) -> Bought:
    kind = str(entry["kind"]) or MAN
    kinds = (*KINDS, BUILDING)
    if kind not in kinds:
        raise Refused(f"{kind!r} is no kind of model (known: {', '.join(kinds)})", "LW-GEN-07")
    if entry["might"] is not None:
        raise Refused("models have things, no Might", "LW-GEN-07")
    found = entry["items"]
    words = [str(one) for one in found] if isinstance(found, tuple) else []
    numbers: dict[str, int] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if sign and (not text.isdecimal() or name in numbers):
            raise Refused(f"{word!r} is no number bought once", "LW-VEH-13")
        if sign:
            numbers[name] = int(text)
    if kind == BUILDING and not {"studs", "levels"} <= set(numbers):
        raise Refused("a building is bought by its studs and levels", "LW-BLDG-05")
    things = tuple(word for word in words if "=" not in word)
    name = str(entry["name"]) or kind.replace("_", " ").capitalize()
    return Bought(str(i + 1), name, kind, things, numbers)


def _castle(one: Bought) -> Terrain:
    """The building as a piece of terrain, with its doors, ports and ladders (LW-BLDG-08)."""
    stud_mm = data().number("heights", "stud_cm") * 10.0
    square: tuple[PointMm, ...] = ((0.0, 0.0), (stud_mm, 0.0), (stud_mm, stud_mm), (0.0, stud_mm))
    free = data().whole("building", "free_doors")
    counts = {name: one.numbers.get(name, 0) for name in _MARKS}
    counts["doors"] = one.numbers.get("doors", free)
    if max(counts.values()) > _MOST_MARKS:
        raise Refused(f"more than {_MOST_MARKS} doors, ports or ladders are too many", "LW-BLDG-08")
    marks = tuple(
        TerrainMark(_MARKS[name], square) for name, count in counts.items() for _ in range(count)
    )
    return Terrain(one.figure_id, BUILDING, square, 1.0, False, True, marks)


def _buy(drill: Drill, one: Bought) -> None:
    if one.kind == BUILDING:
        if one.things:
            raise Refused(f"{one.name} cannot have {one.things[0]!r}", "LW-HVY-04")
        drill.do("building", one.figure_id, drill.side)
        known = (*BUILDING_STATS, *_MARKS)
    else:
        drill.do("join", one.figure_id, one.kind)
        if one.kind not in (MAN, HORSE) and one.things:
            _mount(drill, one)
        known = VEHICLE_STATS if one.kind == VEHICLE else ()
    for name, number in one.numbers.items():
        if name not in known:
            raise Refused(f"{one.name} has no {name!r} to buy", "LW-VEH-13")
        if name not in _MARKS:
            drill.do("stat", one.figure_id, name, float(number))
    if one.kind in (MAN, HORSE):
        for thing in one.things:
            drill.do("gear", one.figure_id, thing)


def _mount(drill: Drill, one: Bought) -> None:
    """Heavy weapons stand on a vehicle; one on a building is a model of its own (LW-HVY-04)."""
    wrong = [thing for thing in one.things if one.kind != VEHICLE or thing not in gear.HEAVY]
    if wrong:
        raise Refused(f"{one.name} cannot have {wrong[0]!r}", "LW-HVY-04")
    drill.equip(one.figure_id, (one.kind, *one.things))
