"""Before the first turn: forces, numbers, the roll-off, edges and placing."""

import pytest

from engine.errors import Refused
from engine.referee import Referee
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.game import Playmobil
from tests.engine.playmobil.battle import FIELD, battle, deployed, kind, last, mustered, refused
from tests.engine.tables import box

SOLDIER = [("light_infantry", (600, 600))]


def test_two_sides_and_six_faces():
    """PM-GEN-04, PM-GEN-05."""
    with pytest.raises(Refused) as wrong:
        Referee(Playmobil(), {}, ("red",))
    assert wrong.value.rule == "PM-GEN-05"
    assert Referee(Playmobil(), {}, ("lions", "eagles")).state.sides == ("lions", "eagles")
    game = mustered(SOLDIER, SOLDIER)
    game.do("ready")
    assert refused(game, "roll_off", dice=(7, 1)).rule == "PM-GEN-04"


def test_types_and_equipment():
    """PM-PREP-08, PM-THROW-01, PM-THROW-08, PM-ELE-09, PM-ELE-12, PM-ELE-21, PM-CHAR-05, 12."""
    game = mustered(
        [("light_infantry", (0, 0)), ("infantry_archer", (0, 0)), ("war_elephant", (0, 0)),
         ("chariot", (0, 0)), ("artillery", (0, 0))], SOLDIER,
    )  # fmt: skip
    assert refused(game, "type", figure_id="r1", value="wizard").rule == "PM-PREP-08"
    game.do("thrown", figure_id="r1", numbers=(2.0,))
    assert game.unit("r1").mark("thrown") == 2
    assert refused(game, "thrown", figure_id="r2", numbers=(1.0,)).rule == "PM-THROW-01"
    assert refused(game, "thrown", figure_id="r1", numbers=(10.0,)).rule == "PM-THROW-08"
    assert refused(game, "bow", figure_id="r1", value="longbow").rule == "PM-ARCH-03"
    assert refused(game, "torch", figure_id="r3").rule == "PM-PREP-08"
    assert game.unit("r3_man1").mark("aboard") == "r3"
    game.do("crew", figure_id="r3", numbers=(3.0,))
    assert kind(game, "r3_man3") == "light_infantry"
    game.do("crew", figure_id="r3", numbers=(2.0,))
    assert game.state.unit("r3_man3") is None
    assert refused(game, "crew", figure_id="r3", numbers=(5.0,)).rule == "PM-ELE-21"
    assert refused(game, "crew", figure_id="r4", numbers=(2.0,)).rule == "PM-ELE-21"
    game.do("type", figure_id="r3_man1", value="infantry_archer")
    assert refused(game, "type", figure_id="r4_man1", value="light_cavalry").rule == "PM-ELE-12"
    game.do("piece", figure_id="r5", value="cannon")
    assert refused(game, "piece", figure_id="r1", value="cannon").rule == "PM-ART-09"


def test_one_general_a_side():
    """PM-GENL-05."""
    game = mustered([("general_foot", (0, 0)), ("light_infantry", (0, 0))], SOLDIER)
    error = refused(game, "type", figure_id="r2", value="general_mounted")
    assert error.rule == "PM-GENL-05"
    game.do("type", figure_id="b1", value="general_mounted")


def test_balance_is_told_and_nobody_is_stopped():
    """PM-PREP-02."""
    game = mustered([("war_elephant", (0, 0)), ("heavy_infantry", (0, 0))], SOLDIER)
    lines = game.do("ready")
    told = [line.event for line in lines if line.event.kind == "balance"]
    assert [(e.side, e.number("men"), e.number("attack"), e.number("defend")) for e in told] == [
        ("red", 2, 5, 6), ("blue", 1, 1, 1),
    ]  # fmt: skip


def test_the_roll_and_the_edges():
    """PM-PREP-04 to 06, PM-TURN-01."""
    game = mustered(SOLDIER, SOLDIER)
    game.do("ready")
    game.do("roll_off", dice=(4, 4))
    assert game.state.phase == "ROLL_OFF"
    game.do("roll_off", dice=(5, 2))
    assert (game.state.phase, game.state.active_side) == ("CHOOSE_EDGE", "red")
    assert "Red picks an edge, Blue starts" in game.said()[-1]
    assert refused(game, "edge", side="blue", value="south").rule == "PM-PREP-05"
    assert refused(game, "edge", value="middle").rule == "PM-PREP-05"
    game.do("edge", value="south")
    marks = dict(game.state.marks)
    assert (marks["edge_red"], marks["edge_blue"]) == ("south", "north")
    game.do("ready")
    assert game.state.active_side == "blue"
    game.do("ready")
    assert (game.state.phase, game.state.active_side) == ("ACT", "blue")


def test_the_strip_is_one_foot():
    """PM-PREP-07, PM-GEO-14, PM-GEO-20."""
    game = mustered(SOLDIER, SOLDIER, {"geom.close_policy": "ask"})
    game.do("ready")
    game.do("roll_off", dice=(6, 1))
    game.do("edge", value="south")
    flag = last(game.put("r1", (600, 310)), "flagged")
    assert (flag.rule, flag.number("moved_mm")) == ("PM-PREP-07", 326.0)
    assert "sticks out of the strip by 21" in game.said()[-1]
    assert refused(game, "ready").rule == "PM-PREP-07"
    game.put("r1", (600, 289))
    assert game.state.question.rule == "PM-GEO-14"
    game.do("answer", value="no")
    game.put("r1", (600, 280))
    assert not game.unit("r1").mark("open")
    last(game.put("r1", (600, -10)), "flagged")
    game.put("r1", (600, 100))
    game.do("ready")
    assert last(game.put("r1", (700, 100)), "flagged").text("code") == "MOVED"


def test_who_is_not_placed_is_left_out():
    """PM-PREP-07."""
    game = mustered([*SOLDIER, ("chariot", (0, 0))], SOLDIER)
    del game.figures["r2"]
    game.look()
    game.do("ready")
    game.do("roll_off", dice=(6, 1))
    game.do("edge", value="south")
    assert refused(game, "ready").rule == "PM-PREP-07"
    game.do("leave_out", figure_id="r2")
    assert not game.unit("r2_man1").alive
    game.do("ready")


def test_walls_are_agreed_too():
    """PM-PREP-09, PM-WALL-02, PM-WALL-03."""
    terrain = (box("w1", 300, 600, 700, 620, 90.0), box("w2", 800, 600, 900, 620, 90.0))
    game = mustered([*SOLDIER, ("battering_ram", (0, 0))], SOLDIER, terrain=terrain)
    game.do("wall", value="w1:stone_slanted")
    assert dict(game.state.marks)["wall_hits_w1"] == 6
    assert refused(game, "wall", value="w9:stone").rule == "PM-WALL-02"
    game.do("ready")
    asked = []
    while game.state.question is not None:
        asked.append(game.state.question.question_id)
        game.do("answer", value="fewer" if game.state.question.text.startswith("Wall w2: three")
                else "yes")  # fmt: skip
    assert asked == ["agree/r2", "agree/wall:w2", "agree/wall:w2"]
    assert dict(game.state.marks)["wall_hits_w2"] == 2
    assert game.unit("r2").mark("hits_agreed") == 2


def test_artillery_that_cannot_be_attacked_has_no_numbers():
    """PM-SIEGE-13, PM-ART-14."""
    game = mustered(
        [*SOLDIER, ("artillery", (0, 0))], SOLDIER, {"pm.siege.artillery_is_engine": False}
    )
    game.do("ready")
    assert game.state.phase == "ROLL_OFF"


def test_an_army_list_may_name_type_and_gear():
    """PM-PREP-08."""
    game = mustered([*SOLDIER, *SOLDIER], SOLDIER)
    game.do("assign", figure_id="r3", side="red", items=("heavy_spearman", "javelin"))
    option = game.option("thrown", "r3")
    assert option is not None
    assert "heavy spearman" in game.option("type", "r3").hint
    assert "1 to throw" in game.option("type", "r3").hint


def test_turns_are_counted_and_forgotten():
    """PM-TURN-07 to 09, PM-TURN-03."""
    game = battle(SOLDIER, [("light_infantry", (600, 1000))], {"pm.turn.clock": "little_wars"})
    assert any("About 1 minute." in said for said in game.said())
    game.put("r1", (600, 700))
    assert game.unit("r1").mark("moved") is True
    game.do("done")
    assert game.state.active_side == "blue"
    assert refused(game, "done", side="red").rule == "PM-TURN-04"
    game.do("done")
    assert game.unit("r1").mark("moved") is None
    assert dict(game.state.marks)["turn_red"] == 2


def test_the_last_side_with_a_man_wins():
    """PM-END-01, PM-GENL-04."""
    game = battle(SOLDIER, [("light_infantry", (600, 640))])
    game.do("melee", figure_id="r1", target_id="b1")
    game.do("roll", dice=(6, 1))
    assert game.state.outcome == "red"
    assert game.said()[-1] == "Only Red has men left. Red wins."
    assert game.referee.options() == ()
    game = battle(SOLDIER, [("general_foot", (600, 640)), ("light_infantry", (900, 900))])
    game.do("melee", figure_id="r1", target_id="b1")
    game.do("roll", dice=(6, 1, 1))
    assert game.state.outcome is None
    lost = battle(
        SOLDIER,
        [("general_foot", (600, 640)), ("light_infantry", (900, 900))],
        {"pm.general.death": "lose_game"},
    )
    lost.do("melee", figure_id="r1", target_id="b1")
    rolled = lost.do("roll", dice=(6, 1, 1))
    assert last(rolled, "over").rule == "PM-GENL-04"
    quits = battle(SOLDIER, SOLDIER)
    quits.do("concede", side="red")
    assert quits.state.outcome == "blue"
    assert quits.said()[-1] == "Red gives up. Blue wins."


def test_what_is_said_before_the_game():
    """PM-ELE-18, PM-DICE-03."""
    game = mustered(SOLDIER, SOLDIER)
    assert "one lost attack kills an elephant" in game.option("ready").hint
    assert "highest" in game.option("ready").hint
    assert all(option.meaning for option in (r.option for r in data().options.values()))
    assert deployed(game).state.turn == 1
    assert FIELD[0] > FIELD[1]
