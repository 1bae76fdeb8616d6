"""Every rule item names the code and the test that show it."""

from pathlib import Path

from engine.rulesets.follow_me.data import data
from tests.engine.itemised import ItemTable

ITEMS = ItemTable("follow_me", "Follow Me, Men!", "FM")
COUNTS = {
    "GEN": 14, "SET": 14, "TURN": 13, "ACT": 29, "MSG": 9, "BIG": 21, "MOVE": 14, "OBS": 11,
    "SHOOT": 21, "HIT": 5, "MELEE": 31, "PUSH": 5, "HERO": 19, "MORALE": 32, "MAGE": 29,
    "SPELL": 34, "END": 2, "GEO": 29,
}  # fmt: skip


def test_every_item_has_code_and_test():
    ITEMS.check()


def test_no_item_is_left_out():
    assert ITEMS.counts() == COUNTS
    assert sum(COUNTS.values()) - COUNTS["GEO"] == 303


def test_every_choice_is_tried():
    """Each option with a choice is set to something else by a test of its own."""
    text = "".join(
        path.read_text(encoding="utf-8") for path in sorted(Path(__file__).parent.glob("test_*.py"))
    )
    untried = [
        key
        for key, rule in data().options.items()
        if (len(rule.option.choices) > 1 or rule.option.span) and f'"{key}"' not in text
    ]
    assert untried == []
