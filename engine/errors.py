"""Three errors, told apart by what the caller can do about them."""

from __future__ import annotations


class EngineError(Exception):
    """Base of all errors the engine raises on purpose."""


class Refused(EngineError):
    """A wish of the page that the rules do not allow: show the reason, nothing changed.

    Attributes:
        reason: One sentence for the players.
        rule: Id of the rule or flag that refuses it, or None.
    """

    def __init__(self, reason: str, rule: str | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule


class Stale(EngineError):
    """A wish based on an older state than the current one: fetch the state and ask again."""

    def __init__(self, basis_seq: int, seq: int) -> None:
        super().__init__(f"based on line {basis_seq}, the game is at line {seq}")
        self.basis_seq = basis_seq
        self.seq = seq


class BadData(EngineError):
    """A file or message that cannot be read: name it and what is wrong, and give up on it.

    Attributes:
        name: File, option or field.
        fault: What is wrong with it.
    """

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(f"{name}: {fault}")
        self.name = name
        self.fault = fault
