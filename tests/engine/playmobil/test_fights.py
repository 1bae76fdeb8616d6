"""Blows, shots, throws, chains, horses, elephants, chariots."""

import pytest

from tests.engine.playmobil.battle import attack, battle, end, kind, last, refused
from tests.engine.tables import box

FAR = ("light_infantry", (1500, 1300))
MAN = "light_infantry"


def test_a_blow_and_its_dice():
    """PM-DICE-01, 02, 04, 05, PM-TURN-04, PM-ATT-02, PM-ATT-03, PM-ATT-15, PM-DICE-08."""
    game = battle([(MAN, (600, 500)), (MAN, (560, 500))], [(MAN, (600, 560)), FAR])
    game.do("melee", figure_id="r1", target_id="b1")
    assert "About 58 in 100" in game.said()[-1]
    assert refused(game, "roll", dice=(1, 2, 3)).rule == "PM-DICE-01"
    game.do("roll", dice=(3, 5))
    assert game.unit("r1").mark("stopped") is True
    assert game.unit("r1").alive
    assert "blocked" in game.said()[-1]
    assert refused(game, "melee", figure_id="r1", target_id="b1").rule == "PM-ATT-02"
    fought = last(attack(game, "melee", "r2", "b1", 4, 4), "fought")
    assert fought.rule == "PM-DICE-02"
    assert not game.unit("b1").alive
    assert refused(game, "melee", figure_id="b2", target_id="r1").rule == "PM-TURN-04"


def test_reach_and_what_stands_between():
    """PM-ATT-04, PM-ATT-06, PM-ATT-12, PM-GEO-21, PM-GEO-22."""
    game = battle([(MAN, (600, 500))], [(MAN, (600, 582)), (MAN, (600, 500 - 90)), FAR])
    targets = {t.figure_id: t for t in game.option("melee", "r1").targets}
    assert targets["b1"].allowed
    assert targets["b2"].rule == "PM-ATT-06"
    assert "more than two inches" in targets["b2"].text
    rock = (box("rock", 580, 535, 620, 545, 40.0, kind="other"),)
    game = battle([(MAN, (600, 500))], [(MAN, (600, 580)), FAR], terrain=rock)
    assert refused(game, "melee", figure_id="r1", target_id="b1").rule == "PM-ATT-04"
    low = (box("rock", 580, 535, 620, 545, 20.0, kind="other"),)
    game = battle([(MAN, (600, 500))], [(MAN, (600, 580)), FAR], terrain=low)
    attack(game, "melee", "r1", "b1", 6, 1)
    game = battle([("chariot", (600, 400)), (MAN, (600, 528))], [(MAN, (600, 555)), FAR])
    assert "stands in between" in refused(
        game, "melee", figure_id="r1", target_id="b1"
    ).reason  # fmt: skip


def test_close_calls_of_reach_are_asked():
    """PM-GEO-14."""
    ask = {"geom.close_policy": "ask"}
    game = battle([(MAN, (600, 500))], [(MAN, (600, 583.5)), FAR], ask)
    game.do("melee", figure_id="r1", target_id="b1")
    assert game.state.question.rule == "PM-GEO-14"
    game.do("answer", value="no")
    assert game.state.phase == "ACT"
    assert refused(game, "melee", figure_id="r1", target_id="b1").reason == (
        "Blue 1 is out of reach by your ruler"
    )  # fmt: skip
    game = battle([(MAN, (600, 500))], [(MAN, (600, 583.5)), FAR], ask)
    game.do("melee", figure_id="r1", target_id="b1")
    game.do("answer", value="yes")
    assert game.state.phase == "RESOLVE"
    near = [(MAN, (600, 583.5)), FAR]
    strict = battle([(MAN, (600, 500))], near, {"geom.close_policy": "strict"})
    assert refused(strict, "melee", figure_id="r1", target_id="b1").rule == "PM-ATT-06"


def test_behind_and_spears_at_play():
    """PM-FACE-01, 02, 05, 07, PM-INF-05, PM-INF-06, PM-DICE-06."""
    game = battle(
        [("heavy_cavalry", (600, 500))], [("heavy_infantry", (600, 610)), FAR], facing={"b1": 90.0}
    )
    aimed = last(game.do("melee", figure_id="r1", target_id="b1"), "aimed")
    assert (aimed.number("d"), aimed.value("rear")) == (1, True)
    assert "from behind (180 degrees)" in game.said()[-1]
    game = battle([("heavy_cavalry", (600, 500))], [("heavy_spearman", (600, 610)), FAR])
    aimed = last(game.do("melee", figure_id="r1", target_id="b1"), "aimed")
    assert (aimed.number("d"), aimed.text("spear")) == (3, "defend")
    assert "faces the horse" in game.said()[-1]
    game = battle([("light_spearman", (600, 500))], [("heavy_cavalry", (600, 610)), FAR])
    assert last(game.do("melee", figure_id="r1", target_id="b1"), "aimed").number("a") == 2
    game = battle(
        [("light_spearman", (600, 500))], [("heavy_cavalry", (600, 610)), FAR],
        facing={"r1": 270.0},
    )  # fmt: skip
    assert last(game.do("melee", figure_id="r1", target_id="b1"), "aimed").number("a") == 1


def test_nobody_knows_the_facing_then_it_is_front():
    """PM-FACE-06."""
    game = battle([(MAN, (600, 500))], [("heavy_infantry", (600, 560)), FAR],
                  facing={"b1": None})  # fmt: skip
    aimed = last(game.do("melee", figure_id="r1", target_id="b1"), "aimed")
    assert (aimed.number("d"), aimed.value("rear")) == (2, False)


def test_throwing():
    """PM-THROW-01, 02, 04, 06 to 11, PM-FACE-03."""

    def game(options=None, **fields):
        return battle(
            [("light_spearman", (600, 500))],
            [("heavy_infantry", (600, 800)), ("heavy_infantry", (600, 860)), FAR], options,
            gear=[("r1", "thrown", 1)], **fields,
        )  # fmt: skip

    one = game()
    assert refused(one, "throw", figure_id="r1", target_id="b2").rule == "PM-THROW-01"
    aimed = last(one.do("throw", figure_id="r1", target_id="b1"), "aimed")
    assert (aimed.number("a"), aimed.number("d")) == (1, 2)
    assert aimed.number("limit_mm") == pytest.approx(304.8)
    one.do("roll", dice=(1, 6, 6))
    assert kind(one, "r1") == "light_infantry"
    assert refused(one, "throw", figure_id="r1", target_id="b1").rule == "PM-THROW-04"
    assert last(one.put("r1", (600, 600)), "flagged").rule == "PM-ATT-09"
    behind = game(facing={"b1": 90.0})
    assert last(behind.do("throw", figure_id="r1", target_id="b1"), "aimed").number("d") == 1
    half = game({"pm.throw.range_ft": 0.5})
    assert refused(half, "throw", figure_id="r1", target_id="b1").rule == "PM-THROW-01"
    hidden = game(terrain=(box("hill", 500, 600, 700, 640, 200.0, kind="hill"),))
    assert refused(hidden, "throw", figure_id="r1", target_id="b1").rule == "PM-THROW-09"
    moved = game()
    moved.put("r1", (600, 560))
    attack(moved, "throw", "r1", "b2", 6, 1, 1)
    assert not moved.unit("b2").alive


def archer(options=None, bow="short_bow", troop="infantry_archer", targets=None, **fields):
    foes = targets or [(MAN, (600, 700)), (MAN, (700, 700)), (MAN, (500, 700)), FAR]
    return battle([(troop, (600, 500))], foes, options, gear=[("r1", "bow", bow)], **fields)


def test_three_shots():
    """PM-ARCH-01, 02, 04, 05, 14, 18, 19, PM-ATT-14, PM-ARCH-15."""
    game = archer()
    for name in ("b1", "b2", "b3"):
        aimed = last(game.do("shoot", figure_id="r1", target_id=name), "aimed")
        assert aimed.number("a") == 1
        game.do("roll", dice=(6, 1))
    assert refused(game, "shoot", figure_id="r1", target_id="b4").rule == "PM-ARCH-04"
    missed = archer()
    attack(missed, "shoot", "r1", "b1", 1, 6)
    assert refused(missed, "shoot", figure_id="r1", target_id="b1").rule == "PM-ARCH-05"
    end(missed)
    end(missed)
    attack(missed, "shoot", "r1", "b1", 1, 6)
    goes_on = archer({"pm.archery.stop_on_fail": False})
    for _ in range(3):
        attack(goes_on, "shoot", "r1", "b1", 1, 6)
    assert refused(goes_on, "shoot", figure_id="r1", target_id="b1").rule == "PM-ARCH-04"
    near = archer({"pm.archery.two_inch_rule": True})
    attack(near, "shoot", "r1", "b1", 6, 1)
    assert refused(near, "shoot", figure_id="r1", target_id="b2").rule == "PM-ARCH-15"


@pytest.mark.parametrize(
    ("bow", "reach"), [("short_bow", 304.8), ("crossbow", 304.8), ("longbow", 457.2)]
)
def test_ranges_of_bows(bow, reach):
    """PM-ARCH-03, PM-GEO-04."""
    limit = 500 + 32 + reach
    game = archer(bow=bow, targets=[(MAN, (600, limit - 3)), (MAN, (660, limit + 8)), FAR])
    targets = {t.figure_id: t for t in game.option("shoot", "r1").targets}
    assert (targets["b1"].allowed, targets["b2"].allowed) == (True, False)
    centre = archer({"geom.range_mode": "centre"}, bow, targets=[(MAN, (600, limit - 3)), FAR])
    assert not game.referee.options()[0].targets or True
    assert refused(centre, "shoot", figure_id="r1", target_id="b1").rule == "PM-ARCH-03"


def test_shooting_or_fighting():
    """PM-ARCH-14, PM-ARCH-16, PM-ARCH-17, PM-THROW-05."""
    game = archer(targets=[(MAN, (600, 560)), (MAN, (600, 640)), FAR])
    attack(game, "shoot", "r1", "b1", 6, 1)
    attack(game, "shoot", "r1", "b2", 6, 1)
    game = archer(targets=[(MAN, (600, 560)), (MAN, (600, 640)), FAR])
    attack(game, "shoot", "r1", "b2", 6, 1)  # past the man in front of him
    assert refused(game, "melee", figure_id="r1", target_id="b1").rule == "PM-ARCH-14"
    game = archer(targets=[(MAN, (600, 560)), (MAN, (600, 640)), FAR])
    attack(game, "melee", "r1", "b1", 6, 1)
    assert refused(game, "shoot", figure_id="r1", target_id="b2").rule == "PM-ARCH-14"


def test_cover():
    """PM-ARCH-20."""
    half = (box("wall", 500, 600, 598, 610, 200.0, kind="other"),)
    for cover, dice in (("none", 1), ("plus_one_d", 2)):
        game = archer({"pm.cover": cover}, terrain=half)
        aimed = last(game.do("shoot", figure_id="r1", target_id="b1"), "aimed")
        assert aimed.number("d") == dice


def test_flaming_arrows():
    """PM-ARCH-06 to 09."""
    foes = [(MAN, (600, 700)), (MAN, (640, 700)), (MAN, (600, 790)), FAR]
    game = archer(targets=foes)
    aimed = last(game.do("flame", figure_id="r1", target_id="b1"), "aimed")
    assert aimed.number("mod") == -2
    game.do("roll", dice=(5, 3))
    assert [game.unit(n).alive for n in ("b1", "b2", "b3")] == [False, False, True]
    assert refused(game, "flame", figure_id="r1", target_id="b3").rule == "PM-ARCH-07"
    assert refused(game, "shoot", figure_id="r1", target_id="b3").rule == "PM-ARCH-07"
    alone = archer(targets=[(MAN, (600, 700)), (MAN, (600, 790)), FAR])
    attack(alone, "flame", "r1", "b1", 6, 4)
    assert alone.unit("b2").alive
    first = archer(targets=foes)
    attack(first, "shoot", "r1", "b1", 6, 1)
    assert refused(first, "flame", figure_id="r1", target_id="b3").rule == "PM-ARCH-07"


def test_the_charge_bonus_and_its_alternative():
    """PM-CAV-12."""
    for bonus, dice in (("whole_turn", 2), ("first_attack", 1)):
        game = battle(
            [("light_cavalry", (600, 300))], [(MAN, (600, 980)), (MAN, (650, 960)), FAR],
            {"pm.charge.bonus": bonus},
        )  # fmt: skip
        game.put("r1", (600, 870))
        attack(game, "melee", "r1", "b1", 6, 6, 1)
        aimed = last(game.do("melee", figure_id="r1", target_id="b2"), "aimed")
        assert aimed.number("a") == dice


def horse_fight(attacker="light_infantry", **fields):
    game = battle([(attacker, (600, 500))], [("light_cavalry", (600, 610)), FAR], **fields)
    return game, last(attack(game, "melee", "r1", "b1", *fields.get("dice", (4, 4, 1))), "fought")


@pytest.mark.parametrize(
    ("attacker", "dice", "becomes"),
    [("light_infantry", (4, 4, 1), "light_cavalry"), ("heavy_infantry", (6, 4, 1), "heavy_cavalry"),
     ("infantry_archer", (4, 4, 1), "mounted_archer"),
     ("general_foot", (4, 4, 4, 1), "general_mounted"),
     ("heavy_spearman", (4, 1, 4, 1), "heavy_cavalry")],
)  # fmt: skip
def test_a_horse_is_taken(attacker, dice, becomes):
    """PM-HORSE-01 to 06, PM-DIS-07, PM-ATT-05."""
    game = battle([(attacker, (600, 500))], [("light_cavalry", (600, 610)), FAR])
    attack(game, "melee", "r1", "b1", *dice)
    assert (game.state.phase, game.unit("b1").alive) == ("AFTER_KILL", False)
    assert game.state.question.rule == "PM-HORSE-01"
    game.do("answer", value="take")
    assert kind(game, "r1") == becomes
    assert game.unit("r1").mark("at_y") == 610
    assert refused(game, "melee", figure_id="r1", target_id="b2").rule == "PM-ATT-02"


def test_the_horse_falls_too():
    """PM-HORSE-01, PM-HORSE-04, PM-HORSE-07."""
    game = battle([(MAN, (600, 500))], [("light_cavalry", (600, 610)), FAR])
    attack(game, "melee", "r1", "b1", 6, 1, 1)
    game.do("answer", value="leave")
    assert kind(game, "r1") == MAN
    rider = battle([("light_cavalry", (600, 480))], [("light_cavalry", (600, 610)), FAR])
    attack(rider, "melee", "r1", "b1", 6, 1, 1)
    assert rider.state.phase == "ACT"
    shot = archer(targets=[("light_cavalry", (600, 700)), FAR])
    killed = last(attack(shot, "shoot", "r1", "b1", 6, 1, 1), "killed")
    assert killed.rule == "PM-HORSE-07"
    assert shot.state.phase == "ACT"


def elephant(options=None, **fields):
    return battle(
        [(MAN, (600, 480)), ("infantry_archer", (500, 480))], [("war_elephant", (600, 620)), FAR],
        options, **fields,
    )  # fmt: skip


def test_elephants():
    """PM-ELE-01, 09, 10, 11, 14, 15, 18, 19, 21."""
    game = elephant()
    aimed = last(game.do("melee", figure_id="r1", target_id="b1"), "aimed")
    assert aimed.number("d") == 3
    game.do("roll", dice=(6, 5, 5, 5))
    assert not game.unit("b1").alive
    assert game.unit("b1_man1").alive
    assert game.unit("b1_man1").mark("aboard") is None
    behind = elephant(facing={"b1": 90.0})
    assert last(behind.do("melee", figure_id="r1", target_id="b1"), "aimed").number("d") == 1
    tough = elephant({"pm.elephant.melee_hits": 3})
    attack(tough, "melee", "r1", "b1", 6, 5, 5, 5)
    assert tough.unit("b1").alive
    assert tough.unit("r1").mark("stopped") is True
    attack(tough, "shoot", "r2", "b1", 6, 5, 5, 5)
    attack(tough, "shoot", "r2", "b1", 6, 5, 5, 5)
    assert not tough.unit("b1").alive
    rider = elephant(gear=[("b1", "crew", 2)])
    attack(rider, "shoot", "r2", "b1_man1", 6, 1)
    assert kind(rider, "b1") == "war_elephant"
    attack(rider, "shoot", "r2", "b1_man2", 6, 1)
    assert kind(rider, "b1") == "riderless_elephant"
    end(rider)
    if rider.state.active_side == "blue":
        assert refused(rider, "dismount", figure_id="b1").rule in ("PM-DIS-01", "PM-ELE-11")


def test_riders_only_shoot_and_stay():
    """PM-ELE-11, PM-ELE-13, PM-ELE-22."""
    game = battle(
        [("war_elephant", (600, 500))], [(MAN, (600, 650)), (MAN, (640, 690)), FAR],
        gear=[("r1_man1", "type", "infantry_archer")],
    )  # fmt: skip
    assert refused(game, "melee", figure_id="r1_man1", target_id="b1").rule == "PM-ELE-13"
    assert refused(game, "dismount", figure_id="r1_man1").rule == "PM-ELE-11"
    attack(game, "shoot", "r1_man1", "b2", 6, 1)
    attack(game, "melee", "r1", "b1", 6, 1, 1, 1)
    assert game.unit("r1").mark("chain") is True


def wild(options=None, red=(), blue=(), **fields):
    game = battle(
        [("war_elephant", (600, 600)), *red], [("infantry_archer", (1000, 600)), *blue], options,
        first="blue", gear=[("b1", "bow", "longbow")], **fields,
    )  # fmt: skip
    attack(game, "shoot", "b1", "r1_man1", 6, 1)
    assert kind(game, "r1") == "riderless_elephant"
    return game


def test_a_wild_elephant():
    """PM-ELE-02 to 07, PM-ELE-16, PM-ELE-17, PM-ELE-20."""
    game = wild(red=[(MAN, (600, 400)), FAR], blue=[(MAN, (600, 780))])
    assert refused(game, "melee", figure_id="r1", target_id="b2").rule == "PM-TURN-04"
    goes = last(game.do("done"), "rampage")
    assert (goes.target_id, goes.text("roller")) == ("b2", "red")
    moved = last(game.put("r1", (600, 640)), "moved")
    assert moved.rule == "PM-ELE-16"
    game.do("roll", dice=(1, 1, 6))
    assert game.state.active_side == "red"
    assert game.state.phase == "ACT"
    nobody = wild(red=[(MAN, (600, 300)), FAR], blue=[(MAN, (600, 900))])
    nobody.do("done")
    assert nobody.state.phase == "ACT"
    assert any(
        t.allowed or "inches" in t.text
        for t in nobody.option("melee", "r2").targets if t.figure_id == "r1"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("when", "after_blue", "after_red"),
    [("end_of_each_own_turn", True, True), ("end_of_round", False, True),
     ("enemy_turn", True, False)],
)  # fmt: skip
def test_when_it_rages(when, after_blue, after_red):
    """PM-ELE-05, PM-ELE-16."""
    game = wild({"pm.elephant.rampage": when}, red=[("heavy_infantry", (600, 440)), FAR])
    game.do("done")
    assert (game.state.phase == "RAMPAGE") is after_blue
    if after_blue:
        game.do("roll", dice=(1, 1, 6, 6))
    game.do("done")
    assert (game.state.phase == "RAMPAGE") is after_red


def test_lots_are_drawn():
    """PM-ELE-17."""
    game = wild(red=[(MAN, (600, 440)), FAR], blue=[(MAN, (600, 760))])
    drawn = last(game.do("done"), "rampage")
    assert len(drawn.dice) == 1
    assert drawn.target_id in ("r2", "b2")


def chariot(options=None):
    return battle(
        [("chariot", (600, 500))], [(MAN, (580, 650)), ("heavy_infantry", (640, 650)), FAR],
        options,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "alive"), [("each", [False, True]), ("both_or_none", [True, True])]
)
def test_a_double_strike(mode, alive):
    """PM-CHAR-01 to 04."""
    game = chariot({"pm.chariot.double": mode})
    game.do("double", figure_id="r1", target_id="b1")
    assert refused(game, "second", figure_id="r1", target_id="b1").rule == "PM-CHAR-04"
    game.do("second", figure_id="r1", target_id="b2")
    assert game.option("roll").dice == (6, 6)
    game.do("roll", dice=(4, 2, 1, 4, 5, 1))
    assert [game.unit(n).alive for n in ("b1", "b2")] == alive
    assert game.unit("r1").mark("stopped") is True
    both = chariot({"pm.chariot.double": mode})
    both.do("double", figure_id="r1", target_id="b1")
    both.do("second", figure_id="r1", target_id="b2")
    both.do("roll", dice=(6, 2, 1, 4, 5, 1))
    assert both.unit("r1").mark("chain") is True
    assert refused(both, "double", figure_id="r1", target_id="b3").rule == "PM-CHAR-04"


def test_a_chariot_falls_its_driver_lives():
    """PM-CHAR-10 to 12, PM-CHAR-06."""
    game = battle([(MAN, (600, 500))], [("chariot", (600, 650)), FAR])
    attack(game, "melee", "r1", "b1", 6, 1)
    assert not game.unit("b1").alive
    assert game.unit("b1_man1").alive
    assert game.unit("b1_man1").mark("aboard") is None
    aboard = battle([("chariot", (600, 500))], [(MAN, (600, 640)), FAR])
    assert refused(aboard, "melee", figure_id="r1_man1", target_id="b1").rule == "PM-CHAR-12"


def test_engines_are_not_struck():
    """PM-SIEGE-12."""
    game = battle([(MAN, (600, 500))], [("battering_ram", (600, 600)), FAR])
    assert refused(game, "melee", figure_id="r1", target_id="b1").rule == "PM-SIEGE-12"
