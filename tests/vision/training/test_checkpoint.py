"""The mean of several trainings."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from vision.training.checkpoint import AVERAGE, JUDGE, RUN, write_mean
from vision.training.errors import TrainingError

if importlib.util.find_spec("torch") is None:
    pytest.skip("torch is not installed", allow_module_level=True)


def kept(file: Path, key: str, *values: float) -> Path:
    """A checkpoint of one array and a count."""
    import torch

    weights: dict[str, Any] = {"a": torch.tensor(values), "seen": torch.tensor(len(file.name))}
    run = dict.fromkeys(RUN - {AVERAGE}, 7) if key == AVERAGE else {}
    torch.save({**run, key: weights}, file)
    return file


@pytest.mark.parametrize("key", [AVERAGE, JUDGE])
def test_weights_are_averaged_and_the_rest_is_of_the_first(tmp_path: Path, key: str) -> None:
    import torch

    files = [kept(tmp_path / f"{'x' * n}.pt", key, n, 10.0 * n) for n in (1, 2, 6)]
    out = tmp_path / "mean.pt"
    write_mean(files, out)
    back = torch.load(out, weights_only=True)
    assert back[key]["a"].tolist() == pytest.approx([3, 30])
    assert back[key]["seen"] == len("x.pt")
    assert (back.get("step") == 7) == (key == AVERAGE)


def test_what_does_not_belong_together_is_refused(tmp_path: Path) -> None:
    run, judge = kept(tmp_path / "run.pt", AVERAGE, 1), kept(tmp_path / "judge.pt", JUDGE, 1)
    wide = kept(tmp_path / "wide.pt", AVERAGE, 1, 2)
    out = tmp_path / "mean.pt"
    for others in ((judge,), (wide,)):
        with pytest.raises(TrainingError, match="another network"):
            write_mean([run, *others], out)
    with pytest.raises(TrainingError, match="two checkpoints"):
        write_mean([run], out)
    assert not out.exists()


def test_a_missing_file_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"none\.pt: is missing"):
        write_mean([tmp_path / "none.pt", tmp_path / "none.pt"], tmp_path / "mean.pt")
