"""What the players of a game agreed on, checked against the options of its data file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Generic, TypeVar

from engine.choices import check_value
from engine.errors import Refused
from engine.rulesets.datafile import OptionRule
from engine.state import GameState, OptionValue

S = TypeVar("S")
Pairs = tuple[tuple[str, OptionValue], ...]
"""Name and value of every option, sorted by name, as a game state keeps them."""


def agreed(
    rules: Mapping[str, OptionRule], chosen: Mapping[str, OptionValue], rule_id: str | None = None
) -> Pairs:
    """Every option as settled: the defaults, and what the players chose instead.

    Args:
        rules: The options of the data file.
        chosen: Those that differ from their default.
        rule_id: Rule item behind the refusal of an unknown option.

    Raises:
        Refused: A key is unknown or its value is not allowed.
    """
    for key in chosen:
        if key not in rules:
            raise Refused(f"{key} is no option of this game", rule_id)
    return tuple(
        sorted(
            (key, checked(rule, chosen[key]) if key in chosen else rule.option.default)
            for key, rule in rules.items()
        )
    )


def checked(rule: OptionRule, value: OptionValue) -> OptionValue:
    """A value as its option keeps it.

    Raises:
        Refused: It may not be that, by the item or open question the option settles.
    """
    try:
        return check_value(rule.option, value, integer=rule.integer, nullable=rule.nullable)
    except Refused as refused:
        raise Refused(refused.reason, rule.question) from None


def field_of(key: str) -> str:
    """The field of the settings that keeps an option: ``dz.chain.multi`` is ``chain_multi``."""
    return key.split(".", 1)[-1].replace(".", "_")


def fields_of(pairs: Pairs, kept: Mapping[str, object]) -> dict[str, OptionValue]:
    """The fields of the settings, of those options that are kept there."""
    return {field_of(key): value for key, value in pairs if field_of(key) in kept}


class Agreement(Generic[S]):
    """The options of one rule system as typed values: the only place where they are checked."""

    def __init__(
        self, rules: Callable[[], Mapping[str, OptionRule]], kind: type[S], no_option: str | None
    ) -> None:
        """Nothing is read yet.

        Args:
            rules: The options of its data file.
            kind: A dataclass with a field for each option that is kept, as :func:`field_of` says.
            no_option: Rule item behind the refusal of an unknown option.
        """
        self._rules, self._kind, self._no_option = rules, kind, no_option
        self._typed = lru_cache(maxsize=64)(self._made)

    def pairs(self, chosen: Mapping[str, OptionValue]) -> Pairs:
        """Name and value of every option, sorted by name, as a game state keeps them.

        Raises:
            Refused: A key is unknown or its value is not allowed.
        """
        return agreed(self._rules(), chosen, self._no_option)

    def settings(self, chosen: Mapping[str, OptionValue] | None = None) -> S:
        """The settings of a game: the defaults, and what the players chose instead.

        Raises:
            Refused: A key is unknown or its value is not allowed.
        """
        return self._typed(self.pairs(chosen or {}))

    def settings_of(self, state: GameState) -> S:
        """The options of a game as typed values."""
        return self._typed(state.options)

    def _made(self, options: Pairs) -> S:
        kept = {field.name: field for field in fields(self._kind)}  # type: ignore[arg-type]
        return self._kind(**fields_of(options, kept))  # the data file's keys and types are tested
