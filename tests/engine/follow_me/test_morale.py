"""Morale: who tests, what presses on them, and what they then do (FM-MORALE, FM-END)."""

import pytest

from engine.errors import Refused
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.moving import judge
from engine.rulesets.follow_me.orders import order_of
from engine.rulesets.follow_me.revealing import beaten
from engine.rulesets.follow_me.testing import due, outnumbered, pressed
from tests.engine.follow_me.battle import Battle, battle, last
from tests.engine.tables import box


def refused(game, kind, **fields):
    with pytest.raises(Refused) as caught:
        game.do(kind, **fields)
    return caught.value.rule


def field(game):
    return Field(game.state, game.table())


def order(game, name):
    return order_of(field(game), game.unit(name))


def fray(red=(), blue=(), options=None, dice=(3, 3), **fields):
    """One pair fights; MORALE has begun."""
    fields.setdefault("heroes", ((540, 380), (540, 440)))
    game = battle(
        [("orc_grunt", (600, 400)), *red], [("goblin", (600, 421)), *blue], options, **fields
    )
    game.to("MELEE_SPLIT")
    game.do("done")
    game.do("roll", value="0", dice=dice)
    game.obey()
    if game.state.phase == "MELEE_RESULTS":
        game.do("done")
    assert game.state.phase == "MORALE"
    return game


def trial(game, holder, die):
    return last(game.do("test", value=holder, dice=(die,)), "tested")


def test_groups_that_fought_test_once():
    """FM-MORALE-01 to 03, 07, 08, FM-TURN-07, FM-GEN-08: the whole contingent, one die."""
    game = fray()
    assert {u.figure_id for u in due(game.state)} == {"rh", "bh"}
    assert refused(game, "done") == "FM-MORALE-03"
    tested = trial(game, "rh", 3)
    assert (tested.dice, tested.number("total"), tested.text("result")) == ((3,), 3, "steady")
    assert refused(game, "test", value="rh") == "FM-MORALE-07"
    trial(game, "bh", 3)
    game.do("done")
    assert game.state.turn == 2


def test_casualties_make_a_group_test():
    """FM-MORALE-04, FM-MORALE-09: from arrows too."""
    game = battle(
        [("archer", (600, 300))],
        [("goblin", (600, 500)), ("goblin", (700, 500))],
        heroes=((540, 300), (540, 500)),
    )
    game.hold()
    game.do("done")
    game.do("done")
    game.do("volley", value="rh", dice=(6,))
    game.do("done")
    assert [u.figure_id for u in due(game.state)] == ["bh"]
    assert pressed(field(game), game.unit("bh")).commoners_this_turn == 1


def test_a_player_may_wish_for_a_test():
    """FM-MORALE-06: otherwise the step is passed over."""
    game = battle([("orc_grunt", (600, 100))], [("goblin", (600, 700))])
    game.hold()
    game.do("wish", figure_id="rh")
    assert refused(game, "wish", figure_id="r1") == "FM-MORALE-06"
    game.do("done")
    assert game.state.phase == "MORALE"
    assert [u.figure_id for u in due(game.state)] == ["rh"]
    trial(game, "rh", 4)
    assert game.option("test").value == "bh"
    game.do("done")
    assert game.state.turn == 2


def test_nobles_weigh_more():
    """FM-MORALE-11, 12, 17, 27: a leader's death is minus 3 and minus 1 for his absence."""
    game = battle([("orc_grunt", (600, 100)), ("orc_chief", (640, 100))], [("goblin", (600, 700))])
    for name in ("rh", "r2"):
        game.lay(name)
        game.do("fallen", figure_id=name, value="removed")
    press = pressed(field(game), game.unit("rh"))
    assert (press.nobles_this_turn, press.no_leader) == (2, True)
    game.hold()
    game.do("done")
    tested = trial(game, "rh", 6)
    assert tested.number("total") == 6 - 4 - 2 - 1 - 1  # outnumbered as well
    game.do("done")
    game.do("answer", value="no")
    press = pressed(field(game), game.unit("rh"))
    assert (press.nobles_this_turn, press.nobles_earlier) == (0, 2)


def test_nobles_may_count_once():
    """FM-MORALE-17: where it is agreed."""
    game = battle(
        [("orc_grunt", (600, 100)), ("orc_chief", (640, 100))],
        [("goblin", (600, 700))],
        {"fm.morale.noble_game_includes_this_turn": False},
    )
    game.lay("r2")
    game.do("fallen", figure_id="r2", value="removed")
    game.hold()
    game.do("done")
    assert trial(game, "rh", 6).number("total") == 4


def test_the_leader_has_to_be_near():
    """FM-MORALE-15, 19, FM-ACT-18: within 8 inches of one of his men."""
    near = fray(heroes=((600, 177), (540, 440)))
    assert not pressed(field(near), near.unit("rh")).no_leader
    far = fray(heroes=((600, 176), (540, 440)))
    assert pressed(field(far), far.unit("rh")).no_leader


def test_fighting_the_undead():
    """FM-MORALE-10, 28, 31: minus 1 for the living, nothing among the undead."""
    game = battle(
        [("orc_grunt", (600, 400))],
        [("undead_pirate", (600, 421))],
        heroes=((540, 380), (540, 440)),
    )
    game.to("MELEE_SPLIT")
    game.do("done")
    game.do("roll", value="0", dice=(3, 3))
    assert pressed(field(game), game.unit("rh")).fighting_undead
    assert not pressed(field(game), game.unit("bh")).fighting_undead
    assert trial(game, "rh", 3).number("total") == 2


def test_undead_men_do_not_fear_the_undead():
    """FM-MORALE-28: they test like everyone else."""
    game = battle(
        [("undead_pirate", (600, 400))],
        [("undead_pirate", (600, 421))],
        heroes=((540, 380), (540, 440)),
    )
    game.to("MELEE_SPLIT")
    game.do("done")
    game.do("roll", value="0", dice=(3, 3))
    assert trial(game, "rh", 3).number("total") == 3


OUT = {"side_in_sight": False, "contingent": True, "within_radius": False}


@pytest.mark.parametrize("scope", OUT)
def test_visibly_outnumbered(scope):
    """FM-MORALE-13, FM-MORALE-18: side against side in sight, or as agreed."""
    game = Battle({"fm.morale.outnumbered_scope": scope})
    for name, side, at, kind, led in (
        ("rA", "red", (300, 300), "hero_foot_light", ""),
        ("rB", "red", (900, 300), "hero_foot_light", ""),
        ("r1", "red", (300, 340), "orc_grunt", "rA"), ("r2", "red", (900, 340), "orc_grunt", "rB"),
        ("bh", "blue", (350, 800), "hero_foot_light", ""),
        ("b1", "blue", (300, 420), "goblin", ""), ("b2", "blue", (330, 600), "goblin", ""),
        ("b3", "blue", (280, 600), "goblin", ""),
    ):  # fmt: skip
        game.join(name, side, at, kind, led)
    game.do("ready")
    assert outnumbered(field(game), game.unit("rA")) is OUT[scope]


def test_who_is_not_seen_does_not_outnumber():
    """FM-MORALE-18: nor allies behind a wall."""
    wall = box("w", 0, 600, 1200, 620, 120.0, kind="building")
    blue = [("goblin", (560.0 + 30 * i, 700)) for i in range(5)]
    hidden = battle([("orc_grunt", (600, 100))], blue, terrain=(wall,))
    assert not outnumbered(field(hidden), hidden.unit("rh"))
    plain = battle([("orc_grunt", (600, 100))], blue)
    assert outnumbered(field(plain), plain.unit("rh"))


def test_shaken_men_go_no_nearer():
    """FM-MORALE-20, 21, 22, 29: for one turn; a hero is free (FM-MORALE-25)."""
    game = fray(blue=[("goblin", (300, 700))], red=[("orc_grunt", (400, 420))])
    assert trial(game, "rh", 2).text("result") == "shaken"
    assert trial(game, "bh", 4).text("stands") == "steady"
    assert game.mark("bh", "morale") is None
    game.do("done")
    assert [game.mark(hero, "morale") for hero in ("rh", "bh")] == ["shaken", None]
    game.do("follow", figure_id="rh")
    game.do("attack", figure_id="bh", value="rh")
    game.hold()
    assert last(game.put("b2", (330, 600)), "moved").rule == "FM-ACT-17"  # the steady may
    game.put("rh", (430, 470))
    found = last(game.put("r2", (400, 480)), "flagged")
    assert (found.text("code"), found.rule) == ("MORALE_FORBIDS", "FM-MORALE-22")
    assert judge(field(game), game.unit("rh"), game.figures["rh"]).code == ""
    game.put("r2", (400, 420))
    game.shift(r1=(100, 100))
    game.to("DECLARE", dice=6)
    assert game.mark("rh", "morale") is None


def test_who_falls_back_goes_straight_away():
    """FM-MORALE-23, 29, 30, FM-GEO-10: next turn, out of contact, no shot, then shaken."""
    game = fray(red=[("archer", (700, 380))])
    assert trial(game, "rh", 1).text("result") == "shaken"
    game = battle(
        [("orc_grunt", (600, 400)), ("archer", (700, 380))],
        [("goblin", (600, 421))],
        heroes=((100, 60), (540, 440)),
    )
    game.to("MELEE_SPLIT")
    game.do("done")
    game.do("roll", value="0", dice=(3, 3))
    assert trial(game, "rh", 1).text("result") == "fall_back"
    trial(game, "bh", 4)
    game.do("done")
    game.hold()
    assert order(game, "r1").kind == "fall_back"
    assert last(game.put("r1", (680, 421)), "flagged").text("code") == "FORCED"
    game.put("r1", (600, 250))
    assert game.mark("r1", "moved") == pytest.approx(150)
    game.do("done")
    assert "r2" not in game.offers("aim")
    lag = [line.event.figure_id for line in game.referee.lines if line.event.kind == "lagged"]
    assert lag == ["r2"]
    assert game.mark("rh", "morale") == "shaken"
    game.to("DECLARE")
    game.hold()
    game.to("DECLARE")
    assert game.mark("rh", "morale") is None


def running(**fields):
    """Red runs; turn 2 has begun."""
    game = battle(
        [("orc_grunt", (600, 200)), ("archer", (700, 380)), ("goblin", (900, 400))],
        [("goblin", (600, 221)), ("undead_pirate", (700, 401))],
        heroes=((100, 60), (540, 440)),
        **fields,
    )
    game.to("MELEE_SPLIT")
    game.do("done")
    game.do("roll", value="0", dice=(6, 3))
    game.do("roll", value="1", dice=(6, 3))
    game.obey()
    game.do("done")
    assert trial(game, "rh", 1).text("result") == "run"
    trial(game, "bh", 4)
    game.do("done")
    assert game.state.question.rule == "FM-END-01"
    game.do("answer", value="no")
    return game


def test_who_runs_is_lost_at_the_edge():
    """FM-MORALE-24, 25: towards the own edge, testing every turn, until it rallies."""
    game = running()
    alive = [u.figure_id for u in game.state.units if u.alive and u.side == "red"]
    assert alive == ["r3", "rh"]
    game.hold()
    assert order(game, "r3").kind == "run"
    assert order(game, "rh").kind == "free"
    assert last(game.put("r3", (900, 450)), "flagged").text("code") == "RUNS"
    game.put("r3", (900, 250))
    game.do("done")
    assert [u.figure_id for u in due(game.state)] == ["rh"]
    assert trial(game, "rh", 4).text("stands") == "run"
    game.do("done")
    game.do("answer", value="no")
    game.hold()
    game.put("r3", (900, 100))
    game.do("done")
    assert trial(game, "rh", 6).text("stands") == "shaken"


def test_a_running_group_is_beaten():
    """FM-ACT-21, FM-BIG-15: orders to attack it end."""
    game = running()
    game.hold()
    game.do("done")
    trial(game, "rh", 2)
    game.do("done")
    assert beaten(field(game), "rh", game.unit("bh"))
    assert not beaten(field(game), "bh", game.unit("rh"))


def test_running_off_the_table():
    """FM-MORALE-24: a figure that reaches the edge is lost and counts."""
    game = running()
    game.shift(r3=(900, 100))
    game.hold()
    left = last(game.put("r3", (900, 14)), "left")
    assert left.rule == "FM-MORALE-24"
    assert not game.unit("r3").alive
    assert game.mark("rh", "lost_commoners") == 1


def test_surprise_is_proposed_and_confirmed():
    """FM-MORALE-05, FM-MORALE-26: contacted by enemies of whom it had seen nobody."""
    wall = box("w", 400, 480, 700, 500, 60.0)
    game = battle(
        [("orc_grunt", (600, 440))],
        [("horseman", (600, 560)), ("goblin", (540, 560))],
        heroes=((540, 100), (540, 600)),
        terrain=(wall,),
    )
    game.hold()
    game.shift(b2=(621, 440))
    game.do("done")
    game.to("MELEE_SPLIT")
    game.do("done")
    game.do("roll", value="0", dice=(3, 3))
    assert game.state.question.rule == "FM-MORALE-26"
    while game.state.question is not None:
        game.do("answer", value="yes")
    assert game.mark("rh", "surprised") is True


def test_two_tests_by_agreement():
    """FM-MORALE-32: the second one stands, where it is agreed."""
    game = battle(
        [("orc_grunt", (600, 300))],
        [("orc_grunt", (600, 321))],
        {"fm.morale.two_tests": "last"},
        kinds=("mage", "hero_foot_light"),
        heroes=((500, 300), (560, 400)),
        spells=("fear fire heal flash gone safe", ""),
    )
    game.do("cast", figure_id="rh")
    game.hold()
    game.do("done")
    game.named("fear", "rh", target_id="b1")
    game.do("roll", dice=(2, 3))
    game.to("MORALE")
    assert trial(game, "bh", 6).text("stands") == "steady"


def test_insults_may_not_cheer():
    """FM-ACT-13: where it is agreed."""
    for cheers, total in ((True, 5), (False, 3)):
        game = battle(
            [("orc_grunt", (600, 400))],
            [("goblin", (600, 421))],
            {"fm.inspire.insult_cheers_own": cheers},
            heroes=((540, 380), (540, 440)),
        )
        game.do("insult", figure_id="rh", value="bh")
        game.to("MELEE_SPLIT")
        game.do("done")
        game.do("roll", value="0", dice=(3, 3))
        assert trial(game, "rh", 3).number("total") == total
        assert trial(game, "bh", 3).number("total") == 2


def test_only_the_total_is_told():
    """FM-MORALE-20: the players say what it means."""
    game = fray(options={"fm.morale.table": "announce_only"})
    assert trial(game, "rh", 2).text("result") == "told"
    assert refused(game, "test", value="bh") == "FM-MORALE-20"
    assert refused(game, "decide", value="panic") == "FM-MORALE-20"
    game.do("decide", value="fall_back")
    assert game.mark("rh", "morale") == "falling_back"
    trial(game, "bh", 2)
    game.do("decide", value="steady")
    game.do("done")
    assert game.state.turn == 2


def test_a_table_of_your_own():
    """FM-MORALE-20."""
    game = fray(
        options={
            "fm.morale.table": "custom",
            "fm.morale.custom.steady": 6,
            "fm.morale.custom.shaken": 5,
            "fm.morale.custom.fall_back": 3,
        }
    )
    assert trial(game, "rh", 3).text("result") == "fall_back"
    assert trial(game, "bh", 2).text("result") == "run"


def test_the_end_is_proposed():
    """FM-SET-11, FM-END-01: when a side has no hero; or the players go on."""
    game = battle([("orc_grunt", (600, 100))], [("goblin", (600, 700))])
    game.lay("bh")
    game.do("fallen", figure_id="bh", value="removed")
    game.hold()
    game.do("done")
    while game.state.question is None:
        game.step(6)
    assert game.state.question.rule == "FM-END-01"
    game.do("answer", value="no")
    assert (game.state.turn, game.state.phase) == (2, "DECLARE")
    while game.state.question is None:
        game.step(6)
    game.do("answer", value="yes")
    assert game.state.outcome == "red"
    assert refused(game, "hold", figure_id="rh") == "FM-END-01"


def test_giving_up():
    """FM-END-01: with more than two sides the others play on."""
    game = battle([], [])
    game.do("concede", side="red")
    assert game.state.outcome == "blue"
    game = Battle()
    for side in ("red", "blue", "green"):
        game.join(f"{side[0]}h", side, (100.0 + 200 * len(side), 100), "hero_foot_light")
    assert refused(game, "concede", side="red") == "FM-END-01"
    game.do("ready")
    game.do("concede", side="blue")
    assert game.state.outcome is None
    assert not game.unit("bh").alive
    game.do("concede", side="green")
    assert game.state.outcome == "red"


def test_dice_are_six_sided():
    """FM-GEN-08, FM-GEN-09: any other face is refused, breath too has no die of its own."""
    game = fray()
    assert refused(game, "test", value="rh", dice=(7,)) == "FM-GEN-08"
    assert refused(game, "roll", dice=(3,)) == "FM-GEN-08"
    assert refused(game, "dance") == "FM-ACT-01"
