"""Change one number of a rule system's data file at a time: a test must fail.

    python -m tests.mutation ID --seed 1 --count 150 [--only PATH ...] [--quick S] [--out FILE]

Numbers are drawn by the seed. Each change is made in a forked child, which reads the changed data
afresh; in it the vectors of the specification run first (where MINIMARSHAL_MATERIAL names one),
then the tests of the rule system up to the first that fails, quick ones and those that found a
change of the same table before all others. Tests that compare the data with tables of the
specification (marked ``material``), random games and the generated tables do not count.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import hashlib
import importlib
import json
import math
import os
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Refused
from engine.rulesets import RULESETS, by_id, datafile
from engine.vectors import check
from tests.forked import in_child

ROOT = Path(__file__).parents[1]
LONGEST_S = 1800.0
NOT_COUNTED = ("test_random.py", "test_speed.py", "test_conformance.py")
SHARED = ("test_armies.py", "test_army.py", "test_by_hand.py")

_CACHE = type(lru_cache(lambda: None))
_OF_OPTIONS = (
    "test_option_is_explained_and_its_default_allowed",
    "test_house_rules_are_told_in_words",
    "test_only_whole_numbers_are_read_where_only_they_count",
    "test_every_choice_begins_a_game",
)

Place = tuple[str | int, ...]
"""Keys and places in lists that lead to a number."""


def numbers(item: object, place: Place = ()) -> Iterator[tuple[Place, bool | int | float]]:
    """Every number and truth value of a data file, in reading order."""
    if isinstance(item, dict):
        for key, value in item.items():
            yield from numbers(value, (*place, key))
    elif isinstance(item, list):
        for index, value in enumerate(item):
            yield from numbers(value, (*place, index))
    elif isinstance(item, bool | int | float):
        yield place, item


def other(value: bool | int | float) -> bool | int | float:
    """Another value of the same type, near enough to be overlooked."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return round(value + (1.0 if abs(value) >= 1.0 else 0.25), 6)


def changed(raw: dict[str, Any], place: Place) -> dict[str, Any]:
    """The data with the number at ``place`` changed; ``raw`` is changed as well."""
    inner: Any = raw
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = other(inner[place[-1]])
    return raw


class Trial:
    """The tests of one rule system, collected once and run on changed data again and again.

    A plugin of pytest: the trial takes place where pytest would run its tests.

    Args:
        ruleset: Its id.
        drawn: Numbers to change, one after the other.
        tell: Called with each number, what failed first ("" where nothing did), and the processor
            seconds it took.
        longest_s: Tests that take longer are left out.
    """

    def __init__(
        self,
        ruleset: str,
        drawn: Sequence[Place],
        tell: Callable[[Place, str, float], None],
        longest_s: float,
    ) -> None:
        self.ruleset, self.drawn, self.tell, self.longest_s = ruleset, drawn, tell, longest_s
        place = os.environ.get("MINIMARSHAL_MATERIAL")
        self.vectors = Path(place or "", "rules", f"{ruleset}.md")
        self.failed = ""
        self._kills: dict[str, Counter[str]] = {}
        self._seconds: dict[str, float] = {}

    def run(self) -> pytest.ExitCode:
        """Collect, measure (once on a machine: the times are kept), and try every number."""
        tests = ROOT / "tests" / "engine"
        own = sorted((tests / self.ruleset).glob("test_*.py"))
        files = [path for path in own if path.name not in NOT_COUNTED]
        files += [tests / name for name in SHARED]
        asked = [str(path.relative_to(ROOT)) for path in files]
        # A test says no more than that it fails: rewriting assertions would take most of the time.
        choice = ["-m", "not material", "-q", "-s", "-p", "no:cacheprovider", "--assert=plain"]
        return pytest.ExitCode(pytest.main([*asked, *choice], plugins=[self]))

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Called by pytest: shared tests about other rule systems are left out."""
        others = {one.info.id for one in RULESETS} - {self.ruleset}
        items[:] = [
            one
            for one in items
            if one.path.name not in SHARED or not any(name in one.name for name in others)
        ]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Called by pytest in place of running the tests.

        Raises:
            Exit: Something fails already.
        """
        kept = Path(tempfile.gettempdir(), f"minimarshal-mutation-{self.ruleset}.json")
        if not kept.is_file():
            sound = in_child(lambda: self._first(None, session.items), LONGEST_S)
            if not sound.ended or sound.answer[0]:
                pytest.exit(f"unchanged, {self.ruleset} fails: {sound.answer}", returncode=2)
            kept.write_text(json.dumps(sound.answer[1]), encoding="utf-8")
        self._seconds = json.loads(kept.read_text(encoding="utf-8"))
        for place in self.drawn:
            self.tell(place, *self._verdict(place, session.items))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called by pytest after each part of a test."""
        if report.failed and not self.failed:
            self.failed = report.nodeid

    def _verdict(self, place: Place, items: list[pytest.Item]) -> tuple[str, float]:
        here = self._kills.setdefault(str(place[0]), Counter())
        everywhere = Counter[str]()
        for found in self._kills.values():
            everywhere += found
        ordered = [one for one in items if self._seconds.get(one.nodeid, 0.0) <= self.longest_s]
        ordered.sort(
            key=lambda one: (
                -here[one.nodeid],
                -everywhere[one.nodeid],
                self._seconds.get(one.nodeid, 0.0),
            )
        )
        done = in_child(lambda: self._first(place, ordered), LONGEST_S)
        if not done.ended:
            return ("no end" if done.late else "a fault before any test"), done.cpu_s
        failed = str(done.answer[0])
        if "::" in failed:
            here[failed] += 1
        return failed, done.cpu_s

    def _first(self, place: Place | None, items: list[pytest.Item]) -> tuple[str, dict[str, float]]:
        """In a child: what fails first, and the processor seconds of each test."""
        with _silence():
            self._change(place)
            failed = self._wrong_vector()
            if not failed:
                self._forget()
                failed = "" if place is None else self._asked(place)
            took: dict[str, float] = {}
            for item in [] if failed else items:
                began = time.process_time()
                item.obj = _anew(item)
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
                took[item.nodeid] = time.process_time() - began
                if self.failed:
                    return self.failed, took
            return failed, took

    def _change(self, place: Place | None) -> None:
        """From here on the data is another."""
        if place is not None:
            module = importlib.import_module(f"engine.rulesets.{self.ruleset}.data")
            module.read_raw = lambda path: changed(datafile.read_raw(path), place)
        for one in gc.get_objects():
            if isinstance(one, _CACHE) and str(one.__module__).startswith("engine."):
                one.cache_clear()

    def _forget(self) -> None:
        """What the tests know of the data as it was, they read anew."""
        loaded = [name for name in sys.modules if name.startswith("tests.engine.")]
        helpers = [name for name in loaded if not name.rsplit(".", 1)[-1].startswith("test_")]
        for name in [*helpers, *(name for name in loaded if name not in helpers)]:
            if isinstance(sys.modules[name].__spec__, ModuleSpec) and "test_named" not in name:
                importlib.reload(sys.modules[name])

    def _wrong_vector(self) -> str:
        """The first vector that fails."""
        if not self.vectors.is_file():
            return ""
        text = self.vectors.read_text(encoding="utf-8")
        result = check(self.ruleset, [(self.vectors.name, text)])
        wrong = [one.id for one in result.failed] + list(result.unsupported)
        return f"vector {wrong[0]}" if wrong else ""

    def _asked(self, place: Place) -> str:
        """What every option must be, for one option alone: pytest would take ten times as long."""
        if place[0] != "options":
            return ""
        tests = importlib.import_module("tests.engine.test_rulesets")
        found = by_id(self.ruleset)
        for option in [] if found is None else found.info.options:
            for name in _OF_OPTIONS if option.key == place[1] else ():
                try:
                    getattr(tests, name)(found, option)
                except (AssertionError, Refused, pytest.fail.Exception):
                    return f"tests/engine/test_rulesets.py::{name}[{self.ruleset}-{option.key}]"
        return ""


def _anew(item: pytest.Item) -> object:
    """The function of a test in its module as it is now."""
    return getattr(sys.modules[item.module.__name__], item.originalname or item.name)


@contextlib.contextmanager
def _silence() -> Iterator[None]:
    """Nothing of what is printed is shown."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        yield


def _lot(seed: int, name: str) -> bytes:
    """Who draws the lowest is tried first; the others keep theirs when a number comes or goes."""
    return hashlib.sha256(f"{seed}/{name}".encode()).digest()


def main() -> int:
    """Draw, try, and tell; 0 where 95 % of the changes were found."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("ruleset")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--only", nargs="+", help="paths as told, in place of a draw")
    parser.add_argument("--out", type=Path, help="file for one line of JSON a number")
    parser.add_argument("--quick", type=float, default=math.inf, help="no test of more seconds")
    asked = parser.parse_args()
    os.chdir(ROOT)
    file = ROOT / "engine" / "rulesets" / f"{asked.ruleset}.toml"
    known = dict(numbers(tomllib.loads(file.read_text(encoding="utf-8"))))
    told = {".".join(map(str, place)): place for place in known}
    drawn = sorted(told, key=lambda name: _lot(asked.seed, name))[: asked.count]
    tried, survived = list[str](), list[str]()

    def tell(place: Place, failed: str, seconds: float) -> None:
        name, value = ".".join(map(str, place)), known[place]
        tried.append(name)
        if not failed:
            survived.append(name)
        text = f"{name}: {value} -> {other(value)}: {failed or 'SURVIVED'} ({seconds:.1f} s)"
        print(text, flush=True)
        if asked.out is not None:
            line = {"number": name, "was": value, "is": other(value), "failed": failed}
            with asked.out.open("a", encoding="utf-8") as out:
                out.write(json.dumps(line) + "\n")

    ended = Trial(
        asked.ruleset, [told[one] for one in asked.only or drawn], tell, asked.quick
    ).run()
    if ended is not pytest.ExitCode.OK:
        return 2
    found = len(tried) - len(survived)
    print(f"{asked.ruleset}: {len(told)} numbers, {len(tried)} tried, {found} found")
    for name in survived:
        print(f"survived: {name}")
    return 0 if len(survived) <= 0.05 * len(tried) else 1


if __name__ == "__main__":
    sys.exit(main())
