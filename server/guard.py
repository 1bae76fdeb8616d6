"""Watches that the camera stays where the table was measured, and finds the table again."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from calibration.errors import NotFound
from calibration.plane import Calibration
from calibration.relock import relock
from calibration.reseen import rough_shift
from calibration.resized import resized, size_changes
from calibration.watch import Grey, View, Watch
from vision.changes import SHRINK, shrink
from vision.frames import Frame, Image

_EVERY_NS: Final = 100_000_000
"""A bump is to be noticed within a second; looking more often only costs."""
_RETRY_NS: Final = 1_000_000_000
_STILL_PX: Final = 1.0
"""The table seen in two tries stands still when its outline moved less."""


class Guard:
    """One camera's guard.

    Attributes:
        moved: The camera looks elsewhere than where the table was measured: nothing that is seen
            has a place.
    """

    def __init__(self) -> None:
        self.moved = False
        self._known: Calibration | None = None
        self._base: Calibration | None = None
        self._reference: Grey | None = None
        self._watch: Watch | None = None
        self._expected: tuple[Calibration, Frame] | None = None
        self._looked_ns = 0
        self._tried_ns = 0
        self._tried_size: tuple[int, int] | None = None
        self._seen_far: Calibration | None = None

    def expect(self, calibration: Calibration, frame: Frame) -> None:
        """Say in which picture a calibration holds that is about to be used.

        Until it is accepted the camera may have been moved.
        """
        self._expected = calibration, frame

    def step(self, frame: Frame, calibration: Calibration | None) -> Calibration | None:
        """Take one picture.

        Args:
            frame: The newest picture.
            calibration: The one in use.

        Returns:
            A new calibration when the table was found again from where the camera is now.
        """
        if calibration is not self._known:
            expected = self._expected
            if expected is None or expected[0] is not calibration:
                self._begin(frame, calibration)
                return None
            self._begin(expected[1], calibration)
            self._expected = None
        watch = self._watch
        if watch is None or self._base is None or self._reference is None:
            return None
        if frame.image.shape[:2] != self._reference.shape:
            return self._other_size(frame)
        if 0 <= frame.t_ns - self._looked_ns < _EVERY_NS:
            return None
        self._looked_ns = frame.t_ns
        view = watch.step(shrink(frame.image), frame.t_ns)
        self.moved = view is not View.STEADY
        lost = view is View.MOVING and watch.lost
        if not (view is View.ELSEWHERE or lost) or 0 <= frame.t_ns - self._tried_ns < _RETRY_NS:
            return None
        self._tried_ns = frame.t_ns
        picture = _grey(frame.image)
        try:
            if lost:
                raise NotFound("nothing can be followed from where it was")
            found = relock(self._base, self._reference, picture, _full(watch))
        except NotFound:
            return self._far(frame, self._base, self._reference, picture)
        watch.settle()
        self.moved = False
        self._known = found
        return found

    def _far(
        self, frame: Frame, base: Calibration, reference: Grey, picture: Grey
    ) -> Calibration | None:
        """The table after a turn so far that it can only be found by what looks alike."""
        last, self._seen_far = self._seen_far, None
        try:
            found = relock(base, reference, picture, rough_shift(reference, picture))
        except NotFound:
            return None
        if last is None or _apart_px(last, found) > _STILL_PX:
            self._seen_far = found  # the camera may still be moving: once more
            return None
        self._begin(frame, found)
        return found

    def _other_size(self, frame: Frame) -> Calibration | None:
        """Another resolution: no pixel is where it was, but the table looks the same."""
        self.moved = True
        base, reference = self._base, self._reference
        assert base is not None and reference is not None  # noqa: S101
        if frame.t_ns - self._tried_ns < _RETRY_NS and self._tried_size == frame.size_px:
            return None
        self._tried_ns, self._tried_size = frame.t_ns, frame.size_px
        picture = _grey(frame.image)
        old_px = reference.shape[1], reference.shape[0]
        for change in size_changes(old_px, frame.size_px):
            same = np.asarray(
                cv2.warpAffine(
                    reference, change, frame.size_px, flags=cv2.INTER_AREA,
                    borderMode=cv2.BORDER_REPLICATE,
                ),
                dtype=np.uint8,
            )  # fmt: skip
            try:
                found = relock(resized(base, change, frame.size_px), same, picture, np.eye(2, 3))
            except NotFound:
                continue
            self._begin(frame, found)
            return found
        return None

    def _begin(self, frame: Frame, calibration: Calibration | None) -> None:
        """The table was measured anew, or is not measured."""
        self._known = self._base = calibration
        self._watch = self._reference = self._seen_far = None
        self.moved = False
        if calibration is None or frame.size_px != tuple(calibration.image_size_px):
            return
        self._reference = _grey(frame.image)
        self._watch = Watch(shrink(frame.image), calibration.intrinsics.fx_px / SHRINK)
        self._looked_ns = frame.t_ns


def _apart_px(first: Calibration, second: Calibration) -> float:
    """How far the middle of the table's outline and its corners lie apart in two pictures."""
    outline = first.outline_px
    if not len(outline):
        width, height = first.image_size_px
        outline = np.array([[width / 2, height / 2]])
    there = second.to_image(first.to_table(outline))
    far = np.hypot(*(there - outline).T)
    return float(far.max()) if np.isfinite(far).all() else float("inf")


def _grey(image: Image) -> Grey:
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _full(watch: Watch) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """The shift between whole pictures; first pixel's centre is (0, 0) in both sizes."""
    wide = watch.shift.image_A_reference.copy()
    wide[:, 2] = SHRINK * wide[:, 2] + (SHRINK - 1) / 2 * (1 - wide[:, :2].sum(axis=1))
    return wide
