"""Every bad file ends in one line that names it and says what is wrong."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.films import gradient, write_film
from vision.errors import BadSource
from vision.sources import open_source
from vision.sources.header import picture_size


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b""))
        + chunk(b"IEND", b"")
    )


def encoded(suffix: str, width: int = 64, height: int = 48) -> bytes:
    image = np.random.default_rng(3).integers(0, 255, (height, width, 3)).astype(np.uint8)
    return cv2.imencode(suffix, image)[1].tobytes()


BAD = {
    "text.mp4": (b"hello\nthis is no film\n", "not a video"),
    "long_text.mp4": (b"0123456789 abc\n" * 20000, "not a video"),
    "empty.mp4": (b"", "empty"),
    "empty.jpg": (b"", "empty"),
    "playlist.mp4": (b"#EXTM3U\n#EXTINF:1,\nother.ts\n", "not a video"),
    "dot.png": (encoded(".png", 1, 1), "1x1"),
    "thin.bmp": (encoded(".bmp", 31, 400), "31x400"),
    "huge.png": (png_header(20000, 20000), "100 megapixels"),
    "text.jpg": (b"no picture at all", "not a JPEG"),
    "cut.jpg": (encoded(".jpg")[:60], "not a JPEG"),
    "cut.png": (encoded(".png")[:-300], "broken"),
    "cut.webp": (encoded(".webp")[:40], "broken"),
    "cut.bmp": (encoded(".bmp")[:500], "broken"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_file_is_named_in_one_line(
    name: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    content, fault = BAD[name]
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadSource) as caught:
        open_source(str(path))
    assert caught.value.name == str(path)
    assert fault in caught.value.fault
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("nowhere/film.mp4", "no such file"),
        ("nowhere.jpg", "no such file"),
        ("camera:", "camera's number"),
        ("camera:-1", "camera's number"),
        ("camera:front", "camera's number"),
        ("camera:99", "no such camera"),
        ("/dev/null", "neither a file nor a folder"),
        ("", "no file name"),
        ("a\0b", "no file name"),
        ("x" * 5000, "cannot be read"),
    ],
)
def test_bad_words(text: str, fault: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadSource) as caught:
        open_source(text)
    assert fault in caught.value.fault
    assert caught.value.name
    assert capfd.readouterr().err == ""


def test_stream_that_nobody_serves_names_no_password() -> None:
    with pytest.raises(BadSource) as caught:
        open_source("rtsp://someone:secret@127.0.0.1:1/live")
    assert caught.value.name == "rtsp://127.0.0.1:1/live"
    assert "secret" not in str(caught.value)


def test_film_cut_before_its_first_frame(tmp_path: Path) -> None:
    whole = write_film(tmp_path / "whole.mkv", [gradient(shift=at) for at in range(5)])
    cut = tmp_path / "cut.mkv"
    data = whole.read_bytes()
    first_frame = data.index(b"\xa3")  # SimpleBlock
    cut.write_bytes(data[: first_frame + 1])
    with pytest.raises(BadSource) as caught:
        open_source(str(cut))
    assert caught.value.name == str(cut)


def test_film_without_its_index(tmp_path: Path) -> None:
    whole = write_film(tmp_path / "whole.mp4", [gradient(shift=at) for at in range(5)])
    cut = tmp_path / "cut.mp4"
    data = whole.read_bytes()
    cut.write_bytes(data[: data.index(b"moov") - 4])
    with pytest.raises(BadSource, match="cut off"):
        open_source(str(cut))


def test_film_that_is_too_small(tmp_path: Path) -> None:
    small = write_film(tmp_path / "small.mp4", [gradient(30, 40)])
    with pytest.raises(BadSource, match="30x40"):
        open_source(str(small))


def test_sound_alone_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "sound.mkv"
    import av

    with av.open(str(path), "w") as container:
        stream = container.add_stream("pcm_s16le", rate=8000)
        silence = av.AudioFrame.from_ndarray(np.zeros((1, 800), np.int16), "s16", "mono")
        silence.rate = 8000
        container.mux(stream.encode(silence))
        container.mux(stream.encode(None))
    with pytest.raises(BadSource, match="holds no video"):
        open_source(str(path))


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".bmp", ".webp"])
@given(st.integers(1, 300), st.integers(1, 300))
@settings(max_examples=15, deadline=None)
def test_header_tells_the_size(suffix: str, width: int, height: int) -> None:
    assert picture_size(encoded(suffix, width, height)) == (width, height)


def test_lossless_webp_tells_the_size() -> None:
    image = np.zeros((77, 131, 3), dtype=np.uint8)
    data = cv2.imencode(".webp", image, [cv2.IMWRITE_WEBP_QUALITY, 101])[1].tobytes()
    assert data[12:16] == b"VP8L"
    assert picture_size(data) == (131, 77)


@given(st.binary(max_size=80), st.sampled_from([b"", b"\xff\xd8", b"BM", b"RIFF....WEBPVP8X"]))
@settings(max_examples=200, deadline=None)
def test_no_header_breaks_the_reader(data: bytes, start: bytes) -> None:
    size = picture_size(start + data)
    assert size is None or len(size) == 2
