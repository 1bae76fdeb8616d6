"""Every rule item names the code and the test that show it.

After a change set MINIMARSHAL_GOLDEN=1 once to write the table anew.
"""

import os

from engine.rulesets.deathzap.data import data
from tests.engine.deathzap.conformance import TABLE, ids_in, rows, table

COUNTS = {
    "GEN": 9, "WB": 14, "BOARD": 4, "DEP": 6, "CHAIN": 14, "AP": 10, "MOVE": 8, "CHG": 7,
    "MEL": 4, "RNG": 9, "HIT": 9, "VIS": 5, "SNI": 4, "DMG": 10, "DEF": 6, "BST": 5, "MORALE": 8,
    "END": 2, "GEO": 27,
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
        assert rule == f"DZ-{chapter}-{found[chapter]:02d}"
    assert found == COUNTS


def test_the_table_is_up_to_date():
    if os.environ.get("MINIMARSHAL_GOLDEN") == "1":
        TABLE.write_text(table(), encoding="utf-8")
    assert TABLE.read_text(encoding="utf-8") == table()


def test_ids_are_read_as_they_are_meant():
    assert ids_in("DZ-AP-01, 03 to 05 and DZ-WB-02") == {
        "DZ-AP-01",
        "DZ-AP-03",
        "DZ-AP-04",
        "DZ-AP-05",
        "DZ-WB-02",
    }
