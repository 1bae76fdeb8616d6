from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
import pytest

from calibration.store import save
from engine.rulesets import RULESETS
from server.cli import run
from tests.simulated import CAMERA

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str]) -> Run:
    """Run one command line; capfd also sees what libraries print."""

    def call(*arguments: object) -> tuple[int, str, str]:
        capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


@pytest.fixture
def bad(tmp_path: Path) -> dict[str, Path]:
    """One file of every kind of bad input."""
    names = ["text.mp4", "empty.mp4", "cut.mp4", "one.png", "huge.png", "missing.png", "ok.png"]
    files = {name: tmp_path / name for name in [*names, "points.json", "calibration.json"]}
    files["text.mp4"].write_text("not a film\n" * 50)
    files["empty.mp4"].touch()
    film = tmp_path / "film.mp4"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter_fourcc(*"mp4v"), 10.0, (64, 48))
    for shade in range(20):
        writer.write(np.full((48, 64, 3), shade * 10, np.uint8))
    writer.release()
    files["cut.mp4"].write_bytes(film.read_bytes()[:200])
    cv2.imwrite(str(files["one.png"]), np.zeros((1, 1, 3), np.uint8))
    # Only its head says how large it is: nobody has to hold 1.2 GB to find out.
    cv2.imwrite(str(files["huge.png"]), np.zeros((64, 64, 3), np.uint8))
    head = bytearray(files["huge.png"].read_bytes())
    head[16:24] = (20_000).to_bytes(4, "big") * 2
    files["huge.png"].write_bytes(bytes(head))
    cv2.imwrite(str(files["ok.png"]), np.full((120, 160, 3), 90, np.uint8))
    files["points.json"].write_text('{"points": [{"px": [1, 2], "mm": [0, 0]}]}')
    files["calibration.json"].write_text("{}")
    return files


def assert_one_line(result: tuple[int, str, str], name: str) -> None:
    code, out, err = result
    assert code == 2
    assert out == ""
    assert err.startswith(f"minimarshal: error: {name}: "), err
    assert err.count("\n") == 1
    assert err.endswith("\n")
    assert "Traceback" not in err


@pytest.mark.parametrize("command", ["detect", "calibrate", "analyse"])
@pytest.mark.parametrize(
    "name", ["text.mp4", "empty.mp4", "cut.mp4", "one.png", "huge.png", "missing.png"]
)
def test_a_bad_picture_is_one_line_and_nothing_is_written(
    cli: Run, bad: dict[str, Path], tmp_path: Path, command: str, name: str
) -> None:
    out = tmp_path / "result"
    arguments: list[object] = [command, bad[name], "--json"]
    if command != "detect":
        arguments += ["--out", out]
    assert_one_line(cli(*arguments), str(bad[name]))
    assert not out.exists()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("command", []),
        ("ID", ["army"]),
        ("FILE", ["army", "deathzap"]),
        ("phone", ["phone"]),
        ("--nope", ["--nope"]),
        ("--sheet", ["calibrate", "x.png", "--sheet", "A5"]),
        ("SOURCE", ["detect"]),
        ("command", ["detect", "a.png", "b.png"]),
        ("--reference", ["calibrate", "x.png", "--reference", "tape"]),
        ("--fov", ["calibrate", "x.png", "--fov", "200"]),
        ("--fov", ["calibrate", "x.png", "--fov", "nan"]),
        ("--fov", ["calibrate", "x.png", "--fov"]),
        ("--stud-pitch", ["calibrate", "x.png", "--stud-pitch", "0"]),
        ("--table", ["calibrate", "x.png", "--table", "12"]),
        ("--points", ["calibrate", "x.png", "--reference", "points"]),
        ("--out", ["calibrate", "x.png", "--out", "/no/such/folder/c.json"]),
        ("--px", ["map", "--calibration", "c.json", "--px", "1;2"]),
        ("--px", ["map", "--calibration", "c.json", "--px", "1,inf"]),
        ("--px", ["map", "--calibration", "c.json", "--px", "1e308,-1e308"]),
        ("--min-score", ["detect", "x.png", "--min-score", "1.01"]),
        ("--overlay", ["detect", "x.png", "--json", "--overlay", "."]),
        ("--overlay", ["calibrate", "x.png", "--overlay", "."]),
        ("no.json", ["map", "--calibration", "no.json", "--px", "1,2"]),
        ("--calibration", ["map", "--px", "1,2"]),
        ("--to-px", ["measure", "--calibration", "c.json", "--from-px", "1,2"]),
        ("--port", ["serve", "--port", "70000"]),
        ("ID", ["rules", "check", "chess", "x.md"]),
        ("no.md", ["rules", "check", "figurslag", "no.md"]),
        ("ID", ["rules", "options"]),
        ("--ruleset", ["analyse", "x.png", "--out", "o", "--ruleset", "chess", "--army", "a"]),
        ("--army", ["analyse", "x.png", "--out", "o", "--ruleset", "figurslag"]),
    ],
)
def test_bad_use_is_one_line(
    cli: Run,
    name: str,
    arguments: list[str],
    bad: dict[str, Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(bad["ok.png"].parent)
    shutil.copy(bad["ok.png"], "x.png")
    assert_one_line(cli(*arguments), name)


@pytest.mark.parametrize("text", ["not json", "[1]", "{}", '{"points": [1, 2, 3, 4]}', ""])
def test_a_wrong_points_file_is_named(
    cli: Run, bad: dict[str, Path], tmp_path: Path, text: str
) -> None:
    points = tmp_path / "wrong.json"
    points.write_text(text)
    result = cli("calibrate", bad["ok.png"], "--reference", "points", "--points", points, "--json")
    assert_one_line(result, str(points))


def test_a_wrong_calibration_file_is_named(cli: Run, bad: dict[str, Path]) -> None:
    wrong = bad["calibration.json"]
    assert_one_line(cli("map", "--calibration", wrong, "--px", "1,2"), str(wrong))


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    "text",
    [
        "not json",
        DEEP,
        "null",
        "{}",
        '{"ruleset": "figurslag", "seed": 1' + "0" * 400 + "}",
        '{"ruleset": "figurslag", "options": {"no_such_option": 1}}',
        '{"ruleset": "figurslag", "sides": [{"side": "red", "edge": "up"}]}',
        '{"ruleset": "figurslag", "actions": [{"t_ms": 0, "kind": "dice", "numbers": [NaN]}]}',
    ],
)
def test_a_wrong_game_file_is_named_before_any_work(
    cli: Run, bad: dict[str, Path], tmp_path: Path, text: str
) -> None:
    game, out = tmp_path / "game.json", tmp_path / "result"
    game.write_text(text)
    options = ["--ruleset", "figurslag", "--army", game]
    assert_one_line(cli("analyse", bad["ok.png"], "--out", out, *options, "--json"), str(game))
    assert not out.exists()


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        "[1]",
        "null",
        '{"terrain": [{"terrain_id": "a", "kind": "wall", "height_mm": 9, '
        '"footprint_mm": [[0, 0], [1, 1], [2, 2]]}]}',
    ],
)
def test_a_wrong_terrain_file_is_named_before_any_work(
    cli: Run, bad: dict[str, Path], tmp_path: Path, text: str
) -> None:
    terrain, out = tmp_path / "terrain.json", tmp_path / "result"
    terrain.write_text(text)
    result = cli("analyse", bad["ok.png"], "--out", out, "--terrain", terrain, "--json")
    assert_one_line(result, str(terrain))
    assert not out.exists()


def test_a_remark_of_a_library_is_no_second_line(
    cli: Run, bad: dict[str, Path], tmp_path: Path
) -> None:
    points, lens = tmp_path / "points.json", tmp_path / "lens.json"
    corners = [(0, 119), (159, 119), (159, 0), (0, 0)]
    pairs = [{"px": [x, y], "mm": [x, 119 - y]} for x, y in corners]
    points.write_text(json.dumps({"points": pairs}))
    lens.write_text('{"fx_px": 1e300, "fy_px": 1e300, "cx_px": 80, "cy_px": 60}')
    code, out, err = cli(
        "calibrate", bad["ok.png"], "--points", points, "--intrinsics", lens, "--json"
    )
    assert code == 2
    assert out == ""
    assert err.count("\n") == 1


def test_footage_whose_reference_is_not_found_is_analysed_without(
    cli: Run, bad: dict[str, Path], tmp_path: Path
) -> None:
    out = tmp_path / "result"
    code, told, _err = cli("analyse", bad["ok.png"], "--reference", "studs", "--out", out, "--json")
    assert code == 0
    assert json.loads(told)["calibrated"] is False


@pytest.mark.parametrize("command", ["serve", "demo"])
def test_a_port_in_use_is_one_line(cli: Run, command: str) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert_one_line(cli(command, "--port", port, "--no-browser"), "--port")


def test_recording_over_something_else_is_refused(cli: Run, bad: dict[str, Path]) -> None:
    folder = bad["ok.png"].parent
    result = cli("serve", bad["ok.png"], "--data", folder, "--port", 0, "--no-browser")
    assert_one_line(result, "--data")


def test_no_answer_is_exit_3_with_a_reason(cli: Run, bad: dict[str, Path]) -> None:
    code, out, _err = cli("calibrate", bad["ok.png"], "--json")
    assert code == 3
    answer = json.loads(out)
    assert answer["ok"] is False
    assert answer["reason"]


def test_calibrate_map_and_measure_agree(cli: Run, tmp_path: Path) -> None:
    picture, points, kept = tmp_path / "a.png", tmp_path / "p.json", tmp_path / "c.json"
    grid = tmp_path / "grid.png"
    cv2.imwrite(str(picture), np.full((540, 960, 3), 80, np.uint8))
    places = [(0.0, 0.0), (512.0, 0.0), (512.0, 344.0), (0.0, 344.0), (200.0, 100.0)]
    px = CAMERA.to_image(np.array(places)).tolist()
    pairs = [{"px": p, "mm": m} for p, m in zip(px, places, strict=True)]
    points.write_text(json.dumps({"points": pairs}))
    code, out, err = cli(
        "calibrate", picture, "--reference", "points", "--points", points,
        "--table", "512x344", "--out", kept, "--overlay", grid, "--json",
    )  # fmt: skip
    assert code == 0, err
    document = json.loads(out)
    assert document["ok"]
    assert document["reference"] == "points"
    assert document["size_mm"] == [512.0, 344.0]
    assert cv2.imread(str(grid)).shape == (540, 960, 3)

    asked = [f"{x:.6f},{y:.6f}" for x, y in CAMERA.to_image(np.array([(50.0, 60.0), (300, 60)]))]
    code, out, _err = cli("map", "--calibration", kept, "--px", asked[0], "--px", "480,-5000",
                          "--json")  # fmt: skip
    rows = json.loads(out)
    assert code == 0
    assert [set(row) for row in rows] == [{"px", "table_mm", "sigma_mm"}] * 2
    assert rows[0]["table_mm"] == pytest.approx([50, 60], abs=0.2)
    assert rows[0]["sigma_mm"] > 0
    assert rows[1]["table_mm"] is None
    assert rows[1]["sigma_mm"] is None

    code, out, _err = cli(
        "measure", "--calibration", kept, "--from-px", asked[0], "--to-px", asked[1], "--json"
    )
    length = json.loads(out)
    assert code == 0
    assert length["mm"] == pytest.approx(250.0, abs=0.5)
    assert length["cm"] == pytest.approx(length["mm"] / 10, abs=0.01)
    assert length["in"] == pytest.approx(length["mm"] / 25.4, abs=0.01)
    assert length["studs"] == pytest.approx(length["mm"] / 8, abs=0.01)
    assert length["segments"] == pytest.approx(length["mm"] / 50, abs=0.01)
    assert length["feet"] == pytest.approx(length["mm"] / 304.8, abs=0.01)
    code, _out, _err = cli(
        "measure", "--calibration", kept, "--from-px", asked[0], "--to-px", "480,-5000", "--json"
    )
    assert code == 3


def test_points_that_map_a_picture_of_another_size_are_noticed(
    cli: Run, bad: dict[str, Path], tmp_path: Path
) -> None:
    kept = tmp_path / "c.json"
    save(CAMERA, kept)
    result = cli("analyse", bad["ok.png"], "--calibration", kept, "--out", tmp_path / "o", "--json")
    assert_one_line(result, str(kept))
    assert not (tmp_path / "o").exists()


def test_the_rules_are_listed_with_their_options(cli: Run) -> None:
    code, out, err = cli("rules", "list", "--json")
    assert (code, err) == (0, "")
    rules: list[dict[str, Any]] = json.loads(out)
    assert [one["id"] for one in rules] == [one.info.id for one in RULESETS]
    assert {"id", "title", "version", "unit", "options"} <= set(rules[0])
    for option in rules[0]["options"]:
        assert {"key", "default", "choices", "meaning"} <= set(option)


def test_vectors_are_checked(cli: Run, tmp_path: Path) -> None:
    vectors = tmp_path / "v.yaml"
    vectors.write_text("cases:\n  - {id: X-1, kind: never_heard_of, given: {}, expect: 1}\n")
    code, out, _err = cli("rules", "check", "figurslag", vectors, "--json")
    assert code == 0
    assert json.loads(out) == {"passed": 0, "failed": [], "unsupported": ["X-1"]}
    vectors.write_text("a: [1, 2\n")
    assert_one_line(cli("rules", "check", "figurslag", vectors, "--json"), str(vectors))


def test_the_program_itself_says_one_line_and_no_more(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "server", "detect", str(tmp_path / "no.mp4"), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert_one_line((done.returncode, done.stdout, done.stderr), str(tmp_path / "no.mp4"))


def test_an_interruption_is_no_success(cli: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object) -> None:
        raise KeyboardInterrupt

    # The package names the command itself like its module.
    monkeypatch.setattr(sys.modules["server.commands.detect"], "open_source", interrupted)
    code, out, err = cli("detect", "x.png", "--json")
    assert code == 130
    assert out == ""
    assert "Traceback" not in err


@pytest.mark.parametrize("times", [1, 5])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_server_told_to_end_finishes_its_recording(
    bad: dict[str, Path], tmp_path: Path, number: int, times: int
) -> None:
    """Told again and again it does the same, without a word."""
    folder = tmp_path / "recorded"
    command = [sys.executable, "-m", "server", "serve", str(bad["ok.png"]), "--data", str(folder)]
    with subprocess.Popen(
        [*command, "--port", "0", "--no-browser"], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        address = process.stderr.readline()
        assert address.startswith("http://127.0.0.1:")
        port = int(address.strip().rstrip("/").rpartition(":")[2])
        deadline = time.monotonic() + 60
        detections = folder / "detections.jsonl"
        while not (detections.is_file() and detections.stat().st_size):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        # With a page open, since its streams are cut off.
        with socket.create_connection(("127.0.0.1", port), timeout=10) as stream:
            stream.sendall(b"GET /api/stream.mjpg HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert stream.recv(4)
            for _ in range(times):
                process.send_signal(number)
                time.sleep(0.05)
            assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0
    # Only a file that was finished knows how long it is.
    with av.open(str(folder / "frames.mkv")) as film:
        assert film.duration


def test_an_interruption_while_it_loads_is_no_traceback() -> None:
    program = """
import sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "typer.core":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupt())
sys.argv = ["minimarshal", "rules", "list"]
from server.__main__ import main
main()
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 130
    assert done.stdout == ""
    assert "Traceback" not in done.stderr


def test_help_names_only_what_is_there(cli: Run) -> None:
    code, out, err = cli("--help")
    assert (code, err) == (0, "")
    for there in (
        "demo",
        "serve",
        "calibrate",
        "map",
        "measure",
        "detect",
        "analyse",
        "bench",
        "army",
        "train",
        "export",
        "evaluate",
        "render",
    ):
        assert there in out
    assert "board" in out
    assert "--sheet" in cli("calibrate", "--help")[1]
