"""Drawn baseplates under known cameras: size, lengths, frame and doubt come out right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.calibrate import calibrate
from calibration.errors import BadReference, NotFound
from calibration.plane import Calibration
from calibration.points import PointPairs
from calibration.studs import calibrate_studs
from tests.calibration.drawing import Drawing
from tests.calibration.flat import box, fill
from tests.calibration.views import camera, look_at, view

SIZE = (1280, 720)


@dataclass(frozen=True)
class Case:
    """A drawn plate."""

    studs: tuple[int, int] = (48, 48)
    distance: float = 560.0
    elevation: float = 60.0
    azimuth: float = -86.0
    focal: float = 950.0
    k1: float = 0.0
    blocks: int = 12
    colour: tuple[int, int, int] = (80, 140, 70)
    light: tuple[float, float, float] = (-0.5, 0.4, 0.77)


CASES = {
    "plain": Case(),
    "bent": Case((32, 32), 420, 45, -65, k1=-0.1),
    "small": Case((16, 16), 240, 50, -110, blocks=2, colour=(170, 175, 180)),
    "askew": Case((48, 48), 640, 40, -45, light=(0.6, 0.2, 0.7)),
    "covered": Case((48, 32), 520, 62, -95, blocks=34, colour=(140, 90, 40)),
    "steep": Case((32, 32), 420, 82, -90, blocks=5, colour=(60, 60, 60)),
}


@cache
def draw(case: Case) -> tuple[Calibration, NDArray[np.uint8]]:
    """The true camera and what it sees."""
    middle = (case.studs[0] * 4.0, case.studs[1] * 4.0)
    pose = look_at(middle, case.distance, case.elevation, case.azimuth)
    truth = view(pose, camera(case.focal, case.k1, SIZE), SIZE)
    drawing = Drawing(truth)
    drawing.plate(case.studs, case.colour, case.light)
    rng = np.random.default_rng(3)
    blocks = []
    for _ in range(case.blocks):
        corner = rng.uniform(0, np.array(case.studs) * 8.0 - 30)
        size = (rng.uniform(10, 90), rng.uniform(8, 40), rng.uniform(5, 45))
        blocks.append((corner, size, tuple(int(part) for part in rng.integers(20, 230, 3))))
    for corner, size, colour in sorted(blocks, key=lambda block: -block[0][1]):
        drawing.block((corner[0], corner[1]), size, (colour[0], colour[1], colour[2]))
    return truth, drawing.picture()


@cache
def found(name: str) -> Calibration:
    return calibrate_studs(draw(CASES[name])[1])


def places(case: Case, truth: Calibration, count: int) -> NDArray[np.float64]:
    """Random places of the plate that are in the picture."""
    rng = np.random.default_rng(8)
    spread = rng.uniform(0, 1, (count, 2)) * np.array(case.studs) * 8.0
    px = truth.to_image(spread)
    return spread[((px > 0) & (px < np.array(SIZE))).all(axis=1)]


@pytest.mark.parametrize("name", CASES)
def test_plate_and_lengths(name: str) -> None:
    case, (truth, _) = CASES[name], draw(CASES[name])
    calibration = found(name)
    assert calibration.reference == "studs"
    assert calibration.size_mm == (case.studs[0] * 8.0, case.studs[1] * 8.0)
    assert calibration.studs is not None
    assert calibration.studs.count > 0.35 * case.studs[0] * case.studs[1]
    assert calibration.reference_plane_mm == pytest.approx(1.7, abs=0.1)
    mm = places(case, truth, 60)
    seen = calibration.to_table(truth.to_image(mm))
    first, second = np.triu_indices(len(mm), 1)
    true = np.hypot(*(mm[first] - mm[second]).T)
    told = np.hypot(*(seen[first] - seen[second]).T)
    wide = true > 40
    off = np.abs(told - true)[wide] / true[wide]
    assert np.median(off) < 0.0015
    assert np.percentile(off, 95) < 0.003


@pytest.mark.parametrize("name", CASES)
def test_frame_starts_at_the_corner_bottom_left(name: str) -> None:
    case, (truth, _) = CASES[name], draw(CASES[name])
    mm = places(case, truth, 30)
    off = found(name).to_table(truth.to_image(mm)) - mm
    assert np.abs(np.median(off, axis=0)).max() < 0.6
    eye = truth.camera_position_mm
    assert np.linalg.norm(found(name).camera_position_mm - eye) < 0.015 * case.distance


@pytest.mark.parametrize("name", CASES)
def test_doubt_covers_the_error(name: str) -> None:
    """Exact pixels on a plate of exact pitch: the told doubt must be enough."""
    case, (truth, _) = CASES[name], draw(CASES[name])
    mm = places(case, truth, 40)
    px = truth.to_image(mm)
    within = 0
    for a, b in zip(range(0, len(mm) - 1, 2), range(1, len(mm), 2), strict=True):
        length, sigma = found(name).length(px[a], px[b], pixel_sigma=0.0)
        within += abs(length - np.hypot(*(mm[a] - mm[b]))) < 2 * sigma
        assert sigma < 0.01 * length + 0.5
    assert within >= 0.9 * (len(mm) // 2)
    sigma = found(name).sigma_mm(px, pixel_sigma=0.0)
    off = np.hypot(*(found(name).to_table(px) - mm).T)
    assert (off < 3.5 * sigma).mean() > 0.9


def test_a_plate_that_leaves_the_picture_has_no_size() -> None:
    truth = view(look_at((330, 192), 560, 60), camera(950, size=SIZE), SIZE)
    drawing = Drawing(truth)
    drawing.plate((48, 48))
    drawing.plate((48, 48), origin=(384.0, 0.0))
    calibration = calibrate_studs(drawing.picture())
    assert calibration.size_mm is None
    assert any("edge" in text for text in calibration.warnings)
    ends = truth.to_image(np.array([[200.0, 100.0], [450.0, 300.0]]))
    assert calibration.length(ends[0], ends[1])[0] == pytest.approx(np.hypot(250, 200), rel=0.003)


def test_the_table_can_be_given() -> None:
    calibration = calibrate(draw(CASES["small"])[1], table_size_mm=(500, 300))
    assert calibration.size_mm == (500, 300)


def test_another_pitch_scales_everything() -> None:
    duplo = calibrate(draw(CASES["small"])[1], stud_pitch_mm=16.0)
    assert duplo.size_mm == (256, 256)
    assert duplo.studs is not None
    assert duplo.studs.pitch_mm == 16


def test_a_known_field_of_view_is_kept() -> None:
    fov = float(np.degrees(2 * np.arctan(640 / 950)))
    calibration = calibrate(draw(CASES["small"])[1], fov_deg=fov)
    assert calibration.intrinsics.fx_px == pytest.approx(950)
    assert calibration.size_mm == (128, 128)


def test_the_same_picture_gives_the_same_numbers() -> None:
    again = calibrate_studs(draw(CASES["small"])[1])
    np.testing.assert_array_equal(again.camera_T_table, found("small").camera_T_table)


def texture(kind: str) -> NDArray[np.uint8]:
    """A flat pattern seen at a slant."""
    period = 20
    y, x = np.mgrid[:960, :960]
    u, v = (x % period) / period - 0.5, (y % period) / period - 0.5
    shades = {
        "checks": (x // period + y // period) % 2 * 120 + 60,
        "printed grid": np.where((np.abs(u) > 0.44) | (np.abs(v) > 0.44), 60, 170),
        "tiles": np.where((np.abs(u) < 0.38) & (np.abs(v) < 0.38), 60, 200),
        "stripes": np.where(np.abs(u) < 0.2, 60, 170),
        "nothing": np.full_like(x, 128),
        "noise": np.random.default_rng(2).integers(0, 255, x.shape),
    }
    flat = np.asarray(shades[kind], dtype=np.uint8)
    corners = np.array([[0, 0], [960, 0], [960, 960], [0, 960]], dtype=np.float32)
    seen = np.array([[300, 60], [1000, 80], [1200, 690], [120, 660]], dtype=np.float32)
    warp = cv2.getPerspectiveTransform(corners, seen)
    image = cv2.warpPerspective(flat, warp, SIZE, flags=cv2.INTER_AREA, borderValue=(110,))
    image = cv2.GaussianBlur(image, (0, 0), 0.8)
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), dtype=np.uint8)


@pytest.mark.parametrize("kind", ["checks", "printed grid", "tiles", "stripes", "nothing", "noise"])
def test_what_only_repeats_is_no_plate(kind: str) -> None:
    with pytest.raises(NotFound, match="no stud grid: "):
        calibrate_studs(texture(kind))


def dots(seed: int) -> NDArray[np.uint8]:
    """Round dots printed on a square grid, under a random camera."""
    rng = np.random.default_rng(seed)
    pose = look_at((96, 96), rng.uniform(300, 450), rng.uniform(40, 85), rng.uniform(-180, 180))
    truth = view(pose, camera(950, rng.uniform(-0.1, 0.1), SIZE), SIZE)
    drawing = Drawing(truth)
    paper, ink = ((235, 235, 235), (30, 30, 30)) if seed % 2 else ((60, 70, 60), (90, 170, 200))
    fill(drawing, box(0, 0, 192, 192), paper)
    turn = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    dot = np.column_stack([np.cos(turn), np.sin(turn)]) * rng.uniform(1.6, 3.0)
    for row, column in np.ndindex(24, 24):
        fill(drawing, dot + np.array([4 + 8 * column, 4 + 8 * row]), ink)
    return drawing.picture(seed=seed)


@pytest.mark.parametrize("seed", range(4))
def test_printed_dots_are_no_studs(seed: int) -> None:
    with pytest.raises(NotFound, match="flat, like printed dots"):
        calibrate_studs(dots(seed))


def test_a_black_or_blurred_picture_says_so() -> None:
    picture = draw(CASES["small"])[1]
    with pytest.raises(NotFound, match="too dark"):
        calibrate_studs(np.zeros_like(picture))
    with pytest.raises(NotFound, match="blurred"):
        calibrate_studs(np.asarray(cv2.GaussianBlur(picture, (0, 0), 9.0), dtype=np.uint8))


@pytest.mark.parametrize("things", [0, 1])
def test_a_sharp_picture_with_little_in_it_is_not_blurred(things: int) -> None:
    """A lamp's soft spot on a bare table fills more of it than the outline of a die."""
    y, x = np.mgrid[: SIZE[1], : SIZE[0]].astype(np.float64)
    table = 90 + 100 * np.exp(-((x - 500) ** 2 + (y - 300) ** 2) / (2 * 120**2))
    table[300 : 300 + 30 * things, 600:630] = 30
    image = np.repeat(np.round(table).astype(np.uint8)[:, :, None], 3, axis=2)
    with pytest.raises(NotFound) as caught:
        calibrate_studs(image)
    assert "blurred" not in str(caught.value)


def test_the_largest_of_two_plates_is_used_and_said() -> None:
    truth = view(look_at((150, 130), 520, 65), camera(950, size=SIZE), SIZE)
    drawing = Drawing(truth)
    drawing.plate((16, 16), origin=(230.0, 60.0), colour=(60, 60, 170))
    drawing.plate((24, 32), origin=(0.0, 0.0))
    calibration = calibrate_studs(drawing.picture())
    assert calibration.size_mm == (192, 256)
    assert any("largest" in text for text in calibration.warnings)


def test_auto_goes_on_to_points() -> None:
    pairs = PointPairs(
        np.array([[300.0, 60], [1000, 80], [1200, 690], [120, 660]]),
        np.array([[0.0, 300], [400, 300], [400, 0], [0, 0]]),
    )
    assert calibrate(texture("noise"), points=pairs).reference == "points"
    with pytest.raises(NotFound, match="studs and points differ"):
        calibrate(draw(CASES["small"])[1], points=pairs)
    assert calibrate(draw(CASES["small"])[1], "points", pairs).reference == "points"
    with pytest.raises(NotFound):
        calibrate(texture("noise"), "studs", pairs)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"reference": "tape"}, "--reference"),
        ({"reference": "points"}, "--points"),
        ({"fov_deg": 0.0}, "--fov"),
        ({"fov_deg": float("nan")}, "--fov"),
        ({"fov_deg": 60.0, "intrinsics": camera()}, "--fov"),
        ({"camera_height_mm": -5.0}, "--camera-height"),
        ({"table_size_mm": (0.0, 10.0)}, "--table"),
        ({"stud_pitch_mm": 0.0}, "--stud-pitch"),
    ],
)
def test_unusable_options(change: dict[str, object], name: str) -> None:
    with pytest.raises(BadReference) as caught:
        calibrate(texture("nothing"), **change)  # type: ignore[arg-type]
    assert caught.value.name == name


@pytest.mark.parametrize(("fov_deg", "asked"), [(None, True), (67.9, False)])
def test_who_told_the_lens_is_not_asked_for_it(fov_deg: float | None, asked: bool) -> None:
    """Other commands than calibrate say it without an option that they may not have."""
    truth = view(look_at((64, 64), 900, 60), camera(950, size=SIZE), SIZE)
    drawing = Drawing(truth)
    drawing.plate((16, 16))
    told = " ".join(calibrate_studs(drawing.picture(), fov_deg=fov_deg).warnings)
    assert "lengths beside" in told
    assert ("how wide the camera sees" in told) == asked
    assert "--fov" not in told
