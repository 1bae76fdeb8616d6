"""Notices that a camera sees too little light to find anything."""

from __future__ import annotations

from typing import Final

import numpy as np

from vision.frames import Frame

_DARK: Final = 28.0
"""Grey level below which nearly the whole of a dark picture lies; a dim room reaches over it."""
_SHARE: Final = 99.0
_STEP: Final = 8
_BELIEVED_NS: Final = 1_000_000_000
"""A hand over the lens for a moment is not the night."""


class Darkness:
    """Watches one camera's light.

    Attributes:
        dark: It has been dark for a while.
    """

    def __init__(self) -> None:
        self.dark = False
        self._since_ns: int | None = None

    def step(self, frame: Frame) -> None:
        """Take one picture."""
        sample = frame.image[::_STEP, ::_STEP]
        if float(np.percentile(sample, _SHARE)) >= _DARK:
            self._since_ns, self.dark = None, False
            return
        if self._since_ns is None or frame.t_ns < self._since_ns:
            self._since_ns = frame.t_ns
        self.dark = frame.t_ns - self._since_ns >= _BELIEVED_NS
