"""A calibration is tried, looked at, and only then taken into use."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from calibration.sheet import SHEETS
from server.demo import demo_calibration, demo_source
from server.live import LiveTable
from tests.calibration.flat import PAPER, Scene, box, fill, scene
from tests.server.conftest import client_of, wait_for
from tests.stills import Still, still_table
from vision.frames import Image
from vision.sources import SourceState

A4 = SHEETS["A4"]


@lru_cache(maxsize=1)
def paper() -> tuple[Scene, Image]:
    view = scene(2, A4)
    fill(view.drawing, box(0, 0, *A4), PAPER)
    return view, view.drawing.picture(seed=2)


@pytest.fixture
def sheet() -> Iterator[tuple[LiveTable, Still, TestClient]]:
    table, source = still_table(paper()[1])
    table.start()
    wait_for(lambda: table.hub.picture[1])
    with client_of(table) as client:
        yield table, source, client
    table.stop()


def test_trying_changes_nothing_and_accepting_does(
    sheet: tuple[LiveTable, Still, TestClient],
) -> None:
    table, _, client = sheet
    answer = client.post("/api/calibrate/try", json={"reference": "sheet", "sheet": "A4"})
    assert answer.status_code == 200
    told = answer.json()
    assert told["ok"] and told["calibration"]["reference"] == "sheet"
    assert table.calibration is None
    assert client.get("/api/snapshot").json()["calibration"] is None
    view = paper()[0]
    corner = np.array([one for path in told["grid_px"] for one in path])
    assert len(told["grid_px"]) > 8
    assert np.hypot(*(corner - view.truth.to_image(np.zeros((1, 2)))[0]).T).min() < 2
    offs = [one["off_mm"] for one in told["residuals"]]
    assert 20 < len(offs) <= 160
    assert max(offs) == pytest.approx(told["largest_off_mm"], abs=1e-3)
    assert max(offs) < 2 and told["corners_px"] is None
    assert told["advice"] == ["edges"]
    accepted = client.post("/api/calibrate/accept", json={"trial": told["trial"]})
    assert accepted.status_code == 200
    assert table.calibration is not None
    assert client.get("/api/snapshot").json()["calibration"] == told["calibration"]


def test_corners_are_put_right_on_a_trial(sheet: tuple[LiveTable, Still, TestClient]) -> None:
    _, _, client = sheet
    first = client.post("/api/calibrate/try", json={"reference": "sheet"}).json()
    corners = paper()[0].truth.to_image(box(20, 20, 250, 150)).tolist()
    body = {"reference": "corners", "corners_px": corners, "basis": first["trial"]}
    second = client.post("/api/calibrate/try", json=body).json()
    assert second["calibration"]["size_mm"] == pytest.approx([250, 150], rel=0.01)
    assert np.array(second["corners_px"]) == pytest.approx(np.array(corners), abs=1.5)
    assert second["trial"] == first["trial"] + 1
    old = client.post("/api/calibrate/accept", json={"trial": first["trial"]})
    assert old.status_code == 422
    assert "again" in old.json()["reason"]
    gone = client.post("/api/calibrate/try", json={**body, "basis": 77})
    assert gone.status_code == 422


def test_points_are_tried(sheet: tuple[LiveTable, Still, TestClient]) -> None:
    _, _, client = sheet
    places = [[0, 0], [200, 0], [200, 150], [0, 150], [100, 75]]
    px = paper()[0].truth.to_image(np.array(places, dtype=float))
    points = [{"px": list(p), "mm": mm} for p, mm in zip(px.tolist(), places, strict=True)]
    told = client.post("/api/calibrate/try", json={"reference": "points", "points": points}).json()
    assert told["ok"] and len(told["residuals"]) == 5
    points[2]["mm"], points[1]["mm"] = points[1]["mm"], points[2]["mm"]
    crossed = client.post("/api/calibrate/try", json={"reference": "points", "points": points})
    assert crossed.status_code == 422


def test_nothing_found_says_why_and_what_to_do(
    sheet: tuple[LiveTable, Still, TestClient],
) -> None:
    table, source, client = sheet
    told = client.post("/api/calibrate/try", json={"reference": "markers"}).json()
    assert told["ok"] is False and "board" in told["reason"] and told["advice"] == ["view"]
    image = source.image
    for other, advice in (
        ((image * 0.1).astype(np.uint8), "light"),
        (cv2.GaussianBlur(image, (0, 0), 9), "still"),
    ):
        source.image = np.asarray(other, dtype=np.uint8)
        seen = source.image
        wait_for(lambda seen=seen: table.hub.picture[1].image is seen)  # type: ignore[misc]
        told = client.post("/api/calibrate/try", json={"reference": "markers"}).json()
        assert told["ok"] is False and told["advice"] == [advice, "view"]


@pytest.mark.parametrize(
    "body",
    [
        {"reference": "tape"},
        {"reference": "points"},
        {"reference": "corners"},
        {"reference": "studs", "points": [{"px": [0, 0], "mm": [0, 0]}] * 4},
        {"reference": "sheet", "sheet": "A5"},
        {"reference": "ruler", "unit": "ell"},
        {"reference": "auto", "fov_deg": 0},
        {"reference": "auto", "size_mm": [0, 100]},
        {"reference": "auto", "more": 1},
        {"reference": "points", "points": [{"px": [5, 5], "mm": [0, 0]}] * 4},
    ],
)
def test_bad_wishes_are_refused(
    sheet: tuple[LiveTable, Still, TestClient], body: dict[str, object]
) -> None:
    answer = sheet[2].post("/api/calibrate/try", json=body)
    assert answer.status_code == 422
    assert answer.json()["reason"]


def test_a_blurred_picture_is_called_so_and_options_are_not_named(
    sheet: tuple[LiveTable, Still, TestClient],
) -> None:
    table, source, client = sheet
    source.image = np.asarray(cv2.GaussianBlur(source.image, (0, 0), 9), dtype=np.uint8)
    seen = source.image
    wait_for(lambda: table.hub.picture[1].image is seen)
    for reference in ("studs", "ruler", "markers"):
        told = client.post("/api/calibrate/try", json={"reference": reference}).json()
        assert told["ok"] is False and "the picture is blurred" in told["reason"]
    bad = client.post("/api/calibrate/try", json={"reference": "sheet", "sheet": "x"})
    assert bad.status_code == 422
    assert bad.json()["reason"].startswith("'x' is none of A4")


def test_an_old_picture_is_not_tried(sheet: tuple[LiveTable, Still, TestClient]) -> None:
    _, source, client = sheet
    told = client.post("/api/calibrate/try", json={"reference": "sheet"}).json()
    source.state = SourceState.STALE
    for path, body in (("try", {}), ("accept", {"trial": told["trial"]})):
        answer = client.post(f"/api/calibrate/{path}", json=body)
        assert answer.status_code == 422 and "not live" in answer.json()["reason"]


def test_a_camera_bumped_before_accepting_is_noticed() -> None:
    image = next(iter(demo_source())).image
    table, source = still_table(image)
    table.start()
    try:
        wait_for(lambda: table.hub.picture[1])
        with client_of(table) as client:
            told = client.post("/api/calibrate/try", json={"reference": "studs"}).json()
            turn, _ = cv2.Rodrigues(np.radians(0.8) * np.array([0.3, 0.9, 0.1]))
            K = demo_calibration().intrinsics.matrix
            bent = cv2.warpPerspective(
                image, K @ turn @ np.linalg.inv(K), image.shape[1::-1],
                borderMode=cv2.BORDER_REPLICATE,
            )  # fmt: skip
            source.image = np.asarray(bent, dtype=np.uint8)
            wait_for(lambda: table.hub.picture[1].image is source.image)  # type: ignore[union-attr]
            client.post("/api/calibrate/accept", json={"trial": told["trial"]})
            used = table.calibration
            assert used is not None
            wait_for(lambda: table.calibration is not used)
            assert table.calibration is not None
            moved = table.calibration.camera_T_table[:3, :3] @ used.camera_T_table[:3, :3].T
            degrees = np.degrees(np.arccos((np.trace(moved) - 1) / 2))
            assert degrees == pytest.approx(0.77, abs=0.06)
    finally:
        table.stop()


def test_the_board_can_be_fetched(sheet: tuple[LiveTable, Still, TestClient]) -> None:
    answer = sheet[2].get("/api/board.pdf", params={"paper": "letter"})
    assert answer.headers["content-type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")
    assert sheet[2].get("/api/board.pdf", params={"paper": "A5"}).status_code == 422
