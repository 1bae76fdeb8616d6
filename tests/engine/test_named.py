"""What `python -m tests.named` breaks is what the tables name, and all that was drawn is there."""

import importlib

import pytest

from engine.rulesets import RULESETS
from tests.named import breaks, drawn, faults, places


@pytest.mark.parametrize("ruleset", [one.info.id for one in RULESETS])
def test_every_drawn_item_is_broken_where_the_table_says(ruleset):
    table = importlib.import_module(f"tests.engine.{ruleset}.test_conformance").ITEMS
    rows = breaks(ruleset)
    assert [one.item for one in rows] == drawn(table)
    named = places(table)
    wrong = {one.item: faults(one, table, *named[one.item]) for one in rows}
    assert {item: found for item, found in wrong.items() if found} == {}
