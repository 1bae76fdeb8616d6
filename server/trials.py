"""Calibrations that are tried on the newest picture and wait to be taken into use."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from calibration.advice import improve
from calibration.overlay import grid_paths
from calibration.plane import Calibration
from calibration.residuals import GRADES_MM, residuals
from calibration.store import document
from calibration.studs import STUD_PITCH_MM
from engine.errors import Refused
from server.camera_lens import CameraLens, Measured
from server.recalibrate import tried
from server.schema import TryBody
from vision.frames import Frame

_PATIENCE_S: Final = 30.0
"""How long one look waits for another to end."""


@dataclass(frozen=True, slots=True, eq=False)
class Trial:
    """One calibration and the picture it was found in.

    Attributes:
        number: By which it is accepted.
        measured: How the camera sees the table.
        frame: The picture.
    """

    number: int
    measured: Measured
    frame: Frame

    @property
    def calibration(self) -> Calibration:
        """How the camera sees the table."""
        return self.measured.calibration

    def document(self) -> dict[str, Any]:
        """What the page draws over the picture and says of it; pixels are original ones."""
        found = self.calibration
        left = residuals(found)
        size = found.size_mm
        corners = None
        if size is not None:
            width, depth = size
            corners = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)]
        return {
            "ok": True,
            "trial": self.number,
            "calibration": document(found),
            "grid_px": [path.round(1).tolist() for path in grid_paths(found)],
            "corners_px": _pixels(found, corners),
            "grades": list(left.grades),
            "grade_mm": list(GRADES_MM),
            "residuals": [
                {"px": px, "off_px": off_px, "off_mm": off_mm}
                for px, off_px, off_mm in zip(
                    left.px.round(1).tolist(),
                    left.off_px.round(2).tolist(),
                    left.off_mm.round(3).tolist(),
                    strict=True,
                )
            ],
            "largest_off_mm": left.largest_mm,
            "advice": list(improve(found)),
        }


class Trials:
    """The newest trial of one table; one is made at a time.

    Args:
        lens: Of the camera, where it is kept.
    """

    def __init__(self, lens: CameraLens | None = None) -> None:
        self._lens = lens
        self._busy = threading.Lock()
        self._counting = threading.Lock()
        self._newest: Trial | None = None
        self._pitch_mm: float | None = None
        self._count = 0

    def look(self, body: TryBody, frame: Frame, used: Calibration | None) -> Trial:
        """Try a calibration without taking it into use.

        Args:
            body: What to go by.
            frame: The newest picture.
            used: The calibration in use, where it holds for this picture.

        Raises:
            Refused: Another trial is being made, or the one it builds on is gone.
            calibration.errors.NotFound: No reference is in the picture.
            calibration.errors.BadReference: What was given contradicts itself.
        """
        base = used if body.basis is None else self.take(body.basis).calibration
        if body.points is not None or body.corners_px is not None:
            return self._keep(self.measured(body, frame, base), frame)  # nothing is searched
        if not self._busy.acquire(timeout=_PATIENCE_S):
            raise Refused("the table is being looked for already; wait a moment")
        try:
            return self._keep(self.measured(body, frame, base), frame)
        finally:
            self._busy.release()

    def measured(self, body: TryBody, frame: Frame, base: Calibration | None) -> Measured:
        """Calibrate from a picture, with the camera's lens where it is known.

        Raises:
            calibration.errors.NotFound: No reference is in the picture.
            calibration.errors.BadReference: What was given contradicts itself.
        """
        if body.stud_pitch_mm is None and self._pitch_mm is not None:
            body = body.model_copy(update={"stud_pitch_mm": self._pitch_mm})
        moves_edges = body.corners_px is not None and body.size_mm is None
        if self._lens is None or body.fov_deg is not None or moves_edges:
            return Measured(tried(body, frame.image, base), None)
        return self._lens.calibrate(
            frame.size_px,
            lambda lens, reference: tried(body, frame.image, base, lens, reference),
        )

    def _keep(self, measured: Measured, frame: Frame) -> Trial:
        with self._counting:
            self._count += 1
            self._newest = Trial(self._count, measured, frame)
            return self._newest

    def accept(self, number: int) -> Trial:
        """The trial of a number, to be used.

        The camera's lens is learnt from it, and the stud pitch where it was measured or typed in:
        it is that of these very plates until another is told.

        Raises:
            Refused: It is not the newest one.
        """
        trial = self.take(number)
        studs = trial.calibration.studs
        if studs is not None:
            self._pitch_mm = None if studs.pitch_mm == STUD_PITCH_MM else studs.pitch_mm
        if self._lens is not None:
            self._lens.learn(trial.measured)
        return trial

    def take(self, number: int) -> Trial:
        """The trial of a number.

        Raises:
            Refused: It is not the newest one.
        """
        newest = self._newest
        if newest is None or newest.number != number:
            raise Refused("the table was looked for again meanwhile; look at the newest result")
        return newest


def _pixels(
    calibration: Calibration, places: list[tuple[float, float]] | None
) -> list[list[float]] | None:
    """Where table places are in the picture, None unless all of them are inside it."""
    if places is None:
        return None
    width, height = calibration.image_size_px
    px = calibration.to_image(np.array(places))
    if not (np.isfinite(px).all() and (px > 0).all() and (px < [width, height]).all()):
        return None
    rows: list[list[float]] = px.round(2).tolist()
    return rows
