"""The calibration that a command's options ask for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from calibration.calibrate import calibrate
from calibration.camera import Intrinsics
from calibration.plane import Calibration
from calibration.points import load_points
from calibration.ruler import parse_unit
from calibration.sheet import parse_sheet
from calibration.store import load_intrinsics
from server.camera_lens import CameraLens
from server.console import Fault
from server.options import Reference
from server.parsing import size, within
from vision.frames import Image


@dataclass(frozen=True, slots=True)
class CalibrationOptions:
    """What was said about the reference and the camera.

    Attributes:
        reference: What gives the scale.
        points: File with points of known place, if any.
        stud_pitch_mm: Stud to stud.
        fov_deg: Horizontal field of view, if known.
        intrinsics: File with the camera's inner values, if any.
        camera_height_mm: Over the table, if known.
        table: Size of the table as ``WxH``, if known.
        sheet: Size of the sheet, by name or as ``WxH``; None is a white A4.
        square_mm: Side of a square of the board, None for that of the printed one.
        unit: Of a ruler, None to read it from the strokes.
    """

    reference: Reference = Reference.AUTO
    points: Path | None = None
    stud_pitch_mm: float = 8.0
    fov_deg: float | None = None
    intrinsics: Path | None = None
    camera_height_mm: float | None = None
    table: str | None = None
    sheet: str | None = None
    square_mm: float | None = None
    unit: str | None = None

    def check(self) -> None:
        """Refuse what cannot be, before any work.

        Raises:
            Fault: An option is out of range or goes with no other.
            calibration.errors.BadReference: The sheet or ruler is not to be had so.
        """
        within(self.stud_pitch_mm, 1.0, 100.0, "--stud-pitch")
        within(self.fov_deg, 1.0, 179.0, "--fov")
        within(self.camera_height_mm, 1.0, 1e5, "--camera-height")
        if self.fov_deg is not None and self.intrinsics is not None:
            raise Fault("--fov", "not together with --intrinsics")
        if self.reference is Reference.POINTS and self.points is None:
            raise Fault("--points", "missing (--reference points needs it)")
        within(self.square_mm, 1.0, 1000.0, "--square")
        if self.table is not None:
            size(self.table, "--table")
        if self.sheet is not None:
            parse_sheet(self.sheet)
        if self.unit is not None:
            parse_unit(self.unit)

    def calibrate(self, image: Image, camera: CameraLens | None = None) -> Calibration:
        """Calibrate from one picture.

        Args:
            image: (H, W, 3) BGR.
            camera: The lens kept for the camera it comes from.

        Raises:
            Fault: An option is wrong.
            calibration.errors.BadReference: A file is wrong.
            calibration.errors.NotFound: No reference is in the picture.
        """
        self.check()
        size_px = image.shape[1], image.shape[0]
        if self.intrinsics is not None:
            return self._run(image, load_intrinsics(self.intrinsics, size_px), None)
        if camera is None or self.fov_deg is not None:
            return self._run(image, None, None)
        return camera.calibrate(size_px, partial(self._run, image)).calibration

    def _run(self, image: Image, lens: Intrinsics | None, reference: str | None) -> Calibration:
        return calibrate(
            image,
            reference=reference or str(self.reference),
            points=load_points(self.points) if self.points is not None else None,
            stud_pitch_mm=self.stud_pitch_mm,
            fov_deg=self.fov_deg,
            intrinsics=lens,
            camera_height_mm=self.camera_height_mm,
            table_size_mm=size(self.table, "--table") if self.table is not None else None,
            sheet_mm=parse_sheet(self.sheet) if self.sheet is not None else None,
            square_mm=self.square_mm,
            unit=parse_unit(self.unit) if self.unit is not None else None,
        )
