"""Turn orders, the turn limit, the end, and teams that give up."""

import pytest

from engine.errors import Refused
from tests.engine.tables import Game, began, facing_off, teams


def walk(game, steps):
    """Phase, team and turn after each "done"."""
    seen = []
    for _ in range(steps):
        game.do("done")
        seen.append((game.state.phase, game.state.active_side, game.state.turn))
    return seen


def armed(options, sides=("red", "blue", "green"), first="red"):
    game = Game(options, sides=sides)
    teams(game)
    game.do("first", value=first)
    return game


def test_player_by_player():
    # FS-TURN-01, FS-TURN-02
    game = began()
    assert walk(game, 4) == [
        ("SHOOT", "red", 1),
        ("MOVE", "blue", 1),
        ("SHOOT", "blue", 1),
        ("MOVE", "red", 2),
    ]


def test_player_by_player_with_three_teams_from_the_second():
    game = armed({}, first="blue")
    assert [side for phase, side, _ in walk(game, 8) if phase == "MOVE"] == [
        "green",
        "red",
        "blue",
        "green",
    ]
    assert game.state.turn == 2


@pytest.mark.parametrize("order", ["phase_by_phase", "phase_simultaneous"])
@pytest.mark.parametrize("first", ["same_every_turn", "alternate"])
def test_phases_in_step(order, first):
    # FS-TURN-06
    game = armed({"turn_order": order, "phase_first": first})
    seen = walk(game, 12)
    assert [(phase, side) for phase, side, turn in seen if turn == 1] == [
        ("MOVE", "blue"),
        ("MOVE", "green"),
        ("SHOOT", "red"),
        ("SHOOT", "blue"),
        ("SHOOT", "green"),
    ]
    begins = "blue" if first == "alternate" else "red"
    assert seen[5] == ("MOVE", begins, 2)
    assert seen[11] == ("MOVE", "green" if first == "alternate" else "red", 3)


def test_done_belongs_to_the_team_at_work():
    game = began()
    with pytest.raises(Refused) as error:
        game.do("done", side="blue")
    assert error.value.rule == "FS-FLAG-10"


def test_a_team_that_cannot_shoot_is_passed_over():
    game = facing_off()
    for name in ("r1", "r2", "r3", "r4", "r5"):
        x, _ = game.figures[name].position_mm
        game.put(name, (x, 150.0))
    game.do("done")
    assert (game.state.phase, game.state.active_side) == ("MOVE", "blue")


def test_the_last_shot_ends_the_phase():
    game = facing_off(red={"r1": (300, 150)}, blue={"b1": (300, 240)})
    for name in ("r2", "r3", "r4", "r5"):
        x, _ = game.figures[name].position_mm
        game.put(name, (x, 150.0))
    game.do("done")
    for _ in range(3):
        game.do("shoot", figure_id="r1", target_id="b1", dice=(1,))
    assert (game.state.phase, game.state.active_side) == ("MOVE", "blue")


def test_turn_limit_gives_it_to_the_survivors():
    # FS-WIN-02
    game = facing_off({"turn_limit": 1}, red={"r1": (300, 150)}, blue={"b1": (300, 240)})
    game.do("done")
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6, 1))
    walk(game, 3)
    assert (game.state.phase, game.state.outcome) == ("OVER", "red")
    assert game.said()[-1] == "The turns are over. Red wins with 5 survivors."


@pytest.mark.parametrize("order", ["player_by_player", "phase_by_phase"])
def test_turn_limit_and_equal_numbers_is_a_draw(order):
    game = began({"turn_limit": 2, "turn_order": order})
    seen = walk(game, 8)
    assert [turn for _, _, turn in seen[:-1]] == [1, 1, 1, 2, 2, 2, 2]
    assert (game.state.phase, game.state.outcome) == ("OVER", "draw")
    assert game.said()[-1] == "A draw."


def test_all_struck_together_is_a_draw():
    game = facing_off(
        {"turn_order": "phase_simultaneous"}, red={"r1": (300, 150)}, blue={"b1": (300, 240)}
    )
    for side in "rb":
        for i in range(2, 6):
            game.do("assign", figure_id=f"{side}{i}")
    walk(game, 2)
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6, 1))
    game.do("done")
    game.do("shoot", figure_id="b1", target_id="r1", dice=(6, 1))
    game.do("done")
    assert (game.state.phase, game.state.outcome) == ("OVER", "draw")


@pytest.mark.parametrize("order", ["player_by_player", "phase_by_phase", "phase_simultaneous"])
def test_a_team_at_work_gives_up(order):
    game = armed({"turn_order": order})
    game.do("concede", side="red")
    game.do("answer", value="yes")
    assert game.state.outcome is None
    assert (game.state.phase, game.state.active_side) == ("MOVE", "blue")
    for _ in range(12):
        game.do("done")
        assert game.state.active_side != "red"
    with pytest.raises(Refused):
        game.do("concede", side="red")
    game.do("concede", side="green")
    game.do("answer", value="yes")
    assert game.state.outcome == "blue"


def test_another_team_gives_up():
    game = armed({})
    game.do("done")
    game.do("concede", side="green")
    game.do("answer", value="yes")
    assert (game.state.phase, game.state.active_side) == ("SHOOT", "red")
    assert [side for phase, side, _ in walk(game, 4) if phase == "MOVE"] == ["blue", "red"]


@pytest.mark.parametrize("stay", ["removed", "stay"])
def test_models_of_a_team_that_gave_up(stay):
    game = Game({"conceded_models": stay, "move_path": "straight"}, sides=("red", "blue", "green"))
    teams(game)
    game.do("first", value="red")
    game.put("g1", (100.0, 60.0))
    game.do("accept", figure_id="g1")
    game.do("concede", side="green")
    game.do("answer", value="yes")
    game.put("r1", (100.0, 100.0))
    assert (game.unit("r1").mark("open_rule") == "FS-FLAG-14") is (stay == "stay")
    game.put("r1", (100.0, 20.0))
    lines = game.put("g1", (100.0, 150.0))
    assert ("FS-FLAG-21" in [x.event.rule for x in lines]) is (stay == "stay")
    game.do("done")
    with pytest.raises(Refused) as error:
        game.do("shoot", figure_id="r1", target_id="g1")
    assert error.value.rule == "FS-FLAG-21"
    with pytest.raises(Refused) as error:
        game.do("shoot", figure_id="g1", target_id="r1")
    assert error.value.rule == "FS-FLAG-21"


def test_giving_up_needs_a_team_and_play():
    game = began()
    with pytest.raises(Refused):
        game.do("concede", side="pink")
    game.do("concede", side="red")
    with pytest.raises(Refused):
        game.do("concede", side="blue")
    with pytest.raises(Refused):
        game.do("answer", value="perhaps")
    with pytest.raises(Refused):
        Game().do("concede", side="red")


def test_two_teams_cannot_both_give_up():
    game = began()
    game.do("concede", side="red")
    game.do("answer", value="yes")
    assert game.state.outcome == "blue"
    with pytest.raises(Refused):
        game.do("concede", side="blue")


def test_the_shooter_gives_up_in_the_middle_of_declared_shots():
    game = facing_off(
        {"split_fire": "declare_first"}, red={"r1": (300, 150)}, blue={"b1": (300, 240)}
    )
    game.do("done")
    for _ in range(3):
        game.do("shoot", figure_id="r1", target_id="b1")
    game.do("concede", side="red")
    game.do("answer", value="yes")
    assert game.state.phase == "HIT"
    game.do("roll", dice=(1,))
    assert (game.state.phase, game.state.outcome) == ("OVER", "blue")
