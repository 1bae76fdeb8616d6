"""Compare found figures with the truth."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.families import KINDS
from vision.training.decode import Found, iou
from vision.training.labels import FAMILIES

if TYPE_CHECKING:
    from vision.training.labels import Labels

BUCKETS = (0, 20, 30, 45, 70, 110, 180, 10_000)
"""Limits of the height classes in pixels."""
MATCH_IOU = 0.5
HAND_IOU = 0.3
"""Where an arm ends is not as sharp as where a figure does."""
FIGURES = FAMILIES[KINDS.index("minifig")]
HANDS = FAMILIES[KINDS.index("hand")]


def match(found: Found, labels: Labels) -> list[int]:
    """Give each find, best first, the free truth of its family that it overlaps most.

    Returns:
        For each find the index of its truth, or -1.
    """
    pairs = [-1] * len(found)
    if not len(labels):
        return pairs
    families, others = FAMILIES[found.kinds], FAMILIES[labels.kinds]
    table = np.where(
        families[:, None] == others[None], iou(found.boxes, labels.boxes), np.float32(0)
    )
    free = np.ones(len(labels), np.bool_)
    for i in np.argsort(-found.scores, kind="stable"):
        row = np.where(free, table[i], 0)
        best = int(np.argmax(row))
        if row[best] >= (HAND_IOU if families[i] == HANDS else MATCH_IOU):
            pairs[int(i)] = best
            free[best] = False
    return pairs


@dataclass(slots=True)
class Tally:
    """Everything needed to report on a set of pictures at any threshold.

    Attributes:
        finds: of every find its kind, its score, and 1 if it matched a true one of its family.
        truths: of every true one its kind, box height in px, the score with which it was found
            (0 if never), and 1 if that was under its own label.
        soles: per matched figure with both soles known: score, height, error of the middle,
            errors of left and right, all px, and 1 if left and right are swapped.
    """

    finds: list[tuple[int, float, float]] = field(default_factory=list)
    truths: list[tuple[int, float, float, float]] = field(default_factory=list)
    soles: list[tuple[float, float, float, float, float, float]] = field(default_factory=list)

    def add(self, found: Found, labels: Labels) -> None:
        """Count one picture."""
        heights = labels.boxes[:, 3] - labels.boxes[:, 1]
        owners, named = [0.0] * len(labels), [0.0] * len(labels)
        for i, truth in enumerate(match(found, labels)):
            kind, score = int(found.kinds[i]), float(found.scores[i])
            self.finds.append((kind, score, float(truth >= 0)))
            if truth < 0:
                continue
            owners[truth] = score
            named[truth] = float(kind == labels.kinds[truth])
            real = labels.points[truth, :2]
            if FAMILIES[kind] == FIGURES and (real[:, 2] > 0).all():
                own = found.points[i, :2, :2]
                middle = float(np.linalg.norm(own.mean(0) - real[:, :2].mean(0)))
                left, right = np.linalg.norm(own - real[:, :2], axis=1)
                crossed = np.linalg.norm(own[::-1] - real[:, :2], axis=1).sum()
                swapped = float(crossed < left + right)
                row = (score, float(heights[truth]), middle, float(left), float(right), swapped)
                self.soles.append(row)
        self.truths += [
            (int(kind), float(height), owner, right)
            for kind, height, owner, right in zip(labels.kinds, heights, owners, named, strict=True)
        ]

    def precision(self, threshold: float) -> float:
        """Return the share of right ones among the figures found at a threshold; 1 if none."""
        return _precision([find for find in self.finds if _is_figure(find[0])], threshold)

    def recall(self, threshold: float) -> float:
        """Return the share of true figures found at a threshold; 1 if there are none."""
        owners = [truth[2] for truth in self.truths if _is_figure(truth[0])]
        return float(np.mean(np.array(owners) >= threshold)) if owners else 1.0

    def report(self, threshold: float) -> dict[str, Any]:
        """Return the numbers of a model card at a threshold: of all figures, then by kind."""
        truths = np.array([t for t in self.truths if _is_figure(t[0])]).reshape(-1, 4)
        buckets: dict[str, Any] = {}
        for low, high in itertools.pairwise(BUCKETS):
            inside = (truths[:, 1] >= low) & (truths[:, 1] < high)
            if inside.any():
                name = f"{low}-{high}" if high < BUCKETS[-1] else f"{low}+"
                recall = float(np.mean(truths[inside, 2] >= threshold))
                buckets[name] = {"figures": int(inside.sum()), "recall": round(recall, 3)}
        document: dict[str, Any] = {
            "figures": len(truths),
            "recall": round(self.recall(threshold), 3),
            "precision": round(self.precision(threshold), 3),
            "by_height_px": buckets,
        }
        kinds = self._by_kind(threshold)
        if set(kinds) - {KINDS[0]}:
            document["by_kind"] = kinds
        rows = np.array([row for row in self.soles if row[0] >= threshold])
        if len(rows):
            document["soles"] = _soles(rows)
            document["soles"]["by_height_px"] = {
                f"{low}-{high}": _soles(rows[inside])
                for low, high in itertools.pairwise(BUCKETS)
                if (inside := (rows[:, 1] >= low) & (rows[:, 1] < high)).any()
            }
        return document

    def _by_kind(self, threshold: float) -> dict[str, Any]:
        """Return for each kind that occurs: how many, recall, precision, share rightly named."""
        document: dict[str, Any] = {}
        for number, kind in enumerate(KINDS):
            finds = [f for f in self.finds if f[0] == number and f[1] >= threshold]
            truths = np.array([t for t in self.truths if t[0] == number]).reshape(-1, 4)
            if not finds and not len(truths):
                continue
            met = truths[truths[:, 2] >= threshold]
            document[kind] = {
                "count": len(truths),
                "recall": round(len(met) / len(truths), 3) if len(truths) else None,
                "precision": round(_precision(finds, threshold), 3),
                "named_right": round(float(met[:, 3].mean()), 3) if len(met) else None,
            }
        return document


def _is_figure(kind: int) -> bool:
    return bool(FAMILIES[kind] == FIGURES)


def _precision(finds: list[tuple[int, float, float]], threshold: float) -> float:
    """Return the share of right ones among finds at a threshold; 1 if none."""
    passed = [right for _, score, right in finds if score >= threshold]
    return sum(passed) / len(passed) if passed else 1.0


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
