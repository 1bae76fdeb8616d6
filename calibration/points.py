"""The reference ``points``: pixels whose table place somebody measured."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.errors import BadReference
from calibration.fit import Fit, Freedom, fit_camera
from calibration.homography import fit_homography, focal_of, hull, pose_of
from calibration.plane import Calibration

ASSUMED_FOV_DEG = 70.0
"""Between phones and webcams; said in ``assumed`` wherever it is used."""

ASSUMED_FOCAL_DOUBT = 0.2
GIVEN_FOCAL_DOUBT = 0.01
LENS_K1_DOUBT = 0.09
"""How strongly a lens of which nothing is known may bend lines; five points begin to tell."""

FOCAL_LIMIT = 0.15
"""A focal length less sure than this is not taken from the points."""

DEGENERATE = 2e-3
"""Least singular value ratio of the linear system that still determines a plane."""

POOR_RMS = 0.02
"""Residual in parts of the picture's width above which the points contradict each other."""


@dataclass(frozen=True, slots=True, eq=False)
class PointPairs:
    """Pixels and the table places they show.

    Attributes:
        px: Original pixels, (N, 2).
        mm: Table places at z = 0, (N, 2).
        name: Where they come from, for errors.
    """

    px: NDArray[np.float64]
    mm: NDArray[np.float64]
    name: str = "points"


def _pair(entry: Any, key: str, number: int, name: str) -> list[float]:
    """Two finite numbers of one entry of a points file."""
    value = entry.get(key) if isinstance(entry, dict) else None
    parts = value if isinstance(value, list) else []
    numeric = [isinstance(part, int | float) and not isinstance(part, bool) for part in parts]
    if numeric != [True, True]:
        raise BadReference(name, f'point {number} needs "{key}": [x, y] with two numbers')
    try:
        numbers = [float(part) for part in parts]
    except OverflowError:
        numbers = [np.inf]
    if not np.isfinite(numbers).all() or max(abs(part) for part in numbers) > 1e7:
        raise BadReference(name, f'point {number} has a "{key}" that is no usable number')
    return numbers


def parse_points(text: str, name: str) -> PointPairs:
    """Read the text of a points file.

    Args:
        text: JSON ``{"points": [{"px": [x, y], "mm": [x, y]}, ...]}``.
        name: Where it comes from, for errors.

    Raises:
        BadReference: It is not that, or has fewer than four points, or they determine no plane.
    """
    try:
        document = json.loads(text)
    except ValueError as error:
        raise BadReference(name, "is not JSON") from error
    except RecursionError as error:
        raise BadReference(name, "is nested too deeply") from error
    entries = document.get("points") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise BadReference(name, 'needs {"points": [{"px": [x, y], "mm": [x, y]}, ...]}')
    pairs = PointPairs(
        px=np.array([_pair(entry, "px", at, name) for at, entry in enumerate(entries, 1)]),
        mm=np.array([_pair(entry, "mm", at, name) for at, entry in enumerate(entries, 1)]),
        name=name,
    )
    check_points(pairs)
    return pairs


def load_points(path: Path | str) -> PointPairs:
    """Read a points file.

    Args:
        path: The file.

    Raises:
        BadReference: It cannot be read or used.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise BadReference(str(path), "no such file") from error
    except OSError as error:
        raise BadReference(str(path), f"cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise BadReference(str(path), "is not a text file") from error
    return parse_points(text, str(path))


def check_points(pairs: PointPairs) -> NDArray[np.float64]:
    """See whether points determine a plane that a camera over the table could see.

    Args:
        pairs: The points.

    Returns:
        (3, 3) homography from table mm to pixels.

    Raises:
        BadReference: They do not.
    """
    count = len(pairs.px)
    if count < 4:
        raise BadReference(pairs.name, f"has {count} points, four or more are needed")
    for places, key in ((pairs.px, "px"), (pairs.mm, "mm")):
        if len(np.unique(places, axis=0)) < 4:
            raise BadReference(pairs.name, f'has fewer than four different points in "{key}"')
        if _flattest(places) < DEGENERATE:
            raise BadReference(
                pairs.name, f'in "{key}" too many points lie on one line, so they fix no plane'
            )
    matrix, firmness = fit_homography(pairs.mm, pairs.px)
    if firmness < DEGENERATE / 10:
        raise BadReference(pairs.name, "too many points lie on one line, so they fix no plane")
    depth = np.column_stack([pairs.mm, np.ones(count)]) @ matrix[2]
    if depth.min() <= 0:
        raise BadReference(
            pairs.name, "no camera sees the points like this; are two of them swapped?"
        )
    if np.linalg.det(matrix) > 0:
        raise BadReference(
            pairs.name,
            "the points are mirrored: seen from above, y must point to the left of x",
        )
    return matrix


def _flattest(places: NDArray[np.float64]) -> float:
    """How far four points (or the best four of many) are from having three on a line, 0 to 1.

    Args:
        places: (N, 2), N at least 4.
    """
    centred = places - places.mean(axis=0)
    spread = float(np.abs(centred).max())
    if len(places) > 4:
        values = np.linalg.svd(centred, compute_uv=False)
        return float(values[-1] / values[0])
    least = 1.0
    for left_out in range(4):
        a, b, c = np.delete(centred, left_out, axis=0) / spread
        area = abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
        longest = max(np.hypot(*(b - a)), np.hypot(*(c - b)), np.hypot(*(a - c)))
        least = min(least, float(area / max(longest, 1e-12)))
    return least


def calibrate_points(
    pairs: PointPairs,
    image_size_px: tuple[int, int],
    *,
    fov_deg: float | None = None,
    intrinsics: Intrinsics | None = None,
    camera_height_mm: float | None = None,
    table_size_mm: tuple[float, float] | None = None,
) -> Calibration:
    """Calibrate by measured points.

    Args:
        pairs: Four or more points on the table.
        image_size_px: Width and height of the picture.
        fov_deg: Horizontal field of view, if known.
        intrinsics: The whole lens, if known.
        camera_height_mm: Height of the camera over the table, if known.
        table_size_mm: Width and depth of the table from the points' origin, if known.

    Returns:
        The calibration; ``assumed`` says what neither points nor arguments told.

    Raises:
        BadReference: The points fit no camera over the table.
    """
    check_points(pairs)
    assumed = [] if intrinsics else ["square pixels", "centre principal point"]
    if intrinsics is None and fov_deg is not None:
        start = Intrinsics.from_fov(fov_deg, image_size_px)
        fit = _fit(pairs, start, _freedom(pairs, focal=False, focal_doubt=GIVEN_FOCAL_DOUBT))
    elif intrinsics is not None:
        doubts = Freedom(
            focal=False, focal_doubt=intrinsics.focal_doubt, k1_doubt=intrinsics.k1_doubt
        )
        fit = _fit(pairs, intrinsics, doubts)
    else:
        found = _fit_focal(pairs, image_size_px, camera_height_mm)
        if found is not None and found.focal_sigma < FOCAL_LIMIT:
            fit = found
        else:
            start = Intrinsics.from_fov(ASSUMED_FOV_DEG, image_size_px)
            fit = _fit(pairs, start, _freedom(pairs, focal=False, focal_doubt=ASSUMED_FOCAL_DOUBT))
            assumed.append(f"horizontal field of view {ASSUMED_FOV_DEG:.0f} degrees")
    warnings = _warnings(pairs, fit, image_size_px)
    return Calibration(
        reference="points",
        origin=_origin(pairs),
        image_size_px=image_size_px,
        intrinsics=fit.intrinsics,
        camera_T_table=fit.camera_T_table,
        size_mm=table_size_mm,
        rms_px=fit.rms_px,
        covariance=fit.covariance,
        assumed=tuple(assumed),
        warnings=tuple(warnings),
        outline_px=hull(pairs.px),
        pose_H_image=_mend(pairs, fit),
        seen_px=pairs.px,
        seen_mm=np.column_stack([pairs.mm, np.zeros(len(pairs.mm))]),
    )


def _freedom(pairs: PointPairs, focal: bool, focal_doubt: float = 0.0) -> Freedom:
    """What may move where the lens is not known: four points say nothing of its distortion."""
    return Freedom(
        focal=focal, k1=len(pairs.px) > 4, focal_doubt=focal_doubt, k1_doubt=LENS_K1_DOUBT
    )


def _fit(pairs: PointPairs, start: Intrinsics, freedom: Freedom) -> Fit:
    """Fit from a known or guessed lens."""
    flat = start.undistort(pairs.px)
    matrix, _ = fit_homography(pairs.mm, flat)
    points = np.column_stack([pairs.mm, np.zeros(len(pairs.mm))])
    return fit_camera(points, pairs.px, start, pose_of(matrix, start), freedom)


def _fit_focal(
    pairs: PointPairs, image_size_px: tuple[int, int], camera_height_mm: float | None
) -> Fit | None:
    """Fit with the focal length free, None where nothing about it is known."""
    matrix, _ = fit_homography(pairs.mm, pairs.px)
    width = image_size_px[0]
    guess = Intrinsics.from_fov(ASSUMED_FOV_DEG, image_size_px)
    closed = focal_of(matrix, (guess.cx_px, guess.cy_px))
    starts = [guess.fx_px]
    if closed is not None and 0.2 * width < closed < 20 * width:
        starts.insert(0, closed)
    if camera_height_mm is not None:
        height = float(np.abs(_camera_height(pose_of(matrix, guess))))
        starts.append(guess.fx_px * camera_height_mm / max(height, 1e-6))
    freedom = replace(_freedom(pairs, focal=True), camera_height_mm=camera_height_mm)
    fits = [_fit(pairs, Intrinsics.centred(focal, image_size_px), freedom) for focal in starts]
    best = min(fits, key=lambda fit: float((fit.residuals_px**2).sum()))
    if not 0.2 * width < best.intrinsics.fx_px < 20 * width:
        return None
    return best


def _camera_height(camera_T_table: NDArray[np.float64]) -> float:
    """Height of the camera over z = 0 in mm."""
    return float(-(camera_T_table[:3, :3].T @ camera_T_table[:3, 3])[2])


def _mend(pairs: PointPairs, fit: Fit) -> NDArray[np.float64] | None:
    """Homography that makes four points exact: the pose has one parameter less than they need."""
    if len(pairs.px) > 4 or np.abs(fit.residuals_px).max() < 1e-6:
        return None
    seen = fit.intrinsics.undistort(pairs.px)
    posed = fit.intrinsics.undistort(pairs.px - fit.residuals_px)
    matrix, _ = fit_homography(seen, posed)
    return np.asarray(matrix / matrix[2, 2], dtype=np.float64)


def _origin(pairs: PointPairs) -> str:
    """Where the table frame starts, in words."""
    if np.abs(pairs.mm[0]).max() == 0:
        return "first point"
    return "where the points are measured from"


def _warnings(pairs: PointPairs, fit: Fit, image_size_px: tuple[int, int]) -> list[str]:
    """What the user should look at.

    Raises:
        BadReference: The points contradict each other or show no table from above.
    """
    if fit.rms_px > POOR_RMS * image_size_px[0]:
        raise BadReference(
            pairs.name,
            f"the points contradict each other (off by {fit.rms_px:.0f} px); is one mistyped?",
        )
    if _camera_height(fit.camera_T_table) <= 0:
        raise BadReference(pairs.name, "no camera above the table sees the points like this")
    warnings = []
    if fit.rms_px > max(3.0, 0.003 * image_size_px[0]):
        warnings.append(
            f"the points are off by {fit.rms_px:.1f} px; check them, the field of view, "
            "and that the picture is not cropped"
        )
    width, height = image_size_px
    outside = (pairs.px < -1) | (pairs.px > np.array([width, height]))
    if outside.any():
        warnings.append("some points lie outside the picture; were they taken from another size?")
    return warnings
