from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from vision.training.__main__ import main

if TYPE_CHECKING:
    from pathlib import Path


def one_line(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.strip().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("minimarshal: error: ")
    return lines[0]


def test_missing_material_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["collect", str(tmp_path), str(tmp_path / "out")]) == 2
    assert "minifig_boxes" in one_line(capsys)
    assert not (tmp_path / "out").exists()


def test_mining_nothing_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model, out = tmp_path / "none.onnx", tmp_path / "out.npz"
    assert main(["mine", str(model), str(tmp_path), str(out)]) == 2
    assert "images/train" in one_line(capsys)
    assert not out.exists()


def test_a_judge_without_torch_or_crops_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    judge = ["judge", str(tmp_path / "card.json"), "--crops", str(tmp_path / "none.npz")]
    monkeypatch.setattr("vision.training.__main__.find_spec", lambda name: None)
    assert main(judge) == 2
    assert "needs torch" in one_line(capsys)
    monkeypatch.setattr("vision.training.__main__.find_spec", lambda name: True)
    assert main(judge) == 2
    assert "card.json: is no model card" in one_line(capsys)
    (tmp_path / "card.json").write_text("{}")
    assert main(judge) == 2
    assert "none.npz" in one_line(capsys)
    assert main([*judge, "--weight", "0"]) == 2
    assert "--weight: must be more than 0" in one_line(capsys)
    for wrong in (["--rate", "0"], ["--steps", "-1"], ["--threads", "0"]):
        assert main([*judge, *wrong]) == 2
        assert "must be more than 0" in one_line(capsys)
    assert main([*judge, "--keep", str(tmp_path / "nowhere" / "judge.pt")]) == 2
    assert "nowhere: is no folder" in one_line(capsys)
    assert main([*judge, "--weight", "1", "--weight", "2"]) == 2
    assert "given 2 times for 1 files" in one_line(capsys)


def test_a_mean_without_torch_or_place_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.training.__main__.find_spec", lambda name: None)
    assert main(["mean", str(tmp_path / "mean.pt"), "a.pt", "b.pt"]) == 2
    assert "needs torch" in one_line(capsys)
    monkeypatch.setattr("vision.training.__main__.find_spec", lambda name: True)
    assert main(["mean", str(tmp_path / "nowhere" / "mean.pt"), "a.pt", "b.pt"]) == 2
    assert "nowhere: is no folder" in one_line(capsys)


def test_a_comparison_without_torch_or_pictures_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    compare = ["compare", str(tmp_path / "out"), "--start", str(tmp_path / "none.npz")]
    compare += ["--renders", str(tmp_path / "none")]
    monkeypatch.setattr("vision.training.__main__.find_spec", lambda name: None)
    assert main(compare) == 2
    assert "compare: needs torch" in one_line(capsys)
    monkeypatch.setattr("vision.training.__main__.find_spec", lambda name: True)
    assert main([*compare, "--steps", "0"]) == 2
    assert "--steps" in one_line(capsys)
    assert main(compare) == 2
    assert "images/train" in one_line(capsys)
    assert not (tmp_path / "out").exists()


def test_an_unknown_command_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["paint"])
    assert stop.value.code == 2
    assert "paint" in capsys.readouterr().err


def test_going_on_from_a_file_without_torch_or_place_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reopen = ["reopen", str(tmp_path / "none.onnx"), str(tmp_path)]
    monkeypatch.setattr("vision.training.__main__.find_spec", lambda name: None)
    assert main([*reopen, str(tmp_path / "out.pt")]) == 2
    assert "reopen: needs torch" in one_line(capsys)
    monkeypatch.setattr("vision.training.__main__.find_spec", lambda name: True)
    assert main([*reopen, str(tmp_path / "nowhere" / "out.pt")]) == 2
    assert "nowhere: is no folder" in one_line(capsys)
