import math
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from shapely import Point, affinity

from engine.geometry import (
    Interval,
    Verdict,
    base_polygon,
    centre_distance,
    cmp,
    cmp_interval,
    gap,
    overlap,
)
from engine.geometry.bases import circumscribed_radius, inscribed_radius, turned_base
from engine.table import Base, BaseShape
from tests.engine.geometry.helpers import Stand, disc, oblong, square

coordinate = st.floats(-300, 300)
turn = st.floats(0, 90)
stand = st.one_of(
    st.builds(square, coordinate, coordinate, st.one_of(st.none(), turn), st.floats(8, 40)),
    st.builds(disc, coordinate, coordinate, st.floats(8, 40)),
    st.builds(
        oblong,
        coordinate,
        coordinate,
        st.one_of(st.none(), st.floats(-360, 360)),
        st.floats(40, 120),
        st.floats(8, 40),
    ),
)


def moved(item: Stand, dx: float, dy: float, by_deg: float) -> Stand:
    """The same base after the whole table was turned about its origin and shifted."""
    c, s = math.cos(math.radians(by_deg)), math.sin(math.radians(by_deg))
    x, y = item.position_mm
    known = item.base.rotation_deg
    base = replace(item.base, rotation_deg=None if known is None else known + by_deg)
    return Stand((c * x - s * y + dx, s * x + c * y + dy), base)


@pytest.mark.parametrize(
    ("a", "b", "lo", "hi"),
    [
        (square(0, 0), square(216, 0), 200.0, 200.0),
        (square(0, 0, 45), square(216, 0, 45), 193.372583, 193.372583),
        (square(0, 0, None), square(220, 0, None), 197.372583, 204.0),
        (square(0, 0, 0), square(220, 0, None), 200.686292, 204.0),
        (square(0, 0, None), square(20, 0, None), 0.0, 4.0),
        (disc(0, 0), disc(100, 0), 72.0, 72.0),
        (oblong(0, 0, 0), oblong(200, 0, 180), 90.0, 90.0),
        (oblong(0, 0, 90), oblong(200, 0, 270), 164.0, 164.0),
        (oblong(0, 0, 0), disc(100, 0, 20), 35.0, 35.0),
        (oblong(0, 0, 90), disc(100, 0, 20), 72.0, 72.0),
        (oblong(0, 0, None), disc(100, 0, 20), 32.129455, 72.0),
        (square(0, 0), disc(30, 40, 20), math.hypot(22, 32) - 10, math.hypot(22, 32) - 10),
    ],
)
def test_gap_by_hand(a, b, lo, hi):
    between = gap(a, b)
    assert between.lo == pytest.approx(lo, abs=1e-5)
    assert between.hi == pytest.approx(hi, abs=1e-5)


@settings(max_examples=50, deadline=None)
@given(stand, stand)
def test_gap_is_symmetric(a, b):
    assert gap(a, b).lo == pytest.approx(gap(b, a).lo, abs=1e-9)
    assert gap(a, b).hi == pytest.approx(gap(b, a).hi, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(stand, stand, coordinate, coordinate, st.floats(-180, 180))
def test_gap_stays_when_the_table_is_moved_and_turned(a, b, dx, dy, by_deg):
    there = gap(moved(a, dx, dy, by_deg), moved(b, dx, dy, by_deg))
    assert there.lo == pytest.approx(gap(a, b).lo, abs=1e-6)
    assert there.hi == pytest.approx(gap(a, b).hi, abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(coordinate, coordinate, turn, turn, st.booleans(), st.booleans())
def test_unknown_turn_holds_the_measured_gap(x, y, turn_a, turn_b, know_a, know_b):
    measured = gap(square(0, 0, turn_a), square(x, y, turn_b))
    unsure = gap(square(0, 0, turn_a if know_a else None), square(x, y, turn_b if know_b else None))
    assert unsure.lo - 1e-6 <= measured.lo
    assert measured.hi <= unsure.hi + 1e-6


@settings(max_examples=50, deadline=None)
@given(stand, stand)
def test_gap_is_never_more_than_between_the_centres(a, b):
    assert 0.0 <= gap(a, b).lo <= gap(a, b).hi + 1e-9 <= centre_distance(a, b).hi + 2e-9


@settings(max_examples=50, deadline=None)
@given(stand, stand)
def test_overlap_agrees_with_the_gap(a, b):
    found = overlap(a, b)
    if gap(a, b).lo > 1e-3:
        assert found is Verdict.NO
    if gap(a, b).hi > 1e-3:
        assert found is not Verdict.YES
    inner = [Point(i.position_mm).buffer(inscribed_radius(i.base) - 0.01) for i in (a, b)]
    if inner[0].intersection(inner[1]).area > 1e-3:
        assert found is Verdict.YES


def test_touching_bases_do_not_overlap():
    assert overlap(square(0, 0), square(16, 0)) is Verdict.NO
    assert overlap(square(0, 0), square(15.9, 0)) is Verdict.YES
    assert overlap(square(0, 0, None), square(17, 0, None)) is Verdict.BORDERLINE
    assert overlap(square(0, 0, None), square(15, 0, None)) is Verdict.YES
    assert overlap(square(0, 0, None), square(23, 0, None)) is Verdict.NO


def test_sigma_of_a_gap_adds_both_errors():
    a = Stand((0, 0), sigma_mm=3.0)
    b = Stand((100, 0), sigma_mm=4.0)
    assert gap(a, b).sigma_mm == pytest.approx(5.0)
    assert gap(a, b).slant(30.0).sigma_mm == pytest.approx(5.0)


def test_slant_takes_both_bounds():
    assert Interval(160.0, 0.0).slant(120.0).lo == pytest.approx(200.0)
    assert Interval(0.0, 90.0).slant(120.0).hi == pytest.approx(150.0)


def test_base_polygon_is_turned_counter_clockwise():
    drawn = base_polygon(square(10, 20, 30, 16))
    assert drawn.equals_exact(
        affinity.rotate(base_polygon(square(10, 20, 0, 16)), 30, origin=(10, 20)), 1e-9
    )
    assert base_polygon(square(0, 0, None)).area > 16 * 16
    corner = max(drawn.exterior.coords, key=lambda p: p[0])
    assert corner[1] < 20.0


@pytest.mark.parametrize(
    ("d", "limit", "tol", "verdict"),
    [
        (19.7, 20, 0.3, "yes"),
        (19.700002, 20, 0.3, "borderline"),
        (20.3, 20, 0.3, "borderline"),
        (20.300002, 20, 0.3, "no"),
        (20, 20, 0, "yes"),
        (20.1, 20, 0, "no"),
        (0.1 + 0.2, 0.3, 0, "yes"),
    ],
)
def test_cmp(d, limit, tol, verdict):
    assert cmp(d, limit, tol) == verdict


@given(st.floats(0, 50), st.floats(0, 5), st.floats(0, 50), st.floats(0, 2))
def test_cmp_interval_is_no_bolder_than_its_ends(lo, width, limit, tol):
    both = {cmp(lo, limit, tol), cmp(lo + width, limit, tol)}
    assume(len(both) == 1)
    assert cmp_interval(lo, lo + width, limit, tol) in both | {Verdict.BORDERLINE}
    if tol == 0:
        assert cmp_interval(lo, lo + width, limit, tol) in both


def test_circle_does_not_turn():
    assert gap(Stand((0, 0), Base(BaseShape.CIRCLE, 20.0, 33.0)), disc(50, 0, 20)).lo == 30.0


def test_an_oblong_lies_along_its_facing():
    assert base_polygon(oblong(10, 20, 0)).bounds == pytest.approx((-45, 2, 65, 38))
    assert base_polygon(oblong(10, 20, 90)).bounds == pytest.approx((-8, -35, 28, 75))
    assert turned_base(oblong(0, 0, None).base, -90.0).rotation_deg == 270.0
    assert turned_base(oblong(0, 0, 30.0).base, None).rotation_deg is None
    assert turned_base(disc(0, 0).base, 45.0) == disc(0, 0).base


@settings(max_examples=50, deadline=None)
@given(coordinate, coordinate, st.floats(0, 360), stand)
def test_an_oblong_turned_about_is_the_same(x, y, facing, other):
    there, back = oblong(x, y, facing), oblong(x, y, facing + 180.0)
    assert gap(there, other).lo == pytest.approx(gap(back, other).lo, abs=1e-6)
    assert gap(there, other).hi == pytest.approx(gap(back, other).hi, abs=1e-6)


@settings(max_examples=50, deadline=None)
@given(coordinate, coordinate, st.floats(0, 360), stand)
def test_the_gap_of_an_oblong_lies_between_those_of_its_circles(x, y, facing, other):
    known = gap(oblong(x, y, facing), other)
    unsure = gap(oblong(x, y, None), other)
    assert unsure.lo - 1e-6 <= known.lo <= known.hi <= unsure.hi + 1e-6


def test_oblongs_side_by_side_and_crosswise():
    assert overlap(oblong(0, 0, 0), oblong(0, 36, 0)) is Verdict.NO
    assert overlap(oblong(0, 0, 0), oblong(0, 36, 90)) is Verdict.YES
    assert overlap(oblong(0, 0, None), oblong(0, 60, 0)) is Verdict.BORDERLINE
    assert inscribed_radius(oblong(0, 0).base) == 18.0
    assert circumscribed_radius(oblong(0, 0).base) == pytest.approx(57.871, abs=1e-3)
