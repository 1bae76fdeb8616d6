"""Finds what a person would call broken: cut words, things on top of each other, small targets."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.browser.waiting import SLOW, drawn

SCRIPT = (Path(__file__).parent / "layout.js").read_text()
PATIENCE_S = 5.0 * SLOW


def faults(page: Any) -> list[str]:
    """What is wrong with the page once it has drawn what it knows, and stays wrong."""
    drawn(page)
    end = time.monotonic() + PATIENCE_S
    while True:
        found: list[str] = page.evaluate(SCRIPT)
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.1)
