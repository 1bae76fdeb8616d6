"""The one error of the training tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.errors import BadSource

if TYPE_CHECKING:
    from pathlib import Path


class TrainingError(BadSource):
    """An input of the training tools cannot be used.

    Attributes:
        name: the file, folder or option at fault.
        fault: what is wrong with it, one line.
    """

    def __init__(self, file: Path | str, fault: str) -> None:
        super().__init__(str(file), fault)
