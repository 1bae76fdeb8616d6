"""Movement by the camera: lengths, modes, flags, put back, accept, bumps, falls."""

from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.table import FigureState, Seen, TerrainMark
from tests.engine.tables import began, box, facing_off, stairs


def mode(game, name="r1"):
    return game.unit(name).mark("mode")


def flag(game, name="r1"):
    return game.unit(name).mark("open_rule")


def moved(game, name="r1"):
    return game.unit(name).mark("moved")


def test_jitter_is_nothing():
    game = began()
    for x in (102.0, 98.0, 103.0, 100.0):
        assert game.put("r1", (x, 21.0)) == ()
    assert mode(game) == "still"


@pytest.mark.parametrize(
    ("y", "expected", "said"),
    [
        (26.0, "normal", "Red 1: 0.6 cm, may shoot."),
        (114.0, "normal", "Red 1: 9.4 cm, may shoot."),
        (130.0, "far", "Red 1: 11 cm, no shooting this turn."),
        (166.0, "far", "Red 1: 14.6 cm, no shooting this turn."),
    ],
)
def test_a_legal_move(y, expected, said):
    # FS-MOVE-01, FS-MOVE-02
    game = began()
    game.put("r1", (100, y))
    assert mode(game) == expected
    assert game.said()[-1] == said
    assert flag(game) is None


def test_too_far_is_flagged_with_its_length_and_put_back():
    # FS-MOVE-03
    game = began()
    lines = game.put("r1", (100, 176))
    assert lines[-1].event.rule == "FS-FLAG-01"
    assert lines[-1].event.number("moved_mm") == 156.0
    assert game.said()[-1] == "Red 1: 15.6 cm, limit 15 cm. Put back?"
    (said,) = game.referee.announcements(game.state.seq - 1)
    assert {shape.role for shape in said.shapes} == {"warning"}
    with pytest.raises(Refused) as error:
        game.do("done")
    assert error.value.rule == "FS-FLAG-01"
    assert game.option("done") is None
    game.put("r1", (100, 110))
    assert (mode(game), moved(game), flag(game)) == ("normal", 90.0, None)
    game.do("done")


def test_put_back_to_its_start_stands_still_again():
    game = began()
    game.put("r1", (100, 190))
    game.put("r1", (101, 21))
    assert game.said()[-1] == "Red 1 is back in its place."
    assert (mode(game), flag(game)) == ("still", None)


def test_put_back_to_another_place_too_far_is_flagged_anew():
    game = began()
    game.put("r1", (100, 190))
    lines = game.put("r1", (100, 184))
    assert lines[-1].event.number("moved_mm") == 164.0
    assert flag(game) == "FS-FLAG-01"


def test_jitter_of_a_flagged_model_is_nothing():
    game = began()
    game.put("r1", (100, 190))
    assert game.put("r1", (102, 190)) == ()


def test_an_accepted_move_counts_as_far():
    game = began()
    game.put("r1", (100, 190))
    game.do("accept", figure_id="r1")
    assert (mode(game), moved(game), flag(game)) == ("far", 170.0, None)
    assert game.unit("r1").mark("at_y") == 190.0
    with pytest.raises(Refused):
        game.do("accept", figure_id="r1")
    game.do("done")


def test_a_move_in_steps_adds_up_but_never_beyond_the_straight_way():
    game = began()
    game.put("r1", (100, 60))
    game.put("r1", (140, 60))
    assert moved(game) == pytest.approx(56.57, abs=0.01)
    game.put("r1", (100, 130))
    assert (moved(game), mode(game)) == (110.0, "far")


@pytest.mark.parametrize(("y", "question"), [(118.0, True), (122.0, True), (116.0, False)])
def test_near_a_limit_the_players_say(y, question):
    game = began()
    game.put("r1", (100, y))
    assert (game.state.question is not None) is question
    if question:
        with pytest.raises(Refused):
            game.do("done")
        assert [v for v, _ in game.state.question.choices] == ["normal", "far"]
        game.do("answer", value="far")
        assert (mode(game), moved(game)) == ("far", y - 20.0)


def test_near_the_upper_limit_the_answer_may_be_too_far():
    game = began()
    game.put("r1", (100, 171))
    assert "moved 15.1 cm against 15 cm" in game.state.question.text
    game.do("answer", value="illegal")
    assert flag(game) == "FS-FLAG-01"
    game.put("r1", (100, 171.0 - 20))
    assert mode(game) == "far"


def test_a_question_goes_away_when_the_model_is_put_elsewhere():
    game = began()
    game.put("r1", (100, 121))
    assert game.state.question
    game.put("r1", (100, 90))
    assert game.state.question is None
    assert mode(game) == "normal"


@pytest.mark.parametrize(
    ("policy", "y", "expected"),
    [
        ("strict_reading", 121.0, "far"),
        ("strict_reading", 119.0, "normal"),
        ("favour_actor", 122.0, "normal"),
        ("favour_actor", 124.0, "far"),
    ],
)
def test_near_a_limit_by_policy(policy, y, expected):
    game = began({"boundary_policy": policy})
    game.put("r1", (100, y))
    assert (mode(game), game.state.question) == (expected, None)


def test_no_tolerance_asks_only_within_the_cameras_own_error():
    game = began({"measure_tol_mm": 0})
    game.put("r1", (100, 122), sigma=0.1)
    assert (mode(game), game.state.question) == ("far", None)
    game.put("r2", (160, 122), sigma=3.0)
    assert game.state.question is not None


def test_round_a_wall_on_foot():
    # FS-MOVE-04
    game = facing_off(red={"r1": (300, 20)}, terrain=(box("w", 250, 50, 330, 60, 96.0),))
    game.put("r1", (300, 90))
    assert mode(game) == "far"
    assert moved(game) > 100.0


def test_straight_paths_only():
    # FS-MOVE-04
    game = facing_off(
        {"move_path": "straight"},
        red={"r1": (300, 20)},
        terrain=(box("w", 250, 50, 330, 60, 96.0),),
    )
    game.put("r1", (300, 90))
    assert flag(game) in ("FS-FLAG-14", "FS-FLAG-05")


def test_through_a_closed_wall():
    walls = (
        box("a", 200, 40, 600, 50, 200.0),
        box("b", 200, 0, 210, 50, 200.0),
    )
    game = facing_off(red={"r1": (300, 20)}, terrain=walls)
    game.put("r1", (300, 90))
    assert flag(game) in ("FS-FLAG-14", "FS-FLAG-05")
    game.do("accept", figure_id="r1")
    assert mode(game) in ("normal", "climb_noshoot")


@pytest.mark.parametrize(
    ("height", "y", "expected"),
    [
        (9.6, 110, "normal"),  # three plates are a step
        (38.4, 60, "climb"),  # within 5 cm and one figure height
        (38.4, 80, "climb_noshoot"),  # farther than 5 cm
        (48.0, 60, "climb_noshoot"),  # higher than one figure height
    ],
)
def test_climbing_up(height, y, expected):
    # FS-CLIMB-01, FS-CLIMB-02
    hill = box("h", 0, 40, 600, 140, height, standable=True)
    game = began()
    game.terrain = (hill,)
    game.look()
    game.put("r1", (100, y), level=height)
    assert (mode(game), flag(game)) == (expected, None)


def test_too_high_in_one_go():
    # FS-CLIMB-05
    game = began()
    game.terrain = (box("h", 0, 40, 600, 140, 86.4, standable=True),)
    game.look()
    game.put("r1", (100, 60), level=86.4)
    assert flag(game) == "FS-FLAG-05"
    assert "climbed 8.6 cm" in game.said()[-1]
    game.do("accept", figure_id="r1")
    assert mode(game) == "climb_noshoot"


def test_climbing_too_far():
    # FS-CLIMB-11
    game = began()
    game.terrain = (box("h", 0, 40, 600, 200, 19.2, standable=True),)
    game.look()
    game.put("r1", (100, 126), level=19.2)
    assert flag(game) == "FS-FLAG-03"
    assert game.said()[-1] == "Red 1: climbing, 10.6 cm, limit 10 cm. Put back?"


@pytest.mark.parametrize(("jump", "expected"), [("forbidden", "climb_noshoot"), ("free", "normal")])
def test_jumping_down(jump, expected):
    # FS-CLIMB-03
    game = facing_off({"jump_down": jump}, red={"r1": (100, 20)})
    game.terrain = (box("h", 60, 0, 140, 40, 48.0, standable=True),)
    game.figures["r1"] = replace(game.figures["r1"], level_mm=48.0)
    game.look()
    game.do("undo")  # back before the first player: the model begins on the hill
    game.do("first", value="red")
    game.put("r1", (100, 70), level=0.0)
    assert mode(game) == expected


def test_by_the_stairs_it_is_walking():
    # FS-CLIMB-04
    hill = box("h", 0, 60, 600, 160, 48.0, standable=True, marks=(stairs(80, 58, 120, 80),))
    game = began()
    game.terrain = (hill,)
    game.look()
    game.put("r1", (100, 100), level=48.0)
    assert mode(game) == "normal"
    assert game.said()[-1] == "Red 1: 8 cm by the stairs, may shoot."


def test_on_a_top_nobody_marked():
    game = began()
    game.terrain = (box("h", 0, 40, 600, 140, 38.4),)
    game.look()
    game.put("r1", (100, 60), level=38.4)
    assert flag(game) == "FS-FLAG-14"
    assert "nobody marked" in game.said()[-1]


@pytest.mark.parametrize("pause", [None, False, True])
def test_hanging_half_way(pause):
    # FS-CLIMB-09
    game = began({} if pause is None else {"climb_pause": pause})
    game.terrain = (box("h", 0, 50, 600, 140, 96.0, standable=True),)
    game.look()
    game.put("r1", (100, 40), level=35.0)
    if not pause:
        assert flag(game) == "FS-FLAG-05"
        assert "hangs half-way" in game.said()[-1]
        return
    assert (mode(game), flag(game)) == ("climb", None)
    while not (game.state.phase == "MOVE" and game.state.turn == 2):
        game.do("done")
    game.put("r1", (100, 62), level=96.0)
    assert (mode(game), flag(game)) == ("climb_noshoot", None), "only the rest is climbed"


def test_overlap_and_leaving_the_table():
    # FS-MOVE-06, FS-MOVE-07
    game = began()
    game.put("r1", (165, 24))
    assert flag(game) == "FS-FLAG-14"
    assert game.said()[-1] == "Red 1 stands on the base of Red 2. Put back?"
    game.put("r1", (100, -20))
    assert flag(game) == "FS-FLAG-15"
    game.put("r1", (100, 20))
    assert flag(game) is None


def test_standing_where_a_dead_model_has_not_yet_been_laid_down():
    game = facing_off(red={"r1": (300, 150)}, blue={"b1": (300, 240)})
    game.do("done")
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6, 1))
    while not (game.state.phase == "MOVE" and game.state.active_side == "red"):
        game.do("done")
    game.put("r1", (300, 235))
    assert (flag(game), mode(game)) == (None, "normal")


def test_leaving_the_table_may_be_the_end_of_a_model():
    game = began({"leave_table": "removed"})
    game.put("r1", (100, -20))
    assert not game.unit("r1").alive
    assert game.said()[-1] == "Red 1 left the table and is out."
    for name in ("r2", "r3", "r4", "r5"):
        game.put(name, (300, -40))
    assert game.state.outcome == "blue"


@pytest.mark.parametrize(
    ("policy", "blocked"),
    [("none", True), ("friends", False), ("all", False)],
)
def test_passing_friends(policy, blocked):
    game = facing_off(
        {"pass_models": policy, "move_path": "straight"},
        red={"r1": (300, 60), "r2": (300, 100)},
    )
    game.put("r1", (300, 140))
    assert (flag(game) == "FS-FLAG-14") is blocked


@pytest.mark.parametrize(("policy", "blocked"), [("none", True), ("friends", True), ("all", False)])
def test_passing_enemies(policy, blocked):
    game = facing_off(
        {"pass_models": policy, "move_path": "straight"},
        red={"r1": (300, 60)},
        blue={"b1": (300, 100)},
    )
    game.put("r1", (300, 140))
    assert (flag(game) == "FS-FLAG-14") is blocked


def test_out_of_turn_is_flagged_and_put_back():
    game = began()
    lines = game.put("b4", (280, 372))
    assert lines[-1].event.rule == "FS-FLAG-10"
    assert game.said()[-1] == "Blue 4 shifted 0.8 cm in Red's turn. Put back?"
    game.put("b4", (280, 380))
    assert flag(game, "b4") is None


def test_moving_while_shooting_is_flagged():
    game = began()
    game.do("done")
    game.put("r1", (100, 60))
    assert flag(game) == "FS-FLAG-10"
    assert game.said()[-1] == "Red 1 shifted 4 cm, but movement is over. Put back?"
    game.do("accept", figure_id="r1")
    assert flag(game) is None
    assert mode(game) == "still", "an accepted shift changes no shots"


def test_a_shift_nobody_put_right_is_taken_as_it_is_when_the_team_moves_again():
    game = began({"turn_order": "phase_by_phase"})
    for _ in range(3):
        game.do("done")
    game.put("r1", (100, 60))
    assert flag(game) == "FS-FLAG-10"
    game.do("done")
    assert (game.state.phase, game.state.active_side) == ("MOVE", "red")
    assert (flag(game), mode(game)) == (None, "still")
    game.put("r1", (100, 100))
    assert moved(game) == 40.0


def test_moving_twice_is_flagged():
    # FS-TURN-03
    game = began()
    game.put("r1", (100, 50))
    game.put("r2", (160, 50))
    game.put("r1", (100, 80))
    assert flag(game) == "FS-FLAG-10"
    assert game.said()[-1] == "Red 1 moved a second time, 3 cm. Put back?"
    game.do("accept", figure_id="r1")
    assert (mode(game), moved(game)) == ("normal", 60.0)


def test_a_corrected_place_out_of_turn_is_no_move():
    game = began()
    assert game.put("b4", (280, 340), seen=Seen.CORRECTED)[-1].event.kind == "shifted"
    assert flag(game, "b4") is None


def test_a_corrected_place_in_its_movement_counts_like_seen():
    game = began()
    game.put("r1", (100, 60), seen=Seen.CORRECTED)
    assert (mode(game), moved(game)) == ("normal", 40.0)


def test_hidden_and_held_figures_keep_their_place():
    game = began()
    assert game.put("r1", (300, 300), state=FigureState.HIDDEN, seen=Seen.HIDDEN) == ()
    assert game.put("r1", (300, 300), state=FigureState.IN_HAND, seen=Seen.SEEN) == ()
    assert mode(game) == "still"
    game.put("r1", (100, 70), state=FigureState.STANDING)
    assert moved(game) == 50.0


def test_a_figure_that_vanishes_keeps_its_place():
    game = began()
    kept = game.figures.pop("r1")
    assert game.look() == ()
    game.figures["r1"] = replace(kept, position_mm=(100.0, 80.0))
    game.look()
    assert moved(game) == 60.0


def test_bumped():
    game = began()
    game.put("r3", (220, 30))
    assert mode(game, "r3") == "normal"
    assert game.option("bumped", "r3") is not None
    game.do("bumped", figure_id="r3")
    assert mode(game, "r3") == "still"
    game.put("r3", (220, 33))
    assert mode(game, "r3") == "still"
    game.put("r3", (220, 90))
    assert game.option("bumped", "r3") is None
    with pytest.raises(Refused):
        game.do("bumped", figure_id="r3")
    with pytest.raises(Refused):
        game.do("bumped", figure_id="b3")


def test_reporting_a_longer_way():
    game = began()
    game.put("r1", (100, 100))
    assert game.option("report", "r1") is not None
    game.do("report", figure_id="r1", numbers=(12.5,))
    assert (mode(game), moved(game)) == ("far", 125.0)
    for numbers in ((3.0,), (), (99.0,)):
        with pytest.raises(Refused):
            game.do("report", figure_id="r1", numbers=numbers)


def test_falling_and_standing_up_is_no_move():
    game = began()
    game.lay("r1")
    game.put("r1", (110, 30), state=FigureState.STANDING)
    assert (mode(game), flag(game)) == ("still", None)
    game.put("r1", (110, 60))
    assert moved(game) == 30.0, "measured from where it was stood up"


def test_standing_up_far_away_is_a_move():
    game = began()
    game.lay("r1")
    game.put("r1", (100, 100), state=FigureState.STANDING)
    assert (mode(game), moved(game)) == ("normal", 80.0)


def test_turning_on_the_spot():
    for still, expected in ((True, "still"), (False, "normal")):
        game = began({"turning_is_still": still})
        game.do("undo")
        for name, one in list(game.figures.items()):
            game.figures[name] = replace(one, facing_deg=90.0)
        game.look()
        game.do("first", value="red")
        game.put("r3", (220, 20), facing=95.0)
        assert mode(game, "r3") == "still"
        game.put("r3", (220, 20), facing=200.0)
        assert mode(game, "r3") == expected
    assert game.said()[-1] == "Red 3 turned on the spot; that is no standing still here."


def test_declaring_before_the_move():
    game = began({"declare_noshoot": "before_move"})
    game.put("r1", (100, 140))
    assert flag(game) == "FS-FLAG-02"
    game.put("r1", (100, 20))
    game.do("noshoot", figure_id="r1")
    assert game.said()[-1] == "Red 1 gives up shooting this turn."
    game.put("r1", (100, 140))
    assert (mode(game), flag(game)) == ("far", None)
    with pytest.raises(Refused):
        game.do("noshoot", figure_id="r1")
    game.do("noshoot", figure_id="r2")
    game.do("noshoot", figure_id="r2")
    assert game.unit("r2").mark("noshoot") is None
    game.do("noshoot", figure_id="r3")
    game.do("done")
    with pytest.raises(Refused) as error:
        game.do("shoot", figure_id="r3", target_id="b3")
    assert error.value.rule == "FS-FLAG-02"


def test_declaring_before_a_long_climb():
    game = began({"declare_noshoot": "before_move"})
    game.terrain = (box("h", 0, 40, 600, 200, 48.0, standable=True),)
    game.look()
    game.put("r1", (100, 60), level=48.0)
    assert flag(game) == "FS-FLAG-04"
    game.do("accept", figure_id="r1")
    assert mode(game) == "climb_noshoot"


def test_nobody_declares_where_the_distance_says_it():
    game = began()
    assert game.option("noshoot") is None
    with pytest.raises(Refused):
        game.do("noshoot", figure_id="r1")


def test_reach_is_drawn_for_the_model_that_is_tapped():
    game = facing_off(red={"r1": (300, 200)})
    option = game.option("reach", "r1")
    assert option.hint == (
        "Red 1: 10 cm and shoot, 15 cm without shooting. Stay for one extra shot."
    )
    near = [s for s in option.shapes if s.role == "reach"]
    far = [s for s in option.shapes if s.role == "reach_far"]
    for shapes, limit in ((near, 100.0), (far, 150.0)):
        distances = [((x - 300) ** 2 + (y - 200) ** 2) ** 0.5 for x, y in shapes[0].points_mm]
        assert max(distances) == pytest.approx(limit, abs=2.0)
    game.put("r1", (300, 240))
    assert game.option("reach", "r1").hint == "Red 1: 4 cm so far, may shoot."
    game.put("r1", (300, 380))
    assert game.option("reach", "r1").hint == "Red 1: put it back or accept it."


def test_terrain_moved_during_play():
    game = facing_off(terrain=(box("w", 250, 190, 330, 200, 96.0),))
    game.terrain = (box("w", 250, 150, 330, 160, 96.0),)
    lines = game.look()
    assert [line.event.rule for line in lines] == ["FS-FLAG-20"]
    assert game.said()[-1] == "Terrain changed during play: Wall 1."
    game.do("done")


@pytest.mark.parametrize(("snap", "asks"), [("plates", False), ("none", True)])
def test_heights_are_asked_only_where_they_were_not_settled(snap, asks):
    game = began({"height_snap": snap})
    game.terrain = (box("h", 0, 40, 600, 140, 39.2, standable=True),)
    game.look()
    game.put("r1", (100, 60), level=39.2)
    assert (game.state.question is not None) is asks
    if not asks:
        assert mode(game) == "climb"


def test_a_door_is_walked_through():
    door = TerrainMark("door", ((280, 49), (320, 49), (320, 61), (280, 61)))
    wall = box("w", 0, 50, 600, 60, 96.0, marks=(door,))
    game = facing_off(red={"r1": (300, 20)}, terrain=(wall,))
    game.put("r1", (300, 100))
    assert (mode(game), moved(game)) == ("normal", 80.0)


def test_nothing_is_said_of_moves_while_a_question_waits():
    # FS-MOVE-04
    game = began()
    game.put("r4", (280, 100))
    assert game.option("report", "r4") is not None
    game.put("r3", (220, 169))
    assert game.state.question is not None
    assert game.option("report", "r4") is None
