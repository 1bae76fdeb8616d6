"""Photographs of plates with studs marked by hand: how many lock, how near the marks lie."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.studs import calibrate_studs
from tests.material import material

LABELS = Path(__file__).parents[2] / "datasets" / "labels" / "baseplates.json"

LOCKED = 26
"""Of 28 photographs."""

NEAR = 19
"""Of these have all eight marks within a quarter of a pitch of the lattice."""


@cache
def labels() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(LABELS.read_text())
    return loaded


def read(name: str) -> NDArray[np.uint8]:
    path = material("real") / "baseplates" / name
    wanted = {**labels()["pictures"], **labels()["excluded"]}[name]["sha256"]
    assert hashlib.sha256(path.read_bytes()).hexdigest() == wanted, f"{name} is another picture"
    return np.asarray(cv2.imread(str(path)), dtype=np.uint8)


def off_lattice(name: str) -> NDArray[np.float64]:
    """Distance of the marked studs to the lattice's nearest places, in pitches, (8,)."""
    found = calibrate_studs(read(name))
    assert found.studs is not None
    marks = np.array(labels()["pictures"][name]["studs_px"])
    steps = found.to_table(marks, found.reference_plane_mm) / found.studs.pitch_mm - 0.5
    return np.asarray(np.hypot(*(steps - np.round(steps)).T), dtype=np.float64)


def test_every_picture_has_eight_marks_inside_it() -> None:
    for name, picture in labels()["pictures"].items():
        marks = np.array(picture["studs_px"])
        assert marks.shape == (8, 2), name
        apart = np.hypot(*(marks[:, None] - marks[None]).T)[np.triu_indices(8, 1)]
        assert apart.min() > picture["pitch_px"], name
        assert len(picture["sha256"]) == 64
    assert not set(labels()["pictures"]) & set(labels()["excluded"])


@pytest.mark.material
def test_most_photographs_lock_and_the_marks_lie_on_the_lattice() -> None:
    off: dict[str, float] = {}
    for name in labels()["pictures"]:
        try:
            off[name] = float(off_lattice(name).max())
        except NotFound:
            continue
    near = [name for name, most in off.items() if most <= 0.25]
    print({name: round(most, 2) for name, most in off.items()})
    assert len(off) >= LOCKED
    assert len(near) >= NEAR
