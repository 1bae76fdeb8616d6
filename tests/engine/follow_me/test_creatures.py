"""Giants and Dragons: instructions, delays, guarding, morale (FM-BIG)."""

import pytest

from engine.errors import Refused
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.orders import nearest_group, order_of
from tests.engine.follow_me.battle import battle, last
from tests.engine.tables import box


def refused(game, kind, **fields):
    with pytest.raises(Refused) as caught:
        game.do(kind, **fields)
    return caught.value.rule


def order(game, name="r1"):
    return order_of(Field(game.state, game.table()), game.unit(name))


def lair(kind="giant", blue=(("goblin", (600, 700)),), options=None, at=(600, 140), **fields):
    fields.setdefault("heroes", ((600, 40), (1100, 860)))
    return battle([(kind, at)], blue, options, **fields)


def test_only_its_own_heroes_instruct_it_from_near():
    """FM-BIG-02, FM-BIG-03, FM-ACT-23: within 5 inches, and it is the hero's action."""
    game = lair(heroes=((600, 40), (640, 240)))
    assert game.option("instruct", "bh") is None
    assert refused(game, "instruct", figure_id="bh", value="r1|follow") == "FM-BIG-03"
    assert refused(game, "instruct", figure_id="rh", value="r1|dance") == "FM-ACT-23"
    game.do("instruct", figure_id="rh", value="r1|defend")
    assert refused(game, "instruct", figure_id="rh", value="r1|follow") == "FM-TURN-09"
    far = lair(at=(600, 200))
    assert far.option("instruct", "rh") is None
    assert refused(far, "instruct", figure_id="rh", value="r1|follow") == "FM-BIG-02"


def test_without_an_instruction_it_is_idle():
    """FM-BIG-01, FM-BIG-18: it stands, but fights who touches it."""
    game = lair(blue=(("goblin", (600, 171)),))
    game.hold()
    assert last(game.put("r1", (560, 100)), "flagged").text("code") == "IDLE"
    game.put("r1", (600, 140))
    game.to("MELEE_SPLIT")
    assert dict(game.state.marks)["fights"] == "b1|r1"


def test_attack_them_starts_after_a_die():
    """FM-BIG-04 to 06, FM-TURN-12: given in turn 1, rolled 2, it starts in turn 3."""
    wall = box("h", 0, 420, 1200, 440, 120.0, kind="building")
    assert lair(terrain=(wall,)).option("instruct_attack", "rh") is None
    game = lair()
    assert game.option("instruct_attack", "rh").dice == (1, 6)
    game.do("instruct_attack", figure_id="rh", value="r1|bh", dice=(2,))
    game.hold()
    kinds = {}
    for _ in range(3):
        kinds[game.state.turn] = order(game).kind
        game.to("DECLARE")
        game.hold()
    assert (kinds, order(game).kind) == ({1: "none", 2: "none", 3: "attack"}, "attack")
    assert "Red 2 now goes for Blue 1's group." in game.said()
    assert last(game.put("r1", (600, 100)), "flagged").text("code") == "WRONG_PREY"


def test_follow_me_after_a_turn_and_until_a_1():
    """FM-BIG-07 to 10: it follows from turn 2; from turn 3 it is rolled for, a 1 stops it."""
    game = lair()
    game.do("instruct", figure_id="rh", value="r1|follow")
    game.hold()
    assert order(game).code == "IDLE"
    game.to("DECLARE")
    assert game.state.turn == 2
    game.hold()
    assert (order(game).kind, order(game).who) == ("follow", "rh")
    game.put("rh", (700, 80))
    assert last(game.put("r1", (680, 140)), "moved").rule == "FM-ACT-09"
    game.to("UPKEEP")
    assert game.state.turn == 3
    game.do("roll", dice=(2,))
    assert game.state.phase == "DECLARE"
    game.to("UPKEEP")
    game.do("roll", dice=(1,))
    assert game.mark("r1", "instr") is None
    assert "Red 2 rolls 1: it has had enough and stops." in game.said()


def test_defending_it_sallies_and_returns():
    """FM-BIG-11, 12, 14, 21, FM-TURN-03: at the end of step 2, to the nearest within 8 inches."""
    game = lair(blue=(("goblin", (600, 380)), ("goblin", (800, 140))))
    game.do("instruct", figure_id="rh", value="r1|defend")
    game.do("attack", figure_id="bh", value="r1")
    game.put("b2", (700, 140))
    game.put("b1", (600, 320))
    game.do("done")
    assert game.state.phase == "SALLY"
    sallies = last(game.referee.lines, "sallies")
    assert (sallies.target_id, sallies.number("gap_mm")) == ("b2", pytest.approx(70.0))
    assert last(game.put("r1", (600, 200)), "flagged").text("code") == "WRONG_PREY"
    game.put("r1", (668, 140))
    game.do("done")
    game.to("MELEE_SPLIT")
    assert dict(game.state.marks)["fights"] == "b2|r1"
    game.do("done")
    game.do("roll", value="0", dice=(1, 6))
    game.to("DECLARE", dice=6)
    game.shift(b1=(100, 800))
    game.hold()
    game.do("done")
    assert game.state.phase == "SALLY"
    assert last(game.referee.lines, "goes_home").rule == "FM-BIG-12"
    game.put("r1", (600, 140))
    game.do("done")
    assert game.mark("r1", "at_x") == 600.0


def test_the_circle_may_be_measured_at_the_declaration():
    """FM-BIG-21: then it moves with the others."""
    options = {"fm.big_thing.guard_measured": "snapshot_A"}
    game = lair(blue=(("goblin", (600, 340)),), options=options)
    game.do("instruct", figure_id="rh", value="r1|defend")
    game.hold()
    assert (order(game).kind, order(game).who) == ("attack", "b1")
    game.put("r1", (600, 300))
    game.do("done")
    assert game.state.phase != "SALLY"


def test_at_will_it_goes_for_the_nearest():
    """FM-BIG-13, 14, 15, 16: at once; a running group is no longer worth it."""
    game = lair(blue=(("goblin", (600, 500)),), heroes=((600, 40), (600, 800)))
    game.do("instruct", figure_id="rh", value="r1|will")
    game.hold()
    assert (order(game).kind, order(game).who) == ("attack", "bh")
    field = Field(game.state, game.table())
    assert nearest_group(field, game.unit("r1")) == "bh"
    assert last(game.put("r1", (600, 394)), "moved").number("limit_mm") == pytest.approx(254)


def test_a_new_instruction_replaces_the_old_one():
    """FM-BIG-17: but until a delayed one starts the old one goes on."""
    game = lair()
    game.do("instruct", figure_id="rh", value="r1|will")
    game.to("DECLARE")
    game.do("instruct_attack", figure_id="rh", value="r1|bh", dice=(3,))
    game.hold()
    assert game.mark("r1", "instr") == "will"
    assert game.mark("r1", "next_turn") == 5
    game.to("DECLARE")
    game.do("instruct", figure_id="rh", value="r1|defend")
    game.hold()
    assert game.mark("r1", "instr") == "defend"
    assert game.mark("r1", "next_turn") is None


def test_it_may_run_when_it_was_hit():
    """FM-BIG-20: each hit is a commoner lost, nothing else counts; running it has no orders."""
    game = lair(blue=tuple(("crossbowman", (500.0 + 30 * i, 360)) for i in range(4)))
    game.do("instruct", figure_id="rh", value="r1|will")
    game.hold()
    game.do("done")
    for i in range(4):
        game.do("aim", figure_id=f"b{i + 1}", target_id="r1")
    game.do("done")
    game.do("volley", value="bh", dice=(6, 6, 6, 1))
    assert game.unit("r1").wounds == 3
    game.to("MORALE")
    tested = last(game.do("test", value="r1", dice=(1,)), "tested")
    assert (tested.number("total"), tested.text("result")) == (-2, "run")
    assert game.mark("r1", "instr") is None
    game.do("done")
    game.hold()
    assert order(game).kind == "run"


def test_a_dragon_breathes_when_told_to_attack():
    """FM-SHOOT-04, 18, 19, FM-BIG-18: it may move first, one breath at one target, then fight."""
    game = lair("dragon", blue=(("goblin", (600, 300)), ("goblin", (900, 300))))
    game.hold()
    game.do("done")
    assert game.state.phase == "DECLARE"
    game.do("instruct", figure_id="rh", value="r1|will")
    game.hold()
    game.put("r1", (600, 269))
    game.do("done")
    assert game.state.phase == "SHOOT_TARGETS"
    aimed = last(game.do("aim", figure_id="r1", target_id="b1"), "aimed")
    assert aimed.number("need") == 4
    game.do("done")
    game.do("volley", value="r1", dice=(3,))
    assert game.state.phase == "MELEE_SPLIT"
    assert dict(game.state.marks)["fights"] == "b1|r1"


def test_a_defending_dragon_breathes_at_intruders():
    """FM-BIG-12, FM-SHOOT-19: it may stay at its post and breathe, when somebody is near it."""
    game = lair("dragon", blue=(("goblin", (600, 300)),))
    game.do("instruct", figure_id="rh", value="r1|defend")
    game.hold()
    game.do("done")
    game.do("done")
    assert game.option("aim", "r1") is not None
    far = lair("dragon", blue=(("goblin", (600, 450)),))
    far.do("instruct", figure_id="rh", value="r1|defend")
    far.hold()
    far.do("done")
    assert far.state.phase == "DECLARE"


def test_a_dragon_that_follows_breathes_only_if_its_owner_says_so():
    """FM-SHOOT-19."""
    game = lair("dragon", blue=(("goblin", (600, 300)),))
    game.do("instruct", figure_id="rh", value="r1|follow")
    game.to("DECLARE")
    game.hold()
    game.do("done")
    assert game.option("aim", "r1") is not None
    game.do("done")
    assert "volley" not in game.kinds()
