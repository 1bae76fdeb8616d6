"""A network that can be run, and which library runs it."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from vision.errors import BadSource
from vision.onnx_session import OnnxSession


class Session(Protocol):
    """A network that can be run."""

    def run(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        """(B, 3, S, S) RGB 0 to 1 -> (B, rows, N): cx, cy, w, h, class scores, keypoints.

        Raises:
            BadSource: The network takes no such pictures, or gives more than one answer.
        """


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


def check_answers(session: Session, name: str, side: int, rows: int) -> NDArray[np.float32]:
    """Put an empty picture through a network, to see before anything else that it fits its card.

    Args:
        session: The network.
        name: What to call it in errors.
        side: Of the square it looks at, px.
        rows: Numbers that it gives for each candidate.

    Returns:
        Its answer, (1, rows, N).

    Raises:
        BadSource: It is another network than its card says.
    """
    answer = session.run(np.zeros((1, 3, side, side), dtype=np.float32))
    if answer.ndim != 3 or answer.shape[:2] != (1, rows):
        shape = " x ".join(str(length) for length in answer.shape)
        raise BadSource(
            name, f"model gives other answers than its card says ({shape}, not 1 x {rows} x any)"
        )
    return answer
