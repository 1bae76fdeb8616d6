"""Finds what a person would call broken: cut words, things on top of each other, small targets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

SCRIPT = (Path(__file__).parent / "layout.js").read_text()


def faults(page: Any) -> list[str]:
    """What is wrong with the page as it is shown now."""
    found: list[str] = page.evaluate(SCRIPT)
    return found
