"""Which library runs the network, and that both give the same."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.vision.test_onnx_detector import identity_network
from vision.errors import BadSource
from vision.onnx_session import OnnxSession
from vision.session import open_session

BATCH = np.random.default_rng(0).random((2, 3, 4, 4)).astype(np.float32)


class Core:
    """What is used of OpenVINO: it doubles its input and remembers its settings."""

    capabilities: tuple[str, ...] = ()
    settings: dict[str, Any]

    def get_property(self, device: str, name: str) -> list[str]:
        assert (device, name) == ("CPU", "OPTIMIZATION_CAPABILITIES")
        return list(self.capabilities)

    def read_model(self, weights: bytes) -> bytes:
        if weights != identity_network():
            raise RuntimeError("Unable to read the model")
        return weights

    def compile_model(self, model: bytes, device: str, settings: dict[str, Any]) -> Any:
        Core.settings = settings
        return lambda batch: [batch * 2]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """OpenVINO seems to be installed."""
    monkeypatch.setitem(sys.modules, "openvino", SimpleNamespace(Core=Core))
    monkeypatch.setattr("vision.session.find_spec", lambda name: name)
    sys.modules.pop("vision.openvino_session", None)
    yield
    sys.modules.pop("vision.openvino_session", None)


def test_without_openvino_it_is_onnx_runtime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.session.find_spec", lambda name: None)
    assert isinstance(open_session(identity_network(), "net"), OnnxSession)


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize(("able", "hint"), [(("FP32",), "f32"), (("FP32", "BF16"), "bf16")])
def test_openvino_is_chosen_with_what_the_processor_has(
    able: tuple[str, ...], hint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Core, "capabilities", able)
    session = open_session(identity_network(), "net")
    assert type(session).__name__ == "OpenvinoSession"
    np.testing.assert_array_equal(session.run(BATCH), BATCH * 2)
    assert Core.settings["INFERENCE_PRECISION_HINT"] == hint
    with pytest.raises(BadSource, match="net: model cannot be loaded"):
        open_session(b"nothing", "net")


@pytest.mark.skipif(importlib.util.find_spec("openvino") is None, reason="needs openvino")
def test_the_real_one_runs_a_network() -> None:
    session = open_session(identity_network(), "net")
    assert type(session).__name__ == "OpenvinoSession"
    np.testing.assert_allclose(session.run(BATCH), BATCH, rtol=1 / 128)
    with pytest.raises(BadSource, match="net: model cannot be loaded"):
        open_session(b"nothing", "net")
