import math

import numpy as np
import pytest

from vision.scenes.camera import look_at
from vision.scenes.figure import Figure, figure_from_ldraw, lying, turn
from vision.scenes.films import demo_camera, second_camera
from vision.scenes.hand import Grip, build
from vision.scenes.labels import Seen, box_of, line, silhouette_area
from vision.scenes.ldraw import Geometry
from vision.scenes.sensor import Sensor, expose


def box_geometry(x: float, y: float, z: float) -> Geometry:
    corners = np.array([(i, j, k) for i in (-x, x) for j in (-y, y) for k in (0, z)], dtype=float)
    faces = [(a, b, c) for a in range(8) for b in range(8) for c in range(8) if a < b < c]
    triangles = corners[np.array(faces)]
    return Geometry(triangles, np.full(len(triangles), 16))


def test_camera_looks_at_its_target() -> None:
    camera = look_at(640, 360, 60, (10, 20, 5), 500, 45, 30)
    target = np.array([[10.0, 20.0, 5.0]])
    assert camera.project(target)[0] == pytest.approx([319.5, 179.5])
    assert camera.depth_mm(target)[0] == pytest.approx(500)
    assert camera.eye_mm[2] == pytest.approx(5 + 500 * math.sin(math.radians(45)))
    assert np.linalg.det(camera.camera_T_table[:3, :3]) == pytest.approx(1)


def test_camera_axes() -> None:
    camera = look_at(640, 360, 60, (0, 0, 0), 500, 50, 0)
    middle, right, far, up = camera.project(
        np.array([[0, 0, 0], [20, 0, 0], [0, 20, 0], [0, 0, 20]], dtype=float)
    )
    assert right[0] > middle[0]
    assert far[1] < middle[1]
    assert up[1] < middle[1]


@pytest.mark.parametrize(
    ("camera", "side"), [(demo_camera(960, 540), 384), (second_camera(960, 540), 256)]
)
def test_the_whole_plate_is_in_the_picture(camera, side) -> None:  # type: ignore[no-untyped-def]
    pixels = camera.project(
        np.array([[0, 0, 0], [side, 0, 0], [0, side, 0], [side, side, 0]], float)
    )
    assert pixels.min() > 4
    assert pixels[:, 0].max() < 955
    assert pixels[:, 1].max() < 535


def test_figure_frame_has_its_left_at_plus_y() -> None:
    matrix = figure_from_ldraw()
    left_leg = matrix @ (10.25, 72, 0, 1)
    nose = matrix @ (0, 0, -10, 1)
    assert left_leg[:3] == pytest.approx([0, 4.1, 0])
    assert nose[0] == pytest.approx(4)
    assert np.linalg.det(matrix[:3, :3]) > 0


def test_lying_rests_on_the_ground_on_its_back() -> None:
    empty = Geometry(np.zeros((0, 3, 3)), np.zeros(0, dtype=np.int64))
    figure = Figure(box_geometry(4, 8, 40), empty, np.zeros((5, 3)))
    matrix = lying(figure, 0, -90)
    points = figure.body.triangles.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    assert points[:, 2].min() == pytest.approx(0)
    assert points[:, 2].max() == pytest.approx(8)
    assert (matrix[:3, :3] @ (1, 0, 0))[2] == pytest.approx(1)  # the chest looks up


def test_turn_is_right_handed() -> None:
    assert turn("z", 90) @ (1, 0, 0, 1) == pytest.approx([0, 1, 0, 1])
    assert turn("x", 90) @ (0, 1, 0, 1) == pytest.approx([0, 0, 1, 1])
    assert turn("y", 90) @ (0, 0, 1, 1) == pytest.approx([1, 0, 0, 1])


def test_hand_grips_the_origin_from_its_own_side() -> None:
    skin, loose = build(Grip(), np.random.default_rng(0))
    points = skin.triangles.reshape(-1, 3)
    assert points[:, 1].min() < -300
    near = points[np.linalg.norm(points, axis=1) < 16]
    assert (near[:, 1] > 3).any()
    assert (near[:, 1] < -3).any()
    assert np.linalg.norm(points, axis=1).min() > 5  # room for what it holds
    assert len(loose.triangles) > 0
    wide, _ = build(Grip(opening_mm=16), np.random.default_rng(0))
    assert np.linalg.norm(wide.triangles.reshape(-1, 3), axis=1).min() > 15


def test_silhouette_area_of_a_square() -> None:
    camera = look_at(640, 360, 60, (0, 0, 0), 400, 90, 0)
    points = np.random.default_rng(0).uniform(-40, 40, (80000, 3))
    points[:, 2] = 0
    side = 80 * camera.focal_px / 400
    assert silhouette_area(camera, points) == pytest.approx(side * side, rel=0.05)
    assert silhouette_area(camera, points, 90) == pytest.approx(side * side, rel=0.05)


def test_label_line() -> None:
    camera = look_at(100, 50, 60, (0, 0, 0), 400, 90, 0)
    mask = np.zeros((50, 100), dtype=bool)
    mask[10:30, 20:40] = True
    assert box_of(mask) == (20, 10, 40, 30)
    assert box_of(mask & False) is None
    points = np.full((5, 2), 24.5)
    seen = Seen((20, 10, 40, 30), 0.8, points, np.array([2, 1, 0, 2, 2]))
    text = line(seen, camera)
    assert text is not None
    words = text.split()
    assert words[:5] == ["0", "0.300000", "0.400000", "0.200000", "0.400000"]
    assert words[5:8] == ["0.250000", "0.500000", "2"]
    assert words[11:14] == ["0.000000", "0.000000", "0"]
    assert len(words) == 5 + 15
    assert line(Seen((20, 10, 40, 30), 0.1, points, seen.flags), camera) is None
    assert line(Seen((20, 10, 26, 16), 0.9, points, seen.flags), camera) is None
    assert line(Seen(None, 0.0, points, seen.flags), camera) is None


def test_sensor() -> None:
    rng = np.random.default_rng(0)
    grey = np.full((20, 30, 3), 0.2140, dtype=np.float32)
    assert expose(grey, Sensor(), rng).mean() == pytest.approx(0.5, abs=0.002)
    assert expose(grey, Sensor(noise=0.05), rng).std() > 0.01
    edge = grey.copy()
    edge[:, :15] = 0
    soft = expose(edge, Sensor(blur_px=1.0), rng)
    assert 0.05 < soft[10, 14, 0] < 0.45
    assert expose(grey * 20, Sensor(), rng).max() <= 1


def test_motion_smears_about_the_middle_and_along_its_way_alone() -> None:
    rng = np.random.default_rng(0)
    dot = np.zeros((21, 31, 3), dtype=np.float32)
    dot[10, 15] = 1.0
    light = expose(dot, Sensor(motion_px=(6.0, 0.0)), rng)[:, :, 0]
    assert (light[10, 12:19] > 0.2).all()
    assert light[10, :11].max() == 0
    assert light[[9, 11]].max() == 0
    columns = (light[10] * np.arange(31)).sum() / light[10].sum()
    assert columns == pytest.approx(15)
    slanted = expose(dot, Sensor(motion_px=(4.0, 4.0)), rng)[:, :, 0]
    assert slanted[12, 17] > 0.1
    assert slanted[8, 17] == 0
