"""Numbers of the rules, asked of the functions the game plays by."""

import math
from fractions import Fraction

import pytest
from shapely import box as rectangle

from engine.geometry.bases import Outline
from engine.geometry.interval import Verdict
from engine.geometry.samples import Body, Figurine
from engine.geometry.sight import Eye
from engine.rulesets import limits
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.measures import attacks, lengths, reckoning, views, ways
from engine.rulesets.playmobil.measures.attacks import FRONT, MISSILE, REAR
from engine.rulesets.playmobil.settings import settings
from engine.table import Base, BaseShape
from tests.engine.playmobil.battle import man
from tests.engine.tables import box

TYPES = data().types


def test_lengths_of_both_scales():
    """PM-GEN-01 to 03, PM-GEO-28."""
    rules = settings()
    assert [rules.feet(f) for f in (0.5, 1, 1.5, 2)] == pytest.approx([152.4, 304.8, 457.2, 609.6])
    lego = settings({"pm.scale.factor": 0.5})
    assert [lego.feet(f) for f in (0.5, 1, 1.5, 2)] == pytest.approx([76.2, 152.4, 228.6, 304.8])
    assert (rules.reach_mm, lego.reach_mm) == pytest.approx((50.8, 25.4))


@pytest.mark.parametrize(
    ("attack", "defend", "mod", "compare", "kill"),
    [
        ((4,), (4,), 0, "highest", True),
        ((4,), (5,), 0, "highest", False),
        ((5,), (3,), -2, "highest", True),
        ((2,), (1,), -2, "highest", False),
        ((1, 5), (4, 4, 4), 0, "highest", True),
        ((4,), (2, 5), 0, "highest", False),
        ((2, 2), (3,), 0, "sum", True),
        ((2, 2), (5,), 0, "sum", False),
        ((6, 3), (5, 2), 0, "pairwise", True),
        ((6, 1), (5, 2), 0, "pairwise", False),
        ((4, 4, 4), (4,), 0, "pairwise", True),
        ((5,), (6, 6, 6), 0, "pairwise", False),
    ],
)
def test_who_wins(attack, defend, mod, compare, kill):
    """PM-DICE-01 to 05, PM-ARCH-06, PM-ARCH-09."""
    assert attacks.resolve(attack, defend, mod, compare).kill is kill


@pytest.mark.parametrize("name", ["light_spearman", "heavy_spearman"])
def test_spears(name):
    """PM-INF-05 to 08, PM-FACE-07, PM-DICE-06, PM-CHAR-13."""
    own = TYPES[name]
    for foe in ("light_cavalry", "heavy_cavalry", "mounted_archer", "general_mounted",
                "war_elephant", "riderless_elephant"):  # fmt: skip
        assert attacks.attack_dice(own, TYPES[foe]) == 2
        assert attacks.attack_dice(own, TYPES[foe], facing=False) == 1
        assert attacks.defend_dice(own, TYPES[foe]) == own.d + 1
        assert attacks.defend_dice(own, TYPES[foe], arc=REAR) == 1
        assert attacks.defend_dice(own, TYPES[foe], mode=MISSILE) == own.d
    for foe in ("light_infantry", "chariot", "battering_ram"):
        assert attacks.attack_dice(own, TYPES[foe]) == 1
        assert attacks.defend_dice(own, TYPES[foe]) == own.d


def test_rear_and_cover():
    """PM-FACE-01 to 03, PM-FACE-10, PM-ELE-19, PM-DICE-07, PM-ARCH-20."""
    assert attacks.defend_dice(TYPES["heavy_infantry"], TYPES["heavy_cavalry"], arc=REAR) == 1
    assert attacks.defend_dice(TYPES["heavy_infantry"], arc=REAR, mode=MISSILE) == 1
    assert attacks.defend_dice(TYPES["war_elephant"], arc=REAR) == 1
    assert attacks.defend_dice(TYPES["siege_tower"], arc=REAR) == 3
    assert attacks.defend_dice(TYPES["artillery"], agreed=4) == 4
    assert attacks.defend_dice(TYPES["light_infantry"], cover=1) == 2
    assert attacks.defend_dice(TYPES["light_infantry"], cover=1, arc=REAR) == 1


def test_odds():
    """PM-DICE-08."""
    table = {
        (1, 1): "7/12", (1, 2): "91/216", (1, 3): "49/144", (2, 1): "161/216",
        (2, 2): "791/1296", (2, 3): "4109/7776", (3, 1): "119/144", (3, 2): "5593/7776",
        (3, 3): "10073/15552",
    }  # fmt: skip
    for (a, d), chance in table.items():
        assert attacks.odds(a, d) == Fraction(chance)
    assert attacks.odds(1, 1, -2) == Fraction("5/18")
    assert attacks.odds(1, 3, -2) == Fraction("25/324")
    assert attacks.odds(1, 2, 0, "sum") < attacks.odds(1, 2)
    assert attacks.odds(1, 1, 0, "pairwise") == Fraction("7/12")


def test_double_strike():
    """PM-CHAR-03."""
    assert attacks.double_strike((4, 2, 1), [(4,), (5,)], "each") == ([True, False], False)
    assert attacks.double_strike((4, 2, 1), [(4,), (5,)], "both_or_none") == ([False, False], False)
    assert attacks.double_strike((5, 2, 1), [(4,), (5,)], "both_or_none") == ([True, True], True)


def charge(**changes):
    told = {"engaged": False, "length_mm": 600.0, "attacks": True, "kind": "melee"}
    last, now = changes.pop("last", None), changes.pop("now", 1)
    options = changes.pop("options", {})
    return reckoning.charge_fault(
        last, now, **{**told, **changes}, settings=settings(options)
    )  # fmt: skip


def test_charges():
    """PM-CAV-03, 04, 06 to 09, 14, PM-ARCH-11, PM-ARCH-12, PM-TURN-07."""
    assert charge() is None
    assert charge(engaged=True) == "engaged"
    assert charge(last=2, now=4) == "every_three_turns"
    assert charge(last=2, now=5) is None
    assert charge(length_mm=609.6) is None
    assert charge(length_mm=609.7) == "too_far"
    assert charge(attacks=False) == "no_attack"
    assert charge(kind="missile") == "must_be_melee"
    assert charge(kind="throw") == "must_be_melee"
    assert charge(kind="throw", options={"pm.charge.throw": True}) is None
    assert charge(length_mm=10.0) is None
    assert charge(length_mm=590.0, options={"pm.charge.min_ft": 2}) == "too_far"
    assert charge(length_mm=600.0, tol_mm=10.0, options={"pm.charge.min_ft": 2}) is None
    assert charge(now=2, options={"pm.charge.first_turn": 3}) == "every_three_turns"
    assert charge(now=3, options={"pm.charge.first_turn": 3}) is None


def test_shots():
    """PM-ARCH-04, 05, 07, PM-ATT-14."""
    rules, free = settings(), settings({"pm.archery.stop_on_fail": False})
    for shots, left in ((0, 3), (2, 1), (3, 0), (4, 0)):
        assert reckoning.shots_left(shots, flamed=False, stopped=False, settings=rules) == left
    assert reckoning.shots_left(1, flamed=True, stopped=False, settings=rules) == 0
    assert reckoning.shots_left(1, flamed=False, stopped=True, settings=rules) == 0
    assert reckoning.shots_left(1, flamed=False, stopped=True, settings=free) == 2
    assert reckoning.goes_on(shots=1, cap=3, killed=False, settings=free)
    assert not reckoning.goes_on(shots=1, cap=3, killed=False, settings=rules)
    assert not reckoning.goes_on(shots=3, cap=3, killed=True, settings=rules)


def test_circle_is_not_passed_on():
    """PM-CIRC-01 to 04."""
    link, reach = 304.8, 304.8
    assert reckoning.in_circle(300.0, [], reach, link)
    assert not reckoning.in_circle(310.0, [], reach, link)
    assert reckoning.in_circle(600.0, [(304.0, 300.0, reach)], reach, link)
    assert not reckoning.in_circle(600.0, [(305.0, 300.0, reach)], reach, link)
    assert not reckoning.in_circle(900.0, [(300.0, 600.0, reach)], reach, link)
    assert reckoning.in_circle(900.0, [(300.0, 450.0, 457.2)], reach, link)


@pytest.mark.parametrize(
    ("kind", "hits", "gone"),
    [
        ("elephant", ["normal"] * 2, False),
        ("elephant", ["normal"] * 3, True),
        ("elephant", ["cannon"], False),
        ("elephant", ["cannon"] * 2, True),
        ("elephant", ["normal", "cannon"], False),
        ("elephant", ["normal", "normal", "cannon"], True),
        ("chariot", ["normal"], False),
        ("chariot", ["normal"] * 2, True),
        ("chariot", ["cannon"], True),
        ("engine", ["cannon"], False),
        ("engine", ["cannon", "normal"], True),
    ],
)
def test_artillery(kind, hits, gone):
    """PM-ART-07 to 10, PM-SIEGE-06, PM-SIEGE-13."""
    points = reckoning.artillery_points(kind, hits)
    assert reckoning.artillery_destroys(kind, points, 2) is gone


def test_fire_waiting_and_clock():
    """PM-SIEGE-02, PM-SIEGE-09, PM-DIS-05, PM-DIS-06, PM-TURN-08."""
    assert [reckoning.burned(n) for n in (2, 3)] == [False, True]
    assert reckoning.ready_turn(4, attacked=False, moved=False) == 5
    assert reckoning.ready_turn(4, attacked=True, moved=False) is None
    assert reckoning.ready_turn(4, attacked=False, moved=True) is None
    assert [reckoning.minutes(*each) for each in ((30, 0), (31, 0), (110, 3))] == [1, 2, 7]


def test_walls():
    """PM-WALL-02, PM-WALL-04."""
    found = [reckoning.wall_hits(w, slanted=s) for w in ("wood", "stone") for s in (False, True)]
    assert found == [3, 4, 5, 6]


def test_the_nearest_for_an_elephant():
    """PM-ELE-03, 06, 07, 17, PM-GEO-26."""
    assert reckoning.nearest([160.0, 152.0, 140.0], 152.4) == (2,)
    assert reckoning.nearest([153.0], 152.4) == ()
    assert reckoning.nearest([100.0, 101.9, 103.0], 152.4) == (0, 1)


def test_arcs():
    """PM-FACE-04, PM-FACE-05, PM-GEO-10, PM-GEO-23."""
    rules, narrow = settings(), settings({"pm.face.front_half_deg": 45})
    assert lengths.arc((0, 0), 90.0, (100, 0), rules)[1] == FRONT
    assert lengths.arc((0, 0), 90.0, (100, -1), rules)[1] == REAR
    assert lengths.arc((0, 0), 90.0, (100, 0), narrow)[1] == REAR
    assert lengths.arc((0, 0), 90.0, (50, 51), narrow)[1] == FRONT
    spotter = settings({"pm.circle.arc_from": "spotter"})
    assert lengths.arc((0, 0), 90.0, (0, 300), rules, (0, -50))[1] == FRONT
    assert lengths.arc((0, 0), 90.0, (0, 300), spotter, (0, -50))[1] == REAR


def test_gaps_contact_and_near_things():
    """PM-GEO-03 to 05, PM-GEO-13, PM-GEO-14, PM-GEO-16, PM-GEO-21."""
    a, b = limits.disc((0, 0), 10), limits.disc((100, 0), 16)
    assert lengths.edge_gap(a, b) == pytest.approx(74.0)
    assert lengths.range_mm(a, b, settings()) == pytest.approx(74.0)
    assert lengths.range_mm(a, b, settings({"geom.range_mode": "centre"})) == 100.0
    for table, limit in (("lego", 5.0), ("lego_on_studs", 8.0), ("playmobil", 8.0)):
        rules = settings({"geom.contact_tol_mm": table})
        assert lengths.is_contact(limit, rules)
        assert not lengths.is_contact(limit + 0.1, rules)
    assert lengths.close(151.0, 152.4, 0.2, 0.2) is Verdict.BORDERLINE
    assert lengths.close(150.3, 152.4, 0.2, 0.2) is Verdict.YES
    assert lengths.close(149.0, 152.4, 1.0, 1.0) is Verdict.YES
    assert lengths.close(155.5, 152.4, 1.0, 1.0) is Verdict.NO
    policies = {"favour_actor": Verdict.YES, "ask": Verdict.BORDERLINE, "strict": Verdict.NO}
    for policy, verdict in policies.items():
        rules = settings({"geom.close_policy": policy})
        assert lengths.held(153.0, 152.4, rules, 0.0, 0.0) is verdict


def test_the_corridor():
    """PM-ATT-04, PM-ATT-12, PM-GEO-22."""
    a, b = man("a", (0, 0)), man("b", (80, 0))
    assert lengths.between(a, b, [], [], 75.0, 10.0) is None
    beside = man("c", (40, 20.9))
    assert lengths.between(a, b, [beside], [], 75.0, 10.0) is beside
    assert lengths.between(a, b, [man("c", (40, 21.1))], [], 75.0, 10.0) is None
    low, high = (box("t", 35, -20, 45, 20, top) for top in (24.0, 26.0))
    assert lengths.between(a, b, [], [low], 75.0, 10.0) is None
    assert lengths.between(a, b, [], [high], 75.0, 10.0) is high
    horse = man("h", (48, 60), base=Base(BaseShape.OBLONG, 36.0, 90.0, 0.0, 110.0))
    assert lengths.between(a, b, [horse], [], 75.0, 10.0) is None
    assert lengths.between(a, b, [man("h", (48, 58), base=horse.base)], [], 75.0, 10.0)


def test_the_step():
    """PM-ATT-10, PM-GEO-25."""
    assert lengths.is_step((0, 0), (40, 0), (90, 0), 41.0, 10.0)
    assert not lengths.is_step((0, 0), (52, 0), (90, 0), 41.0, 10.0)
    assert lengths.is_step((0, 0), (38, 13), (90, 0), 41.0, 10.0)
    assert not lengths.is_step((0, 0), (35, 20), (90, 0), 41.0, 10.0)
    for off, step in ((19.5, True), (20.5, False)):
        to = (40.0 * math.cos(math.radians(off)), 40.0 * math.sin(math.radians(off)))
        assert lengths.is_step((0, 0), to, (90, 0), 41.0, 10.0) is step


def test_sight():
    """PM-GEO-08, PM-GEO-09, PM-ARCH-16, PM-THROW-09."""
    a, b = man("a", (0, 0)), man("b", (300, 0))
    rules = settings()
    assert views.sight(a, b, [], rules) is views.Sight.ENTIRELY
    wall = box("w", 145, -100, 155, 100, 200.0)
    assert views.sight(a, b, [wall], rules) is views.Sight.NONE
    eye = 0.9 * a.height_mm
    for tall, seen in ((eye - 7.5, views.Sight.PARTLY), (eye + 0.5, views.Sight.NONE)):
        assert views.sight(a, b, [box("w", 145, -100, 155, 100, tall)], rules) is seen
    half = box("w", 145, -100, 155, -2, 200.0)
    assert views.sight(a, b, [half], rules) is views.Sight.PARTLY
    assert [views.grade(n, rules).value for n in (0, 1, 13, 14)] == [
        "none", "partly", "partly", "entirely",
    ]  # fmt: skip


@pytest.mark.parametrize("row", range(5))
def test_the_rows_that_must_be_seen(row):
    """PM-GEO-08: at 10, 30, 50, 70 and 90 percent of the height, three columns each.

    A line from the eye to a row passes the far edge of a wall half-way at the height that is
    half-way between both; a wall a little lower leaves the row free, one a little higher hides it
    and all below.
    """
    tall, eye = 75.0, 0.9 * 75.0
    target = Figurine((300.0, 0.0), 0.0, 0.0, tall)
    line = (eye + (0.1 + 0.2 * row) * tall) / 2.0
    for top, free in ((line - 0.5, 15 - 3 * row), (line + 0.5, 12 - 3 * row)):
        wall = Body(Outline(rectangle(140.0, -90.0, 150.0, 90.0)), top)
        assert views.samples(Eye((0.0, 0.0), eye), target, [wall]) == free


def test_ways_round_what_is_impassable():
    """PM-GEO-06, PM-GEO-07, PM-MOVE-01, PM-MOVE-02, PM-GEO-20."""
    walker = man("a", (0, 0), base=Base(BaseShape.CIRCLE, 20.0))
    wall = box("w", 140, -40, 160, 100, 5.0)
    found = ways.mover(walker, (), (), (wall,), None).shortest((0, 0), (300, 0))
    assert found == pytest.approx(317.46, abs=0.1)
    wood = box("w", 140, -40, 160, 100, 90.0, kind="wood")
    assert ways.mover(walker, (), (), (wood,), None).shortest((0, 0), (300, 0)) == 300.0
    enemy = man("e", (150, 0))
    going = ways.mover(walker, (enemy,), (enemy,), (), None)
    assert going.shortest((0, 0), (300, 0)) > 304.0
    assert going.past_all().shortest((0, 0), (300, 0)) == 300.0
    friend = ways.mover(walker, (), (enemy,), (), None)
    assert friend.shortest((0, 0), (300, 0)) == 300.0
    small, large = (going.reach((0, 0), r).area for r in (100.0, 200.0))
    assert 0 < small < large
    edge = ways.mover(walker, (), (), (), (400.0, 400.0)).reach((50, 50), 300.0)
    assert min(edge.bounds[:2]) == pytest.approx(10.0, abs=0.1)


def test_under_a_template():
    """PM-GEO-11."""
    figure = man("a", (60, 0))
    for rule, inside in (("centre", True), ("any_part", True), ("wholly", False)):
        rules = settings({"geom.template_rule": rule})
        assert lengths.under_template((0, 0), 120.0, figure, rules) is inside
    rules = settings({"geom.template_rule": "centre"})
    assert not lengths.under_template((0, 0), 118.0, figure, rules)
