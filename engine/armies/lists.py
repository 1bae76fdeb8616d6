"""An army as its file says it, in TOML or JSON, the same for the command line and the page."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from engine.errors import BadData

_READY: Final = "armies"
MOST_FIGURES: Final = 200
_LONGEST: Final = 80

Words = Annotated[str, Field(max_length=_LONGEST)]
Whole = Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)]
Number = Annotated[float, Field(ge=-1e9, le=1e9, allow_inf_nan=False)]


class Entry(BaseModel):
    """One line of an army list, a figure or several alike.

    Attributes:
        name: For the players.
        kind: Class or troop type, where the rules have such.
        might: Deathzap's strength.
        items: What it holds or wears.
        count: How many of these there are.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: Words = ""
    kind: Words = ""
    might: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    items: Annotated[list[Words], Field(max_length=100)] = []
    count: Annotated[int, Field(ge=1, le=MOST_FIGURES)] = 1


class ArmyList(BaseModel):
    """An army as written in its file.

    Attributes:
        name: For the players.
        figures: Its entries.
        options: Options of the game it is meant for.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    name: Words = ""
    figures: Annotated[list[Entry], Field(max_length=MOST_FIGURES)]
    options: dict[Words, bool | Whole | Number | Words] = {}

    @model_validator(mode="after")
    def _few_enough(self) -> ArmyList:
        """Reckoning thousands of figures would take minutes."""
        if sum(entry.count for entry in self.figures) > MOST_FIGURES:
            raise ValueError(f"an army has {MOST_FIGURES} figures at most")
        return self


def read_army(text: str) -> ArmyList:
    """An army list from its text: TOML, or JSON with the same keys.

    Raises:
        BadData: It is neither, or a field is missing, unknown or wrong.
    """
    try:
        found = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadData("army", f"not TOML: {error}") from None
    except (ValueError, RecursionError) as error:
        raise BadData("army", f"not JSON: {error}") from None
    return army_of(found)


def army_of(found: object) -> ArmyList:
    """An army list from its keys.

    Raises:
        BadData: A field is missing, unknown or wrong.
    """
    try:
        return TypeAdapter(ArmyList).validate_python(found)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadData("army", f"{where}: {first['msg']}") from None


def write_army(army: ArmyList) -> str:
    """The TOML text that :func:`read_army` makes the same list of."""
    lines = [f"name = {_quoted(army.name)}"] if army.name else []
    if army.options:
        pairs = ", ".join(f"{_quoted(key)} = {_value(it)}" for key, it in army.options.items())
        lines.append(f"options = {{ {pairs} }}")
    if not army.figures:
        lines.append("figures = []")
    for entry in army.figures:
        lines += ["", "[[figures]]", *_entry_lines(entry)]
    return "\n".join(lines).lstrip("\n") + "\n"


def write_entry(entry: Entry) -> str:
    """One entry on one line, for the log of a game."""
    return entry.model_dump_json(exclude_defaults=True)


def read_entries(lines: Iterable[str]) -> tuple[Entry, ...]:
    """The inverse of :func:`write_entry`, for several.

    Raises:
        BadData: One of them is no entry.
    """
    try:
        return tuple(Entry.model_validate_json(line) for line in lines)
    except ValidationError as error:
        raise BadData("army", str(error.errors()[0]["msg"])) from None


def ready_armies(ruleset_id: str) -> Mapping[str, str]:
    """Texts of the ready lists of a rule set, by their name."""
    folder = files("engine.rulesets") / _READY / ruleset_id
    if not folder.is_dir():
        return {}
    found = sorted(folder.iterdir(), key=lambda path: path.name)
    return {path.name.removesuffix(".toml"): path.read_text(encoding="utf-8") for path in found}


def _entry_lines(entry: Entry) -> list[str]:
    told = entry.model_dump(exclude_defaults=True)
    return [f"{key} = {_value(value)}" for key, value in told.items()]


def _value(value: object) -> str:
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, list):
        return "[" + ", ".join(_quoted(str(one)) for one in value) + "]"
    return str(value).lower()


def _quoted(text: str) -> str:
    """A TOML string; it is written as in JSON, but for one character."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
