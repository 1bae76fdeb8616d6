"""Labelled pictures and finds for tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.detection import BoxPx, Detection
from vision.evaluation.labelled import LabelledFigure, LabelledPicture
from vision.frames import Image


def nothing() -> Image:
    """A grey picture, 320 x 240."""
    return np.full((240, 320, 3), 90, dtype=np.uint8)


def picture(*figures: LabelledFigure, part: str = "set", **more: Any) -> LabelledPicture:
    """A picture with labels."""
    return LabelledPicture(part, "a.jpg", nothing, figures, **more)


def find(box: BoxPx, score: float = 0.9, label: str = "minifig") -> Detection:
    """A find without points."""
    return Detection(label, score, box)


def tall(x: float, height: float, kind: str = "minifig", **more: Any) -> LabelledFigure:
    """A figure half as wide as it is tall, its left edge at x."""
    return LabelledFigure(kind, (x, 10.0, x + height / 2, 10.0 + height), **more)
