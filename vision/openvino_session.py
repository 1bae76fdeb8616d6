"""OpenVINO behind one call: the only module that knows it, imported only where it is installed."""

from __future__ import annotations

import numpy as np
import openvino
from numpy.typing import NDArray

from vision.errors import BadSource

THREADS = 2
DEVICE = "CPU"


class OpenvinoSession:
    """A network on the processor.

    Where the processor has bfloat16, that is used: on the validation renders it finds what 32 bits
    find, within the noise, at about 0.6 of the cost.
    """

    def __init__(self, weights: bytes, name: str) -> None:
        """Load it.

        Args:
            weights: An ONNX file's content.
            name: What to call it in errors.

        Raises:
            BadSource: Not a network that can be run.
        """
        core = openvino.Core()
        able = core.get_property(DEVICE, "OPTIMIZATION_CAPABILITIES")
        settings = {
            "INFERENCE_NUM_THREADS": THREADS,
            "INFERENCE_PRECISION_HINT": "bf16" if "BF16" in able else "f32",
            "PERFORMANCE_HINT": "LATENCY",
            # A thread bound to one core waits there while another program has it.
            "ENABLE_CPU_PINNING": False,
        }
        try:
            self._network = core.compile_model(core.read_model(weights), DEVICE, settings)
        except RuntimeError as error:
            raise BadSource(name, "model cannot be loaded") from error
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
            answers = self._network(batch)
        except RuntimeError as error:
            raise BadSource(self._name, "model takes other pictures than its card says") from error
        if len(answers) != 1:
            raise BadSource(self._name, f"model gives {len(answers)} answers instead of one")
        return np.array(answers[0], dtype=np.float32)
