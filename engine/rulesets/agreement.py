"""What the players of a game agreed on, checked against the options of its data file."""

from __future__ import annotations

from collections.abc import Mapping

from engine.choices import check_value
from engine.errors import Refused
from engine.rulesets.datafile import OptionRule
from engine.state import OptionValue

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
        Refused: It may not be that.
    """
    return check_value(rule.option, value, integer=rule.integer, nullable=rule.nullable)


def field_of(key: str) -> str:
    """The field of the settings that keeps an option: ``dz.chain.multi`` is ``chain_multi``."""
    return key.split(".", 1)[1].replace(".", "_")


def fields_of(pairs: Pairs, kept: Mapping[str, object]) -> dict[str, OptionValue]:
    """The fields of the settings, of those options that are kept there."""
    return {field_of(key): value for key, value in pairs if field_of(key) in kept}
