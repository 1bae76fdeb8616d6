"""When the first pictures of an unknown table are searched for studs."""

from __future__ import annotations

from typing import Final

from calibration.errors import NotFound
from calibration.plane import Calibration
from engine.errors import Refused
from server.schema import TryBody
from server.trials import Trials
from vision.frames import Frame

ASKS: Final = "please confirm"
_TRIES: Final = (0, 5, 20, 60, 150, 300)
"""Pictures in which the reference is looked for while there is none."""


class FirstLook:
    """Looks for studs now and then.

    Args:
        trials: Calibrates, with the camera's lens where it is known.
    """

    def __init__(self, trials: Trials) -> None:
        self._trials = trials
        self._seen = -1

    def step(self, frame: Frame) -> Calibration | None:
        """Search a picture if a try is due; a slow machine or a camera leaves pictures out."""
        before = self._seen if self._seen <= frame.index else -1
        self._seen = frame.index
        if not any(before < due <= frame.index for due in _TRIES):
            return None
        try:
            found = self._trials.measured(TryBody(reference="studs"), frame, None).calibration
        except (NotFound, Refused):
            return None
        # What asks to be confirmed is shown on the page and taken by a person.
        return None if any(ASKS in text for text in found.warnings) else found
