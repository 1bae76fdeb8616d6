"""The documents of ``detect``."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.calibration.views import SIZE, camera, look_at, view
from tests.vision.arms import SKINS, table, with_arm
from tests.vision.figures import lying, standing
from tests.vision.films import gradient, write_film
from vision.detect import detect_frame, detect_source
from vision.detection import Detection
from vision.errors import BadSource
from vision.frames import Frame
from vision.scripted import ScriptedDetector
from vision.sources import open_source

TABLE = view(look_at((0, 0), 1200, 65), camera())
NOTHING = np.full((SIZE[1], SIZE[0], 3), 90, dtype=np.uint8)
KEYS = {
    "label", "score", "box_px", "soles_px", "head_px", "contact_px", "position_mm", "sigma_mm",
    "level_mm", "facing_deg", "state",
}  # fmt: skip


def test_figures_as_the_contract_has_them() -> None:
    found = [standing(30, 40, 123, TABLE), lying(-100, 60, 10, TABLE)]
    frame = Frame(7, 0, "a.jpg", NOTHING)
    document = detect_frame(frame, ScriptedDetector({0: found}), TABLE)
    assert json.loads(json.dumps(document)) == document
    assert document["image"] == "a.jpg"
    assert document["frame"] == 7
    assert document["image_size_px"] == [1920, 1080]
    assert document["hands"] == []
    upright, flat = document["figures"]  # type: ignore[misc, union-attr]
    assert set(upright) == set(flat) == KEYS  # type: ignore[arg-type]
    assert upright["position_mm"] == pytest.approx([30, 40], abs=0.01)  # type: ignore[index]
    assert upright["facing_deg"] == 123.0  # type: ignore[index]
    assert (upright["state"], flat["state"]) == ("standing", "lying")  # type: ignore[index]
    assert flat["position_mm"] == pytest.approx([-100, 60], abs=0.01)  # type: ignore[index]
    assert flat["facing_deg"] == 10.0  # type: ignore[index]
    assert upright["level_mm"] == 0.0  # type: ignore[index]


def test_what_is_unknown_is_null() -> None:
    bare = Detection("minifig", 0.5, (10.0, 10.0, 30.0, 60.0))
    document = detect_frame(Frame(0, 0, "a.jpg", NOTHING), ScriptedDetector({0: [bare]}))
    (figure,) = document["figures"]  # type: ignore[misc, union-attr]
    assert set(figure) == KEYS  # type: ignore[arg-type]
    for key in ("soles_px", "head_px", "position_mm", "sigma_mm", "facing_deg", "level_mm"):
        assert figure[key] is None  # type: ignore[index]


def test_a_figure_under_a_hand_is_in_hand() -> None:
    image, _ = with_arm(table("grey"), (1100, 300), (560, 300), SKINS["light"])
    held = Detection("minifig", 0.9, (600.0, 280.0, 625.0, 320.0))
    free = Detection("minifig", 0.9, (200.0, 280.0, 225.0, 320.0))
    document = detect_frame(Frame(0, 0, "a.jpg", image), ScriptedDetector({0: [held, free]}))
    states = [figure["state"] for figure in document["figures"]]  # type: ignore[index, union-attr]
    assert states == ["in_hand", "standing"]
    assert len(document["hands"]) == 1  # type: ignore[arg-type]


def test_a_film_is_counted_in_presentation_order(tmp_path: Path) -> None:
    film = write_film(tmp_path / "film.mkv", [gradient(shift=at) for at in range(4)])
    lines = [d for d, _ in detect_source(open_source(str(film)), ScriptedDetector({}))]
    assert [line["frame"] for line in lines] == [0, 1, 2, 3]
    assert {line["image"] for line in lines} == {"film.mkv"}


def test_a_folder_goes_on_after_a_bad_picture(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    cv2.imwrite(str(tmp_path / "b.jpg"), gradient())
    (tmp_path / "c.png").write_bytes(b"")
    cv2.imwrite(str(tmp_path / "d.png"), gradient())
    source = open_source(str(tmp_path))
    results = list(detect_source(source, ScriptedDetector({})))
    lines = [document for document, _ in results]
    assert [line["image"] for line in lines] == ["a.jpg", "b.jpg", "c.png", "d.png"]
    assert set(lines[0]) == set(lines[2]) == {"image", "error"}
    assert [lines[1]["frame"], lines[3]["frame"]] == [0, 0]
    assert [found is None for _, found in results] == [True, False, True, False]


def test_a_folder_without_a_good_picture_prints_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"no picture")
    lines = detect_source(open_source(str(tmp_path)), ScriptedDetector({}))
    with pytest.raises(BadSource, match="no picture can be used"):
        next(lines)


def test_a_calibration_for_another_size_is_refused() -> None:
    frame = Frame(0, 0, "a.jpg", gradient())
    with pytest.raises(BadSource, match="96x64 pixels, the calibration is for 1920x1080"):
        detect_frame(frame, ScriptedDetector({}), TABLE)
