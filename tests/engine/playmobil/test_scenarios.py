"""The scenarios of the specification, played through the referee."""

import pytest

from tests.engine.playmobil.battle import attack, battle, end, kind, last, mustered, refused
from tests.engine.tables import box

NEAR = 32.0 + 25.4
"""Centre distance of two men with a gap of one inch."""


def test_who_threw_does_not_strike():
    """PM-S-01: PM-THROW-05, PM-THROW-07."""
    game = battle(
        [("light_infantry", (600, 600))],
        [("light_infantry", (600, 700)), ("light_infantry", (600 + NEAR, 600))],
        gear=[("r1", "thrown", 1)],
    )
    attack(game, "throw", "r1", "b1", 6, 1)
    assert not game.unit("b1").alive
    error = refused(game, "melee", figure_id="r1", target_id="b2")
    assert error.rule in ("PM-THROW-05", "PM-ATT-02")


def test_a_spent_javelin_is_not_picked_up():
    """PM-S-02: PM-THROW-02, PM-THROW-03."""
    game = battle(
        [("light_infantry", (600, 600)), ("light_infantry", (640, 600))],
        [("light_infantry", (600, 700)), ("light_infantry", (900, 700))],
        gear=[("r1", "thrown", 1)],
    )
    attack(game, "throw", "r1", "b1", 1, 6)
    end(game)
    end(game)
    assert refused(game, "throw", figure_id="r2", target_id="b1").rule == "PM-THROW-02"
    assert refused(game, "throw", figure_id="r1", target_id="b1").rule == "PM-THROW-02"


def test_no_movement_after_an_attack():
    """PM-S-03: PM-TURN-05, PM-ATT-09."""
    game = battle(
        [("light_cavalry", (600, 400))],
        [("light_infantry", (600, 800)), ("light_infantry", (900, 1200))],
    )
    game.put("r1", (600, 704.8))
    attack(game, "melee", "r1", "b1", 6, 1)
    flag = last(game.put("r1", (480, 640)), "flagged")
    assert (flag.rule, flag.text("code")) == ("PM-ATT-09", "MOVED_AFTER_ATTACK")
    assert "attacked already" in game.said()[-1]


def test_no_fire_from_horseback():
    """PM-S-05: PM-ARCH-10."""
    game = battle([("mounted_archer", (600, 400))], [("light_infantry", (600, 600))])
    assert refused(game, "flame", figure_id="r1", target_id="b1").rule == "PM-ARCH-10"


def test_swords_do_not_reach_the_rider():
    """PM-S-06: PM-ELE-08."""
    game = battle([("light_infantry", (600, 500))], [("war_elephant", (600, 630))])
    error = refused(game, "melee", figure_id="r1", target_id="b1_man1")
    assert (error.rule, error.reason) == (
        "PM-ELE-08", "only arrows and thrown weapons reach the rider",
    )  # fmt: skip


def test_the_chariot_is_attacked_not_its_driver():
    """PM-S-07: PM-CHAR-06, PM-CHAR-13."""
    game = battle([("light_spearman", (600, 500))], [("chariot", (600, 640))])
    assert refused(game, "melee", figure_id="r1", target_id="b1_man1").rule == "PM-CHAR-06"
    aimed = last(game.do("melee", figure_id="r1", target_id="b1"), "aimed")
    assert (aimed.number("a"), aimed.number("d")) == (1, 1)


def test_walls_need_artillery_or_an_engine():
    """PM-S-09: PM-WALL-01."""
    wall = (box("wall", 500, 700, 800, 720, 90.0),)
    game = battle(
        [("heavy_infantry", (600, 680)), ("battering_ram", (900, 400))],
        [("light_infantry", (600, 1000))],
        terrain=wall,
    )
    error = refused(game, "ram", figure_id="r1", value="wall")
    assert (error.rule, error.reason) == ("PM-WALL-01", "walls need artillery or a siege engine")


def test_ladders_do_not_burn():
    """PM-S-10: PM-SIEGE-03."""
    game = battle(
        [("light_infantry", (600, 550)), ("infantry_archer", (800, 500))],
        [("ladder", (600, 602)), ("light_infantry", (600, 1000))],
        gear=[("r1", "torch", None)],
    )
    assert refused(game, "torch", figure_id="r1", target_id="b1").rule == "PM-SIEGE-03"
    assert refused(game, "flame", figure_id="r2", target_id="b1").rule == "PM-SIEGE-03"
    end(game)
    end(game)
    assert game.unit("b1").alive


@pytest.mark.parametrize(
    ("troop", "becomes", "rule"),
    [
        ("heavy_infantry", "light_infantry", "PM-ART-05"),
        ("heavy_spearman", "light_spearman", "PM-ART-16"),
        ("heavy_cavalry", "light_cavalry", "PM-ART-16"),
    ],
)
def test_a_bolt_takes_the_shield(troop, becomes, rule):
    """PM-S-11: PM-ART-05, PM-ART-16, PM-INF-09."""
    game = battle(
        [("artillery", (600, 400)), ("light_infantry", (600, 344))],
        [(troop, (600, 800)), ("light_infantry", (900, 800))],
        gear=[("r1", "piece", "ballista")],
    )
    game.do("fire", figure_id="r1")
    lost = last(game.do("hit_shield", target_id="b1"), "shield_lost")
    assert lost.rule == rule
    assert kind(game, "b1") == becomes
    assert game.unit("b1").alive
    game.do("shot_done")
    assert game.state.phase == "ACT"


def test_who_struck_behind_himself_shows_his_old_front():
    """PM-S-13: PM-ATT-07, PM-FACE-01."""
    game = battle(
        [("heavy_infantry", (600, 600))],
        [("light_infantry", (600, 540)), ("light_infantry", (600, 660))],
    )
    attack(game, "melee", "r1", "b1", 1, 6)  # r1 looks north; b1 stands south of him
    end(game)
    aimed = last(game.do("melee", figure_id="b2", target_id="r1"), "aimed")
    assert (aimed.number("d"), aimed.value("rear")) == (1, True)
    game.do("undo")
    aimed = last(game.do("melee", figure_id="b1", target_id="r1"), "aimed")
    assert (aimed.number("d"), aimed.value("rear")) == (2, False)


def elephant_turned_wild(red_men, blue_men, options=None, **fields):
    """Red's elephant has lost its rider to an arrow of Blue."""
    game = battle(
        [("war_elephant", (600, 600)), *red_men],
        [("infantry_archer", (900, 600)), *blue_men],
        options,
        first="blue",
        gear=[("b1", "bow", "longbow")],
        **fields,
    )
    attack(game, "shoot", "b1", "r1_man1", 6, 1)
    return game


def test_a_wild_elephant_goes_for_the_nearest():
    """PM-S-14: PM-ELE-02 to 05, PM-ELE-16, PM-GEO-26."""
    game = elephant_turned_wild(
        [("light_infantry", (600, 600 - 45 - 100 - 16 - 50)), ("light_infantry", (500, 289))],
        [("light_infantry", (600, 600 + 95 + 120 + 16))],
    )
    # The elephant looks north: 95 mm to its nose and tail.
    game.put("r2", (600, 600 - 95 - 100 - 16))
    if game.unit("r2").mark("open"):
        game.do("accept", figure_id="r2")
    assert kind(game, "r1") == "riderless_elephant"
    lines = game.do("done")
    goes = last(lines, "rampage")
    assert goes.target_id == "r2"
    assert (goes.number("a"), goes.text("roller")) == (2, "blue")
    assert game.state.phase == "RAMPAGE"
    assert game.state.active_side == "blue"
    game.do("roll", dice=(6, 1, 1))
    assert not game.unit("r2").alive
    assert game.state.active_side == "red"


def test_a_riderless_horse_is_taken_by_the_enemy():
    """PM-S-15: PM-DIS-09, PM-DIS-02."""
    game = battle(
        [("light_cavalry", (600, 600)), ("light_infantry", (1200, 300))],
        [("light_infantry", (600, 680)), ("light_infantry", (1200, 1200))],
    )
    game.do("dismount", figure_id="r1")
    end(game)
    end(game)
    assert kind(game, "r1") == "light_infantry"
    game.put("r1", (660, 600))
    game.put("r1", (860, 600))
    end(game)
    game.put("b1", (636, 640))
    assert refused(game, "mount", figure_id="b1", target_id="r1_horse").rule == "PM-DIS-01"
    end(game)
    end(game)
    game.do("mount", figure_id="b1", target_id="r1_horse")
    end(game)
    end(game)
    assert kind(game, "b1") == "light_cavalry"
    assert not game.unit("r1_horse").alive


def test_an_empty_chariot_changes_sides():
    """PM-S-17: PM-CHAR-07, PM-CHAR-09, PM-CHAR-10."""
    game = battle(
        [("chariot", (600, 600)), ("light_infantry", (1200, 300))],
        [("heavy_infantry", (600, 730)), ("infantry_archer", (600, 850))],
        first="blue",
    )
    attack(game, "shoot", "b2", "r1_man1", 6, 1)
    assert not game.unit("r1_man1").alive
    game.put("b1", (600, 727))
    end(game)
    assert refused(game, "melee", figure_id="r1", target_id="b1").rule == "PM-CHAR-10"
    end(game)
    game.do("mount", figure_id="b1", target_id="r1")
    end(game)
    end(game)
    assert game.unit("r1").side == "blue"
    assert game.unit("b1").mark("aboard") == "r1"


def test_flaming_arrows_at_a_tower():
    """PM-S-18: PM-SIEGE-02, PM-SIEGE-05, PM-SIEGE-07, PM-SIEGE-09."""
    game = battle(
        [("infantry_archer", (500 + 90 * i, 400)) for i in range(3)],
        [("siege_tower", (600, 600)), ("light_infantry", (600, 1200))],
    )
    hits = []
    for name, dice in (("r1", (6, 3, 2, 4)), ("r2", (5, 1, 1, 2)), ("r3", (6, 5, 1, 1))):
        attack(game, "flame", name, "b1", *dice)
        hits.append(game.unit("b1").mark("fire_hits"))
    assert hits == [1, 2, 2]
    assert game.unit("b1").alive
    end(game)
    end(game)
    attack(game, "flame", "r1", "b1", 6, 1, 1, 1)
    assert not game.unit("b1").alive


def test_a_general_without_a_shield():
    """PM-S-19: PM-GENL-01, PM-GENL-03."""
    game = battle([("general_foot", (600, 500))], [("light_infantry", (600, 560))])
    aimed = last(game.do("melee", figure_id="r1", target_id="b1"), "aimed")
    assert aimed.number("a") == 2
    game.do("undo")
    hint = game.option("reach", "r1").hint
    assert "152 millimetres" in hint
    end(game)
    assert last(game.do("melee", figure_id="b1", target_id="r1"), "aimed").number("d") == 2


def test_a_charge_ends_hand_to_hand():
    """PM-S-21: PM-CAV-14, PM-CAV-04."""

    def charged(options=None):
        game = battle(
            [("light_cavalry", (600, 300))],
            [("heavy_infantry", (600, 300 + 609 + 55 + 16 + 25)), ("light_infantry", (900, 1300))],
            options,
            gear=[("r1", "thrown", 1)],
        )
        moved = last(game.put("r1", (600, 909)), "moved")
        assert moved.value("charge") is True
        return game

    game = charged()
    assert refused(game, "throw", figure_id="r1", target_id="b1").rule == "PM-CAV-14"
    assert refused(game, "done").rule == "PM-CAV-04"
    attack(game, "melee", "r1", "b1", 3, 2, 5, 1)
    end(game)
    free = charged({"pm.charge.throw": True})
    attack(free, "throw", "r1", "b1", 3, 2, 5)
    end(free)


def test_a_torch_burns_a_catapult_and_spares_its_crew():
    """PM-S-22: PM-SIEGE-01, PM-SIEGE-08, PM-SIEGE-13."""
    game = battle(
        [("light_infantry", (600, 520))],
        [("artillery", (600, 610)), ("light_infantry", (600, 700))],
        gear=[("r1", "torch", None)],
    )
    game.put("r1", (600, 518))
    game.do("torch", figure_id="r1", target_id="b1")
    end(game)
    burnt = last(game.do("done"), "destroyed")
    assert (burnt.rule, burnt.figure_id) == ("PM-SIEGE-13", "b1")
    assert game.unit("b2").alive
    assert any("crew is unharmed" in text for text in game.said())


def circle_game(options=None, terrain=()):
    """The guard looks west; the spotter stands east of him, the shooter far west."""
    return battle(
        [("mounted_archer", (420, 600)), ("mounted_archer", (620, 820))],
        [("heavy_infantry", (800, 600)), ("light_infantry", (1600, 1300))],
        options,
        terrain=terrain,
        facing={"b1": 180.0},
    )


def test_the_guard_faces_the_shooter_not_the_spotter():
    """PM-S-23: PM-CIRC-05, PM-CIRC-04, PM-CIRC-06."""
    game = battle(
        [("mounted_archer", (400, 600)), ("mounted_archer", (680, 790))],
        [("heavy_infantry", (800, 600)), ("light_infantry", (1600, 1300))],
        facing={"b1": 220.0},
    )
    aimed = last(game.do("shoot", figure_id="r1", target_id="b1"), "aimed")
    assert (aimed.rule, aimed.text("spotter")) == ("PM-CIRC-01", "r2")
    assert (aimed.number("a"), aimed.number("d")) == (1, 2)
    assert "uses the range of" in game.said()[-1]
    other = battle(
        [("mounted_archer", (400, 600)), ("mounted_archer", (680, 790))],
        [("heavy_infantry", (800, 600)), ("light_infantry", (1600, 1300))],
        {"pm.circle.arc_from": "spotter"},
        facing={"b1": 220.0},
    )
    aimed = last(other.do("shoot", figure_id="r1", target_id="b1"), "aimed")
    assert aimed.number("angle") > 90
    assert aimed.number("d") == 1


def test_the_shooter_of_a_circle_must_see():
    """PM-S-24: PM-CIRC-02, PM-CIRC-05."""
    hill = (box("hill", 560, 540, 600, 660, 300.0, kind="hill"),)
    game = circle_game(terrain=hill)
    assert refused(game, "shoot", figure_id="r1", target_id="b1").rule == "PM-CIRC-02"
    seen = circle_game({"pm.circle.sight_from": "spotter"}, hill)
    assert last(seen.do("shoot", figure_id="r1", target_id="b1"), "aimed")


def test_numbers_of_artillery_are_asked_first():
    """PM-S-25: PM-PREP-09, PM-SIEGE-13, PM-SIEGE-11."""
    game = mustered(
        [("light_infantry", (0, 0)), ("artillery", (0, 0))], [("light_infantry", (0, 0))]
    )
    game.do("ready")
    assert game.state.phase == "SETUP"
    assert game.state.question.rule == "PM-SIEGE-13"
    assert "Two dice against fire arrows, two artillery hits" in game.state.question.text
    assert refused(game, "ready").rule == "PM-SIEGE-13"
    game.do("answer", value="more")
    game.do("answer", value="dice")
    deployed_after = game.do("answer", value="yes")
    assert last(deployed_after, "numbers_agreed").number("hits") == 3
    assert game.unit("r2").mark("dice_agreed") == 3
    assert game.state.phase == "ROLL_OFF"
