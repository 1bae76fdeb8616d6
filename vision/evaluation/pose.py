"""How well soles, facing and posture of the figures that were found are told."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from engine.table import FigureState
from vision.evaluation.breakdowns import class_of
from vision.evaluation.labelled import FIGURES
from vision.evaluation.rows import FigureRow
from vision.evaluation.stats import Summary, share, spread

FACING_HEIGHT_PX = 30.0
TURNED_ABOUT_DEG = 135.0
SOLE_HEIGHTS_PX = (0, 20, 60)


def sole_table(rows: Sequence[FigureRow]) -> list[Summary]:
    """Errors of the middle of the soles and of each sole, by height and kind of the figure."""
    known = [row for row in rows if row.found and row.figure.soles_px is not None]
    groups: list[tuple[str, list[FigureRow]]] = []
    for low, high in pairwise((*SOLE_HEIGHTS_PX, math.inf)):
        some = [row for row in known if low <= row.figure.height_px < high]
        name = class_of(low, SOLE_HEIGHTS_PX)
        groups.append((str(name), some))
        groups.append((f"{name}, both in view", [row for row in some if row.figure.soles_seen]))
        kinds = sorted({row.figure.kind for row in some})
        if len(kinds) > 1:
            groups += [
                (f"{name}, {kind}", [row for row in some if row.figure.kind == kind])
                for kind in kinds
            ]
    return [{"class": name, **_sole_row(some)} for name, some in groups if some]


def _sole_row(rows: Sequence[FigureRow]) -> Summary:
    given = [row for row in rows if row.sole_px is not None]
    shares = [100 * (row.sole_px or 0.0) / row.figure.height_px for row in given]
    swapped = sum(bool(row.swapped) for row in given)
    return {
        "figures": len(rows),
        "given": share(len(given), len(rows)),
        "px": spread([row.sole_px for row in given]),
        "percent_of_height": spread(shares),
        "each_px": spread([row.each_sole_px for row in given]),
        "swapped": share(swapped, len(given)),
    }


def facing_table(rows: Sequence[FigureRow]) -> list[Summary]:
    """Errors of the facing, by kind and state, of figures of at least ``FACING_HEIGHT_PX``."""
    known = [
        row
        for row in rows
        if row.found
        and row.picture.camera is not None
        and row.figure.facing_deg is not None
        and row.figure.height_px >= FACING_HEIGHT_PX
    ]
    table = []
    for state in (FigureState.STANDING, FigureState.LYING):
        for kind in sorted({row.figure.kind for row in known}):
            some = [r for r in known if r.figure.kind == kind and r.figure.state == state]
            off = [row.facing_deg for row in some if row.facing_deg is not None]
            if some:
                about = sum(angle > TURNED_ABOUT_DEG for angle in off)
                table.append(
                    {
                        "class": f"{kind}, {state}",
                        "figures": len(some),
                        "given": share(len(off), len(some)),
                        "deg": spread(off),
                        "turned_about": share(about, len(off)),
                    }
                )
    return table


def posture_table(rows: Sequence[FigureRow]) -> list[Summary]:
    """How many that stand and that lie are said to."""
    table = []
    right = total = 0
    for state in (FigureState.STANDING, FigureState.LYING):
        some = [
            row
            for row in rows
            if row.state is not None and row.figure.state == state and row.figure.kind in FIGURES
        ]
        if some:
            same = sum(row.state == state for row in some)
            right, total = right + same, total + len(some)
            table.append(
                {"class": state.value, "figures": len(some), "right": share(same, len(some))}
            )
    if table:
        table.append({"class": "both", "figures": total, "right": share(right, total)})
    return table


def rider_counts(rows: Sequence[FigureRow]) -> Summary | None:
    """How many that were found and ride are said to, and of how many others it is said."""
    known = [row for row in rows if row.state is not None and row.figure.kind in FIGURES]
    riders = [row for row in known if row.figure.state == FigureState.RIDER]
    if not riders:
        return None
    said = [row for row in known if row.state == FigureState.RIDER]
    right = sum(row.figure.state == FigureState.RIDER for row in said)
    return {
        "riders": len(riders),
        "told": right,
        "wrongly": len(said) - right,
        "recall": share(right, len(riders)),
        "precision": share(right, len(said)),
    }
