"""SETUP, ROLL_OFF and deployment through the referee."""

from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.rulesets import by_id
from engine.table import Seen
from tests.engine.deathzap.skirmish import deployed, fighter, recruited, skirmish
from tests.engine.tables import Game, box

RED = [("Soldier", 5, (300, 100)), ("Warrior", 5, (340, 100)), ("Sniper", 5, (380, 100))]
BLUE = [("Beast", 5, (300, 500)), ("Drone", 5, (340, 500)), ("Mech", 5, (380, 500))]


def test_fighters_get_a_side_a_class_and_might():
    """DZ-WB-01, DZ-WB-05, DZ-WB-13: only before play."""
    game = recruited(RED, BLUE)
    unit = game.unit("r1")
    assert (unit.side, unit.equipment, unit.mark("might")) == ("red", ("Soldier",), 5)
    assert "Red: 3 fighters, 15 points, 2 basic." in game.option("warband").hint
    with pytest.raises(Refused, match="one of") as refused:
        game.do("class", figure_id="r1", value="Wizard")
    assert refused.value.rule == "DZ-WB-02"
    for number in (0.0, 2.5, -1.0):
        with pytest.raises(Refused) as refused:
            game.do("might", figure_id="r1", numbers=(number,))
        assert refused.value.rule == "DZ-WB-12"
    with pytest.raises(Refused) as refused:
        game.do("might", figure_id="r1", numbers=(21.0,))
    assert refused.value.rule == "DZ-WB-06"
    with pytest.raises(Refused, match="no such figure"):
        game.do("join", figure_id="nobody", value="red")
    with pytest.raises(Refused, match="already"):
        game.do("join", figure_id="r1", value="red")
    game.figures["x"] = fighter("x", (500.0, 300.0))
    game.look()
    with pytest.raises(Refused) as refused:
        game.do("join", figure_id="x", value="green")
    assert refused.value.rule == "DZ-GEN-05"
    deployed(game)
    with pytest.raises(Refused) as refused:
        game.do("might", figure_id="r1", numbers=(3.0,))
    assert refused.value.rule == "DZ-WB-13"


def test_two_players():
    """DZ-GEN-05."""
    for sides in (("red",), ("red", "blue", "green"), ("red", "red")):
        with pytest.raises(Refused) as refused:
            by_id("deathzap").begin({}, sides)
        assert refused.value.rule == "DZ-GEN-05"


@pytest.mark.parametrize(
    ("band", "rule", "said"),
    [
        ([("Soldier", 11), ("Warrior", 10)], "DZ-WB-06", "2 fighters, 21 points"),
        ([("Drone", 1)] * 11, "DZ-WB-07", "more than ten"),
        ([("Soldier", 1), ("Gunner", 1), ("Sniper", 1)], "DZ-WB-08", "at least 2 basic"),
        ([("Drone", 1)] * 3 + [("Mech", 1)] * 3, "DZ-WB-09", "two rare"),
    ],
)
def test_illegal_warbands_are_told(band, rule, said):
    """DZ-WB-06, DZ-WB-07, DZ-WB-08, DZ-WB-09: the game waits until both are legal."""
    game = recruited([(kind, worth, (0, 0)) for kind, worth in band], BLUE)
    lines = game.do("ready")
    assert next(line.event.rule for line in lines) == rule
    assert game.state.phase == "SETUP"
    assert any(said in text for text in game.said())


def test_a_fighter_without_class_or_might_is_told():
    """DZ-WB-12."""
    game = recruited(RED, BLUE)
    game.do("assign", figure_id="r1", side="red", items=("Soldier", "Warrior"))
    assert game.do("ready")[0].event.rule == "DZ-WB-12"
    assert "WARBAND_MIGHT" in str(game.referee.lines[-2].event.values) + str(
        game.referee.lines[-1].event.values
    )
    empty = Game(ruleset="deathzap")
    with pytest.raises(Refused) as refused:
        empty.do("ready")
    assert refused.value.rule == "DZ-WB-01"


def test_losses_do_not_matter_later():
    """DZ-WB-13: a side with special fighters only plays on."""
    game = skirmish([("Gunner", 5, (300, 100)), ("Soldier", 5, (340, 100))], BLUE, pick="r1")
    game.lay("r2")
    game.do("fallen", figure_id="r2", value="removed")
    assert game.state.phase == "CHOOSE_ACTION"


def test_the_board_and_its_shrine():
    """DZ-BOARD-01, DZ-BOARD-02, DZ-GEO-21: a square in the middle of a larger table."""
    game = recruited(RED, BLUE, size=(1000.0, 800.0))
    square = game.option("ready").shapes[0].points_mm
    assert square[0] == pytest.approx((195.2, 95.2))
    assert square[2] == pytest.approx((804.8, 704.8))
    game.terrain = (box("rock", 100, 100, 120, 120, 50), box("altar", 480, 380, 520, 420, 60))
    game.look()
    assert "altar" in game.option("shrine").text
    game.do("shrine", value="rock")
    assert "rock" in game.option("shrine").text
    with pytest.raises(Refused) as refused:
        game.do("shrine", value="nothing")
    assert refused.value.rule == "DZ-BOARD-02"
    small = recruited(RED, BLUE, size=(400.0, 400.0))
    assert small.option("ready").shapes[0].points_mm[2] == (400.0, 400.0)


def test_no_shrine_is_said():
    """DZ-BOARD-02."""
    game = recruited(RED, BLUE)
    game.do("ready")
    assert "I see no Shrine in the middle of the board." in game.said()


def test_what_two_attacks_mean_is_shown_first():
    """DZ-GEN-09: shown before the roll-off; saying nothing keeps it."""
    game = recruited(RED, BLUE)
    game.do("ready")
    assert game.state.phase == "SETUP"
    assert [value for value, _ in game.state.question.choices] == [
        "last_attack",
        "any_survivor",
        "any_kill",
    ]
    with pytest.raises(Refused) as refused:
        game.do("answer", value="nonsense")
    assert refused.value.rule == "DZ-GEN-09"
    game.do("ready")
    assert game.state.phase == "ROLL_OFF"
    assert dict(game.state.options)["dz.chain.multi"] == "last_attack"
    game.do("undo")
    game.do("answer", value="any_kill")
    assert game.state.phase == "ROLL_OFF"
    assert dict(game.state.options)["dz.chain.multi"] == "any_kill"


def ready_to_roll():
    game = recruited(RED, BLUE)
    game.do("ready")
    game.do("answer", value="last_attack")
    return game


def test_the_roll_off():
    """DZ-DEP-01, DZ-DEP-03, DZ-GEN-02."""
    game = ready_to_roll()
    game.do("roll_off", dice=(4, 4))
    assert game.state.phase == "ROLL_OFF"
    assert "Red 4, Blue 4: a tie. Roll again." in game.said()
    for dice in ((4,), (1, 2, 3)):
        with pytest.raises(Refused) as refused:
            game.do("roll_off", dice=dice)
        assert refused.value.rule == "DZ-DEP-01"
    with pytest.raises(Refused) as refused:
        game.do("roll_off", dice=(7, 1))
    assert refused.value.rule == "DZ-GEN-02"
    game.do("roll_off", dice=(2, 5))
    assert (game.state.phase, game.state.active_side) == ("DEPLOY_FIRST", "blue")


def test_edges_and_strips():
    """DZ-DEP-01, DZ-DEP-02, DZ-DEP-04, DZ-DEP-05, DZ-GEO-20, DZ-GEO-22."""
    game = ready_to_roll()
    game.do("roll_off", dice=(5, 2))
    with pytest.raises(Refused) as refused:
        game.do("ready")
    assert refused.value.rule == "DZ-DEP-01"
    with pytest.raises(Refused) as refused:
        game.do("edge", side="blue", value="south")
    assert refused.value.rule == "DZ-DEP-01"
    game.do("edge", side="red", value="south")
    strips = game.option("ready").shapes
    assert strips[0].points_mm[2] == pytest.approx((609.6, 152.4))
    assert strips[1].points_mm[0] == pytest.approx((0.0, 457.2))
    game.put("r1", (60.0, 147.0))
    assert game.unit("r1").mark("open_code") == "DEPLOY_ZONE"
    assert "Red 1 sticks out of the zone by 5 millimetres." in game.said()
    assert game.option("ready") is None
    with pytest.raises(Refused) as refused:
        game.do("ready")
    assert refused.value.rule == "DZ-DEP-04"
    game.put("r1", (60.0, 142.0))
    assert game.unit("r1").mark("open") is None
    game.put("r1", (60.0, 5.0))
    assert game.unit("r1").mark("open_code") == "DEPLOY_ZONE"
    assert "Red 1 stands over the edge of the board." in game.said()
    game.put("r1", (60.0, 30.0))
    game.do("ready")
    assert (game.state.phase, game.state.active_side) == ("DEPLOY_SECOND", "blue")
    game.put("r1", (60.0, 60.0))
    assert game.unit("r1").mark("open_rule") == "DZ-DEP-05"
    game.put("r1", (60.0, 33.0))
    assert game.unit("r1").mark("open") is None
    game.put("b1", (60.0, 460.0))
    assert game.unit("b1").mark("open_rule") == "DZ-DEP-04"
    game.do("accept", figure_id="b1")
    game.do("ready")
    assert (game.state.phase, game.state.active_side) == ("PICK", "blue")


def test_another_edge_is_looked_at_anew():
    """DZ-DEP-01."""
    game = ready_to_roll()
    game.do("roll_off", dice=(5, 2))
    game.put("r1", (62.0, 40.0))  # before there is an edge
    assert game.unit("r1").mark("at_x") is None
    game.do("edge", value="north")
    assert game.unit("r1").mark("open_rule") == "DZ-DEP-04"
    game.do("edge", value="south")
    assert game.unit("r1").mark("open") is None


def test_close_to_the_strip_is_asked_where_agreed():
    """DZ-GEO-14, DZ-DEP-04."""
    game = recruited(RED, BLUE, {"geom.close_policy": "ask"})
    game.do("ready")
    game.do("answer", value="last_attack")
    game.do("roll_off", dice=(5, 2))
    game.do("edge", value="south")
    game.put("r1", (60.0, 143.0))
    assert game.state.question.figure_id == "r1"
    game.do("answer", value="no")
    assert game.unit("r1").mark("open_rule") == "DZ-DEP-04"
    game.put("r1", (60.0, 133.0))
    game.put("r1", (60.0, 143.0))
    game.do("answer", value="yes")
    assert game.unit("r1").mark("open") is None
    assert game.unit("r1").mark("at_y") == 143.0


def test_who_is_not_placed_is_left_out_by_agreement_only():
    """DZ-DEP-06."""
    game = recruited(RED, BLUE)
    del game.figures["r3"]
    game.look()
    game.do("ready")
    game.do("answer", value="last_attack")
    game.do("roll_off", dice=(5, 2))
    game.do("edge", value="south")
    with pytest.raises(Refused) as refused:
        game.do("ready")
    assert refused.value.rule == "DZ-DEP-06"
    with pytest.raises(Refused) as refused:
        game.do("leave_out", figure_id="r1")
    assert refused.value.rule == "DZ-DEP-06"
    assert game.option("leave_out", "r3") is not None
    game.do("leave_out", figure_id="r3")
    assert not game.unit("r3").alive
    game.do("ready")
    assert game.state.phase == "DEPLOY_SECOND"


def test_who_placed_second_acts_first():
    """DZ-CHAIN-01."""
    for first, other in (("red", "blue"), ("blue", "red")):
        game = deployed(recruited(RED, BLUE), first)
        assert (game.state.phase, game.state.active_side) == ("PICK", first)
        picks = {o.figure_id for o in game.referee.options() if o.kind == "pick"}
        assert picks == {f"{first[0]}{i}" for i in (1, 2, 3)}
        with pytest.raises(Refused) as refused:
            game.do("pick", figure_id=f"{other[0]}1")
        assert refused.value.rule == "DZ-CHAIN-05"


def test_a_table_without_known_edges_has_no_strips():
    """DZ-DEP-01: without corners nothing is measured against them."""
    game = deployed(recruited(RED, BLUE, size=None))
    assert game.state.phase == "PICK"
    game.figures["r1"] = replace(game.figures["r1"], seen=Seen.SEEN)
    game.do("pick", figure_id="r1")
    game.put("r1", (60.0, -30.0))
    assert game.unit("r1").mark("open") is None
