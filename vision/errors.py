"""Errors of vision, told apart by what the caller can do."""

from __future__ import annotations


class VisionError(Exception):
    """Base of all errors vision raises on purpose."""


class BadSource(VisionError):
    """A source or file that cannot be used: name it and what is wrong (exit 2).

    Attributes:
        name: File, option or device.
        fault: What is wrong with it.
    """

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(f"{name}: {fault}")
        self.name = name
        self.fault = fault
