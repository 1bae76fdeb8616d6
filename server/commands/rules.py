"""``minimarshal rules``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.errors import Refused
from engine.ruleset import RuleSet
from engine.rulesets import RULESETS, by_id
from engine.vectors import check
from server import options
from server.console import Fault, emit, say
from server.documents import rule_options_document
from server.explaining import explanation
from server.saved import options_of


def list_rules(as_json: options.Json = False) -> None:
    """List the rule systems and what players may settle in each."""
    if as_json:
        emit(
            [
                {
                    "id": one.info.id,
                    "title": one.info.title,
                    "version": one.info.version,
                    "unit": one.info.unit,
                    "options": rule_options_document(one.info),
                }
                for one in RULESETS
            ]
        )
        return
    for one in RULESETS:
        say(f"{one.info.id}: {one.info.title} ({one.info.version})")
        for option in one.info.options:
            say(f"  {option.key} = {option.default}: {option.meaning}")


def check_rules(
    ruleset: Annotated[str, typer.Argument(metavar="ID", help="For example figurslag.")],
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="YAML or Markdown.")],
    as_json: options.Json = False,
) -> None:
    """Run test vectors against the engine's own functions."""
    _known(ruleset)
    result = check(ruleset, [(str(path), _read(path)) for path in files])
    failed = [
        {"id": failure.id, "expected": failure.expected, "got": failure.got}
        for failure in result.failed
    ]
    if as_json:
        emit({"passed": result.passed, "failed": failed, "unsupported": list(result.unsupported)})
        return
    for failure in failed:
        say(f"{failure['id']}: expected {failure['expected']}, got {failure['got']}")
    say(f"{result.passed} passed, {len(failed)} failed, {len(result.unsupported)} unsupported")


def explain_rule(
    ruleset: Annotated[str, typer.Argument(metavar="ID", help="For example figurslag.")],
    rule: Annotated[str, typer.Argument(metavar="RULE", help="For example FS-MOVE-01.")],
    as_json: options.Json = False,
) -> None:
    """Say a rule item in plain words, and what players may settle about it."""
    try:
        told = explanation(_known(ruleset).info, rule)
    except Refused as refused:
        raise Fault("RULE", refused.reason) from None
    if as_json:
        emit(told)
        return
    say(f"{told['rule']}: {told['text']}")
    if told["kept_by"] != "program":
        say(f"  Seen to by the {told['kept_by']}.")
    for option in told["options"]:
        say(f"  {option['key']} = {option['default']}: {option['meaning']}")


def list_options(
    ruleset: Annotated[str, typer.Argument(metavar="ID", help="For example figurslag.")],
    game: Annotated[Path, typer.Argument(metavar="GAME", help="A recording, or its log.")],
    as_json: options.Json = False,
) -> None:
    """List what the players may do in a saved game, with reach, targets and rules."""
    found = options_of(_known(ruleset), game)
    if as_json:
        emit(found)
        return
    for option in found:
        rule = f" ({option['rule']})" if option["rule"] else ""
        say(f"{option['text']}{rule}")
        for target in option["targets"]:
            say(f"  {target['figure_id']}: {target['text']}")


def _known(ruleset: str) -> RuleSet:
    found = by_id(ruleset)
    if found is None:
        known = ", ".join(one.info.id for one in RULESETS)
        raise Fault("ID", f"no rule set {ruleset!r} (known: {known})")
    return found


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise Fault(str(path), error.strerror or str(error)) from error
    except ValueError:
        raise Fault(str(path), "not text") from None
