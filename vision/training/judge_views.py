"""What the second look is shown in training: random views of crops, with the places in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.training.labels import FLIP

if TYPE_CHECKING:
    from numpy.random import Generator
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Affine:
    """How views lie in their crops, both measured from their middles in halves of a side.

    Attributes:
        crop_A_view: (B, 2, 2) float64.
        shift: (B, 2) float64, the middle of the view in the crop.
        mirrored: (B,) whether left and right are exchanged.
    """

    crop_A_view: Floats
    shift: Floats
    mirrored: NDArray[np.bool_]


def random_affine(rng: Generator, count: int, part: float) -> Affine:
    """Slightly shifted, scaled and turned, mirrored: not so far that a good find becomes a bad one.

    Args:
        rng: source of randomness.
        count: how many.
        part: side of a view in that of its crop, if it is not scaled.
    """
    scale = part * np.exp(rng.normal(0, 0.07, count)).clip(0.8, 1.25)
    turn = np.where(rng.random(count) < 0.5, rng.normal(0, 0.08, count), 0)
    mirrored = rng.random(count) < 0.5
    flip = np.where(mirrored, -1.0, 1.0)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    matrix = np.stack([np.stack([flip * cos, -sin], 1), np.stack([flip * sin, cos], 1)], 1)
    return Affine(matrix, rng.normal(0, 0.035, (count, 2)), mirrored)


def carried(
    affine: Affine, boxes: NDArray[np.float32], points: NDArray[np.float32]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Carry boxes and points from crops into views.

    Args:
        affine: of the views.
        boxes: (B, 4) in sides of the crop from its upper left corner.
        points: (B, K, 3) likewise, and visibility.

    Returns:
        The same in sides of the view; a turned box is the box of the turned ellipse inside it.
    """
    view_A_crop = np.linalg.inv(affine.crop_A_view)

    def moved(places: Floats) -> Floats:
        inside = (2 * places - 1) - affine.shift[:, None]
        return np.asarray((np.einsum("bij,bkj->bki", view_A_crop, inside) + 1) / 2)

    corners = boxes.reshape(-1, 2, 2).astype(np.float64)
    middle = moved(corners.mean(1, keepdims=True))[:, 0]
    halves = (corners[:, 1] - corners[:, 0]) / 2
    reach = np.sqrt(np.einsum("bij,bj->bi", view_A_crop**2, halves**2))
    fresh = np.concatenate([moved(points[..., :2].astype(np.float64)), points[..., 2:]], 2)
    fresh[affine.mirrored] = fresh[affine.mirrored][:, list(FLIP)]
    return (
        np.hstack([middle - reach, middle + reach]).astype(np.float32),
        fresh.astype(np.float32),
    )


def seen(squares: Any, affine: Affine, side: int, rng: Generator) -> Any:
    """Cut recoloured views out of crops.

    Args:
        squares: (B, S, S, 3) uint8 BGR tensor.
        affine: of the views.
        side: of a view in pixels.
        rng: source of randomness.

    Returns:
        (B, 3, side, side) float RGB 0 to 1.
    """
    import torch

    count = len(squares)
    whole = squares.permute(0, 3, 1, 2).flip(1).float() / 255
    theta = np.concatenate([affine.crop_A_view, affine.shift[..., None]], 2)
    grid = torch.nn.functional.affine_grid(
        torch.from_numpy(theta).float(), [count, 3, side, side], align_corners=False
    )
    view = torch.nn.functional.grid_sample(
        whole, grid, mode="bilinear", padding_mode="border", align_corners=False
    )
    gain = torch.from_numpy(np.exp(rng.normal(0, 0.35, (count, 1, 1, 1)))).float()
    tint = torch.from_numpy(np.exp(rng.normal(0, 0.07, (count, 3, 1, 1)))).float()
    grey = view.mean(1, keepdim=True)
    colour = torch.from_numpy(rng.uniform(0.4, 1.4, (count, 1, 1, 1))).float()
    view = (grey + (view - grey) * colour) * gain * tint
    noise = torch.from_numpy(np.where(rng.random(count) < 0.4, rng.uniform(0, 0.04, count), 0))
    view = view + torch.randn(view.shape) * noise.float()[:, None, None, None]
    return view.clamp(0, 1)
