"""The references on the command line: a printed page comes back as a calibration."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from server.cli import run
from tests.calibration.flat import BOARD, PAPER, box, draw_board, fill, scene


def call(capfd: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    capfd.readouterr()
    code = run([str(argument) for argument in arguments])
    out, err = capfd.readouterr()
    return code, out, err


def test_a_board_is_written_for_either_paper(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "board.pdf"
    code, out, _ = call(capfd, "board", "--out", page, "--paper", "LETTER", "--json")
    assert code == 0 and json.loads(out)["square_mm"] == 30.0
    assert page.read_bytes().startswith(b"%PDF-")
    code, out, err = call(capfd, "board", "--out", tmp_path / "none" / "board.pdf")
    assert code == 2 and out == "" and err.startswith("minimarshal: error: --out")
    code, out, err = call(capfd, "board", "--out", page, "--paper", "A0")
    assert code == 2 and "--paper" in err


@pytest.mark.parametrize("reference", ["markers", "auto"])
def test_the_board_calibrates(
    reference: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    view = scene(3, BOARD)
    draw_board(view.drawing)
    picture, kept = tmp_path / "board.png", tmp_path / "calibration.json"
    cv2.imwrite(str(picture), view.drawing.picture())
    order = ("calibrate", picture, "--reference", reference, "--out", kept, "--json")
    code, out, _ = call(capfd, *order)
    document = json.loads(out)
    assert code == 0 and document["reference"] == "markers" and document["sigma_mm"]["median"] < 2
    assert document["studs"] is None and document["reference_plane_mm"] == 0.0
    ends = view.truth.to_image(np.array([[10.0, 10.0], [160.0, 210.0]]))
    sides = (
        part
        for name, end in zip(("--from-px", "--to-px"), ends, strict=True)
        for part in (name, f"{end[0]},{end[1]}")
    )
    code, out, _ = call(capfd, "measure", "--calibration", kept, *sides, "--json")
    assert code == 0 and json.loads(out)["mm"] == pytest.approx(250, abs=1.5)


def test_a_sheet_of_a_size_typed_in(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    view = scene(2, (250.0, 180.0))
    fill(view.drawing, box(0, 0, 250, 180), PAPER)
    picture = tmp_path / "sheet.png"
    cv2.imwrite(str(picture), view.drawing.picture())
    order = ("calibrate", picture, "--reference", "sheet", "--json")
    code, out, _ = call(capfd, *order, "--sheet", "180x250")
    document = json.loads(out)
    assert code == 0 and "sheet of" in document["assumed"][-1]
    code, out, _ = call(capfd, *order, "--sheet", "card", "--fov", "20")
    assert code == 3 and json.loads(out)["ok"] is False


@pytest.mark.parametrize(
    "wrong", [("--sheet", "A5"), ("--square", "0"), ("--unit", "foot"), ("--sheet", "0x0")]
)
def test_wrong_sizes_are_named(
    wrong: tuple[str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "grey.png"
    cv2.imwrite(str(picture), np.full((120, 160, 3), 90, np.uint8))
    code, out, err = call(capfd, "calibrate", picture, *wrong, "--json")
    assert code == 2 and out == ""
    assert err.startswith(f"minimarshal: error: {wrong[0]}:") and err.count("\n") == 1


@pytest.mark.parametrize("reference", ["ruler", "sheet", "markers", "auto"])
def test_a_black_picture_is_no_answer(
    reference: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "black.png"
    cv2.imwrite(str(picture), np.zeros((240, 320, 3), np.uint8))
    code, out, _ = call(capfd, "calibrate", picture, "--reference", reference, "--json")
    assert code == 3 and "dark" in json.loads(out)["reason"]
