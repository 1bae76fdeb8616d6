"""Army lists: points, errors by rule id, and lists that are ready to be played."""

import pytest

from engine.army import MUSTERS, read_army, ready_armies, reckon
from engine.errors import BadData, Refused
from engine.rulesets import by_id

BAND = {
    "legal": ([("Soldier", 5), ("Beast", 5), ("Mech", 10)], 20, []),
    "dear": ([("Soldier", 11), ("Beast", 10)], 21, ["DZ-WB-06"]),
    "eleven": ([("Soldier", 1)] * 11, 11, ["DZ-WB-07"]),
    "few basic": ([("Soldier", 2), ("Sniper", 2), ("Gunner", 2)], 6, ["DZ-WB-08"]),
    "three rare": ([("Drone", 1)] * 3 + [("Monster", 2)] * 3, 9, ["DZ-WB-09"]),
    "weak": ([("Soldier", 0)], 0, ["DZ-WB-12"]),
}


def band(fighters):
    return "".join(f'[[figures]]\nkind = "{k}"\nmight = {m}\n' for k, m in fighters)


@pytest.mark.parametrize("case", BAND)
def test_a_warband_costs_its_might_and_is_held_to_the_rules(case):
    fighters, points, rules = BAND[case]
    found = reckon("deathzap", read_army(band(fighters)))
    assert (found.figures, found.points) == (len(fighters), points)
    assert [rule for rule, _ in found.errors] == rules


def test_options_change_what_is_allowed():
    text = 'options = { "dz.points.standard" = 30 }\n' + band([("Soldier", 15), ("Beast", 15)])
    assert reckon("deathzap", read_army(text)).errors == ()


def test_a_team_of_other_weapons_is_flagged_unless_allowed():
    text = '[[figures]]\nitems = ["large"]\ncount = 5\n'
    found = reckon("figurslag", read_army(text))
    assert (found.points, [rule for rule, _ in found.errors]) == (None, ["FS-FLAG-13"])
    allowed = 'options = { non_standard_team = "allow" }\n' + text
    assert reckon("figurslag", read_army(allowed)).errors == ()


@pytest.mark.parametrize("ruleset_id", MUSTERS)
def test_ready_armies_are_legal(ruleset_id):
    assert by_id(ruleset_id) is not None
    ready = ready_armies(ruleset_id)
    assert ready
    for text in ready.values():
        found = reckon(ruleset_id, read_army(text))
        assert found.name
        assert found.errors == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("figures =", "not TOML"),
        ("name = 'x'", "figures: "),
        ("figures = [{ cost = 3 }]", "figures.0.cost: "),
        ("figures = [{ count = 0 }]", "figures.0.count: "),
    ],
)
def test_a_wrong_list_says_where(text, fault):
    with pytest.raises(BadData) as caught:
        read_army(text)
    assert fault in caught.value.fault


@pytest.mark.parametrize(
    ("ruleset_id", "text"),
    [
        ("deathzap", '[[figures]]\nkind = "Wizard"\nmight = 1\n'),
        ("deathzap", '[[figures]]\nkind = "Beast"\nmight = 1\nitems = ["bow"]\n'),
        ("deathzap", "figures = []\noptions = { nonsense = 1 }\n"),
        ("figurslag", '[[figures]]\nitems = ["bow"]\n'),
        ("figurslag", '[[figures]]\nkind = "Beast"\n'),
    ],
)
def test_what_the_rules_do_not_know_is_refused(ruleset_id, text):
    with pytest.raises(Refused):
        reckon(ruleset_id, read_army(text))
