"""Armies: what a list of figures costs, and what the rules hold against it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated, Final, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from engine.errors import BadData
from engine.rulesets.deathzap import muster as deathzap
from engine.rulesets.figurslag import muster as figurslag
from engine.rulesets.follow_me import muster as follow_me
from engine.rulesets.legowars import muster as legowars
from engine.rulesets.playmobil import muster as playmobil
from engine.state import OptionValue

Facts: TypeAlias = tuple[int | None, tuple[tuple[str, str], ...]]
"""Points, None where the rules know none, and (rule id, what is wrong) of each error."""

Muster: TypeAlias = Callable[[Sequence[Mapping[str, object]], Mapping[str, OptionValue]], Facts]
"""Entries, and the options that differ from their default, to the facts of an army."""

Totals: TypeAlias = Callable[
    [Sequence[Mapping[str, object]], Mapping[str, OptionValue]], Mapping[str, int]
]
"""Entries and options to numbers by name."""

MUSTERS: Final[Mapping[str, Muster]] = {
    "figurslag": figurslag.muster,
    "deathzap": deathzap.muster,
    "playmobil": playmobil.muster,
    "legowars": legowars.muster,
    "follow_me": follow_me.muster,
}
"""By id of the rule set: a new one adds one line."""

TOTALS: Final[Mapping[str, Totals]] = {"playmobil": playmobil.totals}
"""What armies are compared by where the rules know no points, by id of the rule set."""

_READY: Final = "armies"
_MOST_FIGURES: Final = 200


class Entry(BaseModel):
    """One line of an army list, a figure or several alike.

    Attributes:
        name: For the players.
        kind: Class or troop type, where the rules have such.
        might: Deathzap's strength.
        items: What it holds or wears.
        count: How many of these there are.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = ""
    kind: str = ""
    might: int | None = None
    items: list[str] = []
    count: Annotated[int, Field(ge=1, le=_MOST_FIGURES)] = 1


class ArmyList(BaseModel):
    """An army as written in its file.

    Attributes:
        name: For the players.
        figures: Its entries.
        options: Options of the game it is meant for.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = ""
    figures: Annotated[list[Entry], Field(max_length=_MOST_FIGURES)]
    options: dict[str, bool | int | float | str] = {}


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What there is to say about an army.

    Attributes:
        name: Of the army.
        figures: How many there are.
        points: What they cost; None where the rules know no points.
        errors: Rule id and what is wrong, in the order of the rules.
        totals: Numbers to compare it by, by name.
    """

    name: str
    figures: int
    points: int | None
    errors: tuple[tuple[str, str], ...]
    totals: tuple[tuple[str, int], ...] = ()


def read_army(text: str) -> ArmyList:
    """An army list from its TOML text.

    Raises:
        BadData: It is not TOML, or a field is missing, unknown or wrong.
    """
    try:
        return TypeAdapter(ArmyList).validate_python(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadData("army", f"not TOML: {error}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadData("army", f"{where}: {first['msg']}") from None


def reckon(ruleset_id: str, army: ArmyList) -> Reckoned:
    """Points and errors of an army.

    Args:
        ruleset_id: A key of :data:`MUSTERS`.
        army: The list.

    Raises:
        Refused: An entry or option is unknown to the rules.
    """
    entries = [
        {"name": one.name, "kind": one.kind, "might": one.might, "items": tuple(one.items)}
        for one in army.figures
        for _ in range(one.count)
    ]
    points, errors = MUSTERS[ruleset_id](entries, army.options)
    totals = TOTALS[ruleset_id](entries, army.options) if ruleset_id in TOTALS else {}
    return Reckoned(army.name, len(entries), points, errors, tuple(totals.items()))


def ready_armies(ruleset_id: str) -> Mapping[str, str]:
    """Texts of the ready lists of a rule set, by their name."""
    folder = files("engine.rulesets") / _READY / ruleset_id
    if not folder.is_dir():
        return {}
    found = sorted(folder.iterdir(), key=lambda path: path.name)
    return {path.name.removesuffix(".toml"): path.read_text(encoding="utf-8") for path in found}
