"""Things built of bricks on the stud grid: baseplates, walls, blocks, small bases.

Places are in studs along x and y from the table's origin; z is in mm.
"""

import numpy as np

from vision.scenes.figure import move, turn
from vision.scenes.ldraw import LDU_MM, Geometry
from vision.scenes.plan import Brick, Matrix

STUD_MM = 8.0
BRICK_MM = 9.6
PLATE_MM = 3.2
BASEPLATE_MM = 1.6
BASEPLATES = {48: "4186.dat", 32: "3811.dat", 16: "3867.dat"}
_LENGTHS = {8: "3008.dat", 6: "3009.dat", 4: "3010.dat", 2: "3004.dat", 1: "3005.dat"}
_AXES = LDU_MM * np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


def part_matrix(x_mm: float, y_mm: float, top_mm: float, yaw_deg: float = 0.0) -> Matrix:
    """Matrix that sets a part upright: its LDraw origin (the top face) at x, y, top."""
    upright = np.eye(4)
    upright[:3, :3] = _AXES
    matrix: Matrix = move(x_mm, y_mm, top_mm) @ turn("z", yaw_deg) @ upright
    return matrix


def at_rest(part: Geometry, matrix: Matrix) -> Matrix:
    """The matrix with the part's lowest point as high as it puts the part's origin."""
    low = float((part.triangles.reshape(-1, 3) @ matrix[2, :3]).min())
    lifted: Matrix = move(0.0, 0.0, -low) @ matrix
    return lifted


def baseplate(studs: int, x_mm: float, y_mm: float, face_mm: float, colour: int) -> Brick:
    """A square baseplate about a middle, its upper face at a height."""
    return Brick(BASEPLATES[studs], colour, part_matrix(x_mm, y_mm, face_mm))


def wall(
    x: int, y: int, length: int, rows: int, along_x: bool, z_mm: float, colours: list[int]
) -> list[Brick]:
    """A wall one stud thick in running bond from the stud corner (x, y)."""
    bricks = []
    for row in range(rows):
        place = 0
        first = 4 if row % 2 == 0 else 2
        while place < length:
            want = first if place == 0 else 4
            size = next(s for s in _LENGTHS if s <= min(want, length - place))
            middle, half = (place + size / 2) * STUD_MM, STUD_MM / 2
            px = x * STUD_MM + (middle if along_x else half)
            py = y * STUD_MM + (half if along_x else middle)
            top = z_mm + (row + 1) * BRICK_MM
            yaw = 0.0 if along_x else 90.0
            colour = colours[(row + place) % len(colours)]
            bricks.append(Brick(_LENGTHS[size], colour, part_matrix(px, py, top, yaw)))
            place += size
    return bricks


def block(
    x: int, y: int, size_x: int, size_y: int, rows: int, z_mm: float, colours: list[int]
) -> list[Brick]:
    """A solid block of 2x4 and 2x2 bricks (even sizes) from the stud corner (x, y)."""
    bricks = []
    for row in range(rows):
        for j in range(0, size_y, 2):
            i = 0
            while i < size_x:
                size = 4 if size_x - i >= 4 and not (row % 2 and i == 0 and size_x > 2) else 2
                px, py = (x + i + size / 2) * STUD_MM, (y + j + 1) * STUD_MM
                name = "3001.dat" if size == 4 else "3003.dat"
                colour = colours[(row + j // 2) % len(colours)]
                top = z_mm + (row + 1) * BRICK_MM
                bricks.append(Brick(name, colour, part_matrix(px, py, top)))
                i += size
    return bricks


def tiled(x: int, y: int, size_x: int, size_y: int, z_mm: float, colour: int) -> list[Brick]:
    """2x2 tiles laid on a top of even size; they raise it by a plate."""
    return [
        Brick(
            "3068b.dat",
            colour,
            part_matrix((x + i + 1) * STUD_MM, (y + j + 1) * STUD_MM, z_mm + PLATE_MM),
        )
        for i in range(0, size_x, 2)
        for j in range(0, size_y, 2)
    ]


def plate_base(colour: int, yaw_deg: float = 0.0) -> tuple[Brick, ...]:
    """2x2 base of two jumper plates, so that the feet stand in its middle.

    In the figure frame: feet along y, upper face at z = 0.
    """
    return tuple(
        Brick("15573.dat", colour, turn("z", yaw_deg) @ part_matrix(0.0, y, 0.0, 0.0))
        for y in (-STUD_MM / 2, STUD_MM / 2)
    )
