"""Calibration files: there and back, whole or not at all, and every wrong one named."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.errors import BadReference
from calibration.points import PointPairs, calibrate_points
from calibration.store import document, load, load_intrinsics, parse, save
from tests.calibration.views import SIZE, camera, look_at, view

MM = np.array([[0, 0], [400, 0], [400, 300], [0, 300.0]])
PX = np.array([[300.0, 950], [1650, 930], [1400, 260], [510, 310]])
FOUND = calibrate_points(PointPairs(PX, MM), SIZE, table_size_mm=(400, 300))


def test_there_and_back(tmp_path: Path) -> None:
    save(FOUND, tmp_path / "c.json")
    again = load(tmp_path / "c.json")
    assert document(again) == document(FOUND)
    px = np.array([[600.0, 500.0], [1200.0, 700.0]])
    np.testing.assert_array_equal(again.to_table(px, 12.0), FOUND.to_table(px, 12.0))
    np.testing.assert_array_equal(again.sigma_mm(px, 12.0), FOUND.sigma_mm(px, 12.0))
    assert again.length(px[0], px[1]) == FOUND.length(px[0], px[1])
    assert [path.name for path in tmp_path.iterdir()] == ["c.json"]


def test_what_is_printed_can_be_read_too() -> None:
    again = parse(json.dumps(document(FOUND)), "c.json")
    np.testing.assert_array_equal(again.camera_T_table, FOUND.camera_T_table)
    assert any("how sure" in text for text in again.warnings)


def test_the_document_has_the_keys_other_programs_read() -> None:
    assert list(document(FOUND)) == [
        "ok", "schema_version", "reference", "origin", "image_size_px", "size_mm", "intrinsics",
        "table_H_image", "camera_T_table", "rms_px", "sigma_mm", "reference_plane_mm", "studs",
        "assumed", "warnings",
    ]  # fmt: skip


def mutations() -> list[tuple[str, object]]:
    return [
        ("schema_version", 99),
        ("camera_T_table", [[2, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
        ("camera_T_table", [[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        ("camera_T_table", None),
        ("image_size_px", [0, 10]),
        ("intrinsics", {"fx_px": -1, "fy_px": 1, "cx_px": 1, "cy_px": 1}),
        ("intrinsics", 3),
        ("size_mm", [1]),
        ("doubt", {"covariance": [[1, 2], [3, 4]]}),
        ("doubt", {"covariance": (-np.eye(6)).tolist()}),
        ("rms_px", "a lot"),
    ]


@pytest.mark.parametrize(("key", "value"), mutations())
def test_a_wrong_document(key: str, value: object) -> None:
    tree = document(FOUND) | {key: value}
    with pytest.raises(BadReference, match="no calibration file") as caught:
        parse(json.dumps(tree), "c.json")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [np.zeros((3, 3)), np.eye(3), np.full((3, 3), 1e9)])
def test_two_ways_to_the_table_that_contradict(wrong: np.ndarray) -> None:
    tree = document(FOUND) | {"table_H_image": wrong.tolist()}
    with pytest.raises(BadReference, match="contradict each other"):
        parse(json.dumps(tree), "c.json")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"ok": false}', "[" * 50000])
def test_no_document_at_all(text: str) -> None:
    with pytest.raises(BadReference, match="no calibration file") as caught:
        parse(text, "c.json")
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(BadReference, match="no such file"):
        load(tmp_path / "none.json")
    with pytest.raises(BadReference, match="cannot be read"):
        load(tmp_path)
    (tmp_path / "b.json").write_bytes(b"\xff\x00\x80")
    with pytest.raises(BadReference, match="not a text file"):
        load(tmp_path / "b.json")
    with pytest.raises(BadReference, match="cannot be written"):
        save(FOUND, tmp_path / "no_folder" / "c.json")


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "c.json"
    path.write_text("old")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("calibration.files.os.fsync", full)
    with pytest.raises(BadReference, match="No space"):
        save(FOUND, path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["c.json"]


def test_the_lens_alone(tmp_path: Path) -> None:
    save(view(look_at((0, 0), 900, 60), camera(1500, -0.1)), tmp_path / "c.json")
    assert load_intrinsics(tmp_path / "c.json", SIZE) == camera(1500, -0.1)
    half = load_intrinsics(tmp_path / "c.json", (960, 540))
    assert (half.fx_px, half.cx_px, half.distortion[0]) == (750, 480, -0.1)
    with pytest.raises(BadReference, match="pictures of 1920 x 1080"):
        load_intrinsics(tmp_path / "c.json", (1024, 768))
    (tmp_path / "bare.json").write_text('{"fx_px": 9, "fy_px": 9.0, "cx_px": 5, "cy_px": 4}')
    assert load_intrinsics(tmp_path / "bare.json", SIZE).fx_px == 9
    for text in ("{", "[]", "{}", '{"fx_px": 1}', '{"intrinsics": 4, "image_size_px": [0, 0]}'):
        (tmp_path / "bad.json").write_text(text)
        with pytest.raises(BadReference):
            load_intrinsics(tmp_path / "bad.json", SIZE)
