"""The table as the rules see it: figures where they count, terrain, contacts, sight."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from engine.geometry import bases
from engine.geometry.surfaces import outline
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.marks import (
    flies,
    hostile,
    invisible,
    is_big,
    kind_of,
    listed_mark,
    living,
    type_of,
)
from engine.rulesets.follow_me.measures import lengths, scales, views, ways
from engine.rulesets.follow_me.settings import Settings, settings_of
from engine.spots import Spot, spot, text_mark
from engine.state import GameState, Unit
from engine.table import BaseShape, Figure, FigureState, Seen, TableState, Terrain

UPRIGHT: Final = (FigureState.STANDING, FigureState.RIDER)
SAME_LEVEL_MM: Final = 6.0
"""Levels closer than this are the same surface, seen twice."""
OVERLAP_MM: Final = 4.0
"""Footprints overlapping by less than this may just be measured so: most are rough."""
_MAN_MM: Final = {"playmobil_model": 75.0, "lego_model": 40.0}
EDGES: Final = ("south", "north", "west", "east")
"""South is y = 0, west is x = 0; alliances take them in this order (FM-SET-10)."""


@dataclass(frozen=True, eq=False)
class Field:
    """A settled table with what is known of who stands on it.

    Attributes:
        state: The game.
        table: The last settled look.
    """

    state: GameState
    table: TableState

    @cached_property
    def settings(self) -> Settings:
        """The options; before the game the factor follows the figures (FM-GEN-06)."""
        found = settings_of(self.state)
        if self.state.turn == 0:
            heights = [f.height_mm for f in self.table.figures if f.height_mm > 0.0]
            return replace(found, factor=scales.factor_of(heights, found))
        return found

    @cached_property
    def seen(self) -> dict[str, Figure]:
        """Figures of the look, by id."""
        return {figure.figure_id: figure for figure in self.table.figures}

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """Figures of living units where they count, by id; the dead are in nobody's way."""
        return {u.figure_id: f for u in living(self.state) if (f := self.placed(u)) is not None}

    def placed(self, unit: Unit, prefix: str = "at") -> Figure | None:
        """A unit at the place remembered under a prefix, None when it has none."""
        here = spot(unit, prefix)
        figure = self.seen.get(unit.figure_id)
        if here is None:
            return None if figure is None or unit.mark("at_x") is not None else shaped(figure, unit)
        if figure is None:
            profile = next((_profile(f.profile) for f in self.table.figures), "lego_model")
            figure = Figure(
                unit.figure_id, "", unit.side, profile, here.xy, None,
                data().footprints[profile]["man"], _MAN_MM[profile], here.z,
                FigureState.STANDING, Seen.HIDDEN, 0.0,
            )  # fmt: skip
        return shaped(replace(figure, position_mm=here.xy, level_mm=here.z), unit)

    @cached_property
    def before(self) -> dict[str, Figure]:
        """Figures of living units where they stood at the declaration (snapshot A, FM-GEO-21)."""
        return {
            u.figure_id: f
            for u in living(self.state)
            if (f := self.placed(u, "a") or self.placed(u)) is not None
        }

    def gap(self, a: Unit, b: Unit) -> float:
        """Gap between two units where they count, a very long one when one is nowhere."""
        return self._gap(self.figures, a, b)

    def gap_before(self, a: Unit, b: Unit) -> float:
        """Gap between two units in snapshot A."""
        return self._gap(self.before, a, b)

    def _gap(self, figures: dict[str, Figure], a: Unit, b: Unit) -> float:
        one, other = figures.get(a.figure_id), figures.get(b.figure_id)
        return float("inf") if one is None or other is None else lengths.edge_gap(one, other)

    def nearest(self, unit: Unit, others: Iterable[Unit]) -> float:
        """Smallest gap to any of some units (FM-GEO-22)."""
        return min((self.gap(unit, other) for other in others), default=float("inf"))

    @cached_property
    def pieces(self) -> tuple[tuple[Terrain, str], ...]:
        """Terrain with what it is to these rules (FM-SET-01, FM-GEO-28)."""
        return tuple((piece, self.kind_of_piece(piece)) for piece in self.table.terrain)

    def kind_of_piece(self, piece: Terrain) -> str:
        """What a piece of terrain is: as labelled, or as it looks."""
        label = text_mark(self.state, f"label_{piece.terrain_id}")
        if label:
            return label
        if piece.kind in KINDS:
            return piece.kind
        man = next((f.height_mm for f in self.table.figures), _MAN_MM["lego_model"])
        if piece.kind == "wall":
            low = piece.height_mm < man * data().numbers["obstacles.low_share"]
            return "low_wall" if low else self._tall(piece, man, "high_wall")
        found = _LOOKS.get(piece.kind, "impassable")
        return self._tall(piece, man, found) if found == "impassable" else found

    def _tall(self, piece: Terrain, man: float, otherwise: str) -> str:
        house = piece.height_mm > man * data().numbers["obstacles.house_height"]
        return "house" if house else otherwise

    def of_kind(self, *sections: str) -> tuple[Terrain, ...]:
        """Pieces of the kinds listed in some sections of the data."""
        kinds = {kind for section in sections for kind in data().words[f"obstacles.{section}"]}
        return tuple(piece for piece, kind in self.pieces if kind in kinds)

    def lay(self, unit: Unit) -> ways.Lay:
        """The terrain as it is for one mover (FM-OBS-06 to 11, FM-BIG-19)."""
        own = type_of(unit)
        if flies(unit):
            return ways.Lay()
        if is_big(unit):
            return ways.Lay(self.of_kind("house"))
        if own is not None and not own.fights:
            streams = tuple(p for p, kind in self.pieces if kind == "shallow_stream")
            fords = tuple(p for p, kind in self.pieces if kind == "ford")
            walls = self.of_kind("delaying")
            return ways.Lay((*self.of_kind("impassable"), *walls, *streams), (), fords)
        return ways.Lay(
            self.of_kind("impassable"), self.of_kind("delaying"), self.of_kind("wading")
        )

    @cached_property
    def scene(self) -> views.Scene:
        """What hides figures: terrain, woods and fog (FM-SHOOT-11, 12, FM-SPELL-20)."""
        hiding = tuple(
            piece for piece, kind in self.pieces
            if kind in data().words["obstacles.hiding"] and piece.height_mm > 0.0
        )  # fmt: skip
        woods = tuple(piece for piece, kind in self.pieces if kind == "wood")
        radius = self.settings.inches(data().spells["fog"].across_in) / 2.0
        fogs = tuple(
            ((float(x), float(y)), radius)
            for x, y, last in listed_mark(self.state, "fogs")
            if int(last) >= self.state.turn
        )
        return views.Scene(hiding, woods, fogs)

    def sees(self, a: Unit, b: Unit) -> bool:
        """Whether a unit sees another where they count; the invisible are seen by nobody."""
        return self._sees(self.figures, a, b)

    def saw(self, a: Unit, b: Unit) -> bool:
        """The same in snapshot A."""
        return self._sees(self.before, a, b)

    def _sees(self, figures: dict[str, Figure], a: Unit, b: Unit) -> bool:
        one, other = figures.get(a.figure_id), figures.get(b.figure_id)
        if one is None or other is None or invisible(b):
            return False
        return views.sees(one, other, self.scene, self.settings)

    def touch(self, a: Unit, b: Unit) -> bool:
        """Whether two units are in contact, over a low wall too (FM-GEO-05, FM-MELEE-31)."""
        return self._touch(self.figures, a, b)

    def touched(self, a: Unit, b: Unit) -> bool:
        """The same in snapshot A (FM-MOVE-10)."""
        return self._touch(self.before, a, b)

    def _touch(self, figures: dict[str, Figure], a: Unit, b: Unit) -> bool:
        one, other = figures.get(a.figure_id), figures.get(b.figure_id)
        if one is None or other is None:
            return False
        far = lengths.edge_gap(one, other)
        if lengths.is_contact(far, self.settings):
            return True
        wide = far - 2.0 * self.settings.contact_mm
        return any(
            lengths.across_wall(one, other, outline(piece.footprint_mm), self.settings)
            for piece, span in self._low_walls
            if wide <= span
        )

    @cached_property
    def _low_walls(self) -> tuple[tuple[Terrain, float], ...]:
        """Pieces over which one fights, and the longest way through each."""
        return tuple((piece, _span(piece)) for piece in self.of_kind("delaying"))

    def enemies_touching(self, unit: Unit) -> list[Unit]:
        """Standing enemies in contact with a unit."""
        return [u for u in self.fighters if hostile(u, unit) and self.touch(unit, u)]

    def was_engaged(self, unit: Unit) -> bool:
        """In contact with a standing enemy in snapshot A (FM-MOVE-10)."""
        return any(hostile(u, unit) and self.touched(unit, u) for u in self.fighters)

    @cached_property
    def fighters(self) -> tuple[Unit, ...]:
        """Living units that fight and stand somewhere; carts and engines do not (FM-MELEE-28)."""
        return tuple(
            u for u in living(self.state) if u.figure_id in self.figures and kind_of(u).fights
        )

    def touches_wall(self, figure: Figure) -> Terrain | None:
        """The low wall or hedge a figure touches (FM-OBS-03)."""
        mine = bases.inner(figure.base, figure.position_mm)
        for piece in self.of_kind("delaying"):
            between = mine.core.distance(outline(piece.footprint_mm)) - mine.radius_mm
            if lengths.is_contact(max(0.0, between), self.settings):
                return piece
        return None

    def edge_of(self, side: str) -> str:
        """The own edge of an alliance (FM-SET-10, FM-MORALE-24)."""
        chosen = text_mark(self.state, f"edge_{side}")
        order = list(self.state.sides)
        return chosen or EDGES[order.index(side) % len(EDGES) if side in order else 0]

    def from_edge(self, figure: Figure, edge: str, *, farthest: bool = False) -> float:
        """Distance from an edge of the table to the near or far side of a footprint."""
        if self.table.size_mm is None:
            return 0.0
        wide, deep = self.table.size_mm
        x0, y0, x1, y1 = bases.inner(figure.base, figure.position_mm).polygon().bounds
        near = {"south": y0, "north": deep - y1, "west": x0, "east": wide - x1}[edge]
        far = {"south": y1, "north": deep - y0, "west": x1, "east": wide - x0}[edge]
        return float(far if farthest else near)

    def over_edge(self, figure: Figure) -> bool:
        """A footprint sticks out over the table for certain (FM-GEO-20)."""
        if self.table.size_mm is None:
            return False
        slack = max(2.0 * figure.sigma_mm, data().numbers["geometry.min_band_mm"])
        return min(self.from_edge(figure, edge) for edge in EDGES) < -slack


KINDS: Final = frozenset(
    kind
    for section in ("delaying", "wading", "impassable", "open")
    for kind in data().words[f"obstacles.{section}"]
)
"""Everything a piece of terrain may be labelled."""
_LOOKS: Final = {
    "building": "house", "water": "deep_water", "wood": "wood", "hill": "hill", "stairs": "open",
}  # fmt: skip


def shaped(figure: Figure, unit: Unit) -> Figure:
    """A figure with the footprint of its troop type, turned by its facing (FM-GEO-03).

    A facing matters for nothing else in this game (FM-MOVE-12).

    A footprint with corners that the camera has measured stays as it is.
    """
    own = type_of(unit)
    kind = "man"
    if own is not None:
        kind = "mounted" if kind_of(unit).mounted else "large" if own.big_thing else "man"
    base = figure.base
    if base.shape is not BaseShape.OBLONG and kind != "man":
        base = data().footprints[_profile(figure.profile)][kind]
    return replace(figure, base=bases.turned_base(base, figure.facing_deg))


def _profile(name: str) -> str:
    return name if name in data().footprints else "lego_model"


def _span(piece: Terrain) -> float:
    """Longest way through a piece."""
    x0, y0, x1, y1 = outline(piece.footprint_mm).bounds
    return float(x1 - x0 + y1 - y0)


def same(here: Spot, there: Spot, quiet_mm: float) -> bool:
    """Whether two places are the same as far as anyone cares."""
    return here.away(there) <= quiet_mm and abs(here.z - there.z) <= SAME_LEVEL_MM
