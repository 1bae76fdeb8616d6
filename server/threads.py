"""How many threads the number crunchers may use."""

from __future__ import annotations

import cv2


def limit_threads(count: int) -> None:
    """Keep OpenCV to so many threads; the detector keeps to its own two."""
    cv2.setNumThreads(count)
