"""A whole army put on a table without a camera, at one wish and taken back by one tap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.actions import Action
from engine.armies.enlisting import CHOOSE, ENLIST
from engine.errors import Refused, Stale
from engine.log import UNDO, LogLine
from engine.table import PointMm
from server.live import LiveTable


@dataclass(frozen=True, slots=True)
class Post:
    """Where one figure of a list is put.

    Attributes:
        entry: Index of its entry in the list.
        point_mm: Its place.
        label: What a camera would call it.
        facing_deg: Where it looks.
    """

    entry: int
    point_mm: PointMm
    label: str
    facing_deg: float


def muster(
    table: LiveTable, side: str, posts: Sequence[Post], basis_seq: int
) -> tuple[LogLine, ...]:
    """Put figures one after another, each of which becomes what its entry says.

    Args:
        table: Without a camera.
        side: Whose list.
        posts: In this order.
        basis_seq: The last line its player had seen.

    Returns:
        The lines of all that was put.

    Raises:
        Refused: One cannot be put or become that; those before it stay, and are taken back by one
            tap as well.
        Stale: The list may have changed meanwhile.
    """
    _see_same_list(table, side, basis_seq)
    told: list[LogLine] = []

    def act(action: Action) -> tuple[LogLine, ...]:
        lines = table.act(action)
        told.extend(lines)
        return lines

    for post in posts:
        first = told[0].seq if told else None
        items = (f"label={post.label}", f"facing_deg={post.facing_deg}")
        wish = Action("place", point_mm=post.point_mm, items=items, joins=first)
        put = act(_after(told, wish, basis_seq))
        figure_id = put[0].event.figure_id
        first = told[0].seq
        of_list = Action(
            ENLIST, side=side, figure_id=figure_id, numbers=(float(post.entry),), joins=first
        )
        try:
            act(_after(told, of_list, basis_seq))
        except (Refused, Stale):
            # Nobody's figure is of no use where one of the list was wanted.
            act(_after(told, Action("remove", figure_id=figure_id, joins=first), basis_seq))
            raise
    return tuple(told)


def _after(told: Sequence[LogLine], action: Action, basis_seq: int) -> Action:
    return replace(action, basis_seq=told[-1].seq if told else basis_seq)


def _see_same_list(table: LiveTable, side: str, basis_seq: int) -> None:
    """The numbers of entries are those of the list that the player saw."""
    for line in reversed(table.referee.lines):
        if line.seq <= basis_seq:
            return
        if line.cause == UNDO or (line.cause == CHOOSE and line.event.side == side):
            raise Stale(basis_seq, table.referee.state.seq)
