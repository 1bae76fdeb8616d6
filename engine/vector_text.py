"""Test vectors as written: YAML, or Markdown with YAML blocks, with the digits of every number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import PurePath
from typing import Any, Final

import yaml

from engine.errors import BadData

_FENCE: Final = re.compile(r"^ {0,3}(?P<mark>`{3,}|~{3,})[ \t]*(?P<info>[^`\n]*)$")
_LANGUAGES: Final = frozenset({"yaml", "yml"})


class Written(float):
    """A number with a decimal point that remembers how it was written."""

    __slots__ = ("text",)

    text: str

    @property
    def half_unit(self) -> float:
        """Half a unit of the last digit written."""
        try:
            exponent = Decimal(self.text.replace("_", "")).as_tuple().exponent
        except InvalidOperation:
            return 0.0
        return 0.5 * 10.0**exponent if isinstance(exponent, int) else 0.0


@dataclass(frozen=True, slots=True)
class Block:
    """One piece of YAML.

    Attributes:
        line: Line of the file at which it begins, from 1.
        text: The YAML.
    """

    line: int
    text: str


def items(name: str, text: str) -> Iterator[dict[Any, Any]]:
    """Every vector of a file, as the mapping it was written as.

    Lists at the top level of a document or block and directly under one of its keys are read;
    items with neither ``fn`` nor ``kind`` are passed over.

    Args:
        name: Name of the file; Markdown is told by its suffix or by its fences.
        text: What is in it.

    Raises:
        BadData: A block is not YAML.
    """
    for document in [each for block in blocks(name, text) for each in _documents(name, block)]:
        if isinstance(document, list):
            lists = [document]
        elif isinstance(document, dict):
            lists = [value for value in document.values() if isinstance(value, list)]
        else:
            continue
        for entries in lists:
            for item in entries:
                if isinstance(item, dict) and ("fn" in item or "kind" in item):
                    yield item


def blocks(name: str, text: str) -> list[Block]:
    """The YAML in a file: its fenced blocks for Markdown, otherwise all of it."""
    suffix = PurePath(name).suffix.lower()
    if suffix in {".md", ".markdown"}:
        return _fenced(text)
    if suffix not in {".yaml", ".yml"} and (found := _fenced(text)):
        return found
    return [Block(1, text)]


def _fenced(text: str) -> list[Block]:
    found: list[Block] = []
    fence: str | None = None
    language, start, lines = "", 0, list[str]()
    for number, line in enumerate([*text.splitlines(), None], start=1):
        if fence is None:
            opened = None if line is None else _FENCE.match(line)
            if opened:
                words = opened["info"].split()
                fence, language = opened["mark"], words[0].lower() if words else ""
                start, lines = number + 1, []
        elif line is None or _closes(line, fence):
            if language in _LANGUAGES:
                found.append(Block(start, "\n".join(lines) + "\n"))
            fence = None
        else:
            lines.append(line)
    return found


def _closes(line: str, fence: str) -> bool:
    mark = line.strip()
    indent = len(line) - len(line.lstrip(" "))
    return indent <= 3 and len(mark) >= len(fence) and set(mark) == {fence[0]}


class _Loader(yaml.SafeLoader):
    """The safe loader, with numbers that remember how they were written."""


def _written(loader: _Loader, node: yaml.ScalarNode) -> Written:
    number = Written(loader.construct_yaml_float(node))
    number.text = node.value
    return number


_Loader.add_constructor("tag:yaml.org,2002:float", _written)


def _documents(name: str, block: Block) -> list[Any]:
    try:
        return list(yaml.load_all(block.text, Loader=_Loader))
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        line = block.line + (mark.line if mark else 0)
        reason = fault.problem or fault.context or "wrong syntax"
        raise BadData(name, f"line {line} is not YAML: {' '.join(reason.split())}") from fault
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        reason = " ".join(str(fault).split())[:120]
        raise BadData(name, f"the block at line {block.line} is not YAML: {reason}") from fault
