"""The same camera after its pictures changed their size: scaled, and perhaps cut at two sides."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.plane import Calibration

Floats = NDArray[np.float64]


def size_changes(old_px: tuple[int, int], new_px: tuple[int, int]) -> list[Floats]:
    """Maps from pixels of one size to pixels of another that a camera's modes may make.

    A mode shows the whole sensor at another scale, or cuts off top and bottom or both sides.

    Args:
        old_px: Width and height before.
        new_px: Width and height now.

    Returns:
        (2, 3) similarities, the likeliest first.
    """
    ratios = [now / before for before, now in zip(old_px, new_px, strict=True)]
    scales = [ratios[0]] if np.isclose(ratios[0], ratios[1], rtol=0.01) else ratios
    maps = []
    for scale in dict.fromkeys([*scales, 1.0]):
        # The middles of both pictures stay together; pixel centres are whole numbers.
        shift = [
            (now - 1) / 2 - scale * (before - 1) / 2
            for before, now in zip(old_px, new_px, strict=True)
        ]
        maps.append(np.array([[scale, 0.0, shift[0]], [0.0, scale, shift[1]]]))
    return maps


def resized(calibration: Calibration, new_A_old: Floats, size_px: tuple[int, int]) -> Calibration:
    """The same view in pictures of another size.

    Args:
        calibration: In pictures of the old size.
        new_A_old: (2, 3) from old pixels to new ones, scale and shift alone.
        size_px: New width and height.
    """
    scale = float(new_A_old[0, 0])
    lens = calibration.intrinsics
    moved = replace(
        lens,
        fx_px=scale * lens.fx_px,
        fy_px=scale * lens.fy_px,
        cx_px=scale * lens.cx_px + float(new_A_old[0, 2]),
        cy_px=scale * lens.cy_px + float(new_A_old[1, 2]),
    )
    units = np.ones(len(calibration.covariance))
    if len(units) == 8:
        units[6] = scale
    mend = calibration.pose_H_image
    if mend is not None:
        whole = np.vstack([new_A_old, [0.0, 0.0, 1.0]])
        mend = whole @ mend @ np.linalg.inv(whole)
    return replace(
        calibration,
        image_size_px=size_px,
        intrinsics=moved,
        covariance=calibration.covariance * np.outer(units, units),
        rms_px=calibration.rms_px * scale,
        outline_px=calibration.outline_px @ new_A_old[:, :2].T + new_A_old[:, 2],
        pose_H_image=mend,
        seen_px=np.zeros((0, 2)),
        seen_mm=np.zeros((0, 3)),
    )
