"""Compare found figures with the truth."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.training.decode import Found, iou

if TYPE_CHECKING:
    from vision.training.labels import Labels

BUCKETS = (0, 20, 30, 45, 70, 110, 180, 10_000)
"""Limits of the height classes in pixels."""
MATCH_IOU = 0.5


def match(found: Found, labels: Labels) -> list[int]:
    """Give each found figure, best first, the free true figure it overlaps most.

    Returns:
        For each found figure the index of its truth, or -1.
    """
    pairs = [-1] * len(found)
    if not len(labels):
        return pairs
    table = iou(found.boxes, labels.boxes)
    free = np.ones(len(labels), np.bool_)
    for i in np.argsort(-found.scores, kind="stable"):
        row = np.where(free, table[i], 0)
        best = int(np.argmax(row))
        if row[best] >= MATCH_IOU:
            pairs[int(i)] = best
            free[best] = False
    return pairs


@dataclass(slots=True)
class Tally:
    """Everything needed to report on a set of pictures at any threshold.

    Attributes:
        scores: score of every found figure.
        right: whether it matched a true one.
        heights: box height of every true figure, in order of ``owners``.
        owners: score with which each true figure was found, 0 if never.
        soles: per matched figure with both soles known: score, height, error of the middle,
            errors of left and right, all px, and 1 if left and right are swapped.
    """

    scores: list[float] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    owners: list[float] = field(default_factory=list)
    soles: list[tuple[float, float, float, float, float, float]] = field(default_factory=list)

    def add(self, found: Found, labels: Labels) -> None:
        """Count one picture."""
        pairs = match(found, labels)
        heights = labels.boxes[:, 3] - labels.boxes[:, 1]
        owners = [0.0] * len(labels)
        for i, truth in enumerate(pairs):
            score = float(found.scores[i])
            self.scores.append(score)
            self.right.append(truth >= 0)
            if truth < 0:
                continue
            owners[truth] = score
            real = labels.points[truth, :2]
            if (real[:, 2] > 0).all():
                own = found.points[i, :2, :2]
                middle = float(np.linalg.norm(own.mean(0) - real[:, :2].mean(0)))
                left, right = np.linalg.norm(own - real[:, :2], axis=1)
                crossed = np.linalg.norm(own[::-1] - real[:, :2], axis=1).sum()
                swapped = float(crossed < left + right)
                row = (score, float(heights[truth]), middle, float(left), float(right), swapped)
                self.soles.append(row)
        self.heights += [float(h) for h in heights]
        self.owners += owners

    def precision(self, threshold: float) -> float:
        """Return the share of right ones among those found at a threshold; 1 if none."""
        passed = [r for s, r in zip(self.scores, self.right, strict=True) if s >= threshold]
        return sum(passed) / len(passed) if passed else 1.0

    def recall(self, threshold: float) -> float:
        """Return the share of true figures found at a threshold; 1 if there are none."""
        return float(np.mean(np.array(self.owners) >= threshold)) if self.owners else 1.0

    def report(self, threshold: float) -> dict[str, Any]:
        """Return the figures of a model card at a threshold."""
        owners, heights = np.array(self.owners), np.array(self.heights)
        buckets: dict[str, Any] = {}
        for low, high in itertools.pairwise(BUCKETS):
            inside = (heights >= low) & (heights < high)
            if inside.any():
                name = f"{low}-{high}" if high < BUCKETS[-1] else f"{low}+"
                recall = float(np.mean(owners[inside] >= threshold))
                buckets[name] = {"figures": int(inside.sum()), "recall": round(recall, 3)}
        document: dict[str, Any] = {
            "figures": len(owners),
            "recall": round(self.recall(threshold), 3),
            "precision": round(self.precision(threshold), 3),
            "by_height_px": buckets,
        }
        rows = np.array([row for row in self.soles if row[0] >= threshold])
        if len(rows):
            document["soles"] = _soles(rows)
            document["soles"]["by_height_px"] = {
                f"{low}-{high}": _soles(rows[inside])
                for low, high in itertools.pairwise(BUCKETS)
                if (inside := (rows[:, 1] >= low) & (rows[:, 1] < high)).any()
            }
        return document


def _soles(rows: Any) -> dict[str, Any]:
    """Return sole errors of (N, 6) rows as in ``Tally.soles``."""
    each = rows[:, 3:5].mean(axis=1)
    return {
        "figures": len(rows),
        "middle_px_median": round(float(np.median(rows[:, 2])), 2),
        "middle_px_p95": round(float(np.percentile(rows[:, 2], 95)), 2),
        "middle_percent_of_height_median": round(
            float(np.median(100 * rows[:, 2] / rows[:, 1])), 2
        ),
        "each_px_median": round(float(np.median(each)), 2),
        "each_percent_of_height_median": round(float(np.median(100 * each / rows[:, 1])), 2),
        "left_right_swapped": round(float(rows[:, 5].mean()), 4),
    }


def choose_threshold(tallies: list[Tally], precision: float = 0.9) -> float:
    """Return the lowest threshold (step 0.01) at which every set has the precision.

    Args:
        tallies: validation sets, never those kept apart.
        precision: the least share of right ones.
    """
    for step in range(10, 90):
        threshold = step / 100
        if all(tally.precision(threshold) >= precision for tally in tallies):
            return threshold
    return 0.9
