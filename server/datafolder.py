"""The folder in which the program keeps what it has learnt about this machine's cameras."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

VARIABLE: Final = "MINIMARSHAL_DATA"
_NAME: Final = "minimarshal"


def data_folder(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """Where the user's data lie; the folder need not exist yet.

    Args:
        environment: ``MINIMARSHAL_DATA`` names the folder; without it the system's usual place.
        system: As ``sys.platform`` names it.
    """
    named = environment.get(VARIABLE)
    if named:
        return Path(named)
    if system == "win32" and environment.get("LOCALAPPDATA"):
        return Path(environment["LOCALAPPDATA"]) / _NAME
    if system == "darwin":
        return Path.home() / "Library" / "Application Support" / _NAME
    shared = environment.get("XDG_DATA_HOME", "")
    # The standard says that a path that is not absolute is to be passed over.
    base = Path(shared) if shared and Path(shared).is_absolute() else Path.home() / ".local/share"
    return base / _NAME
