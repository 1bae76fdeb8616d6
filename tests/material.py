"""Outside material for tests: real pictures that are not part of the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def material(name: str) -> Path:
    """A file or folder of the material; without it the test skips, or fails when strict."""
    place = os.environ.get("MINIMARSHAL_MATERIAL")
    path = Path(place) / name if place else None
    if path is not None and path.exists():
        return path
    reason = f"MINIMARSHAL_MATERIAL names no folder that holds {name}"
    if os.environ.get("MINIMARSHAL_STRICT") == "1":
        pytest.fail(reason)
    pytest.skip(reason)
