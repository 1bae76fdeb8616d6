"""What players ask for on the page. A wish: the referee may refuse it with a reason."""

from __future__ import annotations

from dataclasses import dataclass

from engine.table import PointMm, Terrain


@dataclass(frozen=True, slots=True)
class Action:
    """One tap of a player, with everything needed to carry it out.

    Attributes:
        kind: What is asked, one of the kinds offered in an ``Option``, or one every game knows:
            ``undo``, ``correct`` (put a figure's position or state right), ``terrain_set``,
            ``terrain_delete``, ``assign`` (side and equipment of a figure), ``identify``
            (this seen figure is that one).
        t_ns: Time from the start of the recording at which it was asked.
        side: The team that asks, if any.
        basis_seq: Seq of the last log line the player had seen.
        figure_id: The figure that acts.
        target_id: The figure it acts on.
        terrain_id: The terrain it is about.
        point_mm: A place on the table.
        value: A choice or typed word.
        numbers: Numbers typed, for example a facing or a height.
        items: Words chosen together, for example the weapons of a figure.
        dice: Dice typed by the players; empty lets the program roll.
        terrain: The piece for ``terrain_set``.
        joins: Seq of the first line of the last action, with which this one is taken back.
    """

    kind: str
    t_ns: int = 0
    side: str | None = None
    basis_seq: int = 0
    figure_id: str | None = None
    target_id: str | None = None
    terrain_id: str | None = None
    point_mm: PointMm | None = None
    value: str | None = None
    numbers: tuple[float, ...] = ()
    items: tuple[str, ...] = ()
    dice: tuple[int, ...] = ()
    terrain: Terrain | None = None
    joins: int | None = None
