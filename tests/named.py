"""Break one rule item at a time: a test that the table of items names for it must fail.

    python -m tests.named ID [--item RULE ...]

`tests/engine/named/ID.toml` holds what is broken, chosen by hand for items drawn by a seed: a
number of the data file, or a branch of the code that the table names. Files stay as they are: a
forked child reads the broken text in place of the written one.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tomllib
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING

# Loaded before the fork, and not what is broken in the child.
import hypothesis  # noqa: F401
import numpy as np  # noqa: F401
import pytest
import scipy.sparse.csgraph  # noqa: F401
import shapely  # noqa: F401
import yaml  # noqa: F401

from tests.forked import in_child

if TYPE_CHECKING:
    from tests.engine.itemised import ItemTable

ROOT = Path(__file__).parents[1]
LONGEST_S = 900.0
SHOWN = 3
"""So many tests of an item are named in the table."""


@dataclass(frozen=True, slots=True)
class Break:
    """One item broken.

    Attributes:
        item: Rule id.
        file: Relative to the repository.
        before: Text that is in it once.
        after: What stands in its place.
        test: Node of the test that must fail, relative to the tests of the rule system.
    """

    item: str
    file: str
    before: str
    after: str
    test: str


def breaks(ruleset: str) -> list[Break]:
    """All of a rule system.

    Raises:
        TypeError: A row has other keys.
    """
    path = ROOT / "tests" / "engine" / "named" / f"{ruleset}.toml"
    return [Break(**row) for row in tomllib.loads(path.read_text(encoding="utf-8"))["break"]]


def drawn(table: ItemTable, seed: int = 1, count: int = 30) -> list[str]:
    """Items drawn by a seed among those the program keeps, in order."""
    kept = [rule for rule, item in table.items.items() if item.judge == "engine"]
    return sorted(random.Random(seed).sample(kept, count))  # noqa: S311


def places(table: ItemTable) -> dict[str, tuple[list[str], list[str]]]:
    """Code and tests of every item."""
    return {rule: (code, tests) for rule, _, code, tests in table.rows()}


def faults(one: Break, table: ItemTable, code: list[str], tests: list[str]) -> list[str]:
    """What is wrong with a row: it must break what the table names, and name its test."""
    found = []
    text = (ROOT / one.file).read_text(encoding="utf-8")
    if text.count(one.before) != 1:
        found.append(f"{one.before!r} is {text.count(one.before)} times in {one.file}")
    module, name = one.test.removesuffix(".py").split(".py::")
    if f"{module}.{name.split('[')[0]}" not in tests[:SHOWN]:
        found.append(f"{one.test} is not named for it")
    if not one.file.endswith(".toml"):
        inside = Path(one.file).relative_to(table.code.relative_to(ROOT)).with_suffix("")
        if not any(".".join(inside.parts) == place.rsplit(".", 1)[0] for place in code):
            found.append(f"{one.file} is not named for it")
    return found


def fails(one: Break, ruleset: str) -> bool | None:
    """Whether the test fails when the item is broken; None if it could not be run."""
    done = in_child(lambda: _tested(one, ruleset), LONGEST_S)
    if not done.ended:
        return None
    return {pytest.ExitCode.OK: False, pytest.ExitCode.TESTS_FAILED: True}.get(done.answer)


def _tested(one: Break, ruleset: str) -> pytest.ExitCode:
    _read_broken(ROOT / one.file, one.before, one.after)
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        node = f"tests/engine/{ruleset}/{one.test}"
        return pytest.ExitCode(pytest.main(["-x", "-q", "-p", "no:cacheprovider", node]))


def _read_broken(path: Path, before: str, after: str) -> None:
    """From here on whoever reads the file, as code or as text, reads it broken."""
    text = path.read_text(encoding="utf-8").replace(before, after)
    compiled, written = SourceFileLoader.get_code, Path.read_text

    def get_code(self: SourceFileLoader, name: str) -> object:
        if Path(self.path) == path:
            return self.source_to_code(text.encode(), self.path)
        return compiled(self, name)

    def read_text(self: Path, *args: str, **kw: str) -> str:
        return text if self == path else written(self, *args, **kw)

    SourceFileLoader.get_code = get_code
    Path.read_text = read_text


def main() -> int:
    """Try every row; 0 where each named test fails."""
    parser = argparse.ArgumentParser(prog="python -m tests.named", description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("--item", nargs="+")
    asked = parser.parse_args()
    os.chdir(ROOT)
    rows = [one for one in breaks(asked.ruleset) if not asked.item or one.item in asked.item]
    failing = 0
    for one in rows:
        failed = fails(one, asked.ruleset)
        failing += failed is True
        told = {True: "fails", False: "STILL PASSES", None: "COULD NOT BE RUN"}[failed]
        print(f"{one.item}: {one.test} {told}", flush=True)
    print(f"{asked.ruleset}: {failing} of {len(rows)} named tests fail")
    return 0 if failing == len(rows) else 1


if __name__ == "__main__":
    sys.exit(main())
