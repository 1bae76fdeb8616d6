"""MAGIC: how spells are cast, and each of the eighteen (FM-MAGE, FM-SPELL)."""

import pytest

from engine.errors import Refused
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import frozen, kind_of
from engine.rulesets.follow_me.orders import order_of
from tests.engine.follow_me.battle import Battle, battle, last
from tests.engine.tables import box

REST = ("fire", "heal", "flash", "gone", "safe", "mighty")


def refused(game, kind, **fields):
    with pytest.raises(Refused) as caught:
        game.do(kind, **fields)
    return caught.value.rule


def wizard(spells, red=(), blue=(("goblin", (640, 200)),), options=None, **fields):
    """A red mage at (600, 100) who is about to cast; blue stands around him."""
    names = spells.split()
    known = " ".join([*names, *(s for s in REST if s not in names)][:6])
    fields.setdefault("heroes", ((600, 100), (1100, 860)))
    game = battle(
        red, blue, options, kinds=("mage", "hero_foot_light"), spells=(known, ""), **fields
    )
    return again(game)


def again(game):
    """The next turn's casting."""
    game.to("DECLARE")
    game.do("cast", figure_id="rh")
    game.hold()
    game.do("done")
    assert game.state.phase == "MAGIC"
    return game


def cast(game, spell, *dice, **fields):
    """Name a spell and roll for it."""
    game.named(spell, "rh", **fields)
    return game.do("roll", dice=dice) if dice else ()


def order(game, name):
    return order_of(Field(game.state, game.table()), game.unit(name))


def allowed(game, spell):
    option = next(o for o in game.referee.options() if o.kind == "spell" and o.value == spell)
    return {t.figure_id: t.rule for t in option.targets}


REACH = {
    "begone": (5, 3, "b1"), "blinder": (15, 4, "b2"), "fear": (15, 4, "b1"), "flash": (5, 2, "b1"),
    "freeze": (20, 1, "b1"), "slow": (15, 2, "b1"), "gone": (5, 4, "b1"), "safe": (5, 4, "b1"),
    "heal": (5, 2, "bh"), "lightning": (12, 1, "b1"), "shield": (20, 4, "b1"),
    "mighty": (5, 3, "b1"), "phoenix": (5, 6, "r1"), "mine": (5, 2, "b1"),
}  # fmt: skip
"""Inches, points, and on whom it is cast."""


@pytest.mark.parametrize("spell", REACH)
def test_how_far_a_spell_reaches_and_what_it_costs(spell):
    """FM-SPELL-01 to 18, FM-MAGE-06, FM-MAGE-17, FM-MAGE-23: from edge to edge, to the inch."""
    inches, cost, whom = REACH[spell]
    for short, rule in ((4.0, None), (-4.0, "FM-MAGE-23")):
        # the dead are a spot, all others have an edge
        at = (110.0 if spell == "phoenix" else 120.0) + 25.4 * inches - short
        far = {"b1": (1100.0, 40.0), "b2": (1150.0, 40.0), "bh": (1100.0, 860.0),
               "r1": (20.0, 860.0), whom: (600.0, at)}  # fmt: skip
        game = battle(
            [("goblin", far["r1"])],
            [("goblin", far["b1"]), ("archer", far["b2"])],
            heroes=((600, 100), far["bh"]),
            kinds=("mage", "hero_foot_light"),
            spells=(" ".join([spell, *(one for one in REST if one != spell)][:6]), ""),
        )
        if spell == "phoenix":
            game.lay("r1")
            game.do("fallen", figure_id="r1", value="removed")
        again(game)
        assert allowed(game, spell)[whom] == rule
        if rule is None:
            cast(game, spell, target_id=whom)
            assert game.mark("rh", "points") == 12 - cost
            rolled = spell in ("blinder", "fear", "freeze", "lightning", "mine")
            assert ("2, 3, 4, 5 or 6 works" in " ".join(game.said())) is rolled


@pytest.mark.parametrize(("spell", "cost"), [("decay", 6), ("storm", 5), ("fog", 2)])
def test_circles_of_unlimited_range(spell, cost):
    """FM-SPELL-03, 07, 11, FM-MAGE-23: as far as the table goes."""
    game = wizard(spell, size=(4000.0, 900.0))
    game.do("spell", figure_id="rh", value=spell, point_mm=(3800.0, 700.0))
    assert game.mark("rh", "points") == 12 - cost


def test_naming_and_paying():
    """FM-MAGE-06, 12, 13, 15, 16, 17, 18: only his six, once a turn, paid even when it fails."""
    game = wizard("lightning freeze", options={"fm.mage.start_points": 1})
    assert refused(game, "spell", figure_id="rh", value="storm") == "FM-MAGE-12"
    assert refused(game, "spell", figure_id="rh", value="gone", target_id="rh") == "FM-MAGE-18"
    game.named("lightning", "rh", target_id="b1")
    assert (
        "Red 1 casts LIGHTNING BOLT on Blue 2: 2, 3, 4, 5 or 6 works. 0 points left."
        in " ".join(game.said())
    )
    assert refused(game, "spell", figure_id="rh", value="fire:red") == "FM-MAGE-15"
    game.do("roll", dice=(1,))
    assert game.mark("rh", "points") == 0
    assert game.unit("b1").alive
    assert last(game.referee.lines, "fizzled").number("face") == 1


def test_a_mage_may_cast_nothing_after_all():
    """FM-MAGE-16."""
    game = wizard("lightning")
    game.do("no_spell", figure_id="rh")
    assert game.state.phase != "MAGIC"
    assert refused(game, "no_spell", figure_id="rh") == "FM-MAGE-16"


def test_the_mage_must_see_his_target_in_range():
    """FM-MAGE-14, 23, FM-SPELL-14: 12 inches for lightning, and nothing between."""
    house = box("h", 500, 250, 700, 270, 120.0, kind="building")
    game = wizard(
        "lightning",
        blue=(("goblin", (640, 200)), ("goblin", (600, 330)), ("goblin", (300, 400))),
        terrain=(house,),
    )
    found = allowed(game, "lightning")
    assert (found["b1"], found["b2"], found["b3"]) == (None, "FM-MAGE-14", "FM-MAGE-23")
    assert refused(game, "spell", figure_id="rh", value="lightning", target_id="b2") == "FM-MAGE-14"
    assert refused(game, "spell", figure_id="rh", value="lightning", target_id="b3") == "FM-MAGE-23"


def test_meditation():
    """FM-MAGE-08, 10, 19, 20: a point, never beyond the start; there is no other way."""
    game = battle(
        [], [], kinds=("mage", "hero_foot_light"), spells=("fire heal flash gone safe mighty", "")
    )
    game.do("meditate", figure_id="rh")
    game.hold()
    game.do("done")
    assert game.mark("rh", "points") == 12
    again(game)
    game.do("spell", figure_id="rh", value="fire:green")
    assert game.mark("rh", "points") == 11
    game.to("DECLARE")
    game.hold()
    game.do("done")
    assert game.mark("rh", "points") == 11
    game.do("meditate", figure_id="rh")
    game.hold()
    game.do("done")
    assert game.mark("rh", "points") == 12
    assert last(game.referee.lines, "meditated").rule == "FM-MAGE-08"


def test_meditation_beyond_the_start():
    """FM-MAGE-20: where it is agreed."""
    game = battle(
        [],
        [],
        {"fm.mage.cap": "none"},
        kinds=("mage", "hero_foot_light"),
        spells=("fire heal flash gone safe mighty", ""),
    )
    game.do("meditate", figure_id="rh")
    game.hold()
    game.do("done")
    assert game.mark("rh", "points") == 13


def test_casting_and_meditating_in_melee():
    """FM-MAGE-22, FM-MAGE-09: he may cast, but a meditation fails."""
    game = wizard("lightning", blue=(("goblin", (621, 100)), ("goblin", (900, 800))))
    cast(game, "lightning", 6, target_id="b1")
    assert not game.unit("b1").alive
    other = battle(
        [],
        [("goblin", (621, 100))],
        {"fm.mage.start_points": 12},
        kinds=("mage", "hero_foot_light"),
        heroes=((600, 100), (1100, 860)),
        spells=("fire heal flash gone safe mighty", ""),
    )
    other.do("meditate", figure_id="rh")
    other.to("MELEE_SPLIT")
    other.do("done")
    other.do("roll", value="0", dice=(3, 3))
    assert last(other.referee.lines, "meditated").rule == "FM-MAGE-09"


def test_begone():
    """FM-SPELL-01, FM-SPELL-01a, FM-TURN-04: to any point where it can stand; it then has moved."""
    wall = box("w", 200, 700, 400, 760, 120.0, kind="building")
    game = wizard(
        "begone",
        red=[("archer", (640, 60))],
        blue=(("archer", (640, 200)), ("goblin", (900, 700))),
        terrain=(wall,),
    )
    found = allowed(game, "begone")
    assert found["rh"] == "FM-SPELL-01a"
    assert (found["r1"], found["b1"], found["b2"]) == (None, None, "FM-MAGE-23")
    game.named("begone", "rh", target_id="b1")
    for spot, rule in (((900, 700), "FM-SPELL-01a"), ((300, 730), "FM-SPELL-01a"),
                       ((3, 500), "FM-GEO-20")):  # fmt: skip
        assert refused(game, "spot", figure_id="rh", point_mm=spot) == rule
    game.do("spot", figure_id="rh", point_mm=(600.0, 400.0))
    assert (game.mark("b1", "at_x"), game.mark("b1", "placing")) == (600.0, True)
    assert refused(game, "done") == "FM-GEO-12"
    game.put("b1", (602, 398))
    game.do("done")
    assert "b1" not in game.offers("aim")


def test_blinder():
    """FM-SPELL-02, FM-SPELL-02a, FM-MELEE-25, FM-MAGE-25: the casting turn is one of its turns."""
    game = wizard(
        "blinder",
        blue=(("archer", (640, 250)), ("goblin", (600, 121)), ("goblin", (700, 250))),
        red=[("archer", (700, 60))],
    )
    found = allowed(game, "blinder")
    assert (found["b1"], found["b2"], found["r1"]) == (None, None, None)
    cast(game, "blinder", 2, 2, target_id="b2")
    assert game.mark("bh", "fx_blinder") == 2
    assert "b1" not in game.offers("aim")
    game.to("MELEE_SPLIT")
    game.do("done")
    fought = last(game.do("roll", value="0", dice=(4, 4)), "fought")
    assert {fought.number("score_single"), fought.number("score_many")} == {3, 4}
    nobody = wizard("blinder", blue=(("goblin", (640, 250)),))
    assert allowed(nobody, "blinder")["b1"] == "FM-SPELL-02a"


def test_death_and_decay():
    """FM-SPELL-03, 19, 21, FM-GEO-11, FM-GEO-26: everyone under it rolls, the undead are immune."""
    game = wizard(
        "decay",
        red=[("goblin", (640, 330))],
        blue=(
            ("knight", (600, 300)),
            ("goblin", (560, 300)),
            ("undead_pirate", (600, 340)),
            ("goblin", (600, 402)),
            ("goblin", (1000, 800)),
        ),
    )
    game.do("spell", figure_id="rh", value="decay", point_mm=(600.0, 300.0))
    assert game.option("roll").dice == (3, 6)
    game.do("roll", dice=(2, 1, 2))
    fell = [n for n in ("b1", "b2", "r1", "b3", "b4") if not game.unit(n).alive]
    assert fell == ["b2", "r1"]
    assert game.mark("rh", "points") == 6


def test_great_storm():
    """FM-SPELL-11, 19, 21: no immunity for the undead; a giant loses one hit."""
    game = wizard(
        "storm",
        blue=(("undead_pirate", (600, 300)), ("giant", (560, 340)), ("goblin", (1000, 800))),
    )
    game.do("spell", figure_id="rh", value="storm", point_mm=(590.0, 310.0))
    game.do("roll", dice=(2, 2))
    assert not game.unit("b1").alive
    assert (game.unit("b2").wounds, game.unit("b2").alive) == (1, True)
    assert refused(wizard("storm"), "spell", figure_id="rh", value="storm") == "FM-SPELL-11"


def test_storms_need_a_spot_in_sight():
    """FM-MAGE-14, FM-SPELL-11: unlimited range is no leave to see nothing."""
    house = box("h", 400, 300, 800, 320, 120.0, kind="building")
    game = wizard("storm", terrain=(house,))
    assert refused(game, "spell", figure_id="rh", value="storm", point_mm=(600.0, 400.0)) == \
        "FM-MAGE-14"  # fmt: skip
    assert refused(game, "spell", figure_id="rh", value="storm", point_mm=(-9.0, 400.0)) == \
        "FM-GEO-20"  # fmt: skip


def test_templates_by_agreement():
    """FM-GEO-11."""
    game = wizard(
        "storm",
        blue=(("goblin", (600, 408)), ("goblin", (1000, 800))),
        options={"geom.template_rule": "any_part"},
    )
    game.do("spell", figure_id="rh", value="storm", point_mm=(600.0, 300.0))
    assert game.option("roll").dice == (1, 6)


def test_fear_and_trembling():
    """FM-SPELL-04, FM-MORALE-07, 32: a test at once with minus 3, kept until the end."""
    game = wizard("fear")
    assert game.option("spell", "rh", "fear").targets
    lines = cast(game, "fear", 2, 2, target_id="b1")
    tested = last(lines, "tested")
    assert (tested.number("total"), tested.text("result")) == (-2, "run")
    assert game.mark("bh", "morale") == "running"
    assert game.state.question.rule == "FM-END-01"
    failed = wizard("fear")
    assert "tested" not in [line.event.kind for line in cast(failed, "fear", 1, 1, target_id="b1")]


def test_fire_in_the_sky():
    """FM-SPELL-05: a signal of a chosen colour."""
    game = wizard("fire")
    assert refused(game, "spell", figure_id="rh", value="fire:brown") == "FM-SPELL-05"
    game.do("spell", figure_id="rh", value="fire:gold")
    assert any("FIRE IN THE SKY, gold" in text for text in game.said())
    assert game.mark("rh", "points") == 11


def test_flash():
    """FM-SPELL-06, FM-MAGE-26: twice the move, surely next turn, then rolled for."""
    game = wizard("flash", red=[("orc_grunt", (640, 100))])
    cast(game, "flash", target_id="r1")
    game.to("DECLARE")
    assert game.state.turn == 2
    game.do("follow", figure_id="rh")
    game.hold()
    assert order(game, "r1").limit_mm == pytest.approx(304.8)
    game.do("done")
    assert game.state.phase == "END_TURN"
    game.do("roll", dice=(2,))
    assert game.mark("r1", "fx_flash") == 1
    game.to("END_TURN")
    game.do("roll", dice=(1,))
    assert game.mark("r1", "fx_flash") is None


def test_running_spells_are_told():
    """FM-TURN-12: at the start of each turn."""
    game = wizard("flash fog", red=[("orc_grunt", (640, 100))])
    cast(game, "flash", target_id="r1")
    game.to("DECLARE")
    assert "Still at work: FLASH! on Red 2." in game.said()


def test_fading_at_the_start_of_a_turn():
    """FM-MAGE-26: where it is agreed."""
    game = wizard(
        "flash", red=[("orc_grunt", (640, 100))], options={"fm.wear_off.roll_at": "start_of_turn"}
    )
    cast(game, "flash", target_id="r1")
    assert game.state.phase == "UPKEEP"
    assert game.state.turn == 2
    game.do("roll", dice=(1,))
    assert game.mark("r1", "fx_flash") is None
    assert game.state.phase == "DECLARE"


def test_freeze():
    """FM-SPELL-08, FM-SPELL-08a, FM-MAGE-25: for the rest of the turn and so many after it."""
    game = wizard("freeze", blue=(("archer", (640, 200)), ("goblin", (600, 200))))
    cast(game, "freeze", 2, 1, target_id="b1")
    assert game.state.turn == 2 or "b1" not in game.offers("aim")
    game.to("DECLARE")
    assert frozen(game.state, game.unit("b1"))
    game.do("follow", figure_id="bh") if game.option("follow", "bh") else game.hold()
    game.hold()
    assert order(game, "b1").code == "FROZEN"
    game.to("DECLARE")
    assert game.state.turn == 3
    assert not frozen(game.state, game.unit("b1"))
    assert game.mark("b1", "fx_freeze") is None


def test_the_frozen_defend_themselves():
    """FM-SPELL-08a: and can be pushed back."""
    game = wizard("freeze", red=[("orc_grunt", (640, 221))])
    cast(game, "freeze", 6, 3, target_id="b1")
    assert dict(game.state.marks)["fights"] == "b1|r1"
    game.do("done")
    game.do("roll", value="0", dice=(3, 4))
    assert last(game.referee.lines, "set_at").figure_id == "b1"


@pytest.mark.parametrize(("option", "last_turn"), [("by_spell", 4), ("all", 3), ("none", 4)])
def test_durations_by_agreement(option, last_turn):
    """FM-MAGE-25."""
    game = wizard("freeze", options={"fm.duration.counts_cast_turn": option})
    cast(game, "freeze", 6, 3, target_id="b1")
    assert game.mark("b1", "fx_freeze") == last_turn


def test_go_slow():
    """FM-SPELL-09, 22, 23: half the move of followers, and of a leader who is near."""
    game = wizard(
        "slow",
        blue=(("goblin", (640, 200)), ("horseman", (640, 500))),
        heroes=((600, 100), (640, 300)),
    )
    cast(game, "slow", target_id="b1")
    game.to("DECLARE")
    game.do("follow", figure_id="bh")
    game.hold()
    assert order(game, "b1").limit_mm == pytest.approx(76.2)
    assert order(game, "b2").limit_mm == pytest.approx(177.8)
    assert order(game, "bh").limit_mm == pytest.approx(76.2)
    far = wizard("slow", blue=(("goblin", (640, 200)),), heroes=((600, 100), (640, 800)))
    cast(far, "slow", target_id="b1")
    far.to("DECLARE")
    far.hold()
    assert order(far, "bh").limit_mm == pytest.approx(152.4)
    far.do("done")
    far.do("roll", dice=(1,))
    assert far.mark("bh", "fx_slow") is None


def test_gone_from_sight():
    """FM-SPELL-10, FM-SPELL-10a: no target for shots or spells, but fought in contact."""
    game = wizard(
        "gone",
        red=[("orc_grunt", (640, 120))],
        blue=(("archer", (640, 400)), ("goblin", (660, 112))),
    )
    cast(game, "gone", target_id="r1")
    assert game.state.phase == "SHOOT_TARGETS"
    shots = {t.figure_id: t.rule for t in game.option("aim", "b1").targets}
    assert shots["r1"] in ("FM-SHOOT-11", "FM-SHOOT-17")
    field = Field(game.state, game.table())
    assert not field.sees(game.unit("b1"), game.unit("r1"))
    game.do("done")
    game.to("MELEE_SPLIT")
    assert "r1" in dict(game.state.marks)["fights"]


def test_harm_them_not():
    """FM-SPELL-12, FM-SPELL-12a: no hits or kills from anything, but pushed all the same."""
    game = wizard("safe", red=[("orc_grunt", (640, 120))], blue=(("knight", (640, 142)),))
    cast(game, "safe", target_id="r1")
    game.to("MELEE_SPLIT")
    game.do("done")
    game.do("roll", value="0", dice=(6, 1))
    assert game.unit("r1").alive
    assert "spared" in game.kinds()
    assert last(game.referee.lines, "set_at").figure_id == "r1"


def test_heal():
    """FM-SPELL-13, FM-SPELL-13a, FM-HIT-04: one hit of a hero, the caster too; no Big Things."""
    game = wizard("heal lightning", red=[("giant", (660, 60))])
    assert allowed(game, "heal")["r1"] == "FM-SPELL-13"
    assert allowed(game, "heal")["rh"] is None
    cast(game, "lightning", 6, target_id="r1")
    assert game.unit("r1").wounds == 1
    again(game)
    cast(game, "heal", target_id="rh")
    assert game.unit("rh").wounds == 0


def test_heal_takes_a_hit_away():
    """FM-SPELL-13: one of two."""
    game = wizard("heal", blue=(("archer", (640, 300)), ("archer", (560, 300))))
    game.do("no_spell", figure_id="rh")
    for name in ("b1", "b2"):
        game.do("aim", figure_id=name, target_id="rh")
    game.do("done")
    game.do("volley", value="bh", dice=(6, 6))
    assert game.unit("rh").wounds == 2
    again(game)
    cast(game, "heal", target_id="rh")
    assert game.unit("rh").wounds == 1


def test_fog_is_eight_inches_across():
    """FM-SPELL-07, FM-GEO-26."""
    game = wizard("fog")
    game.do("spell", figure_id="rh", value="fog", point_mm=(600.0, 400.0))
    assert Field(game.state, game.table()).scene.fogs == (((600.0, 400.0), pytest.approx(101.6)),)
    assert game.mark("rh", "points") == 10


def test_lightning_bolt():
    """FM-SPELL-14, FM-SPELL-14a: kills most, but heroes, mages, giants take one hit."""
    game = wizard("lightning", blue=(("goblin", (640, 200)), ("goblin", (900, 800)), ("giant", (560,
                  200))), heroes=((600, 100), (700, 200)))  # fmt: skip
    cast(game, "lightning", 2, target_id="b1")
    assert not game.unit("b1").alive
    again(game)
    cast(game, "lightning", 2, target_id="bh")
    assert (game.unit("bh").wounds, game.unit("bh").alive) == (1, True)
    again(game)
    cast(game, "lightning", 2, target_id="b3")
    assert (game.unit("b3").wounds, game.unit("b3").alive) == (1, True)


def test_lightning_may_kill_creatures():
    """FM-SPELL-14a: by the letter of the spell, where it is agreed."""
    game = wizard(
        "lightning",
        blue=(("giant", (560, 200)), ("goblin", (900, 800))),
        options={"fm.lightning.big_things": "kill"},
    )
    cast(game, "lightning", 2, target_id="b1")
    assert not game.unit("b1").alive


def two_mages(red, blue, at=((600, 100), (640, 300)), men=(), foes=(), **fields):
    """Both heroes cast."""
    names = [
        " ".join([*s.split(), *(r for r in REST if r not in s.split())][:6]) for s in (red, blue)
    ]
    game = battle(
        men, foes, kinds=("mage", "mage"), spells=(names[0], names[1]), heroes=at, **fields
    )
    return both(game)


def both(game):
    game.to("DECLARE")
    game.do("cast", figure_id="rh")
    game.do("cast", figure_id="bh")
    game.do("done")
    return game


def test_magic_shield():
    """FM-SPELL-15, FM-SPELL-15a: each hostile spell rolls; on a 1 the shield ends and it works."""
    game = two_mages("shield", "lightning", men=[("goblin", (640, 150)), ("goblin", (900, 60))])
    game.named("shield", "rh", target_id="r1")
    game.do("no_spell", figure_id="bh")
    assert game.mark("rh", "fx_shield") == 1
    both(game)
    game.do("no_spell", figure_id="rh")
    game.named("lightning", "bh", target_id="r1")
    assert game.option("roll").dice == (2, 6)
    game.do("roll", dice=(2, 6))
    assert game.unit("r1").alive
    both(game)
    game.do("no_spell", figure_id="rh")
    game.named("lightning", "bh", target_id="r1")
    game.do("roll", dice=(1, 6))
    assert not game.unit("r1").alive
    assert game.mark("rh", "fx_shield") is None


def test_friendly_spells_pass_a_shield():
    """FM-SPELL-15a."""
    game = wizard("shield flash", red=[("goblin", (640, 150))])
    cast(game, "shield", target_id="r1")
    again(game)
    cast(game, "flash", target_id="r1")
    assert game.mark("r1", "fx_flash") == 2


def test_contradicting_spells_roll_off():
    """FM-MAGE-21: the high roll works first; otherwise all effects come together."""
    game = two_mages("mine", "safe", foes=[("goblin", (660, 200)), ("goblin", (900, 800))])
    game.named("mine", "rh", target_id="b1")
    game.named("safe", "bh", target_id="b1")
    assert game.option("roll").dice == (2, 6)
    assert "Whose spell works first?" in game.option("roll").text
    game.do("roll", dice=(2, 5))
    assert dict(game.state.marks)["cast_order"] in ("bh,rh", "rh,bh")
    plain = two_mages("lightning", "lightning", at=((600, 100), (640, 300)))
    plain.named("lightning", "rh", target_id="bh")
    plain.named("lightning", "bh", target_id="rh")
    plain.do("roll", dice=(6,))
    plain.do("roll", dice=(6,))
    assert (plain.unit("rh").wounds, plain.unit("bh").wounds) == (1, 1)


def test_mighty_warrior():
    """FM-SPELL-16, FM-SPELL-16a: plus 4, four hits, duels; in the end the hits are forgotten."""
    game = wizard("mighty lightning", red=[("goblin", (640, 150))], heroes=((600, 100), (640, 171)))
    assert allowed(game, "mighty")["rh"] == "FM-SPELL-16"
    cast(game, "mighty", target_id="r1")
    own = kind_of(game.unit("r1"))
    assert (own.melee, own.hits, own.margin, own.move_in) == (4, 4, 4, 6)
    assert dict(game.state.marks)["duels"] == "bh|r1"
    game.do("done")
    for name, sign in (("bh", "stone"), ("r1", "scissors")):
        for _ in range(3):
            game.do("sign", figure_id=name, value=sign)
    assert (game.unit("r1").wounds, game.unit("r1").alive) == (1, True)
    game.to("DECLARE", dice=6)
    assert game.option("hold", "r1") is None
    game.shift(bh=(1100, 800))
    game.to("END_TURN")
    game.do("roll", dice=(1,))
    assert (game.unit("r1").wounds, kind_of(game.unit("r1")).hits) == (0, 1)


def test_phoenix_down():
    """FM-SPELL-17, FM-SPELL-17a: it stands up where it fell; a hero with three hits taken."""
    game = wizard("phoenix lightning", red=[("goblin", (640, 150)), ("goblin", (900, 60))])
    cast(game, "lightning", 6, target_id="r1")
    assert not game.unit("r1").alive
    lost = game.mark("rh", "lost_commoners") or game.mark("rh", "nobles_earlier")
    game.shift(r2=(645, 150))
    again(game)
    assert allowed(game, "phoenix") == {"r1": None}
    cast(game, "phoenix", target_id="r1")
    assert (game.unit("r1").alive, game.unit("r1").wounds) == (True, 0)
    field = Field(game.state, game.table())
    assert field.gap(game.unit("r1"), game.unit("r2")) < 2
    assert game.mark("r1", "led_by") == "rh"
    assert lost is None or lost


def test_phoenix_down_on_a_giant():
    """FM-SPELL-17a: able to take one more hit."""
    game = wizard(
        "phoenix lightning",
        red=[("giant", (660, 150))],
        options={"fm.lightning.big_things": "kill"},
    )
    cast(game, "lightning", 6, target_id="r1")
    again(game)
    cast(game, "phoenix", target_id="r1")
    assert (game.unit("r1").alive, game.unit("r1").wounds) == (True, 3)


def test_you_are_mine():
    """FM-SPELL-18, FM-SPELL-18a: for good, into the mage's contingent; heroes are immune."""
    game = wizard(
        "mine",
        blue=(("goblin", (640, 200)), ("giant", (560, 200)), ("goblin", (900, 800))),
        heroes=((600, 100), (700, 150)),
    )
    found = allowed(game, "mine")
    assert (found["bh"], found["b1"], found["b2"]) == ("FM-SPELL-18a", None, None)
    cast(game, "mine", 2, target_id="b1")
    assert (game.unit("b1").side, game.mark("b1", "led_by")) == ("red", "rh")
    assert game.mark("bh", "lost_commoners") is None
    again(game)
    cast(game, "mine", 2, target_id="b2")
    assert game.unit("b2").side == "red"
    assert game.mark("b2", "led_by") is None


def test_creatures_may_be_immune():
    """FM-SPELL-18a, FM-SET-14: as answered before play, or as an option."""
    game = wizard("mine", blue=(("giant", (560, 200)),), options={"fm.mine.big_things": False})
    game.to("MAGIC")
    assert game.state.options
    state = game.state
    assert dict(state.marks)["mine"] == "yes"  # asked all the same, and the answer counts
    assert allowed(game, "mine")["b1"] is None


def test_spells_of_a_dead_mage_go_on():
    """FM-MAGE-27: nobody can end a spell early."""
    game = wizard("freeze", blue=(("goblin", (640, 200)),))
    cast(game, "freeze", 6, 6, target_id="b1")
    game.to("DECLARE")
    game.lay("rh")
    game.do("fallen", figure_id="rh", value="removed")
    assert frozen(game.state, game.unit("b1"))


def test_the_spell_list():
    """FM-MAGE-11, FM-MAGE-12: eighteen spells, six for each mage, each as often as he can pay."""
    assert len(data().spells) == 18
    game = wizard("lightning", blue=(("giant", (640, 200)),))
    for _ in range(3):
        cast(game, "lightning", 1, target_id="b1")
        again(game)
    assert game.mark("rh", "points") == 9


THREE = (
    ("rh", "red", (600, 100), "mage"), ("bh", "blue", (780, 260), "mage"),
    ("gh", "green", (100, 860), "hero_foot_light"), ("r1", "red", (560, 60), "archer"),
    ("b1", "blue", (640, 150), "goblin"), ("b2", "blue", (640, 190), "goblin"),
    ("g1", "green", (560, 200), "goblin"), ("b3", "blue", (700, 150), "giant"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("spell", "on"),
    [
        ("lightning", "b1"), ("fear", "b1"), ("freeze", "b3"), ("mine", "b1"), ("slow", "b2"),
        ("begone", "b1"), ("safe", "b1"), ("shield", "b1"), ("storm", None), ("blinder", "b1"),
    ],
)  # fmt: skip
def test_spells_on_a_side_that_gives_up(spell, on):
    """FM-END-01, FM-TURN-11: they come to nothing, and the game goes on."""
    game = Battle()
    known = " ".join([spell, *(one for one in REST if one != spell)][:6])
    for name, side, at, kind in THREE:
        kind = "archer" if (name, spell) == ("b1", "blinder") else kind
        game.join(name, side, at, kind, spells=known if kind == "mage" else "")
    game.do("ready")
    if game.state.question is not None:
        game.do("answer", value="yes")
    game.do("cast", figure_id="rh")
    game.hold()
    game.do("done")
    if on is None:
        game.do("spell", figure_id="rh", value=spell, point_mm=(640.0, 170.0))
    else:
        game.named(spell, "rh", target_id=on)
    if game.state.phase == "MAGIC":
        game.do("concede", side="blue")
    game.to("DECLARE", dice=6)
    assert (game.state.turn, game.state.outcome) == (2, None)


def test_a_mage_who_gives_up_casts_nothing():
    """FM-END-01, FM-TURN-11: nobody rolls for his spell."""
    game = Battle()
    for name, side, at, kind in THREE:
        spells = "lightning fire heal flash gone safe" if kind == "mage" else ""
        game.join(name, side, at, kind, spells=spells)
    game.do("ready")
    game.do("answer", value="yes")
    for mage in ("rh", "bh"):
        game.do("cast", figure_id=mage)
    game.hold()
    game.do("done")
    game.named("lightning", "bh", target_id="b2")
    game.do("concede", side="blue")
    assert game.offers("roll") == []
    game.named("lightning", "rh", target_id="g1")
    game.do("roll", dice=(2,))
    assert not game.unit("g1").alive
