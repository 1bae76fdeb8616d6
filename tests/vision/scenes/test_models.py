"""Geometry of our own models and of the keypoints of animals and vehicles; no renderer needed."""

import numpy as np
import pytest

from vision.scenes import invented
from vision.scenes.animals import animal, feet
from vision.scenes.figure import Figure
from vision.scenes.ldraw import Geometry, joined
from vision.scenes.playmobil import (
    ADULT,
    ADULT_MM,
    CHILD,
    CHILD_MM,
    Build,
    Outfit,
    Pose,
    assemble,
)
from vision.scenes.playmobil_gear import EXTRAS, TOOLS
from vision.scenes.playmobil_hats import HATS
from vision.scenes.playmobil_head import HAIR
from vision.scenes.playmobil_horse import Coat, Gait, horse
from vision.scenes.playmobil_prints import PRINTS, Cloth, chest
from vision.scenes.props import PROPS
from vision.scenes.shapes import ball, box, rgb
from vision.scenes.vehicles import CARTS, Paint, set_down

RED, WHITE, BLACK = rgb(200, 30, 30), rgb(240, 240, 240), rgb(20, 20, 20)
CLOTH = Cloth(RED, WHITE, BLACK)


def outfit(**changes: object) -> Outfit:
    usual: dict[str, object] = {
        "skin": rgb(240, 190, 150),
        "print": "jacket",
        "cloth": CLOTH,
        "arms": RED,
        "cuffs": BLACK,
        "legs": BLACK,
        "shoes": BLACK,
        "skirt": False,
        "hair": ("short", BLACK),
        "hat": None,
    }
    return Outfit(**(usual | changes))  # type: ignore[arg-type]


def extent(shape: Geometry) -> tuple[np.ndarray, np.ndarray]:
    points = shape.triangles.reshape(-1, 3)
    return points.min(axis=0), points.max(axis=0)


@pytest.mark.parametrize(("build", "height"), [(ADULT, ADULT_MM), (CHILD, CHILD_MM)])
def test_bare_headed_figures_have_the_height_of_real_ones(build: Build, height: float) -> None:
    low, high = extent(assemble(outfit(), Pose(), build).body)
    assert low[2] == pytest.approx(0)
    assert high[2] == pytest.approx(height, abs=1.5)
    assert high[1] - low[1] == pytest.approx(38 if build is ADULT else 32, abs=3)


def test_keypoints_are_left_right_and_on_the_ground() -> None:
    figure = assemble(outfit(), Pose())
    left, right, top, left_hand, right_hand = figure.keypoints
    assert left[2] == right[2] == 0
    assert left[1] > 0 > right[1]
    assert left_hand[1] > 10
    assert right_hand[1] < -10
    assert abs(top[1]) < 1e-9
    # the soles' middles are the middles of what touches the ground
    assert np.allclose(feet(figure.body.triangles.reshape(-1, 3), 0.1), [left, right], atol=0.5)


def test_an_arm_swings_forward_and_the_body_bends_at_the_hips() -> None:
    still, moved = assemble(outfit(), Pose()), assemble(outfit(), Pose(arm_right=90, bend=30))
    assert moved.keypoints[4][0] > still.keypoints[4][0] + 15
    assert moved.keypoints[2][0] > still.keypoints[2][0] + 15
    assert np.allclose(moved.keypoints[:2], still.keypoints[:2])


def test_a_sitting_figure_is_lower_and_a_rider_straddles() -> None:
    sitting = assemble(outfit(), Pose(legs=90))
    assert sitting.riding == "sitting"
    assert extent(sitting.body)[1][2] < 55
    assert sitting.keypoints[0][0] > 25
    astride = assemble(outfit(), Pose(apart=17))
    assert astride.riding == "astride"
    assert astride.keypoints[0][1] - astride.keypoints[1][1] > 24
    assert 20 < astride.seat_mm < 32


def test_what_is_held_is_not_in_the_body() -> None:
    bare, armed = (assemble(outfit(tools=(t, None)), Pose()) for t in (None, "sword"))
    assert len(bare.items.triangles) == 0
    assert len(armed.items.triangles) > 0
    assert len(armed.body.triangles) == len(bare.body.triangles)
    assert extent(armed.items)[1][0] > 30


@pytest.mark.parametrize("style", sorted(HATS))
def test_hats_sit_on_the_head_and_leave_the_face_free(style: str) -> None:
    figure = assemble(outfit(hat=(style, RED, WHITE)), Pose())
    assert extent(figure.body)[1][2] > 74
    middle = HATS[style](RED, WHITE).triangles.mean(axis=1)
    front = middle[(middle[:, 0] > 8) & (np.abs(middle[:, 1]) < 5)]
    # eyes at 10.6 mm: only the shut visor hides them
    covered = (np.abs(front[:, 2] - 10.6) < 1.5).any()
    assert covered == (style in ("closed", "helmet"))


@pytest.mark.parametrize("style", sorted(HAIR))
def test_hair_leaves_the_eyes_free(style: str) -> None:
    middle = HAIR[style](BLACK).triangles.mean(axis=1)
    before = (middle[:, 0] > 7) & (np.abs(middle[:, 1]) < 5) & (middle[:, 2] < 12)
    assert not before.any()


@pytest.mark.parametrize("style", sorted(set(PRINTS) - {"plain"}))
def test_prints_show_on_the_chest(style: str) -> None:
    grid = np.stack(np.meshgrid(5.0, np.linspace(-10, 10, 60), np.linspace(30, 52, 60)), -1)
    codes = chest(style, CLOTH, (30, 52, 11))(grid.reshape(-1, 3))
    shares = [(codes == c).mean() for c in (CLOTH.main, CLOTH.second, CLOTH.trim)]
    assert sum(shares) == pytest.approx(1)
    assert 0.02 < shares[1] + shares[2] < 0.97


@pytest.mark.parametrize("name", sorted(TOOLS) + sorted(EXTRAS))
def test_gear_is_of_a_size_to_hold_or_wear(name: str) -> None:
    shape = (TOOLS | EXTRAS)[name](CLOTH)
    low, high = extent(shape)
    assert np.isfinite(shape.triangles).all()
    assert 3 < float((high - low).max()) < 100


def test_the_horse_stands_on_four_hooves() -> None:
    figure = horse(Coat(RED, BLACK, BLACK, WHITE, BLACK, None), Gait())
    low, high = extent(figure.body)
    assert low[2] == pytest.approx(0)
    assert 75 < high[2] < 100
    assert 85 < high[0] - low[0] < 120
    assert figure.takes == "playmobil"
    assert horse(Coat(RED, BLACK, BLACK, WHITE, None, None), Gait()).takes == ""
    touching = figure.body.triangles.reshape(-1, 3)
    touching = touching[touching[:, 2] < 0.5]
    corners = {(bool(x > 0), bool(y > 0)) for x, y, _ in touching}
    assert len(corners) == 4
    # the head is in front: +x is where it looks
    assert figure.keypoints[2][0] > 20


def test_an_animals_soles_are_its_left_and_right_feet() -> None:
    legs = [box((4, 4, 20), (x, y, 10), RED) for x in (-15, 25) for y in (-6, 8)]
    trunk = box((60, 12, 12), (5, 1, 26), RED)
    beast = animal(joined([*legs, trunk, ball((40, 1, 40), (5, 5, 5), RED)]), "test")
    left, right, top = beast.keypoints[:3]
    assert left == pytest.approx([0, 7, 0], abs=0.1)
    assert right == pytest.approx([0, -7, 0], abs=0.1)
    assert top[2] == pytest.approx(45, abs=0.1)
    assert top[0] == pytest.approx(35, abs=1)
    assert beast.known == (True, True, True, False, False)


@pytest.mark.parametrize("style", sorted(CARTS))
def test_vehicles_meet_the_ground_at_both_sides(style: str) -> None:
    shape = CARTS[style](Paint(RED, BLACK, WHITE), np.random.default_rng(1))
    figure: Figure = set_down(shape, style)
    low, high = extent(figure.body)
    assert low[2] == pytest.approx(0)
    left, right = figure.keypoints[:2]
    assert left[1] == pytest.approx(-right[1])
    assert 0.3 * (high[1] - low[1]) < left[1] <= high[1] + 0.1
    assert figure.known == (True, True, False, False, False)


@pytest.mark.parametrize("name", sorted(PROPS))
def test_props_stand_on_the_table(name: str) -> None:
    for seed in range(3):
        low, high = extent(PROPS[name](np.random.default_rng(seed)))
        assert low[2] == pytest.approx(0, abs=0.6)
        assert 5 < float((high - low).max()) < 400


def styles(count: int) -> list[str]:
    rng = np.random.default_rng(8)
    return [invented.drawn(invented.WORD, rng) for _ in range(count)]


def test_an_invented_dress_is_one_for_ever_and_no_two_are_alike() -> None:
    assert invented.drawn("short", np.random.default_rng(1)) == "short"
    u, v = (a.ravel() for a in np.meshgrid(np.linspace(-1, 1, 40), np.linspace(0, 1, 40)))
    prints = []
    for style in styles(40):
        second, trim = invented.print_of(style)(u, v)
        again = invented.print_of(style)(u, v)
        assert (second == again[0]).all()
        assert (trim == again[1]).all()
        prints.append(np.concatenate([second, trim]).tobytes())
    assert len(set(prints)) >= 38  # two may both miss the chest
    for make in (
        lambda style: invented.hair_of(style, BLACK),
        lambda style: invented.hat_of(style, RED, WHITE),
    ):
        shapes = [make(style) for style in styles(40)]
        assert (shapes[0].triangles == make(styles(1)[0]).triangles).all()
        assert len({shape.triangles.tobytes() for shape in shapes}) == 40


@pytest.mark.parametrize("style", styles(60))
def test_invented_dresses_leave_body_and_keypoints_where_they_are(style: str) -> None:
    plain = assemble(outfit(), Pose(), ADULT)
    for changes in ({"hair": (style, BLACK)}, {"hat": (style, RED, WHITE)}, {"print": style}):
        dressed = assemble(outfit(**changes), Pose(), ADULT)
        assert dressed.keypoints == pytest.approx(plain.keypoints)
        low, high = extent(dressed.body)
        assert low[2] == pytest.approx(0)
        assert ADULT_MM - 4 < high[2] < ADULT_MM + 30
        assert np.isfinite(dressed.body.triangles).all()
        assert np.abs(dressed.body.triangles[:, :, :2]).max() < 36


def test_boots_and_bare_forearms_are_coloured_and_no_more() -> None:
    def area(**changes: object) -> dict[int, float]:
        body = assemble(outfit(shoes=WHITE, **changes), Pose(), ADULT).body
        a, b, c = body.triangles.transpose(1, 0, 2)
        sizes = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
        return {code: float(sizes[body.colours == code].sum()) for code in set(body.colours)}

    skin = rgb(240, 190, 150)
    usual, booted, bare = (
        area(cuffs=None),
        area(cuffs=None, boots=0.5),
        area(cuffs=None, sleeves=0.3),
    )
    assert booted[WHITE] > 1.5 * usual[WHITE]
    assert booted[BLACK] < usual[BLACK]
    assert bare[skin] > 1.1 * usual[skin]
    assert bare[RED] < usual[RED]
    assert bare[WHITE] == pytest.approx(usual[WHITE])
