"""What happens at the table: things, turns, ladders, horses, vehicles, buildings, engines."""

from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.table import FigureState
from tests.engine.legowars.battle import Battle, battle, block, duel, kinds, last, lie, mark

FAR = (1100.0, 700.0)
GATE = block("gate", 300, 300, 420, 320, 57.6, mark("door", 350, 298, 370, 322), kind="building")


def refused(flag, act):
    with pytest.raises(Refused) as fault:
        act()
    assert fault.value.rule == flag


def alone(*things, options=None, terrain=(), at=(300.0, 400.0), level=0.0, kind="man") -> Battle:
    """One red model about to move, far from its one enemy."""
    game = Battle(options)
    game.terrain = terrain
    game.join("r1", "red", at, *things, kind=kind, level=level)
    if kind != "man":
        game.join("r9", "red", (1100, 100))
    game.join("b1", "blue", FAR)
    return game.start("red")


def code(game, name="r1"):
    return game.unit(name).mark("open_code")


# --- before play -----------------------------------------------------------------------------


def test_joining():
    """LW-GEN-01, LW-GEN-07: sides, and what a model is."""
    game = Battle()
    game.join("r1", "red", (100, 100))
    refused("LW-GEN-01", lambda: game.do("join", figure_id="r1", side="red", value="man"))
    refused("LW-GEN-07", lambda: game.do("join", figure_id="zz", side="red", value="man"))
    game.join("rw", "red", (200, 100), kind="vehicle")
    assert game.unit("rw").mark("armor") == 10
    refused("LW-GEN-01", lambda: game.do("ready"))
    with pytest.raises(Refused):
        Battle(sides=("red",))
    assert Battle(sides=("a", "b", "c")).state.sides == ("a", "b", "c")


def test_boats():
    """LW-VEH-16."""
    game = Battle()
    game.figures["r1"] = game.figures.get("r1") or alone().figures["r1"]
    game.look()
    refused("LW-VEH-16", lambda: game.do("join", figure_id="r1", side="red", value="boat"))
    custom = Battle({"boats": "custom_vehicle"})
    custom.join("r1", "red", (100, 100), kind="boat")
    assert custom.unit("r1").mark("structure") == 1


def test_lists_and_budgets():
    """LW-GEN-06, LW-COST-07, LW-HAND-01, LW-STAT-07."""
    game = Battle({"army_points": 50})
    game.join("r1", "red", (100, 100), "sword", "shield")
    game.join("b1", "blue", (300, 100), "plate", "halberd")
    game.do("ready")
    lines = game.do("ready")
    assert last(lines, "list_flagged").text("code") == "LW-FLAG-25"
    assert last([x for x in lines if x.event.side == "blue"], "list_told").number("points") == 60
    game.do("gear", figure_id="r1", value="spear")
    lines = game.do("ready", value="accept")
    assert "LW-FLAG-15" in [x.event.text("code") for x in lines]
    game.do("gear", figure_id="r1", value="-spear")
    game.do("ready", value="accept")
    assert game.state.phase == "DEPLOY"


def test_armor_is_confirmed():
    """LW-ARM-01, LW-AMB-19."""
    game = Battle({"armor_recognition": "suggest_then_confirm"})
    game.join("r1", "red", (100, 100))
    game.join("b1", "blue", (300, 100))
    game.do("ready")
    game.do("ready")
    game.do("answer", value="no")
    assert game.state.phase == "BUY"
    manual = Battle({"armor_recognition": "manual"})
    manual.join("r1", "red", (100, 100))
    manual.join("b1", "blue", (300, 100), "sword")
    manual.do("ready")
    refused("LW-ARM-01", lambda: manual.do("ready"))


def test_heights_are_confirmed_once():
    """LW-GEN-09."""
    game = Battle()
    game.terrain = (block("wall", 0, 0, 50, 10, 28.0),)
    game.join("r1", "red", (100, 100))
    game.join("b1", "blue", (300, 100))
    game.do("ready")
    assert "3 bricks" in game.state.question.text
    game.do("answer", value="no")
    assert game.state.phase == "SETUP"
    game.do("ready")
    game.do("answer", value="yes")
    assert game.state.phase == "BUY"


def test_deployment_bands():
    """LW-GEN-08."""
    game = Battle({"deployment": "edge_band_cm"})
    game.join("r1", "red", (100, 350))
    game.join("b1", "blue", (300, 700))
    game.do("ready")
    game.do("ready")
    game.do("ready")
    assert code(game) == "DEPLOY"
    game.put("r1", (100, 250))
    game.do("ready")
    assert game.state.phase == "INIT"
    assert alone(at=(100, 350)).state.phase == "MOVE"


# --- turns -----------------------------------------------------------------------------------


def test_ties():
    """LW-TURN-01, LW-TURN-02, LW-AMB-20."""

    def tied(how):
        game = Battle({"initiative_tie": how}, sides=("red", "blue", "green"))
        for side, x in (("red", 100), ("blue", 300), ("green", 500)):
            game.join(f"{side[0]}1", side, (x, 100))
        for _ in range(3):
            game.do("ready")
        game.do("initiative", dice=(5, 5, 9))
        return game

    game = tied("reroll_tied")
    assert game.option("initiative").dice == (2, 10)
    game.do("initiative", dice=(2, 8))
    assert dict(game.state.marks)["order"] == "green;blue;red"
    game = tied("reroll_all")
    assert game.option("initiative").dice == (3, 10)
    assert "A tie between Red and Blue: all roll again." in " ".join(game.said())
    game.do("initiative", dice=(7, 3, 5))
    assert dict(game.state.marks)["order"] == "red;green;blue"
    assert dict(tied("previous_order").state.marks)["order"] == "green;red;blue"


def test_steps_of_the_sides():
    """LW-TURN-03 to LW-TURN-05, LW-TURN-08, LW-TURN-11, LW-AMB-21."""

    def steps(o):
        game = Battle(o, sides=("red", "blue", "green"))
        for side, x in (("red", 100), ("blue", 300), ("green", 500)):
            game.join(f"{side[0]}1", side, (x, 100), "sword")
        game.start("red")
        seen = []
        while game.state.turn == 1:
            seen.append((game.state.phase, game.state.active_side))
            if seen[-1] == ("MOVE", "blue"):
                game.put("g1", (500, 150))
            game.do("accept", figure_id="g1") if code(game, "g1") else None
            game.do("done")
        return game, seen

    game, seen = steps({})
    assert seen == [(p, s) for p in ("MOVE", "ATTACK") for s in ("red", "blue", "green")]
    _, seen = steps({"extra_sides_move": "merged_with_side_2"})
    assert seen[:3] == [("MOVE", "red"), ("MOVE", "blue"), ("ATTACK", "red")]
    game = duel(30, "sword")
    game.put("r1", (300, 430))
    assert code(game) == "LW-FLAG-02"
    game.put("r1", (300, 400))
    assert code(game) is None
    refused("LW-TURN-05", lambda: game.attack("b1", "unarmed", "r1"))


def test_only_the_side_at_work_moves():
    """LW-TURN-03: somebody else's model is flagged."""
    game = alone()
    game.put("b1", (1050, 700))
    assert code(game, "b1") == "LW-FLAG-22"
    refused("LW-TURN-05", lambda: game.do("done", side="blue"))


def test_the_turn_is_cleared():
    """LW-TURN-12, LW-TURN-06, LW-TURN-10."""
    game = duel(30, "sword")
    game.attack("r1", "sword", "b1", 2)
    refused("LW-FLAG-07", lambda: game.attack("r1", "sword", "b1"))
    game.next_turn()
    assert game.state.turn == 2
    assert game.unit("r1").mark("acted") is None
    game.attack("r1", "sword", "b1", 2)


def test_all_attacks_at_once():
    """LW-TURN-09, LW-WIN-03, LW-AMB-22."""
    game = duel(30, "sword", other=("sword",), options={"attack_resolution": "simultaneous"})
    game.attack("r1", "sword", "b1", 8, 9)
    game.do("done")
    game.attack("b1", "sword", "r1", 8, 9)
    game.do("done")
    assert game.state.outcome == "draw"


def test_two_weapons():
    """LW-TURN-06, LW-MEL-15, LW-AMB-64."""
    game = duel(30, "sword", "club", options={"two_weapons_two_attacks": True})
    game.attack("r1", "sword", "b1", 2)
    game.attack("r1", "club", "b1", 2)
    refused("LW-FLAG-07", lambda: game.attack("r1", "club", "b1"))


def test_any_unit_keeps_a_side_in():
    """LW-WIN-02, LW-AMB-59."""
    for how, outcome in (("living_men", "red"), ("any_unit", None)):
        game = Battle({"side_alive_by": how})
        game.join("r1", "red", (300, 400), "sword")
        game.join("b1", "blue", (346, 400))
        game.join("bh", "blue", (700, 400), kind="horse")
        game.start("red", phase="ATTACK")
        game.attack("r1", "sword", "b1", 8, 9)
        assert game.state.outcome == outcome


def test_giving_up_during_an_attack():
    """LW-WIN-04, LW-AMB-81."""
    for how, there in (("removed", False), ("stay_inert", True)):
        game = Battle({"conceded_units": how}, sides=("red", "blue", "green"))
        for side, x in (("red", 300), ("blue", 346), ("green", 900)):
            game.join(f"{side[0]}1", side, (x, 400), "sword")
        game.start("red", phase="ATTACK")
        game.attack("r1", "sword", "b1")
        game.do("concede", side="blue")
        assert game.state.phase == "ATK_HIT"
        game.do("roll", dice=(2,))
        assert not game.unit("b1").alive
        game.do("done")
        assert (game.state.phase, game.state.active_side) == ("ATTACK", "green")
        game.put("b1", (360, 440))
        assert (game.unit("b1").mark("at_y") == 440.0) is there


# --- moving ----------------------------------------------------------------------------------


def test_allowance_and_table():
    """LW-MOVE-01, LW-MOVE-02, LW-MOVE-12, LW-GEN-04."""
    game = alone()
    game.put("r1", (300, 500))
    assert code(game) is None
    game.put("r1", (300, 507))
    assert code(game) == "LW-FLAG-01"
    game = alone(at=(20, 400))
    game.put("r1", (-5, 400))
    assert code(game) == "LW-FLAG-30"
    gone = alone(at=(20, 400), options={"leave_table": "removed"})
    gone.put("r1", (-5, 400))
    assert gone.state.outcome == "blue"
    long = alone(options={"man_movement_cm": 15})
    long.put("r1", (300, 550))
    assert code(long) is None


def test_obstacles_on_the_table():
    """LW-MOVE-03 to LW-MOVE-08, LW-MOVE-16."""
    low, high = block("w", 0, 420, 1200, 426, 19.2), block("w", 0, 420, 1200, 426, 28.8)
    game = alone(terrain=(low,))
    game.put("r1", (300, 445))
    assert code(game) is None
    assert game.unit("r1").mark("moved") == pytest.approx(9.5)
    game.put("r1", (300, 455))
    assert code(game) == "LW-FLAG-01"
    game = alone(terrain=(high,))
    game.put("r1", (300, 440))
    assert code(game) == "LW-FLAG-04"
    free = alone(terrain=(block("w", 0, 420, 1200, 426, 6.4),))
    free.put("r1", (300, 495))
    assert code(free) is None
    down = alone(terrain=(low,), options={"charge_descent": True})
    down.put("r1", (300, 440))
    assert code(down) == "LW-FLAG-05"


def test_ways_and_bends():
    """LW-MOVE-02, LW-AMB-66."""
    post = (block("p", 290, 430, 310, 440, 48.0),)
    bent = alone(terrain=post)
    bent.put("r1", (300, 470))
    assert code(bent) is None
    straight = alone(terrain=post, options={"move_path": "straight"})
    straight.put("r1", (300, 470))
    assert code(straight) == "LW-FLAG-04"


def test_others_in_the_way():
    """LW-MOVE-10, LW-MOVE-11, LW-AMB-61."""

    def passed(o, friend="red"):
        game = Battle(o)
        game.join("r1", "red", (300, 400))
        game.join("x1", friend, (300, 440))
        game.join("x2", friend, (277, 440))
        game.join("x3", friend, (323, 440))
        game.join("r9", "red", (900, 100))
        game.join("b9", "blue", FAR)
        game.start("red")
        game.put("r1", (300, 480))
        return game.unit("r1").mark("moved") == pytest.approx(8.0)

    assert passed({})
    assert not passed({"pass_friends": False})
    assert not passed({}, "blue")
    crowd = battle({"r1": ((300, 400), ()), "r2": ((300, 440), ())}, {"b1": (FAR, ())})
    crowd.put("r1", (300, 436))
    assert code(crowd) == "LW-FLAG-21"


def test_stairs():
    """LW-MOVE-13, LW-AMB-66."""
    steps = block("steps", 280, 420, 320, 470, 28.8, kind="stairs")
    keep = block("keep", 270, 470, 330, 560, 28.8)
    game = alone(terrain=(steps, keep))
    game.put("r1", (300, 480), level=28.8)
    assert code(game) is None
    assert game.unit("r1").mark("moved") > 8.0
    dear = alone(terrain=(steps, keep), options={"stairs_cost": "per_step"})
    dear.put("r1", (300, 480), level=28.8)
    assert code(dear) == "LW-FLAG-01"


def test_jumping_down():
    """LW-MOVE-15, LW-LADD-12, LW-AMB-78."""
    keep = (block("keep", 270, 380, 330, 420, 57.6),)
    no = alone(terrain=keep, level=57.6)
    no.put("r1", (300, 430), level=0.0)
    assert code(no) == "LW-FLAG-04"
    yes = alone(terrain=keep, level=57.6, options={"jump_down": "fall_roll"})
    yes.put("r1", (300, 421), level=0.0)
    assert yes.state.phase == "ATK_FALL"
    yes.do("roll", dice=(2,))
    assert yes.state.phase == "MOVE"
    assert yes.unit("r1").mark("fell") is True


def test_moves_too_close_to_call():
    """LW-AMB-76: near a limit the players are asked."""
    game = alone(options={"boundary_policy": "ask"})
    game.put("r1", (300, 501))
    assert "10.1 of 10" in game.state.question.text
    game.do("answer", value="no")
    assert code(game) == "LW-FLAG-01"
    near = alone(options={"boundary_policy": "ask"})
    near.put("r1", (300, 499))
    near.do("answer", value="no")
    assert near.said()[-1].startswith("Red 1 moved more than 10 centimetres by your ruler. Put")
    kind = alone(options={"boundary_policy": "favour_actor"})
    kind.put("r1", (300, 501))
    assert code(kind) is None
    kind.put("r1", (300, 508))
    assert code(kind) == "LW-FLAG-01"
    tight = alone(options={"boundary_policy": "favour_actor", "measure_tol_mm": 0})
    tight.put("r1", (300, 501))
    assert code(tight) == "LW-FLAG-01"


# --- ladders ---------------------------------------------------------------------------------

KEEP = (
    block("keep", 300, 300, 420, 420, 57.6, mark("ladder", 356, 284, 364, 304), kind="building"),
)


def at_ladder(o=None, at=(360.0, 272.0), more=()):
    red = {"r1": (at, ("sword",)), **dict(more)}
    return battle(red, {"b1": (FAR, ())}, o, terrain=KEEP)


def test_climbing_takes_a_turn():
    """LW-LADD-01 to LW-LADD-03, LW-LADD-10, LW-AMB-26."""
    for how in ("turn_end", "next_own_move", "uses_next_move"):
        game = at_ladder({"ladder_arrival": how})
        game.do("start_climb", figure_id="r1")
        turn_end = game.next_turn("red", "MOVE")
        unit = game.unit("r1")
        if how != "turn_end":
            assert unit.mark("ladder") is not None or unit.mark("at_z") == 57.6
        while game.unit("r1").mark("ladder") is not None and game.state.phase == "MOVE":
            game.do("done")
            game.next_turn("blue", "MOVE")
            game.do("done")
        assert game.unit("r1").mark("at_z") == pytest.approx(57.6)
        assert turn_end is game


def test_where_a_climb_starts():
    """LW-LADD-03, LW-LADD-11, LW-AMB-27."""
    away = at_ladder(at=(360, 220))
    refused("LW-FLAG-20", lambda: away.do("start_climb", figure_id="r1"))
    away.put("r1", (360, 272))
    refused("LW-FLAG-20", lambda: away.do("start_climb", figure_id="r1"))
    walk = at_ladder({"ladder_approach_same_turn": True}, at=(360, 220))
    walk.put("r1", (360, 272))
    walk.do("start_climb", figure_id="r1")
    two = at_ladder(more={"r2": ((340, 280), ())}.items())
    two.do("start_climb", figure_id="r1")
    refused("LW-FLAG-20", lambda: two.do("start_climb", figure_id="r2"))
    wide = at_ladder({"ladder_capacity": 2}, more={"r2": ((340, 280), ())}.items())
    wide.do("start_climb", figure_id="r1")
    wide.do("start_climb", figure_id="r2")
    near = at_ladder({"ladder_contact_cm": 0.5}, at=(360, 266))
    refused("LW-FLAG-20", lambda: near.do("start_climb", figure_id="r1"))


def test_hits_on_climbers():
    """LW-LADD-05, LW-LADD-08, LW-LADD-09, LW-AMB-28."""

    def hit(o, *dice):
        blue = {"b1": ((360, 140), ("bow", "quiver")), "b2": (FAR, ())}
        red = {"r1": ((360, 272), ()), "r2": ((100, 700), ())}
        game = battle(red, blue, o, terrain=KEEP)
        game.do("start_climb", figure_id="r1")
        for _ in range(3):
            game.do("done")
        game.attack("b1", "bow", "r1", *dice)
        return game

    game = hit({}, 4, 2)
    assert game.state.phase == "ATK_FALL"
    game.do("roll", dice=(5,))
    assert not game.unit("r1").alive
    assert hit({"ladder_hit_order": "fall_only"}, 4).state.phase == "ATK_FALL"
    assert hit({"ladder_fall_trigger": "damage_success"}, 4, 2).state.phase == "ATTACK"
    assert hit({}, 3).state.phase == "ATTACK"


# --- things ----------------------------------------------------------------------------------


def test_dropping_and_picking_up():
    """LW-HAND-04 to LW-HAND-10, LW-ARM-09, LW-AMB-32."""
    game = duel(30, "sword", "shield")
    game.do("drop", figure_id="r1", value="shield")
    assert game.unit("r1").equipment == ("sword",)
    refused("LW-FLAG-08", lambda: game.attack("r1", "sword", "b1"))
    refused("LW-FLAG-08", lambda: game.do("pick_up", figure_id="r1", value="shield"))
    game.next_turn()
    game.attack("r1", "sword", "b1", 2)
    refused("LW-FLAG-08", lambda: game.do("pick_up", figure_id="r1", value="shield"))
    two = duel(30, "sword", "shield", options={"item_actions_per_turn": 2})
    two.do("drop", figure_id="r1", value="shield")
    two.do("pick_up", figure_id="r1", value="shield")
    refused("LW-FLAG-08", lambda: two.do("drop", figure_id="r1", value="shield"))


def test_hands_and_reach_for_things():
    """LW-HAND-07, LW-HAND-08."""
    game = battle(
        {"r1": ((300, 400), ("spear",)), "r2": ((340, 400), ("sword", "shield"))},
        {"b1": (FAR, ()), "b2": ((430, 400), ())},
        phase="ATTACK",
    )
    game.do("drop", figure_id="r1", value="spear")
    refused("LW-FLAG-15", lambda: game.do("pick_up", figure_id="r2", value="spear"))
    game.do("done")
    refused("LW-HAND-07", lambda: game.do("pick_up", figure_id="b2", value="spear"))
    game.next_turn("blue", "MOVE")
    game.put("b2", (336, 430))
    for _ in range(2):
        game.do("done")
    game.do("pick_up", figure_id="b2", value="spear")
    assert game.unit("b2").equipment == ("spear",)


def test_things_of_the_dead():
    """LW-HAND-10, LW-AMB-32."""
    for agreed, allowed in (({}, True), ({"loot_dead": False}, False)):
        game = battle(
            {"r1": ((300, 400), ())},
            {"b1": ((340, 400), ("sword", "helmet")), "b2": (FAR, ())},
            agreed,
            phase="ATTACK",
        )
        game.attack("r1", "unarmed", "b1", 9, 9)
        lie(game, "b1")
        game.next_turn()
        option = game.option("pick_up", "r1")
        assert (option is not None) is allowed
        if option is not None:
            assert option.choices == (("b1:sword", "sword"),)
            game.do("pick_up", figure_id="r1", value="b1:sword")
            assert game.unit("b1").equipment == ("helmet",)


def test_broken_things():
    """LW-HAND-11, LW-DMG-06, LW-DMG-08, LW-AMB-14."""
    game = duel(30, "sword", options={"broken_item": "stays_in_hand"})
    game.attack("r1", "sword", "b1", 8, 1)
    assert game.unit("r1").equipment == ("sword",)
    game.next_turn()
    refused("LW-FLAG-12", lambda: game.attack("r1", "sword", "b1"))
    lines = game.do("drop", figure_id="r1", value="sword")
    assert "loosed" not in kinds(lines)
    bow = duel(100, "bow", "quiver", options={"ranged_nat1_breaks": "nothing"})
    bow.attack("r1", "bow", "b1", 8, 1)
    assert "bow" in bow.unit("r1").equipment


def test_thrown_spears():
    """LW-RNG-07, LW-RNG-08, LW-RNG-14, LW-RNG-15, LW-AMB-30, LW-RNG-01."""
    game = duel(30, "spear", "spear")
    assert last(game.attack("r1", "throw", "b1", 3), "aimed").number("number") == 5
    assert game.unit("r1").equipment == ("spear",)
    assert "spear" in str(dict(game.state.marks)["loose"])
    game.next_turn()
    assert last(game.attack("r1", "spear", "b1", 2), "aimed").number("number") == 6
    game.next_turn()
    game.attack("r1", "throw", "b1", 8, 1)
    game.next_turn()
    refused("LW-FLAG-14", lambda: game.attack("r1", "throw", "b1"))
    assert str(dict(game.state.marks)["loose"]).count("spear") == 1
    gone = duel(30, "spear", options={"thrown_lands": "removed"})
    gone.attack("r1", "throw", "b1", 3)
    assert "loose" not in dict(gone.state.marks)


def test_bows():
    """LW-RNG-09 to LW-RNG-11, LW-RNG-16, LW-MEL-14, LW-EQP-01, LW-AMB-31, LW-AMB-63."""
    endless = duel(100, "bow", "quiver")
    for _ in range(2):
        endless.attack("r1", "bow", "b1", 2)
        endless.next_turn()
    endless.attack("r1", "bow", "b1", 2)
    refused("LW-FLAG-13", lambda: duel(30, "bow").attack("r1", "bow_club", "b1"))
    club = duel(30, "bow", options={"bow_as_club": True})
    assert last(club.attack("r1", "bow_club", "b1", 2), "aimed").number("number") == 7
    assert duel(30, "quiver").option("attack", "r1", "bow") is None
    for how, again in (
        ("reusable_with_quiver", True), ("useless", False), ("reusable_after_any_pickup", True),
    ):  # fmt: skip
        game = battle(
            {"r1": ((300, 400), ("bow",)), "r2": ((300, 440), ("quiver",))},
            {"b1": ((450, 400), ())},
            {"spent_bow": how},
            phase="ATTACK",
        )
        game.attack("r1", "bow", "b1", 2)
        game.do("drop", figure_id="r2", value="quiver")
        game.next_turn()
        game.do("pick_up", figure_id="r1", value="quiver")
        game.next_turn()
        assert (game.option("attack", "r1", "bow") is not None) is again, how


def test_who_may_strike():
    """LW-MEL-01, LW-MEL-02, LW-AMB-04, LW-AMB-06, LW-AMB-07."""
    assert duel(50).aim_of("r1", "unarmed", "b1").allowed
    assert duel(51).aim_of("r1", "unarmed", "b1").rule == "LW-FLAG-09"
    assert not duel(49, options={"melee_reach_cm": 4.8}).aim_of("r1", "unarmed", "b1").allowed
    assert not duel(45, options={"distance_mode": "centre"}).aim_of("r1", "unarmed", "b1").allowed
    refused("LW-MEL-01", lambda: duel(30).attack("r1", "unarmed", "r1"))
    for how, allowed in (("slant", False), ("ignore", True)):
        game = battle(
            {"r1": ((300, 400), ())},
            {"b1": ((320, 400), ())},
            {"vertical_mode": how, "full_block": "cover"},
        )
        game.terrain = (block("keep", 312, 380, 400, 420, 57.6),)
        game.figures["b1"] = replace(game.figures["b1"], level_mm=57.6)
        game.corrected(b1=(322, 400))
        game.do("done")
        game.do("done")
        assert game.aim_of("r1", "unarmed", "b1").allowed is allowed


def test_nobody_attacks_with_a_figure_of_another_side():
    """The side of a wish is the figure's, or none is named."""
    game = duel(10)
    for side, words in (
        ("blue", "Red 1 belongs to Red, not to Blue"),
        ("purple", "no side 'purple'"),
    ):
        with pytest.raises(Refused, match=words):
            game.do("attack", figure_id="r1", target_id="b1", value="unarmed", side=side)
    game.do("attack", figure_id="r1", target_id="b1", value="unarmed", side="red")
    assert game.state.phase == "ATK_HIT"
    with pytest.raises(Refused, match="there is no side 'purple'; sides are red, blue"):
        game.do("roll", dice=(6,), side="purple")


def test_doubtful_reaches_and_ranges():
    """LW-RNG-01, LW-RNG-05, LW-COV-06, LW-AMB-76."""
    ask = {"boundary_policy": "ask"}
    game = duel(51, options=ask)
    game.attack("r1", "unarmed", "b1")
    game.do("answer", value="no")
    assert game.state.phase == "ATTACK"
    assert game.said()[-1].startswith("No attack")
    near = duel(49, options=ask)
    near.attack("r1", "unarmed", "b1")
    near.do("answer", value="no")
    assert near.said()[-1] == "No attack: out of reach by your ruler."
    game.attack("r1", "unarmed", "b1")
    game.do("answer", value="yes")
    assert game.state.phase == "ATK_HIT"
    bow = duel(201, "bow", "quiver", options=ask)
    bow.attack("r1", "bow", "b1")
    assert [value for value, _ in bow.state.question.choices] == ["yes", "no"]
    bow.do("answer", value="no")
    assert dict(bow.state.marks)["aim_mode"] == "long"
    far = duel(601, "bow", "quiver", options=ask)
    far.attack("r1", "bow", "b1")
    far.do("answer", value="yes")
    assert dict(far.state.marks)["aim_mode"] == "long"
    beyond = duel(599, "bow", "quiver", options=ask)
    beyond.attack("r1", "bow", "b1")
    beyond.do("answer", value="no")
    assert beyond.said()[-1] == "No attack: out of range by your ruler."


def test_attacking_the_dead():
    """LW-MEL-09, LW-STAT-09, LW-AMB-56."""
    for how, allowed in (("allowed_with_warning", True), ("forbidden", False)):
        game = battle(
            {"r1": ((300, 400), ("sword",)), "r2": ((300, 430), ("sword",))},
            {"b1": ((340, 400), ()), "b2": (FAR, ())},
            {"attack_dead": how},
            phase="ATTACK",
        )
        game.attack("r1", "sword", "b1", 8, 9)
        lie(game, "b1")
        if allowed:
            assert last(game.attack("r2", "sword", "b1", 8, 9), "aimed").number("number") <= 4
        else:
            refused("LW-FLAG-29", lambda g=game: g.attack("r2", "sword", "b1"))


def test_covering():
    """LW-COV-01 to LW-COV-03, LW-COV-05, LW-MEL-06, LW-MEL-16, LW-RNG-13."""
    low, high = block("w", 380, 300, 384, 500, 24.0), block("w", 380, 300, 384, 500, 90.0)
    bow = ("bow", "quiver")
    assert "in cover" in duel(150, *bow, terrain=(low,)).aim_of("r1", "bow", "b1").text
    hidden = duel(150, *bow, terrain=(high,))
    assert hidden.aim_of("r1", "bow", "b1").rule == "LW-FLAG-11"
    cover = duel(150, *bow, terrain=(high,), options={"full_block": "cover"})
    assert "in cover" in cover.aim_of("r1", "bow", "b1").text
    port = block("w", 380, 300, 384, 500, 90.0, mark("port", 379, 380, 385, 420))
    assert duel(150, *bow, terrain=(port,)).aim_of("r1", "bow", "b1").allowed

    def friend(o, state=FigureState.STANDING):
        game = battle(
            {"r1": ((300, 400), bow), "r2": ((380, 400), ())}, {"b1": ((470, 400), ())}, o
        )
        game.lay("r2", state)
        game.do("done")
        game.do("done")
        return "in cover" in game.aim_of("r1", "bow", "b1").text

    assert friend({"full_block": "cover"})
    assert not friend({"figures_give_cover": False})
    ports = {"firing_port": "always_cover"}
    wall = block("w", 440, 300, 446, 500, 90.0, mark("port", 439, 380, 447, 420))
    game = duel(150, *bow, terrain=(wall,), options=ports)
    assert "in cover" in game.aim_of("r1", "bow", "b1").text


def test_facing_and_night():
    """LW-EQP-04, LW-AMB-60, LW-AMB-62."""
    game = duel(30, "sword", options={"use_facing": True})
    game.figures["r1"] = replace(game.figures["r1"], facing_deg=180.0)
    game.look()
    assert game.aim_of("r1", "sword", "b1").rule == "LW-AMB-60"
    dark = duel(200, "bow", "quiver", options={"night_view_cm": 10})
    assert dark.aim_of("r1", "bow", "b1").rule == "LW-EQP-04"
    lit = duel(200, "bow", "quiver", other=("torch",), options={"night_view_cm": 10})
    assert lit.aim_of("r1", "bow", "b1").allowed
