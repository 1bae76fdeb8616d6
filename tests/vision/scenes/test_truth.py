"""The truth files agree with themselves, with the storyboards and with the clips."""

import itertools
import json
import math
from pathlib import Path

import av
import numpy as np
import pytest

from vision.scenes.films import DEMO, SECOND, demo_camera, second_camera

DATASETS = Path(__file__).parents[3] / "datasets"
CLIPS = [("demo", DEMO, demo_camera, 8), ("second", SECOND, second_camera, 3)]


def truth(name: str) -> dict:  # type: ignore[type-arg]
    return json.loads((DATASETS / name / "truth.json").read_text("utf-8"))  # type: ignore[no-any-return]


@pytest.mark.parametrize(("name", "story", "camera", "megabytes"), CLIPS)
def test_clip_matches_its_truth(name, story, camera, megabytes) -> None:  # type: ignore[no-untyped-def]
    known = truth(name)
    path = DATASETS / name / "table.mp4"
    with av.open(str(path)) as clip:
        stream = clip.streams.video[0]
        assert stream.codec_context.name == "h264"
        assert stream.codec_context.pix_fmt == "yuv420p"
        assert [stream.width, stream.height] == known["image_size_px"]
        assert stream.average_rate == known["fps"]
        shown = sum(1 for _ in clip.decode(stream))
    assert shown == len(known["frames"]) == round(story.seconds * known["fps"])
    assert sum(p.stat().st_size for p in (DATASETS / name).iterdir()) < megabytes * 1e6
    assert (DATASETS / name / "truth.json").stat().st_size < 1e6
    view = camera(*known["image_size_px"])
    assert np.allclose(known["camera_T_table"], view.camera_T_table)
    assert np.allclose(known["K"], view.K)


@pytest.mark.parametrize(("name", "story", "camera", "megabytes"), CLIPS)
def test_boxes_and_soles(name, story, camera, megabytes) -> None:  # type: ignore[no-untyped-def]
    known = truth(name)
    width, height = known["image_size_px"]
    view = camera(width, height)
    ids = [a.name for a in story.actors]
    for number, row in enumerate(known["frames"]):
        assert row["frame"] == number
        assert row["t_ms"] == 100 * number
        assert [f["id"] for f in row["figures"]] == ids
        for box in row["hands"]:
            assert 0 <= box[0] < box[2] <= width
            assert 0 <= box[1] < box[3] <= height
        for f in row["figures"]:
            if f["state"] == "absent":
                continue
            if f["box_px"] is None:
                assert f["visible"] == 0
            if f["state"] != "standing":
                continue
            middle = np.mean(f["soles_px"], axis=0)
            x, y = f["position_mm"]
            ahead = 0.5 if f["facing_deg"] == 90 else -0.5
            expected = view.project(np.array([[x, y + ahead, 3.2]]))[0]
            assert math.dist(middle, expected) < 0.1
            left, right = f["soles_px"]
            # whoever looks away from the camera has the own left on the picture's left
            assert (left[0] < right[0]) == (f["facing_deg"] == 90)
            if f["visible"] > 0.8:
                x0, y0, x1, y1 = f["box_px"]
                assert x0 - 2 <= middle[0] <= x1 + 2
                assert y0 <= middle[1] <= y1 + 3


@pytest.mark.parametrize(("name", "story", "camera", "megabytes"), CLIPS)
def test_figures_move_only_where_a_hand_is(name, story, camera, megabytes) -> None:  # type: ignore[no-untyped-def]
    for before, after in itertools.pairwise(truth(name)["frames"]):
        for a, b in zip(before["figures"], after["figures"], strict=True):
            if a != b and "position_mm" in a and a.get("position_mm") != b.get("position_mm"):
                assert before["hands"] or after["hands"]
        if not before["hands"] and not after["hands"]:
            assert before["figures"] == after["figures"]


def test_demo_has_everybody_in_sight_when_no_hand_is_there() -> None:
    for row in truth("demo")["frames"][100:]:
        if not row["hands"]:
            assert all(f["visible"] > 0.5 for f in row["figures"])


def test_second_clip_hides_and_moves_three() -> None:
    frames = truth("second")["frames"]
    moved = [
        a["id"]
        for a, b in zip(frames[0]["figures"], frames[-1]["figures"], strict=True)
        if math.dist(a["position_mm"], b["position_mm"]) > 20
    ]
    assert sorted(moved) == sorted({act.actor for act in SECOND.acts})
    assert len(moved) == 3
    covered = [
        f["id"]
        for row in frames
        for f in row["figures"]
        if f["state"] == "standing" and f["visible"] < 0.5
    ]
    assert len(covered) > 40
    assert len(set(covered)) >= 3
