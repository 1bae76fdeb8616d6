"""The command ``evaluate`` on a folder of two pictures."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.cli import run
from vision.data import data_path
from vision.detection import Detection
from vision.onnx_detector import SHIPPED

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run the command without the material that the machine may have."""
    monkeypatch.delenv("MINIMARSHAL_MATERIAL", raising=False)

    def call(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run(["evaluate", *(str(argument) for argument in arguments)])
        out, err = capfd.readouterr()
        return code, out, err

    return call


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two pictures: a grey one without figures, and a grey one that is said to show one."""
    for name in ("images", "labels"):
        (tmp_path / "set" / name / "test").mkdir(parents=True)
    for name, text in (("0", ""), ("1", "0 0.5 0.5 0.1 0.4\n")):
        grey = np.full((240, 320, 3), 120, np.uint8)
        cv2.imwrite(str(tmp_path / f"set/images/test/{name}.jpg"), grey)
        (tmp_path / f"set/labels/test/{name}.txt").write_text(text)
    return tmp_path / "set"


def test_tables_and_worst_cases_are_written(cli: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    code, text, err = cli("--renders", folder, "--split", "test", "--out", out)
    assert (code, err) == (0, "")
    assert "set/test: 2 pictures, 1 figures, 0 found, 0 false" in text
    document = json.loads((out / "evaluation.json").read_text())
    card = json.loads(data_path(SHIPPED).with_suffix(".json").read_text())
    assert (document["sha256"], document["threshold"]) == (card["sha256"], card["threshold"])
    (part,) = document["parts"]
    assert (part["recall"], part["precision"]) == (0.0, None)
    assert part["curve"]["points"][0]["recall"] == 0.0
    assert "| set/test | 2 | 1 | 0 | - | - | 0 |" in (out / "evaluation.md").read_text()
    assert (out / ".gitignore").read_text() == "*\n"
    assert [path.name for path in (out / "gallery").iterdir()] == ["set-test-missed.png"]


def test_one_document(cli: Run, folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    arguments = ("--renders", folder, "--split", "test", "--no-curve", "--out", out, "--json")
    code, text, _ = cli(*arguments)
    assert code == 0
    document = json.loads(text)
    assert document == json.loads((out / "evaluation.json").read_text())
    assert "curve" not in document["parts"][0]


def test_either_makers_name_may_do(
    cli: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class SaysPlaymobil:
        labels, threshold = ("minifig", "playmobil"), 0.4

        def detect(self, image: object, regions: object = None) -> list[Detection]:
            return [Detection("playmobil", 0.9, (144.0, 72.0, 176.0, 168.0))]

    command = importlib.import_module("server.commands.evaluate")
    monkeypatch.setattr(command, "load_detector", lambda _model: SaysPlaymobil())
    arguments = ("--renders", folder, "--split", "test", "--no-curve", "--json")
    for more, found in (((), 0), (("--any-name",), 1)):
        _, text, _ = cli(*arguments, *more, "--out", tmp_path / str(found))
        (part,) = json.loads(text)["parts"]
        assert (part["figures"], part["found"]) == (1, found)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--out", "{out}"), "--renders: missing (or --material)"),
        (("--renders", "{set}"), "--out: missing"),
        (("--renders", "{set}", "--out", "{out}"), "{set}: holds no images/val/*.jpg"),
        (
            ("--renders", "{set}", "--split", "all", "--out", "{out}"),
            "--split: 'all' is not",
        ),
        (("--material", "{set}", "--out", "{out}"), "{set}: holds no folder real"),
        (
            ("--renders", "{set}", "--split", "test", "--out", "{set}/labels/test/0.txt"),
            "--out: ",
        ),
        (("--renders", "{set}", "--model", "{set}/m.onnx", "--out", "{out}"), "{set}/m.json: "),
        (
            ("--renders", "{set}", "--model", "{set}/m.json", "--out", "{out}"),
            "{set}/m.json: is no model; name the .onnx file beside its card",
        ),
        (
            ("--renders", "{set}", "--renders", "{set}/none", "--split", "test", "--out", "{out}"),
            "{set}/none: holds no images/test/*.jpg",
        ),
    ],
)
def test_bad_use_is_one_line(
    cli: Run, folder: Path, tmp_path: Path, arguments: tuple[str, ...], line: str
) -> None:
    names = {"set": folder, "out": tmp_path / "report"}
    code, text, err = cli(*(argument.format(**names) for argument in arguments))
    assert (code, text) == (2, "")
    assert err.startswith(f"minimarshal: error: {line.format(**names)}")
    assert err.count("\n") == 1
    assert not (tmp_path / "report").exists()
