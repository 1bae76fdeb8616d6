"""A game file: who plays, what stands where, and the taps of a game at their times."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from engine.actions import Action
from engine.errors import Refused
from engine.referee import Referee
from engine.table import Figure, PointMm, TableState, Terrain
from server.console import Fault
from server.files import read_json
from server.schema import Coordinate, Die, Number, TerrainBody

Milliseconds = Annotated[int, Field(ge=0, le=10**12)]
_PATIENCE_NS: Final = 3_000_000_000
_NEAR_MM: Final = 24.0
"""A figure farther than this from where the file says is another one."""


class UnitEntry(BaseModel):
    """One figure: its name, weapons, and where it stands at what time."""

    model_config = ConfigDict(extra="forbid")
    name: str
    weapons: tuple[str, ...] = ()
    at_mm: tuple[Coordinate, Coordinate]
    t_ms: Milliseconds = 0


class SideEntry(BaseModel):
    """One team."""

    model_config = ConfigDict(extra="forbid")
    side: str
    edge: str | None = None
    units: list[UnitEntry] = []


class ActionEntry(BaseModel):
    """One tap."""

    model_config = ConfigDict(extra="forbid")
    t_ms: Milliseconds
    kind: str
    side: str | None = None
    figure_at_mm: tuple[Coordinate, Coordinate] | None = None
    target_at_mm: tuple[Coordinate, Coordinate] | None = None
    terrain_id: str | None = None
    point_mm: tuple[Coordinate, Coordinate] | None = None
    value: str | None = None
    numbers: tuple[Number, ...] = ()
    items: tuple[str, ...] = ()
    dice: tuple[Die, ...] = ()


class GameFile(BaseModel):
    """A whole game file."""

    model_config = ConfigDict(extra="forbid")
    ruleset: str
    options: dict[str, str | int | float | bool | None] = {}
    seed: Annotated[int, Field(ge=0, le=10**9)] = 0
    sides: list[SideEntry] = []
    terrain: list[TerrainBody] = []
    actions: list[ActionEntry] = []


def load_game(path: Path) -> GameFile:
    """Read a game file.

    Raises:
        Fault: The file is missing or wrong.
    """
    game = read_json(path, TypeAdapter(GameFile))
    rehearse(game, str(path))
    return game


def rehearse(game: GameFile, name: str) -> None:
    """See whether the rules take the opening of a game.

    Args:
        game: Its options, edges and terrain are tried out on an empty table.
        name: Of the file it comes from.

    Raises:
        Fault: They do not.
    """
    referee = Referee()
    for action in Script(game).opening(0):
        try:
            referee.take(replace(action, basis_seq=referee.state.seq))
        except Refused as refused:
            raise Fault(name, refused.reason) from None


class Script:
    """Plays a game file's taps when their time has come.

    The units of a side are assigned once a figure stands where the file puts them; taps with a
    ``figure_at_mm`` are given to the figure standing nearest to that place at that time.

    Args:
        game: What to play.
    """

    def __init__(self, game: GameFile) -> None:
        self._game = game
        self._begun = False
        self._units = [(side.side, unit) for side in game.sides for unit in side.units]
        self._actions = sorted(game.actions, key=lambda entry: entry.t_ms)
        self._taken: set[str] = set()
        self._given_up: list[str] = []
        self._refused: str | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """Taps refused for good, with the one still waiting to be allowed."""
        return (*self._given_up, *(() if self._refused is None else (self._refused,)))

    def due(self, table: TableState, refusal: Callable[[], str | None]) -> Iterator[Action]:
        """The taps due at a table's time, in order.

        A tap that is refused is given again for a while, and later ones wait: a camera may see
        a moment later what the players saw when they tapped.

        Args:
            table: The table as just seen.
            refusal: Why the last tap was refused, None when it was not.
        """
        t_ns = table.t_ns
        if not self._begun:
            self._begun = True
            for action in self.opening(t_ns):
                yield action
                self._note(action, refusal())
        waiting = []
        for side, unit in self._units:
            figure = None
            if unit.t_ms * 1_000_000 <= t_ns:
                figure = _nearest(table, unit.at_mm, self._taken)
            if figure is None:
                waiting.append((side, unit))
                continue
            self._taken.add(figure.figure_id)
            assign = Action(
                kind="assign",
                t_ns=t_ns,
                side=side,
                figure_id=figure.figure_id,
                value=unit.name,
                items=unit.weapons,
            )
            yield assign
            self._note(assign, refusal())
        self._units = waiting
        while self._actions and self._actions[0].t_ms * 1_000_000 <= t_ns:
            entry = self._actions[0]
            tap = self._tap(entry, table)
            yield tap
            reason = refusal()
            self._refused = None if reason is None else _told(tap, reason)
            if reason is not None and t_ns - entry.t_ms * 1_000_000 < _PATIENCE_NS:
                return
            self._actions.pop(0)
            self._refused = None
            self._note(tap, reason)

    def _note(self, action: Action, reason: str | None) -> None:
        if reason is not None:
            self._given_up.append(_told(action, reason))

    def opening(self, t_ns: int) -> list[Action]:
        """What is said before anything is seen: the game, the edges, the terrain."""
        items = tuple(f"{key}={_word(value)}" for key, value in self._game.options.items())
        begin = Action(
            kind="new_game",
            t_ns=t_ns,
            value=self._game.ruleset,
            items=items,
            numbers=(float(self._game.seed),),
        )
        pieces: list[Terrain] = [body.terrain() for body in self._game.terrain]
        edges = [
            Action(kind="edge", t_ns=t_ns, side=side.side, value=side.edge)
            for side in self._game.sides
            if side.edge is not None
        ]
        return [
            begin,
            *edges,
            *(
                Action(kind="terrain_set", t_ns=t_ns, terrain_id=piece.terrain_id, terrain=piece)
                for piece in pieces
            ),
        ]

    def _tap(self, entry: ActionEntry, table: TableState) -> Action:
        figure = entry.figure_at_mm and _nearest(table, entry.figure_at_mm)
        target = entry.target_at_mm and _nearest(table, entry.target_at_mm)
        return Action(
            kind=entry.kind,
            t_ns=table.t_ns,
            side=entry.side,
            figure_id=figure.figure_id if figure else None,
            target_id=target.figure_id if target else None,
            terrain_id=entry.terrain_id,
            point_mm=entry.point_mm,
            value=entry.value,
            numbers=entry.numbers,
            items=entry.items,
            dice=entry.dice,
        )


def _told(action: Action, reason: str) -> str:
    return f"{action.kind} at {action.t_ns / 1e9:.1f} s: {reason}"


def _nearest(
    table: TableState, place: PointMm, without: set[str] | frozenset[str] = frozenset()
) -> Figure | None:
    near = [
        (math.dist(figure.position_mm, place), figure.figure_id, figure)
        for figure in table.figures
        if figure.figure_id not in without
    ]
    best = min(near, default=None, key=lambda item: item[:2])
    return best[2] if best is not None and best[0] <= _NEAR_MM else None


def _word(value: str | int | float | bool | None) -> str:
    return "null" if value is None else str(value).lower()
