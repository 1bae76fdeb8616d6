"""What the page is told, as plain JSON values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import TypeAdapter

from engine.announce import Announcement
from engine.armies.enlisting import SYSTEMS, may_enlist
from engine.log import LogLine
from engine.ruleset import Option, RuleSetInfo
from engine.setup import TableFacts
from engine.state import GameState
from engine.table import TableState
from vision.look import Look

EMPTY_TABLE: dict[str, Any] = {
    "t_ns": 0,
    "size_mm": None,
    "figures": [],
    "terrain": [],
    "settled": False,
    "doubts": [],
}
"""The table before the first look."""


_ADAPTERS: dict[type, TypeAdapter[Any]] = {}
"""Making one takes longer than using it."""


def plain(value: Any) -> Any:
    """A dataclass of the engine as JSON values."""
    kind = type(value)
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind].dump_python(value, mode="json", warnings="none")


def table_document(table: TableState, facts: TableFacts, look: Look | None) -> dict[str, Any]:
    """The table, each figure with its name and where it is in the picture."""
    document: dict[str, Any] = plain(table)
    boxes = {}
    if look is not None:
        boxes = {track.track_id: track.box_px for track in look.tracks}
    for figure in document["figures"]:
        figure["name"] = facts.names.get(figure["figure_id"], "")
    document["boxes_px"] = [box for box in boxes.values() if box is not None]
    document["hands_px"] = [] if look is None else [list(hand.box_px) for hand in look.hands]
    return document


def state_document(state: GameState) -> dict[str, Any] | None:
    """The state of the game, None while there is none."""
    return None if not state.ruleset else {**plain(state), "enlisting": may_enlist(state)}


def facts_document(facts: TableFacts) -> dict[str, Any]:
    """What people said."""
    document: dict[str, Any] = plain(facts)
    return document


def options_document(options: Iterable[Option]) -> list[dict[str, Any]]:
    """What may be done now."""
    return [plain(option) for option in options]


def announcement_document(said: Announcement) -> dict[str, Any]:
    """One sentence for the players."""
    document: dict[str, Any] = plain(said)
    return document


def line_document(line: LogLine, said: Iterable[Announcement]) -> dict[str, Any]:
    """A log line with what there is to say about it."""
    document: dict[str, Any] = plain(line)
    return {
        "type": "line",
        **document,
        "announcements": [announcement_document(one) for one in said if one.seq == line.seq],
    }


def ruleset_document(info: RuleSetInfo) -> dict[str, Any] | None:
    """What a rule set is, None for the table without a game."""
    if not info.id:
        return None
    return {
        "id": info.id,
        "title": info.title,
        "version": info.version,
        "unit": info.unit,
        "sides": list(info.sides),
        "armies": info.id in SYSTEMS,
        "equipment": [list(pair) for pair in info.equipment],
        "options": rule_options_document(info),
    }


def rule_options_document(info: RuleSetInfo) -> list[dict[str, Any]]:
    """The points of the rules that players may settle otherwise."""
    return [
        {
            "key": option.key,
            "default": option.default,
            "choices": list(option.choices),
            "span": None if option.span is None else list(option.span),
            "meaning": option.meaning,
            "question": option.question,
            "words": list(option.words),
            "unset": option.unset,
        }
        for option in info.options
    ]
