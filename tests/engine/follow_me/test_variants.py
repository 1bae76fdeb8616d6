"""What the players agreed on shows at the table: each reading against the usual one."""

from dataclasses import replace

import pytest

from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.orders import order_of
from engine.rulesets.follow_me.testing import outnumbered
from tests.engine.follow_me.battle import Battle, battle, last
from tests.engine.tables import box

SIX = "fear fire heal flash gone safe"
FAR = [("goblin", (100.0, 860.0))]


def ready(options=None, *, heights=(40.0, 40.0), setup=False, **more) -> Battle:
    """A hero a side, of these heights, and an orc; DECLARE has begun."""
    game = Battle(options)
    game.join("rh", "red", (600, 40), "hero_foot_light")
    game.join("r1", "red", more.get("at", (640, 40)), "orc_grunt")
    game.join("bh", "blue", (600, 860), "hero_foot_light")
    for name, height in zip(("rh", "bh"), heights, strict=True):
        game.figures[name] = replace(game.figures[name], height_mm=height)
    game.figures["r1"] = replace(game.figures["r1"], height_mm=heights[0])
    game.look()
    if not setup:
        game.do("ready")
    return game


def walks(game, name="rh") -> float:
    """How far a figure may walk, in inches of the table."""
    game.hold()
    return order_of(Field(game.state, game.table()), game.unit(name)).limit_mm / 25.4


@pytest.mark.parametrize(
    ("options", "heights", "inches"),
    [
        ({}, (40.0, 40.0), 6.0),
        ({}, (75.0, 75.0), 12.0),
        ({}, (40.0, 75.0), 9.0),
        ({"fm.scale.mode": "height_interpolated"}, (40.0, 40.0), 9.0),
        ({"fm.scale.mode": "height_interpolated"}, (75.0, 75.0), 16.5),
        ({"fm.scale.mode": "explicit"}, (75.0, 75.0), 6.0),
        ({"fm.scale.mode": "explicit", "fm.scale.factor": 0.5}, (75.0, 75.0), 3.0),
    ],
)
def test_how_far_six_inches_are(options, heights, inches):
    """FM-GEN-03 to 07: by the nearest scale, by the height of the figures, or as set by hand."""
    assert walks(ready(options, heights=heights)) == pytest.approx(inches)


@pytest.mark.parametrize(("tol", "mm"), [("by_figures", 8.0), ("lego", 5.0)])
def test_contact_on_a_table_of_playmobil(tol, mm):
    """FM-GEO-05: 8 mm, or 5 by agreement."""
    for gap, touch in ((mm - 0.1, True), (mm + 0.1, False)):
        game = ready({"geom.contact_tol_mm": tol}, heights=(75.0, 75.0))
        game.shift(bh=(620.0 + gap, 40.0), r1=(300.0, 40.0))
        field = Field(game.state, game.table())
        assert field.touch(game.unit("rh"), game.unit("bh")) is touch


@pytest.mark.parametrize(("inches", "far"), [(12, ["r1"]), (30, [])])
def test_where_a_side_sets_up(inches, far):
    """FM-SET-10: 12 inches from the own edge, or as many as agreed."""
    game = ready({"fm.setup.deploy_in": inches}, at=(640, 400), setup=True)
    game.do("ready")
    told = [one.event.figure_id for one in game.referee.lines if one.event.kind == "far_out"]
    assert told == far


OUT = {"side_in_sight": True, "contingent": True, "within_radius": False}


@pytest.mark.parametrize("scope", OUT)
def test_enemies_far_away(scope):
    """FM-MORALE-18: five enemies in sight, 16 inches away, against four."""
    game = battle(
        [("orc_grunt", (560.0 + 40 * i, 100)) for i in range(3)],
        [("goblin", (560.0 + 40 * i, 520)) for i in range(4)],
        {"fm.morale.outnumbered_scope": scope},
    )
    assert outnumbered(Field(game.state, game.table()), game.unit("rh")) is OUT[scope]


def test_allies_count_within_eight_inches():
    """FM-MORALE-18: where only those within the radius count."""
    for x, out in ((722.0, False), (725.0, True)):  # 8 inches are 203.2 mm
        game = Battle({"fm.morale.outnumbered_scope": "within_radius"})
        for name, side, at, kind, led in (
            ("rA", "red", (300, 100), "hero_foot_light", ""),
            ("rB", "red", (1150, 100), "hero_foot_light", ""),
            ("r1", "red", (500, 100), "orc_grunt", "rA"), ("r2", "red", (x, 100), "orc_grunt",
             "rB"),
            ("bh", "blue", (1100, 860), "hero_foot_light", ""),
            *((f"b{i}", "blue", (440.0 + 40 * i, 250), "goblin", "bh") for i in range(3)),
        ):  # fmt: skip
            game.join(name, side, at, kind, led)
        game.do("ready")
        assert outnumbered(Field(game.state, game.table()), game.unit("rA")) is out


BLIND = {"by_spell": 3, "all": 3, "none": 4}


@pytest.mark.parametrize("counts", BLIND)
def test_how_long_the_blinded_are_blind(counts):
    """FM-MAGE-25: cast in turn 1 for three turns; the turn of casting is one of them, or not."""
    game = battle(
        [],
        [("archer", (600, 300))],
        {"fm.duration.counts_cast_turn": counts},
        kinds=("mage", "hero_foot_light"),
        heroes=((600, 100), (1100, 860)),
        spells=("blinder fire heal flash gone safe", ""),
    )
    game.do("cast", figure_id="rh")
    game.hold()
    game.do("done")
    game.named("blinder", "rh", target_id="b1")
    game.do("roll", dice=(2, 3))
    assert "b1" not in game.offers("aim")
    blind = {1}
    while game.state.turn < 5:
        game.to("DECLARE")
        turn = game.state.turn
        game.hold()
        game.do("done")
        if game.state.turn == turn and "b1" in game.offers("aim"):
            break
        blind.add(turn)
    assert blind == set(range(1, BLIND[counts] + 1))


TWICE = {"worse": "fall_back", "last": "steady", "first": "fall_back"}
TWICE_BACK = {"worse": "run", "last": "run", "first": "fall_back"}


@pytest.mark.parametrize("how", TWICE)
def test_two_tests_in_a_turn(how):
    """FM-MORALE-32: fear says fall back; the test at the end says steady, or run."""
    for face, wanted in ((6, TWICE), (1, TWICE_BACK)):
        game = battle(
            [("undead_pirate", (600, 300)), ("orc_grunt", (500, 200))],
            [("orc_grunt", (600, 321))],
            {"fm.morale.two_tests": how},
            kinds=("mage", "hero_foot_light"),
            heroes=((500, 300), (560, 700)),
            spells=(SIX, ""),
        )
        game.do("cast", figure_id="rh")
        game.hold()
        game.do("done")
        game.named("fear", "rh", target_id="b1")
        game.do("roll", dice=(2, 4))
        assert last(game.referee.lines, "tested").text("result") == "fall_back"
        game.to("MORALE")
        tested = last(game.do("test", value="bh", dice=(face,)), "tested")
        assert tested.text("stands") == wanted[how]


@pytest.mark.parametrize(("rule", "dice"), [("centre", 2), ("any_part", 3), ("wholly", 1)])
def test_who_is_under_a_storm(rule, dice):
    """FM-GEO-11: 4 inches around the spot; in it, on its rim, and with an edge inside."""
    game = battle(
        [],
        [("goblin", (600, 400)), ("goblin", (696, 400)), ("goblin", (600, 508)), *FAR],
        {"geom.template_rule": rule},
        kinds=("mage", "hero_foot_light"),
        heroes=((600, 100), (1100, 860)),
        spells=("storm fire heal flash gone safe", ""),
    )
    game.do("cast", figure_id="rh")
    game.hold()
    game.do("done")
    game.do("spell", figure_id="rh", value="storm", point_mm=(600.0, 400.0))
    assert game.option("roll").dice == (dice, 6)


@pytest.mark.parametrize(("least", "seen"), [(0.0, True), (0.2, False)])
def test_how_much_must_be_seen(least, seen):
    """FM-GEO-09: a wall hides all but the uppermost row, three of fifteen samples."""
    wall = box("w", 0, 299, 1200, 301, 33.0)
    game = battle(
        [("archer", (600, 200))],
        [("goblin", (600, 400))],
        {"geom.los.none_max": least},
        terrain=(wall,),
    )
    field = Field(game.state, game.table())
    assert field.sees(game.unit("r1"), game.unit("b1")) is seen


@pytest.mark.parametrize(("most", "mark"), [(6.0, "MOVED"), (20.0, None)])
def test_what_a_nudge_is(most, mark):
    """FM-GEO-19: 15 mm when it is no time for a move."""
    game = ready({"geom.move_epsilon_mm": most})
    game.put("r1", (655, 40))
    assert game.mark("r1", "open_code") == mark


@pytest.mark.parametrize(("tol", "back"), [(10.0, False), (40.0, True)])
def test_how_exactly_it_is_put_back(tol, back):
    """FM-GEO-12, FM-GEO-19: 30 mm beside its place."""
    game = ready({"geom.place_tol_mm": tol})
    game.put("r1", (800, 40))
    assert game.mark("r1", "open_code") == "MOVED"
    game.put("r1", (670, 40))
    assert (game.mark("r1", "open_code") is None) is back


def test_a_close_shout_is_settled_as_agreed():
    """FM-GEO-14: what is called is granted, but where the number decides."""
    for policy, kind in (("favour_actor", "follow"), ("ask", "follow"), ("strict", "none")):
        game = battle(
            [("orc_grunt", (824.4, 40)), ("orc_grunt", (560, 40))],
            FAR,
            {"geom.close_policy": policy},
        )
        game.do("follow", figure_id="rh")
        game.hold()
        assert order_of(Field(game.state, game.table()), game.unit("r1")).kind == kind


@pytest.mark.parametrize(("agreed", "proposed"), [(True, "yes"), (False, "no")])
def test_what_is_proposed_about_creatures(agreed, proposed):
    """FM-SET-14, FM-SPELL-18a: the option is what is proposed, the answer is what counts."""
    game = Battle({"fm.mine.big_things": agreed})
    game.join("rh", "red", (600, 40), "mage", spells="mine fire heal flash gone safe")
    game.join("bh", "blue", (1100, 860), "hero_foot_light")
    game.join("b1", "blue", (600, 160), "giant")
    game.do("ready")
    assert game.state.question.choices[0][0] == proposed
    game.do("answer", value=proposed)
    game.do("cast", figure_id="rh")
    game.hold()
    game.do("done")
    targets = game.option("spell", "rh", "mine").targets
    assert {t.figure_id: t.allowed for t in targets} == {"b1": agreed, "bh": False}
