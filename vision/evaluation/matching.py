"""Which find is which labelled figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from vision.boxes import areas, as_boxes, iou, shared_areas
from vision.detection import BoxPx, Detection
from vision.evaluation.labelled import LabelledFigure, LabelledPicture, fits

MATCH_IOU = 0.5
HAND_IOU = 0.3
"""Where an arm ends is not as sharp as where a figure does."""
IGNORED_SHARE = 0.5
"""A find of which this share lies in an ignored box counts neither for nor against."""


class Verdict(StrEnum):
    """What a find is worth."""

    RIGHT = "right"
    FALSE = "false"
    OPEN = "open"
    """Neither: nobody says whether there is a figure, or it need not be found."""


@dataclass(frozen=True, slots=True)
class Match:
    """What one find is.

    Attributes:
        verdict: What it is worth.
        figure: Index of the labelled figure it is, for a right one.
        other_kind: A false one lies on a figure of another kind.
    """

    verdict: Verdict
    figure: int | None = None
    other_kind: bool = False


def greedy(overlap: NDArray[np.float64], scores: Sequence[float], least: float) -> list[int | None]:
    """Give each find, best first, the free true box that it overlaps most.

    Args:
        overlap: (N finds, M true boxes), 0 where the two cannot be the same.
        scores: Of the finds, (N,).
        least: Overlap that a pair needs.

    Returns:
        For each find the index of its true box, or None.
    """
    pairs: list[int | None] = [None] * len(scores)
    if not overlap.size:
        return pairs
    free = np.ones(overlap.shape[1], dtype=np.bool_)
    for find in np.argsort(-np.array(scores), kind="stable"):
        row = np.where(free, overlap[find], 0.0)
        best = int(row.argmax())
        if row[best] >= least:
            pairs[int(find)] = best
            free[best] = False
    return pairs


def match(finds: Sequence[Detection], picture: LabelledPicture) -> list[Match]:
    """Judge the finds of a picture.

    A find is right if it is of the kind of a figure that is asked for and overlaps it by an IoU of
    0.5. Those left over are open if they lie on a figure that need not be found, half in an
    ignored box, are of a kind the labels do not cover, or the labels are not complete.

    Args:
        finds: In any order.
        picture: With its labels.

    Returns:
        One for each find.
    """
    boxes = as_boxes([find.box_px for find in finds])
    overlap = iou(boxes, as_boxes([figure.box_px for figure in picture.figures]))
    asked = np.array([figure.asked for figure in picture.figures], dtype=np.bool_)
    scores = [find.score for find in finds]
    pairs = greedy(overlap * (_same_kind(finds, picture.figures) & asked), scores, MATCH_IOU)
    taken = np.array([pair is not None for pair in pairs], dtype=np.bool_)
    left = np.where(taken[:, None] | asked[None], 0.0, overlap)
    unasked = greedy(left, scores, MATCH_IOU)
    ignored = share_inside(boxes, picture.ignore) >= IGNORED_SHARE
    matches: list[Match] = []
    for at, find in enumerate(finds):
        if pairs[at] is not None:
            matches.append(Match(Verdict.RIGHT, pairs[at]))
        elif (
            find.label not in picture.kinds
            or not picture.complete
            or unasked[at] is not None
            or ignored[at]
        ):
            matches.append(Match(Verdict.OPEN))
        else:
            matches.append(Match(Verdict.FALSE, None, _on_other_kind(find, overlap[at], picture)))
    return matches


def share_inside(boxes: NDArray[np.float64], areas_px: Sequence[BoxPx]) -> NDArray[np.float64]:
    """Largest share of each box that lies in one of some areas, (N,).

    Args:
        boxes: (N, 4).
        areas_px: None give 0.
    """
    if not areas_px:
        return np.zeros(len(boxes))
    shared = shared_areas(boxes, as_boxes(list(areas_px))).max(axis=1)
    return np.asarray(shared / np.maximum(areas(boxes), 1e-9))


def _same_kind(finds: Sequence[Detection], figures: Sequence[LabelledFigure]) -> NDArray[np.bool_]:
    same = [[fits(find.label, figure.kind) for figure in figures] for find in finds]
    return np.array(same, dtype=np.bool_).reshape(len(finds), len(figures))


def _on_other_kind(find: Detection, overlap: NDArray[np.float64], picture: LabelledPicture) -> bool:
    return any(
        share >= MATCH_IOU and not fits(find.label, figure.kind)
        for share, figure in zip(overlap, picture.figures, strict=True)
    )
