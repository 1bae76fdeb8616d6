"""What the rows of a set of pictures come to."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.evaluation.breakdowns import BREAKDOWNS, LEAST_HEIGHT_PX, counts_of, table_of
from vision.evaluation.matching import Verdict
from vision.evaluation.pose import facing_table, posture_table, rider_counts, sole_table
from vision.evaluation.rows import Part
from vision.evaluation.stats import Summary, share, spread

THRESHOLDS = tuple(round(0.05 * step, 2) for step in range(1, 20))
PRECISIONS = (0.85, 0.9, 0.93, 0.95)


def summarise(part: Part, low: Part | None = None) -> Summary:
    """Everything that is known of a part.

    Args:
        part: As found at the model's threshold.
        low: The same pictures as found at a low threshold, for the curve.
    """
    rows = [row for row in part.figures if row.figure.height_px >= LEAST_HEIGHT_PX]
    false = [row for row in part.finds if row.match.verdict is Verdict.FALSE]
    summary: Summary = {
        "part": part.name,
        "pictures": len(part.pictures),
        **counts_of(rows, len(false)),
        "false_in_10_pictures": round(10 * len(false) / len(part.pictures), 2),
        "on_another_kind": sum(row.match.other_kind for row in false),
    }
    overlaps = [row.overlap for row in rows if row.found]
    if overlaps:
        summary["median_iou"] = round(float(np.median(overlaps)), 3)
    if not _complete(part):
        # Nobody says what the other finds are.
        summary["precision"] = summary["false_in_10_pictures"] = None
        open_finds = sum(row.match.verdict is Verdict.OPEN for row in part.finds)
        summary["other_finds_in_10_pictures"] = round(10 * open_finds / len(part.pictures), 2)
    summary["by"] = {}
    for breakdown in BREAKDOWNS:
        table = table_of(breakdown, part.figures if breakdown.small else rows, false)
        if table:
            summary["by"][breakdown.name] = table
    for name, value in (
        ("soles", sole_table(part.figures)),
        ("facing", facing_table(rows)),
        ("posture", posture_table(rows)),
        ("riders", rider_counts(rows)),
        ("position_mm", spread([row.position_mm for row in rows])),
        ("pairs_mm", spread(part.pairs_mm)),
        ("hands", _hands(part)),
        ("curve", None if low is None else _curve(low)),
    ):
        if value:
            summary[name] = value
    return summary


def each_picture(part: Part) -> list[Summary]:
    """What was found in each picture of a part, one row each."""
    table = []
    for picture in part.pictures:
        rows = [row for row in part.figures if row.picture is picture]
        finds = [row for row in part.finds if row.picture is picture]
        false = sum(row.match.verdict is Verdict.FALSE for row in finds)
        labels = sorted({row.find.label for row in finds if row.match.verdict is Verdict.RIGHT})
        table.append({"picture": picture.name, **counts_of(rows, false), "labels": labels})
    return table


def means(table: Sequence[Summary]) -> Summary:
    """Means over the pictures that show figures; precision over those with finds.

    Args:
        table: As ``each_picture`` gives it.
    """
    result: Summary = {}
    for name in ("recall", "precision"):
        known = [row[name] for row in table if row[name] is not None]
        result[name] = round(float(np.mean(known)), 4) if known else None
    return result


def _complete(part: Part) -> bool:
    return all(picture.complete for picture in part.pictures)


def _hands(part: Part) -> Summary | None:
    if part.hands is None:
        return None
    hands = part.hands
    return {
        "hands": hands.hands,
        "found": hands.found,
        "false": hands.false,
        "recall": share(hands.found, hands.hands),
        "precision": share(hands.found, hands.found + hands.false),
    }


def _curve(low: Part) -> Summary:
    """Recall and precision at several thresholds, and the best recall at some precisions."""
    rows = [row for row in low.figures if row.figure.height_px >= LEAST_HEIGHT_PX]
    found = np.array([row.score or 0.0 for row in rows])
    false = np.array([row.find.score for row in low.finds if row.match.verdict is Verdict.FALSE])
    if not len(found):
        return {}

    def at(threshold: float) -> Summary:
        right, wrong = int((found >= threshold).sum()), int((false >= threshold).sum())
        return {
            "threshold": round(threshold, 4),
            "recall": share(right, len(found)),
            "precision": share(right, right + wrong) if _complete(low) else None,
        }

    best = {}
    every = [at(float(score)) for score in np.unique(found[found > 0])]
    for least in PRECISIONS:
        good = [row for row in every if row["precision"] is not None and row["precision"] >= least]
        if good:
            best[f"{least:g}"] = max(good, key=lambda row: row["recall"])
    return {"points": [at(threshold) for threshold in THRESHOLDS], "at_precision": best}
