"""Every rule item names the code and the test that show it."""

from tests.engine.itemised import ItemTable

ITEMS = ItemTable("deathzap", "Deathzap", "DZ")
COUNTS = {
    "GEN": 9, "WB": 14, "BOARD": 4, "DEP": 6, "CHAIN": 14, "AP": 10, "MOVE": 8, "CHG": 7,
    "MEL": 4, "RNG": 9, "HIT": 9, "VIS": 5, "SNI": 4, "DMG": 10, "DEF": 6, "BST": 5, "MORALE": 8,
    "END": 2, "GEO": 27,
}  # fmt: skip


def test_every_item_has_code_and_test():
    ITEMS.check()


def test_no_item_is_left_out():
    assert ITEMS.counts() == COUNTS
    assert sum(COUNTS.values()) == 134 + COUNTS["GEO"]


def test_ids_are_read_as_they_are_meant():
    assert ITEMS.ids_in("DZ-AP-01, 03 to 05 and DZ-WB-02") == {
        "DZ-AP-01",
        "DZ-AP-03",
        "DZ-AP-04",
        "DZ-AP-05",
        "DZ-WB-02",
    }
