"""What the rules measure and reckon, number by number."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from shapely import box as area

from engine.geometry.interval import Verdict
from engine.geometry.samples import Body, Figurine
from engine.geometry.sight import Eye
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.measures import (
    duels,
    fights,
    lengths,
    matching,
    nerve,
    scales,
    shots,
    sorcery,
    views,
    ways,
)
from engine.rulesets.follow_me.settings import settings
from engine.table import Base, BaseShape, Figure, FigureState, Seen, Terrain

OPTS = settings()
FACES = {
    ("bow", "common"): [4, 5, 6], ("bow", "armoured"): [5, 6, 6], ("bow", "big_light"): [4, 5, 5],
    ("bow", "heavy"): [6, 6, None], ("dragon_breath", "r1"): [4, 5, 6],
    ("dragon_breath", "r2"): [4, 5, 5], ("dragon_breath", "r3"): [4, 6, 6],
}  # fmt: skip
"""What hits the nearest, at 10, 15 and 20 inches of a bow and at 5, 10 and 15 of breath."""
TYPES = {
    "light_soldier": (6, "common", "r1", 0, 2, 1, "commoner"),
    "archer": (6, "common", "r1", -1, 2, 1, "commoner"),
    "crossbowman": (6, "common", "r1", -1, 2, 1, "commoner"),
    "orc_grunt": (6, "common", "r1", 0, 2, 1, "commoner"),
    "peasant": (6, "common", "r1", 0, 2, 1, "commoner"),
    "fighter": (6, "common", "r1", 0, 2, 1, "commoner"),
    "goblin": (6, "common", "r1", 0, 2, 1, "commoner"),
    "undead_pirate": (5, "common", "r1", 0, 2, 1, "commoner"),
    "man_at_arms": (5, "armoured", "r1", 2, 3, 1, "commoner"),
    "orc_chief": (5, "armoured", "r1", 2, 3, 1, "noble"),
    "ogre": (6, "big_light", "r2", 2, 3, 1, "commoner"),
    "troll": (5, "heavy", "r3", 4, 4, 1, "commoner"),
    "horseman": (14, "big_light", "r2", 0, 2, 1, "commoner"),
    "wolf_rider": (14, "big_light", "r2", 0, 2, 1, "commoner"),
    "knight": (10, "heavy", "r2", 4, 4, 1, "noble"),
    "knight_on_foot": (5, "armoured", "r1", 4, 4, 1, "noble"),
    "giant": (10, "big_light", "r2", 4, 4, 4, "none"),
    "dragon": (14, "heavy", "r3", 4, 4, 4, "none"),
    "cart_engine": (3, "", "", 0, 0, 0, "none"),
    "hero_foot_light": (6, "common", "r1", 4, 4, 4, "noble"),
    "hero_foot_armoured": (5, "armoured", "r1", 4, 4, 4, "noble"),
    "hero_horse_light": (14, "big_light", "r2", 4, 4, 4, "noble"),
    "hero_horse_armoured": (10, "heavy", "r2", 4, 4, 4, "noble"),
    "mage": (6, "common", "r1", 0, 2, 4, "noble"),
}
"""Move in inches, rows of shots and breath, factor, margin, hits, rank."""


def kind(name):
    return data().types[name]


@pytest.mark.parametrize("name", TYPES)
def test_troop_types(name):
    """FM-MOVE-02 to 07, FM-SHOOT-08 to 10, FM-MELEE-03, 21, 22, FM-SET-07, FM-MAGE-02 to 04.

    FM-MELEE-07 to 10: the margins; FM-HIT-01 to 03: the hits; FM-BIG-19: giants and dragons.
    """
    move, shoot_row, breath_row, melee, margin, hits, rank = TYPES[name]
    own = kind(name)
    assert own.rank == rank
    assert scales.allowance(own, (), OPTS) == pytest.approx(25.4 * move)
    for weapon, row, inches in (
        ("bow", shoot_row, (10, 15, 20)), ("dragon_breath", breath_row, (5, 10, 15)),
    ):  # fmt: skip
        faces = [shots.need(weapon, own, 25.4 * far, OPTS) for far in inches]
        assert faces == FACES.get((weapon, row), [None] * 3)
    if hits == 0:
        assert shots.taken(own, 0, 9) == (9, False)
        return
    assert fights.resolve(own, [kind("goblin")], (3, 3)).single == 3 + melee
    assert fights.fate(own, margin - 1) == "push"
    assert fights.fate(own, margin) == ("kill" if hits == 1 else "hit")
    assert shots.taken(own, hits - 1, 1) == (hits, True)
    assert hits == 1 or shots.taken(own, hits - 2, 1) == (hits - 1, False)


def test_no_troop_type_is_left_out():
    assert set(TYPES) == set(data().types)


ROWS = {
    ("bow", "common"): [(10, 4), (15, 5), (20, 6)],
    ("bow", "armoured"): [(10, 5), (15, 6), (20, 6)],
    ("bow", "big_light"): [(10, 4), (15, 5), (20, 5)],
    ("bow", "heavy"): [(10, 6), (15, 6), (20, None)],
    ("crossbow", "common"): [(10, 4), (15, 5), (30, 6)],
    ("crossbow", "armoured"): [(10, 4), (15, 5), (30, 6)],
    ("crossbow", "big_light"): [(10, 4), (15, 5), (30, 5)],
    ("crossbow", "heavy"): [(10, 5), (15, 5), (30, None)],
    ("dragon_breath", "r1"): [(5, 4), (10, 5), (15, 6)],
    ("dragon_breath", "r2"): [(5, 4), (10, 5), (15, 5)],
    ("dragon_breath", "r3"): [(5, 4), (10, 6), (15, 6)],
}
SHOWS = {
    "common": "goblin",
    "armoured": "man_at_arms",
    "big_light": "ogre",
    "heavy": "knight",
    "r1": "orc_chief",
    "r2": "horseman",
    "r3": "troll",
}


@pytest.mark.parametrize(("weapon", "row"), ROWS)
def test_shooting_tables(weapon, row):
    """FM-SHOOT-02 to 07: bands up to and including their limit, and the lowest face that hits."""
    bands = ROWS[weapon, row]
    beyond = [face for _, face in bands[1:]] + [None]
    for (inches, face), after in zip(bands, beyond, strict=True):
        assert shots.need(weapon, kind(SHOWS[row]), inches * 25.4, OPTS) == face
        assert shots.need(weapon, kind(SHOWS[row]), (inches + 0.1) * 25.4, OPTS) == after
    assert shots.need(weapon, kind("cart_engine"), 10.0, OPTS) is None


def test_usable_range_of_shooters():
    """FM-ACT-22: they stop where they can hurt the target."""
    assert shots.usable_range_in("bow", kind("orc_grunt")) == 20
    assert shots.usable_range_in("bow", kind("knight")) == 15
    assert shots.usable_range_in("crossbow", kind("troll")) == 15
    assert shots.usable_range_in("crossbow", kind("ogre")) == 30
    assert shots.usable_range_in("dragon_breath", kind("troll")) == 15
    assert shots.usable_range_in("bow", kind("cart_engine")) == 0


def test_hits_of_shots_and_bodies():
    """FM-HIT-01 to 04: one hit kills most, four kill heroes, mages, dragons and giants."""
    assert shots.hits(5, [4, 5, 6]) == 2
    assert shots.chance(5) == Fraction(1, 3)
    assert shots.taken(kind("goblin"), 0, 1) == (1, True)
    for name in ("hero_foot_light", "mage", "dragon", "giant"):
        assert shots.taken(kind(name), 2, 1) == (3, False)
        assert shots.taken(kind(name), 3, 1) == (4, True)
    assert shots.taken(kind("cart_engine"), 0, 9) == (9, False)


def test_nudges_leave_the_shot():
    """FM-SHOOT-01, FM-SHOOT-18, FM-GEO-19: less than 6 mm is no move; dragons may move."""
    assert shots.may_shoot("bow", 5.9, OPTS)
    assert not shots.may_shoot("crossbow", 6.0, OPTS)
    assert shots.may_shoot("bow", 6.0, replace(OPTS, move_epsilon_mm=10.0))
    assert shots.may_shoot("dragon_breath", 300.0, OPTS)


@pytest.mark.parametrize(
    ("height", "published", "by_height"),
    [
        (10, 0.3937, 0.5),
        (15, 0.5, 0.5),
        (25, 1, 1),
        (28, 1, 1),
        (40, 1, 1.5),
        (54, 2, 2),
        (75, 2, 2.75),
        (81, 2, 3),
        (92, 2, 3.5),
        (20, 0.5, 0.75),
        (12.6, 0.5, 0.5),
        (20.2, 1, 0.75),
        (41.2, 2, 1.5),
    ],
)
def test_scales(height, published, by_height):
    """FM-GEN-01 to 05: published scales, or the factor that follows the height."""
    assert scales.nearest_published(height) == pytest.approx(published, abs=1e-4)
    assert scales.interpolated(height) == pytest.approx(by_height)


def test_one_factor_for_a_table():
    """FM-GEN-06: mixed tables take the middle, and any number may be set."""
    assert scales.factor_of([40, 40], OPTS) == 1
    assert scales.factor_of([40, 75], OPTS) == 1.5
    assert scales.factor_of([75], replace(OPTS, scale_mode="height_interpolated")) == 2.75
    assert scales.factor_of([75], replace(OPTS, scale_mode="explicit")) == 1
    assert scales.factor_of([75], replace(OPTS, scale_factor=0.7)) == 0.7


def test_every_length_is_stretched():
    """FM-GEN-07, FM-GEO-27: moves, ranges, radii and circles, but no dice."""
    big = replace(OPTS, factor=2.0)
    lego = {2: 50.8, 3: 76.2, 5: 127.0, 6: 152.4, 8: 203.2, 10: 254.0, 15: 381.0, 30: 762.0}
    for inches, mm in lego.items():
        assert OPTS.inches(inches) == pytest.approx(mm)
        assert big.inches(inches) == pytest.approx(2 * mm)
    assert scales.allowance(kind("archer"), (), big) == pytest.approx(304.8)
    assert shots.need("bow", kind("goblin"), 500.0, big) == 4
    assert fights.outnumbered(2) == -2


def test_speed_spells_and_water_multiply():
    """FM-OBS-04, FM-OBS-05, FM-SPELL-06, 09, 22."""
    horse = kind("horseman")
    assert scales.allowance(horse, ("ford",), OPTS) == pytest.approx(177.8)
    assert scales.allowance(horse, ("flash",), OPTS) == pytest.approx(711.2)
    assert scales.allowance(horse, ("slow",), OPTS) == pytest.approx(177.8)
    assert scales.allowance(horse, ("flash", "slow"), OPTS) == pytest.approx(355.6)
    assert scales.allowance(horse, ("flash", "flash"), OPTS) == pytest.approx(711.2)


def test_melee_scores_and_margins():
    """FM-MELEE-02, 04 to 06, 16, 17, 20: dice, factors, the best factor once, ties."""
    grunt, knight, chief = kind("orc_grunt"), kind("knight"), kind("orc_chief")
    found = fights.resolve(knight, [grunt] * 5, (3, 3))
    assert (found.single, found.many, found.winner) == (3, 3, "none")
    found = fights.resolve(knight, [grunt, chief, grunt], (1, 6))
    assert (found.single, found.many, found.margin, found.outcome) == (2, 8, 6, "kill_single")
    assert fights.resolve(grunt, [grunt], (3, 4)).outcome == "push_single"
    assert fights.resolve(grunt, [grunt], (2, 4)).outcome == "kill_single"
    assert [fights.outnumbered(n) for n in (1, 2, 3, 4, 7)] == [0, -2, -3, -4, -4]
    assert fights.resolve(grunt, [grunt], (3, 3), (-1, 0)).winner == "many"


@pytest.mark.parametrize(
    ("loser", "margin"),
    [
        ("archer", 2),
        ("light_soldier", 2),
        ("man_at_arms", 3),
        ("ogre", 3),
        ("knight", 4),
        ("troll", 4),
    ],
)
def test_margins_that_kill(loser, margin):
    """FM-MELEE-06 to 10, FM-MELEE-22."""
    assert fights.fate(kind(loser), margin - 1) == "push"
    assert fights.fate(kind(loser), margin) == "kill"
    assert fights.fate(kind("hero_foot_light"), 4) == "hit"
    assert fights.fate(kind("mage"), 2) == "hit"
    assert fights.fate(kind("dragon"), 3) == "push"


def sides(*names):
    return {name: name[0] for name in names}


def test_splitting_a_brawl():
    """FM-MELEE-01, 13 to 15, 27: one against one or more, sizes even, each in one fight."""
    near = {
        ("a1", "b1"): 0.0,
        ("a1", "b2"): 1.0,
        ("a2", "b1"): 2.0,
        ("a2", "b2"): 0.5,
        ("a3", "b2"): 0.1,
    }
    found = fights.split(near, sides("a1", "a2", "a3", "b1", "b2"))
    assert [(f.single, f.many) for f in found] == [("a1", ("b1",)), ("b2", ("a3", "a2"))]
    ring = {(f"a{i}", f"b{j}"): 0.0 for i in range(5) for j in range(2)}
    found = fights.split(ring, {n: n[0] for pair in ring for n in pair})
    assert fights.sizes(found) == [[1, 2], [1, 3]]


def test_a_knot_of_three_alliances():
    """FM-MELEE-29: the closest hostile pair first."""
    knot = {("a1", "b1"): 3.0, ("b1", "c1"): 1.0, ("a1", "c1"): 2.0, ("a1", "c2"): 4.0}
    found = fights.split(knot, sides("a1", "b1", "c1", "c2"))
    assert {(f.single, f.many) for f in found} == {("b1", ("c1",)), ("a1", ("c2",))}


def test_odds():
    """FM-MELEE-02: both dice, all thirty-six."""
    found = fights.odds(kind("orc_grunt"), [kind("orc_grunt")])
    assert found["single_wins"] == found["many_win"] == Fraction(15, 36)
    assert found["kills_one"] == Fraction(10, 36)


def test_matching_prefers_small_gaps():
    """FM-MELEE-13: as many pairs as can be, small gaps first."""
    edges = {("a1", "b1"): 5.0, ("a1", "b2"): 1.0, ("a2", "b1"): 1.0, ("a2", "b2"): 5.0}
    assert matching.two_sided(edges)["a1"] == "b2"
    line = {("a1", "b1"): 0.0, ("a2", "b1"): 0.0, ("a2", "b2"): 9.0}
    assert matching.two_sided(line) == {"a1": "b1", "b1": "a1", "a2": "b2", "b2": "a2"}
    assert matching.parts([("a", "b"), ("c", "b"), ("d", "e")]) == [["a", "b", "c"], ["d", "e"]]


def test_signs():
    """FM-HERO-04, FM-HERO-05, FM-HERO-07: three rounds, draws for nobody, the better one hits."""
    assert duels.wins([("stone", "scissors"), ("scissors", "paper"), ("paper", "stone")]) == (3, 0)
    assert duels.wins([("stone", "stone"), ("stone", "paper")]) == (0, 1)
    assert [duels.hit_on(won) for won in ((2, 1), (0, 1), (1, 1))] == [1, 0, None]


def test_pairs_of_duels():
    """FM-HERO-03, FM-HERO-13, FM-HERO-14, FM-HERO-19: most pairs, then named ones, then near."""
    knot = {("A", "C"): 2.0, ("A", "D"): 1.0, ("B", "C"): 1.0, ("B", "D"): 2.0}
    assert duels.pairs(knot, []) == ([("A", "D"), ("B", "C")], [])
    assert duels.pairs(knot, [("C", "A")]) == ([("A", "C"), ("B", "D")], [])
    assert duels.pairs(knot, [], "one_per_knot") == ([("A", "D")], ["B", "C"])


FACTORS = {
    "commoners_this_turn": (2, -2),
    "nobles_earlier": (1, -1),
    "fighting_undead": (True, -1),
    "outnumbered": (True, -1),
    "speech": (True, 2),
    "own_hero_insults": (True, 2),
    "insulted": (True, -1),
    "no_leader": (True, -1),
    "fighting_big": (True, -2),
    "other": (-3, -3),
    "nobles_this_turn": (1, -3),
}


@pytest.mark.parametrize("name", FACTORS)
def test_morale_factors(name):
    """FM-MORALE-02, 09 to 17, FM-ACT-11 to 13, FM-SPELL-04: each factor by itself."""
    value, worth = FACTORS[name]
    assert nerve.total(3, nerve.Nerve(**{name: value}), OPTS) == 3 + worth


def test_morale_results():
    """FM-MORALE-20, FM-MORALE-24: the table, and what rallies."""
    assert [nerve.result(n, OPTS) for n in (7, 3, 2, 1, 0, -1, -2, -9)] == [
        "steady", "steady", "shaken", "shaken", "fall_back", "fall_back", "run", "run",
    ]  # fmt: skip
    assert [nerve.rallies(n, OPTS) for n in (2, 3)] == [False, True]
    own = replace(
        OPTS,
        morale_table="custom",
        morale_custom_steady=5,
        morale_custom_shaken=2,
        morale_custom_fall_back=0,
    )
    assert [nerve.result(n, own) for n in (5, 4, 2, 1, 0, -1)] == [
        "steady", "shaken", "shaken", "fall_back", "fall_back", "run",
    ]  # fmt: skip
    assert not nerve.rallies(4, own)


def test_a_table_of_your_own_begins_as_the_proposed_one():
    """FM-MORALE-20."""
    own = settings({"fm.morale.table": "custom"})
    assert [nerve.result(n, own) for n in (3, 2, 1, 0, -1, -2)] == [
        "steady", "shaken", "shaken", "fall_back", "fall_back", "run",
    ]  # fmt: skip


def test_options_of_morale():
    """FM-MORALE-17, FM-MORALE-32, FM-ACT-13: nobles once, cheers, two tests."""
    lost = nerve.Nerve(nobles_this_turn=1)
    once = replace(OPTS, morale_noble_game_includes_this_turn=False)
    assert (nerve.total(5, lost, OPTS), nerve.total(5, lost, once)) == (2, 3)
    quiet = replace(OPTS, inspire_insult_cheers_own=False)
    assert nerve.total(1, nerve.Nerve(own_hero_insults=True), quiet) == 1
    both = nerve.Nerve(own_hero_insults=True, speech=True)
    assert nerve.total(1, both, OPTS) == 3
    last = replace(OPTS, morale_two_tests="last")
    tell = {"running": False, "rallied": True}
    assert nerve.stands("run", "steady", settings=OPTS, **tell) == "run"
    assert nerve.stands("run", "steady", settings=last, **tell) == "steady"
    tell["running"] = True
    assert nerve.stands("run", "steady", settings=OPTS, **tell) == "shaken"


@pytest.mark.parametrize("key", ["blinder", "fear", "freeze", "lightning", "mine"])
def test_rolls_of_spells(key):
    """FM-MAGE-17, FM-MAGE-18: on 2 and more; who has too few points does not cast."""
    spell = data().spells[key]
    assert [sorcery.works(spell, face) for face in (1, 2, 6)] == [False, True, True]
    assert sorcery.paid(spell.cost, spell) == 0
    assert sorcery.paid(spell.cost - 1, spell) is None


def test_spells_that_always_work():
    """FM-MAGE-17: without a roll."""
    for key in ("begone", "fire", "flash", "fog", "slow", "gone", "safe", "heal", "shield"):
        assert sorcery.works(data().spells[key], 1)


def test_storms():
    """FM-SPELL-03, FM-SPELL-11, FM-SPELL-21: knights and heroes on 1, others on 1 or 2."""
    storm, decay = data().spells["storm"], data().spells["decay"]
    for name in ("knight", "knight_on_foot", "hero_foot_light", "mage"):
        for spell in (storm, decay):
            assert sorcery.struck(spell, kind(name), 1, undead=False)
            assert not sorcery.struck(spell, kind(name), 2, undead=False)
    for name in ("goblin", "giant", "dragon"):
        assert sorcery.struck(storm, kind(name), 2, undead=False)
        assert sorcery.struck(decay, kind(name), 2, undead=False)
        assert not sorcery.struck(storm, kind(name), 3, undead=False)
    assert sorcery.struck(storm, kind("undead_pirate"), 2, undead=True)
    assert not sorcery.struck(decay, kind("undead_pirate"), 1, undead=True)
    assert not sorcery.struck(storm, kind("cart_engine"), 1, undead=False)


def test_durations():
    """FM-MAGE-25, FM-MAGE-26, FM-SPELL-15, FM-SPELL-20."""
    fog, freeze = data().spells["fog"], data().spells["freeze"]
    assert sorcery.last_turn(fog, 4, 5, OPTS) == 8
    assert sorcery.last_turn(freeze, 4, 3, OPTS) == 7
    everything = replace(OPTS, duration_counts_cast_turn="all")
    nothing = replace(OPTS, duration_counts_cast_turn="none")
    assert sorcery.last_turn(freeze, 4, 3, everything) == 6
    assert sorcery.last_turn(fog, 4, 5, nothing) == 9
    assert sorcery.worn_off(2, [4, 1, 6]) == 4
    assert sorcery.worn_off(2, [2, 3]) is None
    assert not sorcery.may_wear_off(2, 2)
    assert sorcery.shield_fails(1) and not sorcery.shield_fails(2)


def test_meditation():
    """FM-MAGE-08, FM-MAGE-20: one point, up to the stock at the start."""
    assert sorcery.meditated(3, 12) == 4
    assert sorcery.meditated(12, 12) == 12
    assert sorcery.meditated(12, None) == 13


def test_instructions_begin():
    """FM-BIG-05 to 08, FM-BIG-10, FM-BIG-14: so many turns later, or at once."""
    assert sorcery.first_turn("attack", 3, 4) == 7
    assert sorcery.first_turn("follow", 3, 0) == 4
    assert sorcery.first_stop_roll(3) == 5
    assert sorcery.first_turn("defend", 3, 0) == sorcery.first_turn("will", 3, 0) == 3


def disc(x, y, r=10.0):
    return lengths.disc((x, y), r)


def test_gaps_and_contact():
    """FM-GEO-04, FM-GEO-05, FM-GEO-16: edge to edge, 5 mm LEGO, 8 mm Playmobil and on studs."""
    assert lengths.edge_gap(disc(0, 0), disc(100, 0)) == pytest.approx(80.0)
    assert lengths.edge_gap(disc(0, 0), disc(15, 0)) == 0.0
    centre = replace(OPTS, range_mode="centre")
    assert lengths.range_mm(disc(0, 0), disc(100, 0), centre) == pytest.approx(100.0)
    assert lengths.range_mm(disc(0, 0), disc(100, 0), OPTS) == pytest.approx(80.0)
    for name, most in (("lego", 5.0), ("lego_on_studs", 8.0), ("playmobil", 8.0)):
        opts = replace(OPTS, contact_tol_mm=name)
        assert lengths.is_contact(most, opts)
        assert not lengths.is_contact(most + 0.1, opts)
    assert replace(OPTS, factor=2.0).contact_mm == 8.0
    assert OPTS.contact_mm == 5.0


def test_close_calls():
    """FM-GEO-13, FM-GEO-14, FM-GEN-14: a band of 2 mm or twice the doubt, settled as agreed."""
    assert lengths.close(150.0, 152.4, 1.0, 1.0) is Verdict.BORDERLINE
    assert lengths.close(149.0, 152.4, 1.0, 1.0) is Verdict.YES
    assert lengths.close(155.5, 152.4, 1.0, 1.0) is Verdict.NO
    assert lengths.close(151.0, 152.4, 0.2, 0.2) is Verdict.BORDERLINE
    assert lengths.close(150.0, 152.4, 0.2, 0.2) is Verdict.YES
    for policy, verdict in (
        ("favour_actor", Verdict.YES), ("ask", Verdict.BORDERLINE), ("strict", Verdict.NO),
    ):  # fmt: skip
        opts = replace(OPTS, close_policy=policy)
        assert lengths.held(153.0, 152.4, opts, 0.5, 0.5) is verdict
    assert lengths.fits(152.4, 152.4)


def test_templates():
    """FM-GEO-11, FM-GEO-26, FM-SPELL-19: under a circle is whose middle is."""
    across = OPTS.inches(8.0)
    assert across == pytest.approx(203.2)
    inside, edge, out = disc(90, 0), disc(101, 0), disc(110, 0)
    for rule, found in (
        ("centre", [True, True, False]), ("any_part", [True, True, True]),
        ("wholly", [True, False, False]),
    ):  # fmt: skip
        opts = replace(OPTS, template_rule=rule)
        told = [
            lengths.under_template((0.0, 0.0), across, one, opts) for one in (inside, edge, out)
        ]
        assert told == found, rule


def test_across_a_wall():
    """FM-GEO-29, FM-MELEE-31, FM-MELEE-30: right across from each other, however thick it is."""
    hedge = area(0, 100, 400, 110)
    assert lengths.across_wall(disc(200, 90), disc(200, 122), hedge, OPTS)
    assert not lengths.across_wall(disc(140, 90), disc(240, 120), hedge, OPTS)
    assert not lengths.across_wall(disc(200, 82), disc(200, 120), hedge, OPTS)
    assert not lengths.across_wall(disc(200, 90), disc(224, 90), hedge, OPTS)
    assert lengths.across_wall(disc(200, 90), disc(200, 220), area(0, 100, 400, 210), OPTS)


def test_directions_of_pushes():
    """FM-PUSH-01, FM-GEO-25: from the middle of the winners, else the nearest, else the table."""
    way = 50.8
    assert lengths.pushed_to([(0, 20), (0, -20)], (20, 0), way, None) == pytest.approx((70.8, 0))
    found = lengths.pushed_to([(-30, 0), (30, 0.5)], (0, 0.25), way, None)
    assert math.dist(found, (0, 0.25)) == pytest.approx(way)
    near = [(-30.0, 0.0), (28.0, 0.0)]  # their middle is 1.2 mm beside the loser
    assert lengths.pushed_to(near, (0.2, 0.0), way, None)[0] > 0.2
    assert lengths.pushed_to([(-30.0, 0.0), (28.4, 0.0)], (0.1, 0.0), way, None)[0] < 0.1
    assert lengths.pushed_to([(5, 5)], (5, 5), way, (1000.0, 5.0))[0] < 5
    assert lengths.pushed_to([(5, 5)], (5, 5), way, None) is None


def test_meeting_and_guarding():
    """FM-GEO-24, FM-MOVE-11, FM-BIG-12, FM-BIG-21, FM-GEO-22: who meets, who is gone for."""
    assert lengths.meeting(16, 6, 10) == (True, 6, 10)
    assert lengths.meeting(8, 6, 10) == (True, 3, 5)
    assert lengths.meeting(20, 6, 10) == (False, 6, 10)
    post = disc(0, 0, 20)
    assert lengths.guarded(post, [disc(234, 0), disc(0, 220)], 203.2) == 1
    assert lengths.guarded(post, [disc(234, 0)], 203.2) is None


def test_landing():
    """FM-MOVE-14, FM-MOVE-08: over anybody, but on nobody."""
    flier = disc(300, 0, 20)
    assert lengths.landing_fault((0, 0), flier, 355.6, [disc(150, 0), disc(331, 0)], 0.0) is None
    assert lengths.landing_fault((0, 0), flier, 355.6, [disc(315, 0)], 0.0) == "landed_on_figure"
    assert lengths.landing_fault((0, 0), disc(356, 0), 355.6, [], 0.0) == "too_far"


def test_within_is_from_edge_to_edge():
    """FM-GEN-14, FM-GEO-04: up to and including so many inches."""
    assert lengths.within(disc(0, 0), disc(223.2, 0), 8.0, OPTS)
    assert not lengths.within(disc(0, 0), disc(223.3, 0), 8.0, OPTS)


def figure(at=(0.0, 0.0), height=40.0):
    return Figure("f", "minifig", None, "lego_model", at, None, Base(BaseShape.CIRCLE, 20.0),
                  height, 0.0, FigureState.STANDING, Seen.SEEN, 0.5)  # fmt: skip


def block(name, x0, y0, x1, y1, height=100.0, what="house"):
    return Terrain(name, what, ((x0, y0), (x1, y0), (x1, y1), (x0, y1)), height)


def test_samples_of_sight():
    """FM-GEO-08, FM-GEO-09: fifteen samples from 0.9 of the height."""
    shown = Figurine((300.0, 0.0), 10.0, 0.0, 40.0)
    wall = Body(views.Outline(area(145, -100, 155, 100)), 60.0)
    assert views.samples(Eye((0.0, 0.0), 36.0), shown, []) == 15
    assert views.samples(Eye((0.0, 0.0), 36.0), shown, [wall]) == 0
    half = Body(views.Outline(area(145, -100, 155, -2)), 25.0)
    assert views.samples(Eye((0.0, 0.0), 36.0), shown, [half]) == 13
    for height, free in ((21.0, 12), (25.0, 9), (29.0, 6), (33.0, 3), (37.0, 0)):
        wall = Body(views.Outline(area(149, -100, 151, 100)), height)
        assert views.samples(Eye((0.0, 0.0), 36.0), shown, [wall]) == free
    assert views.is_seen(1, OPTS)
    assert not views.is_seen(0, OPTS)
    assert not views.is_seen(1, replace(OPTS, los_none_max=0.1))
    eye = views.sees(
        figure(),
        figure((300.0, 0.0), 20.0),
        views.Scene((block("h", 145, -50, 155, 50, 30.0),)),
        OPTS,
    )
    assert not eye


def test_woods_and_fog():
    """FM-OBS-09, FM-SHOOT-11, 12, FM-SPELL-07, 20: two inches into a wood, not into fog."""
    wood = views.Scene(woods=(block("w", 200, -100, 400, 100, 80.0, "wood"),))
    assert views.sees(figure(), figure((240.0, 0.0)), wood, OPTS)
    assert not views.sees(figure(), figure((270.0, 0.0)), wood, OPTS)
    assert not views.sees(figure(), figure((450.0, 0.0)), wood, OPTS)
    fog = views.Scene(fogs=(((200.0, 0.0), 101.6),))
    assert not views.sees(figure(), figure((450.0, 0.0)), fog, OPTS)
    assert not views.sees(figure((200.0, 0.0)), figure((220.0, 0.0)), fog, OPTS)
    assert views.sees(figure((0.0, 150.0)), figure((450.0, 150.0)), fog, OPTS)


def test_ways_round_walls_and_through_water():
    """FM-GEO-06, FM-GEO-07, FM-GEO-23, FM-OBS-04, FM-OBS-08: the shortest way round."""
    wall = ways.Lay((block("h", 140, -40, 160, 100),))
    going = ways.mover(figure(), (), (), wall, None)
    assert going.shortest((0, 0), (300, 0)) == pytest.approx(317.46, abs=0.1)
    stream = ways.Lay(water=(block("s", 140, -400, 160, 400, 1.0, "ford"),))
    going = ways.mover(figure(), (), (), stream, None)
    assert going.shortest((0, 0), (300, 0)) > 800
    assert going.waded((0, 0), (300, 0)) == pytest.approx(300.0)
    assert ways.mover(figure(), (), (), wall, None, flies=True).shortest((0, 0), (300, 0)) == 300


def test_straight_pushes_stop():
    """FM-GEO-12, FM-PUSH-02, FM-GEO-20: at terrain, figures and the edge of the table."""
    goal = (50.0, 0.0)
    assert ways.swept((0, 0), goal, figure(), [], [], None) == goal
    far = ways.swept((0, 0), goal, figure(), [figure((60.0, 0.0))], [], None)
    assert far[0] == pytest.approx(40.0, abs=1.0)
    hedge = block("h", 30, -50, 40, 50, 20.0, "hedge")
    assert ways.swept((0, 0), goal, figure(), [], [hedge], None)[0] == pytest.approx(20.0, abs=1.0)
    edge = ways.swept((60, 60), (110, 60), figure(), [], [], (100.0, 100.0))
    assert edge[0] == pytest.approx(90.0, abs=1.0)
    touching = figure((-20.0, 0.0))
    assert ways.swept((0, 0), goal, figure(), [touching], [], None) == goal
