"""The loss of where the second look puts boxes and keypoints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vision.training.labels import KEYPOINTS
from vision.training.loss import place_loss

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOX_GAIN, POINT_GAIN = 1.0, 1.0
"""Weights of the losses of boxes and keypoints against that of the kinds."""


def edges(places: Any) -> Any:
    """Edges x0, y0, x1, y1 of boxes told as middle (from the square's) and logarithms of sides."""
    import torch

    middle = places[:, :2] + 0.5
    half = torch.exp(places[:, 2:4].clamp(-6, 2)) / 2
    return torch.cat([middle - half, middle + half], 1)


def where_loss(places: Any, boxes: NDArray[np.float32], points: NDArray[np.float32]) -> Any:
    """Return the loss of boxes and keypoints, of those that are known.

    Args:
        places: (B, PLACES).
        boxes: (B, 4) true, in sides of the view; not a number where unknown.
        points: (B, K, 3) true likewise.
    """
    import torch

    there = np.isfinite(boxes.sum(1))
    if not there.any():
        return places.sum() * 0
    truth, told = torch.from_numpy(boxes[there]), edges(places)[there]
    low, high = torch.maximum(truth[:, :2], told[:, :2]), torch.minimum(truth[:, 2:], told[:, 2:])
    sides, own = truth[:, 2:] - truth[:, :2], told[:, 2:] - told[:, :2]
    shared = (high - low).clamp(min=0).prod(1)
    overlap = shared / (sides.prod(1) + own.prod(1) - shared)
    off = ((told - truth) / sides.repeat(1, 2)).abs().mean(1)
    loss = BOX_GAIN * ((1 - overlap) + off.clamp(max=1)).mean()
    known = (points[..., 2] > 0) & there[:, None]
    whole = known.any(1)
    if whole.any():
        put = places[whole, 4:].reshape(-1, len(KEYPOINTS), 2) + 0.5
        side = torch.from_numpy(boxes[whole])
        root = (side[:, 2:] - side[:, :2]).clamp(min=0.02).prod(1).sqrt()
        right, mask = torch.from_numpy(points[whole]), torch.from_numpy(known[whole]).float()
        loss = loss + POINT_GAIN * place_loss(put, right, mask, torch.ones(len(root)), root)
    return loss
