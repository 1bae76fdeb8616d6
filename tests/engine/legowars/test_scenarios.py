"""The scripted sequences of the specification, through the referee."""

import pytest

from engine.errors import Refused
from tests.engine.legowars.battle import Battle, battle, block, duel, kinds, last, lie, mark

KEEP = (
    block("keep", 300, 300, 420, 420, 57.6, mark("ladder", 356, 284, 364, 304), kind="building"),
)
BRIDGE = (
    block(
        "gate", 300, 300, 420, 420, 57.6, mark("drawbridge", 350, 296, 370, 306), kind="building"
    ),
)


def refused(flag, act):
    with pytest.raises(Refused) as fault:
        act()
    assert fault.value.rule == flag
    return fault.value


def test_sc_01_weapon_breaks_next_turn_unarmed():
    """LW-SC-01: LW-DMG-05, LW-DMG-06, LW-HAND-11, LW-MEL-03."""
    game = duel(30, "sword")
    lines = game.attack("r1", "sword", "b1", 8, 1)
    assert last(lines, "broke").text("thing") == "sword"
    assert game.unit("b1").alive
    assert "sword" not in game.unit("r1").equipment
    game.next_turn()
    refused("LW-FLAG-12", lambda: game.attack("r1", "sword", "b1"))
    assert last(game.attack("r1", "unarmed", "b1"), "aimed").number("number") == 7


def test_sc_02_killed_before_his_turn_to_strike():
    """LW-SC-02: LW-TURN-09, LW-STAT-09."""
    red = {"r1": ((300, 400), ("sword",))}
    blue = {"b1": ((346, 400), ("sword",)), "b2": ((500, 500), ())}
    game = battle(red, blue, phase="ATTACK")
    game.attack("r1", "sword", "b1", 6, 9)
    assert not game.unit("b1").alive
    lie(game, "b1")
    game.do("done")
    refused("LW-FLAG-03", lambda: game.attack("b1", "sword", "r1"))


def test_sc_03_pick_up_excludes_attack():
    """LW-SC-03: LW-HAND-04, LW-TURN-07."""
    game = duel(30, "spear")
    game.do("drop", figure_id="r1", value="spear")
    game.next_turn()
    game.do("pick_up", figure_id="r1", value="spear")
    assert game.unit("r1").equipment == ("spear",)
    refused("LW-FLAG-08", lambda: game.attack("r1", "spear", "b1"))


def climber(options=None) -> Battle:
    red = {"r1": ((360, 272), ())}
    blue = {"b1": ((360, 140), ("bow", "quiver"))}
    return battle(red, blue, options, terrain=KEEP)


def test_sc_04_ladder():
    """LW-SC-04: LW-LADD-02, LW-LADD-04 to 09."""
    game = climber()
    game.do("start_climb", figure_id="r1")
    assert game.unit("r1").mark("ladder") == "keep/0"
    game.do("done")
    game.do("done")
    refused("LW-FLAG-06", lambda: game.attack("r1", "unarmed", "b1"))
    game.do("done")
    lines = game.attack("b1", "bow", "r1", 4, 2)
    assert game.state.phase == "ATK_FALL"
    assert "falls_open" in kinds(lines)
    lines = game.do("roll", dice=(4,))
    assert last(lines, "fall_rolled").number("armor") == 5
    assert game.unit("r1").alive
    foot = last(lines, "fell_alive")
    assert foot.number("z_mm") == 0.0
    assert abs(foot.number("y_mm") - 284.0) < 1.0
    game.do("done")
    game.order("red")
    game.put("r1", (360, 230))
    assert game.unit("r1").mark("open") is None


def test_sc_05_riderless_horse_flees():
    """LW-SC-05: LW-HORSE-08, LW-HORSE-09."""
    game = Battle()
    game.join("r1", "red", (300, 400), "bow", "quiver")
    game.join("b1", "blue", (1100, 100))
    game.join("bh", "blue", (600, 400), kind="horse")
    game.start("red", phase="ATTACK")
    lines = game.attack("r1", "bow", "bh", 2)
    assert last(lines, "hit_rolled").value("hit") is False
    assert "frightened" in kinds(lines)
    game.next_turn("blue", "MOVE")
    refused("LW-FLAG-18", lambda: game.do("done", side="blue"))
    assert game.option("runs", "bh").shapes[0].points_mm[0] == pytest.approx((850, 400))
    game.put("bh", (600, 420))
    assert game.unit("bh").mark("open_code") == "LW-FLAG-18"
    assert "fled" in kinds(game.put("bh", (850, 400)))
    game.do("done", side="blue")


def test_sc_06_bow_without_quiver():
    """LW-SC-06: LW-RNG-09, LW-RNG-16, LW-HAND-09."""
    game = duel(100, "bow")
    lines = game.attack("r1", "bow", "b1", 3)
    assert last(lines, "hit_rolled").value("hit") is False
    assert "shot_spent" in kinds(lines)
    game.next_turn()
    refused("LW-FLAG-14", lambda: game.attack("r1", "bow", "b1"))


def test_sc_07_beyond_long_range_no_natural_10():
    """LW-SC-07: LW-RNG-04, LW-MEL-12."""
    game = duel(601, "bow", "quiver")
    refused("LW-FLAG-10", lambda: game.attack("r1", "bow", "b1"))


def test_sc_08_wires_cut():
    """LW-SC-08: LW-SIEGE-08, LW-BLDG-12, LW-BLDG-14."""
    red = {"r1": ((360, 280), ("sword",))}
    blue = {"b1": ((380, 280), ())}
    game = battle(red, blue, terrain=BRIDGE, phase="ATTACK")
    game.do("cut_wires", figure_id="r1", value="gate/0")
    assert dict(game.state.marks)["doors_open"] == "gate/0"
    assert dict(game.state.marks)["wires"] == "gate/0"
    refused("LW-FLAG-08", lambda: game.attack("r1", "sword", "b1"))
    game.next_turn("blue")
    assert game.option("winch", "b1") is None
    refused("LW-FLAG-24", lambda: game.do("winch", figure_id="b1", value="gate/0"))


def test_sc_09_rider_and_horse_both_attack():
    """LW-SC-09: LW-HORSE-06, LW-HORSE-07, LW-WPN-04, LW-TURN-06."""
    game = Battle()
    game.join("rh", "red", (300, 400), "saddle", kind="horse")
    game.join("r1", "red", (300, 424), "lance")
    game.join("b1", "blue", (350, 400))
    game.join("b2", "blue", (250, 400))
    game.do("ready")
    game.do("mount", figure_id="r1", target_id="rh")
    game.do("ready")
    game.do("ready")
    game.order("red", "ATTACK")
    aimed = last(game.attack("r1", "lance_mounted", "b1", 5), "aimed")
    assert aimed.number("number") == 6
    aimed = last(game.attack("rh", "", "b2", 8), "aimed")
    assert aimed.number("number") == 9
    refused("LW-FLAG-07", lambda: game.attack("rh", "", "b2"))


def test_sc_10_a_man_on_a_building_is_not_a_building():
    """LW-SC-10: LW-MEL-07, LW-COV-05, LW-MEL-06."""
    wall = block("wall", 480, 300, 560, 500, 57.6, kind="building")
    merlon = block("merlon", 484, 300, 490, 500, 76.8)
    game = Battle()
    game.terrain = (wall, merlon)
    game.join("r1", "red", (420, 400), "bow", "quiver")
    game.join("b1", "blue", (520, 400), level=57.6)
    game.do("building", figure_id="wall", value="blue")
    game.start("red", phase="ATTACK")
    view = game.aim_of("r1", "bow", "b1")
    if not view.allowed:
        game.corrected(r1=(330, 400))
    aimed = last(game.attack("r1", "bow", "b1"), "aimed")
    assert aimed.value("cover") is True
    assert aimed.number("number") == 7


def test_sc_11_three_sides_one_gives_up():
    """LW-SC-11: LW-WIN-01, LW-WIN-02, LW-WIN-04."""
    game = Battle(sides=("red", "blue", "green"))
    for side, x in (("red", 200), ("blue", 300), ("green", 400)):
        game.join(f"{side[0]}1", side, (x, 400), "sword")
    game.start("red")
    game.do("concede", side="blue")
    assert game.state.phase == "MOVE"
    refused("LW-FLAG-32", lambda: game.attack("b1", "sword", "r1"))
    game.do("done")
    game.do("done")
    assert game.state.phase == "ATTACK"
    game.do("concede", side="green")
    assert game.state.phase == "GAME_OVER"
    assert game.state.outcome == "red"


def test_sc_12_off_the_wall_only_by_ladder():
    """LW-SC-12: LW-MOVE-15, LW-LADD-01, LW-SIEGE-04."""
    game = Battle()
    game.terrain = KEEP
    game.join("r1", "red", (360, 312), level=57.6)
    game.join("b1", "blue", (900, 400))
    game.start("red")
    game.put("r1", (360, 270), level=0.0)
    assert game.unit("r1").mark("open_code") == "LW-FLAG-04"
    game.put("r1", (360, 312), level=57.6)
    game.do("start_climb", figure_id="r1")
    assert game.unit("r1").mark("ladder_from") == "top"
