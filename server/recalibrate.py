"""A calibration from what somebody did on the page."""

from __future__ import annotations

import numpy as np

from calibration.calibrate import calibrate
from calibration.errors import NotFound
from calibration.plane import Calibration
from calibration.points import PointPairs, calibrate_points
from server.schema import CalibrateBody
from server.tabletop import with_edges
from vision.frames import Image


def recalibrated(body: CalibrateBody, image: Image, old: Calibration | None) -> Calibration:
    """The calibration that the page asks for.

    Args:
        body: What was dragged and typed.
        image: The newest picture, (H, W, 3) BGR.
        old: The calibration so far.

    Raises:
        calibration.errors.NotFound: No reference is in the picture.
        calibration.errors.BadReference: The points contradict each other.
    """
    size = image.shape[1], image.shape[0]
    if body.reference is not None:
        return calibrate(image, reference="studs", table_size_mm=body.size_mm)
    if body.points is not None:
        pairs = PointPairs(
            np.array([point.px for point in body.points]),
            np.array([point.mm for point in body.points]),
        )
        return calibrate_points(pairs, size, table_size_mm=body.size_mm)
    corners = body.corners_px or []
    if body.size_mm is None:
        if old is None:
            raise NotFound("without a scale yet, type the table's width and depth as well")
        return with_edges(old, corners)
    width, depth = body.size_mm
    places = np.array([(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)])
    return calibrate_points(
        PointPairs(np.array(corners), places, "corners"), size, table_size_mm=body.size_mm
    )
