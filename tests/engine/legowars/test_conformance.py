"""Every rule item names the code and the test that show it."""

from pathlib import Path

from engine.rulesets.legowars.data import data
from tests.engine.itemised import ItemTable

ITEMS = ItemTable("legowars", "Legowars", "LW", ("FLAG",))
COUNTS = {
    "GEN": 9, "STAT": 9, "HAND": 11, "TURN": 12, "MOVE": 16, "LADD": 13, "MEL": 16, "COV": 7,
    "DMG": 11, "RNG": 17, "ARM": 9, "WPN": 11, "EQP": 6, "HORSE": 15, "VEH": 16, "BLDG": 14,
    "SIEGE": 10, "HVY": 7, "COST": 8, "WIN": 4,
}  # fmt: skip


def test_every_item_has_code_and_test():
    ITEMS.check()


def test_no_item_is_left_out():
    assert ITEMS.counts() == COUNTS
    assert sum(COUNTS.values()) == 221


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
    assert ITEMS.ids_in("LW-MEL-01, 03 to 05 and LW-WPN-02") == {
        "LW-MEL-01",
        "LW-MEL-03",
        "LW-MEL-04",
        "LW-MEL-05",
        "LW-WPN-02",
    }
