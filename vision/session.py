"""A network that can be run, and which library runs it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.onnx_session import OnnxSession


class Session(Protocol):
    """A network that can be run."""

    def run(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        """(B, 3, S, S) RGB 0 to 1 -> (B, rows, N): cx, cy, w, h, class scores, keypoints."""


def open_session(weights: bytes, name: str) -> Session:
    """Load a network into OpenVINO where that is installed, else into ONNX Runtime.

    Args:
        weights: An ONNX file's content.
        name: What to call it in errors.

    Raises:
        BadSource: Not a network that can be run.
    """
    if find_spec("openvino") is not None:
        from vision.openvino_session import OpenvinoSession

        return OpenvinoSession(weights, name)
    return OnnxSession(weights, name)
