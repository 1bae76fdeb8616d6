"""Square tiles that cover a picture at several scales, and the merge of what they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.boxes import Boxes, areas, as_boxes, iou, shared_areas
from vision.detection import BoxPx

OVERLAP_PX = 96
BORDER_PX = 2.0
"""A box nearer than this to a tile's edge is taken to be cut by it."""
FILLING = 0.6
"""A figure that fills more of a tile's side than this is seen better at the next coarser scale."""
PART_SHARE, PART_SIZE, PART_SCORE = 0.8, 1.5, 0.6
"""A box of which this share lies in one this many times as large, whose score is at least this
share of its own, is a part of that one: a chest seen from near passes for a figure itself."""
CONTAINED = 0.6
"""A box of which this share lies in a better one is a part of the same thing."""


@dataclass(frozen=True, slots=True)
class Tile:
    """One square of a shrunken picture.

    Attributes:
        level: The picture is shrunk by 2 to this power; at -1 it is magnified twice.
        x: Left edge in the shrunken picture, px.
        y: Upper edge in the shrunken picture, px.
        cut: Whether the left, upper, right and lower edge cuts through the picture.
    """

    level: int
    x: int
    y: int
    cut: tuple[bool, bool, bool, bool]


def level_size(size_px: tuple[int, int], level: int) -> tuple[int, int]:
    """Width and height of the picture shrunk by 2 to the level."""
    scale = 2.0**level
    return max(1, round(size_px[0] / scale)), max(1, round(size_px[1] / scale))


def starts(length: int, tile: int, overlap: int) -> list[int]:
    """Where tiles begin along one side so that neighbours share at least the overlap.

    Args:
        length: Of the side, px.
        tile: Side of a tile, px.
        overlap: Less than the tile, px.
    """
    if length <= tile:
        return [0]
    count = -(-(length - overlap) // (tile - overlap))
    return [index * (length - tile) // (count - 1) for index in range(count)]


def plan(
    size_px: tuple[int, int],
    tile: int,
    overlap: int = OVERLAP_PX,
    regions: Sequence[BoxPx] | None = None,
) -> list[Tile]:
    """Tiles from native scale to the scale at which one tile holds the whole picture with room.

    Anything up to ``overlap`` times 2^level in size lies whole in a tile of that level.

    Args:
        size_px: Width and height of the picture.
        tile: Side of a tile, px.
        overlap: That neighbours share at least, px.
        regions: Only tiles that meet one of these boxes, at the scales that its size calls for.
            A region that fits into one tile gets one around it. None covers everything.
    """
    tiles: list[Tile] = []
    level = 0
    while True:
        size = level_size(size_px, level)
        grid = [
            _tile(level, x, y, tile, size)
            for y in starts(size[1], tile, overlap)
            for x in starts(size[0], tile, overlap)
        ]
        if regions is None:
            tiles += grid
        else:
            tiles += _meeting(grid, regions, level, tile, overlap, size)
        if len(grid) == 1 and min(size) <= FILLING * tile:
            return tiles
        level += 1


def magnified(
    size_px: tuple[int, int],
    tile: int,
    overlap: int = OVERLAP_PX,
    regions: Sequence[BoxPx] | None = None,
) -> list[Tile]:
    """Tiles of the picture at twice its size, for figures too small to be seen well without.

    Args:
        size_px: Width and height of the picture.
        tile: Side of a tile, px, even.
        overlap: That neighbours share at least, px.
        regions: Only tiles that meet one of these boxes, or one around each that fits into one.
            None covers everything.
    """
    size = level_size(size_px, -1)
    grid = [
        _tile(-1, x - x % 2, y - y % 2, tile, size)
        for y in starts(size[1], tile, overlap)
        for x in starts(size[0], tile, overlap)
    ]
    if regions is None:
        return grid
    return [
        _tile(-1, t.x - t.x % 2, t.y - t.y % 2, tile, size)
        for t in _meeting(grid, regions, -1, tile, overlap, size)
    ]


def _tile(level: int, x: int, y: int, tile: int, size: tuple[int, int]) -> Tile:
    cut = (x > 0, y > 0, x + tile < size[0], y + tile < size[1])
    return Tile(level, x, y, cut)


def _meeting(
    grid: list[Tile],
    regions: Sequence[BoxPx],
    level: int,
    tile: int,
    overlap: int,
    size: tuple[int, int],
) -> list[Tile]:
    """Tiles of one level for the regions, each once."""
    scale = 2.0**level
    wanted: dict[Tile, None] = {}
    for region in regions:
        x0, y0, x1, y1 = (edge / scale for edge in region)
        side = max(x1 - x0, y1 - y0)
        if level > 0 and side * 2 <= overlap:
            continue  # the finer level holds anything in it whole
        if side <= tile - overlap:
            x = _around((x0 + x1) / 2, tile, size[0])
            y = _around((y0 + y1) / 2, tile, size[1])
            wanted[_tile(level, x, y, tile, size)] = None
        else:
            for place in grid:
                if place.x < x1 and x0 < place.x + tile and place.y < y1 and y0 < place.y + tile:
                    wanted[place] = None
    return list(wanted)


def _around(centre: float, tile: int, length: int) -> int:
    return max(0, min(round(centre - tile / 2), length - tile))


def cut_off(boxes: Boxes, tile: Tile, side: int) -> NDArray[np.bool_]:
    """Which boxes a tile cuts.

    Args:
        boxes: In pixels of the tile, (N, 4).
        tile: The tile.
        side: Its side, px.

    Returns:
        (N,).
    """
    left, upper, right, lower = tile.cut
    cut = np.zeros(len(boxes), dtype=np.bool_)
    cut |= left & (boxes[:, 0] < BORDER_PX)
    cut |= upper & (boxes[:, 1] < BORDER_PX)
    cut |= right & (boxes[:, 2] > side - BORDER_PX)
    cut |= lower & (boxes[:, 3] > side - BORDER_PX)
    return cut


def suppress(
    boxes: Boxes,
    scores: NDArray[np.float64],
    limit: float,
    families: NDArray[np.intp] | None = None,
) -> NDArray[np.intp]:
    """Plain non-maximum suppression.

    Args:
        boxes: (N, 4).
        scores: (N,).
        limit: Boxes that overlap a better one by more than this IoU go.
        families: (N,) boxes of different families never do; None for one family.

    Returns:
        Indices of those kept, best first.
    """
    order = np.argsort(-scores, kind="stable")
    same = iou(boxes[order], boxes[order]) > limit
    if families is not None:
        same &= families[order][:, None] == families[order][None]
    alive = np.ones(len(order), dtype=np.bool_)
    for at in range(len(order)):
        if alive[at]:
            alive[at + 1 :] &= ~same[at, at + 1 :]
    return order[alive]


def groups(
    boxes: Boxes,
    scores: NDArray[np.float64],
    cut: NDArray[np.bool_],
    limit: float,
    kinds: NDArray[np.intp] | None = None,
    crowded: bool = False,
) -> list[list[int]]:
    """Which boxes of different tiles and scales are the same thing.

    Whole boxes come before cut ones, and a box that is part of a much larger whole one comes after
    it, whatever the scores. A box joins the first leader that it overlaps by more than the limit,
    or that holds most of it, or, if it is cut, of which it holds most. A whole box of another kind
    is not part of what holds it: a small figure may stand before a large one. Where things crowd,
    no whole box is a part of another.

    Args:
        boxes: In pixels of the picture, (N, 4).
        scores: (N,).
        cut: Whether a tile's edge cut the box, (N,).
        limit: IoU.
        kinds: (N,), None where all are of one kind.
        crowded: Whether a whole box in another may be a thing of its own.

    Returns:
        Groups of indices, the leader first, best group first; a group led by a cut box has no
        whole box.
    """
    if not len(boxes):
        return []
    overlap, shared, sizes = iou(boxes, boxes), shared_areas(boxes, boxes), areas(boxes)
    parts = _parts(shared, sizes, scores, cut, kinds) & (not crowded)
    order = [int(at) for at in np.lexsort((-scores, parts, cut))]
    found: list[list[int]] = []
    for at in order:
        for group in found:
            leader = group[0]
            alike = not crowded and (kinds is None or kinds[at] == kinds[leader])
            alike = alike or bool(cut[at])
            inside = alike and shared[at, leader] > CONTAINED * sizes[at]
            around = bool(cut[at]) and shared[at, leader] > CONTAINED * sizes[leader]
            if overlap[at, leader] > limit or inside or around:
                group.append(at)
                break
        else:
            found.append([at])
    return found


def _parts(
    shared: NDArray[np.float64],
    sizes: NDArray[np.float64],
    scores: NDArray[np.float64],
    cut: NDArray[np.bool_],
    kinds: NDArray[np.intp] | None,
) -> NDArray[np.bool_]:
    """Which boxes are part of a much larger whole one of their kind, (N,)."""
    held = shared > PART_SHARE * sizes[:, None]
    held &= sizes[None] > PART_SIZE * sizes[:, None]
    held &= scores[None] > PART_SCORE * scores[:, None]
    held &= ~cut[None]
    if kinds is not None:
        held &= kinds[:, None] == kinds[None]
    return np.asarray(held.any(axis=1))


def in_regions(boxes: Boxes, regions: Sequence[BoxPx]) -> NDArray[np.bool_]:
    """Which boxes meet one of the regions, (N,)."""
    return np.asarray((shared_areas(boxes, as_boxes(list(regions))) > 0).any(axis=1))
