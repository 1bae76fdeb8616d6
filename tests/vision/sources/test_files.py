"""Photos, folders and videos as frames."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.films import gradient, turn_in_header, write_film
from vision.errors import BadSource
from vision.frames import Frame
from vision.sources import FolderSource, PhotoSource, Unreadable, VideoSource, open_source


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """The same JPEG with an EXIF orientation."""
    entry = (0x0112).to_bytes(2, "big") + (3).to_bytes(2, "big") + (1).to_bytes(4, "big")
    tiff = b"MM\x00\x2a\x00\x00\x00\x08\x00\x01" + entry + orientation.to_bytes(2, "big") + b"\0\0"
    body = b"Exif\0\0" + tiff + b"\0\0\0\0"
    return jpeg[:2] + b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body + jpeg[2:]


def is_red(pixel: np.ndarray) -> bool:
    blue, green, red = (int(value) for value in pixel)
    return red > 150 and blue < 90 and green < 90


@pytest.mark.parametrize(
    ("orientation", "size", "corner"),
    [
        (1, (96, 64), (5, 5)),
        (3, (96, 64), (58, 90)),
        (6, (64, 96), (5, 58)),
        (8, (64, 96), (90, 5)),
    ],
)
def test_photo_is_turned_as_exif_says(
    orientation: int, size: tuple[int, int], corner: tuple[int, int], tmp_path: Path
) -> None:
    jpeg = cv2.imencode(".jpg", gradient())[1].tobytes()
    path = tmp_path / "PHOTO.JPEG"
    path.write_bytes(with_orientation(jpeg, orientation))
    source = open_source(str(path))
    (frame,) = source
    assert isinstance(source, PhotoSource)
    assert (frame.index, frame.t_ns, frame.source_id) == (0, 0, "PHOTO.JPEG")
    assert frame.size_px == size
    assert is_red(frame.image[corner])
    assert len(list(source)) == 1


def test_folder_by_name_not_below_and_only_pictures(tmp_path: Path) -> None:
    for at, name in enumerate(["b.PNG", "a.jpg", "c.webp", "Z.bmp"]):
        cv2.imwrite(str(tmp_path / name), gradient(shift=at))
    (tmp_path / "notes.txt").write_text("no picture")
    (tmp_path / "bad.jpg").write_bytes(b"no picture either")
    (tmp_path / "below").mkdir()
    cv2.imwrite(str(tmp_path / "below" / "d.jpg"), gradient())
    (tmp_path / "folder.jpg").mkdir()
    source = open_source(str(tmp_path))
    assert isinstance(source, FolderSource)
    found = list(source.pictures())
    names = [f.source_id if isinstance(f, Frame) else f.name for f in found]
    assert names == ["Z.bmp", "a.jpg", "b.PNG", "bad.jpg", "c.webp"]
    bad = found[3]
    assert isinstance(bad, Unreadable)
    assert "not a JPEG" in bad.fault
    frames = list(source)
    assert [frame.index for frame in frames] == [0, 1, 2, 4]
    assert all(a.t_ns < b.t_ns for a, b in itertools.pairwise(frames))
    assert len(source.warnings) == 1
    assert source.warnings[0].startswith("bad.jpg: ")


def test_folder_without_a_good_picture(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="holds no"):
        open_source(str(tmp_path))
    (tmp_path / "bad.jpg").write_bytes(b"no picture")
    with pytest.raises(BadSource, match="no picture is readable"):
        list(open_source(str(tmp_path)))


@pytest.mark.parametrize("suffix", [".mkv", ".mp4"])
def test_times_are_those_of_the_file(suffix: str, tmp_path: Path) -> None:
    times = [0, 40, 100, 110, 500, 1200]
    path = write_film(tmp_path / f"film{suffix}", [gradient(shift=9 * t) for t in times], times)
    source = open_source(str(path))
    assert isinstance(source, VideoSource)
    for _ in range(2):
        frames = list(source)
        assert [frame.index for frame in frames] == list(range(6))
        assert [round(frame.t_ns / 1e6) for frame in frames] == times
        assert source.warnings == ()
    assert frames[0].source_id == path.name
    assert source.size_px == frames[0].size_px == (96, 64)


@pytest.mark.parametrize(
    ("degrees", "size", "corner"),
    [
        (0, (96, 64), (5, 5)),
        (90, (64, 96), (5, 58)),
        (180, (96, 64), (58, 90)),
        (270, (64, 96), (90, 5)),
    ],
)
def test_film_is_turned_as_its_header_says(
    degrees: int, size: tuple[int, int], corner: tuple[int, int], tmp_path: Path
) -> None:
    path = write_film(tmp_path / "film.mp4", [gradient()] * 2)
    turn_in_header(path, degrees)
    source = VideoSource(path)
    frame = next(iter(source))
    assert source.size_px == frame.size_px == size
    assert is_red(frame.image[corner])


def test_cut_film_gives_what_is_there_with_a_warning(tmp_path: Path) -> None:
    noise = np.random.default_rng(1)
    images = [noise.integers(0, 255, (64, 96, 3)).astype(np.uint8) for _ in range(30)]
    whole = write_film(tmp_path / "whole.mkv", images)
    data = whole.read_bytes()
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(data[: len(data) * 6 // 10])
    source = open_source(str(cut))
    frames = list(source)
    assert 10 <= len(frames) <= 20
    assert len(source.warnings) == 1
    assert "cut.mkv" in source.warnings[0]
    untouched = list(VideoSource(whole))
    assert len(untouched) == 30
    for frame, other in zip(frames, untouched, strict=False):
        np.testing.assert_array_equal(frame.image, other.image)


def test_cut_film_with_its_index_in_front(tmp_path: Path) -> None:
    noise = np.random.default_rng(2)
    images = [noise.integers(0, 255, (64, 96, 3)).astype(np.uint8) for _ in range(20)]
    plain = write_film(tmp_path / "plain.mp4", images)
    import av

    front = tmp_path / "front.mp4"
    with (
        av.open(str(plain)) as old,
        av.open(str(front), "w", options={"movflags": "faststart"}) as new,
    ):
        stream = new.add_stream_from_template(old.streams.video[0])
        for packet in old.demux(old.streams.video[0]):
            if packet.dts is not None:
                packet.stream = stream
                new.mux(packet)
    data = front.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat")
    front.write_bytes(data[: len(data) // 2])
    source = VideoSource(front)
    frames = list(source)
    assert 1 <= len(frames) < 20
    assert source.warnings == (f"front.mp4: {len(frames)} of 20 frames decode",)
