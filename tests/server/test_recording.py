from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.store import save
from engine.actions import Action
from engine.errors import Refused, Stale
from engine.referee import Referee
from engine.table import Terrain
from server.analyse import Order, analyse
from server.cli import run
from server.console import NoAnswer
from server.feeds import InputFeed, LogFeed
from server.hub import Hub
from server.live import LiveTable
from server.recorder import Recorder
from server.replay import (
    RecordedFrames,
    check,
    open_recording,
    recorded_inputs,
    recorded_lines,
    told_again,
)
from server.script import GameFile
from server.session import Session
from server.setting import Setting
from tests.server.conftest import wait_for
from tests.simulated import (
    CAMERA,
    STEP_NS,
    Move,
    SimulatedSource,
    SimulatedTable,
    figure_box,
    opening,
    simulated,
    start_positions,
)
from vision.data import data_path
from vision.detection import Detection
from vision.errors import BadSource
from vision.frames import Frame
from vision.look import Look
from vision.onnx_detector import SHIPPED
from vision.scripted import ScriptedDetector
from vision.sources import PacedSource

MOVES = (Move(2.0, 3.0, 1, (100.0, 110.0)), Move(4.5, 5.5, 2, (176.0, 210.0)))
FRAMES = 75


def taps() -> GameFile:
    """The teams, then the taps up to Red's movement."""
    kinds = [("terrain_done", None, None), ("roster_done", None, None), ("deploy_done", None, None)]
    actions: list[dict[str, Any]] = [
        {"t_ms": 1000 + 100 * i, "kind": kind, "side": side, "value": value}
        for i, (kind, side, value) in enumerate([*kinds, ("first", None, "red")])
    ]
    actions.append({"t_ms": 7000, "kind": "done", "side": "red"})
    whole = opening().model_dump(mode="json")
    return GameFile.model_validate({**whole, "actions": actions})


def seen_by_a_camera() -> ScriptedDetector:
    """What a good detector would find in the simulated table's pictures."""
    table = SimulatedTable(MOVES)
    by_frame = {}
    for index in range(FRAMES + 5):
        found = []
        for track_id in start_positions():
            (x, y), _carried = table.position(track_id, index * STEP_NS / 1e9)
            soles = CAMERA.to_image(np.array([(x - 4.0, y), (x + 4.0, y)])).tolist()
            head = CAMERA.to_image(np.array([(x, y, 40.0)])).tolist()[0]
            found.append(
                Detection(
                    "minifig",
                    0.9,
                    figure_box((x, y)),
                    ((soles[0][0], soles[0][1]), (soles[1][0], soles[1][1])),
                    (head[0], head[1]),
                    soles_score=0.9,
                )
            )
        by_frame[index] = found
    return ScriptedDetector(by_frame)


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    """A small game, worked through from its pictures."""
    folder = tmp_path_factory.mktemp("analysed")
    save(CAMERA, folder / "c.json")
    (folder / "game.json").write_text(taps().model_dump_json())
    order = Order(
        "simulated",
        folder / "out",
        calibration=folder / "c.json",
        ruleset="figurslag",
        army=folder / "game.json",
        video=True,
    )
    source = SimulatedSource(SimulatedTable(MOVES), FRAMES * STEP_NS / 1e9, real_time=False)
    return folder / "out", analyse(order, source, seen_by_a_camera)


def test_analysis_counts_what_happened(analysed: tuple[Path, dict[str, Any]]) -> None:
    out, result = analysed
    assert result["ok"]
    assert result["calibrated"]
    assert result["frames"] == FRAMES + 1
    assert result["duration_s"] == pytest.approx(7.5)
    assert result["speed_x_realtime"] > 0
    assert result["figures"] == 10
    assert result["moves"] == 2
    assert result["out"] == str(out)
    # Red may not end its movement with a move that is neither put back nor accepted.
    assert len(result["warnings"]) == 1
    assert result["warnings"][0].startswith("done at ")


def test_analysis_leaves_every_file_of_the_contract(
    analysed: tuple[Path, dict[str, Any]],
) -> None:
    out, _result = analysed
    assert {path.name for path in out.iterdir()} == {
        "meta.toml",
        "calibration.json",
        "detections.jsonl",
        "tracks.jsonl",
        "inputs.jsonl",
        "log.jsonl",
        "report.html",
        "overlay.mp4",
    }
    lines = [json.loads(line) for line in (out / "tracks.jsonl").read_text().splitlines()]
    assert [line["frame"] for line in lines] == list(range(FRAMES + 1))
    sides = {track["side"] for track in lines[-1]["tracks"]}
    assert sides == {"red", "blue"}
    report = (out / "report.html").read_text()
    assert "Red 1" in report
    assert "<svg" in report
    assert "http" not in report


class BrokenSource:
    """Pictures that end in a fault."""

    source_id = "broken"

    def __iter__(self) -> Iterator[Frame]:
        yield Frame(0, 0, "broken", np.zeros((64, 64, 3), np.uint8))
        raise BadSource("broken", "the disk is gone")

    def close(self) -> None:
        pass


@pytest.mark.parametrize("there", [False, True])
def test_an_analysis_that_fails_leaves_nothing(tmp_path: Path, there: bool) -> None:
    out = tmp_path / "out"
    if there:
        out.mkdir()
    with pytest.raises(BadSource):
        analyse(Order("broken", out, video=True), BrokenSource(), seen_by_a_camera)
    assert out.exists() is there
    assert not there or not list(out.iterdir())


def test_the_moves_are_judged(analysed: tuple[Path, dict[str, Any]]) -> None:
    out, _result = analysed
    log = (out / "log.jsonl").read_text()
    report = (out / "report.html").read_text()
    assert "FS-FLAG-01" in log
    # From (176, 30) to (176, 210): 18.0 cm where 15 are allowed.
    said = re.search(r"Red 2: ([0-9.]+) cm, limit 15", report)
    assert said is not None
    assert float(said[1]) == pytest.approx(18.0, abs=0.3)


def test_the_inputs_replay_to_the_same_log(analysed: tuple[Path, dict[str, Any]]) -> None:
    out, _result = analysed
    count = check(open_recording(out), None)
    assert count == len((out / "log.jsonl").read_text().splitlines())
    assert run(["replay", str(out), "--check"]) == 0


@pytest.mark.parametrize("stage", ["detections", "inputs", "log"])
def test_every_stage_replays_to_the_same_log(
    analysed: tuple[Path, dict[str, Any]], stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _result = analysed
    assert run(["replay", str(out), "--from", stage, "--check", "--json"]) == 0
    lines = (out / "log.jsonl").read_text().splitlines()
    assert json.loads(capsys.readouterr().out) == {"ok": True, "lines": len(lines)}


def test_pictures_that_were_not_kept_are_not_looked_at_again(
    analysed: tuple[Path, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    out, _result = analysed
    assert run(["replay", str(out), "--from", "frames"]) == 2
    assert capsys.readouterr().err.startswith("minimarshal: error: --from: ")


def test_what_was_found_is_followed_again(
    analysed: tuple[Path, dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The detections are what counts: one that is elsewhere makes another log."""
    out, _result = analysed
    for path in out.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = [json.loads(line) for line in (out / "detections.jsonl").read_text().splitlines()]
    for line in lines:
        for figure in line["figures"][:1]:
            figure["soles_px"] = [[x + 6.0, y] for x, y in figure["soles_px"]]
            figure["head_px"][0] += 6.0
            figure["box_px"][0] += 6.0
            figure["box_px"][2] += 6.0
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "detections.jsonl").write_text(text)
    assert run(["replay", str(tmp_path), "--from", "detections", "--check", "--json"]) == 3
    assert "expected" in json.loads(capsys.readouterr().out)["reason"]


def test_half_a_line_at_the_end_is_left_out_with_a_warning(
    analysed: tuple[Path, dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _result = analysed
    for path in out.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with (tmp_path / "log.jsonl").open("a") as log:
        log.write('{"seq": 1')
    assert run(["replay", str(tmp_path), "--from", "log", "--check", "--json"]) == 0
    told = capsys.readouterr()
    assert json.loads(told.out)["ok"] is True
    assert told.err == "minimarshal: warning: log.jsonl: half a line at the end left out\n"


def test_recorded_taps_of_one_picture_see_each_others_effect() -> None:
    """Terrain that was drawn and confirmed before the next picture came is confirmed again."""
    wall = Terrain("w", "wall", ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)), 9.6)
    referee = Referee()
    Session(referee).run(
        [
            Look(0, 0, (), (), (), settled=True),
            Action("new_game", 0, value="figurslag", basis_seq=1),
            Action("terrain_set", 0, terrain_id="w", terrain=wall, basis_seq=2),
            Action("terrain_done", 0, basis_seq=3),
        ]
    )
    confirmed = next(line.event for line in referee.lines if line.cause == "terrain_done")
    assert confirmed.words("heights") == ("Wall 1: 3 plates, measured 1.0 cm",)


def test_the_log_alone_tells_the_game(
    analysed: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    out, _result = analysed
    for name in ("log.jsonl", "meta.toml"):
        (tmp_path / name).write_bytes((out / name).read_bytes())
    alone = told_again(open_recording(tmp_path))
    judged = Referee()
    for item in recorded_inputs(open_recording(out)):
        with contextlib.suppress(Refused, Stale):
            judged.take(item)
    assert alone.lines == judged.lines
    assert alone.state == judged.state
    assert alone.facts == judged.facts
    assert [said.text for said in alone.announcements()] == [
        said.text for said in judged.announcements()
    ]


def test_a_log_alone_is_shown_on_the_page(
    analysed: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    out, _result = analysed
    for name in ("log.jsonl", "meta.toml"):
        (tmp_path / name).write_bytes((out / name).read_bytes())
    reader = open_recording(tmp_path)
    source = RecordedFrames(
        reader, lambda: (line.t_ns for line in recorded_lines(reader)), pictures=False
    )
    setting = Setting(lambda _known: LogFeed(recorded_lines(reader)), search=False, read_only=True)
    table = LiveTable(
        PacedSource(source, clock=lambda: 0, wait=lambda _s: None), None, setting, Hub()
    )
    table.start()
    try:
        whole = told_again(reader)
        wait_for(lambda: table.snapshot()["seq"] == whole.state.seq)
        snapshot = table.snapshot()
        assert snapshot["state"]["ruleset"] == "figurslag"
        assert snapshot["announcements"][-1]["text"] == whole.announcements()[-1].text
        with pytest.raises(Refused):
            table.act(Action("done", 0, side="red"))
    finally:
        table.stop()


@pytest.mark.parametrize(
    ("stage", "name", "line"),
    [
        ("inputs", "inputs.jsonl", '{"type":"action"}'),
        ("inputs", "inputs.jsonl", "[" * 100_000),
        ("frames", "inputs.jsonl", "nonsense"),
        ("detections", "detections.jsonl", '{"frame":0}'),
        ("log", "log.jsonl", "nonsense"),
        ("log", "log.jsonl", ""),
    ],
)
def test_a_damaged_recording_is_one_line(
    analysed: tuple[Path, dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    stage: str,
    name: str,
    line: str,
) -> None:
    out, _result = analysed
    for path in out.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = (tmp_path / name).read_text().splitlines()
    (tmp_path / name).write_text("\n".join([*lines[:2], line, *lines[3:]]) + "\n")
    assert run(["replay", str(tmp_path), "--from", stage, "--port", "0", "--no-browser"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"minimarshal: error: {tmp_path / name}: line ")
    assert told.err.count("\n") == 1


def test_a_recording_of_one_moment_does_not_spin() -> None:
    """Its end is shown for a while before it starts again."""
    epochs = set()
    moment = SimulatedSource(SimulatedTable(()), 0.0, real_time=False)
    setting = Setting(lambda _known: InputFeed(iter(())), loop=True, search=False)
    table = LiveTable(PacedSource(moment), None, setting, Hub())
    table.start()
    try:
        began = time.monotonic()
        while time.monotonic() - began < 0.6:
            epochs.add(table.hub.epoch)
            time.sleep(0.01)
        assert len(epochs) == 1
        assert table.camera().state == "live"
        wait_for(lambda: table.hub.epoch not in epochs)
    finally:
        table.stop()


def test_a_log_that_differs_is_exit_3_with_the_first_line(
    analysed: tuple[Path, dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, _result = analysed
    for path in out.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    lines = (tmp_path / "log.jsonl").read_text().splitlines(keepends=True)
    changed = lines[9].replace('"seq":10', '"seq":10 ')
    (tmp_path / "log.jsonl").write_text("".join([*lines[:9], changed, *lines[10:]]))
    with pytest.raises(NoAnswer, match="line 10:"):
        check(open_recording(tmp_path), None)
    assert run(["replay", str(tmp_path), "--check", "--json"]) == 3
    assert json.loads(capsys.readouterr().out)["ok"] is False
    (tmp_path / "log.jsonl").write_text("".join([*lines, lines[-1]]))
    with pytest.raises(NoAnswer, match="missing"):
        check(open_recording(tmp_path), None)


def test_pictures_looked_at_by_another_model_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Either network may be another; what does not look at pictures again says nothing."""
    # Its name in the package is that of the command.
    module = importlib.import_module("server.commands.replay")
    monkeypatch.setattr(module, "load_detector", lambda: ScriptedDetector({}))
    model = tmp_path / "models" / "detector.onnx"
    shutil.copytree(data_path(SHIPPED).parent, model.parent)
    card = json.loads(model.with_suffix(".json").read_text())
    assert card["second_look"]
    second = model.with_name(card["second_look"]["model"])

    def warned(name: str, stage: str) -> bool:
        recorder = Recorder(tmp_path / name, "simulated", model=model)
        recorder.begin(Referee().lines)
        recorder.frame(Frame(0, 0, "simulated", np.zeros((540, 960, 3), np.uint8)))
        recorder.close()
        assert run(["replay", str(tmp_path / name), "--from", stage, "--check", "--json"]) == 0
        return "another detector or second look" in capsys.readouterr().err

    assert not warned("same", "frames")
    second.write_bytes(b"another network")
    card["second_look"]["sha256"] = hashlib.sha256(second.read_bytes()).hexdigest()
    model.with_suffix(".json").write_text(json.dumps(card))
    assert warned("other", "frames")
    assert not warned("inputs", "inputs")


def test_a_table_being_played_on_is_recorded(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path / "game", "simulated")
    table = simulated(moves=(Move(1.0, 1.6, 3, (256.0, 120.0)),), recorder=recorder, game=opening())
    table.start()
    wait_for(lambda: len(table.referee.facts.sides) == 10)
    basis = table.referee.state.seq
    assert table.act(Action("terrain_done", basis_seq=basis))
    with pytest.raises(Refused):
        table.act(Action("no_such_thing", basis_seq=table.referee.state.seq))
    wait_for(lambda: any(f.position_mm == (256.0, 120.0) for f in table.table.figures))  # type: ignore[union-attr]
    table.stop()
    recorder.close()
    reader = open_recording(tmp_path / "game")
    assert check(reader, None) == table.referee.state.seq
    frames = list(reader.frames())
    # A picture that was taken when the program was stopped may not have been looked at.
    assert 0 <= len(frames) - len(list(reader.detections())) <= 6
    assert frames[0].image.shape == (540, 960, 3)
