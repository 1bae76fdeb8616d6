"""Pictures as bytes."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frames import Image


def jpeg(image: Image, width: int | None = None, quality: int = 82) -> bytes:
    """Encode a picture.

    Args:
        image: (H, W, 3) BGR.
        width: Scale down to at most this width.
        quality: 1 to 100.
    """
    if width is not None and image.shape[1] > width:
        height = round(image.shape[0] * width / image.shape[1])
        image = np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA))
    _ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return bytes(data.tobytes())


def png(image: Image) -> bytes:
    """Encode a picture without loss."""
    _ok, data = cv2.imencode(".png", image)
    return bytes(data.tobytes())
