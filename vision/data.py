"""Where files that come with the program lie: in a checkout, or inside the installed package."""

from __future__ import annotations

from pathlib import Path

from vision.errors import BadSource

PACKAGED = Path(__file__).resolve().parent / "_data"
CHECKOUT = Path(__file__).resolve().parent.parent


def data_path(name: str) -> Path:
    """Find a file that comes with the program.

    Args:
        name: Path from the top of the checkout, for example ``models/detector.onnx``.

    Raises:
        BadSource: It is in neither place.
    """
    for place in (PACKAGED, CHECKOUT):
        path = place / name
        if path.exists():
            return path
    raise BadSource(name, "is missing from this installation")
