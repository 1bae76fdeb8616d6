"""A written network taken back for more training."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.training.__main__ import main
from vision.training.errors import TrainingError

NEEDED = ("torch", "onnx", "ultralytics")
if not all(importlib.util.find_spec(name) for name in NEEDED):
    pytest.skip(f"{', '.join(NEEDED)} are not installed", allow_module_level=True)

MODEL = Path(__file__).parents[3] / "models" / "detector.onnx"


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few labelled pictures of noise over shades."""
    folder = tmp_path_factory.mktemp("pictures")
    rng = np.random.default_rng(2)
    for part in ("images/train", "labels/train"):
        (folder / part).mkdir(parents=True)
    for number in range(4):
        shade = cv2.resize(rng.integers(0, 255, (6, 9, 3)).astype(np.uint8), (640, 360))
        noisy = np.clip(shade + rng.normal(0, 12, shade.shape), 0, 255).astype(np.uint8)
        cv2.imwrite(str(folder / f"images/train/{number}.jpg"), noisy)
        (folder / f"labels/train/{number}.txt").write_text("")
    return folder


def test_it_answers_as_before_and_its_channels_have_a_spread_of_one(
    pictures: Path, tmp_path: Path
) -> None:
    import onnxruntime
    import torch

    from vision.training.checkpoint import read_checkpoint
    from vision.training.network import build_network, load_averages

    out = tmp_path / "again.pt"
    assert main(["reopen", str(MODEL), str(pictures), str(out)]) == 0
    network = build_network()
    load_averages(network, read_checkpoint(out)["average"], out)
    network.eval()
    tile = np.random.default_rng(4).random((2, 3, 320, 320), np.float32)
    with torch.no_grad():
        own = network(torch.from_numpy(tile))[0].numpy()
    (wanted,) = onnxruntime.InferenceSession(str(MODEL)).run(None, {"images": tile})
    assert np.abs(own - wanted).max() < 0.05
    assert np.abs(wanted).max() > 100
    spread = network.model[3].bn.running_var.numpy()
    assert np.median(spread) == pytest.approx(1, abs=0.01)


def test_another_network_is_refused(pictures: Path, tmp_path: Path) -> None:
    from vision.training.reopen import reopen

    file = tmp_path / "broken.onnx"
    file.write_bytes(b"not a network")
    with pytest.raises(TrainingError, match=r"broken\.onnx"):
        reopen(file, pictures, tmp_path / "out.pt")
    assert not (tmp_path / "out.pt").exists()
    with pytest.raises(TrainingError, match="labels"):
        reopen(MODEL, tmp_path, tmp_path / "out.pt")
