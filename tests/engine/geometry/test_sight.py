import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, Polygon, affinity

from engine.geometry import visible_share, wall_visible
from engine.geometry.sight import Eye, Panel, Prism, box, in_front

TARGET = Panel((200.0, 0.0), 24.0, 0.0, 40.0)
EYE = Eye((0.0, 0.0), 34.0)


def thin_wall(at, height, low=0.0):
    return Prism(
        Polygon([(at - 0.01, -500), (at + 0.01, -500), (at + 0.01, 500), (at - 0.01, 500)]),
        low,
        height,
    )


@settings(max_examples=50, deadline=None)
@given(
    st.floats(5, 90), st.floats(0, 100), st.floats(10, 180), st.floats(20, 80), st.floats(190, 400)
)
def test_rays_agree_with_the_closed_form_of_a_wall(eye, wall, at, height, far):
    seen = visible_share(Eye((0, 0), eye), [Panel((far, 0), 24, 0, height)], [thin_wall(at, wall)])
    # The wall of the closed form has no thickness.
    assert seen == pytest.approx(wall_visible(eye, wall, at, far, height), abs=2e-2)


@pytest.mark.parametrize(
    ("e", "h", "w", "share"),
    [(34, 19.2, 190, 0.5394737), (34, 28.8, 190, 0.2868421), (74, 28.8, 150, 0.6566667)],
)
def test_wall_by_hand(e, h, w, share):
    assert wall_visible(e, h, w, 200, 40) == pytest.approx(share, abs=1e-7)
    seen = visible_share(Eye((0, 0), e), [TARGET], [thin_wall(w, h)])
    assert seen == pytest.approx(share, abs=1e-3)


def test_nothing_hides_nothing_and_all_hides_all():
    assert visible_share(EYE, [TARGET], []) == 1.0
    assert visible_share(EYE, [TARGET], [thin_wall(100, 200)]) == 0.0
    assert visible_share(EYE, [TARGET], [thin_wall(250, 200)]) == 1.0
    assert visible_share(EYE, [TARGET], [thin_wall(-50, 200)]) == 1.0


def test_a_half_hidden_width_is_half_seen():
    post = Prism(Polygon([(100, 0), (110, 0), (110, 90), (100, 90)]), 0.0, 300.0)
    assert visible_share(EYE, [TARGET], [post]) == pytest.approx(0.5, abs=1e-6)


def test_under_a_bridge():
    bridge = thin_wall(100, 300.0, low=37.0)
    # From 34 to the underside at 37 half-way: 40 at the target, all seen.
    assert visible_share(EYE, [TARGET], [bridge]) == pytest.approx(1.0, abs=1e-3)
    lower = thin_wall(100, 300.0, low=27.0)
    assert visible_share(EYE, [TARGET], [lower]) == pytest.approx(0.5, abs=1e-3)


def test_overlapping_blockers_count_once():
    both = [thin_wall(100, 27.0), thin_wall(100, 27.0), thin_wall(101, 20.0)]
    assert visible_share(EYE, [TARGET], both) == pytest.approx(
        visible_share(EYE, [TARGET], both[:1]), abs=1e-6
    )


def test_parts_are_weighed_by_area():
    parts = [Panel((200, 0), 24, 3.2, 43.2), Panel((200, 0), 16, 0, 3.2)]
    low = thin_wall(199.9, 3.2)
    share = visible_share(EYE, parts, [low])
    assert share == pytest.approx(24 * 40 / (24 * 40 + 16 * 3.2), abs=2e-3)


def test_a_roof_hides_what_is_close_under_its_edge():
    roof = Prism(Polygon([(-40, -40), (40, -40), (40, 40), (-40, 40)]), 0.0, 48.0)
    above = Eye((0, 0), 48 + 34)
    near = visible_share(above, [Panel((60, 0), 24, 0, 40)], [roof])
    far = visible_share(above, [Panel((300, 0), 24, 0, 40)], [roof])
    assert near == pytest.approx(1 - (82 - 34 * 60 / 40) / 40, abs=1e-2)
    assert far == 1.0


prisms = st.lists(
    st.builds(
        lambda x, y, w, d, turn, h: Prism(
            affinity.rotate(Polygon([(x, y), (x + w, y), (x + w, y + d), (x, y + d)]), turn), 0.0, h
        ),
        st.floats(30, 150),
        st.floats(-40, 20),
        st.floats(2, 40),
        st.floats(2, 40),
        st.floats(0, 90),
        st.floats(5, 80),
    ),
    max_size=3,
)


@settings(max_examples=25, deadline=None)
@given(prisms)
def test_share_agrees_with_single_rays(blockers):
    share = visible_share(EYE, [TARGET], blockers)
    assert -1e-9 <= share <= 1 + 1e-9
    hits = 0
    columns, rows = 30, 20
    for i in range(columns):
        y = (i + 0.5) / columns * 24 - 12
        for j in range(rows):
            z = (j + 0.5) / rows * 40
            hits += any(meets((200, y, z), prism) for prism in blockers)
    assert share == pytest.approx(1 - hits / (columns * rows), abs=0.06)


def meets(end, prism):
    """Whether the ray from the eye to ``end`` goes through a prism, the slow way."""
    line = LineString([(0, 0), end[:2]]).intersection(prism.area)
    for part in getattr(line, "geoms", [line]):
        if isinstance(part, LineString) and not part.is_empty:
            at = [math.hypot(*p) / math.hypot(*end[:2]) for p in part.coords]
            z = [34 + (end[2] - 34) * t for t in at]
            if min(z) < prism.high_mm and max(z) > prism.low_mm:
                return True
    return False


@given(prisms, st.floats(-180, 180), st.floats(-200, 200), st.floats(-200, 200))
@settings(max_examples=20, deadline=None)
def test_share_stays_when_the_table_is_turned(blockers, by, dx, dy):
    def turn(shape):
        return affinity.translate(affinity.rotate(shape, by, origin=(0, 0)), dx, dy)

    at, to = (turn(Point(p)) for p in ((0, 0), (200, 0)))
    there = visible_share(
        Eye((at.x, at.y), 34.0),
        [Panel((to.x, to.y), 24, 0, 40)],
        [Prism(turn(p.area), p.low_mm, p.high_mm) for p in blockers],
    )
    assert there == pytest.approx(visible_share(EYE, [TARGET], blockers), abs=1e-6)


def test_wall_needs_distances():
    with pytest.raises(ValueError, match="more than 0"):
        wall_visible(34, 20, 0, 200, 40)


def test_box_turns_its_width_to_the_eye():
    facing = box((100.0, 0.0), 24.0, 16.0, EYE)
    assert facing.bounds == pytest.approx((92, -12, 108, 12))


def test_front_half():
    assert in_front((0, 0), 0.0, (10, 5), 90)
    assert in_front((0, 0), 0.0, (0, 5), 90)
    assert not in_front((0, 0), 0.0, (-1, 5), 90)
    assert in_front((0, 0), 350.0, (1, 5), 90)
    assert in_front((0, 0), None, (-1, 0), 90)
