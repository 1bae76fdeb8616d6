"""The camera is bumped: noticed, told from hands and dark, and the table found again.

Pictures are frames of the packaged film, turned as a turned camera would show them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration.errors import NotFound
from calibration.relock import relock
from calibration.resized import resized, size_changes
from calibration.watch import View, Watch
from server.demo import demo_calibration, demo_source

SHRINK = 4
STEP_NS = 100_000_000


@lru_cache(maxsize=1)
def film(count=40):
    frames = []
    for frame in demo_source():
        frames.append(cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY))
        if len(frames) == count:
            break
    return frames


def shrunken(grey):
    size = (-(-grey.shape[1] // SHRINK), -(-grey.shape[0] // SHRINK))
    return cv2.resize(grey, size, interpolation=cv2.INTER_LINEAR)


def turn(degrees, axis=(0.0, 1.0, 0.0)):
    matrix, _ = cv2.Rodrigues(np.radians(degrees) * np.array(axis) / np.linalg.norm(axis))
    return matrix


def turned(grey, rotation):
    """What the camera shows after it was turned about its own centre."""
    K = demo_calibration().intrinsics.matrix
    return cv2.warpPerspective(
        grey, K @ rotation @ np.linalg.inv(K), grey.shape[::-1], borderMode=cv2.BORDER_REPLICATE
    )


def watching():
    first = film()[0]
    return Watch(shrunken(first), demo_calibration().intrinsics.fx_px / SHRINK)


def show(watch, pictures, start=0):
    return [watch.step(shrunken(p), (start + i) * STEP_NS) for i, p in enumerate(pictures)]


def test_a_quiet_film_is_steady():
    assert set(show(watching(), film())) == {View.STEADY}


@pytest.mark.parametrize("axis", [(0, 1, 0), (1, 0, 0), (1, 1, 0)])
def test_a_bump_of_a_tenth_of_a_degree_is_noticed_within_a_second(axis):
    watch = watching()
    show(watch, film()[:10])
    seen = show(watch, [turned(g, turn(0.1, axis)) for g in film()[10:20]], 10)
    assert View.MOVING in seen


@pytest.mark.parametrize("degrees", [1.0, 3.0, 5.0, 8.0, 15.0, 40.0])
@pytest.mark.parametrize("axis", [(0, 1, 0), (1, 0, 0), (0, 0, 1)])
def test_a_hard_knock_is_noticed_within_two_seconds(axis, degrees):
    watch = watching()
    show(watch, film()[:10])
    seen = show(watch, [turned(g, turn(degrees, axis)) for g in film()[10:30]], 10)
    assert View.MOVING in seen
    assert seen[-1] is not View.STEADY


def test_a_far_turn_is_followed():
    watch = watching()
    show(watch, film()[:5])
    seen = show(watch, [turned(g, turn(4.0, (1, 0.2, 0))) for g in film()[5:35]], 5)
    assert seen[-1] is View.ELSEWHERE


def test_a_roll_of_a_fifth_of_a_degree_is_noticed_within_a_second():
    for degrees in (0.2, -0.2):
        watch = watching()
        show(watch, film()[:10])
        seen = show(watch, [turned(g, turn(degrees, (0, 0, 1))) for g in film()[10:20]], 10)
        assert View.MOVING in seen


def test_a_lens_that_refocuses_is_found_again():
    """First everything is blurred, then the picture is sharp and a little larger."""
    watch = watching()
    show(watch, film()[:5])
    blurred = [cv2.GaussianBlur(g, (0, 0), 3.0 * (1 + i)) for i, g in enumerate(film()[5:10])]
    show(watch, blurred, 5)
    height, width = film()[0].shape
    K = demo_calibration().intrinsics
    zoom = 1.012
    wide = np.array([[zoom, 0, (1 - zoom) * K.cx_px], [0, zoom, (1 - zoom) * K.cy_px]])
    sharp = [
        cv2.warpAffine(g, wide, (width, height), borderMode=cv2.BORDER_REPLICATE)
        for g in film()[10:30]
    ]
    seen = show(watch, sharp, 10)
    assert seen[-1] is View.ELSEWHERE
    shift = watch.shift.image_A_reference.copy()
    shift[:, 2] = SHRINK * shift[:, 2] + (SHRINK - 1) / 2 * (1 - shift[:, :2].sum(axis=1))
    found = relock(demo_calibration(), film()[0], sharp[-1], shift)
    assert found.intrinsics.fx_px == pytest.approx(zoom * K.fx_px, rel=0.01)


def test_half_of_that_is_not():
    watch = watching()
    assert set(show(watch, [turned(g, turn(0.03)) for g in film()[:20]])) == {View.STEADY}


def test_slow_drift_adds_up():
    watch = watching()
    seen = show(watch, [turned(g, turn(0.012 * i)) for i, g in enumerate(film()[:30])])
    assert seen[0] is View.STEADY
    assert seen[-1] is not View.STEADY


def test_a_zoom_is_noticed():
    watch = watching()
    show(watch, film()[:5])
    height, width = film()[0].shape
    zoom = cv2.getRotationMatrix2D((width / 2, height / 2), 0.0, 1.01)
    seen = show(watch, [cv2.warpAffine(g, zoom, (width, height)) for g in film()[5:15]], 5)
    assert View.MOVING in seen


def test_a_hand_in_front_is_no_bump():
    watch = watching()
    pictures = []
    for i, grey in enumerate(film()[:30]):
        covered = grey.copy()
        x = 40 * i
        cv2.ellipse(covered, (x, 300), (260, 180), 30, 0, 360, 170, -1)
        pictures.append(covered)
    assert set(show(watch, pictures)) == {View.STEADY}


def test_lights_out_is_no_bump():
    watch = watching()
    dark = [(g * 0.02).astype(np.uint8) for g in film()[:10]]
    dim = [(g * 0.5).astype(np.uint8) for g in film()[10:20]]
    assert set(show(watch, [*dark, *dim])) == {View.STEADY}


def test_there_and_back_is_steady_again():
    watch = watching()
    show(watch, film()[:5])
    show(watch, [turned(g, turn(0.5)) for g in film()[5:12]], 5)
    assert watch.view is not View.STEADY
    show(watch, film()[12:24], 12)
    assert watch.view is View.STEADY


@pytest.mark.parametrize("degrees", [0.1, 0.5, 2.0])
def test_the_table_is_found_again(degrees):
    calibration = demo_calibration()
    rotation = turn(degrees, (0.6, 1.0, 0.3))
    watch = watching()
    show(watch, film()[:5])
    pictures = [turned(g, rotation) for g in film()[5:25]]
    seen = show(watch, pictures, 5)
    assert seen[-1] is View.ELSEWHERE
    wide = watch.shift.image_A_reference.copy()
    # Pixel centres: (x + 0.5) / 4 - 0.5 in the shrunken picture.
    wide[:, 2] = SHRINK * wide[:, 2] + (SHRINK - 1) / 2 * (1 - wide[:, :2].sum(axis=1))
    found = relock(calibration, film()[0], pictures[-1], wide)
    truth = np.eye(4)
    truth[:3, :3] = rotation
    wanted = replace(calibration, camera_T_table=truth @ calibration.camera_T_table)
    corners = np.array([(40.0, 40.0), (300.0, 60.0), (300.0, 200.0), (60.0, 220.0), (180.0, 130.0)])
    there = found.to_table(wanted.to_image(corners))
    assert np.hypot(*(there - corners).T).max() < 0.5
    watch.settle()
    assert set(show(watch, pictures[-8:], 30)) == {View.STEADY}


@pytest.mark.parametrize("width", [1920, 2560])
def test_the_table_is_found_again_in_larger_pictures(width):
    height = width * film()[0].shape[0] // film()[0].shape[1]
    (change, *_) = size_changes(film()[0].shape[::-1], (width, height))
    calibration = resized(demo_calibration(), change, (width, height))
    first, later = (cv2.resize(g, (width, height)) for g in (film()[0], film()[20]))
    K, rotation = calibration.intrinsics.matrix, turn(1.0, (0.6, 1.0, 0.3))
    homography = K @ rotation @ np.linalg.inv(K)
    picture = cv2.warpPerspective(
        later, homography, (width, height), borderMode=cv2.BORDER_REPLICATE
    )
    middle = np.array([[[(width - 1) / 2, (height - 1) / 2]]])
    shift = np.hstack([np.eye(2), (cv2.perspectiveTransform(middle, homography) - middle)[0].T])
    found = relock(calibration, first, picture, shift)
    truth = np.eye(4)
    truth[:3, :3] = rotation
    wanted = replace(calibration, camera_T_table=truth @ calibration.camera_T_table)
    corners = np.array([(40.0, 40.0), (300.0, 60.0), (300.0, 200.0), (60.0, 220.0)])
    there = found.to_table(wanted.to_image(corners))
    assert np.hypot(*(there - corners).T).max() < 0.5


@pytest.mark.parametrize("zoom", [0.95, 1.01, 1.04])
def test_a_zoom_is_taken_into_the_lens(zoom):
    calibration = demo_calibration()
    height, width = film()[0].shape
    K = calibration.intrinsics
    wide = np.array([[zoom, 0, (1 - zoom) * K.cx_px], [0, zoom, (1 - zoom) * K.cy_px]])
    picture = cv2.warpAffine(film()[8], wide, (width, height), borderMode=cv2.BORDER_REPLICATE)
    found = relock(calibration, film()[0], picture, wide)
    truth = replace(calibration, intrinsics=K.with_lens(zoom * K.fx_px, K.distortion[0]))
    places = np.array(
        [(x, y, z) for x in (60.0, 300.0) for y in (60.0, 220.0) for z in (0.0, 40.0)]
    )
    px = truth.to_image(places)
    off = np.hypot(*(found.to_table(px, places[:, 2]) - places[:, :2]).T)
    assert off.max() < 0.6
    assert found.intrinsics.fx_px == pytest.approx(zoom * K.fx_px, rel=0.01)


def test_another_table_is_not_taken_for_this_one():
    rng = np.random.default_rng(3)
    other = rng.integers(0, 255, film()[0].shape, dtype=np.uint8)
    with pytest.raises(NotFound):
        relock(demo_calibration(), film()[0], other, np.eye(2, 3))
