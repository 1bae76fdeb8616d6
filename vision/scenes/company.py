"""The figures of all kinds that a block of pictures draws from, made of a split's material."""

from dataclasses import replace

import numpy as np

from vision.scenes.animals import ldraw_animal
from vision.scenes.figure import Figure
from vision.scenes.figure import Pose as LegoPose
from vision.scenes.figure import assemble as assemble_lego
from vision.scenes.invented import drawn, is_invented
from vision.scenes.ldraw import Library
from vision.scenes.playmobil import ADULT, CHILD, Outfit, Pose, assemble
from vision.scenes.playmobil_horse import Coat, Gait, horse
from vision.scenes.playmobil_prints import Cloth
from vision.scenes.recipe import Split
from vision.scenes.shapes import rgb
from vision.scenes.vehicles import Paint, vehicle
from vision.scenes.wardrobe import outfit, random_figures

COUNTS = {"minifig": 44, "playmobil": 44, "riders": 6, "animals": 14, "vehicles": 9}
_SKINS = (
    rgb(244, 196, 158),
    rgb(244, 196, 158),
    rgb(232, 172, 130),
    rgb(200, 140, 96),
    rgb(146, 92, 58),
    rgb(92, 56, 36),
    rgb(62, 40, 28),
)
_ODD_SKINS = (rgb(120, 160, 80), rgb(235, 235, 225), rgb(150, 155, 160), rgb(245, 205, 70))
_HAIR = (
    rgb(48, 30, 18),
    rgb(28, 24, 22),
    rgb(96, 58, 28),
    rgb(214, 176, 92),
    rgb(160, 70, 28),
    rgb(150, 150, 150),
    rgb(232, 230, 222),
)
_COATS = (
    (112, 66, 38),
    (60, 38, 26),
    (34, 32, 32),
    (236, 234, 228),
    (150, 150, 148),
    (186, 140, 88),
    (150, 88, 44),
)
_WOOD = ((112, 70, 36), (146, 100, 56), (80, 50, 28), (170, 128, 82), (90, 88, 84))


def dye(rng: np.random.Generator) -> int:
    """A colour of moulded plastic or print: bright, dark, earthy or white."""
    kind = rng.random()
    if kind < 0.5:
        hue = np.array([rng.random(), rng.random(), rng.random()])
        hue = (hue - hue.min()) / max(float(np.ptp(hue)), 1e-6)
        shade = 40 + 200 * float(rng.uniform(0.35, 1)) * (0.12 + 0.88 * hue)
    elif kind < 0.7:
        shade = np.array([1.0, 0.72, 0.46]) * float(rng.uniform(40, 230))
    else:
        shade = np.full(3, float(rng.choice([26, 50, 110, 160, 215, 242])))
    red, green, blue = (int(np.clip(v, 0, 255)) for v in shade)
    return rgb(red, green, blue)


def random_company(library: Library, split: Split, rng: np.random.Generator) -> list[Figure]:
    """Figures, riders, animals and vehicles of a split with a mix.

    Raises:
        SceneError: a part of the split is not in the library.
    """
    company = random_figures(library, split, COUNTS["minifig"], rng)
    company += [_playmobil(split, rng, "") for _ in range(COUNTS["playmobil"])]
    for riding in ("astride", "sitting"):
        for _ in range(COUNTS["riders"]):
            company.append(_playmobil(split, rng, riding))
            company.append(_lego_rider(library, split, rng, riding))
    for _ in range(COUNTS["animals"]):
        name = str(rng.choice(split.kinds["animals"]))
        own = name == "horse" or rng.random() < 0.35
        company.append(_horse(rng) if own else ldraw_animal(library, f"{name}.dat", rng))
    for _ in range(COUNTS["vehicles"]):
        style = str(rng.choice(split.kinds["vehicles"]))
        company.append(vehicle(style, _paint(style, rng), library, rng))
    return company


def _lego_rider(library: Library, split: Split, rng: np.random.Generator, riding: str) -> Figure:
    """A LEGO figure that stands in a horse's gap or sits on a cart."""
    arms = [float(rng.normal(30, 25)) for _ in range(2)]
    legs = 0.0 if riding == "astride" else 85.0
    pose = LegoPose(arms[0], arms[1], legs, legs, float(rng.normal(0, 20)))
    return assemble_lego(library, outfit(split, rng), pose, riding)


def _playmobil(split: Split, rng: np.random.Generator, riding: str) -> Figure:
    kinds = split.kinds
    skin = int(rng.choice(_SKINS if rng.random() < 0.93 else _ODD_SKINS))
    cloth = Cloth(dye(rng), dye(rng), dye(rng))
    tools: list[str | None] = [None, None]
    for side, chance in ((0, 0.5), (1, 0.25)):
        if rng.random() < chance:
            tools[side] = str(rng.choice(kinds["tools"]))
    extras = tuple(
        str(v) for v in rng.permutation(kinds["extras"])[: int(rng.choice([0, 0, 1, 2]))]
    )
    hat = None
    if rng.random() < 0.5:
        hat = (drawn(str(rng.choice(kinds["hats"])), rng), dye(rng), dye(rng))
    skirt = riding == "" and rng.random() < 0.2
    dressed = Outfit(
        skin,
        drawn(str(rng.choice(kinds["prints"])), rng),
        cloth,
        cloth.main if rng.random() < 0.7 else dye(rng),
        (cloth.trim if rng.random() < 0.6 else dye(rng)) if rng.random() < 0.45 else None,
        cloth.main if rng.random() < 0.25 else dye(rng),
        dye(rng) if rng.random() < 0.5 else rgb(38, 32, 28),
        bool(skirt),
        (drawn(str(rng.choice(kinds["hairs"])), rng), int(rng.choice(_HAIR))),
        hat,
        bool(rng.random() < 0.18),
        extras,
        (tools[0], tools[1]),
    )
    if is_invented(dressed.print):
        boots = float(rng.uniform(0.1, 0.75)) if rng.random() < 0.35 else 0.0
        sleeves = float(rng.uniform(0.1, 0.8)) if rng.random() < 0.25 else 1.0
        dressed = replace(dressed, boots=boots, sleeves=sleeves)
    arm_right, arm_left = (float(np.clip(rng.normal(18, 35), -70, 170)) for _ in range(2))
    wrist_right, wrist_left = (float(rng.normal(0, 30)) for _ in range(2))
    bend = float(rng.normal(0, 8)) if rng.random() < 0.2 else 0.0
    legs, apart = 0.0, 0.0
    if riding == "astride":
        legs, apart = float(rng.uniform(0, 25)), 17.0
    elif riding == "sitting" or (not skirt and rng.random() < 0.04):
        legs = 90.0
    head = float(rng.normal(0, 22))
    pose = Pose(arm_right, arm_left, wrist_right, wrist_left, bend, legs, apart, head)
    return assemble(dressed, pose, CHILD if rng.random() < 0.22 else ADULT)


def _horse(rng: np.random.Generator) -> Figure:
    body = rgb(*_COATS[int(rng.integers(len(_COATS)))])
    mane = rgb(*_COATS[int(rng.integers(len(_COATS)))]) if rng.random() < 0.6 else body
    saddle = dye(rng) if rng.random() < 0.65 else None
    coat = Coat(
        body,
        mane,
        rgb(60, 52, 44) if rng.random() < 0.7 else rgb(30, 28, 28),
        body if rng.random() < 0.6 else rgb(236, 234, 228),
        saddle,
        dye(rng) if saddle is not None and rng.random() < 0.4 else None,
    )
    swing = float(rng.choice([0.0, 6.0, 16.0]))
    front, rear, left, right = (float(v) for v in rng.normal(0, 1, 4) * swing)
    grazing = rng.random() < 0.12
    neck = float(rng.uniform(45, 75) if grazing else rng.normal(2, 9))
    return horse(coat, Gait(neck, float(rng.normal(0, 12)), (front, rear, left, right)))


def _paint(style: str, rng: np.random.Generator) -> Paint:
    if style.startswith("brick_"):
        codes = (70, 0, 4, 14, 72, 71, 15, 1, 2, 19, 28, 308)
        body, wheels, trim = (int(v) for v in rng.choice(codes, 3))
        return Paint(body, wheels, trim)
    wood = rgb(*_WOOD[int(rng.integers(len(_WOOD)))])
    size = float(rng.choice([1.0, 1.0, 0.62]) * rng.uniform(0.92, 1.08))
    if style == "car":
        return Paint(dye(rng), rgb(26, 26, 28), dye(rng), size)
    wheels = wood if rng.random() < 0.5 else dye(rng)
    trim = rgb(232, 226, 208) if style == "covered" and rng.random() < 0.6 else dye(rng)
    return Paint(wood if rng.random() < 0.7 else dye(rng), wheels, trim, size)
