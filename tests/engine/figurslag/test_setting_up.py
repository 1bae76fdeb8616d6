"""TERRAIN, ROSTER, DEPLOY, FIRST."""

import pytest

from engine.errors import Refused
from tests.engine.tables import LOADOUTS, Game, began, box, teams


def placed(options=None, *, at=(100.0, 20.0), rotation=0.0, **kw):
    """One red model in question, everybody else well placed."""
    game = Game(options, **kw)
    game.do("terrain_done")
    for side, y in (("red", 20.0), ("blue", 380.0)):
        for i in range(5):
            name = f"{side[0]}{i + 1}"
            game.put(name, (100.0 + 60 * i, y))
            game.do("assign", figure_id=name, side=side, items=LOADOUTS[i])
    game.put("r1", at, base=_base(rotation))
    game.do("roster_done")
    return game


def _base(rotation):
    from engine.table import Base, BaseShape

    return Base(BaseShape.SQUARE, 16.0, rotation, 3.2)


def test_terrain_heights_are_confirmed_in_plates():
    # FS-SET-05
    game = Game()
    game.terrain = (box("t1", 0, 0, 50, 50, 39.0), box("t2", 60, 60, 90, 90, 9.0, lego=False))
    game.look()
    assert game.option("terrain_done").hint == (
        "Wall 1: 12 plates, measured 3.9 cm; Wall 2: 0.9 cm, measured 0.9 cm"
    )
    game.do("terrain_done")
    assert "I count 2 heights, in whole plates (house rule)" in game.said()[-2]
    assert game.state.phase == "ROSTER"


def test_heights_stay_as_read_without_snapping():
    game = Game({"height_snap": "none"})
    game.terrain = (box("t1", 0, 0, 50, 50, 39.0),)
    game.look()
    assert game.option("terrain_done").hint == "Wall 1: 3.9 cm, measured 3.9 cm"


def test_a_standard_team_is_called_correct():
    game = began()
    assert "Red: two with two small guns, three with one big gun. Correct." in game.said()
    assert "Blue: two with two small guns, three with one big gun. Correct." in game.said()


@pytest.mark.parametrize("policy", ["warn", "forbid", "allow"])
def test_non_standard_team(policy):
    # FS-SET-01
    game = Game({"non_standard_team": policy})
    game.do("terrain_done")
    with pytest.raises(Refused):
        game.do("roster_done")
    assert game.option("roster_done") is None
    for side, y in (("red", 20.0), ("blue", 380.0)):
        for i in range(4):
            game.put(f"{side[0]}{i}", (100.0 + 60 * i, y))
            game.do("assign", figure_id=f"{side[0]}{i}", side=side, items=("large",))
    assert game.option("roster_done") is not None
    if policy == "forbid":
        with pytest.raises(Refused) as error:
            game.do("roster_done")
        assert error.value.rule == "FS-FLAG-13"
        assert error.value.reason == "Red has 4 models; the rules want 5."
        return
    lines = game.do("roster_done")
    flags = [line.event for line in lines if line.event.rule == "FS-FLAG-13"]
    assert len(flags) == (2 if policy == "warn" else 0)
    assert game.state.phase == "DEPLOY"


def test_wrong_weapons_are_named():
    # FS-SET-02, FS-SET-03
    game = Game()
    game.do("terrain_done")
    for side in ("red", "blue"):
        for i in range(5):
            game.do("assign", figure_id=f"{side[0]}{i}", side=side, items=("large",))
    game.do("roster_done")
    assert (
        "Red has 0 models with two small guns and 5 with one big gun; the rules want two and three."
        in game.said()
    )
    game = Game()
    game.do("terrain_done")
    for side in ("red", "blue"):
        for i, items in enumerate((("small", "small"),) * 2 + (("large",),) * 3):
            game.do("assign", figure_id=f"{side[0]}{i}", side=side, items=items)
    game.do("roster_done")
    assert not any("the rules want" in text for text in game.said())


def test_camera_suggests_fills_in_what_is_lacking():
    game = Game({"weapon_classes": "camera_suggests"})
    game.do("terrain_done")
    for i in range(5):
        game.do("assign", figure_id=f"r{i}", side="red", items=("large",) if i == 0 else ())
    assert game.option("suggest") is not None
    game.do("suggest")
    held = sorted(u.equipment for u in game.state.units)
    assert held == [("large",)] * 3 + [("small", "small")] * 2
    with pytest.raises(Refused):
        game.do("suggest")


def test_players_assign_gets_no_suggestion():
    game = Game()
    game.do("terrain_done")
    game.do("assign", figure_id="r", side="red")
    assert game.option("suggest") is None
    with pytest.raises(Refused):
        game.do("suggest")


def test_outside_the_strip_is_flagged_and_put_right():
    # FS-SET-07
    game = placed(at=(100.0, 54.0))
    assert game.unit("r1").mark("open_rule") == "FS-FLAG-12"
    assert game.said()[-1] == "Red 1 stands 6.2 cm in; the limit is 5 cm."
    with pytest.raises(Refused) as error:
        game.do("deploy_done")
    assert error.value.rule == "FS-FLAG-12"
    game.put("r1", (100.0, 30.0))
    assert game.unit("r1").mark("open") is None
    game.do("deploy_done")
    assert game.state.phase == "FIRST"


def test_outside_the_strip_may_be_accepted():
    game = placed(at=(100.0, 54.0))
    assert game.option("accept", "r1") is not None
    game.do("accept", figure_id="r1")
    game.do("deploy_done")
    assert game.state.phase == "FIRST"


@pytest.mark.parametrize(
    ("measure", "y", "flagged"),
    [
        ("whole_base", 38.0, False),
        ("whole_base", 48.0, True),
        ("centre", 46.0, False),
        ("centre", 54.0, True),
        ("any_part", 54.0, False),
        ("any_part", 62.0, True),
    ],
)
def test_deploy_measure(measure, y, flagged):
    game = placed({"deploy_measure": measure}, at=(100.0, y))
    assert (game.unit("r1").mark("open_rule") == "FS-FLAG-12") is flagged


@pytest.mark.parametrize(("answer", "flag"), [("in", None), ("out", "FS-FLAG-12")])
def test_near_the_line_the_players_say(answer, flag):
    game = placed(at=(100.0, 43.0))
    assert game.state.question.text == (
        "Within my error: Red 1 stands 5.1 cm in against 5 cm. Stick, please, or accept."
    )
    with pytest.raises(Refused):
        game.do("answer", value="maybe")
    game.do("answer", value=answer, figure_id="r1")
    assert game.unit("r1").mark("open_rule") == flag


def test_all_placed_settles_what_the_camera_could_not_tell():
    game = placed(at=(100.0, 43.0))
    game.do("deploy_done")
    assert (game.state.phase, game.state.question) == ("FIRST", None)
    assert game.unit("r1").mark("at_y") == 43.0


@pytest.mark.parametrize(
    ("policy", "y", "flag"),
    [
        ("strict_reading", 43.0, "FS-FLAG-12"),
        ("strict_reading", 41.0, None),
        ("favour_actor", 43.0, None),
        ("favour_actor", 48.0, "FS-FLAG-12"),
    ],
)
def test_near_the_line_by_policy(policy, y, flag):
    game = placed({"boundary_policy": policy}, at=(100.0, y))
    assert game.unit("r1").mark("open_rule") == flag
    assert game.state.question is None


def test_unknown_turn_of_a_base_is_asked_only_where_it_decides():
    assert placed(at=(100.0, 30.0), rotation=None).state.question is None
    assert placed({"measure_tol_mm": 0}, at=(100.0, 40.5), rotation=None).state.question
    circle = {"measure_tol_mm": 0, "base_rotation": "inscribed_circle"}
    assert placed(circle, at=(100.0, 40.5), rotation=None).state.question is None


def test_overlap_and_off_the_table_are_flagged():
    game = placed(at=(165.0, 25.0))
    assert game.unit("r1").mark("open_rule") == "FS-FLAG-14"
    game.put("r1", (-30.0, 20.0))
    assert game.unit("r1").mark("open_rule") == "FS-FLAG-15"


def test_touching_bases_do_not_overlap():
    assert placed(at=(145.0, 20.0)).unit("r1").mark("open") is None


def test_edges_can_be_chosen_and_the_models_are_judged_anew():
    game = placed()
    assert [s.text for s in game.option("deploy_done").shapes] == ["Red", "Blue"]
    lines = game.do("edge", side="red", value="west")
    assert sum(1 for line in lines if line.event.rule == "FS-FLAG-12") == 5
    game.do("edge", side="red", value="south")
    assert not [u for u in game.state.units if u.mark("open")]
    for fields in ({"side": "red", "value": "up"}, {"side": "pink", "value": "west"}, {}):
        with pytest.raises(Refused):
            game.do("edge", **fields)


def test_a_table_without_known_edges_is_not_judged():
    game = placed(at=(100.0, 200.0), size=None)
    assert game.unit("r1").mark("open") is None
    game.do("deploy_done")


def test_a_model_never_seen_keeps_deployment_open():
    game = placed()
    game.do("assign", figure_id="ghost", side="red", items=("large",))
    with pytest.raises(Refused) as error:
        game.do("deploy_done")
    assert "Red 6" in error.value.reason


def test_models_assigned_late_are_judged_when_deployment_ends():
    # FS-SET-09
    game = placed()
    game.figures["r9"] = game.figures["r1"].__class__(
        **{
            **{f: getattr(game.figures["r1"], f) for f in game.figures["r1"].__dataclass_fields__},
            "figure_id": "r9",
            "position_mm": (500.0, 200.0),
        }
    )
    game.look()
    game.do("assign", figure_id="r9", side="red", items=("large",))
    lines = game.do("deploy_done")
    assert [line.event.rule for line in lines] == ["FS-FLAG-12"]
    assert game.state.phase == "DEPLOY"


def test_players_choose_who_begins_or_roll():
    # FS-SET-08
    game = Game()
    teams(game)
    assert game.said()[-1] == "Who begins? Tap a team, or roll."
    with pytest.raises(Refused):
        game.do("first", value="pink")
    game.do("first", value="blue")
    assert (game.state.phase, game.state.active_side, game.state.turn) == ("MOVE", "blue", 1)


@pytest.mark.parametrize(("die", "side"), [(1, "red"), (2, "blue")])
def test_app_rolls(die, side):
    # FS-SET-08
    game = Game({"first_player": "app_rolls"})
    teams(game)
    assert game.option("first") is None
    with pytest.raises(Refused):
        game.do("first", value="blue")
    with pytest.raises(Refused):
        game.do("roll_first", dice=(3,))
    game.do("roll_first", dice=(die,))
    assert game.state.active_side == side


def test_phases_come_in_order():
    # FS-SET-06
    game = Game()
    for kind in (
        "roster_done",
        "deploy_done",
        "first",
        "roll_first",
        "done",
        "shoot",
        "roll",
        "dodge",
        "fire",
        "enough",
        "concede",
        "answer",
        "accept",
        "bumped",
        "report",
        "noshoot",
        "decline",
    ):
        with pytest.raises(Refused):
            game.do(kind, side="red", figure_id="x", value="red")


@pytest.mark.parametrize("count", range(2, 7))
def test_team_count(count):
    game = Game({"team_count": count})
    assert len(game.state.sides) == count
    assert Game(sides=game.state.sides).state.sides == game.state.sides
    with pytest.raises(Refused):
        Game({"team_count": count}, sides=("red",))


def test_a_model_without_its_base_is_told_once():
    # FS-SET-04
    from engine.table import Base, BaseShape

    game = placed()
    assert "FS-FLAG-18" not in [line.event.rule for line in game.referee.lines]
    lines = game.put("r1", (104.0, 28.0), base=Base(BaseShape.CIRCLE, 10.0))
    told = [line.event.figure_id for line in lines if line.event.rule == "FS-FLAG-18"]
    assert told == ["r1"]
    lines = game.put("r1", (104.0, 36.0))
    assert "FS-FLAG-18" not in [line.event.rule for line in lines]
