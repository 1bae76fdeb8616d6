"""Every rule item names the code and the test that show it.

After a change set MINIMARSHAL_GOLDEN=1 once to write the table anew.
"""

import os
from pathlib import Path

from engine.rulesets.legowars.data import data
from tests.engine.legowars.conformance import TABLE, ids_in, rows, table

COUNTS = {
    "GEN": 9, "STAT": 9, "HAND": 11, "TURN": 12, "MOVE": 16, "LADD": 13, "MEL": 16, "COV": 7,
    "DMG": 11, "RNG": 17, "ARM": 9, "WPN": 11, "EQP": 6, "HORSE": 15, "VEH": 16, "BLDG": 14,
    "SIEGE": 10, "HVY": 7, "COST": 8, "WIN": 4,
}  # fmt: skip


def test_every_item_has_code_and_test():
    for rule, judge, text, code, tests in rows():
        assert text.endswith("."), rule
        if judge == "engine":
            assert code, f"{rule} is in no code"
            assert tests, f"{rule} is in no test"


def test_no_item_is_left_out():
    found: dict[str, int] = {}
    for rule in data().items:
        chapter = rule.split("-")[1]
        found[chapter] = found.get(chapter, 0) + 1
        assert rule == f"LW-{chapter}-{found[chapter]:02d}"
    assert found == COUNTS
    assert sum(COUNTS.values()) == 221


def test_the_table_is_up_to_date():
    if os.environ.get("MINIMARSHAL_GOLDEN") == "1":
        TABLE.write_text(table(), encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == table()


def test_every_choice_is_tried():
    """Each option with a choice is set to something else by a test of its own."""
    text = "".join(
        path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py"))
    )
    untried = [
        key
        for key, rule in data().options.items()
        if len(rule.option.choices) > 1 and f'"{key}"' not in text
    ]
    assert untried == []


def test_ids_are_read_as_they_are_meant():
    assert ids_in("LW-MEL-01, 03 to 05 and LW-WPN-02") == {
        "LW-MEL-01",
        "LW-MEL-03",
        "LW-MEL-04",
        "LW-MEL-05",
        "LW-WPN-02",
    }
