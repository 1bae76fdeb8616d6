"""Real photographs of baseplates lock on the plate; pictures without one do not."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.studs import calibrate_studs

pytestmark = pytest.mark.material

PLATES: dict[str, tuple[tuple[int, int], list[tuple[int, int]]]] = {
    "corners1.jpg": ((48, 48), [(156, 1088), (951, 1090), (975, 311), (167, 274)]),
    "corners2.jpg": ((48, 48), [(347, 999), (1127, 1023), (1164, 219), (351, 205)]),
    "rounded_corners.jpg": ((48, 48), [(110, 831), (834, 1120), (1138, 380), (381, 83)]),
    "IMG_20191212_144422.jpg": ((48, 48), [(170, 3495), (2551, 3467), (2573, 1173), (253, 1070)]),
    "schedule3.jpg": ((32, 64), [(902, 2958), (2048, 3125), (2404, 566), (982, 480)]),
    "test1.jpg": ((10, 20), [(736, 3692), (2461, 3536), (2107, 412), (606, 486)]),
}
"""Studs of the plate and its corners at the height of the stud tops, checked by eye, px."""

WITHOUT = {"wargame": 20, "dice": 8, "rulers": 12}
"""Folders without a baseplate, and how many of their pictures are looked at."""


def material() -> Path:
    """The folder with outside pictures."""
    folder = os.environ.get("MINIMARSHAL_MATERIAL")
    if folder and (Path(folder) / "real").is_dir():
        return Path(folder) / "real"
    if os.environ.get("MINIMARSHAL_STRICT") == "1":
        pytest.fail("MINIMARSHAL_MATERIAL names no folder with real pictures")
    pytest.skip("needs the outside pictures named in MINIMARSHAL_MATERIAL")


def read(path: Path) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(path)), dtype=np.uint8)


@pytest.mark.parametrize("name", PLATES)
def test_a_real_plate(name: str) -> None:
    studs, corners = PLATES[name]
    calibration = calibrate_studs(read(material() / "baseplates" / name))
    assert calibration.size_mm == (studs[0] * 8.0, studs[1] * 8.0)
    x, y = studs[0] * 8.0, studs[1] * 8.0
    expected = np.array([[0, 0], [x, 0], [x, y], [0, y]])
    seen = calibration.to_table(np.array(corners, dtype=float), calibration.reference_plane_mm)
    assert np.hypot(*(seen - expected).T).max() < 2.0


@pytest.mark.parametrize("folder", WITHOUT)
def test_no_plate_no_lock(folder: str) -> None:
    paths = sorted((material() / folder).glob("*.jp*g"))
    assert paths
    for path in paths[:: max(1, len(paths) // WITHOUT[folder])]:
        with pytest.raises(NotFound):
            calibrate_studs(read(path))
