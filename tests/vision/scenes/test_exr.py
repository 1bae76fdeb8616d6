import struct
from pathlib import Path

import numpy as np
import pytest

from vision.scenes.errors import SceneError
from vision.scenes.exr import read


def attribute(name: str, kind: str, value: bytes) -> bytes:
    return f"{name}\0{kind}\0".encode() + struct.pack("<I", len(value)) + value


def header(channels: dict[str, int], width: int, height: int, compression: int = 0) -> bytes:
    listed = b"".join(
        f"{n}\0".encode() + struct.pack("<IIii", kind, 0, 1, 1) for n, kind in channels.items()
    )
    return (
        attribute("channels", "chlist", listed + b"\0")
        + attribute("compression", "compression", bytes([compression]))
        + attribute("dataWindow", "box2i", struct.pack("<4i", 0, 0, width - 1, height - 1))
        + b"\0"
    )


def write(path: Path, parts: list[dict[str, np.ndarray]], compression: int = 0) -> None:
    many = len(parts) > 1
    heads, chunks = b"", []
    for number, channels in enumerate(parts):
        height, width = next(iter(channels.values())).shape
        kinds = {n: 1 if a.dtype == np.float16 else 2 for n, a in channels.items()}
        heads += header(kinds, width, height, compression)
        rows = [b"".join(a[y].tobytes() for a in channels.values()) for y in range(height)]
        chunks.append(
            [
                (struct.pack("<i", number) if many else b"") + struct.pack("<ii", y, len(r)) + r
                for y, r in enumerate(rows)
            ]
        )
    start = struct.pack("<II", 20000630, 2 | (0x1000 if many else 0)) + heads
    start += b"\0" if many else b""
    place = len(start) + 8 * sum(map(len, chunks))
    table, body = b"", b""
    for rows in chunks:
        for row in rows:
            table += struct.pack("<Q", place + len(body))
            body += row
    path.write_bytes(start + table + body)


@pytest.mark.parametrize("split", [False, True])
def test_reads_back_what_was_written(tmp_path: Path, split: bool) -> None:
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    b = (a / 7).astype(np.float16)
    parts = [{"l.B": b}, {"l.Index.X": a}] if split else [{"l.B": b, "l.Index.X": a}]
    write(tmp_path / "x.exr", parts)
    got = read(tmp_path / "x.exr")
    assert set(got) == {"l.B", "l.Index.X"}
    assert np.array_equal(got["l.Index.X"], a)
    assert np.array_equal(got["l.B"], b.astype(np.float32))


def test_refuses_what_it_cannot_read(tmp_path: Path) -> None:
    (tmp_path / "t.exr").write_text("no picture")
    with pytest.raises(SceneError, match="no EXR"):
        read(tmp_path / "t.exr")
    write(tmp_path / "z.exr", [{"A": np.zeros((2, 2), np.float32)}], compression=3)
    with pytest.raises(SceneError, match="compressed"):
        read(tmp_path / "z.exr")
