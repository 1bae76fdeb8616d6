"""The main job end to end with the shipped model: footage in, tracks, log and verdicts out.

`pytest tests/test_main_job.py -s` prints what was measured.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from calibration.store import load
from server import cli
from tests.material import material
from vision.evaluation.truth import hidden_drift_mm, load_truth, score_tracks

DATASETS = Path(__file__).resolve().parents[1] / "datasets"


def analyse(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert cli.run(["analyse", *arguments, "--json"]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_the_demo_is_umpired_from_its_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clip, out = DATASETS / "demo", tmp_path / "demo"
    game = ("--ruleset", "figurslag", "--army", str(clip / "game.json"))
    answer = analyse(capsys, str(clip / "table.mp4"), *game, "--out", str(out))
    assert answer["calibrated"]
    assert answer["warnings"] == []  # no tap of the players was refused

    truth, calibration = load_truth(clip / "truth.json"), load(out / "calibration.json")
    assert calibration.reference == "studs"
    assert calibration.size_mm == pytest.approx((384.0, 384.0))
    tracks = lines(out / "tracks.jsonl")
    result = score_tracks(truth, tracks, calibration)
    with capsys.disabled():
        print(f"\ndemo: {result}")
    assert min(result.found_each.values()) >= 0.98
    assert result.median_mm <= 2.0
    assert result.p95_mm <= 5.0
    assert result.switches == 0
    assert len({track["track_id"] for line in tracks for track in line["tracks"]}) == 10

    log = [line["event"] for line in lines(out / "log.jsonl")]
    too_far = [event for event in log if event["rule"] == "FS-FLAG-01"]
    assert len(too_far) == 1
    moved = dict(too_far[0]["values"])["moved_mm"]
    with capsys.disabled():
        print(f"demo: the move of 168 mm was told as {moved:.1f} mm")
    assert math.isclose(moved, 168.0, abs_tol=3.0)
    over = [event for event in log if event["kind"] == "over"]
    assert dict(over[-1]["values"])["outcome"] == "red"

    assert cli.run(["replay", str(out), "--check", "--json"]) == 0


def test_the_second_clip_is_followed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    clip, out = DATASETS / "second", tmp_path / "second"
    game = tmp_path / "game.json"
    game.write_text('{"ruleset": "figurslag"}')  # for its base under the soles
    arguments = ("--ruleset", "figurslag", "--army", str(game), "--out", str(out))
    analyse(capsys, str(clip / "table.mp4"), *arguments)
    truth, calibration = load_truth(clip / "truth.json"), load(out / "calibration.json")
    tracks = lines(out / "tracks.jsonl")
    result = score_tracks(truth, tracks, calibration)
    drift = hidden_drift_mm(truth, tracks, calibration)
    with capsys.disabled():
        print(f"\nsecond: {result}; hidden figures off by at most {drift:.1f} mm")
    assert result.idf1 >= 0.9
    assert result.switches <= 1
    assert drift <= 6.0


@pytest.mark.material
def test_a_stop_motion_figure_is_followed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    footage = material("real/figures_video/bag-25.mp4")
    items = json.loads(footage.with_suffix(".boxes.json").read_text())["boxes"]
    truth = {item["frame"]: item["xyxy"] for item in items}
    answer = analyse(capsys, str(footage), "--out", str(tmp_path / "guard"))
    assert not answer["calibrated"]
    ids = []
    for line in lines(tmp_path / "guard" / "tracks.jsonl"):
        if line["frame"] in truth:
            seen = [track for track in line["tracks"] if track["box_px"]]
            best = max(seen, key=lambda t: iou(t["box_px"], truth[line["frame"]]), default=None)
            if best and iou(best["box_px"], truth[line["frame"]]) >= 0.5:
                ids.append(best["track_id"])
    with capsys.disabled():
        print(f"\nstop motion: {len(ids)} of {len(truth)} poses, track ids {sorted(set(ids))}")
    assert len(ids) >= 40


def iou(a: list[float], b: list[float]) -> float:
    width = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    both = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return width * height / (both - width * height)
