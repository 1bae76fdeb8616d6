"""Two references in one picture: which to believe more, and whether they agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.plane import Calibration, Studs

AGREE = 0.01
"""Relative difference of lengths that is a warning."""

CONTRADICT = 0.05
"""Relative difference at which one of the two must be wrong altogether."""

UNLIKE = 0.2
"""A white shape so far off is no sheet of the size that was taken for granted."""

PIXEL_SIGMA = 0.3
PLATE_MM = 1.6
"""Thickness of a baseplate: what lies beside it lies so much lower."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """The same lengths by two references.

    Attributes:
        first_mm: Typical length by the first.
        second_mm: The same length by the second.
        sigma: Relative doubt of their ratio.
    """

    first_mm: float
    second_mm: float
    sigma: float

    @property
    def ratio(self) -> float:
        """Second over first."""
        return self.second_mm / self.first_mm


def spans(calibration: Calibration) -> NDArray[np.float64]:
    """Lengths across a reference in the picture, (N, 2, 2) original pixels."""
    outline = calibration.outline_px
    middle = outline.mean(axis=0)
    inner = middle + 0.9 * (outline - middle)
    count = len(inner)
    pairs = [
        (inner[a], inner[b])
        for a in range(count)
        for b in range(a + 1, count)
        if min(b - a, count - b + a) >= max(1, count // 4)
    ]
    pairs.sort(key=lambda pair: -float(np.hypot(*(pair[1] - pair[0]))))
    return np.array(pairs[:12]).reshape(-1, 2, 2)


def certainty(calibration: Calibration, ends_px: NDArray[np.float64]) -> float:
    """Median relative doubt of lengths, (N, 2, 2) px; infinite where none is on the table."""
    doubts = []
    for ends in ends_px:
        length, sigma = calibration.length(ends[0], ends[1], pixel_sigma=PIXEL_SIGMA)
        if np.isfinite(length) and length > 0:
            doubts.append(sigma / length)
    return float(np.median(doubts)) if doubts else float("inf")


def compare(first: Calibration, second: Calibration) -> Comparison | None:
    """The same lengths by two references: those across the smaller of the two.

    Returns:
        The comparison; None where they have no length in common.
    """
    smaller = min((first, second), key=lambda one: _area(one.outline_px))
    ratios, lengths, doubts = [], [], []
    for ends in spans(smaller):
        (mine, my_sigma), (other, other_sigma) = (
            one.length(ends[0], ends[1], _level(one, smaller), PIXEL_SIGMA)
            for one in (first, second)
        )
        if mine > 0 and other > 0:
            ratios.append(other / mine)
            lengths.append(mine)
            doubts.append(float(np.hypot(my_sigma / mine, other_sigma / other)))
    if not ratios:
        return None
    length = float(np.median(lengths))
    return Comparison(length, length * float(np.median(ratios)), float(np.median(doubts)))


def _level(frame: Calibration, what: Calibration) -> float:
    """Height of a reference over z = 0 of another's frame: a plate stands above the table."""
    if frame.studs is None and what.studs is not None:
        return PLATE_MM + what.reference_plane_mm
    if frame.studs is not None and what.studs is None:
        return what.reference_plane_mm - PLATE_MM
    return what.reference_plane_mm


def _area(outline: NDArray[np.float64]) -> float:
    x, y = outline[:, 0], outline[:, 1]
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def best_of(found: Sequence[Calibration], named: frozenset[str]) -> Calibration:
    """Take the most certain of several calibrations of one picture and say how they agree.

    Args:
        found: At least one.
        named: References whose size the user gave; these may not be far wrong.

    Returns:
        The most certain, with a warning for every other that differs.

    Raises:
        NotFound: A reference whose size the user gave contradicts another.
    """
    common = np.concatenate([spans(one) for one in found])
    ranked = sorted(found, key=lambda one: certainty(one, common))
    best = ranked[0]
    for other in ranked[1:]:
        seen = compare(best, other)
        if seen is None:
            continue
        off = abs(float(np.log(seen.ratio)))
        if off > UNLIKE and other.reference == "sheet" and "sheet" not in named:
            continue  # some white thing that nobody called an A4 sheet
        both = (
            f"{best.reference} and {other.reference} differ by {100 * off:.1f} %: what is "
            f"{seen.first_mm:.1f} mm by {best.reference} is {seen.second_mm:.1f} mm by "
            f"{other.reference}"
        )
        if off > CONTRADICT and named & {best.reference, other.reference}:
            raise NotFound(f"{both}; check the sizes you gave, or go by one of them alone")
        if off > max(AGREE, seen.sigma if other.reference == "ruler" else 0.0):
            best = replace(best, warnings=(*best.warnings, f"{both}; {best.reference} is used"))
    return best


def with_measured_pitch(studs: Calibration, ruler: Calibration) -> Calibration:
    """The stud pitch of these very plates, as far as a ruler in view knows it better.

    Args:
        studs: By studs of a nominal pitch.
        ruler: By a ruler in the same picture.

    Returns:
        The calibration by studs, its lengths stretched to the pitch that both make likely.
    """
    seen = compare(ruler, studs)
    if seen is None or studs.studs is None or abs(np.log(seen.ratio)) > AGREE:
        return studs
    nominal, measured = studs.scale_sigma, max(seen.sigma, 1e-4)
    weight = nominal**2 / (nominal**2 + measured**2)
    stretch = float(1 + weight * (1 / seen.ratio - 1))
    pitch = studs.studs.pitch_mm * stretch
    pose = studs.camera_T_table.copy()
    pose[:3, 3] *= stretch
    scale = np.ones(len(studs.covariance))
    scale[3:6] = stretch
    return replace(
        studs,
        camera_T_table=pose,
        covariance=studs.covariance * np.outer(scale, scale),
        scale_sigma=float(nominal * measured / np.hypot(nominal, measured)),
        size_mm=None
        if studs.size_mm is None
        else (studs.size_mm[0] * stretch, studs.size_mm[1] * stretch),
        reference_plane_mm=studs.reference_plane_mm * stretch,
        studs=Studs(studs.studs.count, round(pitch, 4)),
        seen_mm=studs.seen_mm * stretch,
        assumed=(
            *(text for text in studs.assumed if not text.startswith("stud pitch")),
            f"stud pitch {pitch:.3f} mm, measured by the ruler in view",
        ),
    )
