"""One picture with its time, and what delivers pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
"""(H, W, 3) BGR."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture.

    Attributes:
        index: From 0, in presentation order.
        t_ns: Time from the start of the source.
        source_id: Where it comes from, for example a file name or ``camera:0``.
        image: (H, W, 3) uint8 BGR, after EXIF or display rotation.
    """

    index: int
    t_ns: int
    source_id: str
    image: Image

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self.image.shape[1], self.image.shape[0]


class FrameSource(Protocol):
    """Anything that delivers frames in order."""

    @property
    def source_id(self) -> str:
        """Name of the source."""

    def __iter__(self) -> Iterator[Frame]:
        """Frames in presentation order."""

    def close(self) -> None:
        """Let go of the device or file. Safe to call twice."""
