"""Recording folders: written, read back, killed, damaged."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from engine.table import FigureState
from vision.detection import Detection, Hand
from vision.errors import BadSource
from vision.frames import Frame
from vision.look import Look
from vision.recording import Meta, RecordingReader, RecordingWriter
from vision.recording.overlay_video import OverlayVideo
from vision.sources.video import VideoSource
from vision.track import Track

ROOT = Path(__file__).resolve().parents[3]
META = Meta(
    'camera "one"\n', "0.1.0", "ab" * 32, "figurslag", {"dodge": True, "segment_mm": 50.5, "n": 3}
)


def picture(index: int, size: tuple[int, int] = (96, 64)) -> np.ndarray:
    image = np.full((size[1], size[0], 3), 90, dtype=np.uint8)
    image[10:40, 5 + 3 * index : 20 + 3 * index] = (30, 200, 220)
    return image


def look(index: int, t_ns: int) -> Look:
    detection = Detection(
        "minifig",
        0.87654,
        (10.0, 11.5, 20.25, 40.0),
        soles_px=((12.0, 39.0), (18.0, 39.5)),
        head_px=(15.0, 12.0),
        soles_score=0.5,
        outline_px=((10.0, 11.0), (20.0, 11.0), (15.0, 40.0)),
    )
    seen = Track(
        3, "minifig", (1.234, -0.001), 0.812, 10.04, FigureState.STANDING, 0.0,
        detection.box_px, t_ns, 0.9,
    )  # fmt: skip
    hidden = Track(7, "minifig", None, None, None, FigureState.HIDDEN, 0.0, None, 0, 0.4)
    hands = (Hand((0.0, 0.0, 30.0, 30.0), 0.75),)
    return Look(index, t_ns, (detection,), hands, (seen, hidden), index > 2, index == 1)


def write(folder: Path, times: list[int], size: tuple[int, int] = (96, 64)) -> None:
    with RecordingWriter(folder, META, {"ok": True, "rms_px": 0.3}) as writer:
        for index, t_ns in enumerate(times):
            writer.frame(Frame(index, t_ns, "x", picture(index, size)))
            writer.detections(look(index, t_ns))
            writer.tracks(look(index, t_ns), {3: "blue"})
            writer.input(f'{{"n":{index}}}')
            writer.log(f'{{"seq":{index}}}')


def test_round_trip(tmp_path: Path) -> None:
    times = [0, 33_366_667, 66_733_333, 500_000_001, 500_400_000]
    write(tmp_path / "game", times)
    reader = RecordingReader(tmp_path / "game")
    assert reader.meta == META
    assert reader.calibration == {"ok": True, "rms_px": 0.3}
    seen = list(reader.detections())
    assert [s.t_ns for s in seen] == times
    assert [s.cut for s in seen] == [False, True, False, False, False]
    assert seen[0].detections[0].soles_px == ((12.0, 39.0), (18.0, 39.5))
    assert seen[0].detections[0].score == 0.8765
    assert seen[0].hands == (Hand((0.0, 0.0, 30.0, 30.0), 0.75),)
    assert list(reader.inputs()) == [f'{{"n":{n}}}' for n in range(5)]
    assert list(reader.log()) == [f'{{"seq":{n}}}' for n in range(5)]
    frames = list(reader.frames())
    assert [(f.index, f.t_ns) for f in frames] == list(enumerate(times))
    assert np.abs(frames[3].image.astype(int) - picture(3)).mean() < 6
    assert reader.warnings == []


def test_track_lines_follow_the_contract(tmp_path: Path) -> None:
    write(tmp_path, [0])
    assert next(RecordingReader(tmp_path).tracks()) == {
        "frame": 0,
        "t_ns": 0,
        "settled": False,
        "hands": 1,
        "tracks": [
            {
                "track_id": 3,
                "label": "minifig",
                "side": "blue",
                "position_mm": [1.23, -0.0],
                "sigma_mm": 0.81,
                "facing_deg": 10.0,
                "state": "standing",
                "box_px": [10.0, 11.5, 20.25, 40.0],
            },
            {
                "track_id": 7,
                "label": "minifig",
                "side": None,
                "position_mm": None,
                "sigma_mm": None,
                "facing_deg": None,
                "state": "hidden",
                "box_px": None,
            },
        ],
    }


def test_odd_sizes_and_a_change_of_size(tmp_path: Path) -> None:
    with RecordingWriter(tmp_path, META) as writer:
        writer.frame(Frame(0, 0, "x", picture(0, (97, 65))))
        writer.frame(Frame(1, 40_000_000, "x", picture(1, (96, 64))))
    frames = list(RecordingReader(tmp_path).frames())
    assert [f.image.shape for f in frames] == [(66, 98, 3)] * 2


KILLED = """
import sys, time
from pathlib import Path
from tests.vision.recording.test_recording import META, look, picture
from vision.frames import Frame
from vision.recording import RecordingWriter
writer = RecordingWriter(Path(sys.argv[1]), META)
index = 0
while True:
    t_ns = index * 33_000_000
    writer.frame(Frame(index, t_ns, "x", picture(index % 20)))
    writer.detections(look(index, t_ns))
    writer.tracks(look(index, t_ns), {})
    writer.input('{"n":%d}' % index)
    index += 1
    if index == 120:
        print("going", flush=True)
    if index > 120:
        time.sleep(0.002)
"""


def test_killed_while_writing(tmp_path: Path) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(tmp_path / "game")],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"going\n"
    time.sleep(0.05)
    child.send_signal(signal.SIGKILL)
    child.wait()
    child.stdout.close()
    reader = RecordingReader(tmp_path / "game")
    lines = list(reader.detections())
    frames = list(reader.frames())
    assert len(lines) >= 120
    # Pictures may be lost from the last cluster only: a second of 30 frames, and a few more.
    assert len(frames) >= 85
    assert [f.t_ns for f in frames] == [line.t_ns for line in lines[: len(frames)]]


def test_half_a_line_is_left_out_with_a_warning(tmp_path: Path) -> None:
    write(tmp_path, [0, 1_000_000, 2_000_000])
    path = tmp_path / "detections.jsonl"
    path.write_bytes(path.read_bytes()[:-25])
    reader = RecordingReader(tmp_path)
    assert [s.index for s in reader.detections()] == [0, 1]
    assert reader.warnings == ["detections.jsonl: half a line at the end left out"]
    (tmp_path / "inputs.jsonl").write_bytes('{"a":"ö"}\n{"b":"ö'.encode()[:-1])
    assert list(reader.inputs()) == ['{"a":"ö"}']
    assert len(reader.warnings) == 2


def test_damage_in_the_middle_is_an_error(tmp_path: Path) -> None:
    write(tmp_path, [0, 1_000_000, 2_000_000])
    path = tmp_path / "tracks.jsonl"
    lines = path.read_text().splitlines()
    lines[1] = lines[1][:30]
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(BadSource, match="line 2 is not a JSON object"):
        list(RecordingReader(tmp_path).tracks())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("schema_version = 1\nsource = ", "is not TOML"),
        ('schema_version = 99\nsource = "x"\napp_version = "1"\n', "schema_version 99"),
        ("schema_version = 1\nsource = 3\n", "missing or of the wrong kind"),
    ],
)
def test_damaged_head(tmp_path: Path, text: str, fault: str) -> None:
    write(tmp_path, [0])
    (tmp_path / "meta.toml").write_text(text)
    with pytest.raises(BadSource, match=fault):
        RecordingReader(tmp_path)


def test_not_a_recording(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match=r"meta\.toml is missing"):
        RecordingReader(tmp_path)
    with pytest.raises(BadSource, match="no such folder"):
        RecordingReader(tmp_path / "nothing")
    write(tmp_path, [0])
    with pytest.raises(BadSource, match="holds a recording already"):
        RecordingWriter(tmp_path, META)
    (tmp_path / "frames.mkv").write_bytes(b"")
    with pytest.raises(BadSource, match="no pictures"):
        next(RecordingReader(tmp_path).frames())
    (tmp_path / "calibration.json").write_text("{")
    with pytest.raises(BadSource, match="is not JSON"):
        RecordingReader(tmp_path)


def test_overlay_video_plays(tmp_path: Path) -> None:
    video = OverlayVideo(tmp_path)
    for index in range(5):
        video.write(picture(index), index * 100_000_000)
    video.close()
    video.close()
    frames = list(VideoSource(tmp_path / "overlay.mp4"))
    assert [round(f.t_ns / 1e6) for f in frames] == [0, 100, 200, 300, 400]
