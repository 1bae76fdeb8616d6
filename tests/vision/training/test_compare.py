"""Networks and starts compared on a small budget."""

from __future__ import annotations

import importlib.util
import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.families import KINDS
from vision.training import compare
from vision.training.compare import CANDIDATES, best_of, markdown
from vision.training.labels import boxes_only, write_labels
from vision.training.mixture import Mixture, Source, list_examples
from vision.training.pictures import write_picture
from vision.training.plan import Plan

HAS_TORCH = all(importlib.util.find_spec(name) for name in ("torch", "ultralytics", "onnx"))


def test_the_best_of_all_thresholds() -> None:
    found = np.array([0.9, 0.8, 0.7, 0.3, 0.0])
    false = np.array([0.75, 0.6, 0.5, 0.4, 0.1])
    assert best_of(found, false) == {
        "recall_at_0.5": 0.8,  # from 0.3 on: four right, four wrong
        "recall_at_0.7": 0.6,  # from 0.7 on: three right, one wrong
        "recall_at_0.9": 0.4,  # from 0.8 on: two right
        "best_f1": 0.667,  # from 0.7 on
    }
    nothing = best_of(np.zeros(3), false)
    assert set(nothing.values()) == {0.0}


def row(name: str, score: float) -> dict[str, Any]:
    scores = {"figures": 9, **best_of(np.array([score]), np.zeros(0))}
    plain = {"million_numbers": 2.8, "step_ms": 1.0, "tile_ms": 2.0, "validation_loss": 3.0}
    return {"network": name, **plain, "validation_loss_parts": {"box": 1.0}, "kinds": scores}


def test_the_table_has_a_row_each() -> None:
    lines = markdown([row("a", 0.5), row("b", 0.0)]).splitlines()
    assert len(lines) == 4
    assert lines[0].startswith(
        "| network | million numbers | step ms | tile ms | validation loss |"
    )
    assert "kinds recall at 0.7" in lines[0]
    assert lines[2].startswith("| a | 2.8 | 1.0 | 2.0 | 3.0 | 1.0 |")
    assert lines[3].endswith("| 0.0 | 0.0 | 0.0 | 0.0 |")
    assert len({line.count("|") for line in lines}) == 1


@pytest.mark.skipif(not HAS_TORCH, reason="needs the extra train")
def test_every_candidate_is_trained_and_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, part in itertools.product(("images", "labels"), ("train", "val")):
        (tmp_path / "set" / kind / part).mkdir(parents=True)
    for part in ("train", "val"):
        picture = np.full((200, 300, 3), 60, np.uint8)
        write_picture(tmp_path / "set" / "images" / part / "0.jpg", picture)
        labels = boxes_only(np.array([[40, 40, 90, 140]], np.float32))
        write_labels(tmp_path / "set" / "labels" / part / "0.txt", labels, 300, 200)
    np.savez(tmp_path / "start.npz")
    monkeypatch.setattr(compare, "VIEWS", 2)
    monkeypatch.setattr(compare, "TIMED", 1)
    source = Source(list_examples(tmp_path / "set", "train"), 1.0, (0.5, 1.0))
    clock = itertools.count()
    for steps in (1, 1):  # a run that is there is not trained anew
        plan = Plan(steps=steps, batch=2, threads=1, loaders=0)
        rows = compare.compare(
            plan,
            Mixture((source,), 2 * steps, 7),
            [tmp_path / "set"],
            tmp_path / "start.npz",
            tmp_path / "out",
            lambda: float(next(clock)),
            lambda name, step, losses: None,
        )
        assert [row["network"] for row in rows] == [one.name for one in CANDIDATES]
        assert all(math.isfinite(row["validation_loss"]) for row in rows)
        assert all(row["set"]["figures"] == 1 for row in rows)
        assert len({row["million_numbers"] for row in rows}) == 3


@pytest.mark.skipif(not HAS_TORCH, reason="needs the extra train")
def test_what_is_written_of_an_end_to_end_network_is_its_end(tmp_path: Path) -> None:
    import torch

    from vision.onnx_session import OnnxSession
    from vision.training.network import build_network

    torch.manual_seed(3)
    network = build_network(recipe="yolo26n-pose.yaml").eval()
    tile = np.random.default_rng(1).random((1, 3, 320, 320)).astype(np.float32)
    network.model[-1].end2end = True
    with torch.no_grad():
        for name, values in network.named_parameters():
            if "one2one" in name:  # untrained, both heads give every place the same score
                values.add_(0.1 * torch.randn_like(values))
        ends = network(torch.from_numpy(tile))[0][0].numpy()  # (300, 4 + 2 + 15), best first
    file = compare.write_candidate(network, tmp_path)
    rows = OnnxSession(file.read_bytes(), "net").run(tile)[0]
    best = int(rows[4 : 4 + len(KINDS)].max(axis=0).argmax())
    x, y, w, h = rows[:4, best]
    np.testing.assert_allclose(
        [x - w / 2, y - h / 2, x + w / 2, y + h / 2], ends[0, :4], atol=0.05, rtol=1e-3
    )
    assert rows[4 : 4 + len(KINDS), best].max() == pytest.approx(ends[0, 4], rel=1e-3)
    np.testing.assert_allclose(rows[-15:, best], ends[0, -15:], atol=0.05, rtol=1e-3)
