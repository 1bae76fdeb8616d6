"""The specification of a rule system, where the material with it is at hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping

import pytest
import yaml

from engine.errors import Refused
from engine.rulesets.agreement import field_of
from engine.rulesets.datafile import OptionRule
from engine.state import OptionValue
from tests.material import material


def specification(ruleset_id: str) -> str:
    """Its text; the test is skipped where it is not at hand."""
    return material(f"rules/{ruleset_id}.md").read_text(encoding="utf-8")


def blocks(ruleset_id: str) -> dict[str, object]:
    """The tables written in it, by name."""
    found: dict[str, object] = {}
    for text in re.findall(r"```yaml\n(.*?)```", specification(ruleset_id), re.DOTALL):
        found |= yaml.safe_load(text) or {}
    return found


def item_ids(ruleset_id: str, prefix: str) -> set[str]:
    """Ids of its rule items, open questions left out."""
    text = specification(ruleset_id)
    found = re.findall(rf"^\| ({prefix}-[A-Z]+-\d\d) \|", text, re.MULTILINE)
    return {one for one in found if "-Q-" not in one}


def flat(prefix: str, item: object) -> Iterator[tuple[str, object]]:
    """Keys with their dots, and values, of a configuration."""
    if isinstance(item, dict) and item:
        for key, value in item.items():
            yield from flat(f"{prefix}.{key}", value)
    else:
        yield prefix, item


def check_states_and_flags(ruleset_id: str, data) -> None:
    """States and flags of a data file are those of the specification."""
    spec = blocks(ruleset_id)
    assert list(data.phases) == list(spec["states"])
    for name, state in spec["states"].items():
        assert set(data.phases[name]) == set(state["to"].values()), name
    for flag in spec["illegal"]:
        assert data.flags[flag["code"]].rule == flag["rule"]


def check_geometry_options(ruleset_id: str, data) -> None:
    """Options about measuring have the default the specification names."""
    for key, default in flat("geom", blocks(ruleset_id)["geom"]):
        if key in data.options:
            assert data.options[key].option.default == default, key


def free_options(data) -> list[str]:
    """Keys of options that leave a choice."""
    return [
        key
        for key, rule in data.options.items()
        if len(rule.option.choices) > 1 or rule.option.span is not None
    ]


def check_spans(
    rules: Mapping[str, OptionRule],
    spans: Mapping[str, tuple[float, float]],
    settings: Callable[[Mapping[str, OptionValue]], object],
    unset: Collection[str] = (),
) -> None:
    """Any number in its span may be chosen, and nothing else; no other option has a span.

    Args:
        rules: The options.
        spans: Lowest and highest of each; where both are whole numbers only such may be chosen.
        settings: What makes settings of choices.
        unset: Those that may also have no number at all.
    """
    assert {key for key, rule in rules.items() if rule.option.span is not None} == set(spans)
    for key, (low, high) in spans.items():
        whole = isinstance(low, int) and isinstance(high, int)
        step, halfway = (1, low + 0.5) if whole else (0.01, (low + high) / 2.0)
        allowed = [low, high, *([] if whole else [halfway]), *([None] if key in unset else [])]
        for number in allowed:
            assert getattr(settings({key: number}), field_of(key)) == number
        wrong = [low - step, high + step, True, float("nan"), *([halfway] if whole else [])]
        for number in [*wrong, *([] if key in unset else [None])]:
            with pytest.raises(Refused) as refused:
                settings({key: number})
            assert key in refused.value.reason
