"""What stands above the table is put where it stands: ``map --height`` against a known camera."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from calibration.calibrate import calibrate
from calibration.plane import Calibration
from calibration.sheet import SHEETS
from calibration.store import save
from server.cli import run
from tests.calibration.flat import BOARD, PAPER, box, draw_board, fill, scene

A4 = SHEETS["A4"]
HEIGHTS = (0.0, 9.6, 28.8, 57.6, 96.0)
"""The table, a brick, three, a wall of six and a roof of ten, mm."""


def places(size: tuple[float, float]) -> np.ndarray:
    across, deep = (np.linspace(0.1 * side, 0.9 * side, 4) for side in size)
    return np.array([(x, y) for x in across for y in deep])


def same_frame(found: Calibration, truth: Calibration, size: tuple[float, float]) -> np.ndarray:
    """(3, 3) map from the found table frame to the true one: the frame's corner is free."""
    flat = places(size)
    seen = found.to_table(truth.to_image(flat))
    a, b = seen - seen.mean(axis=0), flat - flat.mean(axis=0)
    u, _, v = np.linalg.svd(a.T @ b)
    turn = (u @ np.diag([1.0, np.linalg.det(u @ v)]) @ v).T
    whole = np.eye(3)
    whole[:2, :2], whole[:2, 2] = turn, flat.mean(axis=0) - turn @ seen.mean(axis=0)
    return whole


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_points_over_a_sheet_and_a_board(
    seed: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    size = BOARD if seed == 2 else A4
    view = scene(seed, size, (40, 70), (500, 800))
    if seed == 2:
        draw_board(view.drawing)
    else:
        fill(view.drawing, box(0, 0, *size), PAPER)
    reference = "markers" if seed == 2 else "sheet"
    found = calibrate(view.drawing.picture(seed=seed), reference=reference)
    path = tmp_path / "c.json"
    save(found, path)
    frame = same_frame(found, view.truth, size)
    pulls = []
    for height in HEIGHTS:
        true = places(size)
        px = view.truth.to_image(np.column_stack([true, np.full(len(true), height)]))
        order = ["map", "--calibration", str(path), "--height", str(height), "--json"]
        for x, y in px:
            order += ["--px", f"{x},{y}"]
        assert run(order) == 0
        rows = json.loads(capfd.readouterr().out)
        told = np.array([row["table_mm"] for row in rows]) @ frame[:2, :2].T + frame[:2, 2]
        off = np.hypot(*(told - true).T)
        sigma = np.array([row["sigma_mm"] for row in rows])
        pulls.append(off / sigma)
        # Taken for points of the table, they would be off by most of their height.
        assert off.max() < 1.0 + 0.03 * height
        if height > 20:
            flat = found.to_table(px) @ frame[:2, :2].T + frame[:2, 2]
            assert np.hypot(*(flat - true).T).min() > 5 * off.max()
    assert np.median(np.concatenate(pulls)) < 2
