"""The ten classes at play: tier, moves, dice, and what each may do, as the page offers it."""

from dataclasses import replace

import pytest

from engine.rulesets import by_id
from tests.engine.deathzap.skirmish import aim_of, recruited, skirmish
from tests.engine.deathzap.test_fights import REST_BLUE, REST_RED, duel

FAR = ("Soldier", 5, (500.0, 560.0))
CLASSES = [
    # class, tier, mm it moves, dice to strike and to shoot with, charges, defends
    ("Soldier", "basic", 76, 3, 3, False, False),
    ("Warrior", "basic", 76, 3, None, True, True),
    ("Beast", "basic", 102, 3, None, True, False),
    ("Drone", "basic", 102, 3, 3, False, False),
    ("Gunner", "special", 76, 3, 4, False, False),
    ("Berserker", "special", 76, 4, None, True, True),
    ("Sniper", "special", 76, 3, 3, False, False),
    ("Gunslinger", "special", 76, 3, 3, True, False),
    ("Monster", "rare", 76, 4, 3, True, True),
    ("Mech", "rare", 76, 3, 4, False, True),
]


def test_ten_classes_are_offered():
    """DZ-WB-02, DZ-WB-03, DZ-WB-04."""
    game = recruited(REST_RED, REST_BLUE)
    offered = dict(game.option("class", "r1").choices)
    assert offered == {name: f"{name} ({tier})" for name, tier, *_ in CLASSES}


@pytest.mark.parametrize(
    ("name", "tier", "moves", "blow", "shot", "charges", "defends"),
    CLASSES,
    ids=[one[0] for one in CLASSES],
)
def test_a_class_at_play(name, tier, moves, blow, shot, charges, defends):
    """DZ-MEL-02, 03, DZ-RNG-01 to 03, 09, DZ-MOVE-01, 02, DZ-CHG-01, DZ-DEF-01, DZ-BST-01."""
    game = duel(name, "Soldier", 60.0)
    assert f"Move {moves} millimetres." in game.option("reach", "r1").hint
    assert (game.option("charge", "r1") is not None) is charges
    assert (game.option("defend", "r1") is not None) is defends
    assert (game.option("ranged", "r1") is not None) is (shot is not None)
    contact = duel(name, "Soldier")
    contact.do("boost")
    contact.do("melee", figure_id="r1", target_id="b1")
    assert contact.option("roll").dice[0] == blow + 1, "a boost is one die more"
    contact = duel(name, "Soldier")
    contact.do("melee", figure_id="r1", target_id="b1")
    assert contact.option("roll").dice[0] == blow
    if shot is not None:
        far = skirmish([(name, 5, (300, 200)), *REST_RED], [FAR], pick="r1")
        far.do("ranged", figure_id="r1", target_id="b1")
        assert far.option("roll").dice[0] == shot


@pytest.mark.parametrize(
    ("profile", "across", "factor"), [("lego_model", 20.0, 1.0), ("playmobil_model", 32.0, 2.0)]
)
def test_a_shot_is_measured_between_the_discs_of_both(profile, across, factor):
    """DZ-GEO-03, DZ-GEO-04: 200 mm from middle to middle, less one diameter."""
    base = by_id("deathzap").info.base[profile]
    board = (609.6 * factor, 609.6 * factor)
    options = {"dz.scale.factor": factor}
    game = duel("Soldier", "Soldier", 180.0, options, size=board)
    for name in ("r1", "b1"):
        game.figures[name] = replace(game.figures[name], base=base, profile=profile)
    game.look()
    assert aim_of(game, "ranged", "r1", "b1").text.startswith(f"{200.0 - across:.0f} mm,")
