"""Errors of calibration, told apart by what the caller can do."""

from __future__ import annotations


class CalibrationError(Exception):
    """Base of all errors calibration raises on purpose."""


class BadReference(CalibrationError):
    """Input that cannot be used: name it and what is wrong (exit 2).

    Attributes:
        name: File or option.
        fault: What is wrong with it.
    """

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(f"{name}: {fault}")
        self.name = name
        self.fault = fault


class NotFound(CalibrationError):
    """The picture is good, but no reference was found in it (exit 3); the message says why."""


class UnitUnknown(NotFound):
    """A ruler is seen, but not what its strokes stand for: the user can tell."""
