"""Every rule item names the code and the test that show it."""

from engine.rulesets.figurslag.data import data
from tests.engine.itemised import ItemTable

ITEMS = ItemTable("figurslag", "Figurslag", "FS", left_out=("FLAG",))
COUNTS = {
    "GEN": 6, "SET": 9, "TURN": 6, "MOVE": 8, "CLIMB": 11, "SHOOT": 10, "LOS": 4, "HIT": 7,
    "WIN": 3,
}  # fmt: skip


def test_every_item_has_code_and_test():
    ITEMS.check()


def test_no_item_is_left_out():
    assert ITEMS.counts() == COUNTS
    assert sum(COUNTS.values()) == 64


def test_every_option_belongs_to_an_item_or_is_a_house_rule():
    """FS-GEN-01: what no item mentions is an extra that players agree on."""
    named = {key for item in ITEMS.items.values() for key in item.options}
    assert named <= set(data().options)
