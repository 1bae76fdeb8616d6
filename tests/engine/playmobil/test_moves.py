"""Moves, charges, steps, turning, ladders: what the table shows and what it means."""

from dataclasses import replace

import pytest

from engine.table import FigureState, Seen
from tests.engine.playmobil.battle import attack, battle, end, face, last, refused
from tests.engine.stillness import check_asked_when_missing, check_stillness
from tests.engine.tables import box

FAR = ("light_infantry", (1500, 1300))


@pytest.mark.parametrize(
    ("troop", "limit"),
    [("light_infantry", 304.8), ("heavy_infantry", 152.4), ("heavy_cavalry", 457.2),
     ("war_elephant", 304.8), ("general_foot", 152.4)],
)  # fmt: skip
def test_how_far(troop, limit):
    """PM-TURN-02, PM-INF-01, PM-INF-04, PM-CAV-01, PM-CAV-02, PM-ELE-01, PM-GENL-03, PM-GEO-06."""
    game = battle([(troop, (600, 500))], [FAR])
    moved = last(game.put("r1", (600, 500 + limit - 3)), "moved")
    assert moved.number("limit_mm") == pytest.approx(limit)
    game = battle([(troop, (600, 500))], [FAR])
    flag = last(game.put("r1", (600, 500 + limit + 20)), "flagged")
    assert flag.text("code") in ("TOO_FAR", "CHARGE_NO_ATTACK")
    game.do("accept", figure_id="r1")
    assert game.unit("r1").mark("at_y") == pytest.approx(520 + limit)


def test_one_move_but_it_may_be_put_right():
    """PM-TURN-02, PM-GEO-19."""
    game = battle([("light_infantry", (600, 500)), ("light_infantry", (800, 500))], [FAR])
    game.put("r1", (600, 650))
    assert last(game.put("r1", (600, 780)), "moved").value("again") is True
    flag = last(game.put("r1", (600, 900)), "flagged")
    assert flag.text("code") == "SECOND_MOVE"
    assert refused(game, "done").rule == "PM-GEO-19"
    last(game.put("r1", (602, 782)), "put_back")
    game.put("r2", (803, 503))
    assert game.unit("r2").mark("moved") is None
    flag = last(game.put("b1", (1500, 1200)), "flagged")
    assert (flag.rule, flag.text("code")) == ("PM-TURN-04", "NOT_YOUR_TURN")
    assert "Its place is 1500, 1300" in game.said()[-1]


def test_enemies_are_not_passed_friends_are():
    """PM-MOVE-02, PM-GEO-07."""
    game = battle(
        [("light_infantry", (600, 500)), ("light_infantry", (600, 600)),
         ("light_infantry", (900, 500))],
        [("light_infantry", (900, 600)), FAR],
    )  # fmt: skip
    assert last(game.put("r1", (600, 790)), "moved").number("moved_mm") == pytest.approx(290)
    assert last(game.put("r3", (900, 790)), "moved").number("moved_mm") > 292
    overlap = last(game.put("r2", (612, 790)), "flagged")
    assert overlap.text("code") == "OVERLAP"


def test_leaving_a_melee_is_free():
    """PM-MOVE-03."""
    game = battle([("light_infantry", (600, 500))], [("light_infantry", (600, 540)), FAR])
    assert last(game.put("r1", (600, 300)), "moved")


def test_terrain_costs_nothing_or_stops():
    """PM-MOVE-01."""
    terrain = (
        box("wood", 500, 550, 700, 600, 60.0, kind="wood"),
        box("wall", 800, 550, 1100, 570, 90.0),
    )
    game = battle(
        [("light_infantry", (600, 500)), ("light_infantry", (950, 500))], [FAR], terrain=terrain
    )
    assert last(game.put("r1", (600, 700)), "moved").number("moved_mm") == pytest.approx(200)
    assert last(game.put("r2", (950, 640)), "flagged").text("code") == "TOO_FAR"


def test_a_close_call_is_settled_as_agreed():
    """PM-GEO-13, PM-GEO-14."""
    assert last(
        battle([("light_infantry", (600, 500))], [FAR]).put("r1", (600, 806)), "moved"
    ).value("close")
    strict = battle([("light_infantry", (600, 500))], [FAR], {"geom.close_policy": "strict"})
    assert last(strict.put("r1", (600, 806)), "flagged").text("code") == "TOO_FAR"
    asks = battle([("light_infantry", (600, 500))], [FAR], {"geom.close_policy": "ask"})
    asks.put("r1", (600, 806))
    asks.do("answer", value="no")
    assert asks.unit("r1").mark("open") == "flag"
    near = battle([("light_infantry", (600, 500))], [FAR], {"geom.close_policy": "ask"})
    near.put("r1", (600, 804))
    near.do("answer", value="no")
    assert "by your ruler" in near.said()[-1] and "-" not in near.said()[-1]
    asks.put("r1", (600, 801.9))
    assert not asks.unit("r1").mark("open") or asks.state.question is not None


def cavalry(options=None, at=1000, troop="light_cavalry", **fields):
    return battle(
        [(troop, (600, 300))], [("light_infantry", (600, at)), FAR], options, **fields
    )  # fmt: skip


def test_a_charge():
    """PM-CAV-03, 04, 05, 10, 12, PM-GEO-24, PM-TURN-05."""
    game = cavalry(at=980)
    game.do("charge", figure_id="r1", target_id="b1")
    moved = last(game.put("r1", (600, 870)), "moved")
    assert (moved.rule, moved.value("charge")) == ("PM-CAV-03", True)
    assert moved.number("limit_mm") == pytest.approx(609.6)
    aimed = last(game.do("melee", figure_id="r1", target_id="b1"), "aimed")
    assert aimed.number("a") == 2
    wall = box("w", 500, 660, 700, 670, 90.0)
    round_it = battle(
        [("heavy_cavalry", (600, 500))], [("light_infantry", (600, 860))], terrain=(wall,)
    )
    assert refused(round_it, "charge", figure_id="r1", target_id="b1").rule == "PM-CAV-10"


def test_a_general_charges_with_three_dice():
    """PM-GENL-02, PM-GENL-03."""
    game = cavalry(at=980, troop="general_mounted")
    game.put("r1", (600, 870))
    assert last(game.do("melee", figure_id="r1", target_id="b1"), "aimed").number("a") == 3


def test_charges_that_are_none():
    """PM-CAV-05, PM-CAV-10, PM-CAV-13."""
    game = cavalry(at=1300)
    flag = last(game.put("r1", (600, 860)), "flagged")
    assert flag.text("code") == "CHARGE_NO_ATTACK"
    assert "Shorten to 457" in game.said()[-1]
    assert last(game.put("r1", (600, 740)), "moved").value("charge") is False
    game = cavalry(at=900)
    game.do("charge", figure_id="r1", target_id="b1")
    assert last(game.put("r1", (600, 400)), "moved").value("charge") is False
    flag = last(cavalry(at=980).put("r1", (600, 960)), "flagged")
    assert flag.text("code") in ("OVERLAP", "TOO_FAR")
    game = cavalry(at=980)
    game.do("charge", figure_id="r1", target_id="b1")
    game.do("call_off", figure_id="r1")
    assert refused(game, "call_off", figure_id="r1").rule == "PM-CAV-13"


def test_charging_every_third_turn():
    """PM-CAV-07, PM-CAV-08."""
    game = battle([("light_cavalry", (600, 300))], [("heavy_infantry", (600, 900)), FAR])
    game.do("charge", figure_id="r1", target_id="b1")
    game.put("r1", (600, 800))
    attack(game, "melee", "r1", "b1", 1, 1, 6, 6)
    end(game)
    end(game)
    game.put("r1", (600, 500))
    for allowed in (False, True):
        end(game)
        end(game)
        target = next(t for t in game.option("charge", "r1").targets if t.figure_id == "b1")
        assert target.allowed is allowed
        if not allowed:
            assert (target.rule, target.text) == (
                "PM-CAV-07",
                "Red 1 charged in turn 1; again from turn 4",
            )
    first = cavalry({"pm.charge.first_turn": 3})
    assert refused(first, "charge", figure_id="r1", target_id="b1").rule == "PM-CAV-08"


def test_no_charge_out_of_melee():
    """PM-CAV-06, PM-CAV-11."""
    game = battle(
        [("light_cavalry", (600, 300))],
        [("heavy_infantry", (600, 405)), ("light_infantry", (600, 1000))],
    )
    error = refused(game, "charge", figure_id="r1", target_id="b2")
    assert (error.rule, "already in melee" in error.reason) == ("PM-CAV-06", True)
    flag = last(game.put("r1", (655, 895)), "flagged")
    assert flag.text("code") == "CHARGE_ENGAGED"


def test_a_mounted_archer_charges_and_does_not_shoot():
    """PM-ARCH-11, PM-ARCH-12."""
    game = cavalry(at=980, troop="mounted_archer")
    game.put("r1", (600, 870))
    assert refused(game, "shoot", figure_id="r1", target_id="b1").rule == "PM-ARCH-12"


def test_the_step_and_standing_still_after_it():
    """PM-ATT-05, PM-ATT-09 to 11, PM-ATT-13, PM-GEO-25, PM-ATT-01."""
    game = battle(
        [("light_infantry", (600, 500))],
        [("light_infantry", (600, 572)), ("light_infantry", (677, 500)), FAR],
    )
    attack(game, "melee", "r1", "b1", 6, 1)
    stepped = last(game.put("r1", (640, 500)), "stepped")
    assert stepped.rule == "PM-ATT-10"
    attack(game, "melee", "r1", "b2", 6, 1)
    flag = last(game.put("r1", (600, 600)), "flagged")
    assert flag.text("code") == "MOVED_AFTER_ATTACK"
    game = battle(
        [("light_infantry", (600, 500))],
        [("light_infantry", (600, 572)), ("light_infantry", (677, 500)), FAR],
    )
    attack(game, "melee", "r1", "b1", 6, 1)
    game.do("melee", figure_id="r1", target_id="b2")
    assert last(game.put("r1", (642, 500)), "stepped")
    assert last(game.put("r1", (642, 400)), "flagged")


def test_turning():
    """PM-FACE-08, PM-ATT-07, PM-ATT-08, PM-GEO-27, PM-FACE-09."""
    game = battle([("light_infantry", (600, 500))], [("light_infantry", (600, 560)), FAR])
    game.do("turn", figure_id="r1", point_mm=(700.0, 500.0))
    assert game.unit("r1").mark("faces") == pytest.approx(0.001)
    face(game, "r1", 180.0)
    assert game.unit("r1").mark("faces") == pytest.approx(180.001)
    attack(game, "melee", "r1", "b1", 1, 6)
    assert game.unit("r1").mark("faces") == pytest.approx(90.0)
    assert refused(game, "turn", figure_id="r1", point_mm=(0.0, 0.0)).rule == "PM-ATT-08"
    face(game, "r1", 0.0)
    assert "turn Red 1 towards where his victim stood" in game.said()[-1]
    assert game.unit("b1").mark("faces") is None
    end(game)
    end(game)
    assert game.unit("r1").mark("faces") is None


def test_ladders():
    """PM-MOVE-04, PM-SIEGE-10."""
    wall = (box("wall", 500, 700, 800, 760, 90.0),)

    def game():
        return battle(
            [
                ("light_infantry", (600, 540)),
                ("ladder", (600, 626)),
                ("light_infantry", (900, 540)),
            ],
            [FAR],
            terrain=wall,
        )  # fmt: skip

    climbs = game()
    moved = last(climbs.put("r1", (600, 716), level=90.0), "moved")
    assert moved.rule == "PM-MOVE-04"
    without = game()
    flag = last(without.put("r3", (790, 716), level=90.0), "flagged")
    assert flag.text("code") in ("NO_WAY", "TOO_FAR")


def test_engines_need_two_men():
    """PM-SIEGE-10, PM-ART-12."""
    for troop, rule in (("battering_ram", "PM-SIEGE-10"), ("artillery", "PM-ART-12")):
        game = battle(
            [(troop, (600, 500)), ("light_infantry", (555, 500)), ("light_infantry", (645, 500))],
            [FAR],
        )
        game.figures["r1"] = game.figures["r1"]
        near = [(546, 500), (654, 500)]
        for name, at in zip(("r2", "r3"), near, strict=True):
            game.put(name, at)
        moved = last(game.put("r1", (600, 640)), "moved")
        assert (moved.rule, moved.number("limit_mm")) == (rule, pytest.approx(152.4))
        alone = battle([(troop, (600, 500)), ("light_infantry", (546, 500))], [FAR])
        assert last(alone.put("r1", (600, 640)), "flagged").text("code") == "NO_CREW"


def test_trembling_is_no_move_and_who_is_missing_is_asked_about():
    """PM-GEO-18, PM-GEO-19."""
    men = [("light_infantry", (600, 500)), ("light_infantry", (800, 500))]
    check_stillness(battle(men, [FAR]), "b1")
    check_asked_when_missing(battle(men, [FAR]), "r1", "r2")


def test_only_settled_looks_are_measured():
    """PM-GEO-01, PM-GEO-02, PM-GEO-15: in mm from the corner of the south and the west edge."""
    game = battle([("light_infantry", (600, 500))], [FAR])
    lines = len(game.referee.lines)
    game.figures["r1"] = replace(game.figures["r1"], position_mm=(600.0, 900.0))
    game.look(settled=False)
    assert len(game.referee.lines) == lines, "a hand is still over the table"
    game.figures["r1"] = replace(game.figures["r1"], position_mm=(650.0, 700.0), level_mm=12.0)
    moved = last(game.look(), "moved")
    assert moved.number("moved_mm") == pytest.approx((50**2 + 200**2) ** 0.5, abs=0.1)
    unit = game.unit("r1")
    assert [unit.mark(f"at_{axis}") for axis in "xyz"] == [650.0, 700.0, 12.0]


def test_lying_missing_and_corrected_figures():
    """PM-GEO-17, PM-GEO-18, PM-GEO-20."""
    game = battle([("light_infantry", (600, 500)), ("light_infantry", (800, 500))], [FAR])
    game.lay("r1")
    assert "Killed or knocked over?" in game.said()[-1]
    game.do("fallen", figure_id="r1", value="stays")
    game.lay("r1", FigureState.STANDING)
    game.lay("r1")
    game.do("fallen", figure_id="r1", value="removed")
    assert not game.unit("r1").alive
    kept = game.figures.pop("r2")
    game.look()
    game.t_ns += 6_000_000_000
    game.look()
    game.figures["b1"] = game.figures["b1"]
    assert game.unit("r2").mark("missing") is not None
    game.figures["r2"] = kept
    game.look()
    assert game.unit("r2").mark("missing") is None
    assert kept.seen is Seen.SEEN
    assert last(game.put("r2", (800, -12)), "flagged").text("code") == "TABLE_EDGE"
