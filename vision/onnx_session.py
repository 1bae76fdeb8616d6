"""ONNX Runtime behind one call: the only module that knows it."""

from __future__ import annotations

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from onnxruntime.capi.onnxruntime_pybind11_state import (
    Fail,
    InvalidArgument,
    InvalidGraph,
    InvalidProtobuf,
    RuntimeException,
)

from vision.errors import BadSource

THREADS = 2


class OnnxSession:
    """A network on the processor."""

    def __init__(self, weights: bytes, name: str) -> None:
        """Load it.

        Args:
            weights: An ONNX file's content.
            name: What to call it in errors.

        Raises:
            BadSource: Not a network that can be run.
        """
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.inter_op_num_threads = 1
        # Spinning threads would take the cores from decoding and the page between two frames.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 4
        try:
            self._session = onnxruntime.InferenceSession(
                weights, options, providers=["CPUExecutionProvider"]
            )
        except (Fail, InvalidGraph, InvalidProtobuf, ValueError, RuntimeError) as error:
            raise BadSource(name, "model cannot be loaded") from error
        self._input = self._session.get_inputs()[0].name
        self._name = name

    def run(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        """Put tiles through the network.

        Args:
            batch: (B, 3, S, S) RGB, 0 to 1.

        Returns:
            (B, rows, N).

        Raises:
            BadSource: It takes no such pictures, or gives more than one answer.
        """
        try:
            answers = self._session.run(None, {self._input: batch})
        except (Fail, InvalidArgument, RuntimeException, ValueError) as error:
            raise BadSource(self._name, "model takes other pictures than its card says") from error
        if len(answers) != 1:
            raise BadSource(self._name, f"model gives {len(answers)} answers instead of one")
        return np.asarray(answers[0], dtype=np.float32)
