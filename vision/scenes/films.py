"""The two films: the whole small game of the demo and the second clip."""

from vision.scenes.bricks import BASEPLATE_MM, STUD_MM, baseplate, block, part_matrix, tiled, wall
from vision.scenes.camera import Camera, look_at
from vision.scenes.figure import Outfit, Part, Pose
from vision.scenes.plan import Brick, Lamp
from vision.scenes.story import Act, Actor, Story, Terrain

PLATE = 384.0


def _outfit(
    torso: str,
    colour: int,
    head: str,
    hat: tuple[str, int] | None,
    hips: int,
    legs: int,
    arms: int,
    items: tuple[tuple[str, int] | None, tuple[str, int] | None],
) -> Outfit:
    held = tuple(None if item is None else Part(f"{item[0]}.dat", item[1]) for item in items)
    return Outfit(
        Part(f"{torso}.dat", colour),
        Part(f"{head}.dat", 14),
        None if hat is None else Part(f"{hat[0]}.dat", hat[1]),
        Part("3815b.dat", hips),
        Part("3816c.dat", legs),
        arms,
        14,
        (held[0], held[1]),
    )


_MUSKET, _RIFLE, _PISTOL, _DAGGER, _SPEAR = (
    ("2561", 70),
    ("30141", 72),
    ("2562", 72),
    ("88288", 71),
    ("4497", 70),
)
_LARGE, _SMALL = ("large",), ("small", "small")

DEMO_CAST = (
    Actor(
        "R1",
        "red",
        _LARGE,
        _outfit("973p3q", 4, "3626bp03", ("2545", 0), 15, 15, 4, (_MUSKET, None)),
        Pose(55, 10, head=8),
        4,
        (216.0, 40.0),
    ),
    Actor(
        "R2",
        "red",
        _LARGE,
        _outfit("973p31", 15, "3626bp35", ("2543", 4), 4, 70, 15, (_RIFLE, None)),
        Pose(35, 0, head=-10),
        4,
        (152.0, 40.0),
    ),
    Actor(
        "R3",
        "red",
        _LARGE,
        _outfit("973p3s", 4, "3626bp3e", ("2528a", 0), 0, 4, 4, (_SPEAR, None)),
        Pose(40, 20),
        4,
        (264.0, 40.0),
    ),
    Actor(
        "R4",
        "red",
        _SMALL,
        _outfit("973p36", 4, "3626bp05", ("2544", 70), 0, 0, 4, (_PISTOL, _PISTOL)),
        Pose(40, 45, head=-5),
        4,
        None,
    ),
    Actor(
        "R5",
        "red",
        _SMALL,
        _outfit("973p41", 4, "3626bp01", ("3844", 71), 0, 4, 4, (_DAGGER, _DAGGER)),
        Pose(30, 25),
        4,
        None,
    ),
    Actor(
        "B1",
        "blue",
        _LARGE,
        _outfit("973p3n", 1, "3626bp01", ("30135", 1), 15, 15, 1, (_MUSKET, None)),
        Pose(50, 15, head=6),
        1,
        (152.0, 344.0),
    ),
    Actor(
        "B2",
        "blue",
        _SMALL,
        _outfit("973p32", 19, "3626bp04", ("2543", 1), 1, 1, 19, (_PISTOL, _DAGGER)),
        Pose(45, 30),
        1,
        (88.0, 344.0),
    ),
    Actor(
        "B3",
        "blue",
        _LARGE,
        _outfit("973p3r", 1, "3626bp3e", ("2528a", 1), 1, 15, 1, (_RIFLE, None)),
        Pose(30, 0, head=12),
        1,
        (192.0, 344.0),
    ),
    Actor(
        "B4",
        "blue",
        _LARGE,
        _outfit("973p40", 1, "3626bp05", ("4503", 7), 0, 1, 1, (_SPEAR, None)),
        Pose(40, 10),
        1,
        None,
    ),
    Actor(
        "B5",
        "blue",
        _SMALL,
        _outfit("973p3e", 15, "3626bp02", ("3901", 6), 1, 0, 1, (_PISTOL, _PISTOL)),
        Pose(35, 35, head=-8),
        1,
        None,
    ),
)

DEMO_TERRAIN = (
    Terrain("high_wall", "wall", (224, 296, 288, 304), 28.8),
    Terrain("low_wall", "wall", (64, 208, 128, 216), 9.6),
    Terrain("step_1", "stairs", (312, 136, 344, 152), 9.6, stairs=True, standable=True),
    Terrain("step_2", "stairs", (312, 152, 344, 168), 19.2, stairs=True, standable=True),
    Terrain("step_3", "stairs", (312, 168, 344, 184), 28.8, stairs=True, standable=True),
    Terrain("tower", "building", (312, 184, 344, 216), 38.4, standable=True),
)

DEMO = Story(
    49.0,
    DEMO_CAST,
    (
        Act("bring", "R4", "red", 1.5, 1.8, (96, 40), 34, -6),
        Act("bring", "B4", "blue", 3.3, 1.8, (320, 344), 34, 5),
        Act("bring", "R5", "red", 5.1, 1.8, (328, 32), 36, 7),
        Act("bring", "B5", "blue", 6.9, 1.8, (264, 344), 38, -4),
        Act("move", "R1", "red", 10.5, 2.4, (216, 136), 38, 4),
        Act("move", "R2", "red", 13.3, 2.4, (152, 168), 45, -5),
        Act("move", "R3", "red", 16.1, 2.4, (264, 208), 42, 6, legal=False),
        Act("move", "R3", "red", 20.0, 2.2, (264, 176), 34, 6),
        Act("move", "B1", "blue", 25.2, 2.4, (152, 256), 44, -3),
        Act("move", "B2", "blue", 28.0, 2.4, (40, 280), 40, 8),
        Act("lay", "R2", "red", 33.0, 2.4, (128, 168), 40, -6),
        Act("move", "R4", "red", 37.2, 2.4, (96, 128), 40, -5),
        Act("lay", "B1", "blue", 42.0, 2.4, (176, 256), 40, 5),
    ),
    DEMO_TERRAIN,
    (PLATE, PLATE),
)

SECOND_CAST = (
    Actor(
        "S1",
        "red",
        (),
        _outfit("973p90", 4, "3626bp01", ("3842b", 4), 4, 4, 4, (None, None)),
        Pose(20, -10),
        4,
        (96.0, 96.0),
    ),
    Actor(
        "S2",
        "red",
        (),
        _outfit("973p1h", 0, "3626bp04", ("2446", 15), 0, 25, 0, (None, None)),
        Pose(0, 25, head=15),
        0,
        (168.0, 88.0),
    ),
    Actor(
        "S3",
        "red",
        (),
        _outfit("973p46", 2, "3626bp03", ("4530", 6), 70, 70, 2, (("4497", 6), None)),
        Pose(40, 0),
        2,
        (216.0, 136.0),
    ),
    Actor(
        "S4",
        "blue",
        (),
        _outfit("973p42", 7, "3626bp05", ("13788", 0), 0, 1, 7, (None, None)),
        Pose(10, 30),
        14,
        (112.0, 192.0),
    ),
    Actor(
        "S5",
        "blue",
        (),
        _outfit("973p21", 0, "3626bp02", ("3833", 14), 0, 0, 0, (None, None)),
        Pose(15, 15, head=-12),
        25,
        (176.0, 184.0),
    ),
    Actor(
        "S6",
        "blue",
        (),
        _outfit("973p2a", 15, "3626bp35", ("30171", 70), 15, 15, 15, (None, None)),
        Pose(30, 0),
        15,
        (56.0, 160.0),
    ),
)

SECOND = Story(
    22.0,
    SECOND_CAST,
    (
        Act("move", "S5", "red", 1.5, 4.2, (192, 232), 36, -12),
        Act("move", "S1", "blue", 7.2, 4.2, (48, 216), 46, 66),
        Act("move", "S3", "red", 13.4, 4.6, (136, 144), 40, -14),
    ),
    (),
    (256.0, 256.0),
)


def demo_bricks() -> list[Brick]:
    """The demo's baseplate, walls, tower and stairs."""
    bricks = [baseplate(48, PLATE / 2, PLATE / 2, 0.0, 2)]
    bricks += wall(28, 37, 8, 3, True, 0.0, [72])
    bricks += wall(8, 26, 8, 1, True, 0.0, [4])
    for step, y in enumerate((17, 19, 21), 1):
        bricks += block(39, y, 4, 2, step, 0.0, [71])
    bricks += block(39, 23, 4, 4, 3, 0.0, [19, 28])
    for layer in (1, 2):
        top = 28.8 + 3.2 * layer
        bricks.append(Brick("3031.dat", 28, part_matrix(41 * STUD_MM, 25 * STUD_MM, top)))
    return bricks + tiled(39, 23, 4, 4, 35.2, 72)


def second_bricks() -> list[Brick]:
    """The second clip's baseplate and a few bricks."""
    bricks = [baseplate(32, 128.0, 128.0, 0.0, 71)]
    return bricks + wall(4, 5, 6, 2, True, 0.0, [1, 14]) + block(26, 25, 4, 4, 2, 0.0, [4])


def demo_camera(width_px: int, height_px: int) -> Camera:
    """About 60 degrees above the near edge, the plate nearly filling the picture's height."""
    return look_at(width_px, height_px, 57.0, (191.0, 162.0, 0.0), 640.0, 60.0, 2.5, 0.0)


def second_camera(width_px: int, height_px: int) -> Camera:
    """Lower and wider, from the left."""
    return look_at(width_px, height_px, 70.0, (119.0, 62.0, 10.0), 430.0, 45.0, 24.0, 1.5)


DEMO_LAMPS = (
    Lamp(200.0, 34.0, 1000.0, 60.0, 800.0, (1.0, 0.95, 0.86)),
    Lamp(70.0, 65.0, 1100.0, 900.0, 220.0, (0.9, 0.95, 1.0)),
)
SECOND_LAMPS = (
    Lamp(330.0, 48.0, 900.0, 160.0, 480.0, (1.0, 0.98, 0.94)),
    Lamp(120.0, 60.0, 900.0, 700.0, 330.0, (1.0, 0.9, 0.8)),
)
TABLE_LEVEL_MM = -BASEPLATE_MM
