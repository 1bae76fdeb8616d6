"""How exact lengths beside plates could be at best (Cramer-Rao), reckoned from a scene's truth.

Every stud in the picture that nothing covers is taken to be seen where it is, give or take
``NOISE_PX`` in both directions, independently. Free are the camera's pose, its focal length and
k1, and where other plates lie. No way of reading that picture's studs is more exact on average,
whatever it does, unless it knows more of the lens.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from calibration.apart import Apart
from calibration.camera import Intrinsics
from calibration.fit import moved, project_with_jacobian
from calibration.plane import Calibration

Points = NDArray[np.float64]

NOISE_PX = 0.15
"""One coordinate of one stud: about what is left on plates that are seen well."""

TOP_MM, PITCH_MM = 1.6, 8.0
PARAMETERS = 11
STEPS = np.array([1e-6] * 3 + [1e-3] * 3 + [1e-5, 1e-5, 1e-3, 1e-3, 1e-5])
"""Of turn (radians), shift (mm), logarithm of the focal length, k1, principal point (px), and
logarithm of the pixels' height over their width."""

FIXED = 1e-9


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What is known of a lens before looking: one standard deviation each.

    Attributes:
        focal: Of the logarithm of the focal length.
        k1: Of k1.
        centre: Of the principal point, in picture widths.
        aspect: Of the logarithm of the pixels' height over their width.
    """

    focal: float = 0.25
    k1: float = 0.1
    centre: float = FIXED
    aspect: float = FIXED


USUAL = Knowledge()
"""A phone or webcam, square pixels, principal point in the middle."""

OPEN = Knowledge(centre=0.02, aspect=0.005)
"""The same, but as far off as real cameras may be."""

LENS_GIVEN = Knowledge(focal=0.01, k1=0.01)
"""A lens measured before."""


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Studs of all plates in one picture.

    Attributes:
        points_mm: Tops in the frame of the first plate, (N, 3).
        plate: Whose each is, (N,).
    """

    points_mm: Points
    plate: NDArray[np.int64]


def visible(path: Path, truth: Calibration) -> Seen:
    """Studs that are in the picture; of each plate as many are left out as are covered.

    Args:
        path: Truth file of a rendered scene.
        truth: Its camera, in the frame of the first plate.
    """
    told: dict[str, Any] = json.loads(path.read_text())
    plates = told["references"]
    first_T_table = np.linalg.inv(np.array(plates[0]["table_T_reference"]))
    rng = np.random.default_rng(0)
    points: list[Points] = []
    whose: list[NDArray[np.int64]] = []
    for plate in plates:
        nx, ny = (round(side / PITCH_MM) for side in plate["size_mm"])
        steps = np.stack(np.meshgrid(np.arange(nx), np.arange(ny)), -1).reshape(-1, 2)
        flat = (steps + 0.5) * PITCH_MM - np.array(plate["size_mm"]) / 2
        own = np.column_stack([flat, np.full(len(flat), TOP_MM), np.ones(len(flat))])
        tops = (own @ (first_T_table @ np.array(plate["table_T_reference"])).T)[:, :3]
        px = truth.to_image(tops)
        edge = np.array(truth.image_size_px) - 1
        with np.errstate(invalid="ignore"):
            seen = ((px >= 0) & (px <= edge)).all(axis=1)
        seen &= rng.random(len(seen)) >= plate["covered"]
        if seen.sum() > 10:
            whose.append(np.full(int(seen.sum()), len(points), dtype=np.int64))
            points.append(tops[seen])
    return Seen(np.concatenate(points), np.concatenate(whose))


def covariance(truth: Calibration, seen: Seen, known: Knowledge, noise_px: float) -> Points:
    """(11, 11), in the units of ``STEPS``' parameters."""
    apart = Apart(seen.points_mm, seen.plate)
    still = np.zeros((apart.count, 3))
    lens, pose = truth.intrinsics, truth.camera_T_table
    px, own = project_with_jacobian(lens, pose, seen.points_mm)
    others = apart.jacobian(own[:, :, 3:6], pose[:3, :3], still)
    inner = np.zeros((len(px), 2, 3))
    inner[:, 0, 0] = inner[:, 1, 1] = 1
    inner[:, 1, 2] = px[:, 1] - lens.cy_px
    rows = np.concatenate([own, inner, others], axis=2).reshape(2 * len(px), -1) / noise_px
    width = truth.image_size_px[0]
    doubts = [known.focal, known.k1, known.centre * width, known.centre * width, known.aspect]
    priors = np.zeros(rows.shape[1])
    priors[6:PARAMETERS] = 1 / np.array(doubts) ** 2
    information = rows.T @ rows + np.diag(priors)
    scale = np.sqrt(np.diag(information))
    inverse = np.linalg.inv(information / np.outer(scale, scale)) / np.outer(scale, scale)
    return np.asarray(inverse[:PARAMETERS, :PARAMETERS])


def _changed(truth: Calibration, change: Points) -> Calibration:
    """The camera after a small change of its eleven parameters."""
    lens, pose = moved(truth.intrinsics, truth.camera_T_table, change[:8])
    lens = Intrinsics(
        lens.fx_px,
        lens.fy_px * float(np.exp(change[10])),
        lens.cx_px + float(change[8]),
        lens.cy_px + float(change[9]),
        lens.distortion,
    )
    return replace(truth, intrinsics=lens, camera_T_table=pose)


def relative_sigma(
    truth: Calibration,
    seen: Seen,
    ends_px: Points,
    known: Knowledge = USUAL,
    noise_px: float = NOISE_PX,
) -> Points:
    """Least standard deviation of lengths over those lengths.

    Args:
        truth: The camera.
        seen: Studs it sees.
        ends_px: Ends of the lengths, (K, 2, 2).
        known: What is known of the lens.
        noise_px: Of one coordinate of a stud.

    Returns:
        (K,).
    """  # fmt: skip
    ends = ends_px.reshape(-1, 2)

    def long(change: Points) -> Points:
        places = _changed(truth, change).to_table(ends).reshape(-1, 2, 2)
        return np.asarray(np.hypot(*(places[:, 1] - places[:, 0]).T))

    slopes = np.zeros((len(ends_px), PARAMETERS))
    for index, step in enumerate(STEPS):
        change = np.zeros(PARAMETERS)
        change[index] = step
        slopes[:, index] = (long(change) - long(-change)) / (2 * step)
    spread = covariance(truth, seen, known, noise_px)
    variance = np.einsum("ki,ij,kj->k", slopes, spread, slopes)
    return np.asarray(np.sqrt(variance) / long(np.zeros(PARAMETERS)))


def quantile(sigmas: Points, share: float) -> float:
    """What this share of errors with these standard deviations stays below, sign left out."""
    low, high = 0.0, 10 * float(sigmas.max())
    for _ in range(60):
        middle = (low + high) / 2
        if float((2 * norm.cdf(middle / sigmas) - 1).mean()) < share:
            low = middle
        else:
            high = middle
    return high
