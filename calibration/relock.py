"""The table found again after the camera was moved, by the same points of its surface."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.fit import Freedom, fit_camera
from calibration.plane import Calibration
from calibration.watch import Grey, background_points, follow

_POINTS: Final = 480
_FEWEST: Final = 24
_SHARE: Final = 0.5
_NEAR_PX: Final = 1.5
_SPREAD: Final = 0.02
"""Least part of the picture that the points have to span."""
_MARGIN: Final = 1.15
_WINDOW: Final = (31, 31)
_PROBE_MM: Final = 8.0
_PROBES: Final = 20_000
"""So many pixels of a picture of any size tell how alike two are; OpenCV looks up no more than
32,767 at once."""
_ZOOM_GAIN: Final = 0.9
"""A free focal length must explain the points this much better to be believed."""


def relock(
    calibration: Calibration,
    reference: Grey,
    picture: Grey,
    image_A_reference: NDArray[np.float64],
) -> Calibration:
    """The calibration of a moved camera, in the same table frame.

    Args:
        calibration: Of the reference picture.
        reference: Full grey picture in which it holds, (H, W).
        picture: Full grey picture of now, (H, W).
        image_A_reference: (2, 3) similarity from reference pixels to pixels, roughly.

    Returns:
        The calibration of ``picture``, its doubt grown by that of finding the table again.

    Raises:
        NotFound: Too few points of the table are seen in both pictures, or they disagree.
    """
    points = background_points(reference, _POINTS, _table_mask(calibration, reference.shape))
    if len(points) < _FEWEST:
        raise NotFound("too little of the table's surface can be told apart")
    start = points @ image_A_reference[:, :2].T + image_A_reference[:, 2]
    ends, good = follow(reference, picture, points, start.astype(np.float32), _WINDOW, 3)
    if int(good.sum()) < _FEWEST:
        raise NotFound("too little of the table is seen as before")
    before, now = points[good].astype(np.float64), ends[good].astype(np.float64)
    flat = calibration.to_table(before)
    near = _agreeing(before, now)
    if near.sum() < max(_FEWEST, _SHARE * len(before)):
        raise NotFound("the points of the table do not agree on where the camera went")
    hull = cv2.convexHull(now[near].astype(np.float32))
    if cv2.contourArea(hull) < _SPREAD * picture.size:
        raise NotFound("the points of the table that are seen lie too close together")
    places = np.column_stack([flat[near], np.zeros(int(near.sum()))])
    lens, pose = calibration.intrinsics, calibration.camera_T_table
    fit = fit_camera(places, now[near], lens, pose, Freedom(focal=False), robust_px=1.0)
    zoomed = fit_camera(places, now[near], lens, pose, Freedom(focal=True), robust_px=1.0)
    if zoomed.rms_px < _ZOOM_GAIN * fit.rms_px:
        # A lens that was zoomed or refocused, not only moved.
        fit = zoomed
    if fit.rms_px > _NEAR_PX:
        raise NotFound("the table looks different from there")
    covariance = calibration.covariance.copy()
    side = min(covariance.shape[0], 6)
    covariance[:side, :side] += fit.covariance[:side, :side]
    found = replace(
        calibration,
        intrinsics=fit.intrinsics,
        camera_T_table=fit.camera_T_table,
        covariance=covariance,
        rms_px=float(np.hypot(calibration.rms_px, fit.rms_px)),
        outline_px=_moved_outline(calibration, before[near], now[near]),
        pose_H_image=None,
        seen_px=np.zeros((0, 2)),
        seen_mm=np.zeros((0, 3)),
    )
    _probe(calibration, found, reference, picture)
    return found


def _agreeing(before: NDArray[np.float64], now: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Points of one plane: a homography explains how they moved, (N,)."""
    _, inliers = cv2.findHomography(before, now, cv2.RANSAC, _NEAR_PX)
    if inliers is None:
        return np.zeros(len(before), dtype=np.bool_)
    return np.asarray(inliers.ravel() > 0, dtype=np.bool_)


def _table_mask(calibration: Calibration, shape: tuple[int, ...]) -> Grey:
    """255 where the table's surface is known to be, (H, W) uint8."""
    mask = np.zeros(shape[:2], dtype=np.uint8)
    outline = _outline(calibration)
    if len(outline) < 3:
        mask[:] = 255
        return mask
    middle = outline.mean(axis=0)
    wide = middle + _MARGIN * (outline - middle)
    cv2.fillConvexPoly(mask, cv2.convexHull(wide.astype(np.int32)), 255)
    return mask


def _outline(calibration: Calibration) -> NDArray[np.float64]:
    if calibration.size_mm is not None:
        width, depth = calibration.size_mm
        corners = np.array([(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)])
        seen = calibration.to_image(corners)
        if np.isfinite(seen).all():
            return seen
    return calibration.outline_px


def _moved_outline(
    calibration: Calibration, before: NDArray[np.float64], now: NDArray[np.float64]
) -> NDArray[np.float64]:
    outline = calibration.outline_px
    mapping, _ = cv2.findHomography(before, now, 0)
    if not len(outline) or mapping is None:
        return outline
    moved = cv2.perspectiveTransform(outline.reshape(-1, 1, 2), mapping)
    return np.asarray(moved.reshape(-1, 2), dtype=np.float64)


def _probe(old: Calibration, new: Calibration, reference: Grey, picture: Grey) -> None:
    """Studs repeat every 8 mm: a table put one stud off must look worse than this one.

    Raises:
        NotFound: It does not.
    """
    found = _likeness(old, new, reference, picture, (0.0, 0.0))
    for off in ((_PROBE_MM, 0.0), (-_PROBE_MM, 0.0), (0.0, _PROBE_MM), (0.0, -_PROBE_MM)):
        if _likeness(old, new, reference, picture, off) > found:
            raise NotFound("the table looks the same in several places; measure it again")


def _likeness(
    old: Calibration,
    new: Calibration,
    reference: Grey,
    picture: Grey,
    off_mm: tuple[float, float],
) -> float:
    """Correlation of the two pictures when the table is shifted, over the reference's surface."""
    height, width = reference.shape
    step = max(6, int(np.ceil(np.sqrt(height * width / _PROBES))))
    ys, xs = np.mgrid[8 : height - 8 : step, 8 : width - 8 : step]
    px = np.column_stack([xs.ravel(), ys.ravel()]).astype(np.float64)
    places = old.to_table(px) + np.array(off_mm)
    ok = np.isfinite(places).all(axis=1)
    seen = new.to_image(places[ok])
    inside = np.isfinite(seen).all(axis=1)
    inside &= (seen > 4).all(axis=1) & (seen[:, 0] < width - 5) & (seen[:, 1] < height - 5)
    here = seen[inside].astype(np.float32)
    if len(here) < 100:
        return 0.0
    there = px[ok][inside].astype(np.float32)
    a = cv2.remap(reference, there[:, 0], there[:, 1], cv2.INTER_LINEAR).ravel().astype(np.float64)
    b = cv2.remap(picture, here[:, 0], here[:, 1], cv2.INTER_LINEAR).ravel().astype(np.float64)
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / max(1e-9, np.sqrt((a * a).sum() * (b * b).sum())))
