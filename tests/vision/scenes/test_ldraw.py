import zipfile
from pathlib import Path

import numpy as np
import pytest

from vision.scenes.errors import SceneError
from vision.scenes.ldraw import Library, parse_colours, placed
from vision.scenes.mesh import surface_points, weld

# one square in the plane y = 0, its outside up (-y), in the part's own colour and in red
PLATE = """0 A plate
0 BFC CERTIFY CCW
4 16 0 0 0 1 0 0 1 0 1 0 0 1

3 4 0 0 0 1 0 0 1 0 1
"""
COLOURS = """0 !COLOUR Red CODE 4 VALUE #FF0000 EDGE #000000
0 !COLOUR Glass CODE 47 VALUE #FCFCFC EDGE #C3C3C3 ALPHA 128
0 !COLOUR Gold CODE 82 VALUE #DBAC34 EDGE #000000 METAL
0 // a remark that is no colour at all, with more than nine words in it, yes
"""


def make(folder: Path, **parts: str) -> Library:
    (folder / "parts" / "s").mkdir(parents=True)
    (folder / "p").mkdir()
    (folder / "p" / "plate.dat").write_text(PLATE)
    (folder / "LDConfig.ldr").write_text(COLOURS)
    (folder / "parts" / "any.dat").write_text("0 Any part\n")
    for name, text in parts.items():
        (folder / "parts" / f"{name}.dat").write_text(text)
    return Library(folder)


def normals(triangles: np.ndarray) -> np.ndarray:
    a, b, c = (triangles[:, i] for i in range(3))
    return np.cross(b - a, c - a)


def test_quad_and_triangle_with_colours(tmp_path: Path) -> None:
    part = make(tmp_path).geometry("plate.dat")
    assert part.triangles.shape == (3, 3, 3)
    assert sorted(part.colours.tolist()) == [4, 16, 16]
    assert np.allclose(normals(part.triangles)[:, 1], -1)


def test_reference_moves_scales_and_colours(tmp_path: Path) -> None:
    text = "0 A part\n1 14 10 20 30 2 0 0 0 1 0 0 0 2 plate.dat\n"
    part = make(tmp_path, big=text).geometry("big.dat")
    corners = part.triangles.reshape(-1, 3)
    assert corners.min(0).tolist() == [10, 20, 30]
    assert corners.max(0).tolist() == [12, 20, 32]
    assert sorted(part.colours.tolist()) == [4, 14, 14]


@pytest.mark.parametrize(
    ("line", "up"),
    [
        ("1 16 0 0 0 1 0 0 0 1 0 0 0 1 plate.dat", True),
        ("1 16 0 0 0 -1 0 0 0 1 0 0 0 1 plate.dat", True),  # a mirror image stays right side out
        ("0 BFC INVERTNEXT\n1 16 0 0 0 1 0 0 0 1 0 0 0 1 plate.dat", False),
        ("0 BFC CERTIFY CW\n3 16 0 0 0 1 0 0 1 0 1", False),
    ],
)
def test_winding(tmp_path: Path, line: str, up: bool) -> None:
    part = make(tmp_path, turned=f"0 Part\n{line}\n").geometry("turned.dat")
    assert (normals(part.triangles)[:, 1] < 0).all() == up


def test_invertnext_holds_for_one_reference(tmp_path: Path) -> None:
    line = "1 16 0 0 0 1 0 0 0 1 0 0 0 1 plate.dat\n"
    part = make(tmp_path, two=f"0 Two\n0 BFC INVERTNEXT\n{line}{line}").geometry("two.dat")
    up = normals(part.triangles)[:, 1] < 0
    assert up.sum() == 3
    assert (~up).sum() == 3


def test_subpart_by_backslash_and_case(tmp_path: Path) -> None:
    library = make(tmp_path, whole="0 Whole\n1 16 0 0 0 1 0 0 0 1 0 0 0 1 S\\Half.DAT\n")
    (tmp_path / "parts" / "s" / "half.dat").write_text(PLATE)
    library = Library(tmp_path)
    assert len(library.geometry("whole.dat").triangles) == 3
    assert library.parts() == ["any.dat", "whole.dat"]
    assert library.title("whole.dat") == "Whole"


def test_zip_with_outer_folder(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "l.zip", "w") as archive:
        archive.writestr("ldraw/parts/plate.dat", PLATE)
        archive.writestr("ldraw/LDConfig.ldr", COLOURS)
    library = Library(tmp_path / "l.zip")
    assert len(library.geometry("plate.dat").triangles) == 3
    assert library.colours()[4].rgb == (1.0, 0.0, 0.0)


def test_colours() -> None:
    colours = parse_colours(COLOURS)
    assert set(colours) == {4, 47, 82}
    assert colours[47].alpha == pytest.approx(128 / 255)
    assert (colours[4].finish, colours[82].finish) == ("solid", "metal")


@pytest.mark.parametrize(
    "line", ["3 16 0 0 0 1 0 0 1 0", "3 16 0 0 0 1 0 0 1 0 x", "1 16 0 plate.dat"]
)
def test_broken_line_is_named(tmp_path: Path, line: str) -> None:
    library = make(tmp_path, bad=f"0 Bad\n{line}\n")
    with pytest.raises(SceneError, match="line 2") as caught:
        library.geometry("bad.dat")
    assert caught.value.file == "bad.dat"


def test_missing_part_and_library(tmp_path: Path) -> None:
    library = make(tmp_path, odd="0 Odd\n1 16 0 0 0 1 0 0 0 1 0 0 0 1 nowhere.dat\n")
    with pytest.raises(SceneError, match=r"nowhere\.dat"):
        library.geometry("odd.dat")
    with pytest.raises(SceneError, match="no LDraw library"):
        Library(tmp_path / "absent")
    (tmp_path / "empty").mkdir()
    with pytest.raises(SceneError, match="no parts/"):
        Library(tmp_path / "empty")


def test_weld_and_surface_points(tmp_path: Path) -> None:
    part = make(tmp_path).geometry("plate.dat")
    mesh = weld(part)
    assert len(mesh.vertices) == 4
    assert mesh.colours == (4, 16)
    assert np.allclose(mesh.vertices[mesh.faces], part.triangles)
    points = surface_points(placed(part, np.diag([8.0, 1, 1, 1]), 2), 500, np.random.default_rng(1))
    assert points.shape == (500, 3)
    assert points[:, 0].max() > 7
    assert np.abs(points[:, 1]).max() == 0
