"""DECLARE, REVEAL and MOVE: actions of heroes, messages, and how everybody moves."""

import math

import pytest

from engine.errors import Refused
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.orders import order_of
from engine.table import FigureState, Seen, TerrainMark
from tests.engine.follow_me.battle import Battle, battle, last
from tests.engine.stillness import check_asked_when_missing, check_stillness
from tests.engine.tables import box

FAR = [("goblin", (100.0, 860.0))]


def refused(game, kind, **fields):
    with pytest.raises(Refused) as caught:
        game.do(kind, **fields)
    return caught.value.rule


def code(game, name, at):
    return last(game.put(name, at), "flagged").text("code")


def order(game, name):
    return order_of(Field(game.state, game.table()), game.unit(name))


def test_one_action_for_each_hero():
    """FM-TURN-01, 02, 09, 10, FM-ACT-01, FM-ACT-02: in secret, then all are shown together."""
    game = battle([("orc_grunt", (600, 80))], FAR)
    assert set(game.offers("hold")) == {"rh", "bh"}
    game.do("speech", figure_id="rh")
    assert refused(game, "hold", figure_id="rh") == "FM-TURN-09"
    assert refused(game, "hold", figure_id="r1") == "FM-TURN-09"
    assert "Red 1 has chosen." in game.said()
    assert "Red 1: a stirring speech." not in game.said()
    game.do("hold", figure_id="bh")
    assert game.state.phase == "MOVE"
    assert "Red 1: a stirring speech." in game.said()


def test_hit_someone_needs_a_victim_in_reach():
    """FM-ACT-03, FM-ACT-06: in contact, or near enough for both moves together."""
    game = battle([], [("goblin", (600, 360)), ("goblin", (600, 370)), ("cart_engine", (500, 60))])
    option = game.option("hit", "rh")
    assert {t.figure_id: t.allowed for t in option.targets} == {
        "b1": True, "b2": False, "b3": False, "bh": False,
    }  # fmt: skip
    assert refused(game, "hit", figure_id="rh", target_id="b2") == "FM-ACT-06"
    assert refused(game, "hit", figure_id="rh", target_id="b3") == "FM-MELEE-28"
    assert refused(game, "hit", figure_id="rh", target_id="rh") == "FM-ACT-03"


def test_a_standing_order_pauses_while_the_hero_hits():
    """FM-ACT-05, FM-ACT-21: and goes on in the next turn."""
    game = battle([("orc_grunt", (100, 100))], [("goblin", (600, 300)), ("goblin", (100, 700))])
    game.do("attack", figure_id="rh", value="bh")
    game.hold()
    assert order(game, "r1").kind == "attack"
    game.to("DECLARE")
    game.do("hit", figure_id="rh", target_id="b1")
    game.hold()
    assert order(game, "r1").code == "HERO_BUSY"
    game.to("DECLARE")
    game.hold()
    assert (order(game, "r1").kind, order(game, "r1").who) == ("attack", "bh")
    assert code(game, "r1", (100, 60)) == "WRONG_PREY"
    game.put("r1", (100, 240))
    assert game.mark("r1", "moved") == pytest.approx(140)


def test_follow_me():
    """FM-ACT-07, 09, 10, FM-MOVE-13: towards the hero's new place, or along with him."""
    game = battle(
        [("orc_grunt", (600, 120)), ("horseman", (700, 120)), ("goblin", (640, 90))],
        [("goblin", (600, 290))],
        heroes=((600, 40), (1100, 860)),
    )
    game.do("follow", figure_id="rh")
    game.hold()
    game.put("rh", (740, 40))
    game.put("r2", (760, 120))
    assert last(game.referee.lines, "moved").rule == "FM-ACT-09"
    assert code(game, "r3", (560, 90)) == "WRONG_WAY"
    game.put("r3", (640, 90))
    game.put("r3", (780, 90))
    assert game.mark("r3", "moved") == pytest.approx(140)
    near = last(game.put("r1", (660, 120)), "moved")
    assert near.number("moved_mm") == pytest.approx(60)


def two_captains(gap, men="rB", blue=(900.0, 800.0)):
    """A red hero, a man of another so far from him, and the other hero far away."""
    game = Battle()
    for name, side, at, led in (
        ("rA", "red", (300, 300), ""), ("rB", "red", (20, 20), ""), ("bh", "blue", (1100, 860), ""),
        ("r1", "red", (320.0 + gap, 300), men), ("b1", "blue", blue, "bh"),
    ):  # fmt: skip
        game.join(name, side, at, "orc_grunt" if led else "hero_foot_light", led)
    game.do("ready")
    return game


@pytest.mark.parametrize(("gap", "heard"), [(203.0, True), (206.0, False)])
@pytest.mark.parametrize("deed", ["speech", "insult", "cheer"])
def test_words_carry_eight_inches(deed, gap, heard):
    """FM-ACT-12 to 15: to the nearest man of a group; the insulter's own must hear it too."""
    if deed == "insult":
        game = two_captains(400.0, blue=(300.0, 320.0 + gap))
    else:
        game = two_captains(gap, "rB" if deed == "speech" else "rA", (300.0, 400.0))
    if deed == "speech":
        game.do("speech", figure_id="rA")
    else:
        game.do("insult", figure_id="rA", value="bh")
    game.hold()
    game.do("done")
    told = {(line.event.target_id, line.event.text("what")) for line in game.referee.lines
            if line.event.kind == "words_heard"}  # fmt: skip
    word = {"speech": ("rB", "speech"), "insult": ("bh", "insulted"), "cheer": ("rA", "cheered")}
    assert (word[deed] in told) is heard


@pytest.mark.parametrize(("gap", "near"), [(126.0, True), (130.0, False)])
@pytest.mark.parametrize("deed", ["talk", "adopt", "instruct"])
def test_five_inches_are_near_enough(deed, gap, near):
    """FM-MSG-01, FM-ACT-28, FM-BIG-02: to talk, to adopt men, to instruct a creature."""
    if deed == "talk":
        game = battle([], [], heroes=((600, 40), (620.0 + gap, 40)))
        wish, rule = {"figure_id": "rh", "target_id": "bh"}, "FM-MSG-01"
    elif deed == "instruct":
        game = battle([("giant", (630.0 + gap, 40))], [])
        wish, rule = {"figure_id": "rh", "value": "r1|defend"}, "FM-BIG-02"
    else:
        game = two_captains(gap)
        game.lay("rB")
        game.do("fallen", figure_id="rB", value="removed")
        wish, rule = {"figure_id": "rA", "value": "rB"}, "FM-ACT-28"
    assert (deed in [one.kind for one in game.referee.options()]) is near
    if near:
        game.do(deed, **wish)
    else:
        assert refused(game, deed, **wish) == rule


@pytest.mark.parametrize(("gap", "kind"), [(203.0, "follow"), (206.0, "none")])
def test_follow_me_is_heard_eight_inches_away(gap, kind):
    """FM-ACT-07, FM-ACT-08."""
    game = battle([("orc_grunt", (620.0 + gap, 40)), ("orc_grunt", (560, 40))], FAR)
    game.do("follow", figure_id="rh")
    game.hold()
    assert order(game, "r1").kind == kind


@pytest.mark.parametrize(("gap", "sallies"), [(203.0, True), (206.0, False)])
def test_the_circle_of_a_guard_is_eight_inches(gap, sallies):
    """FM-BIG-11, FM-BIG-21: from the edge of its post."""
    game = battle([("giant", (600, 300))], [("goblin", (600, 330 + gap))], heroes=((600, 210), (
        1100, 860)))  # fmt: skip
    game.do("instruct", figure_id="rh", value="r1|defend")
    game.hold()
    game.do("done")
    assert ("sallies" in game.kinds()) is sallies


def test_one_may_always_move_less():
    """FM-MOVE-13, FM-ACT-09: but who stands still while his hero goes out of earshot is told."""
    men = [("orc_grunt", (600, 80)), ("orc_grunt", (660, 80)), ("orc_grunt", (400, 40))]
    game = battle(men, FAR, kinds=("hero_horse_light", "hero_foot_light"))
    game.do("follow", figure_id="rh")
    game.hold()
    game.put("rh", (740, 40))
    game.put("r2", (670, 80))
    game.do("done")
    lag = [(one.event.figure_id, one.event.rule) for one in game.referee.lines
           if one.event.kind == "lagged"]  # fmt: skip
    assert lag == [("r3", "FM-ACT-09")]


def test_a_speech_reaches_friends_who_are_near():
    """FM-ACT-11, FM-ACT-14, FM-MORALE-14: any friendly group within 8 inches, once."""
    game = Battle()
    for name, side, at, led in (
        ("rA", "red", (300, 300), ""), ("rB", "red", (300, 200), ""),
        ("bh", "blue", (900, 800), ""),
        ("r1", "red", (340, 300), "rA"), ("r2", "red", (300, 420), "rB"),
    ):  # fmt: skip
        game.join(name, side, at, "orc_grunt" if led else "hero_foot_light", led)
    game.do("ready")
    game.do("speech", figure_id="rA")
    game.do("speech", figure_id="rB")
    game.hold()
    assert order(game, "rA").code == "HERO_MUST_STAND"
    game.do("done")
    told = [(line.event.target_id, line.event.rule) for line in game.referee.lines
            if line.event.kind == "words_heard"]  # fmt: skip
    assert set(told) == {("rA", "FM-ACT-14"), ("rB", "FM-ACT-14")}


def test_insults_need_an_enemy_who_can_hear():
    """FM-ACT-12, FM-ACT-15: within 8 inches, or coming there by its own move."""
    game = battle([], [("goblin", (600, 415)), ("giant", (500, 100))])
    assert ("bh", "Blue 1's group") in game.option("insult", "rh").choices
    assert "b2" not in dict(game.option("insult", "rh").choices)
    far = battle([], [("goblin", (600, 420))])
    assert far.option("insult", "rh") is None
    assert refused(far, "insult", figure_id="rh", value="bh") == "FM-ACT-12"
    game.do("insult", figure_id="rh", value="bh")
    game.hold()
    game.do("done")
    assert "words_heard" not in game.kinds()


def test_several_insults_count_once():
    """FM-ACT-15: the group is minus 1 all the same; the nearer of both snapshots counts."""
    game = battle([], [("goblin", (600, 400))])
    game.do("insult", figure_id="rh", value="bh")
    game.do("attack", figure_id="bh", value="rh")
    game.put("b1", (600, 255))
    game.do("done")
    heard = [line.event for line in game.referee.lines if line.event.kind == "words_heard"]
    assert [(e.target_id, e.text("what")) for e in heard] == [("bh", "insulted")]


def test_attack_them_names_a_group_in_sight():
    """FM-ACT-16, 17, 19, 20: all his men go, wherever they are."""
    wall = box("w", 0, 430, 1200, 450, 120.0, kind="building")
    game = battle([("orc_grunt", (100, 100))], [("goblin", (600, 500))], terrain=(wall,))
    assert refused(game, "attack", figure_id="rh", value="bh") == "FM-ACT-20"
    open_field = battle([("orc_grunt", (100, 100))], [("goblin", (600, 500))])
    open_field.do("attack", figure_id="rh", value="bh")
    open_field.hold()
    assert order(open_field, "r1").kind == "attack"
    alone = battle([], [("goblin", (600, 500))])
    assert refused(alone, "attack", figure_id="rh", value="bh") == "FM-ACT-17"
    assert refused(open_field, "attack", figure_id="rh", value="rh") == "FM-TURN-02"


def test_a_lone_hero_may_be_named():
    """FM-ACT-16, FM-ACT-21: a lone figure is a group; the order ends when it is beaten."""
    game = battle([("orc_grunt", (600, 700))], [])
    game.do("attack", figure_id="rh", value="bh")
    game.hold()
    assert game.mark("rh", "order") == "bh"
    game.lay("bh")
    game.do("fallen", figure_id="bh", value="removed")
    game.do("done")
    assert "order_ended" in game.kinds()


@pytest.mark.parametrize(
    ("reach", "sent"),
    [(8.0, ["attack", "none"]), ("sight", ["attack", "none"]), (None, ["attack"] * 2)],
)
def test_reach_of_attack_them(reach, sent):
    """FM-ACT-19: unlimited, so many inches, or those who see their hero."""
    hide = box("w", 80, 250, 450, 270, 120.0, kind="building")
    game = battle(
        [("orc_grunt", (600, 80)), ("orc_grunt", (100, 500))],
        [("goblin", (900, 500))],
        {"fm.attack_them.range_in": reach},
        terrain=(hide,),
    )
    game.do("attack", figure_id="rh", value="bh")
    game.hold()
    assert [order(game, name).kind for name in ("r1", "r2")] == sent


@pytest.mark.parametrize(
    ("persist", "kinds"),
    [("until_beaten", "attack"), ("one_turn", "none"), ("until_contact", "attack")],
)
def test_how_long_attack_them_lasts(persist, kinds):
    """FM-ACT-21: until beaten, to the first contact, or one turn."""
    game = battle(
        [("orc_grunt", (600, 100))], [("goblin", (600, 600))], {"fm.attack_them.persist": persist}
    )
    game.do("attack", figure_id="rh", value="bh")
    game.to("DECLARE")
    game.hold()
    game.to("DECLARE")
    game.hold()
    assert order(game, "r1").kind == kinds


def test_until_contact_ends_with_a_touch():
    """FM-ACT-21."""
    game = battle(
        [("orc_grunt", (600, 478))],
        [("goblin", (600, 600))],
        {"fm.attack_them.persist": "until_contact"},
    )
    game.do("attack", figure_id="rh", value="bh")
    game.hold()
    game.put("r1", (600, 579))
    game.to("MORALE", dice=4)
    for holder in ("bh", "rh"):
        game.do("test", value=holder, dice=(6,))
    game.do("done")
    assert game.mark("rh", "order") is None


def test_new_orders_replace_old_ones():
    """FM-ACT-21: Follow Me ends an attack."""
    game = battle([("orc_grunt", (600, 80))], [("goblin", (600, 600))])
    game.do("attack", figure_id="rh", value="bh")
    game.to("DECLARE")
    game.hold()
    game.to("DECLARE")
    game.do("follow", figure_id="rh")
    game.hold()
    assert game.mark("rh", "order") is None
    assert order(game, "r1").kind == "follow"


def test_men_without_an_order_stay():
    """FM-ACT-25, FM-TURN-03: but heroes move as they like."""
    game = battle([("orc_grunt", (600, 80))], FAR)
    game.hold()
    assert code(game, "r1", (600, 140)) == "NO_ORDER"
    game.put("r1", (600, 80))
    assert last(game.referee.lines, "put_back").rule == "FM-GEO-19"
    moved = last(game.put("rh", (600, 190)), "moved")
    assert moved.rule == "FM-MOVE-01"
    assert code(game, "rh", (600, 200)) == "TOO_FAR"


def test_a_frozen_hero_does_nothing():
    """FM-ACT-27, FM-TURN-11, FM-SPELL-08a: nor can he move."""
    game = battle(
        [("orc_grunt", (600, 300))],
        [],
        kinds=("mage", "hero_foot_light"),
        heroes=((600, 250), (600, 700)),
        spells=("freeze fire heal flash gone safe", ""),
    )
    game.do("cast", figure_id="rh")
    game.hold()
    game.do("done")
    game.named("freeze", "rh", target_id="bh")
    game.do("roll", dice=(2, 1))
    game.to("DECLARE")
    assert game.state.turn == 2
    assert game.option("hold", "bh") is None
    assert refused(game, "hold", figure_id="bh") == "FM-ACT-27"
    game.do("hold", figure_id="rh")
    assert game.state.phase == "MOVE"
    assert order(game, "bh").code == "FROZEN"
    assert "no_deed" in game.kinds()


def test_men_without_a_leader_are_adopted():
    """FM-ACT-28, FM-MORALE-27: by a friendly hero within 5 inches of one of them."""
    game = Battle()
    for name, side, at, kind, led in (
        ("rA", "red", (300, 300), "hero_foot_light", ""), ("rB", "red", (300, 200),
         "hero_foot_light", ""), ("bh", "blue", (900, 800), "hero_foot_light", ""),
        ("r1", "red", (340, 300), "orc_grunt", "rB"),
    ):  # fmt: skip
        game.join(name, side, at, kind, led)
    game.do("ready")
    assert refused(game, "adopt", figure_id="rA", value="rB") == "FM-ACT-28"
    game.lay("rB")
    game.do("fallen", figure_id="rB", value="removed")
    assert dict(game.option("adopt", "rA").choices) == {"rB": "Red 2's group"}
    game.do("adopt", figure_id="rA", value="rB")
    game.hold()
    assert game.mark("r1", "led_by") == "rA"
    assert game.mark("rB", "lost_nobles") == 1


def test_a_note_and_its_messenger():
    """FM-MSG-02, 03, 06, 07, 09: he walks by himself, shoots at nobody, and hands it over."""
    game = battle(
        [("archer", (600, 100)), ("orc_grunt", (700, 60))],
        [("goblin", (600, 260))],
        heroes=((600, 40), (100, 860)),
    )
    assert refused(game, "note", figure_id="rh", value="r1") == "FM-MSG-02"
    game.do("note", figure_id="rh", value="bh", items=("peace?",))
    assert game.mark("rh", "deed_to") == "r1"
    game.do("carrier", figure_id="rh", target_id="r2")
    game.do("carrier", figure_id="rh", target_id="r1")
    assert refused(game, "carrier", figure_id="rh", target_id="b1") == "FM-MSG-03"
    game.hold()
    assert order(game, "r1").kind == "note"
    game.put("r1", (500, 150))
    game.do("done")
    assert game.state.phase == "DECLARE"
    assert not any("peace" in text for text in game.said())
    game.do("follow", figure_id="rh")
    game.hold()
    assert game.mark("r1", "note_to") == "bh"


def test_a_note_is_lost_with_its_messenger():
    """FM-MSG-08."""
    game = battle([("orc_grunt", (600, 100))], [("archer", (600, 300))])
    game.do("note", figure_id="rh", value="bh")
    game.hold()
    game.do("done")
    game.do("done")
    game.do("volley", value="bh", dice=(6,))
    assert not game.unit("r1").alive
    assert "note_lost" in game.kinds()


def test_a_note_needs_somebody_to_carry_it():
    """FM-MSG-03, FM-MSG-04: and one that has come must be read."""
    game = battle([], [])
    assert game.option("note", "rh") is None
    assert refused(game, "note", figure_id="rh", value="bh") == "FM-MSG-03"
    assert refused(game, "read", figure_id="rh") == "FM-MSG-04"


@pytest.mark.parametrize(
    ("kind", "inches"),
    [("archer", 6), ("man_at_arms", 5), ("horseman", 14), ("knight", 10), ("cart_engine", 3)],
)
def test_moves_by_type(kind, inches):
    """FM-MOVE-01 to 07, FM-GEO-06: up to the maximum of the type, from middle to middle."""
    game = battle([(kind, (600, 100))], FAR, heroes=((500, 100), (1100, 860)))
    game.do("follow", figure_id="rh")
    game.hold()
    game.put("rh", (500, 200))
    reach = 25.4 * inches
    assert code(game, "r1", (600, 100 + reach + 4)) == "TOO_FAR"
    game.put("r1", (600, 100 + reach - 4))
    assert game.mark("r1", "moved") == pytest.approx(reach - 4, abs=0.5)


def test_enemies_bar_the_way_and_friends_do_not():
    """FM-MOVE-08, FM-MOVE-09, FM-GEO-07: nobody ends on anybody."""
    line = [("goblin", (540.0 + 20 * i, 130.0)) for i in range(7)]
    game = battle([("orc_grunt", (640, 40))], line, heroes=((600, 70), (1100, 860)))
    game.hold()
    assert code(game, "rh", (600, 190)) == "THROUGH_ENEMY"
    game.put("rh", (600, 108))
    assert game.mark("rh", "moved") == pytest.approx(38, abs=1)
    friends = [("orc_grunt", (540.0 + 20 * i, 130.0)) for i in range(7)]
    game = battle(friends, FAR, heroes=((600, 70), (1100, 860)))
    game.hold()
    game.put("rh", (600, 190))
    assert game.mark("rh", "moved") == pytest.approx(120)
    assert code(game, "rh", (600, 138)) == "OVERLAP"


def test_who_is_in_melee_stays():
    """FM-MOVE-10, FM-HERO-10, FM-HERO-11: unless called by Follow Me; heroes leave freely."""
    game = battle(
        [("orc_grunt", (600, 200))],
        [("goblin", (600, 221)), ("goblin", (521, 200))],
        heroes=((500, 200), (1100, 860)),
    )
    game.do("attack", figure_id="rh", value="bh")
    game.hold()
    assert code(game, "r1", (700, 200)) == "LEFT_MELEE"
    game.put("r1", (600, 200))
    game.put("rh", (400, 150))
    assert game.mark("rh", "moved")
    called = battle(
        [("orc_grunt", (600, 200))], [("goblin", (600, 221))], heroes=((500, 200), (1100, 860))
    )
    called.do("follow", figure_id="rh")
    called.hold()
    assert last(called.put("r1", (540, 180)), "moved").rule == "FM-ACT-09"


def test_two_who_walk_at_each_other_meet():
    """FM-MOVE-11, FM-GEO-24: in the place their speeds tell."""
    game = battle(
        [("orc_grunt", (600, 200))], [("man_at_arms", (600, 400))], heroes=((500, 200), (500, 400))
    )
    game.do("attack", figure_id="rh", value="bh")
    game.do("attack", figure_id="bh", value="rh")
    game.put("r1", (600, 300))
    met = last(game.put("b1", (600, 305)), "flagged")
    assert met.text("code") == "OVERLAP"
    assert met.number("meet_y") == pytest.approx(400 - 180 * 5 / 11, abs=1)


def test_low_walls_and_houses():
    """FM-OBS-01, FM-OBS-02, FM-OBS-08: a wall delays, a house bars, its door lets in."""
    low = box("w", 0, 200, 1200, 210, 15.0)
    game = battle([], FAR, heroes=((600, 150), (1100, 860)), terrain=(low,))
    game.hold()
    assert code(game, "rh", (600, 250)) == "WALL_DELAY"
    house = box("h", 0, 200, 1200, 210, 120.0, kind="building")
    game = battle([], FAR, heroes=((600, 150), (1100, 860)), terrain=(house,))
    game.hold()
    assert code(game, "rh", (600, 250)) == "THROUGH_OBSTACLE"
    door = TerrainMark("door", ((560, 195), (640, 195), (640, 215), (560, 215)))
    gate = box("h", 0, 200, 1200, 210, 120.0, kind="building", marks=(door,))
    game = battle([], FAR, heroes=((600, 150), (1100, 860)), terrain=(gate,))
    game.hold()
    game.put("rh", (600, 250))
    assert game.mark("rh", "moved") == pytest.approx(100, abs=1)


def test_wading_costs_half():
    """FM-OBS-04, FM-OBS-05, FM-OBS-10: a path into the water has half the allowance."""
    ford = box("f", 0, 150, 1200, 200, 1.0, kind="ford")
    game = battle([], FAR, heroes=((600, 130), (1100, 860)), terrain=(ford,))
    game.hold()
    found = last(game.put("rh", (600, 215)), "flagged")
    assert (found.text("code"), found.number("limit_mm")) == ("TOO_FAR", pytest.approx(76.2))
    game.put("rh", (600, 200))
    assert game.mark("rh", "moved") == pytest.approx(70)
    game.put("rh", (700, 138))
    assert game.mark("rh", "moved") == pytest.approx(100, abs=1)
    stream = box("f", 0, 150, 1200, 160, 1.0, kind="shallow_stream")
    cart = battle(
        [("cart_engine", (600, 130))], FAR, heroes=((500, 130), (1100, 860)), terrain=(stream,)
    )
    cart.do("follow", figure_id="rh")
    cart.hold()
    cart.put("rh", (500, 140))
    assert code(cart, "r1", (600, 180)) == "THROUGH_OBSTACLE"


def test_woods_cost_nothing_and_riders_are_like_men():
    """FM-OBS-09, FM-OBS-11."""
    wood = box("w", 0, 150, 1200, 300, 80.0, kind="wood")
    game = battle(
        [],
        FAR,
        heroes=((600, 130), (1100, 860)),
        terrain=(wood,),
        kinds=("hero_horse_light", "hero_foot_light"),
    )
    game.hold()
    game.put("rh", (600, 430))
    assert game.mark("rh", "moved") == pytest.approx(300)
    hedge = box("h", 0, 200, 1200, 210, 15.0, kind="hedge")
    game = battle(
        [],
        FAR,
        heroes=((600, 130), (1100, 860)),
        terrain=(hedge,),
        kinds=("hero_horse_light", "hero_foot_light"),
    )
    game.hold()
    assert code(game, "rh", (600, 300)) == "WALL_DELAY"


def test_nobody_moves_when_it_is_no_time_for_it():
    """FM-GEO-19: told with the old place; nudges are ignored, a human's word is no move."""
    game = battle([("orc_grunt", (600, 80))], FAR)
    assert game.put("r1", (604, 80)) == ()
    found = last(game.put("r1", (640, 80)), "flagged")
    assert (found.text("code"), found.number("was_x")) == ("MOVED", 600.0)
    game.do("accept", figure_id="r1")
    assert game.mark("r1", "at_x") == 640.0
    game.shift(r1=(700, 80))
    assert game.mark("r1", "at_x") == 700.0


def test_nobody_stands_over_the_edge():
    """FM-GEO-20."""
    game = battle([], FAR)
    game.hold()
    assert code(game, "rh", (600, 3)) == "TABLE_EDGE"


def test_levels_do_not_count_for_lengths():
    """FM-GEO-16: the gap stays flat."""
    game = battle([("orc_grunt", (600, 200))], [("goblin", (600, 300))])
    game.put("b1", (600, 300), level=57.6)
    field = Field(game.state, game.table())
    assert field.gap(game.unit("r1"), game.unit("b1")) == pytest.approx(80.0)


def test_trembling_is_no_move_and_who_is_missing_is_asked_about():
    """FM-GEO-18, FM-GEO-19."""
    men = [("orc_grunt", (600, 80)), ("orc_grunt", (700, 80))]
    game = battle(men, FAR)
    game.hold()
    check_stillness(game, "r1")
    check_asked_when_missing(battle(men, FAR), "r1", "r2")


def test_fallen_and_missing_figures():
    """FM-GEO-17, FM-GEO-18: the players say why; its state is kept."""
    game = battle([("orc_grunt", (600, 80)), ("orc_grunt", (700, 80))], FAR)
    assert last(game.lay("r1"), "fell").figure_id == "r1"
    assert game.option("fallen", "r1") is not None
    game.lay("r1", FigureState.STANDING)
    assert game.mark("r1", "down") is None
    hidden = game.figures.pop("r2")
    game.look()
    game.t_ns += 6_000_000_000
    game.put("r1", (601, 80))
    assert "I do not see Red 3. Removed, hidden or carried?" in game.said()
    game.figures["r2"] = hidden
    game.look()
    assert game.mark("r2", "missing") is None
    assert refused(game, "fallen", figure_id="r2", value="stays") == "FM-GEO-17"
    assert game.figures["r2"].seen is Seen.SEEN


def test_moves_are_not_done_while_somebody_stands_wrong():
    """FM-GEO-19, FM-TURN-03: what is offered is what is accepted."""
    game = battle([], FAR)
    game.hold()
    game.put("rh", (600, 300))
    assert game.offers("accept") == ["rh"]
    assert game.offers("done") == []
    game.do("accept", figure_id="rh")
    assert game.offers("done") == [None]
    game.do("done")


@pytest.mark.parametrize(("policy", "kind"), [("ask", "asked_place"), ("strict", "flagged")])
def test_close_moves(policy, kind):
    """FM-GEO-14: asked, or decided by the number."""
    game = battle([], FAR, {"geom.close_policy": policy})
    game.hold()
    assert last(game.put("rh", (600, 193)), kind).figure_id == "rh"
    if policy == "ask":
        game.do("answer", value="no")
        assert game.mark("rh", "open_code") == "TOO_FAR"
        game.do("undo")
        game.do("answer", value="yes")
        assert game.mark("rh", "moved") == pytest.approx(153)
        near = battle([], FAR, {"geom.close_policy": policy})
        near.hold()
        near.put("rh", (600, 192))
        near.do("answer", value="no")
        assert "more than 152 millimetres by your ruler" in near.said()[-1]


def test_snapshots_of_a_turn():
    """FM-GEO-21, FM-GEO-22, FM-TURN-03: command radii at the declaration, the rest where it is."""
    game = battle([("orc_grunt", (600, 80)), ("orc_grunt", (760, 40))], FAR)
    game.do("follow", figure_id="rh")
    game.hold()
    game.put("rh", (600, 180))
    field = Field(game.state, game.table())
    rh, r1, r2 = (game.unit(name) for name in ("rh", "r1", "r2"))
    assert field.gap_before(rh, r1) == pytest.approx(20)
    assert field.gap(rh, r1) == pytest.approx(80)
    assert field.nearest(rh, [r1, r2]) == pytest.approx(80)


def test_along_with_the_hero():
    """FM-ACT-09: displaced with his own move within 45 degrees, if not nearer to him."""
    game = battle([("horseman", (600, 400))], FAR, heroes=((600, 300), (1100, 860)))
    game.do("follow", figure_id="rh")
    game.hold()
    game.put("rh", (700, 300))
    moved = game.put("r1", (700, 490))
    assert last(moved, "moved").rule == "FM-ACT-09"
    assert code(game, "r1", (690, 510)) == "WRONG_WAY"
    for turn, found in ((44.5, None), (45.5, "WRONG_WAY")):
        x, y = (200.0 * way(math.radians(turn)) for way in (math.cos, math.sin))
        game.put("r1", (600, 400))
        game.put("r1", (600 + x, 400 + y))
        assert game.mark("r1", "open_code") == found


def test_a_small_shortfall_is_no_matter():
    """FM-ACT-29: less than 25 mm."""
    for way, told in ((126.9, ["r1"]), (127.9, [])):  # of 152.4
        game = battle([("orc_grunt", (600, 100))], [("goblin", (600, 600))])
        game.do("attack", figure_id="rh", value="bh")
        game.hold()
        game.put("r1", (600, 100 + way))
        game.do("done")
        lag = [one.event.figure_id for one in game.referee.lines if one.event.kind == "lagged"]
        assert lag == told
