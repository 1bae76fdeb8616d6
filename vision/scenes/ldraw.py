"""Reader of the LDraw parts library: part files to triangles, LDConfig to colours.

LDraw frame: right-handed, x to a figure's left, -y up, figures face -z, 1 LDU = 0.4 mm.
Format: https://www.ldraw.org/article/218.html and its back-face-culling extension (415.html).
"""

import zipfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import numpy as np
from numpy.typing import NDArray

from vision.scenes.errors import SceneError

LDU_MM = 0.4
MAIN_COLOUR = 16
_FOLDERS = ("parts", "p")


@dataclass(frozen=True, slots=True)
class Geometry:
    """Triangles of a part.

    Attributes:
        triangles: (N, 3, 3) float64, LDU, wound counter-clockwise seen from outside.
        colours: (N,) int64 colour codes; MAIN_COLOUR where the part takes the figure's colour.
    """

    triangles: NDArray[np.float64]
    colours: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Colour:
    """One colour of LDConfig: sRGB components 0..1, opacity 0..1 and its finish.

    The finish is one of "solid", "metal", "chrome", "pearl", "rubber", "other".
    """

    rgb: tuple[float, float, float]
    alpha: float
    finish: str


class Library:
    """An LDraw library in a folder or a zip (with or without the outer `ldraw/` folder)."""

    def __init__(self, path: Path) -> None:
        """Index the library.

        Raises:
            SceneError: path is neither a folder nor a zip, or holds no part.
        """
        self._root = path
        self._zip: zipfile.ZipFile | None = None
        if path.is_dir():
            names = [p.relative_to(path).as_posix() for p in path.rglob("*") if p.is_file()]
        elif path.is_file() and zipfile.is_zipfile(path):
            self._zip = zipfile.ZipFile(path)
            names = self._zip.namelist()
        else:
            raise SceneError(str(path), "no LDraw library (a folder or a zip file)")
        self._index = {name.lower().removeprefix("ldraw/"): name for name in names}
        if not any(key.startswith("parts/") for key in self._index):
            raise SceneError(str(path), "no parts/ folder in the LDraw library")
        self._cache: dict[str, Geometry] = {}

    def parts(self) -> list[str]:
        """Names of the parts themselves ("3001.dat"), sorted, subparts left out."""
        keys = (PurePosixPath(key) for key in self._index)
        return sorted(k.name for k in keys if str(k.parent) == "parts" and k.suffix == ".dat")

    def text(self, name: str) -> str:
        """Text of a part, subpart or primitive by the name a reference line uses.

        Raises:
            SceneError: there is no such file.
        """
        key = name.replace("\\", "/").lower()
        for folder in _FOLDERS:
            found = self._index.get(f"{folder}/{key}")
            if found is not None:
                return self._read(found)
        raise SceneError(name, "not in the LDraw library")

    def title(self, name: str) -> str:
        """First line of a part file without its line type."""
        return self.text(name).split("\n", 1)[0].removeprefix("0").strip()

    def geometry(self, name: str) -> Geometry:
        """Triangles of a part with all it refers to.

        Raises:
            SceneError: a file is missing or a line cannot be read.
        """
        key = name.replace("\\", "/").lower()
        if key not in self._cache:
            self._cache[key] = self._parse(key)
        return self._cache[key]

    def colours(self) -> dict[int, Colour]:
        """Colours of LDConfig.ldr by code.

        Raises:
            SceneError: the library has no LDConfig.ldr.
        """
        found = self._index.get("ldconfig.ldr")
        if found is None:
            raise SceneError(str(self._root), "no LDConfig.ldr in the LDraw library")
        return parse_colours(self._read(found))

    def _read(self, stored: str) -> str:
        if self._zip is not None:
            return self._zip.read(stored).decode("utf-8", "replace")
        return (self._root / stored).read_text("utf-8", "replace")

    def _parse(self, key: str) -> Geometry:
        own: list[list[float]] = []
        own_colours: list[int] = []
        pieces: list[Geometry] = []
        invert_next = clockwise = False
        for number, line in enumerate(self.text(key).splitlines(), 1):
            words = line.split()
            if not words:
                continue
            if words[0] == "0":
                if len(words) > 2 and words[1] == "BFC":
                    invert_next = invert_next or "INVERTNEXT" in words
                    clockwise = ("CW" in words) or (clockwise and "CCW" not in words)
                continue
            try:
                if words[0] == "1":
                    matrix = _matrix([float(w) for w in words[2:14]])
                    child = self.geometry(" ".join(words[14:]))
                    pieces.append(placed(child, matrix, int(words[1], 0), invert_next))
                elif words[0] in ("3", "4"):
                    count = 3 * int(words[0])
                    p = [float(w) for w in words[2 : 2 + count]]
                    if len(p) != count:
                        raise ValueError("too few numbers")
                    for tri in _split(p, clockwise):
                        own.append(tri)
                        own_colours.append(int(words[1], 0))
            except ValueError as error:
                raise SceneError(key, f"line {number} cannot be read: {error}") from error
            invert_next = False
        if own:
            triangles = np.array(own, dtype=np.float64).reshape(-1, 3, 3)
            pieces.append(Geometry(triangles, np.array(own_colours, dtype=np.int64)))
        return joined(pieces)


def parse_colours(text: str) -> dict[int, Colour]:
    """Colours of an LDConfig text by code; lines that are no `!COLOUR` are passed over."""
    colours: dict[int, Colour] = {}
    for line in text.splitlines():
        words = line.split()
        if len(words) < 9 or words[1] != "!COLOUR":
            continue
        value = words[words.index("VALUE") + 1].lstrip("#")
        red, green, blue = (int(value[i : i + 2], 16) / 255 for i in (0, 2, 4))
        alpha = int(words[words.index("ALPHA") + 1]) / 255 if "ALPHA" in words else 1.0
        kinds = {"CHROME": "chrome", "PEARLESCENT": "pearl", "RUBBER": "rubber", "METAL": "metal"}
        finish = next((kinds[w] for w in words if w in kinds), "solid")
        if "MATERIAL" in words:
            finish = "other"
        colours[int(words[words.index("CODE") + 1])] = Colour((red, green, blue), alpha, finish)
    return colours


def placed(
    part: Geometry, matrix: NDArray[np.float64], colour: int, invert: bool = False
) -> Geometry:
    """A part moved by a 4x4 matrix and given a colour; a mirror image keeps its outside out."""
    triangles = part.triangles @ matrix[:3, :3].T + matrix[:3, 3]
    if invert != (float(np.linalg.det(matrix[:3, :3])) < 0):
        triangles = triangles[:, ::-1]
    colours = np.where(part.colours == MAIN_COLOUR, colour, part.colours)
    return Geometry(triangles, colours)


def joined(pieces: list[Geometry]) -> Geometry:
    """All the triangles of several pieces in one."""
    if not pieces:
        return Geometry(np.zeros((0, 3, 3)), np.zeros(0, dtype=np.int64))
    return Geometry(
        np.concatenate([p.triangles for p in pieces]), np.concatenate([p.colours for p in pieces])
    )


def _matrix(v: list[float]) -> NDArray[np.float64]:
    if len(v) != 12:
        raise ValueError("too few numbers")
    matrix = np.eye(4)
    matrix[:3, 3] = v[:3]
    matrix[:3, :3] = np.reshape(v[3:], (3, 3))
    return matrix


def _split(p: list[float], clockwise: bool) -> list[list[float]]:
    corners = [p[i : i + 3] for i in range(0, len(p), 3)]
    if clockwise:
        corners.reverse()
    a, b, c = corners[:3]
    if len(corners) == 3:
        return [[*a, *b, *c]]
    return [[*a, *b, *c], [*a, *c, *corners[3]]]
