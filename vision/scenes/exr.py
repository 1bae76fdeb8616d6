"""Reader of uncompressed scanline OpenEXR pictures: any channels, 16 or 32 bits.

Blender cannot hand the passes of a multilayer picture back to Python, so they are read from the
file. Layout: https://openexr.com/en/latest/OpenEXRFileLayout.html
"""

import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.scenes.errors import SceneError

_MAGIC = 20000630
_MULTIPART = 0x1000
_TYPES: dict[int, np.dtype[Any]] = {0: np.dtype("<u4"), 1: np.dtype("<f2"), 2: np.dtype("<f4")}


def read(path: Path) -> dict[str, NDArray[np.float32]]:
    """Channels (H, W) float32 by their full name, of all parts.

    Raises:
        SceneError: the file is no uncompressed scanline EXR.
    """
    data = path.read_bytes()
    if len(data) < 8 or struct.unpack_from("<I", data)[0] != _MAGIC:
        raise SceneError(str(path), "no EXR picture")
    many = bool(struct.unpack_from("<I", data, 4)[0] & _MULTIPART)
    parts, at = [], 8
    while True:
        attributes, at = _header(data, at)
        if attributes["compression"] != b"\0":
            raise SceneError(str(path), "a compressed EXR picture")
        parts.append(attributes)
        if not many or not data[at]:
            break
    at += many
    channels: dict[str, NDArray[np.float32]] = {}
    for attributes in parts:
        channels |= _rows(data, at, attributes, many)
        at += 8 * _size(attributes)[1]
    return channels


def _size(attributes: dict[str, bytes]) -> tuple[int, int]:
    x0, y0, x1, y1 = struct.unpack("<4i", attributes["dataWindow"])
    return x1 - x0 + 1, y1 - y0 + 1


def _rows(
    data: bytes, table: int, attributes: dict[str, bytes], many: bool
) -> dict[str, NDArray[np.float32]]:
    width, height = _size(attributes)
    channels = _channels(attributes["channels"])
    row = np.dtype([(name, kind, (width,)) for name, kind in channels])
    # a chunk opens with the part's number where there are several, its row and its size
    skip = 12 if many else 8
    places = np.frombuffer(data, dtype="<u8", count=height, offset=table) + skip
    rows = np.array([np.frombuffer(data, row, 1, int(place))[0] for place in places])
    return {name: rows[name].astype(np.float32) for name, _ in channels}


def _header(data: bytes, at: int) -> tuple[dict[str, bytes], int]:
    attributes = {}
    while data[at]:
        name_end = data.index(b"\0", at)
        kind_end = data.index(b"\0", name_end + 1)
        (size,) = struct.unpack_from("<I", data, kind_end + 1)
        value = kind_end + 5
        attributes[data[at:name_end].decode()] = data[value : value + size]
        at = value + size
    return attributes, at + 1


def _channels(value: bytes) -> list[tuple[str, np.dtype[Any]]]:
    channels: list[tuple[str, np.dtype[Any]]] = []
    at = 0
    while value[at]:
        end = value.index(b"\0", at)
        (kind,) = struct.unpack_from("<I", value, end + 1)
        channels.append((value[at:end].decode(), _TYPES[kind]))
        at = end + 17
    return channels
