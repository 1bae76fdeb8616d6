"""The one error of the training tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class TrainingError(ValueError):
    """An input of the training tools cannot be used.

    Attributes:
        file: the file, folder or option at fault.
        fault: what is wrong with it, one line.
    """

    def __init__(self, file: Path | str, fault: str) -> None:
        super().__init__(f"{file}: {fault}")
        self.file = str(file)
        self.fault = fault
