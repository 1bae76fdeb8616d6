"""Small sums on pixel boxes."""

from __future__ import annotations

from collections.abc import Iterable

from vision.detection import BoxPx


def area(box: BoxPx) -> float:
    """Area in square pixels, 0 for an empty box."""
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def overlap(a: BoxPx, b: BoxPx) -> float:
    """Common area in square pixels."""
    return area((max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])))


def iou(a: BoxPx, b: BoxPx) -> float:
    """Common area over joint area, 0 to 1."""
    common = overlap(a, b)
    joint = area(a) + area(b) - common
    return common / joint if joint > 0 else 0.0


def covered(box: BoxPx, others: Iterable[BoxPx]) -> float:
    """Largest share of the box that lies under one of the others, 0 to 1."""
    own = area(box)
    if own <= 0:
        return 0.0
    return max((overlap(box, other) / own for other in others), default=0.0)


def grown(box: BoxPx, margin_px: float) -> BoxPx:
    """The box with a margin on all sides."""
    return (box[0] - margin_px, box[1] - margin_px, box[2] + margin_px, box[3] + margin_px)


def meets(a: BoxPx, b: BoxPx) -> bool:
    """Whether the boxes have a pixel in common."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def joint(a: BoxPx, b: BoxPx) -> BoxPx:
    """Smallest box around both."""
    return (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
