"""The distorting lens of the calibration scenes against OpenCV's, and the scenes themselves."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.scenes.camera import look_at
from vision.scenes.errors import SceneError
from vision.scenes.lens import canvas, distort, distorted, possible, undistorted
from vision.scenes.recipe import CalibrationRecipe, load
from vision.scenes.reference_truth import truth
from vision.scenes.references import draw

RECIPES = Path(__file__).parents[3] / "datasets" / "recipes"
CAMERA = look_at(320, 180, 70, (0.0, 0.0, 0.0), 600, 55, 20, 3)


@pytest.mark.parametrize("k1", [-0.2, -0.05, 0.1])
def test_points_go_where_opencv_puts_them(k1: float) -> None:
    points = np.random.default_rng(3).uniform(-120, 120, (40, 3)) * [1, 1, 0.1]
    pose = CAMERA.camera_T_table
    expected, _ = cv2.projectPoints(
        points, cv2.Rodrigues(pose[:3, :3])[0], pose[:3, 3], CAMERA.K, np.array([k1, 0, 0, 0, 0.0])
    )
    seen = distorted(CAMERA.project(points), CAMERA, k1)
    assert np.abs(seen - expected.reshape(-1, 2)).max() < 1e-6
    radius = np.linspace(0, 0.7, 30)
    true = undistorted(radius, k1)
    assert np.abs(true * (1 + k1 * true**2) - radius).max() < 1e-9


@pytest.mark.parametrize("k1", [-0.2, 0.0, 0.1])
def test_a_spot_lands_on_its_place(k1: float) -> None:
    wide = canvas(CAMERA, k1)
    for place in ([0.0, 0.0, 0.0], [90.0, -60.0, 0.0], [-110.0, 80.0, 0.0]):
        point = np.array([place])
        at = wide.project(point)[0]
        y, x = np.mgrid[: wide.height_px, : wide.width_px]
        spot = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / 8).astype(np.float32)
        shown = distort(np.repeat(spot[:, :, None], 3, 2), wide, CAMERA, k1)[:, :, 0]
        y, x = np.mgrid[: CAMERA.height_px, : CAMERA.width_px]
        middle = np.array([(shown * x).sum(), (shown * y).sum()]) / shown.sum()
        expected = distorted(CAMERA.project(point), CAMERA, k1)[0]
        assert np.abs(middle - expected).max() < 0.05


def test_a_lens_that_folds_is_refused() -> None:
    assert possible(1280, 720, 1400, -0.2)
    assert not possible(1280, 720, 600, -0.2)


@pytest.mark.parametrize("name", ["studs-calibration", "studs-tuning-calibration"])
def test_the_scenes_are_what_the_recipe_says(name: str) -> None:
    recipe = load(RECIPES / f"{name}.toml")
    assert isinstance(recipe, CalibrationRecipe)
    colours = set()
    for number in range(9):
        scene = draw(recipe, number, 16)
        again = draw(recipe, number, 16)
        assert np.array_equal(scene.plan.camera.camera_T_table, again.plan.camera.camera_T_table)
        colours.add(scene.references[0].colour)
        document = truth(scene, [np.ones(len(r.samples()), dtype=bool) for r in scene.references])
        assert 7 <= document["pitch_px"] <= 25
        assert -0.2 <= document["intrinsics"]["distortion"][0] <= 0.1
        assert max(r["in_picture"] for r in document["references"]) >= 144
    assert len(colours) == 9


def test_ranges_that_exclude_each_other_end_in_words() -> None:
    recipe = load(RECIPES / "studs-calibration.toml")
    assert isinstance(recipe, CalibrationRecipe)
    with pytest.raises(SceneError, match="no camera"):
        draw(replace(recipe, pitch_px=(80.0, 90.0)), 0, 16)


def test_the_tuning_scenes_are_others() -> None:
    seeds = {
        recipe.seed
        for name in ("studs-calibration", "studs-tuning-calibration")
        if isinstance(recipe := load(RECIPES / f"{name}.toml"), CalibrationRecipe)
    }
    assert len(seeds) == 2
