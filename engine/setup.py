"""What people told about the table: terrain, sides, names and corrections, folded from the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from engine.armies.lists import Entry, read_entries
from engine.events import Event
from engine.log import LogLine, kept
from engine.table import FigureState, PointMm, Terrain

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Correction:
    """A human's word on one figure, which beats the camera.

    Attributes:
        seq: Log line that said it.
        position_mm: Where its base is, None when that was right.
        facing_deg: The way it looks, None when that was right.
        state: How it is, None when that was right.
        level_mm: Height it stands on, None when that was right.
        rotation_deg: Turn of its base, None when that was right.
    """

    seq: int
    position_mm: PointMm | None = None
    facing_deg: float | None = None
    state: FigureState | None = None
    level_mm: float | None = None
    rotation_deg: float | None = None


@dataclass(frozen=True, slots=True)
class Placed:
    """A figure that people put on the table themselves, where no camera looks.

    Attributes:
        position_mm: Where its base is.
        facing_deg: The way it looks, None when nobody said.
        state: How it is.
        level_mm: Height it stands on.
        label: What a camera would call it.
    """

    position_mm: PointMm
    facing_deg: float | None = None
    state: FigureState = FigureState.STANDING
    level_mm: float = 0.0
    label: str = "minifig"


@dataclass(frozen=True, slots=True)
class Army:
    """The list that a side plays.

    Attributes:
        name: For the players.
        entries: In the order of the list.
    """

    name: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Enlisted:
    """What a figure is in its army.

    Attributes:
        side: Whose army.
        entry: Index of the entry in its list.
        kind: Class or troop type in words, "" where the rules tell none apart.
    """

    side: str
    entry: int
    kind: str


@dataclass(frozen=True, slots=True)
class TableFacts:
    """Everything people said that the camera cannot see.

    Attributes:
        terrain: Ordered by id.
        sides: Team by figure id.
        equipment: Things held by figure id.
        names: Name by figure id.
        corrections: By figure id, the last one of each figure.
        identities: By the id a figure is seen under: who it really is.
        placed: By figure id, those that people put on a table without a camera.
        taken: Those of a team that people took away again in the running game.
        size_mm: Width and depth of such a table, None where nobody said.
        armies: List that is played, by side; those of the running game.
        enlisted: By figure id, those that are of such a list.
    """

    terrain: tuple[Terrain, ...] = ()
    sides: Mapping[str, str] = field(default_factory=dict)
    equipment: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    corrections: Mapping[str, Correction] = field(default_factory=dict)
    identities: Mapping[str, str] = field(default_factory=dict)
    placed: Mapping[str, Placed] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    size_mm: tuple[float, float] | None = None
    armies: Mapping[str, Army] = field(default_factory=dict)
    enlisted: Mapping[str, Enlisted] = field(default_factory=dict)


def fold_facts(lines: Iterable[LogLine], facts: TableFacts | None = None) -> TableFacts:
    """What people said, without what they took back, on top of ``facts``."""
    facts = facts or TableFacts()
    for line in kept(lines):
        facts = add_fact(facts, line)
    return facts


def add_fact(facts: TableFacts, line: LogLine) -> TableFacts:
    """``facts`` after one more line; the same object when the line tells none."""
    event = line.event
    if event.kind == "terrain_set" and event.terrain is not None:
        return replace(facts, terrain=_with_terrain(facts.terrain, event.terrain))
    if event.kind == "terrain_deleted":
        gone = event.text("terrain_id")
        return replace(facts, terrain=tuple(t for t in facts.terrain if t.terrain_id != gone))
    if event.kind == "table_sized":
        return replace(facts, size_mm=(event.number("width_mm"), event.number("depth_mm")))
    if event.kind == "game_began":
        return _new_game(facts)
    if event.kind == "army_chosen" and event.side is not None:
        return _chosen(facts, event, event.side)
    if event.figure_id is None:
        return facts
    if event.kind == "enlisted" and event.side is not None:
        one = Enlisted(event.side, int(event.number("entry")), event.text("kind"))
        return replace(facts, enlisted={**facts.enlisted, event.figure_id: one})
    if event.kind == "assigned":
        return _assigned(facts, event, event.figure_id)
    if event.kind == "corrected":
        told = _correction(line.seq, event)
        return replace(facts, corrections={**facts.corrections, event.figure_id: told})
    if event.kind == "put_by_hand":
        return replace(
            facts,
            placed={**facts.placed, event.figure_id: _placed(event)},
            corrections=_without(facts.corrections, event.figure_id),
        )
    if event.kind == "taken_by_hand":
        return replace(
            facts,
            placed=_without(facts.placed, event.figure_id),
            corrections=_without(facts.corrections, event.figure_id),
            enlisted=_without(facts.enlisted, event.figure_id),
            taken=facts.taken | ({event.figure_id} & facts.sides.keys()),
        )
    if event.kind == "identified" and event.target_id is not None:
        return replace(facts, identities={**facts.identities, event.figure_id: event.target_id})
    return facts


def _new_game(facts: TableFacts) -> TableFacts:
    """Lists belong to one game, and who was taken away is of no later one."""
    if facts.armies:
        facts = replace(facts, armies={}, enlisted={})
    if not facts.taken:
        return facts
    return replace(
        facts,
        sides=_without(facts.sides, *facts.taken),
        names=_without(facts.names, *facts.taken),
        equipment=_without(facts.equipment, *facts.taken),
        taken=frozenset(),
    )


def _chosen(facts: TableFacts, event: Event, side: str) -> TableFacts:
    """Another list: who was of a line that has changed is of none now."""
    army = Army(event.text("name"), read_entries(event.words("entries")))
    old = facts.armies.get(side, Army("", ()))
    armies = {**_without(facts.armies, side), **({side: army} if army.entries else {})}
    same = {
        i
        for i, (a, b) in enumerate(zip(old.entries, army.entries, strict=False))
        if a.model_copy(update={"count": b.count}) == b
    }
    enlisted = {
        name: one for name, one in facts.enlisted.items() if one.side != side or one.entry in same
    }
    return replace(facts, armies=armies, enlisted=enlisted)


def _without(told: Mapping[str, _T], *figure_ids: str) -> dict[str, _T]:
    return {key: value for key, value in told.items() if key not in figure_ids}


def _placed(event: Event) -> Placed:
    facing = event.value("facing_deg")
    return Placed(
        (event.number("x_mm"), event.number("y_mm")),
        None if facing is None else event.number("facing_deg"),
        FigureState(event.text("state")),
        event.number("level_mm"),
        event.text("label"),
    )


def _with_terrain(pieces: tuple[Terrain, ...], piece: Terrain) -> tuple[Terrain, ...]:
    others = [other for other in pieces if other.terrain_id != piece.terrain_id]
    return tuple(sorted([*others, piece], key=lambda one: one.terrain_id))


def _assigned(facts: TableFacts, event: Event, figure_id: str) -> TableFacts:
    sides = _without(facts.sides, figure_id)
    names = _without(facts.names, figure_id)
    equipment = _without(facts.equipment, figure_id)
    enlisted = facts.enlisted
    if figure_id in enlisted and enlisted[figure_id].side != event.side:
        enlisted = _without(enlisted, figure_id)
    if event.side is not None:
        sides[figure_id] = event.side
        names[figure_id] = event.text("name")
        equipment[figure_id] = event.words("equipment")
    return replace(facts, sides=sides, names=names, equipment=equipment, enlisted=enlisted)


def _correction(seq: int, event: Event) -> Correction:
    def number(name: str) -> float | None:
        return None if event.value(name) is None else event.number(name)

    x, y = number("x_mm"), number("y_mm")
    state = event.text("state")
    return Correction(
        seq=seq,
        position_mm=None if x is None or y is None else (x, y),
        facing_deg=number("facing_deg"),
        state=FigureState(state) if state else None,
        level_mm=number("level_mm"),
        rotation_deg=number("rotation_deg"),
    )
