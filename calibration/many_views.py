"""The lens from several pictures, taken while the camera or what it looks at is moved.

One picture of a flat thing tells focal length and distance only as far as perspective shows;
several from different sides tell both (Zhang 2000).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np

from calibration.camera import Intrinsics
from calibration.errors import NotFound
from calibration.lenses import LEAST_FOCAL_DOUBT, LEAST_K1_DOUBT
from calibration.plane import Calibration

LEAST_VIEWS: Final = 3
MOST_VIEWS: Final = 20
LEAST_TURN_DEG: Final = 6.0
"""Views that differ less than this in the direction they look from tell the same."""

MOST_POINTS: Final = 300
MOST_OFF_PX: Final = 2.0
CROWD: Final = 4.0
"""So many neighbouring points of a view count as one: they are off alike."""


def turned_deg(first: Calibration, second: Calibration) -> float:
    """Angle between the directions from which two calibrations look at their reference."""
    down = [one.camera_T_table[:3, 2] for one in (first, second)]
    turn = [one.camera_T_table[:3, :3] for one in (first, second)]
    lean = float(np.degrees(np.arccos(np.clip(down[0] @ down[1], -1, 1))))
    spin = turn[0] @ turn[1].T
    return max(lean, float(np.degrees(np.arccos(np.clip((np.trace(spin) - 1) / 2, -1, 1)))))


def differs(view: Calibration, others: Sequence[Calibration]) -> bool:
    """Whether a view tells something that the others do not."""
    return all(turned_deg(view, other) >= LEAST_TURN_DEG for other in others)


def lens_of(views: Sequence[Calibration]) -> Intrinsics:
    """One lens for several views.

    Args:
        views: Calibrations from pictures of one camera, with their reference points.

    Returns:
        Focal length, first radial term and the doubt of both; square pixels, centred.

    Raises:
        NotFound: The views are too few or too alike, or no one lens shows all of them.
    """
    chosen: list[Calibration] = []
    for view in views:
        if len(view.seen_px) >= 6 and differs(view, chosen) and len(chosen) < MOST_VIEWS:
            chosen.append(view)
    if len(chosen) < LEAST_VIEWS:
        s = "" if len(chosen) == 1 else "s"
        raise NotFound(
            f"no lens: {len(chosen)} view{s} from different sides, {LEAST_VIEWS} are needed; "
            "tilt the board, or the camera, by some 15 degrees between pictures"
        )
    size = chosen[0].image_size_px
    start = Intrinsics.centred(float(np.median([v.intrinsics.fx_px for v in chosen])), size)
    places, px = [], []
    for view in chosen:
        some = slice(None, None, max(1, len(view.seen_px) // MOST_POINTS))
        flat = view.seen_mm[some].astype(np.float32)
        flat[:, 2] = 0.0
        places.append(flat.reshape(-1, 1, 3))
        px.append(view.seen_px[some].astype(np.float32).reshape(-1, 1, 2))
    flags = (
        cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_PRINCIPAL_POINT
        | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K2
        | cv2.CALIB_FIX_K3
    )  # fmt: skip
    off, matrix, terms, _, _, doubts, _, per_view = cv2.calibrateCameraExtended(
        places, px, size, start.matrix, np.zeros(5), flags=flags
    )
    worst = float(np.max(per_view))
    focal, k1 = float(matrix[0, 0]), float(np.ravel(terms)[0])
    if not (np.isfinite([off, focal, k1]).all() and worst < MOST_OFF_PX * max(size) / 1280):
        raise NotFound(
            f"no lens: one lens does not show all views (off by up to {worst:.1f} px); keep zoom "
            "and focus as they are, and what is measured flat"
        )
    told = np.ravel(doubts) * np.sqrt(CROWD)
    return replace(
        start.with_lens(focal, k1),
        focal_doubt=max(float(told[0]) / focal, LEAST_FOCAL_DOUBT),
        k1_doubt=max(float(told[4]), LEAST_K1_DOUBT),
    )
