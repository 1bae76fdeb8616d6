"""What the commands say: one document on stdout, everything else on stderr."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from calibration.files import check_place, write_whole

PROGRAM = "minimarshal"


class Fault(Exception):
    """Bad use or bad input (exit 2).

    Attributes:
        name: File or option.
        fault: What is wrong with it.
    """

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(f"{name}: {fault}")
        self.name = name
        self.fault = fault


class NoAnswer(Exception):
    """The work could start but found no answer (exit 3); the message says why."""


def dump(document: Any) -> str:
    """One JSON document on one line; NaN is a mistake, never written."""
    return json.dumps(document, allow_nan=False, ensure_ascii=False)


def emit(document: Any) -> None:
    """Write one JSON document and a line end to stdout."""
    sys.stdout.write(dump(document) + "\n")
    sys.stdout.flush()


def say(text: str) -> None:
    """Write a line for people to stdout."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Write a line for people to stderr."""
    sys.stderr.write(text + "\n")
    sys.stderr.flush()


def error_line(name: str, fault: str) -> str:
    """The one line of an error; line breaks in either part become spaces."""
    return " ".join(f"{PROGRAM}: error: {name}: {fault}".split())


@contextlib.contextmanager
def progress(title: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar on stderr, only where that is a terminal.

    Args:
        title: What is going on.
        total: Number of steps, None when unknown.

    Yields:
        A function that takes the number of steps done so far.
    """
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed}"))
    console = Console(stderr=True)
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.update(task, completed=done)


def write_atomically(path: Path, data: bytes, option: str) -> None:
    """Write a whole file or nothing.

    Args:
        path: Where to.
        data: Its contents.
        option: Named when it cannot be written.

    Raises:
        Fault: It cannot be written.
    """
    try:
        write_whole(path, data)
    except OSError as error:
        raise Fault(option, f"{path}: {error.strerror or error}") from error


def check_writable(path: Path | None, option: str) -> None:
    """See before any work whether a file can be written there.

    Args:
        path: Where to, None when nothing is to be written.
        option: Named when it cannot.

    Raises:
        Fault: It cannot.
    """
    if path is None:
        return
    try:
        check_place(path)
    except OSError as error:
        raise Fault(option, f"{path}: {error.strerror or error}") from error
