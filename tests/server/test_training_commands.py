"""``minimarshal train`` and ``export``, with and without their libraries."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from server.cli import run
from vision.families import KINDS
from vision.model_card import read_card
from vision.onnx_detector import load_detector
from vision.training.labels import boxes_only, write_labels
from vision.training.pictures import write_picture

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "ultralytics", "onnx"))


def fault(capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    capfd.readouterr()
    assert run([str(argument) for argument in arguments]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    (line,) = err.strip().splitlines()
    return line.removeprefix("minimarshal: error: ")


def train_arguments(tmp_path: Path, *more: object) -> list[object]:
    sets = ["--renders", tmp_path / "renders"]
    return ["train", tmp_path / "run", "--start", tmp_path / "no.pt", *sets, *more]


def test_without_torch_one_line_says_how_to_get_it(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.extras.find_spec", lambda name: None)
    line = fault(capfd, *train_arguments(tmp_path))
    assert line.startswith("train: needs torch and ultralytics; in an environment of its own: pip")
    assert 'pip install "minimarshal[train]"' in line
    assert not (tmp_path / "run").exists()
    export = ["export", tmp_path / "last.pt", "--out", tmp_path, "--threshold", 0.4]
    assert fault(capfd, *export, "--trained", "2026-01-02").startswith("export: needs torch")


@pytest.fixture
def torch_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The options are looked at before torch is used."""
    monkeypatch.setattr("server.extras.find_spec", lambda name: True)


def write_set(folder: Path, count: int = 2) -> None:
    for kind in ("images", "labels"):
        (folder / kind / "train").mkdir(parents=True)
    for number in range(count):
        picture = np.full((200, 300, 3), 60 + number, np.uint8)
        write_picture(folder / "images" / "train" / f"{number}.jpg", picture)
        labels = boxes_only(np.array([[40, 40, 90, 140]], np.float32))
        write_labels(folder / "labels" / "train" / f"{number}.txt", labels, 300, 200)


@pytest.mark.usefixtures("torch_found")
def test_bad_options_are_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    line = fault(capfd, *train_arguments(tmp_path))
    assert line == f"{tmp_path / 'renders'}: has no images/train/*.jpg with labels"
    write_set(tmp_path / "renders")
    line = fault(capfd, *train_arguments(tmp_path, "--weight", 1, "--weight", 2))
    assert line == "--weight: given 2 times for 1 rendered sets"
    assert fault(capfd, *train_arguments(tmp_path, "--weight", 0)).startswith("--renders: weighs")
    line = fault(capfd, *train_arguments(tmp_path, "--render-scale", 2, 1))
    assert line.startswith("--render-scale: takes two numbers")
    line = fault(capfd, *train_arguments(tmp_path, "--composites", tmp_path / "none"))
    assert line.startswith(str(tmp_path / "none"))
    export = ["export", tmp_path / "last.pt", "--out", tmp_path, "--trained", "2026-01-02"]
    assert fault(capfd, *export, "--threshold", 2).startswith("--threshold: is between 0 and 1")
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(not HAS_TORCH, reason="needs the extra train")
def test_a_short_run_goes_on_and_is_exported(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    from vision.training.checkpoint import read_checkpoint
    from vision.training.network import build_network, is_of_kinds, load_averages

    write_set(tmp_path / "renders")
    network = build_network(1)
    state = network.state_dict()
    import torch

    torch.save({"network": state, "average": state, "optimiser": {}, "step": 3}, tmp_path / "no.pt")
    five = build_network()
    load_averages(five, state, tmp_path / "no.pt")
    for part, new in (("weight", 0.0), ("bias", -4.6)):
        name = f"model.24.cv3.0.2.{part}"
        channels = five.state_dict()[name]
        assert torch.equal(channels[:1], state[name])
        assert torch.equal(channels[1:2], state[name])  # a Playmobil figure is a figure
        assert torch.allclose(channels[2:], torch.tensor(new))
    fast = [name for name, _ in five.named_parameters() if is_of_kinds(name)]
    assert len(fast) == 6
    assert all(five.get_parameter(name).shape[0] == len(KINDS) for name in fast)

    for steps in (1, 2):
        arguments = train_arguments(tmp_path, "--steps", steps, "--batch", 2, "--loaders", 0)
        capfd.readouterr()
        assert run([str(argument) for argument in [*arguments, "--json"]]) == 0
        document = json.loads(capfd.readouterr().out)
        assert document["steps"] == steps
    last = tmp_path / "run" / "last.pt"
    assert read_checkpoint(last)["step"] == 2
    export = ["export", str(last), "--out", str(tmp_path / "m"), "--threshold", "0.4"]
    plan = str(tmp_path / "run" / "plan.json")
    assert run([*export, "--trained", "2026-01-02", "--plan", plan, "--json"]) == 0
    document = json.loads(capfd.readouterr().out)
    assert document["labels"] == list(KINDS)
    model = Path(document["model"])
    card = read_card(model.with_suffix(".json"))
    assert (card.labels, card.threshold) == (KINDS, 0.4)
    assert load_detector(model).detect(np.full((400, 400, 3), 90, np.uint8)) == []
