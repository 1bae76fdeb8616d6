"""JSON Lines files that grow line by line and survive being cut off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from vision.errors import BadSource


class LineFile:
    """Appends lines, each handed to the system at once."""

    def __init__(self, path: Path) -> None:
        """Create the file.

        Raises:
            BadSource: It cannot be written.
        """
        self._path = path
        try:
            self._file: IO[str] = path.open("a", encoding="utf-8", newline="\n")
        except OSError as error:
            raise BadSource(str(path), f"cannot be written ({error.strerror})") from error

    def write(self, line: str) -> None:
        """Append one line.

        Args:
            line: Without its end.

        Raises:
            BadSource: The disk is full or gone.
        """
        try:
            self._file.write(line + "\n")
            self._file.flush()
        except OSError as error:
            raise BadSource(str(self._path), f"cannot be written ({error.strerror})") from error

    def write_json(self, document: dict[str, Any]) -> None:
        """Append a document on one line."""
        self.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")))

    def close(self) -> None:
        """Close the file. Safe to call twice."""
        self._file.close()


def read_lines(path: Path, warnings: list[str]) -> Iterator[str]:
    """Lines of a file; half a line at the end is left out with a warning.

    Args:
        path: The file. One that is not there has no lines.
        warnings: Grows by what was wrong.

    Raises:
        BadSource: It cannot be read or is not text.
    """
    try:
        file = path.open("rb")
    except FileNotFoundError:
        return
    except OSError as error:
        raise BadSource(str(path), f"cannot be read ({error.strerror})") from error
    with file:
        for line in file:
            if not line.endswith(b"\n"):
                warnings.append(f"{path.name}: half a line at the end left out")
                return
            try:
                yield line[:-1].decode("utf-8")
            except UnicodeDecodeError as error:
                raise BadSource(str(path), "is not UTF-8 text") from error


def read_documents(path: Path, warnings: list[str]) -> Iterator[dict[str, Any]]:
    """Documents of a file, one a line; a damaged last line is left out with a warning.

    Args:
        path: The file.
        warnings: Grows by what was wrong.

    Raises:
        BadSource: A line in the middle is not a JSON object.
    """
    fault: str | None = None
    for number, line in enumerate(read_lines(path, warnings), start=1):
        if fault is not None:
            raise BadSource(str(path), fault)
        try:
            document = json.loads(line)
        except (ValueError, RecursionError):
            document = None
        if isinstance(document, dict):
            yield document
        else:
            fault = f"line {number} is not a JSON object"
    if fault is not None:
        warnings.append(f"{path.name}: {fault}; left out")
