"""Which surface a figure may stand on: the table or the top of a piece of terrain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import cv2
import numpy as np

from calibration.plane import Calibration
from engine.table import PointMm, Terrain
from vision.detection import Detection

if TYPE_CHECKING:
    from vision.tracking.sighting import Ground

_EDGE_MM = 3.0
_LOOSE_MM = 8.0


def levels_under(
    detection: Detection,
    calibration: Calibration,
    ground: Ground,
    base_height_mm: float,
    terrain: Sequence[Terrain],
) -> list[float]:
    """Heights of the surfaces the detection may stand on, the likeliest first.

    A pixel shows one place on the table and another on each roof that may be under it. A figure is
    on a roof if it stands inside the roof's outline when taken to be that high; the highest such
    roof hides the ones below. Near a roof's edge both answers are kept, since the pixels cannot
    tell.

    Args:
        detection: In pixels.
        calibration: Of its picture.
        ground: Finds the contact at a height.
        base_height_mm: Thickness of the base under the soles.
        terrain: All of it; only what is standable counts.
    """
    inside = -np.inf
    roofs = sorted((t for t in terrain if t.standable), key=lambda t: -t.height_mm)
    sure: list[float] = []
    maybe: list[float] = []
    for roof in roofs:
        contact = ground(detection, calibration, roof.height_mm, base_height_mm)
        if contact.position_mm is None:
            continue
        inside = _inside(roof, contact.position_mm)
        if inside >= _LOOSE_MM:
            sure.append(roof.height_mm)
            break
        if inside >= -_EDGE_MM:
            sure.append(roof.height_mm)
        elif inside >= -_LOOSE_MM:
            maybe.append(roof.height_mm)
    if sure and inside >= _LOOSE_MM:
        return list(dict.fromkeys([*sure[:1], *maybe, *sure[1:]]))
    return list(dict.fromkeys([*sure[:1], 0.0, *maybe, *sure[1:]]))


def _inside(roof: Terrain, point: PointMm) -> float:
    """Distance to the outline in mm, positive inside."""
    outline = np.array(roof.footprint_mm, dtype=np.float32).reshape(-1, 1, 2)
    return float(cv2.pointPolygonTest(outline, (float(point[0]), float(point[1])), True))
