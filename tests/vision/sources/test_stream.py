"""A stream from this machine, read by the real reader thread."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.vision.films import gradient, write_film
from vision.errors import BadSource
from vision.sources import LiveSource, SourceState, open_source
from vision.sources.capture import public_url


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    write_film(tmp_path / "film.mkv", [gradient(shift=at) for at in range(40)])
    (tmp_path / "page.html").write_text("<p>no film</p>")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_stream_is_live(address: str) -> None:
    source = open_source(f"{address}/film.mkv?token=secret")
    assert isinstance(source, LiveSource)
    assert source.source_id == f"{address}/film.mkv"
    frame = next(iter(source))
    assert frame.size_px == (96, 64)
    assert frame.index == 0
    assert source.status().state in (SourceState.LIVE, SourceState.RECONNECTING)
    source.close()


@pytest.mark.parametrize("name", ["page.html", "nothing.mkv"])
def test_what_is_no_stream(address: str, name: str) -> None:
    with pytest.raises(BadSource) as caught:
        open_source(f"{address}/{name}")
    assert caught.value.name == f"{address}/{name}"


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("rtsp://me:pass@cam.local:554/h264?key=1", "rtsp://cam.local:554/h264"),
        ("http://cam/video", "http://cam/video"),
        ("http://a@b:c@cam/v#x", "http://cam/v"),
    ],
)
def test_secrets_are_not_shown(url: str, shown: str) -> None:
    assert public_url(url) == shown
