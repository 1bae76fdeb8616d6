"""OpenCV calls of the training data with the array types they really return."""

from __future__ import annotations

from typing import TYPE_CHECKING

import cv2
import numpy as np

from vision.training.errors import TrainingError

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]
    Plane = NDArray[np.float32]


def read_picture(file: Path) -> Picture:
    """Read a picture file as (H, W, 3) BGR.

    Raises:
        TrainingError: the file is missing or no picture.
    """
    image = cv2.imread(str(file), cv2.IMREAD_COLOR)
    if image is None:
        raise TrainingError(file, "is missing or no picture")
    return np.asarray(image, np.uint8)


def write_picture(file: Path, picture: Picture) -> None:
    """Write a JPEG whose compression hardly shows.

    Raises:
        TrainingError: the file cannot be written.
    """
    if not cv2.imwrite(str(file), picture, [cv2.IMWRITE_JPEG_QUALITY, 95]):
        raise TrainingError(file, "cannot be written")


def shrunk(picture: Picture, scale: float) -> Picture:
    """Return a picture scaled by averaging, for scales of 1 or less."""
    size = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(size, np.uint8)


def blurred(plane: Plane, sigma: float) -> Plane:
    """Return a plane or mask blurred with a Gaussian of a width in pixels."""
    return np.asarray(cv2.GaussianBlur(plane, (0, 0), sigma), np.float32)


def compressed(picture: Picture, quality: int) -> Picture:
    """Return what a JPEG of a quality (1-100) leaves of a picture."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    back = cv2.imdecode(data, cv2.IMREAD_COLOR) if done else None
    return picture if back is None else np.asarray(back, np.uint8)
