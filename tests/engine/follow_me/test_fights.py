"""Shooting, melee, push-back and duels through the referee."""

import pytest

from engine.errors import Refused
from engine.rulesets.follow_me.field import Field
from tests.engine.follow_me.battle import Battle, battle, last
from tests.engine.tables import box


def refused(game, kind, **fields):
    with pytest.raises(Refused) as caught:
        game.do(kind, **fields)
    return caught.value.rule


def shoot(game):
    """Everybody holds and stands; the targets are to be named."""
    game.hold()
    game.do("done")
    return game


def target(game, shooter, name):
    return next(t for t in game.option("aim", shooter).targets if t.figure_id == name)


def volley(red, blue, **fields):
    fields.setdefault("heroes", ((100, 40), (1100, 860)))
    return shoot(battle(red, blue, **fields))


def test_archers_shoot_at_the_nearest_unless_told():
    """FM-SHOOT-02, 05, 06, 14, FM-ACT-26: shots need no action; all are named before any die."""
    game = volley([("archer", (600, 300))], [("goblin", (600, 500)), ("goblin", (700, 560))])
    assert target(game, "r1", "b1").text == "180 mm: 4, 5 or 6 hits."
    assert target(game, "r1", "b2").text.endswith(": 5 or 6 hits.")
    game.do("done")
    aimed = last(game.referee.lines, "aimed")
    assert (aimed.target_id, aimed.number("need")) == ("b1", 4)
    assert game.option("volley").dice == (1, 6)
    game.do("volley", value="rh", dice=(4,))
    assert not game.unit("b1").alive


def test_shooters_may_hold_their_fire():
    """FM-SHOOT-14, FM-SHOOT-20: and go on shooting every turn, without end."""
    game = volley([("archer", (600, 300))], [("goblin", (600, 500))])
    game.do("hold_fire", figure_id="r1")
    game.do("done")
    assert "volley" not in game.kinds()
    for _ in range(4):
        shoot(game)
        game.do("done")
        game.do("volley", value="rh", dice=(1,))
    assert game.kinds().count("volley") == 4


def test_no_shot_at_what_cannot_be_hurt():
    """FM-SHOOT-03, 07, 10: a dash or out of range is refused before dice; carts have crews."""
    game = volley(
        [("crossbowman", (600, 100))],
        [
            ("knight", (600, 540)),
            ("goblin", (600, 889)),
            ("cart_engine", (500, 300)),
            ("goblin", (700, 400)),
        ],
    )
    assert [target(game, "r1", n).rule for n in ("b1", "b2", "b3", "b4")] == [
        "FM-SHOOT-07", "FM-SHOOT-07", "FM-SHOOT-10", "FM-SHOOT-05",
    ]  # fmt: skip
    assert refused(game, "aim", figure_id="r1", target_id="b1") == "FM-SHOOT-07"
    assert refused(game, "aim", figure_id="b4", target_id="r1") == "FM-SET-12"


def test_who_cannot_be_seen_cannot_be_shot():
    """FM-SHOOT-11: terrain hides, other figures do not."""
    house = box("h", 560, 380, 640, 400, 60.0, kind="building")
    game = volley(
        [("archer", (600, 300))],
        [("goblin", (600, 450)), ("goblin", (700, 450)), ("goblin", (730, 500))],
        terrain=(house,),
    )
    assert [target(game, "r1", n).allowed for n in ("b1", "b2", "b3")] == [False, True, True]
    assert target(game, "r1", "b1").rule == "FM-SHOOT-11"


def test_who_moved_or_is_in_contact_does_not_shoot():
    """FM-SHOOT-01, 13: a step is a move, a nudge is not."""
    game = battle(
        [("archer", (600, 300)), ("archer", (700, 300))],
        [("goblin", (600, 500)), ("goblin", (700, 321))],
        heroes=((600, 100), (1100, 860)),
    )
    game.do("follow", figure_id="rh")
    game.hold()
    game.put("rh", (600, 60))
    game.put("r1", (600, 290))
    game.do("done")
    assert game.state.phase == "MELEE_SPLIT"
    steady = battle(
        [("archer", (600, 300)), ("archer", (700, 300))],
        [("goblin", (600, 500)), ("goblin", (700, 321))],
        heroes=((600, 100), (1100, 860)),
    )
    shoot(steady)
    assert steady.offers("aim") == ["r1"]
    assert refused(steady, "aim", figure_id="r2", target_id="b1") == "FM-SHOOT-13"


def test_no_shots_into_a_brawl():
    """FM-SHOOT-17: at an enemy locked with a friend."""
    game = volley(
        [("archer", (600, 300)), ("orc_grunt", (600, 479))],
        [("goblin", (600, 500)), ("goblin", (700, 480))],
    )
    assert target(game, "r1", "b1").rule == "FM-SHOOT-17"
    assert target(game, "r1", "b2").allowed


def test_hits_left_over_go_to_the_next():
    """FM-SHOOT-15: for which that same die would have hit too."""
    reds = [("archer", (560.0 + 30 * i, 300)) for i in range(3)]
    game = volley(
        reds,
        [
            ("goblin", (590, 500)),
            ("man_at_arms", (640, 500)),
            ("goblin", (680, 500)),
            ("man_at_arms", (520, 500)),
        ],
    )
    for name in ("r1", "r2", "r3"):
        game.do("aim", figure_id=name, target_id="b1")
    game.do("done")
    game.do("volley", value="rh", dice=(4, 4, 5))
    spilt = [line.event.target_id for line in game.referee.lines if line.event.kind == "spilt"]
    assert spilt == ["b3", "b2"]
    assert [game.unit(n).alive for n in ("b1", "b2", "b3", "b4")] == [False, False, False, True]


@pytest.mark.parametrize(("answer", "need"), [("yes", 4), ("no", 5)])
def test_close_ranges_are_asked_about(answer, need):
    """FM-GEO-13, FM-GEO-14, FM-SHOOT-06: where it is agreed."""
    game = volley(
        [("archer", (600, 300))], [("goblin", (600, 575))], options={"geom.close_policy": "ask"}
    )
    game.do("aim", figure_id="r1", target_id="b1")
    assert game.state.question.rule == "FM-GEO-14"
    game.do("answer", value=answer)
    assert last(game.referee.lines, "aimed").number("need") == need


def test_close_ranges_are_granted():
    """FM-GEO-14: whoever wants it has it, or the number decides."""
    game = volley([("archer", (600, 300))], [("goblin", (600, 575))])
    assert "Close: it counts." in target(game, "r1", "b1").text
    strict = volley(
        [("archer", (600, 300))], [("goblin", (600, 575))], options={"geom.close_policy": "strict"}
    )
    assert target(strict, "r1", "b1").text.endswith(": 5 or 6 hits.")


def test_a_hero_with_a_bow_holds():
    """FM-SHOOT-21, FM-SET-12: he shoots as an archer, if he took Hold and stood."""
    game = Battle()
    game.join("rh", "red", (600, 300), "hero_foot_light")
    game.join("bh", "blue", (600, 500), "hero_foot_light")
    game.do("weapon", figure_id="rh", value="bow")
    game.do("ready")
    shoot(game)
    aimed = last(game.do("aim", figure_id="rh", target_id="bh"), "aimed")
    assert aimed.number("need") == 4
    game.do("done")
    game.do("volley", value="rh", dice=(6,))
    assert game.unit("bh").wounds == 1
    game.to("DECLARE")
    game.do("speech", figure_id="rh")
    shoot(game)
    assert game.state.phase == "DECLARE"


def test_the_fallen_are_laid_down():
    """FM-HIT-05, FM-SHOOT-16, FM-TURN-05: spot, turn and cause are kept; then melee."""
    game = volley([("archer", (600, 300))], [("goblin", (600, 500)), ("goblin", (900, 860))])
    game.do("done")
    game.do("volley", value="rh", dice=(6,))
    assert game.state.phase == "SHOOT_CASUALTIES"
    killed = last(game.referee.lines, "killed")
    assert (killed.rule, killed.text("by"), killed.number("turn")) == ("FM-HIT-01", "r1", 1)
    game.lay("b1")
    assert "laid" in game.kinds()
    assert (game.mark("b1", "at_x"), game.mark("b1", "fell_turn")) == (600.0, 1)
    game.do("done")
    assert game.state.phase == "MORALE"


def brawl(red, blue, options=None, **fields):
    """Figures in contact; their fights are to be rolled."""
    fields.setdefault("heroes", ((100, 40), (1100, 860)))
    game = battle(red, blue, options, **fields)
    game.to("MELEE_SPLIT")
    return game


FOUR_ON_TWO = [("orc_grunt", (500.0, 400)), ("orc_grunt", (530.0, 400)),
               ("orc_grunt", (560.0, 400)), ("orc_grunt", (590.0, 400))]  # fmt: skip


def test_the_example_of_the_rules():
    """FM-MELEE-01, 02, 04, 06 to 11, 13 to 15, 26: four grunts against two knights."""
    game = brawl(FOUR_ON_TWO, [("knight", (515, 422)), ("knight", (575, 422))])
    assert dict(game.state.marks)["fights"] == "b1|r1,r2;b2|r3,r4"
    game.do("done")
    first = last(game.do("roll", value="0", dice=(2, 6)), "fought")
    assert (first.number("score_single"), first.number("score_many")) == (4, 6)
    assert first.text("outcome") == "push_single"
    second = last(game.do("roll", value="1", dice=(6, 1)), "fought")
    assert (second.number("score_single"), second.number("margin")) == (8, 7)
    assert game.state.question.rule == "FM-MELEE-11"
    game.do("answer", value="r4")
    assert not game.unit("r4").alive
    assert game.unit("r3").alive
    back = {line.event.figure_id: line.event.number("moved_mm") for line in game.referee.lines
            if line.event.kind == "set_at"}  # fmt: skip
    assert back == {"b1": pytest.approx(50.8, abs=0.1), "r3": pytest.approx(50.8, abs=0.1)}


def test_kills_need_the_margin_of_the_victim():
    """FM-MELEE-18, FM-MELEE-19: of mixed enemies only who can be killed may be named."""
    game = brawl([("orc_chief", (600, 400)), ("goblin", (621, 418))], [("knight", (600, 426))])
    assert dict(game.state.marks)["fights"] == "b1|r2,r1"
    game.do("done")
    game.do("roll", value="0", dice=(6, 4))
    assert game.state.question is None
    assert not game.unit("r2").alive
    assert game.unit("r1").alive


@pytest.mark.parametrize(
    ("how", "dice", "dead", "back"),
    [
        (True, (6, 1), "r1", {"r2"}),
        (False, (6, 1), "r1", set()),
        ("victim", (6, 1), "r1", set()),
        (True, (4, 5), None, {"r1", "r2"}),
        (False, (4, 5), None, {"r1", "r2"}),
        ("victim", (4, 5), None, {"r1"}),
    ],
)
def test_who_goes_back_when_one_beats_several(how, dice, dead, back):
    """FM-MELEE-18, FM-MELEE-19: all, only the victim, or nobody where one is killed."""
    game = brawl(
        [("orc_grunt", (590, 400)), ("orc_grunt", (612, 400))],
        [("knight", (601, 423))],
        {"fm.melee.push_survivors": how},
    )
    game.do("done")
    game.do("roll", value="0", dice=dice if dead else (dice[0], dice[1]))
    if game.state.question is not None:
        game.do("answer", value="r1")
    pushed = {line.event.figure_id for line in game.referee.lines if line.event.kind == "set_at"}
    assert pushed == back
    assert game.unit("r1").alive == (dead is None)


def test_equal_scores_change_nothing():
    """FM-MELEE-05, FM-MELEE-17, FM-MELEE-12: they stay in contact and fight on."""
    game = brawl([("orc_grunt", (600, 400))], [("goblin", (600, 421))])
    game.do("done")
    assert last(game.do("roll", value="0", dice=(3, 3)), "fought").text("outcome") == "tie"
    assert "set_at" not in game.kinds()


def test_one_who_stands_in_several_contacts_fights_once():
    """FM-MELEE-13, FM-MELEE-27: and players may change it where that is legal."""
    game = brawl(
        [("orc_grunt", (600, 400)), ("orc_grunt", (580, 400)), ("orc_grunt", (558, 400))],
        [("goblin", (590, 420)), ("goblin", (566, 420))],
    )
    before = dict(game.state.marks)["fights"]
    names = before.replace("|", ",").replace(";", ",").split(",")
    assert sorted(names) == ["b1", "b2", "r1", "r2", "r3"]
    assert game.offers("fight")
    change = game.option("reassign")
    if change is not None:
        game.do("reassign", figure_id=change.figure_id, target_id=change.targets[0].figure_id)
        assert dict(game.state.marks)["fights"] != before
    assert refused(game, "reassign", figure_id="r1", target_id="rh") == "FM-MELEE-13"


def test_players_may_change_the_fights():
    """FM-MELEE-13, FM-MELEE-14: one of two joins the fight against the other enemy he touches."""
    game = brawl(
        [("orc_grunt", (578, 400)), ("orc_grunt", (600, 400)), ("orc_grunt", (622, 400)),
         ("orc_grunt", (644, 400)), ("orc_grunt", (566, 420))],
        [("goblin", (589, 420)), ("goblin", (633, 420))],
    )  # fmt: skip
    changes = {o.figure_id: [t.figure_id for t in o.targets] for o in game.referee.options()
               if o.kind == "reassign"}  # fmt: skip
    for name, enemies in changes.items():
        game.do("reassign", figure_id=name, target_id=enemies[0])
        game.do("undo")
    assert dict(game.state.marks)["fights"].count("|") == 2


def test_a_hero_fights_followers_like_anybody():
    """FM-MELEE-10, 23, FM-HERO-01, FM-MELEE-20: plus 4, outnumbered, hit at 4, and pushed."""
    game = brawl(
        [],
        [("orc_grunt", (600, 321)), ("orc_grunt", (580, 310)), ("orc_grunt", (620, 310))],
        heroes=((600, 300), (1100, 860)),
    )
    game.do("done")
    fought = last(game.do("roll", value="0", dice=(1, 6)), "fought")
    assert (fought.number("score_single"), fought.text("outcome")) == (2, "hit_single")
    assert game.unit("rh").wounds == 1
    assert last(game.referee.lines, "set_at").figure_id == "rh"


def test_followers_against_a_giant():
    """FM-MELEE-24, FM-HIT-02, FM-MORALE-16: ordinary melee, one hit at 4."""
    game = brawl([("giant", (600, 400))], [("knight", (600, 433))])
    game.do("done")
    fought = last(game.do("roll", value="0", dice=(6, 1)), "fought")
    assert (fought.text("outcome"), fought.number("score_single")) == ("hit_one", 10)
    assert game.unit("r1").wounds == 1
    assert game.mark("bh", "fought_big") is True
    assert game.mark("rh", "fought_big") is None


def test_a_hero_beside_his_men_lends_his_factor():
    """FM-MELEE-16, FM-MELEE-30: the best factor of several counts once."""
    game = brawl(
        [("orc_grunt", (579, 400))], [("goblin", (600, 400))], heroes=((621, 400), (1100, 860))
    )
    assert dict(game.state.marks)["fights"] == "b1|r1,rh"
    game.do("done")
    assert last(game.do("roll", value="0", dice=(6, 2)), "fought").number("score_many") == 6


def test_carts_do_not_fight():
    """FM-MELEE-28."""
    game = battle(
        [("cart_engine", (600, 400))], [("goblin", (600, 421))], heroes=((100, 40), (1100, 860))
    )
    game.hold()
    game.do("done")
    assert game.state.phase == "DECLARE"


def test_three_alliances_in_one_knot():
    """FM-MELEE-29: the closest pair first; who is left over joins a lone enemy of his friends."""
    game = Battle()
    for name, side, at, kind in (
        ("rh", "red", (100, 40), "hero_foot_light"), ("bh", "blue", (1100, 860),
         "hero_foot_light"), ("gh", "green", (40, 800), "hero_foot_light"),
        ("r1", "red", (600, 400), "orc_grunt"), ("b1", "blue", (621, 400), "orc_grunt"),
        ("g1", "green", (611, 420), "orc_grunt"),
    ):  # fmt: skip
        game.join(name, side, at, kind)
    game.do("ready")
    game.to("MELEE_SPLIT")
    assert dict(game.state.marks)["fights"] == "b1|r1"


def test_pushes_stop_at_what_is_in_the_way():
    """FM-PUSH-01, 02, 05, FM-GEO-12: no further harm; who has most room goes first."""
    wall = box("w", 0, 345, 1200, 365, 60.0)
    game = brawl([("orc_grunt", (600, 400))], [("goblin", (600, 421))], terrain=(wall,))
    game.do("done")
    game.do("roll", value="0", dice=(5, 4))
    pushed = last(game.referee.lines, "set_at")
    assert pushed.number("moved_mm") == pytest.approx(25, abs=1.1)
    assert game.unit("r1").alive
    assert game.mark("r1", "placing") is True
    assert refused(game, "done") == "FM-GEO-12"
    assert (game.offers("done"), game.offers("accept")) == ([], ["r1"])
    game.put("r1", (600, 378))
    assert last(game.referee.lines, "put").figure_id == "r1"
    game.do("done")
    close = brawl([("orc_grunt", (600, 378))], [("goblin", (600, 399))], terrain=(wall,))
    close.do("done")
    close.do("roll", value="0", dice=(5, 4))
    assert last(close.referee.lines, "held_fast").rule == "FM-PUSH-02"


def test_a_place_may_be_accepted():
    """FM-GEO-12, FM-GEO-19: a house ruling instead of putting it there."""
    game = brawl([("orc_grunt", (600, 400))], [("goblin", (600, 421))])
    game.do("done")
    game.do("roll", value="0", dice=(5, 4))
    game.do("accept", figure_id="r1")
    assert game.mark("r1", "at_y") == 400.0
    game.do("done")


def test_nobody_follows_up_unless_agreed():
    """FM-PUSH-03, FM-PUSH-04: then up to the length of the push; shooters shoot next turn."""
    game = brawl(
        [("archer", (600, 400))], [("goblin", (600, 421))], {"fm.push.follow_up": "winner_may"}
    )
    game.do("done")
    game.do("roll", value="0", dice=(4, 4))
    game.obey()
    moved = last(game.put("b1", (600, 375)), "moved")
    assert (moved.rule, moved.number("limit_mm")) == ("FM-PUSH-03", pytest.approx(50.8))
    plain = brawl([("archer", (600, 400))], [("goblin", (600, 421))])
    plain.do("done")
    plain.do("roll", value="0", dice=(4, 4))
    plain.obey()
    assert last(plain.put("b1", (600, 375)), "flagged").text("code") == "MOVED"
    plain.put("b1", (600, 421))
    plain.to("DECLARE", dice=6)
    shoot(plain)
    assert plain.state.phase == "SHOOT_TARGETS"
    assert "r1" in plain.offers("aim")


def duel(red="hero_foot_light", blue="hero_foot_light", options=None, men=()):
    game = battle(men, [], options, heroes=((600, 400), (600, 421)), kinds=(red, blue))
    game.to("MELEE_SPLIT")
    return game


def signs(game, first, second):
    a, b = dict(game.state.marks)["duels"].split("|")
    for sign in first.split():
        game.do("sign", figure_id=a, value=sign)
    for sign in second.split():
        lines = game.do("sign", figure_id=b, value=sign)
    return last(lines, "dueled")


def test_heroes_in_contact_duel():
    """FM-HERO-02, 04 to 07, 09, 15: three rounds, the better one hits, nobody goes back."""
    game = duel()
    assert dict(game.state.marks)["duels"] == "bh|rh"
    game.do("done")
    assert game.state.phase == "DUELS"
    fought = signs(game, "stone paper paper", "scissors scissors stone")
    assert (fought.number("won_a"), fought.number("won_b"), fought.text("hit_on")) == (2, 1, "rh")
    assert game.unit("rh").wounds == 1
    assert "set_at" not in game.kinds()
    game.to("DUELS")
    again = signs(game, "stone stone stone", "stone stone stone")
    assert again.text("hit_on") == ""
    assert refused(game, "sign", figure_id="rh", value="well") in ("FM-HERO-03", "FM-HERO-04")


def test_one_duel_a_turn():
    """FM-HERO-03: a fourth sign is refused."""
    game = duel()
    game.do("done")
    assert refused(game, "sign", figure_id="rh", value="well") == "FM-HERO-04"
    for _ in range(3):
        game.do("sign", figure_id="rh", value="stone")
    assert refused(game, "sign", figure_id="rh", value="stone") == "FM-HERO-03"


def test_four_hits_kill_a_hero():
    """FM-HERO-06, FM-HIT-02, FM-HIT-03, FM-END-01, FM-TURN-13: and the end is proposed."""
    game = duel(blue="mage", options={"fm.modules.spells": False})
    for _ in range(4):
        game.to("DUELS")
        signs(game, "stone stone stone", "paper paper paper")
    assert not game.unit("bh").alive
    while game.state.question is None:
        game.step()
    assert game.state.question.rule == "FM-END-01"
    game.do("answer", value="yes")
    assert (game.state.phase, game.state.outcome) == ("FINISHED", "red")


def test_followers_keep_out_of_a_duel():
    """FM-HERO-12, FM-MELEE-15: duellists count nowhere else."""
    game = duel(men=[("orc_grunt", (621, 421))])
    assert dict(game.state.marks).get("fights") is None
    assert game.offers("duel") == ["bh"]


def test_a_dragon_duels():
    """FM-HERO-08, 13, 17, 18: its player chooses its signs, or chance does."""
    game = battle(
        [("dragon", (600, 400))], [("orc_grunt", (632, 400))], heroes=((100, 40), (600, 431))
    )
    assert Field(game.state, game.table()).touch(game.unit("r1"), game.unit("b1"))
    game.to("MELEE_SPLIT")
    assert dict(game.state.marks)["duels"] == "bh|r1"
    assert dict(game.state.marks).get("fights") is None
    game.do("done")
    assert refused(game, "chance", figure_id="bh") == "FM-HERO-08"
    assert refused(game, "chance", figure_id="r1", dice=(4, 1, 1)) == "FM-GEN-08"
    game.do("chance", figure_id="r1", dice=(1, 2, 3))
    assert [game.mark("r1", f"sign{i}") for i in (1, 2, 3)] == ["stone", "scissors", "paper"]
    for sign in ("paper", "stone", "scissors"):
        game.do("sign", figure_id="bh", value=sign)
    assert game.unit("r1").wounds == 1


def test_a_dragon_breathes_before_its_duel():
    """FM-HERO-18, FM-GEN-09: at somebody who is not locked with its friends."""
    game = battle(
        [("dragon", (600, 400))],
        [("orc_grunt", (600, 300)), ("orc_grunt", (900, 860))],
        heroes=((560, 450), (600, 510)),
    )
    game.do("instruct", figure_id="rh", value="r1|will")
    game.hold()
    game.shift(bh=(600, 431))
    game.do("done")
    game.do("aim", figure_id="r1", target_id="b1")
    game.do("done")
    game.do("volley", value="r1", dice=(4,))
    assert not game.unit("b1").alive
    game.to("MELEE_SPLIT")
    assert dict(game.state.marks)["duels"] == "bh|r1"


def test_two_big_things_duel():
    """FM-HERO-17."""
    game = battle([("dragon", (600, 400))], [("giant", (600, 441))], heroes=((100, 40), (900, 860)))
    game.to("MELEE_SPLIT")
    assert dict(game.state.marks)["duels"] == "b1|r1"


def test_a_mage_duels_like_any_hero():
    """FM-HERO-16."""
    game = duel("mage", options={"fm.modules.spells": False})
    assert dict(game.state.marks)["duels"] == "bh|rh"


def test_one_duel_in_each_knot():
    """FM-HERO-14: where it is agreed; the others watch (FM-HERO-19)."""
    game = Battle({"fm.duel.pairs": "one_per_knot"})
    for name, side, at in (
        ("rA", "red", (600, 400)), ("rB", "red", (630, 410)),
        ("bC", "blue", (590, 419)), ("bD", "blue", (610, 419)),
    ):  # fmt: skip
        game.join(name, side, at, "hero_foot_light")
    game.do("ready")
    game.to("MELEE_SPLIT")
    marks = dict(game.state.marks)
    assert (marks["duels"], marks["watch"]) == ("bC|rA", "bD,rB")


def test_the_order_of_a_turn():
    """FM-TURN-03 to 07: moves, magic, shots, melee, morale."""
    game = battle(
        [("archer", (600, 300)), ("orc_grunt", (700, 400))],
        [("goblin", (600, 500)), ("goblin", (700, 421))],
        heroes=((100, 40), (1100, 860)),
    )
    game.hold()
    game.to("DECLARE", dice=4)
    began = [line.event.text("phase") for line in game.referee.lines
             if line.event.kind == "phase_began"]  # fmt: skip
    first = began[: began.index("DECLARE", 1)]
    order = [
        "DECLARE",
        "MOVE",
        "MAGIC",
        "SHOOT_TARGETS",
        "SHOOT_ROLL",
        "SHOOT_CASUALTIES",
        "MELEE_SPLIT",
        "MELEE_ROLL",
        "DUELS",
        "MELEE_RESULTS",
        "MORALE",
        "END_TURN",
    ]
    assert first == [phase for phase in order if phase in first]
    assert {"MAGIC", "MELEE_SPLIT", "MORALE"} <= set(first)


def test_who_was_shot_does_not_fight():
    """FM-TURN-08: a figure killed in step 4a is not there in step 4b."""
    game = battle(
        [("archer", (600, 300)), ("orc_grunt", (640, 521))],
        [("goblin", (600, 500)), ("goblin", (900, 860))],
        heroes=((100, 40), (1100, 860)),
    )
    shoot(game)
    game.do("done")
    game.do("volley", value="rh", dice=(6,))
    game.do("done")
    assert game.state.phase == "MORALE"


def test_ranges_from_middle_to_middle():
    """FM-GEO-04: where it is agreed."""
    edge = volley([("archer", (600, 300))], [("goblin", (600, 570))])
    assert target(edge, "r1", "b1").text.endswith(": 4, 5 or 6 hits.")
    middle = volley(
        [("archer", (600, 300))], [("goblin", (600, 570))], options={"geom.range_mode": "centre"}
    )
    assert target(middle, "r1", "b1").text.endswith(": 5 or 6 hits.")


@pytest.mark.parametrize(
    ("tol", "fights"), [("lego", False), ("lego_on_studs", True), ("playmobil", True)]
)
def test_tolerance_of_contact(tol, fights):
    """FM-GEO-05."""
    game = battle(
        [("orc_grunt", (600, 400))],
        [("goblin", (600, 427))],
        {"geom.contact_tol_mm": tol},
        heroes=((100, 40), (1100, 860)),
    )
    field = Field(game.state, game.table())
    assert field.touch(game.unit("r1"), game.unit("b1")) is fights


def knots(phase):
    """Red, blue and green: blue fights one of each, red and green fight, two heroes duel."""
    game = Battle()
    for name, side, at, kind in (
        ("rh", "red", (100, 100), "hero_foot_light"), ("bh", "blue", (100, 121),
         "hero_foot_light"), ("gh", "green", (1100, 860), "hero_foot_light"),
        ("r1", "red", (300, 400), "orc_grunt"), ("b1", "blue", (300, 421), "goblin"),
        ("g1", "green", (500, 400), "orc_grunt"), ("b2", "blue", (500, 421), "goblin"),
        ("r2", "red", (700, 400), "orc_grunt"), ("g2", "green", (700, 421), "orc_grunt"),
    ):  # fmt: skip
        game.join(name, side, at, kind)
    game.do("ready")
    game.to(phase)
    return game


@pytest.mark.parametrize("rolled", [0, 1, 2, 3])
def test_a_side_gives_up_in_the_middle_of_its_fights(rolled):
    """FM-END-01, FM-MELEE-26: its fights and duels are off, the others are rolled as before."""
    game = knots("MELEE_SPLIT")
    assert dict(game.state.marks)["fights"] == "b1|r1;b2|g1;g2|r2"
    game.do("done")
    for number in range(rolled):
        game.do("roll", value=str(number), dice=(2, 3))
    game.do("concede", side="blue")
    if rolled < 3:
        assert dict(game.state.marks)["fights"] == "g2|r2"
        assert [o.value for o in game.referee.options() if o.kind == "roll"] == ["0"]
        game.do("roll", value="0", dice=(2, 3))
    back = [one.event for one in game.referee.lines if one.event.kind == "set_at"]
    assert [(one.figure_id, one.text("by")) for one in back] == [("g2", "r2")]
    assert game.unit("b1").mark("gone") == "left_out"


@pytest.mark.parametrize("side", ["blue", "green"])
def test_nobody_asks_how_far_it_is_to_who_is_gone(side):
    """FM-END-01, FM-GEO-14."""
    game = Battle({"geom.close_policy": "ask"})
    for name, of, at, kind in (
        ("rh", "red", (100, 100), "hero_foot_light"), ("bh", "blue", (1100, 60),
         "hero_foot_light"), ("gh", "green", (1100, 860), "hero_foot_light"),
        ("b1", "blue", (600, 300), "archer"), ("g1", "green", (600, 575), "goblin"),
    ):  # fmt: skip
        game.join(name, of, at, kind)
    game.do("ready")
    shoot(game)
    game.do("aim", figure_id="b1", target_id="g1")
    assert game.state.question.rule == "FM-GEO-14"
    game.do("concede", side=side)
    assert game.state.question is None


def test_a_side_gives_up_in_the_middle_of_its_duel():
    """FM-END-01, FM-HERO-03: nobody waits for the signs of who is gone."""
    game = knots("DUELS")
    game.do("sign", figure_id="rh", value="stone")
    game.do("concede", side="blue")
    assert "duels" not in dict(game.state.marks)
    assert game.state.phase != "DUELS"
    assert "dueled" not in game.kinds()


def test_who_names_a_victim_no_longer_has_to_when_it_is_gone():
    """FM-END-01, FM-MELEE-11."""
    game = Battle()
    for name, side, at, kind in (
        ("rh", "red", (100, 100), "hero_foot_light"), ("bh", "blue", (1100, 60),
         "hero_foot_light"), ("gh", "green", (1100, 860), "hero_foot_light"),
        ("r1", "red", (600, 423), "knight"), ("b1", "blue", (589, 400), "orc_grunt"),
        ("b2", "blue", (611, 400), "orc_grunt"),
    ):  # fmt: skip
        game.join(name, side, at, kind)
    game.do("ready")
    game.to("MELEE_SPLIT")
    game.do("done")
    game.do("roll", value="0", dice=(6, 1))
    assert game.state.question.rule == "FM-MELEE-11"
    game.do("concede", side="blue")
    assert game.state.question is None
    assert game.state.phase == "DECLARE"
