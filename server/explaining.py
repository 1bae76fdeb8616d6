"""One rule item in plain words, with what players may settle about it."""

from __future__ import annotations

import re
from typing import Any, Final

from engine.errors import Refused
from engine.ruleset import RuleSetInfo
from server.documents import rule_options_document

KEPT_BY: Final = {"engine": "program"}
"""Who sees to an item, in the words of the page."""


_ANYBODY: Final = {"figure": "a model", "other": "another model"}


def explanation(info: RuleSetInfo, rule: str) -> dict[str, Any]:
    """What a rule item says.

    Args:
        info: Of the rule set.
        rule: Id of an item or flag; case does not matter.

    Returns:
        ``{"ruleset", "rule", "text", "kept_by", "options": [...]}``, the options as in
        ``rules list``.

    Raises:
        Refused: There is no such item.
    """
    # Some ids end in a small letter.
    names = {name.upper(): name for name in info.items}
    wanted = names.get(rule.strip().upper())
    if wanted is None:
        raise Refused(f"{info.title} has no rule {rule!r}")
    item = info.items[wanted]
    options = [one for one in rule_options_document(info) if one["key"] in item.options]
    return {
        "ruleset": info.id,
        "rule": wanted,
        "text": _readable(item.text),
        "kept_by": KEPT_BY.get(item.judge, item.judge),
        "options": options,
    }


def _readable(text: str) -> str:
    """A sentence about somebody, as one about anybody: ``{figure}`` becomes ``a model``."""
    general = re.sub(r"\{(\w+)\}", lambda gap: _ANYBODY.get(gap[1], f"a {gap[1]}"), text)
    return general[:1].upper() + general[1:]
