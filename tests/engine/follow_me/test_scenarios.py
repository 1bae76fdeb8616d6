"""The scenarios of the specification, played through the referee."""

import pytest

from engine.errors import Refused
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from tests.engine.follow_me.battle import Battle, battle, last
from tests.engine.tables import box

FAR = [("goblin", (100.0, 860.0))]
SIX = "begone blinder decay fear fire freeze"


def flag(lines):
    return last(lines, "flagged")


def test_s01_men_of_a_hero_who_hits_stay():
    """FM-S-01: FM-ACT-04, FM-ACT-06, FM-ACT-03, FM-ACT-24: his grunt moves 40 mm."""
    game = battle(
        [("orc_grunt", (560, 300))], [("goblin", (600, 420))], heroes=((600, 300), (600, 860))
    )
    game.do("hit", figure_id="rh", target_id="b1")
    game.hold()
    game.put("rh", (600, 398))
    assert game.mark("rh", "moved") == pytest.approx(98.0)
    found = flag(game.put("r1", (560, 340)))
    assert (found.text("code"), found.rule) == ("HERO_BUSY", "FM-ACT-04")
    with pytest.raises(Refused) as refused:
        game.do("done")
    assert refused.value.rule == "FM-GEO-19"


def test_s02_who_did_not_hear_stays():
    """FM-S-02: FM-ACT-07, FM-ACT-08: 9 inches at the declaration, 6 after the hero moved."""
    game = battle(
        [("orc_grunt", (248.6, 40)), ("orc_grunt", (150, 40))],
        FAR,
        heroes=((20, 40), (600, 860)),
    )
    game.do("follow", figure_id="rh")
    game.hold()
    assert [game.offers("reach").count(name) for name in ("r1", "r2")] == [0, 1]
    game.put("rh", (96.2, 40))
    assert flag(game.put("r1", (200, 40))).text("code") == "NOT_HEARD"
    assert "1 of 2 men heard it; 1 are too far away." in " ".join(game.said())


def test_s03_a_casting_mage_stands_still():
    """FM-S-03: FM-MAGE-07, FM-ACT-24: he moves 30 mm."""
    game = battle([], FAR, kinds=("mage", "hero_foot_light"), spells=(SIX, ""))
    game.do("cast", figure_id="rh")
    game.hold()
    found = flag(game.put("rh", (630, 40)))
    assert (found.text("code"), found.rule) == ("HERO_MUST_STAND", "FM-ACT-24")


def test_s05_a_giant_must_see_whom_it_attacks():
    """FM-S-05: FM-BIG-04, FM-GEO-08, FM-GEO-28: the group stands behind a house."""
    house = box("h", 300, 400, 900, 420, 120.0, kind="building")
    game = battle(
        [("giant", (600, 140))],
        [("goblin", (600, 500))],
        terrain=(house,),
        heroes=((600, 40), (600, 560)),
    )
    with pytest.raises(Refused) as refused:
        game.do("instruct_attack", figure_id="rh", value="r1|bh", dice=(2,))
    assert refused.value.rule == "FM-BIG-04"
    assert refused.value.reason == "the creature cannot see that group"


def test_s06_two_heroes_talk_at_five_inches():
    """FM-S-06: FM-MSG-01, FM-MSG-02, FM-MSG-05: free, and not a hair farther."""
    game = battle([], [], heroes=((600, 40), (747, 40)))
    game.do("talk", figure_id="rh", target_id="bh")
    assert game.state.phase == "DECLARE"
    far = battle([], [], heroes=((600, 40), (760, 40)))
    with pytest.raises(Refused) as refused:
        far.do("talk", figure_id="rh", target_id="bh")
    assert (refused.value.rule, refused.value.reason) == (
        "FM-MSG-01", "too far to talk, send a note",
    )  # fmt: skip


def test_s07_reading_a_note_is_an_action():
    """FM-S-07: FM-MSG-03, 04, 06, 07: it arrives in one turn; another action leaves it unread."""
    game = battle(
        [("orc_grunt", (600, 330))], [("orc_grunt", (600, 600))], heroes=((600, 300), (600, 460))
    )
    game.do("note", figure_id="rh", value="bh", items=("come",))
    game.hold()
    game.put("r1", (600, 436))
    game.do("done")
    assert game.mark("bh", "inbox")
    game.to("DECLARE")
    assert game.option("read", "bh") is not None
    game.do("hold", figure_id="bh")
    game.hold()
    assert game.mark("bh", "inbox")
    game.to("DECLARE")
    game.do("read", figure_id="bh")
    game.hold()
    assert not game.mark("bh", "inbox")
    assert game.mark("bh", "last_note") == "come"


def test_s09_a_hedge_costs_one_move():
    """FM-S-09: FM-OBS-01 to 03, FM-OBS-11: 4 inches to it, a turn of waiting, then across."""
    hedge = box("h", 100, 200, 1100, 210, 15.0, kind="hedge")
    game = battle(
        [("orc_grunt", (600, 88.4))], FAR, heroes=((640, 30), (1100, 860)), terrain=(hedge,)
    )
    game.do("follow", figure_id="rh")
    game.hold()
    game.put("rh", (640, 150))
    assert flag(game.put("r1", (600, 225))).text("code") == "WALL_DELAY"
    game.put("r1", (600, 188))
    assert game.mark("r1", "moved") == pytest.approx(99.6)
    game.do("done")
    assert game.mark("r1", "at_wall") == "h"
    game.to("DECLARE")
    game.do("follow", figure_id="rh")
    game.hold()
    moved = last(game.put("r1", (600, 222)), "moved")
    assert moved.rule == "FM-OBS-03"
    game.to("DECLARE")
    game.do("follow", figure_id="rh")
    game.hold()
    game.put("rh", (640, 188))
    moved = last(game.put("r1", (600, 374)), "moved")
    assert moved.number("moved_mm") == pytest.approx(152.0)


def test_s10_a_giant_steps_over_a_hedge_but_not_over_a_house():
    """FM-S-10: FM-OBS-06, FM-OBS-07, FM-BIG-19, FM-GEO-28: a dragon ignores both."""
    hedge = box("h", 100, 200, 1100, 210, 15.0, kind="hedge")
    house = box("k", 100, 300, 1100, 320, 110.0, kind="building")
    game = battle(
        [("giant", (600, 150)), ("dragon", (400, 150))],
        [("goblin", (600, 500))],
        terrain=(hedge, house),
        heroes=((500, 90), (1100, 860)),
    )
    game.do("instruct", figure_id="rh", value="r1|will")
    game.hold()
    assert last(game.put("r1", (600, 260)), "moved").rule == "FM-ACT-17"
    assert flag(game.put("r1", (600, 345))).text("code") == "THROUGH_OBSTACLE"
    game.put("r1", (600, 260))
    game.to("DECLARE")
    game.do("instruct", figure_id="rh", value="r2|will")
    game.hold()
    assert last(game.put("r2", (450, 400)), "moved").number("moved_mm") == pytest.approx(255, abs=1)


def test_s11_a_gap_of_less_than_five_mm_is_contact():
    """FM-S-11: FM-MELEE-12, FM-GEO-05."""
    game = battle([("orc_grunt", (600, 400))], [("orc_grunt", (624.9, 400))])
    game.to("MELEE_SPLIT")
    assert dict(game.state.marks)["fights"] == "b1|r1"
    apart = battle([("orc_grunt", (600, 400))], [("orc_grunt", (625.2, 400))])
    apart.to("DECLARE")
    apart.hold()
    apart.do("done")
    assert apart.state.phase in ("DECLARE", "MORALE")


def test_s13_a_shot_that_misses_disturbs_a_meditation():
    """FM-S-13: FM-MAGE-08, 09, 19: no point is regained."""
    game = battle(
        [("archer", (600, 300))],
        [],
        kinds=("hero_foot_light", "mage"),
        heroes=((500, 300), (600, 460)),
        spells=("", SIX),
        options={"fm.mage.start_points": 9},
    )
    game.do("meditate", figure_id="bh")
    game.hold()
    game.do("done")
    game.do("aim", figure_id="r1", target_id="bh")
    game.do("done")
    game.do("volley", value="rh", dice=(1,))
    assert last(game.referee.lines, "meditated").rule == "FM-MAGE-09"
    assert game.mark("bh", "points") == 9


def test_s14_two_archers_kill_each_other():
    """FM-S-14: FM-TURN-08, FM-SHOOT-16, FM-HIT-01: shots of a step are simultaneous."""
    game = battle([("archer", (600, 300))], [("archer", (600, 500))])
    game.hold()
    game.do("done")
    game.do("done")
    game.do("volley", value="bh", dice=(6,))
    assert game.unit("r1").alive
    game.do("volley", value="rh", dice=(6,))
    assert not game.unit("r1").alive
    assert not game.unit("b1").alive
    assert game.state.phase == "SHOOT_CASUALTIES"


def test_s15_a_group_that_loses_nobody_to_arrows_does_not_test():
    """FM-S-15: FM-MORALE-07, FM-MORALE-08."""
    game = battle([("archer", (600, 300))], [("orc_grunt", (600, 500))])
    game.hold()
    game.do("done")
    game.do("done")
    game.do("volley", value="rh", dice=(1,))
    assert game.state.phase == "DECLARE"
    assert "tested" not in game.kinds()


def test_s17_archers_in_weapon_range_need_not_move():
    """FM-S-17: FM-ACT-22, FM-ACT-29: 18 inches from grunts they may shoot, needing 6."""
    game = battle(
        [("archer", (600, 100))], [("orc_grunt", (600, 577.2))], heroes=((500, 100), (1100, 860))
    )
    game.do("attack", figure_id="rh", value="bh")
    game.hold()
    game.do("done")
    assert "lagged" not in game.kinds()
    target = next(t for t in game.option("aim", "r1").targets if t.figure_id == "b1")
    assert target.allowed and target.text.endswith(": 6 hits.")


def test_s18_archers_go_on_towards_knights():
    """FM-S-18: FM-ACT-22, FM-SHOOT-01: to within 15 inches, and then no shot this turn."""
    game = battle(
        [("archer", (600, 100))], [("knight", (600, 585.2))], heroes=((500, 100), (1100, 860))
    )
    game.do("attack", figure_id="rh", value="bh")
    game.hold()
    game.do("done")
    assert last(game.referee.lines, "lagged").rule == "FM-ACT-29"
    game.do("undo")
    game.put("r1", (600, 190))
    game.do("done")
    assert game.state.phase == "DECLARE"
    assert "aimed" not in game.kinds()
    field = Field(game.state, game.table())
    assert field.gap(game.unit("r1"), game.unit("b1")) < 381


def test_s19_a_close_call_is_granted():
    """FM-S-19: FM-GEO-13, FM-GEO-14: 203.9 of 203.2 mm, each with 1.5 mm of doubt."""
    game = battle([("orc_grunt", (600, 263.9))], FAR, heroes=((600, 40), (1100, 860)))
    for name in ("rh", "r1"):
        game.put(name, game.figures[name].position_mm, sigma=1.5)
    game.do("follow", figure_id="rh")
    game.hold()
    assert game.option("reach", "r1") is not None


def test_s20_they_fight_across_a_hedge():
    """FM-S-20: FM-MELEE-31, FM-OBS-03, FM-GEO-29: and the grunt does not cross next turn."""
    hedge = box("h", 100, 200, 1100, 210, 15.0, kind="hedge")
    game = battle(
        [("orc_grunt", (600, 188))],
        [("light_soldier", (600, 300))],
        heroes=((640, 30), (600, 420)),
        terrain=(hedge,),
    )
    game.do("attack", figure_id="bh", value="rh")
    game.hold()
    game.put("b1", (600, 222))
    game.do("done")
    assert game.state.phase == "MELEE_SPLIT"
    assert "Across the wall" in " ".join(game.said())
    game.do("done")
    game.do("roll", value="0", dice=(3, 3))
    game.to("DECLARE")
    game.do("attack", figure_id="rh", value="bh")
    game.hold()
    assert flag(game.put("r1", (560, 222))).text("code") == "LEFT_MELEE"


def test_s21_who_crosses_the_circle_is_left_alone():
    """FM-S-21: FM-BIG-21, FM-BIG-11: measured when everybody has moved."""
    game = battle(
        [("giant", (600, 300))], [("goblin", (600, 584))], heroes=((600, 210), (600, 700))
    )
    game.do("instruct", figure_id="rh", value="r1|defend")
    game.do("attack", figure_id="bh", value="r1")
    game.put("b1", (600, 584))
    game.put("b1", (700, 530))
    game.do("done")
    assert "sallies" not in game.kinds()
    assert game.state.phase != "SALLY"


def test_s22_a_dragon_flies_over_goblins():
    """FM-S-22: FM-MOVE-14, FM-MOVE-09, FM-MELEE-12: touching only where it lands."""
    line = [("goblin", (500.0 + 25 * i, 300.0)) for i in range(8)]
    game = battle(
        [("dragon", (600, 150))], [*line, ("archer", (600, 400))], heroes=((600, 90), (1100, 860))
    )
    game.do("instruct", figure_id="rh", value="r1|will")
    game.hold()
    moved = last(game.put("r1", (600, 368)), "moved")
    assert moved.number("moved_mm") == pytest.approx(218)
    game.do("done")
    game.to("MELEE_SPLIT")
    assert dict(game.state.marks)["fights"] == "b9|r1"
    assert "LANDED_ON_FIGURE" in data().flags


def test_s22_a_dragon_lands_on_nobody():
    """FM-MOVE-08, FM-MOVE-14: nor goes farther than 14 inches."""
    game = battle(
        [("dragon", (600, 150))], [("goblin", (600, 300))], heroes=((600, 90), (1100, 860))
    )
    game.do("instruct", figure_id="rh", value="r1|will")
    game.hold()
    assert flag(game.put("r1", (600, 296))).text("code") == "LANDED_ON_FIGURE"
    assert flag(game.put("r1", (600, 560))).text("code") == "TOO_FAR"


def test_s23_the_question_comes_before_the_game():
    """FM-S-23: FM-SET-14, FM-SPELL-18a: two mages and a dragon; the proposal is yes."""
    game = battle([("dragon", (600, 150))], [], kinds=("mage", "mage"), spells=(SIX, SIX))
    asked = [i for i, kind in enumerate(game.kinds()) if kind == "asked_mine"]
    began = [i for i, kind in enumerate(game.kinds()) if kind == "turn_began"]
    assert asked[0] < began[0]
    assert dict(game.state.marks)["mine"] == "yes"
    assert "Shall it be so in this game?" in " ".join(game.said())


def test_s24_two_duels_in_one_knot():
    """FM-S-24: FM-HERO-03, FM-HERO-14: nobody is left over, so nobody watches."""
    game = four_heroes()
    game.to("MELEE_SPLIT")
    marks = dict(game.state.marks)
    assert marks["duels"].count(";") == 1
    assert "watch" not in marks


def four_heroes():
    game = Battle()
    for name, side, at in (
        ("rA", "red", (600, 400)), ("rB", "red", (630, 410)),
        ("bC", "blue", (590, 419)), ("bD", "blue", (610, 419)),
    ):  # fmt: skip
        game.join(name, side, at, "hero_foot_light")
    game.do("ready")
    return game


def test_s25_followers_attack_a_watching_hero():
    """FM-S-25: FM-HERO-12, 13, 19, FM-MELEE-04, FM-MELEE-23: outnumbered by two grunts."""
    game = Battle()
    game.join("rA", "red", (600, 400), "hero_foot_light")
    game.join("rB", "red", (620, 436), "hero_foot_light")
    game.join("bC", "blue", (600, 421), "hero_foot_light")
    game.join("b1", "blue", (642, 436), "orc_grunt", "bC")
    game.join("b2", "blue", (620, 458), "orc_grunt", "bC")
    game.do("ready")
    game.do("hit", figure_id="rA", target_id="bC")
    game.to("MELEE_SPLIT")
    marks = dict(game.state.marks)
    assert (marks["duels"], marks["watch"]) == ("bC|rA", "rB")
    assert marks["fights"] == "rB|b1,b2"
    game.do("done")
    fought = last(game.do("roll", value="0", dice=(3, 3)), "fought")
    assert (fought.number("score_single"), fought.number("score_many")) == (5, 3)


def test_s26_insults_cheer_the_own_men():
    """FM-S-26: FM-ACT-12, 13, 15, FM-MORALE-14: enemy minus 1, own plus 2, allies nothing."""
    game = Battle()
    game.join("rA", "red", (300, 300), "hero_foot_light")
    game.join("r1", "red", (300, 153), "orc_grunt")
    game.join("rB", "red", (100, 100), "hero_foot_light")
    game.join("r2", "red", (180, 300), "orc_grunt", "rB")
    game.join("bh", "blue", (1000, 800), "hero_foot_light")
    game.join("b1", "blue", (300, 497), "orc_grunt")
    game.do("ready")
    game.do("insult", figure_id="rA", value="bh")
    game.hold()
    game.do("done")
    told = {(e.event.target_id, e.event.text("what")) for e in game.referee.lines
            if e.event.kind == "words_heard"}  # fmt: skip
    assert told == {("bh", "insulted"), ("rA", "cheered")}


def test_s27_the_worse_of_two_tests_stands():
    """FM-S-27: FM-MORALE-32, FM-SPELL-04, FM-TURN-07: fear said fall back."""
    game = battle(
        [("orc_grunt", (600, 300))],
        [("orc_grunt", (600, 321))],
        kinds=("mage", "hero_foot_light"),
        heroes=((500, 300), (560, 400)),
        spells=(SIX, ""),
    )
    game.do("cast", figure_id="rh")
    game.hold()
    game.do("done")
    game.named("fear", "rh", target_id="b1")
    game.do("roll", dice=(2, 3))
    assert last(game.referee.lines, "tested").text("result") == "fall_back"
    game.to("MORALE")
    tested = last(game.do("test", value="bh", dice=(6,)), "tested")
    assert (tested.text("result"), tested.text("stands")) == ("steady", "fall_back")
    assert game.mark("bh", "morale") == "falling_back"


def test_s28_fog_lasts_five_turns():
    """FM-S-28: FM-SPELL-07, FM-SPELL-20, FM-MAGE-25, FM-SHOOT-12: the casting turn is one."""
    game = battle(
        [("archer", (600, 500))],
        [("archer", (600, 700))],
        kinds=("mage", "hero_foot_light"),
        spells=("fog fire heal flash gone safe", ""),
    )
    while game.state.turn < 5:
        game.to("DECLARE")
        if game.state.turn < 5:
            game.hold()
    game.do("cast", figure_id="rh")
    game.hold()
    game.do("done")
    game.do("spell", figure_id="rh", value="fog", point_mm=(600.0, 600.0))
    seen = {}
    while game.state.turn < 11:
        game.to("DECLARE")
        field = Field(game.state, game.table())
        seen[game.state.turn] = field.sees(game.unit("r1"), game.unit("b1"))
        game.hold()
    assert seen == {6: False, 7: False, 8: False, 9: False, 10: True, 11: True}
