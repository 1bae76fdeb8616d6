"""What the rules reckon with, each number held against the rules text."""

from dataclasses import replace
from fractions import Fraction

import pytest
from shapely import box as rectangle

from engine.geometry.bases import Outline
from engine.geometry.interval import Verdict
from engine.geometry.samples import Body, Figurine
from engine.geometry.sight import Eye
from engine.rulesets import limits
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.measures import attacks, bands, chains, lengths, views
from engine.rulesets.deathzap.settings import settings
from engine.table import Base, BaseShape

CLASSES = data().classes
DEFAULT = settings()
PLAYMOBIL = settings({"dz.scale.factor": 2.0, "geom.contact_tol_mm": "playmobil"})


@pytest.mark.parametrize(
    ("a", "t", "need"),
    [
        (4, 2, 2),
        (2, 1, 2),
        (5, 2, 2),
        (3, 2, 3),
        (5, 3, 3),
        (19, 10, 3),
        (1, 1, 4),
        (7, 7, 4),
        (2, 3, 5),
        (4, 7, 5),
        (1, 2, 6),
        (2, 5, 6),
        (3, 6, 6),
        (1, 20, 6),
    ],
)
def test_the_might_table(a, t, need):
    """DZ-HIT-01, DZ-HIT-02, DZ-HIT-03, DZ-HIT-04, DZ-HIT-05, exact: DZ-HIT-09."""
    assert attacks.need(a, t) == need


def test_a_natural_six_is_judged_first_and_a_one_never_reaches():
    """DZ-HIT-06, DZ-HIT-07, DZ-HIT-08."""
    assert attacks.is_hit(6, 6, -2)
    assert attacks.count_hits([4, 5, 6], 4, -2) == 1
    assert attacks.count_hits([4, 5, 6], 4, -1) == 2
    assert not attacks.is_hit(5, 5, -1)
    assert not attacks.is_hit(1, 2)
    assert attacks.modifier(partly_hidden=True, defending=True) == -2
    assert attacks.modifier(partly_hidden=True, defending=False) == -1
    assert attacks.modifier(partly_hidden=False, defending=True) == -1
    assert attacks.modifier(partly_hidden=False, defending=False) == 0


def test_a_sniper_has_the_better_of_both():
    """DZ-SNI-01, DZ-SNI-02, DZ-SNI-03."""
    sure = CLASSES["Sniper"].always_hits_on
    assert sure == (4, 5, 6)
    assert attacks.count_hits([3, 4, 5, 6], 6, -2, sure) == 3
    assert attacks.count_hits([1, 2, 3, 4], 2, -1, sure) == 2
    assert attacks.p_hit(6, -2, sure) == Fraction(1, 2)
    assert all(not kind.always_hits_on for name, kind in CLASSES.items() if name != "Sniper")


@pytest.mark.parametrize(
    ("hits", "fresh", "wounded"),
    [
        (0, "none", "none"),
        (1, "stunned", "stunned"),
        (2, "wounded", "killed"),
        (3, "killed", "killed"),
        (4, "killed", "killed"),
        (5, "killed", "killed"),
    ],
)
def test_what_hits_do(hits, fresh, wounded):
    """DZ-DMG-01, DZ-DMG-02, DZ-DMG-03, DZ-DMG-04, DZ-DMG-05, DZ-DMG-06, DZ-DMG-07."""
    assert attacks.result(hits) == fresh
    assert attacks.result(hits, wounded=True) == wounded


def test_the_odds_table():
    """Chance of one die to hit by need and modifier, from the rules text."""
    odds = {
        2: "5/6 2/3 1/2",
        3: "2/3 1/2 1/3",
        4: "1/2 1/3 1/6",
        5: "1/3 1/6 1/6",
        6: "1/6 1/6 1/6",
    }
    for need, line in odds.items():
        for mod, share in zip((0, -1, -2), line.split(), strict=True):
            assert attacks.p_hit(need, mod) == Fraction(share)
    assert attacks.p_kill(5, 3) == Fraction(64, 81)
    assert attacks.p_wound(3, 4) == Fraction(1, 2)
    assert attacks.p_kill(2, 2) == 0


def test_a_gunslinger_likes_it_close():
    """DZ-RNG-04, DZ-RNG-09: four dice within 6 inches, in shooting only."""
    slinger = CLASSES["Gunslinger"]
    assert attacks.ranged_dice(slinger, close=True) == 4
    assert attacks.ranged_dice(slinger, close=True, boost=1) == 5
    assert attacks.melee_dice(slinger) == 3
    assert slinger.close_in == 6
    assert attacks.ranged_dice(CLASSES["Soldier"], close=True) == 3
    assert attacks.ranged_dice(CLASSES["Beast"]) is None


def band(*fighters, options=None):
    return bands.faults(fighters, settings(options or {}))


def test_warbands():
    """DZ-WB-05 to DZ-WB-12, DZ-WB-14."""
    assert band(("Soldier", 10), ("Warrior", 10)) == []
    assert band(("Soldier", 11), ("Warrior", 10)) == ["points"]
    assert band(("Soldier", 1)) == []  # fewer points are all right
    assert band(*[("Drone", 2)] * 10) == []
    assert band(*[("Drone", 1)] * 11) == ["count"]
    assert band() == ["count"]
    assert band(("Soldier", 1), ("Sniper", 1)) == []
    assert band(("Soldier", 1), ("Sniper", 1), ("Gunner", 1)) == ["basic"]
    five = [("Soldier", 1)] * 2 + [("Sniper", 1)] * 3
    assert band(*five) == ["basic"]
    assert band(*five[:4], ("Beast", 1)) == []
    rare = [("Drone", 1)] * 3
    assert band(*rare, ("Mech", 1), ("Monster", 1)) == []
    assert band(*rare, ("Mech", 1), ("Mech", 1), ("Monster", 1)) == ["rare"]
    assert band(("Soldier", 0), ("Warrior", 1)) == ["might"]
    bad = [("Mech", 9), ("Mech", 9), ("Mech", 0)]
    assert band(*bad, options={"dz.points.standard": 10}) == ["points", "basic", "rare", "might"]
    assert band(("Soldier", 30), options={"dz.points.standard": 30}) == []
    assert band(("Soldier", 19), options={"dz.points.exact": True}) == ["points"]
    assert band(("Soldier", 20), options={"dz.points.exact": True}) == []
    assert [bands.basic_needed(n) for n in (1, 2, 3, 4, 5, 10)] == [1, 1, 2, 2, 3, 5]


def test_actions():
    """DZ-AP-01, DZ-AP-02."""
    assert bands.actions(stunned=False) == 2
    assert bands.actions(stunned=True) == 1


def test_morale():
    """DZ-MORALE-01 to DZ-MORALE-04: products, and only a higher one breaks."""
    assert bands.morale(3, 2, 4, 5) == (12, 10, True)
    assert bands.morale(2, 4, 6, 3) == (12, 12, False)
    assert bands.morale(2, 4, 1, 6) == (2, 24, False)
    assert bands.morale(1, 0, 1, 6) == (1, 0, True)  # DZ-MORALE-06
    assert bands.p_morale(5, 5) == Fraction(5, 12)
    assert bands.p_morale(1, 9) == 0
    assert bands.p_morale(2, 8) == Fraction(1, 18)
    assert bands.p_morale(1, 0) == 1


A, B, C = ("x", False), ("x", True), ("y", False)
CHAIN = [
    ("last_attack", [], 3, (False, None, None)),
    ("last_attack", [A], 3, (False, "x", None)),
    ("last_attack", [B], 3, (True, None, "me")),
    ("last_attack", [B], 1, (True, "me", None)),
    ("last_attack", [A, B], 3, (True, None, "me")),
    ("last_attack", [B, C], 3, (False, "y", None)),
    ("last_attack", [C, B], 3, (True, None, "me")),
    ("any_survivor", [C, B], 3, (False, "y", None)),
    ("any_survivor", [A, C], 3, (False, "y", None)),
    ("any_survivor", [A, B], 3, (True, None, "me")),
    ("any_survivor", [], 3, (False, None, None)),
    ("any_kill", [B, C], 3, (True, None, "me")),
    ("any_kill", [A, C], 3, (False, "y", None)),
    ("any_kill", [B], 1, (True, "me", None)),
]


@pytest.mark.parametrize(("multi", "told", "left", "expected"), CHAIN)
def test_the_chain(multi, told, left, expected):
    """DZ-CHAIN-02, DZ-CHAIN-03, DZ-CHAIN-04, DZ-CHAIN-05, DZ-CHAIN-07, DZ-CHAIN-08."""
    follows = chains.next_activation("me", told, left, multi)
    assert (follows.same_player, follows.fighter, follows.not_again) == expected


def test_lengths_of_both_scales():
    """DZ-GEN-01, DZ-GEN-03, DZ-GEN-04, DZ-GEO-27."""
    for inches, mm in ((3, 76.2), (4, 101.6), (6, 152.4), (24, 609.6)):
        assert DEFAULT.mm(inches) == pytest.approx(mm)
        assert PLAYMOBIL.mm(inches) == pytest.approx(2 * mm)
    assert DEFAULT.mm(data().board_in) == pytest.approx(609.6)


def test_gaps_and_contact():
    """DZ-GEO-03, DZ-GEO-04, DZ-GEO-05, DZ-GEO-16, DZ-GEO-23."""
    a, b = limits.disc((0, 0), 10), limits.disc((100, 0), 16)
    assert lengths.edge_gap(a, b) == pytest.approx(74)
    assert lengths.edge_gap(a, limits.disc((15, 0), 10)) == 0.0
    high = replace(b, level_mm=300.0)
    assert lengths.edge_gap(a, high) == pytest.approx(74)
    assert lengths.is_contact(5.0, DEFAULT)
    assert not lengths.is_contact(5.1, DEFAULT)
    studs = settings({"geom.contact_tol_mm": "lego_on_studs"})
    for opts in (studs, PLAYMOBIL):
        assert lengths.is_contact(8.0, opts)
        assert not lengths.is_contact(8.1, opts)
    assert lengths.range_mm(a, b, settings({"geom.range_mode": "centre"})) == pytest.approx(100)
    assert lengths.range_mm(a, b, DEFAULT) == pytest.approx(74)


@pytest.mark.parametrize(
    ("measured", "sigma", "verdict"),
    [
        (149.0, 1.0, "yes"),
        (150.0, 1.0, "borderline"),
        (155.5, 1.0, "no"),
        (155.0, 1.0, "borderline"),
        (151.0, 0.2, "borderline"),
        (150.3, 0.2, "yes"),
        (154.5, 0.2, "no"),
    ],
)
def test_what_is_too_close_to_call(measured, sigma, verdict):
    """DZ-GEO-13: twice the doubt of both, or 2 mm."""
    assert lengths.close(measured, 152.4, sigma, sigma) == verdict


def test_who_has_a_close_call():
    """DZ-GEO-14."""
    for policy, near, far in (
        ("favour_actor", Verdict.YES, Verdict.YES),
        ("ask", Verdict.BORDERLINE, Verdict.BORDERLINE),
        ("strict", Verdict.YES, Verdict.NO),
    ):
        opts = settings({"geom.close_policy": policy})
        assert lengths.held(75.2, 76.2, opts, 0.5, 0.5) == near
        assert lengths.held(77.2, 76.2, opts, 0.5, 0.5) == far
        assert lengths.held(70.0, 76.2, opts, 0.5, 0.5) == Verdict.YES
        assert lengths.held(80.0, 76.2, opts, 0.5, 0.5) == Verdict.NO


def test_strips():
    """DZ-DEP-01, DZ-DEP-04, DZ-GEO-22: wholly within 6 inches of the edge."""
    assert lengths.in_strip(0.0, 20.0, DEFAULT)
    assert lengths.in_strip(132.4, 152.4, DEFAULT)
    assert not lengths.in_strip(135.0, 155.0, DEFAULT)
    assert not lengths.in_strip(-5.0, 15.0, DEFAULT)
    centre = settings({"dz.deploy.rule": "centre"})
    assert lengths.in_strip(142.4, 162.4, centre)
    assert not lengths.in_strip(143.0, 163.0, centre)
    assert lengths.in_strip(284.8, 304.8, PLAYMOBIL)
    assert lengths.strip_depth_mm(settings({"dz.deploy.depth_in": 4})) == pytest.approx(101.6)


def test_charges_over_a_free_gap():
    """DZ-CHG-02, DZ-CHG-07, DZ-GEO-25."""
    assert lengths.charge_offered(81.2, 76.2, DEFAULT)
    assert not lengths.charge_offered(81.3, 76.2, DEFAULT)
    whole = settings({"dz.charge.reach": "gap"})
    assert lengths.charge_offered(76.2, 76.2, whole)
    assert not lengths.charge_offered(76.3, 76.2, whole)
    assert lengths.charge_way_mm(3.0, DEFAULT) == 0.0
    assert lengths.move_mm(data().classes["Warrior"], DEFAULT) == pytest.approx(76.2)


def test_templates():
    """DZ-GEO-11: no rule lays one, but the rule for it is kept."""
    disc = limits.disc((100, 0), 10)
    for rule, wide in (("any_part", 180.0), ("centre", 200.0), ("wholly", 220.0)):
        opts = settings({"geom.template_rule": rule})
        assert lengths.under_template((0, 0), wide, disc, opts)
        assert not lengths.under_template((0, 0), wide - 1.0, disc, opts)
    square = replace(disc, base=Base(BaseShape.SQUARE, 20.0, 0.0))
    wholly = settings({"geom.template_rule": "wholly"})
    assert lengths.under_template((0, 0), 222.0, square, wholly)
    assert not lengths.under_template((0, 0), 220.0, square, wholly)


TARGET = Figurine((300.0, 0.0), 10.0, 0.0, 40.0)
EYE = Eye((0.0, 0.0), 36.0)


def free(*bodies: Body) -> int:
    return views.samples(EYE, TARGET, bodies)


def wall(x0, y0, x1, y1, top) -> Body:
    return Body(Outline(rectangle(x0, y0, x1, y1)), top)


def test_fifteen_samples():
    """DZ-GEO-08: three columns, five rows, hidden below the top inside an outline."""
    assert views.sample_count() == 15
    assert free() == 15
    assert free(wall(145, -100, 155, -2, 25)) == 13
    assert free(wall(145, -100, 155, 100, 60)) == 0
    assert free(wall(145, -100, 155, 100, 37)) == 0  # the highest row is below that
    assert free(wall(145, -100, 155, 100, 35)) == 3
    assert free(wall(145, -100, 155, -2, 60)) == 10
    assert free(wall(285, -100, 290, 100, 20)) == 9
    assert free(wall(310, -100, 320, 100, 90)) == 15  # behind it
    pole = limits.disc((150, 0), 10)
    assert free(Body(Outline(rectangle(140, -2, 160, 2)), 60)) == 10
    assert pole.base.size_mm == 20.0


@pytest.mark.parametrize("row", range(5))
def test_the_rows_that_must_be_seen(row):
    """DZ-GEO-08: at 10, 30, 50, 70 and 90 percent of the height, three columns each.

    A line from the eye to a row passes the far edge of a wall half-way at the height that is
    half-way between both; a wall a little lower leaves the row free, one a little higher hides it
    and all below.
    """
    line = (EYE.height_mm + (0.1 + 0.2 * row) * 40.0) / 2.0
    target = Figurine((300.0, 0.0), 0.0, 0.0, 40.0)
    for top, free_ones in ((line - 0.3, 15 - 3 * row), (line + 0.3, 12 - 3 * row)):
        assert views.samples(EYE, target, [wall(140, -90, 150, 90, top)]) == free_ones


def test_grades():
    """DZ-GEO-09, DZ-VIS-02."""
    grades = [views.grade(n, DEFAULT) for n in range(16)]
    assert grades == ["none"] + ["partly"] * 13 + ["entirely"] * 2
    assert views.grade(13, settings({"geom.los.full_min": 0.8})) == "entirely"
    assert views.grade(14, settings({"geom.los.full_min": 1.0})) == "partly"
    assert views.grade(2, settings({"geom.los.none_max": 0.2})) == "none"
