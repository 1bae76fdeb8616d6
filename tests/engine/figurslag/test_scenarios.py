"""The scripted sequences of the rules (7.3), through the referee and tables in millimetres."""

import pytest

from engine.announce import Level
from engine.errors import Refused
from tests.engine.tables import Game, began, facing_off, teams


def refusal(game: Game, kind: str, **fields: object) -> str | None:
    with pytest.raises(Refused) as error:
        game.do(kind, **fields)
    return error.value.rule


def test_sc_01_far_mover_may_not_shoot():
    # FS-TURN-05
    game = facing_off(red={"r3": (300, 100)}, blue={"b1": (300, 300)})
    game.put("r3", (300, 220))
    assert game.unit("r3").mark("mode") == "far"
    game.do("done")
    assert refusal(game, "shoot", figure_id="r3", target_id="b1") == "FS-FLAG-02"


def test_sc_02_still_two_gun_model_splits_fire_after_a_kill():
    game = facing_off(
        red={"r1": (300, 150)},
        blue={"b1": (300, 256), "b2": (417, 150), "b3": (204, 150)},
    )
    game.do("done")
    shoot = game.option("shoot", "r1")
    assert "3 shots" in shoot.text
    game.do("shoot", figure_id="r1", target_id="b1", dice=(5, 2))
    assert not game.unit("b1").alive
    assert "2 shots" in game.option("shoot", "r1").text
    far = game.target("r1", "b2")
    assert (far.allowed, far.rule) == (True, "FS-FLAG-19"), "10.1 is within 3 mm: asked"
    strict = facing_off(
        {"boundary_policy": "strict_reading"},
        red={"r1": (300, 150)},
        blue={"b1": (300, 256), "b2": (417, 150), "b3": (204, 150)},
    )
    strict.do("done")
    strict.do("shoot", figure_id="r1", target_id="b1", dice=(5, 2))
    assert refusal(strict, "shoot", figure_id="r1", target_id="b2") == "FS-FLAG-06"
    assert "2 shots" in strict.option("shoot", "r1").text
    strict.do("shoot", figure_id="r1", target_id="b3", dice=(2,))
    assert any(text.endswith("Miss. 1 shot left: another target?") for text in strict.said())
    assert "1 shot" in strict.option("shoot", "r1").text


@pytest.mark.parametrize("phase", ["MOVE", "SHOOT"])
def test_sc_03_an_accidental_fall_is_no_death(phase):
    # FS-HIT-06
    game = began()
    if phase == "SHOOT":
        game.do("done")
    seen = game.state.seq
    game.lay("b2")
    assert game.unit("b2").alive
    (said,) = game.referee.announcements(seen)
    assert said.level is Level.ASK
    assert said.text == "Blue 2 lies down but was not shot. Stand it up, please."


def test_sc_04_out_and_back_is_not_still():
    # FS-MOVE-08
    game = began()
    game.put("r3", (220, 60))
    game.put("r3", (220, 20))
    assert game.unit("r3").mark("mode") == "normal"
    game.do("done")
    assert "1 shot:" in game.option("shoot", "r3").hint


def test_sc_05_last_model():
    # FS-WIN-01
    game = facing_off(red={"r1": (300, 150)}, blue={"b1": (300, 250), "b2": (330, 240)})
    for name in ("b3", "b4", "b5"):
        game.do("assign", figure_id=name)  # nobody's any more
    game.do("done")
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6, 1))
    assert (game.state.phase, game.state.outcome) == ("SHOOT", None)
    game.do("shoot", figure_id="r1", target_id="b2", dice=(6, 1))
    assert (game.state.phase, game.state.outcome) == ("OVER", "red")
    assert game.said()[-1] == "Blue has nobody left. Red wins with 5 survivors."
    assert game.referee.options() == ()
    with pytest.raises(Refused):
        game.do("done")


def test_sc_06_phases_in_step():
    # FS-TURN-06
    game = facing_off(
        {"turn_order": "phase_by_phase"},
        red={"r1": (300, 150)},
        blue={"b1": (300, 256), "b3": (330, 250)},
    )
    game.do("done")
    assert (game.state.phase, game.state.active_side) == ("MOVE", "blue")
    game.do("done")
    assert (game.state.phase, game.state.active_side) == ("SHOOT", "red")
    assert any(text.startswith("All have moved. Red shoots.") for text in game.said())
    game.do("shoot", figure_id="r1", target_id="b1", dice=(5, 2))
    assert not game.unit("b1").alive
    game.do("done")
    assert (game.state.phase, game.state.active_side) == ("SHOOT", "blue")
    assert refusal(game, "shoot", figure_id="b1", target_id="r1") == "FS-FLAG-11"
    game.do("done")
    assert (game.state.phase, game.state.active_side, game.state.turn) == ("MOVE", "red", 2)


def test_sc_07_struck_but_shoots_before_it_falls():
    game = facing_off(
        {"turn_order": "phase_simultaneous"},
        red={"r1": (300, 150), "r2": (330, 150)},
        blue={"b1": (300, 256)},
    )
    game.do("done")
    game.do("done")
    game.do("shoot", figure_id="r1", target_id="b1", dice=(5, 2))
    assert game.unit("b1").alive
    assert game.unit("b1").mark("struck") is True
    assert refusal(game, "shoot", figure_id="r2", target_id="b1") == "FS-FLAG-09"
    game.do("done")
    assert (game.state.phase, game.state.active_side) == ("SHOOT", "blue")
    game.do("shoot", figure_id="b1", target_id="r1", dice=(3,))
    assert game.unit("r1").alive
    game.do("done")
    assert not game.unit("b1").alive
    assert (game.state.phase, game.state.turn) == ("MOVE", 2)


def test_sc_08_giving_up():
    # FS-WIN-03
    game = began()
    game.do("concede", side="blue")
    assert game.state.phase == "CONCEDE"
    assert game.state.question.text == "Blue wants to give up. Sure?"
    game.do("answer", value="yes")
    assert (game.state.phase, game.state.outcome) == ("OVER", "red")
    assert "Blue is out; its models leave the table (house rule)." in game.said()


def test_giving_up_can_be_taken_back():
    game = began()
    game.do("done")
    game.do("concede", side="blue")
    game.do("answer", value="no")
    assert (game.state.phase, game.state.active_side) == ("SHOOT", "red")
    assert game.said()[-1] == "Blue plays on."


def test_a_shot_under_way_is_finished_before_a_team_leaves():
    game = facing_off({"team_count": 2}, red={"r1": (300, 150)}, blue={"b1": (300, 256)})
    game.do("done")
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6,))
    assert game.state.phase == "DODGE"
    game.do("concede", side="blue")
    game.do("answer", value="yes")
    assert game.state.phase == "DODGE", "the dodge is still rolled"
    game.do("dodge", dice=(4,))
    assert (game.state.phase, game.state.outcome) == ("OVER", "red")


def given_up(*sides: str, last: str = "yes") -> Game:
    """Three teams; some give up while Blue has to dodge, the last of them with ``last``."""
    game = Game(sides=("red", "blue", "green"))
    teams(game)
    game.shift(r1=(300, 150), b1=(300, 256))
    for unit in game.state.units:
        if unit.mark("open"):
            game.do("accept", figure_id=unit.figure_id)
    game.do("first", value="red")
    game.do("done")
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6,))
    for side in sides:
        game.do("concede", side=side)
        game.do("answer", value=last if side == sides[-1] else "yes")
    return game


def giving_up(game: Game) -> set[str | None]:
    return {option.side for option in game.referee.options() if option.kind == "concede"}


def test_who_leaves_after_the_shot_is_not_asked_again():
    # FS-WIN-03
    game = given_up("blue")
    assert giving_up(game) == {"red", "green"}
    assert refusal(game, "concede", side="blue") == "FS-WIN-03"
    game.do("dodge", dice=(4,))
    assert (game.state.phase, giving_up(game)) == ("SHOOT", {"red", "green"})


def test_two_teams_leave_after_the_same_shot():
    # FS-WIN-03
    game = given_up("blue", "green")
    game.do("dodge", dice=(4,))
    assert (game.state.phase, game.state.outcome) == ("OVER", "red")


def test_who_plays_on_keeps_nobody_else_from_leaving():
    # FS-WIN-03
    game = given_up("blue", "green", last="no")
    game.do("dodge", dice=(4,))
    assert "Blue is out; its models leave the table (house rule)." in game.said()
    assert {u.side for u in game.state.units if u.alive} == {"red", "green"}
    assert game.state.outcome is None


def test_a_whole_game_by_the_programs_dice():
    """Both teams stand still and shoot till one is left."""
    at = {
        f"{side}{i}": (150.0 + 60 * i, 150.0 if side == "r" else 230.0)
        for side in "rb"
        for i in range(1, 6)
    }
    game = facing_off(
        red={k: v for k, v in at.items() if k[0] == "r"},
        blue={k: v for k, v in at.items() if k[0] == "b"},
    )
    for _ in range(2000):
        if game.state.phase == "OVER":
            break
        shots = [
            (option.figure_id, target.figure_id, option.value)
            for option in game.referee.options()
            if option.kind == "shoot"
            for target in option.targets
            if target.allowed and target.rule != "FS-FLAG-19"
        ]
        if game.state.phase == "SHOOT" and shots:
            shooter, target, weapon = shots[0]
            game.do("shoot", figure_id=shooter, target_id=target, value=weapon)
        else:
            game.do("done")
        for unit in game.state.units:
            if not unit.alive and not unit.mark("laid"):
                game.lay(unit.figure_id)
    assert game.state.outcome in ("red", "blue")
    loser = "blue" if game.state.outcome == "red" else "red"
    assert not [u for u in game.state.units if u.side == loser and u.alive]
