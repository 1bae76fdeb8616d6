"""A camera's lens is learnt when a table is accepted, and used the next time."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from calibration.board import ROWS
from calibration.camera import Intrinsics
from calibration.lenses import LensStore
from server.camera_lens import CameraLens
from server.cli import run
from server.datafolder import VARIABLE, data_folder
from tests.calibration.flat import BOARD, Scene, draw_board, scene
from tests.server.conftest import client_of, wait_for
from tests.stills import still_table
from vision.frames import Image

SIZE = (1280, 720)


@lru_cache(maxsize=1)
def board() -> tuple[Scene, Image]:
    view = scene(4, BOARD, (40, 55), (500, 600))
    draw_board(view.drawing)
    assert view.truth.image_size_px == SIZE and ROWS == 8
    return view, view.drawing.picture(seed=4)


@pytest.fixture
def lens(tmp_path: Path) -> CameraLens:
    return CameraLens(LensStore(tmp_path / "lenses.json"), "still")


def tried(lens: CameraLens, body: dict[str, Any], accept: bool) -> dict[str, Any]:
    table, _ = still_table(board()[1], lens=lens)
    table.start()
    try:
        wait_for(lambda: table.hub.picture[1])
        with client_of(table) as client:
            told: dict[str, Any] = client.post("/api/calibrate/try", json=body).json()
            if accept:
                body = {"trial": told["trial"]}
                assert client.post("/api/calibrate/accept", json=body).status_code == 200
    finally:
        table.stop()
    return told


def test_an_accepted_lens_is_used_the_next_time(lens: CameraLens) -> None:
    by_board = {"reference": "markers"}
    first = tried(lens, by_board, accept=False)
    assert lens.known(SIZE) is None  # trying teaches nothing
    first = tried(lens, by_board, accept=True)
    kept = lens.known(SIZE)
    assert kept is not None
    true = board()[0].truth.intrinsics
    assert kept.fx_px == pytest.approx(true.fx_px, rel=3 * kept.focal_doubt)
    assert not any("as measured before" in text for text in first["calibration"]["assumed"])
    second = tried(lens, by_board, accept=True)
    assert any(
        "the lens of still at 1280 x 720, as measured before" in text
        for text in second["calibration"]["assumed"]
    )
    # Accepting what rests on the kept lens makes it no surer.
    assert lens.known(SIZE) == kept


def test_a_lens_that_fits_no_more_is_not_used(lens: CameraLens) -> None:
    zoomed = Intrinsics.centred(2300.0, SIZE)
    lens.store.keep("still", SIZE, replace(zoomed, focal_doubt=0.003, k1_doubt=0.004), "studs")
    told = tried(lens, {"reference": "markers"}, accept=True)
    assert any("it was not used" in text for text in told["calibration"]["warnings"])
    true = board()[0].truth.intrinsics
    assert told["calibration"]["intrinsics"]["fx_px"] == pytest.approx(true.fx_px, rel=0.03)
    kept = lens.known(SIZE)
    assert kept is not None and kept.fx_px < 2000


def test_a_broken_file_stops_no_game_and_stays(
    lens: CameraLens, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lens.store.path.write_text("{ broken")
    monkeypatch.setenv(VARIABLE, str(lens.store.path.parent))
    CameraLens.of("still")
    said = capsys.readouterr().err
    assert said.startswith(f"minimarshal: warning: {lens.store.path}: is no file of lenses")
    assert said.count("\n") == 1
    assert tried(lens, {"reference": "markers"}, accept=True)["ok"]
    assert lens.store.path.read_text() == "{ broken"


@pytest.fixture
def turned(tmp_path: Path) -> tuple[Path, Intrinsics]:
    """A folder of pictures of the board, taken from all sides by one camera."""
    folder = tmp_path / "views"
    folder.mkdir()
    from tests.calibration.drawing import Drawing
    from tests.calibration.views import camera, look_at, view

    lens = camera(1150.0, -0.08, SIZE)
    for index, (up, around) in enumerate(((50, -90), (65, 0), (55, 90), (75, 170), (45, -30))):
        truth = view(look_at((90, 120), 520, up, around), lens, SIZE)
        drawing = Drawing(truth)
        draw_board(drawing)
        cv2.imwrite(str(folder / f"{index}.png"), drawing.picture(seed=index))
    return folder, lens


def test_the_command_measures_a_lens_from_several_pictures(
    turned: tuple[Path, Intrinsics], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder, lens = turned
    out = tmp_path / "lens.json"
    assert run(["lens", str(folder), "--out", str(out), "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert told["views"] >= 4 and told["kept"] is False
    assert told["intrinsics"]["fx_px"] == pytest.approx(lens.fx_px, rel=0.006)
    assert told["intrinsics"]["distortion"][0] == pytest.approx(-0.08, abs=0.02)
    code = run(
        ["calibrate", str(folder / "3.png"), "--intrinsics", str(out), "--reference", "markers",
         "--json"]
    )  # fmt: skip
    assert code == 0
    found = json.loads(capfd.readouterr().out)
    assert found["intrinsics"]["fx_px"] == pytest.approx(lens.fx_px, rel=0.006)
    assert run(["lens", str(folder / "3.png"), "--json"]) == 3
    assert "1 view from different sides" in json.loads(capfd.readouterr().out)["reason"]
    cv2.imwrite(str(tmp_path / "black.png"), np.zeros((480, 640, 3), np.uint8))
    assert run(["lens", str(tmp_path / "black.png"), "--json"]) == 3
    assert "too dark" in json.loads(capfd.readouterr().out)["reason"]
    assert run(["lens", str(folder / "3.png"), "--reference", "points"]) == 2
    assert capfd.readouterr().err.startswith("minimarshal: error: --reference: points")


def test_where_the_users_data_lie(tmp_path: Path) -> None:
    assert data_folder({VARIABLE: str(tmp_path)}) == tmp_path
    assert data_folder({"XDG_DATA_HOME": str(tmp_path)}, "linux") == tmp_path / "minimarshal"
    assert data_folder({"XDG_DATA_HOME": "not/absolute"}, "linux").is_absolute()
    assert data_folder({"LOCALAPPDATA": str(tmp_path)}, "win32") == tmp_path / "minimarshal"
    assert np.all([data_folder({}, system).name == "minimarshal" for system in ("linux", "darwin")])
