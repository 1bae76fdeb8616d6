"""Every rule item names the code and the test that show it."""

from tests.engine.itemised import ItemTable

ITEMS = ItemTable("playmobil", "Playmobil", "PM")
COUNTS = {
    "GEN": 7, "PREP": 10, "TURN": 9, "DICE": 8, "INF": 9, "THROW": 11, "CAV": 14, "DIS": 9,
    "ARCH": 20, "CIRC": 6, "ELE": 22, "CHAR": 13, "ART": 16, "WALL": 5, "FACE": 10, "ATT": 15,
    "HORSE": 8, "SIEGE": 13, "GENL": 5, "MOVE": 4, "END": 1, "GEO": 28,
}  # fmt: skip


def test_every_item_has_code_and_test():
    ITEMS.check()


def test_no_item_is_left_out():
    assert ITEMS.counts() == COUNTS
    assert sum(COUNTS.values()) == 215 + COUNTS["GEO"]
