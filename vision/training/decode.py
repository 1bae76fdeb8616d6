"""From the network's raw output to what it shows, and the tiled scan of a whole picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.training.labels import FAMILIES, KEYPOINTS
from vision.training.pictures import shrunk

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Network = Callable[[NDArray[np.float32]], NDArray[np.float32]]

TILE_PX = 320
OVERLAP = 0.3
NMS_IOU = 0.5
CONTAINED = 0.75
"""A box of which this share lies in a better one is the same figure cut by a tile's edge."""


@dataclass(frozen=True, slots=True)
class Found:
    """What is found in one picture, best first.

    Attributes:
        kinds: (N,) index into ``KINDS``.
        scores: (N,) float32 0..1.
        boxes: (N, 4) float32 x0 y0 x1 y1, edge-based pixels.
        points: (N, 5, 3) float32 x y and the chance that the point is seen.
    """

    kinds: NDArray[np.int64]
    scores: NDArray[np.float32]
    boxes: NDArray[np.float32]
    points: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.scores)

    def take(self, keep: NDArray[np.bool_] | NDArray[np.int64] | list[int]) -> Found:
        """Return some of the figures."""
        return Found(self.kinds[keep], self.scores[keep], self.boxes[keep], self.points[keep])


def decode(output: NDArray[np.float32], floor: float) -> Found:
    """Read one picture's raw output.

    Args:
        output: (4 + K + 15, A): centre x, centre y, width, height, score of each of the first K
            kinds, then x, y, seen of each point.
        floor: lowest score kept.

    Returns:
        The candidates before any suppression. A candidate is of its likeliest kind, its score what
        the kinds of that family have together: a figure of which the network cannot say whether
        it is a minifigure or a Playmobil one is a figure nevertheless.
    """
    count = len(output) - 4 - 3 * len(KEYPOINTS)
    families = FAMILIES[:count]
    every = output[4 : 4 + count]
    together = np.stack([every[families == family].sum(axis=0) for family in families])
    kinds = every.argmax(axis=0)
    scores = np.minimum(np.take_along_axis(together, kinds[None], axis=0)[0], 1)
    keep = scores >= floor
    rows = output[:, keep].T
    halves = rows[:, 2:4] / 2
    boxes = np.hstack([rows[:, :2] - halves, rows[:, :2] + halves]).astype(np.float32)
    points = rows[:, 4 + count :].reshape(-1, len(KEYPOINTS), 3)
    return Found(kinds[keep], scores[keep].astype(np.float32), boxes, points)


def overlaps(boxes: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the shared area of every pair of boxes, (N, M) square pixels."""
    low = np.maximum(boxes[:, None, :2], others[None, :, :2])
    high = np.minimum(boxes[:, None, 2:], others[None, :, 2:])
    return np.asarray(np.clip(high - low, 0, None).prod(axis=2), np.float32)


def iou(boxes: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return intersection over union of every pair of boxes, (N, M)."""
    shared = overlaps(boxes, others)
    areas = (boxes[:, 2:] - boxes[:, :2]).prod(axis=1)
    other_areas = (others[:, 2:] - others[:, :2]).prod(axis=1)
    union = areas[:, None] + other_areas[None] - shared
    return np.asarray(shared / np.maximum(union, 1e-6), np.float32)


def suppress(found: Found, contained: bool) -> Found:
    """Keep the best of boxes that show the same thing: never a hand and a figure.

    Args:
        found: candidates in any order.
        contained: whether a box inside a better one of its kind goes too (between tiles, where a
            figure may be cut, but not within one).
    """
    found = found.take(np.argsort(-found.scores, kind="stable"))
    if not len(found):
        return found
    shared = overlaps(found.boxes, found.boxes)
    areas = (found.boxes[:, 2:] - found.boxes[:, :2]).prod(axis=1)
    union = areas[:, None] + areas[None] - shared
    same = shared > NMS_IOU * union
    if contained:
        alike = found.kinds[:, None] == found.kinds[None]
        same |= alike & (shared > CONTAINED * np.minimum(areas[:, None], areas[None]))
    families = FAMILIES[found.kinds]
    same &= families[:, None] == families[None]
    alive = np.ones(len(found), np.bool_)
    for i in range(len(found)):
        if alive[i]:
            later = np.arange(len(found)) > i
            alive &= ~(same[i] & later)
    return found.take(alive)


def tile_starts(length: int) -> list[int]:
    """Return where tiles begin along a side, evenly spread with at least the set overlap."""
    if length <= TILE_PX:
        return [0]
    count = int(np.ceil((length - TILE_PX) / (TILE_PX * (1 - OVERLAP)))) + 1
    return [round(float(start)) for start in np.linspace(0, length - TILE_PX, count)]


def to_input(tiles: list[Picture]) -> NDArray[np.float32]:
    """Stack BGR tiles, smaller ones padded with grey, as (B, 3, 320, 320) RGB 0..1."""
    batch = np.full((len(tiles), TILE_PX, TILE_PX, 3), 114, np.uint8)
    for place, tile in zip(batch, tiles, strict=True):
        place[: tile.shape[0], : tile.shape[1]] = tile
    rgb = batch[..., ::-1].transpose(0, 3, 1, 2)
    return np.ascontiguousarray(rgb, np.float32) / np.float32(255)


def _inner_cut(found: Found, x: int, y: int, width: int, height: int) -> NDArray[np.bool_]:
    """Return which boxes are cut by a tile's side that is not the picture's side."""
    near = 2.0
    boxes = found.boxes
    left = (boxes[:, 0] < near) & (x > 0)
    top = (boxes[:, 1] < near) & (y > 0)
    right = (boxes[:, 2] > TILE_PX - near) & (x + TILE_PX < width)
    bottom = (boxes[:, 3] > TILE_PX - near) & (y + TILE_PX < height)
    return np.asarray(left | top | right | bottom, np.bool_)


def scan(
    network: Network, image: Picture, floor: float, scales: tuple[float, ...] = (1.0, 0.5)
) -> Found:
    """Look for figures in all tiles of a picture at several scales.

    Args:
        network: (B, 3, 320, 320) to (B, rows, A).
        image: (H, W, 3) uint8 BGR.
        floor: lowest score kept.
        scales: magnifications at which the picture is tiled.

    Returns:
        The figures in the picture's own pixels.
    """
    parts: list[Found] = []
    for scale in scales:
        small = image if scale == 1.0 else shrunk(image, scale)
        height, width = small.shape[:2]
        places = [(x, y) for y in tile_starts(height) for x in tile_starts(width)]
        tiles = [small[y : y + TILE_PX, x : x + TILE_PX] for x, y in places]
        outputs = network(to_input(tiles))
        ratio = np.array([image.shape[1] / width, image.shape[0] / height], np.float32)
        for (x, y), output in zip(places, outputs, strict=True):
            found = suppress(decode(output, floor), contained=False)
            found = found.take(~_inner_cut(found, x, y, width, height))
            move = np.array([x, y], np.float32)
            boxes = (found.boxes.reshape(-1, 2, 2) + move) * ratio
            points = found.points.copy()
            points[..., :2] = (points[..., :2] + move) * ratio
            parts.append(Found(found.kinds, found.scores, boxes.reshape(-1, 4), points))
    every = Found(
        np.concatenate([part.kinds for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.boxes for part in parts]),
        np.concatenate([part.points for part in parts]),
    )
    return suppress(every, contained=True)
