"""Inputs and log lines as JSON lines: the same text for the same facts, on every machine."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from engine.actions import Action
from engine.errors import BadData
from engine.log import LogLine
from engine.table import TableState

Input: TypeAlias = TableState | Action
"""What the referee takes: a look at the table or a tap of a player."""

_TYPES: dict[str, type[TableState] | type[Action]] = {"table": TableState, "action": Action}


_ADAPTERS: dict[type, TypeAdapter[Any]] = {
    kind: TypeAdapter(kind) for kind in (TableState, Action, LogLine)
}


def encode_input(item: Input) -> str:
    """One JSON line, keys sorted, every length a float.

    Raises:
        BadData: A number is not finite.
    """
    name = "table" if isinstance(item, TableState) else "action"
    fields = {"type": name, **_plain(item)}
    if fields.get("joins") is None:
        fields.pop("joins", None)  # rare, and older than most recordings
    return _dumps(fields, name)


def decode_input(text: str) -> Input:
    """The inverse of :func:`encode_input`.

    Raises:
        BadData: Not JSON, of no known type, or a field is missing or wrong.
    """
    fields = _loads(text, "input")
    kind = _TYPES.get(str(fields.pop("type", "")))
    if kind is None:
        raise BadData("input", 'its "type" is neither "table" nor "action"')
    item: Input = _validate(kind, fields, "input")
    return item


def encode_line(line: LogLine) -> str:
    """One JSON line of the log.

    Raises:
        BadData: A number is not finite.
    """
    return _dumps(_plain(line), "log line")


def decode_line(text: str) -> LogLine:
    """The inverse of :func:`encode_line`.

    Raises:
        BadData: Not JSON, or a field is missing or wrong.
    """
    line: LogLine = _validate(LogLine, _loads(text, "log line"), "log line")
    return line


def canonical(item: Input) -> Input:
    """``item`` as it comes back from its own JSON line, so that live and replay see the same.

    Raises:
        BadData: A number is not finite or a field has a wrong type.
    """
    return decode_input(encode_input(item))


def _plain(item: Input | LogLine) -> dict[str, Any]:
    plain: dict[str, Any] = _ADAPTERS[type(item)].dump_python(item, mode="json", warnings="none")
    return plain


def _dumps(fields: dict[str, Any], name: str) -> str:
    try:
        return json.dumps(
            fields, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
        )
    except ValueError as error:
        raise BadData(name, "a number in it is not finite") from error


def _loads(text: str, name: str) -> dict[str, Any]:
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadData(name, "is not JSON") from error
    if not isinstance(fields, dict):
        raise BadData(name, "is not a JSON object")
    return fields


def _validate(kind: type, fields: dict[str, Any], name: str) -> Any:
    try:
        return _ADAPTERS[kind].validate_python(fields)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or name
        raise BadData(name, f"{where}: {first['msg']}") from error
