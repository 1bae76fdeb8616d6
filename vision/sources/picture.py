"""Photos: one file, or a folder of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from vision.errors import BadSource
from vision.frames import Frame, Image
from vision.sources.header import picture_size, png_is_whole

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp"})
MIN_SIDE_PX = 32
MAX_PIXELS = 100_000_000
FOLDER_STEP_NS = 1_000_000_000
"""Photos carry no time of their own: a folder plays at one a second."""

# Broken pictures would otherwise be reported on stderr a second time, by OpenCV itself.
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)


def is_picture(path: Path) -> bool:
    """Whether the name is that of a photo."""
    return path.suffix.lower() in SUFFIXES


def size_fault(width: int, height: int) -> str | None:
    """What is wrong with a picture of that size, or None."""
    if min(width, height) < MIN_SIDE_PX:
        return f"picture of {width}x{height} pixels is under {MIN_SIDE_PX} on a side"
    if width * height > MAX_PIXELS:
        return f"picture of {width}x{height} pixels is over {MAX_PIXELS // 1_000_000} megapixels"
    return None


def read_picture(path: Path, name: str | None = None) -> Image:
    """Read a photo, turned as its EXIF data says.

    Args:
        path: The file.
        name: What to call it in errors; the path by default.

    Returns:
        (H, W, 3) BGR.

    Raises:
        BadSource: Missing, no picture, broken, too small or too large.
    """
    name = name or str(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadSource(name, f"cannot be read ({error.strerror})") from error
    if not data:
        raise BadSource(name, "file is empty")
    size = picture_size(data)
    if size is None:
        raise BadSource(name, "not a JPEG, PNG, BMP or WebP picture")
    fault = size_fault(*size)
    if fault:
        raise BadSource(name, fault)
    if data.startswith(b"\x89PNG") and not png_is_whole(data):
        raise BadSource(name, "picture is broken or cut off")
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise BadSource(name, "picture is broken or cut off") from error
    if image is None:
        raise BadSource(name, "picture is broken or cut off")
    return np.asarray(image, dtype=np.uint8)


class PhotoSource:
    """One photo as a source of one frame."""

    warnings: tuple[str, ...] = ()
    expected_frames: int | None = 1

    def __init__(self, path: Path) -> None:
        """Read the photo.

        Raises:
            BadSource: It cannot be used.
        """
        self._frame = Frame(0, 0, path.name, read_picture(path))

    @property
    def source_id(self) -> str:
        """File name."""
        return self._frame.source_id

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        return self._frame.size_px

    def __iter__(self) -> Iterator[Frame]:
        """The one frame."""
        yield self._frame

    def close(self) -> None:
        """Nothing to let go of."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A picture of a folder that cannot be used.

    Attributes:
        name: File name.
        fault: What is wrong with it.
    """

    name: str
    fault: str


class FolderSource:
    """The photos of a folder by name; not below it, other files passed over."""

    def __init__(self, path: Path) -> None:
        """List the folder.

        Raises:
            BadSource: It cannot be listed or holds no photo.
        """
        self._path = path
        try:
            self._files = sorted(p for p in path.iterdir() if is_picture(p) and p.is_file())
        except OSError as error:
            raise BadSource(str(path), f"cannot be read ({error.strerror})") from error
        if not self._files:
            raise BadSource(str(path), "folder holds no .jpg, .jpeg, .png, .bmp or .webp picture")
        self._faults: tuple[Unreadable, ...] = ()

    @property
    def source_id(self) -> str:
        """Folder name."""
        return self._path.name or str(self._path)

    @property
    def expected_frames(self) -> int | None:
        """Photos in it, readable or not."""
        return len(self._files)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Pictures passed over in the last run."""
        return tuple(f"{fault.name}: {fault.fault}" for fault in self._faults)

    def pictures(self) -> Iterator[Frame | Unreadable]:
        """Every photo in order, with what is wrong where one cannot be used.

        ``source_id`` of a frame is the file's name, its index counts all photos of the folder.
        """
        for index, file in enumerate(self._files):
            try:
                image = read_picture(file, file.name)
            except BadSource as error:
                yield Unreadable(file.name, error.fault)
            else:
                yield Frame(index, index * FOLDER_STEP_NS, file.name, image)

    def __iter__(self) -> Iterator[Frame]:
        """The readable photos.

        Raises:
            BadSource: None of them is readable.
        """
        self._faults = ()
        for found in self.pictures():
            if isinstance(found, Unreadable):
                self._faults += (found,)
            else:
                yield found
        if len(self._faults) == len(self._files):
            raise BadSource(str(self._path), f"no picture is readable ({self.warnings[0]})")

    def close(self) -> None:
        """Nothing to let go of."""
