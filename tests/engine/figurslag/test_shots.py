"""Shooting: who, at whom, with what, dice typed and rolled, dodges, deaths."""

from dataclasses import replace

import pytest

from engine.dice import SeededDice
from engine.errors import Refused, Stale
from engine.table import FigureState
from tests.engine.tables import box, facing_off

RED = {"r1": (300.0, 150.0), "r3": (240.0, 150.0)}
BLUE = {"b1": (300.0, 240.0), "b2": (340.0, 230.0), "b3": (250.0, 260.0)}


def shooting(options=None, *, red=None, blue=None, terrain=(), before=None):
    game = facing_off(options, red=red or RED, blue=blue or BLUE, terrain=terrain)
    if before:
        before(game)
    game.do("done")
    return game


def refusal(game, kind, **fields):
    with pytest.raises(Refused) as error:
        game.do(kind, **fields)
    return error.value.rule


def kill(game, shooter, target, **fields):
    return game.do("shoot", figure_id=shooter, target_id=target, dice=(6, 1), **fields)


def test_an_offered_shot_describes_itself():
    # FS-GEN-04
    game = shooting()
    option = game.option("shoot", "r1")
    assert option.text == "Red 1: small weapon, 3 shots"
    assert option.hint == (
        "3 shots: 58 percent to kill. In range and seen: Blue 1 (7.4 cm), Blue 2 (6.8 cm), "
        "Blue 3 (10 cm against 10 cm, too close to call)."
    )
    assert (option.dice, option.dice_text) == ((1, 6), "Roll: 4, 5 or 6 hits.")
    assert option.shapes[0].radius_mm == pytest.approx(111.3, abs=0.1)
    assert {t.figure_id for t in option.targets} == {"b1", "b2", "b3", "b4", "b5"}
    assert game.target("r1", "b1").text == "7.4 cm"
    assert game.target("r1", "b4").text.startswith("Blue 4 is ")
    assert game.target("r1", "b4").text.endswith("too far")
    assert game.target("r1", "b4").rule == "FS-FLAG-06"


def test_own_dead_and_struck_are_no_targets():
    # FS-SHOOT-09, FS-TURN-04
    game = shooting()
    assert refusal(game, "shoot", figure_id="r1", target_id="r3") == "FS-FLAG-09"
    kill(game, "r1", "b1")
    assert refusal(game, "shoot", figure_id="r1", target_id="b1") == "FS-FLAG-09"
    assert "b1" not in {t.figure_id for t in game.option("shoot", "r1").targets}


def test_who_may_not_shoot():
    # FS-TURN-05
    game = shooting()
    assert refusal(game, "shoot", figure_id="b1", target_id="r1") == "FS-FLAG-10"
    assert refusal(game, "shoot", figure_id="ghost", target_id="b1") == "FS-SHOOT-01"
    assert refusal(game, "shoot", figure_id="r1", target_id="ghost") == "FS-SHOOT-09"
    game.do("assign", figure_id="r4", side="red", items=("large",))
    game.do("assign", figure_id="x", side="red")
    assert refusal(game, "shoot", figure_id="x", target_id="b1") == "FS-FLAG-08"


def test_shooting_out_of_its_phase():
    game = facing_off(red=RED, blue=BLUE)
    assert refusal(game, "shoot", figure_id="r1", target_id="b1") == "FS-FLAG-10"


def test_a_model_that_moved_has_no_extra_shot():
    game = shooting(before=lambda g: g.put("r3", (240, 120)))
    game.do("shoot", figure_id="r3", target_id="b3", dice=(1,))
    assert refusal(game, "shoot", figure_id="r3", target_id="b3") == "FS-FLAG-17"


def test_a_model_that_stood_still_has_one_and_no_more():
    # FS-SHOOT-06
    game = shooting()
    for left in (1, 0):
        lines = game.do("shoot", figure_id="r3", target_id="b3", dice=(1,))
        assert lines[0].event.number("shots_left") == left
    assert refusal(game, "shoot", figure_id="r3", target_id="b3") == "FS-FLAG-08"


def test_a_model_shoots_once_all_its_shots():
    # FS-TURN-03, FS-SHOOT-05
    game = shooting()
    game.do("shoot", figure_id="r1", target_id="b1", dice=(1,))
    game.do("shoot", figure_id="r3", target_id="b3", dice=(1,))
    assert refusal(game, "shoot", figure_id="r1", target_id="b1") == "FS-FLAG-08"
    why = next(o for o in game.referee.options() if o.kind == "why" and o.figure_id == "r1")
    assert why.hint == "Red 1 has done its shooting this turn."


def test_enough_ends_the_shooting_of_a_model():
    game = shooting()
    game.do("shoot", figure_id="r1", target_id="b1", dice=(1,))
    game.do("enough", figure_id="r1")
    assert refusal(game, "enough", figure_id="r1") == "FS-FLAG-08"
    assert refusal(game, "shoot", figure_id="r1", target_id="b1") == "FS-FLAG-08"


def test_typed_dice_one_after_the_other():
    # FS-HIT-04
    game = shooting()
    game.do("shoot", figure_id="r1", target_id="b1", dice=(4,))
    assert game.state.phase == "DODGE"
    dodge = game.option("dodge")
    assert (dodge.side, dodge.dice_text) == ("blue", "Blue 1 may duck: 4, 5 or 6.")
    assert refusal(game, "shoot", figure_id="r1", target_id="b1") == "FS-HIT-01"
    assert refusal(game, "decline") == "FS-HIT-02"
    game.do("dodge", dice=(3,))
    assert not game.unit("b1").alive
    assert game.said()[-1] == "Struck: Blue 1 is dead. Lay it down."


def test_typed_dice_both_at_once():
    # FS-HIT-02
    game = shooting()
    game.do("shoot", figure_id="r1", target_id="b1", dice=(4, 4))
    assert game.unit("b1").alive
    assert game.said()[-1] == "Blue 1: 4. Ducked."
    game.do("shoot", figure_id="r1", target_id="b1", dice=(3, 6))
    assert game.unit("b1").alive


@pytest.mark.parametrize("dice", [(0,), (7,), (4, 7), (-1,)])
def test_impossible_dice(dice):
    # FS-GEN-03
    game = shooting()
    assert refusal(game, "shoot", figure_id="r1", target_id="b1", dice=dice) == "FS-FLAG-16"
    assert game.state.phase == "SHOOT"


def test_the_program_rolls_both_dice_from_the_seed():
    game = shooting()
    lines = game.do("shoot", figure_id="r1", target_id="b1")
    dice = [face for line in lines for face in line.event.dice]
    assert dice == list(SeededDice(7).roll(2, 6))[: len(dice)]
    more = game.do("shoot", figure_id="r1", target_id="b2")
    dice += [face for line in more for face in line.event.dice]
    assert dice == list(SeededDice(7).roll(4, 6))[: len(dice)]


def test_no_limit_on_dodging():
    # FS-HIT-03
    game = shooting()
    for _ in range(3):
        game.do("shoot", figure_id="r1", target_id="b1", dice=(6, 4))
    assert game.unit("b1").alive


def test_dodge_may_be_optional():
    game = shooting({"dodge_optional": True})
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6, 6))
    assert game.state.phase == "DODGE", "its player chooses first"
    assert game.option("decline") is not None
    game.do("decline")
    assert not game.unit("b1").alive
    game.do("shoot", figure_id="r1", target_id="b2", dice=(6,))
    game.do("dodge", dice=(5,))
    assert game.unit("b2").alive


def test_one_target_loses_the_rest_after_a_kill():
    # FS-HIT-07
    game = shooting({"split_fire": "one_target"})
    game.do("shoot", figure_id="r1", target_id="b1", dice=(1,))
    assert refusal(game, "shoot", figure_id="r1", target_id="b2") == "FS-SHOOT-08"
    assert game.target("r1", "b2").allowed is False
    kill(game, "r1", "b1")
    assert refusal(game, "shoot", figure_id="r1", target_id="b2") == "FS-FLAG-08"
    game.do("shoot", figure_id="r3", target_id="b3", dice=(1,))


def test_sequential_may_go_on_to_another():
    # FS-HIT-07
    game = shooting()
    kill(game, "r1", "b1")
    kill(game, "r1", "b2")
    assert [game.unit(name).alive for name in ("b1", "b2")] == [False, False]


def test_declare_first_names_all_targets_before_the_first_die():
    game = shooting({"split_fire": "declare_first"})
    assert game.option("shoot", "r1").dice == (0, 0)
    game.do("shoot", figure_id="r1", target_id="b1")
    assert game.state.phase == "SHOT_DECLARE"
    assert refusal(game, "shoot", figure_id="r3", target_id="b1") == "FS-SHOOT-08"
    assert "2 shots" in game.option("shoot", "r1").text
    game.do("shoot", figure_id="r1", target_id="b1")
    game.do("shoot", figure_id="r1", target_id="b2")
    assert game.state.phase == "HIT", "three shots, three targets: fire"
    assert game.option("roll").text == "Red 1 shoots at Blue 1"
    lines = game.do("roll", dice=(6, 1))
    assert not game.unit("b1").alive
    assert [x.event.kind for x in lines] == ["shot", "dodged", "died", "shot_wasted"]
    assert game.option("roll").text == "Red 1 shoots at Blue 2"
    game.do("roll", dice=(2,))
    assert game.state.phase == "SHOOT"
    assert refusal(game, "shoot", figure_id="r1", target_id="b2") == "FS-FLAG-08"


def test_declared_shots_may_be_fewer():
    game = shooting({"split_fire": "declare_first"})
    assert refusal(game, "fire") == "FS-SHOOT-08"
    game.do("shoot", figure_id="r1", target_id="b1")
    assert game.option("fire").text == "Fire at Blue 1"
    game.do("fire")
    game.do("roll", dice=(6, 6))
    assert game.state.phase == "SHOOT"


@pytest.mark.parametrize(
    ("option", "weapons"), [("player_choice", {"small", "large"}), ("longest_range", {"large"})]
)
def test_the_bonus_shot_of_mixed_weapons(option, weapons):
    # FS-SHOOT-07
    def arm(game):
        game.do("assign", figure_id="r1", side="red", items=("small", "large"))

    game = shooting({"bonus_shot_weapon": option}, before=arm)
    offered = [o.value for o in game.referee.options() if o.kind == "shoot" and o.figure_id == "r1"]
    assert set(offered) == {"small", "large"}
    game.do("shoot", figure_id="r1", target_id="b1", value="small", dice=(1,))
    game.do("shoot", figure_id="r1", target_id="b1", value="large", dice=(1,))
    offered = [o.value for o in game.referee.options() if o.kind == "shoot" and o.figure_id == "r1"]
    assert set(offered) == weapons
    if option == "longest_range":
        assert refusal(game, "shoot", figure_id="r1", target_id="b1", value="small") == "FS-FLAG-08"
    game.do("shoot", figure_id="r1", target_id="b1", value="large", dice=(1,))
    assert refusal(game, "shoot", figure_id="r1", target_id="b1") == "FS-FLAG-08"


def near_limit(options=None):
    """Red 1, small guns, 10.1 cm from Blue 1."""
    return shooting(options, red={"r1": (300, 150)}, blue={"b1": (300, 267)})


def test_a_range_too_close_to_call_is_asked():
    # FS-SHOOT-04
    game = near_limit()
    assert game.target("r1", "b1").text == "10.1 cm against 10 cm, too close to call"
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6, 1))
    assert game.state.phase == "SHOT_CHECK"
    assert game.state.question.text == (
        "Within my error: Blue 1 is at 10.1 cm against 10 cm. Stick, please, or accept."
    )
    assert refusal(game, "done") == "FS-FLAG-19"
    game.do("answer", value="no")
    assert game.state.phase == "SHOOT"
    assert game.unit("r1").mark("fired_small") is None
    game.do("shoot", figure_id="r1", target_id="b1")
    game.do("answer", value="yes")
    assert game.state.phase == "HIT"
    game.do("roll", dice=(6, 1))
    assert not game.unit("b1").alive


def test_asking_about_one_model_does_not_end_anothers_shooting():
    game = shooting(red={"r1": (300, 150), "r2": (330, 150)}, blue={"b1": (300, 267)})
    game.put("b2", (340, 230))
    game.do("accept", figure_id="b2")
    game.do("shoot", figure_id="r2", target_id="b2", dice=(1,))
    game.do("shoot", figure_id="r1", target_id="b1")
    game.do("answer", value="no")
    game.do("shoot", figure_id="r2", target_id="b2", dice=(1,))


@pytest.mark.parametrize(("policy", "allowed"), [("strict_reading", False), ("favour_actor", True)])
def test_a_range_too_close_to_call_by_policy(policy, allowed):
    game = near_limit({"boundary_policy": policy})
    assert game.target("r1", "b1").allowed is allowed
    assert game.target("r1", "b1").rule != "FS-FLAG-19"


def test_unknown_turns_of_bases_are_asked():
    # FS-GEN-06
    game = shooting({"measure_tol_mm": 0}, red={"r1": (300, 150)}, blue={"b1": (300, 269)})
    for name in ("r1", "b1"):
        base = replace(game.figures[name].base, rotation_deg=None)
        game.figures[name] = replace(game.figures[name], base=base)
    game.look()
    game.do("shoot", figure_id="r1", target_id="b1")
    assert game.state.question.text == (
        "I cannot see how a base is turned: Blue 1 is between 9.6 cm and 10.3 cm, "
        "the limit is 10 cm. Stick, please."
    )


def wall_between(height, options=None, blue=(300.0, 240.0)):
    """A long wall 4 cm before the target."""
    wall = box("w", 0, 198, 600, 202, height)
    return shooting(options, red={"r1": (300, 140)}, blue={"b1": blue}, terrain=(wall,))


def test_hidden_behind_a_wall():
    # FS-LOS-02, FS-LOS-03
    game = wall_between(48.0)
    target = game.target("r1", "b1")
    assert (target.allowed, target.rule) == (False, "FS-FLAG-07")
    assert target.text == "Blue 1 is not seen enough, nothing visible"
    assert refusal(game, "shoot", figure_id="r1", target_id="b1") == "FS-FLAG-07"


def test_over_a_low_wall():
    assert wall_between(9.6).target("r1", "b1").text == "8.4 cm"


def half_seen(options=None):
    """A wall that hides just one half of the target's width."""
    wall = box("w", 300, 198, 600, 202, 200.0)
    return shooting(options, red={"r1": (300, 140)}, blue={"b1": (300, 240)}, terrain=(wall,))


def test_just_about_half_is_asked():
    game = half_seen()
    assert game.target("r1", "b1").text == "8.4 cm, just about half visible"
    game.do("shoot", figure_id="r1", target_id="b1")
    assert game.state.question.text == (
        "Just about half of Blue 1 shows; more than half is needed. "
        "Crouch and check, or accept my no?"
    )
    game.do("answer", value="yes")
    game.do("roll", dice=(1,))


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        ({"boundary_policy": "strict_reading"}, False),
        ({"boundary_policy": "favour_actor"}, True),
        ({"los_tol": 0.0}, False),
        ({"los_tol": 0.0, "los_half": "half_or_more"}, True),
    ],
)
def test_exactly_half(options, allowed):
    # FS-LOS-02
    assert half_seen(options).target("r1", "b1").allowed is allowed


def test_range_and_sight_are_both_asked():
    # FS-LOS-01
    wall = box("w", 300, 198, 600, 202, 200.0)
    game = shooting(red={"r1": (300, 140)}, blue={"b1": (300, 257)}, terrain=(wall,))
    game.do("shoot", figure_id="r1", target_id="b1")
    assert game.state.question.question_id == "range/r1/b1"
    game.do("answer", value="yes")
    assert game.state.question.question_id == "sight/r1/b1"
    with pytest.raises(Stale):
        game.do("answer", value="yes", basis_seq=game.state.seq - 2)
    game.do("answer", value="yes")
    assert game.state.phase == "HIT"
    near = shooting(terrain=(box("w", 200, 198, 400, 202, 200.0),))
    assert refusal(near, "shoot", figure_id="r1", target_id="b1") == "FS-FLAG-07"
    seen = shooting(blue={"b1": (300, 320)})
    assert refusal(seen, "shoot", figure_id="r1", target_id="b1") == "FS-FLAG-06"


@pytest.mark.parametrize(
    ("block", "state", "allowed"),
    [
        ("standing", FigureState.STANDING, False),
        ("standing", FigureState.LYING, True),
        ("none", FigureState.STANDING, True),
    ],
)
def test_models_hide_models(block, state, allowed):
    # FS-LOS-03
    game = shooting(
        {"models_block": block},
        red={"r1": (300, 140)},
        blue={"b1": (300, 240), "b2": (300, 190)},
    )
    game.lay("b2", state)
    assert game.target("r1", "b1").allowed is allowed


@pytest.mark.parametrize(("dead", "hides"), [("stay", True), ("removed", False)])
def test_bodies_hide_where_all_models_do(dead, hides):
    """A lying body hides the lower part of what stands behind it, seen from low."""
    game = shooting(
        {"models_block": "all", "dead_models": dead, "los_tol": 0.0},
        red={"r1": (300, 140)},
        blue={"b1": (300, 240), "b2": (300, 222)},
    )
    kill(game, "r1", "b2")
    game.lay("b2")
    seen = game.do("shoot", figure_id="r1", target_id="b1", dice=(1,))[0].event.number("seen")
    assert (seen < 1.0) is hides


def test_facing_matters_only_where_agreed():
    # FS-LOS-04
    for use, allowed in ((False, True), (True, False)):
        game = shooting({"use_facing": use}, red={"r1": (300, 140)}, blue={"b1": (300, 240)})
        game.figures["r1"] = replace(game.figures["r1"], facing_deg=270.0)
        game.look()
        assert game.target("r1", "b1").allowed is allowed
    assert game.target("r1", "b1").text == "Blue 1 is behind Red 1's back"
    game.figures["r1"] = replace(game.figures["r1"], facing_deg=90.0)
    game.look()
    assert game.target("r1", "b1").allowed


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "8.4 cm"),
        ({"distance_mode": "centre"}, "10 cm against 10 cm, too close to call"),
        ({"distance_mode": "any_part_of_model"}, "7.6 cm"),
    ],
)
def test_from_where_to_where(options, text):
    game = shooting(options, red={"r1": (300, 140)}, blue={"b1": (300, 240)})
    assert game.target("r1", "b1").text == text


@pytest.mark.parametrize(("mode", "text"), [("slant", "9.9 cm"), ("ignore", "8.4 cm")])
def test_up_and_down(mode, text):
    game = shooting(
        {"vertical_mode": mode, "measure_tol_mm": 0},
        red={"r1": (300, 140)},
        blue={"b1": (300, 240)},
    )
    game.figures["b1"] = replace(game.figures["b1"], level_mm=52.8, sigma_mm=0.1)
    game.terrain = (box("h", 280, 225, 600, 300, 52.8, standable=True),)
    game.look()
    game.figures["r1"] = replace(game.figures["r1"], sigma_mm=0.1)
    game.look()
    assert game.target("r1", "b1").text == text


def test_a_dead_model_that_stands_again():
    # FS-HIT-05
    game = shooting()
    kill(game, "r1", "b1")
    assert game.look() == (), "it has not been laid down yet"
    lines = game.lay("b1")
    assert [x.event.kind for x in lines] == ["laid"]
    lines = game.lay("b1", FigureState.STANDING)
    assert [x.event.rule for x in lines] == ["FS-FLAG-11"]
    assert game.said()[-1] == "Blue 1 is dead but stands again. Lay it down, please."
    assert game.look() == ()
    game.lay("b1")
    lines = game.put("b1", (500, 200))
    assert "FS-FLAG-11" in [x.event.rule for x in lines]


def test_removed_dead_are_taken_away_without_a_word():
    game = shooting({"dead_models": "removed"})
    kill(game, "r1", "b1")
    assert game.said()[-1] == "Struck: Blue 1 is dead. Take it away."
    game.lay("b1")
    lines = game.put("b1", (500, 200))
    assert "FS-FLAG-11" not in [x.event.rule for x in lines]


def test_the_dead_are_no_obstacle():
    game = facing_off({"move_path": "straight"}, red={"r1": (300, 150)}, blue={"b1": (300, 200)})
    game.do("done")
    kill(game, "r1", "b1")
    game.lay("b1")
    while not (game.state.phase == "MOVE" and game.state.active_side == "red"):
        game.do("done")
    game.put("r1", (300, 245))
    assert game.unit("r1").mark("open") is None


def test_undoing_a_shot_brings_the_dead_back():
    game = shooting()
    kill(game, "r1", "b1")
    game.do("undo")
    assert game.unit("b1").alive
    assert game.unit("r1").mark("fired_small") is None


@pytest.mark.parametrize("what", ["segment_cm", "scale_factor"])
def test_every_distance_follows_the_segment(what):
    # FS-GEN-02, FS-SHOOT-02, FS-SHOOT-03
    options = {"segment_cm": 4.0} if what == "segment_cm" else {"scale_factor": 2.0}
    game = shooting(options, red={"r1": (300, 140)}, blue={"b1": (300, 250)})
    assert game.target("r1", "b1").allowed is (what == "scale_factor")


def test_models_that_touch_shoot_as_usual():
    # FS-SHOOT-10
    game = shooting(red={"r1": (300.0, 200.0)}, blue={"b1": (300.0, 216.2)})
    assert game.target("r1", "b1").allowed
    assert game.target("r1", "b1").text == "0 cm"
    kill(game, "r1", "b1")
    assert "Struck: Blue 1 is dead" in " ".join(game.said())
