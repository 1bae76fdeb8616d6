"""One call for all references."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.advice import is_blurred
from calibration.camera import Intrinsics
from calibration.cross_check import best_of, with_measured_pitch
from calibration.errors import BadReference, NotFound, UnitUnknown
from calibration.markers import calibrate_markers
from calibration.plane import Calibration
from calibration.points import PointPairs, calibrate_points
from calibration.raised import checked
from calibration.ruler import calibrate_ruler
from calibration.sheet import SHEETS, calibrate_sheet, check_light
from calibration.studs import STUD_PITCH_MM, calibrate_studs

BLURRED = "the picture is blurred"

REFERENCES = ("auto", "studs", "ruler", "sheet", "markers", "points")
"""What ``calibrate`` can go by; ``auto`` looks for all of them."""


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What is known before looking; see ``calibrate``."""

    points: PointPairs | None
    stud_pitch_mm: float
    fov_deg: float | None
    intrinsics: Intrinsics | None
    camera_height_mm: float | None
    table_size_mm: tuple[float, float] | None
    sheet_mm: tuple[float, float] | None
    square_mm: float | None
    unit: str | float | None

    @property
    def named(self) -> frozenset[str]:
        """References whose size was given and not taken for granted."""
        given = {
            "studs": self.stud_pitch_mm != STUD_PITCH_MM,
            "sheet": self.sheet_mm is not None,
            "markers": self.square_mm is not None,
            "ruler": self.unit is not None,
            "points": self.points is not None,
        }
        return frozenset(name for name, is_given in given.items() if is_given)

    def by_studs(self, image: NDArray[np.uint8]) -> Calibration:
        """By the studs of a baseplate."""
        found = calibrate_studs(
            image,
            stud_pitch_mm=self.stud_pitch_mm,
            fov_deg=self.fov_deg,
            intrinsics=self.intrinsics,
            camera_height_mm=self.camera_height_mm,
            table_size_mm=self.table_size_mm,
        )
        return checked(image, found)

    def by_sheet(self, image: NDArray[np.uint8], only_white: bool) -> Calibration:
        """By the four edges of a sheet."""
        return calibrate_sheet(
            image,
            size_mm=self.sheet_mm or SHEETS["A4"],
            fov_deg=self.fov_deg,
            intrinsics=self.intrinsics,
            camera_height_mm=self.camera_height_mm,
            table_size_mm=self.table_size_mm,
            only_white=only_white,
        )

    def by_markers(self, image: NDArray[np.uint8], chessboards: bool) -> Calibration:
        """By the printed board or a chessboard."""
        return calibrate_markers(
            image,
            square_mm=self.square_mm,
            fov_deg=self.fov_deg,
            intrinsics=self.intrinsics,
            camera_height_mm=self.camera_height_mm,
            table_size_mm=self.table_size_mm,
            chessboards=chessboards,
        )

    def by_ruler(self, image: NDArray[np.uint8]) -> Calibration:
        """By a ruler's strokes."""
        return calibrate_ruler(
            image,
            unit=self.unit,
            fov_deg=self.fov_deg,
            intrinsics=self.intrinsics,
            camera_height_mm=self.camera_height_mm,
            table_size_mm=self.table_size_mm,
        )

    def by_points(self, image: NDArray[np.uint8]) -> Calibration:
        """By measured points.

        Raises:
            BadReference: None were given.
        """
        if self.points is None:
            raise BadReference("--points", "the reference points needs a points file")
        return calibrate_points(
            self.points,
            (image.shape[1], image.shape[0]),
            fov_deg=self.fov_deg,
            intrinsics=self.intrinsics,
            camera_height_mm=self.camera_height_mm,
            table_size_mm=self.table_size_mm,
        )


def calibrate(
    image: NDArray[np.uint8],
    reference: str = "auto",
    points: PointPairs | None = None,
    stud_pitch_mm: float = STUD_PITCH_MM,
    fov_deg: float | None = None,
    intrinsics: Intrinsics | None = None,
    camera_height_mm: float | None = None,
    table_size_mm: tuple[float, float] | None = None,
    sheet_mm: tuple[float, float] | None = None,
    square_mm: float | None = None,
    unit: str | float | None = None,
) -> Calibration:
    """Find out how a picture sees the table.

    Args:
        image: (H, W, 3) BGR.
        reference: One of ``REFERENCES``.
        points: Measured points, for ``points`` and ``auto``.
        stud_pitch_mm: Distance of neighbouring studs.
        fov_deg: Horizontal field of view, if known.
        intrinsics: The whole lens, if known.
        camera_height_mm: Height of the camera over z = 0, if known.
        table_size_mm: Width and depth of the table from its origin, if known.
        sheet_mm: Sides of the sheet; None is a white A4.
        unit: A ruler's unit, or the distance of its strokes in mm; None reads it.
        square_mm: Side of a board's squares; None is that of the printed board.

    Returns:
        The calibration.

    Raises:
        BadReference: An argument cannot be used.
        NotFound: The picture does not show the reference; the message says why.
    """
    _check(reference, points, fov_deg, intrinsics, camera_height_mm, table_size_mm)
    wanted = _Wanted(
        points,
        stud_pitch_mm,
        fov_deg,
        intrinsics,
        camera_height_mm,
        table_size_mm,
        sheet_mm,
        square_mm,
        unit,
    )
    ways: dict[str, Callable[[], Calibration]] = {
        "auto": lambda: _auto(image, wanted),
        "studs": lambda: wanted.by_studs(image),
        "ruler": lambda: wanted.by_ruler(image),
        "sheet": lambda: wanted.by_sheet(image, only_white=False),
        "markers": lambda: wanted.by_markers(image, chessboards=True),
        "points": lambda: wanted.by_points(image),
    }
    try:
        return ways[reference]()
    except UnitUnknown:
        raise
    except NotFound as error:
        if BLURRED in str(error) or not is_blurred(image):
            raise
        raise NotFound(f"{BLURRED}; hold the camera still and let it focus") from error


def _auto(image: NDArray[np.uint8], wanted: _Wanted) -> Calibration:
    """Look for every reference, take the most certain and cross-check the rest.

    Raises:
        NotFound: None is in the picture, or two contradict each other.
    """
    ways: list[Callable[[], Calibration]] = [
        lambda: wanted.by_markers(image, chessboards=wanted.square_mm is not None),
        lambda: wanted.by_studs(image),
        lambda: wanted.by_sheet(image, only_white=wanted.sheet_mm is None),
        lambda: wanted.by_ruler(image),
    ]
    if wanted.points is not None:
        ways.append(lambda: wanted.by_points(image))
    else:
        check_light(image)
    found, errors = [], []
    for way in ways:
        try:
            found.append(way())
        except NotFound as error:
            errors.append(error)
    if not found:
        reason = "no reference in the picture: " + "; ".join(str(error) for error in errors)
        asks = any(isinstance(error, UnitUnknown) for error in errors)
        raise UnitUnknown(reason) if asks else NotFound(reason)
    by = {one.reference: one for one in found}
    if "studs" in by and "ruler" in by:
        found[found.index(by["studs"])] = with_measured_pitch(by["studs"], by["ruler"])
    return best_of(found, wanted.named)


def _check(
    reference: str,
    points: PointPairs | None,
    fov_deg: float | None,
    intrinsics: Intrinsics | None,
    camera_height_mm: float | None,
    table_size_mm: tuple[float, float] | None,
) -> None:
    """Refuse what cannot be used before any work is done.

    Raises:
        BadReference: It cannot be used.
    """
    if reference not in REFERENCES:
        raise BadReference("--reference", f"must be one of {', '.join(REFERENCES)}")
    if reference == "points" and points is None:
        raise BadReference("--points", "the reference points needs a points file")
    if fov_deg is not None and not 5 <= fov_deg <= 150:
        raise BadReference("--fov", "must be between 5 and 150 degrees")
    if fov_deg is not None and intrinsics is not None:
        raise BadReference("--fov", "cannot be given together with --intrinsics")
    if camera_height_mm is not None and not 10 <= camera_height_mm <= 20000:
        raise BadReference("--camera-height", "must be between 10 and 20000 mm")
    if table_size_mm is not None and not all(1 <= side <= 20000 for side in table_size_mm):
        raise BadReference("--table", "must be between 1 and 20000 mm a side")
