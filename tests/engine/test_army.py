"""Army lists: points, errors by rule id, and lists that are ready to be played."""

import pytest

from engine.armies.lists import read_army, ready_armies
from engine.army import MUSTERS, reckon
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


def test_a_list_for_another_game_is_said_to_be_one():
    text = "options = { army_points = 300 }\n" + band([("Soldier", 1)])
    with pytest.raises(Refused, match="a list for Legowars, not for Deathzap: army_points is an"):
        reckon("deathzap", read_army(text))
    with pytest.raises(Refused, match="army_pints is no option"):
        reckon("deathzap", read_army(text.replace("points", "pints")))


def models(*entries):
    return "".join(
        f'[[figures]]\nname = "{name}"\nkind = "{kind}"\nitems = {list(items)}\n'
        for name, kind, *items in entries
    ).replace("'", '"')


SOLDIER = ("Ann", "man", "spear", "shield")
ARMIES = {
    # 10 for a man, 15 for a spear, 5 for a shield.
    "a soldier": ([SOLDIER], 30, []),
    # 25 for a horse, 5 for a saddle, 5 for a cloth.
    "a horse": ([SOLDIER, ("Bess", "horse", "saddle", "horse_cloth")], 65, []),
    "three things": ([("Ann", "man", "spear", "sword", "shield")], 50, ["LW-HAND-01"]),
    "no bow": ([("Ann", "man", "quiver")], 20, ["LW-RNG-11"]),
    "nobody": ([("Bess", "horse")], 25, ["LW-WIN-02"]),
    # 75, 5 a seat, 10 a wheel, 10 for each of two horses, 5 a point of ARMOR over 10.
    "a cart": ([SOLDIER, ("Cart", "vehicle", "seats=2", "wheels=4", "armor=16")], 205, []),
    # 75, 20 for two wheels, 10 for their horse, 225 for what stands on it.
    "a ballista": ([SOLDIER, ("Cart", "vehicle", "seats=0", "wheels=2", "ballista")], 360, []),
    # 5 a stud and level, 50 a firing port, one door free.
    "a keep": ([SOLDIER, ("Keep", "building", "studs=64", "levels=2", "ports=2")], 770, []),
}


@pytest.mark.parametrize("case", ARMIES)
def test_an_army_costs_what_its_models_wear_and_hold(case):
    entries, points, rules = ARMIES[case]
    found = reckon("legowars", read_army(models(*entries)))
    assert (found.figures, found.points) == (len(entries), points)
    assert [rule for rule, _ in found.errors] == rules


def test_more_points_than_agreed_are_told():
    text = "options = { army_points = 29 }\n" + models(SOLDIER)
    found = reckon("legowars", read_army(text))
    assert found.errors == (("LW-COST-07", "The army costs more than agreed."),)


def test_what_is_wrong_is_said_of_the_model_by_its_name():
    found = reckon("legowars", read_army(models(("Ann", "man", "spear", "sword", "bow"))))
    assert found.errors == (("LW-HAND-01", "Ann holds more than two things."),)


FORCES = {
    "two men": ([("A", "light_infantry"), ("B", "heavy_infantry", "javelin")], []),
    "two generals": ([("A", "general_foot"), ("B", "general_mounted")], ["PM-GENL-05"]),
    "a bow for a rider": ([("A", "light_cavalry", "longbow")], ["PM-ARCH-03"]),
    "an archer who throws": ([("A", "infantry_archer", "javelin")], ["PM-THROW-01"]),
    "ten to throw": ([("A", "light_infantry", *["javelin"] * 10)], ["PM-THROW-08"]),
    "a torch on horseback": ([("A", "light_cavalry", "torch")], ["PM-PREP-08"]),
    "a lance on foot": ([("A", "light_infantry", "lance")], ["PM-PREP-08"]),
    "a cannon to carry": ([("A", "light_infantry", "cannon")], ["PM-ART-09"]),
    "too many riders": ([("A", "war_elephant", *["rider"] * 9)], ["PM-ELE-21"]),
    "only engines": ([("A", "battering_ram")], ["PM-END-01"]),
}


@pytest.mark.parametrize("case", FORCES)
def test_a_force_is_held_to_the_rules(case):
    entries, rules = FORCES[case]
    found = reckon("playmobil", read_army(models(*entries)))
    assert (found.figures, found.points) == (len(entries), None)
    assert [rule for rule, _ in found.errors] == rules


def test_forces_are_compared_by_men_and_dice():
    """A light man has one die each way, a heavy one two to defend, an elephant carries men."""
    men = [("A", "light_infantry"), ("B", "heavy_infantry")]
    found = reckon("playmobil", read_army(models(*men)))
    assert dict(found.totals) == {"men": 2, "attack": 2, "defend": 3}
    found = reckon("playmobil", read_army(models(*men, ("C", "war_elephant", "rider", "rider"))))
    assert dict(found.totals)["men"] == 4


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
        ("playmobil", models(("A", "knight"))),
        ("playmobil", models(("A", "light_infantry", "gun"))),
        ("playmobil", '[[figures]]\nkind = "light_infantry"\nmight = 1\n'),
        ("legowars", models(("A", "dragon"))),
        ("legowars", models(("A", "man", "gun"))),
        ("legowars", models(("A", "man", "saddle"))),
        ("legowars", models(("A", "man", "seats=2"))),
        ("legowars", models(("A", "vehicle", "seats=two"))),
        ("legowars", models(("A", "vehicle", "sword"))),
        ("legowars", models(("A", "building", "levels=2"))),
        ("legowars", models(("A", "building", "studs=0", "levels=2"))),
        ("legowars", "[[figures]]\nmight = 1\n"),
    ],
)
def test_what_the_rules_do_not_know_is_refused(ruleset_id, text):
    with pytest.raises(Refused):
        reckon(ruleset_id, read_army(text))
