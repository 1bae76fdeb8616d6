"""Mounting and dismounting, artillery, walls and fire."""

import pytest

from tests.engine.playmobil.battle import attack, battle, end, kind, last, refused
from tests.engine.tables import box

FAR = ("light_infantry", (1500, 1300))
MAN = "light_infantry"


def rider(troop="heavy_cavalry", **fields):
    return battle(
        [(troop, (600, 500)), (MAN, (1200, 200))], [("infantry_archer", (600, 700)), FAR], **fields
    )


@pytest.mark.parametrize(
    ("troop", "becomes"),
    [("heavy_cavalry", "heavy_infantry"), ("light_cavalry", "light_infantry"),
     ("mounted_archer", "infantry_archer"), ("general_mounted", "general_foot")],
)  # fmt: skip
def test_dismounting(troop, becomes):
    """PM-DIS-01, 02, 05, 07, PM-ARCH-13, PM-ARCH-10."""
    game = rider(troop)
    game.do("dismount", figure_id="r1")
    assert refused(game, "melee", figure_id="r1", target_id="b1").rule == "PM-DIS-01"
    assert last(game.put("r1", (600, 400)), "flagged").text("code") == "WAIT_BROKEN"
    game.put("r1", (600, 500))
    end(game)
    end(game)
    assert kind(game, "r1") == becomes
    horse = game.unit("r1_horse")
    assert (horse.mark("at_x"), horse.mark("at_y")) == (600, 500)
    last(game.put("r1", (640, 500)), "shifted")
    assert last(game.put("r1", (640, 400)), "moved")


def test_a_lance_is_exchanged():
    """PM-DIS-04, PM-DIS-07."""
    game = rider("light_cavalry", gear=[("r1", "lance", None)])
    game.do("dismount", figure_id="r1", value="spear")
    end(game)
    end(game)
    assert kind(game, "r1") == "light_spearman"
    plain = rider("light_cavalry")
    assert refused(plain, "dismount", figure_id="r1", value="spear").rule == "PM-DIS-04"


def test_an_attack_breaks_the_waiting():
    """PM-DIS-06."""
    game = rider()
    game.do("dismount", figure_id="r1")
    end(game)
    attack(game, "shoot", "b1", "r1", 1, 6, 6, 6)
    assert "must start again" in " ".join(game.said()[-3:])
    end(game)
    assert kind(game, "r1") == "heavy_cavalry"


def test_remounting():
    """PM-DIS-03, PM-DIS-05, PM-DIS-08."""
    game = rider("light_cavalry")
    game.do("dismount", figure_id="r1")
    end(game)
    end(game)
    game.put("r1", (640, 500))
    assert refused(game, "mount", figure_id="r2", target_id="r1_horse").rule == "PM-DIS-08"
    game.do("mount", figure_id="r1", target_id="r1_horse")
    end(game)
    end(game)
    assert kind(game, "r1") == "light_cavalry"
    assert game.unit("r1_horse").mark("gone") == "taken"
    again = rider("light_cavalry")
    assert refused(again, "dismount", figure_id="r2").rule == "PM-DIS-01"
    again.put("r1", (600, 550))
    assert refused(again, "dismount", figure_id="r1").rule == "PM-DIS-01"


def test_waiting_may_be_given_up():
    """PM-DIS-01."""
    game = rider("light_cavalry")
    game.do("dismount", figure_id="r1")
    game.do("stop_waiting", figure_id="r1")
    end(game)
    end(game)
    assert kind(game, "r1") == "light_cavalry"


def test_a_driver_dismounts_and_comes_back():
    """PM-CHAR-08."""
    game = battle([("chariot", (600, 500)), (MAN, (1200, 200))], [(MAN, (600, 1200)), FAR])
    game.do("dismount", figure_id="r1_man1")
    assert last(game.put("r1", (600, 560)), "flagged").text("code") == "WAIT_BROKEN"
    game.put("r1", (600, 500))
    end(game)
    end(game)
    assert game.unit("r1_man1").mark("aboard") is None
    assert game.unit("r1").side == "red"
    game.do("mount", figure_id="r1_man1", target_id="r1")
    end(game)
    end(game)
    assert game.unit("r1_man1").mark("aboard") == "r1"


def gun(options=None, piece="catapult", foes=None, red=(), **fields):
    return battle(
        [("artillery", (600, 400)), (MAN, (600, 310)), *red],
        foes or [("heavy_cavalry", (600, 800)), ("war_elephant", (900, 800)),
                 ("chariot", (1200, 800)), ("siege_tower", (400, 900))],
        options, gear=[("r1", "piece", piece)], **fields,
    )  # fmt: skip


def fire(game, *hits):
    game.do("fire", figure_id="r1")
    for kind_, target in hits:
        game.do(kind_, target_id=target)
    game.do("shot_done")


def test_a_shot_with_the_toy():
    """PM-ART-01 to 04, PM-ART-13, PM-ART-15."""
    game = gun(foes=[("heavy_infantry", (600, 800)), (MAN, (640, 800)), FAR])
    game.do("fire", figure_id="r1")
    assert game.state.phase == "ARTILLERY"
    assert "Fire one shot" in game.said()[-1]
    for name in ("b1", "b2"):
        game.do("hit", target_id=name)
    game.do("shot_done")
    assert [game.unit(n).alive for n in ("b1", "b2", "b3")] == [False, False, True]
    assert refused(game, "fire", figure_id="r1").rule == "PM-ART-02"
    assert refused(game, "shot_done").rule == "PM-ART-01"
    end(game)
    end(game)
    fire(game)
    assert game.unit("b3").alive


def test_horse_or_rider():
    """PM-ART-06, PM-HORSE-08."""
    game = gun()
    fire(game, ("hit_horse", "b1"))
    assert kind(game, "b1") == "heavy_infantry"
    game = gun()
    fire(game, ("hit", "b1"))
    assert not game.unit("b1").alive
    assert game.unit("b1_horse").alive


@pytest.mark.parametrize(("piece", "elephant", "chariot"), [("catapult", 3, 2), ("cannon", 2, 1)])
def test_hits_add_up(piece, elephant, chariot):
    """PM-ART-07 to 10, PM-SIEGE-06."""
    for target, needed in (("b2", elephant), ("b3", chariot), ("b4", 3)):
        game = gun(piece=piece)
        for turn in range(1, needed + 1):
            fire(game, ("hit", target))
            assert game.unit(target).alive is (turn < needed), (target, turn)
            end(game)
            end(game)
        if target != "b4":
            assert game.unit(f"{target}_man1").alive


def test_light_pieces_only_break_shields():
    """PM-ART-05."""
    game = gun(piece="catapult")
    game.do("fire", figure_id="r1")
    assert game.option("hit_shield") is None
    assert refused(game, "hit_shield", target_id="b1").rule == "PM-ART-13"


def test_crews():
    """PM-ART-12, PM-ART-14."""
    game = battle([("artillery", (600, 400)), (MAN, (900, 300))], [(MAN, (600, 800)), FAR])
    assert refused(game, "fire", figure_id="r1").rule == "PM-ART-14"
    held = battle([("artillery", (600, 400)), (MAN, (600, 310))], [(MAN, (600, 492)), FAR])
    assert refused(held, "fire", figure_id="r1").rule == "PM-ART-14"
    moved = gun(red=[(MAN, (655, 400))])
    moved.put("r1", (600, 420))
    assert refused(moved, "fire", figure_id="r1").rule == "PM-ART-12"
    shot = gun(red=[(MAN, (655, 400))])
    fire(shot)
    assert last(shot.put("r1", (600, 460)), "flagged").text("code") == "NO_CREW"


def test_a_shot_with_dice():
    """PM-ART-11."""
    dice = {"pm.artillery.mode": "dice"}
    for face, alive in ((3, True), (4, False)):
        game = gun(dice, foes=[(MAN, (600, 800)), (MAN, (600, 1390)), FAR])
        assert refused(game, "fire", figure_id="r1", target_id="b3").rule == "PM-ART-11"
        game.do("fire", figure_id="r1", target_id="b1")
        assert game.option("roll").dice == (1, 6)
        game.do("roll", dice=(face,))
        assert game.unit("b1").alive is alive
        assert game.state.phase == "ACT"


def test_artillery_that_is_no_engine():
    """PM-SIEGE-13, PM-ART-14."""
    off = {"pm.siege.artillery_is_engine": False}
    foes = [("artillery", (600, 600)), FAR]
    game = battle([("infantry_archer", (600, 400)), (MAN, (600, 508))], foes, off,
                  gear=[("r2", "torch", None)])  # fmt: skip
    assert refused(game, "flame", figure_id="r1", target_id="b1").rule == "PM-SIEGE-13"
    on = battle([("infantry_archer", (600, 400))], foes)
    assert last(on.do("flame", figure_id="r1", target_id="b1"), "aimed").number("d") == 2


WALL = (box("wall", 400, 620, 900, 640, 90.0),)


def test_a_ram_breaks_a_wall():
    """PM-WALL-01, 03 to 05, PM-SIEGE-04."""
    game = battle(
        [("battering_ram", (600, 546)), (MAN, (600, 455)), (MAN, (660, 560))],
        [(MAN, (600, 1200)), FAR],
        terrain=WALL,
    )  # fmt: skip
    assert last(game.put("r3", (660, 700)), "flagged").text("code") == "TOO_FAR"
    game.put("r3", (660, 560))
    for turn in range(3):
        game.do("ram", figure_id="r1", value="wall")
        assert refused(game, "ram", figure_id="r1", value="wall").rule == "PM-WALL-04"
        if turn < 2:
            end(game)
            end(game)
    assert "The wall is broken" in [a.spoken.rstrip(".") for a in game.referee.announcements()][-1]
    assert last(game.put("r3", (610, 700)), "moved")


def test_a_shot_breaks_a_wall():
    """PM-WALL-01, PM-WALL-03, PM-WALL-05."""
    game = gun(foes=[(MAN, (600, 800)), FAR], terrain=WALL)
    for _ in range(3):
        game.do("fire", figure_id="r1")
        game.do("hit_wall", value="wall")
        game.do("shot_done")
        end(game)
        end(game)
    marks = dict(game.state.marks)
    assert (marks["breach_x_wall"], marks["breach_y_wall"]) == (600, 620)
    game.do("fire", figure_id="r1")
    assert refused(game, "hit_wall", value="wall").rule == "PM-WALL-03"


def test_a_torch_and_what_disturbs_it():
    """PM-SIEGE-01, PM-SIEGE-08."""

    def game():
        return battle(
            [(MAN, (600, 510)), (MAN, (1000, 300))],
            [("battering_ram", (600, 602)), ("light_infantry", (655, 510)), FAR],
            gear=[("r1", "torch", None)],
        )  # fmt: skip

    held = game()
    held.do("torch", figure_id="r1", target_id="b1")
    end(held)
    attack(held, "melee", "b2", "r1", 1, 6)
    end(held)
    assert not held.unit("b1").alive
    dead = game()
    dead.do("torch", figure_id="r1", target_id="b1")
    end(dead)
    attack(dead, "melee", "b2", "r1", 6, 1)
    end(dead)
    assert dead.unit("b1").alive
    none = game()
    assert refused(none, "torch", figure_id="r2", target_id="b1").rule == "PM-SIEGE-01"
