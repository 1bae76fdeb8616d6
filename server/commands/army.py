"""``minimarshal army``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from engine.armies.lists import read_army, ready_armies
from engine.army import MUSTERS, reckon
from engine.errors import BadData, Refused
from server import options
from server.console import Fault, emit, say


def army(
    ruleset: Annotated[str, typer.Argument(metavar="ID", help="For example deathzap.")],
    file: Annotated[
        str,
        typer.Argument(metavar="FILE", help="An army list in TOML or JSON, or a ready one's name."),
    ],
    as_json: options.Json = False,
) -> None:
    """Reckon an army's points, and what the rules hold against it."""
    if ruleset not in MUSTERS:
        raise Fault("ID", f"no armies for {ruleset!r} (known: {', '.join(MUSTERS)})")
    text = _text(ruleset, file)
    try:
        found = reckon(ruleset, read_army(text))
    except BadData as error:
        raise Fault(file, error.fault) from None
    except Refused as refused:
        because = f" ({refused.rule})" if refused.rule else ""
        raise Fault(file, f"{refused.reason}{because}") from None
    if as_json:
        emit(
            {
                "ok": not found.errors,
                "ruleset": ruleset,
                "name": found.name,
                "figures": found.figures,
                "points": found.points,
                "totals": dict(found.totals),
                "errors": [{"rule": rule, "text": wrong} for rule, wrong in found.errors],
            }
        )
        return
    points = "" if found.points is None else f", {found.points} points"
    totals = "".join(f", {name} {number}" for name, number in found.totals)
    say(f"{found.name or file}: {found.figures} figures{points}{totals}")
    for rule, wrong in found.errors:
        say(f"  {wrong} ({rule})")


def _text(ruleset: str, file: str) -> str:
    """The list itself; a name that is no file is looked up among the ready ones."""
    try:
        return Path(file).read_text(encoding="utf-8")
    except FileNotFoundError:
        ready = ready_armies(ruleset)
        if file in ready:
            return ready[file]
        raise Fault(file, f"no such file, and no ready army ({', '.join(ready)})") from None
    except OSError as error:
        raise Fault(file, error.strerror or str(error)) from error
    except ValueError:
        raise Fault(file, "not text") from None
