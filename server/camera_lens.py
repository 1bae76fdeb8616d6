"""A camera's lens as it was measured before: used where it still fits, and learnt anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from calibration.camera import Intrinsics
from calibration.errors import BadReference, NotFound
from calibration.lenses import FILE_NAME, LensStore, alike, measured_lens
from calibration.plane import Calibration
from server.console import error_line, note
from server.datafolder import data_folder

MISFIT: Final = 1.6
"""A kept lens that fits so much worse than a free one is another one by now."""
_NOISE_PX: Final = 0.3

Run = Callable[[Intrinsics | None, str | None], Calibration]
"""Calibrates with a lens, or without one, by one reference, or as was asked."""


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A calibration and what it tells of the lens.

    Attributes:
        calibration: To be used.
        lens: As this picture alone shows it, None where it tells too little.
    """

    calibration: Calibration
    lens: Intrinsics | None


@dataclass(frozen=True, slots=True)
class CameraLens:
    """The lens of one camera.

    Attributes:
        store: Where lenses are kept.
        camera: Name of the camera.
    """

    store: LensStore
    camera: str

    @classmethod
    def of(cls, camera: str) -> CameraLens:
        """The lens of a camera in the user's data folder; says so when the file is broken."""
        lens = cls(LensStore(data_folder() / FILE_NAME), camera)
        try:
            lens.store.find(camera, (1, 1))
        except BadReference as error:
            note(error_line(error.name, error.fault).replace("error", "warning", 1))
        return lens

    def known(self, image_size_px: tuple[int, int]) -> Intrinsics | None:
        """The lens kept for pictures of a size; None where there is none, or none to be read."""
        try:
            return self.store.find(self.camera, image_size_px)
        except BadReference:
            return None  # said when the camera was opened

    def calibrate(self, image_size_px: tuple[int, int], run: Run) -> Measured:
        """Calibrate with the kept lens, as long as the picture does not speak against it.

        Args:
            image_size_px: Width and height of the picture.
            run: Calibrates.

        Raises:
            NotFound: Nothing is found with the kept lens or without it.
        """
        kept = self.known(image_size_px)
        if kept is None:
            found = run(None, None)
            return Measured(found, measured_lens(found))
        try:
            free = run(None, None)
        except NotFound:
            return Measured(self._said(run(kept, None)), None)
        seen = measured_lens(free)
        try:
            found = run(kept, free.reference)
        except (NotFound, BadReference):
            return Measured(_unused(free), seen)
        worse = found.rms_px > MISFIT * free.rms_px + _NOISE_PX
        if worse or (seen is not None and not alike(seen, kept)):
            return Measured(_unused(free), seen)
        return Measured(self._said(found), seen)

    def learn(self, measured: Measured) -> bool:
        """Keep the lens of a calibration that somebody found good.

        Returns:
            Whether it was kept.
        """
        if measured.lens is None:
            return False
        used = measured.calibration
        try:
            return self.store.keep(self.camera, used.image_size_px, measured.lens, used.reference)
        except BadReference as error:
            note(error_line(error.name, error.fault).replace("error", "warning", 1))
            return False

    def _said(self, calibration: Calibration) -> Calibration:
        width, height = calibration.image_size_px
        words = f"the lens of {self.camera} at {width} x {height}, as measured before"
        return replace(calibration, assumed=(*calibration.assumed, words))


def _unused(calibration: Calibration) -> Calibration:
    words = (
        "the lens kept for this camera does not fit this picture (zoomed, or another camera?); "
        "it was not used"
    )
    return replace(calibration, warnings=(*calibration.warnings, words))
