"""Procedural Blender materials of the table top, of skin and of the simple props."""

from typing import Any

import numpy as np

from vision.scenes.nodes import RGB, Nodes, dim, triple
from vision.scenes.patchwork import PATCHWORK


def table(kind: str, rng: np.random.Generator) -> Any:
    """A table top of one of the kinds of TABLES, its colours and grain drawn from rng."""
    return TABLES[kind](rng)


def skin(rgb: RGB, rng: np.random.Generator) -> Any:
    """Skin with slight blotches and pores."""
    nodes = Nodes(float(rng.uniform(0.4, 0.65)))
    where = nodes.coordinates(0.0, 1.0)
    noise = nodes.add("ShaderNodeTexNoise", Scale=float(rng.uniform(2, 5)), Detail=4.0)
    nodes.join(where, noise.inputs["Vector"])
    red = (min(1.0, rgb[0] * 1.12), rgb[1] * 0.82, rgb[2] * 0.78)
    pale = (min(1.0, rgb[0] * 1.1), min(1.0, rgb[1] * 1.12), min(1.0, rgb[2] * 1.12))
    nodes.colour(nodes.ramp(noise.outputs["Fac"], [(0.3, red), (0.5, rgb), (0.72, pale)]))
    pores = nodes.add("ShaderNodeTexNoise", Scale=30.0, Detail=2.0)
    nodes.join(where, pores.inputs["Vector"])
    nodes.bump(pores.outputs["Fac"], 0.25)
    return nodes.material


def printed(rng: np.random.Generator, scale: float) -> Any:
    """Coloured shapes as on a printed card or cloth."""
    nodes = Nodes(float(rng.uniform(0.2, 0.8)))
    where = nodes.coordinates(float(rng.uniform(0, 3)), float(rng.uniform(0.5, 2)))
    if rng.random() < 0.5:
        cells = nodes.add("ShaderNodeTexVoronoi", Scale=scale)
        value = cells.outputs["Distance"]
    else:
        cells = nodes.add("ShaderNodeTexNoise", Scale=scale, Detail=float(rng.uniform(0, 5)))
        value = cells.outputs["Fac"]
    nodes.join(where, cells.inputs["Vector"])
    colours = [triple(rng.random(3) ** 1.5) for _ in range(4)]
    nodes.colour(nodes.ramp(value, list(zip((0.2, 0.4, 0.55, 0.75), colours, strict=True))))
    return nodes.material


def _brown(rng: np.random.Generator) -> RGB:
    tone = rng.uniform(0.08, 0.6)
    return triple(tone * np.array([1.0, rng.uniform(0.55, 0.72), rng.uniform(0.25, 0.5)]))


def _grain(nodes: Nodes, rng: np.random.Generator, turn_rad: float) -> Any:
    where = nodes.coordinates(turn_rad, 0.12)
    noise = nodes.add("ShaderNodeTexNoise", Scale=float(rng.uniform(3, 9)), Detail=6.0)
    noise.inputs["Distortion"].default_value = float(rng.uniform(0.2, 1.5))
    nodes.join(where, noise.inputs["Vector"])
    return noise.outputs["Fac"]


def _wood(rng: np.random.Generator) -> Any:
    nodes = Nodes(float(rng.uniform(0.25, 0.6)))
    grain = _grain(nodes, rng, float(rng.uniform(0, 3.1)))
    base = _brown(rng)
    dark = dim(base, float(rng.uniform(0.35, 0.8)))
    nodes.colour(nodes.ramp(grain, [(0.35, dark), (0.5, base), (0.65, dim(base, 1.15))]))
    return nodes.material


def _planks(rng: np.random.Generator) -> Any:
    nodes = Nodes(0.4)
    grain = _grain(nodes, rng, 1.57)
    base = (0.36, 0.19, 0.085)
    wood = nodes.ramp(grain, [(0.35, dim(base, 0.55)), (0.5, base), (0.65, dim(base, 1.3))])
    brick = nodes.add("ShaderNodeTexBrick", Scale=1.0, Mortar_Size=0.012)
    brick.inputs["Brick Width"].default_value = 7.0
    brick.inputs["Row Height"].default_value = 0.9
    brick.inputs["Color1"].default_value = (1.0, 1.0, 1.0, 1.0)
    brick.inputs["Color2"].default_value = (0.7, 0.7, 0.7, 1.0)
    brick.inputs["Mortar"].default_value = (0.15, 0.15, 0.15, 1.0)
    nodes.join(nodes.coordinates(0.03, 1.0), brick.inputs["Vector"])
    mix = nodes.add("ShaderNodeMixRGB", Fac=1.0)
    mix.blend_type = "MULTIPLY"
    nodes.join(wood, mix.inputs["Color1"])
    nodes.join(brick.outputs["Color"], mix.inputs["Color2"])
    nodes.colour(mix.outputs["Color"])
    return nodes.material


def _cloth(rng: np.random.Generator) -> Any:
    nodes = Nodes(0.95)
    where = nodes.coordinates(float(rng.uniform(0, 3)), 1.0)
    noise = nodes.add("ShaderNodeTexNoise", Scale=float(rng.uniform(15, 60)), Detail=3.0)
    nodes.join(where, noise.inputs["Vector"])
    base = triple(rng.random(3) ** 1.6 * 0.8 + 0.02)
    nodes.colour(nodes.ramp(noise.outputs["Fac"], [(0.3, dim(base, 0.7)), (0.7, base)]))
    nodes.bump(noise.outputs["Fac"], 0.5)
    return nodes.material


def _plain(rng: np.random.Generator) -> Any:
    nodes = Nodes(float(rng.uniform(0.3, 0.9)))
    grey = rng.random() < 0.5
    base = np.full(3, rng.uniform(0.05, 0.85)) if grey else rng.random(3) * 0.8
    nodes.bsdf.inputs["Base Color"].default_value = (*triple(base), 1.0)
    return nodes.material


def _gloss(rng: np.random.Generator) -> Any:
    nodes = Nodes(float(rng.uniform(0.05, 0.25)))
    nodes.bsdf.inputs["Base Color"].default_value = (*triple(rng.random(3) * 0.08), 1.0)
    return nodes.material


def _print(rng: np.random.Generator) -> Any:
    return printed(rng, float(rng.uniform(0.5, 12)))


def _marble(rng: np.random.Generator) -> Any:
    nodes = Nodes(0.2)
    where = nodes.coordinates(float(rng.uniform(0, 3)), 1.0)
    noise = nodes.add("ShaderNodeTexNoise", Scale=1.5, Detail=8.0, Distortion=3.0)
    nodes.join(where, noise.inputs["Vector"])
    pale = triple(np.full(3, rng.uniform(0.4, 0.8)) * np.array([1.0, 0.97, 0.93]))
    nodes.colour(
        nodes.ramp(noise.outputs["Fac"], [(0.42, pale), (0.5, dim(pale, 0.4)), (0.56, pale)])
    )
    return nodes.material


def _tiles(rng: np.random.Generator) -> Any:
    nodes = Nodes(0.35)
    checker = nodes.add("ShaderNodeTexChecker", Scale=float(rng.uniform(1, 4)))
    checker.inputs["Color1"].default_value = (*triple(rng.random(3) * 0.7), 1.0)
    checker.inputs["Color2"].default_value = (*triple(rng.random(3) * 0.7), 1.0)
    nodes.join(nodes.coordinates(float(rng.uniform(0, 3)), 1.0), checker.inputs["Vector"])
    nodes.colour(checker.outputs["Color"])
    return nodes.material


def _slate(rng: np.random.Generator) -> Any:
    nodes = Nodes(0.6)
    where = nodes.coordinates(0.4, 0.4)
    noise = nodes.add("ShaderNodeTexNoise", Scale=6.0, Detail=8.0, Distortion=0.6)
    nodes.join(where, noise.inputs["Vector"])
    nodes.colour(
        nodes.ramp(noise.outputs["Fac"], [(0.35, (0.10, 0.11, 0.13)), (0.65, (0.24, 0.25, 0.27))])
    )
    nodes.bump(noise.outputs["Fac"], 0.4)
    return nodes.material


def _felt(rng: np.random.Generator) -> Any:
    """Felt of a game table."""
    nodes = Nodes(1.0)
    base = ((0.02, 0.16, 0.05), (0.02, 0.06, 0.2), (0.22, 0.02, 0.03), (0.05, 0.05, 0.055))
    rgb = base[int(rng.integers(len(base)))]
    fuzz = nodes.add("ShaderNodeTexNoise", Scale=90.0, Detail=4.0)
    nodes.join(nodes.coordinates(0.0, 1.0), fuzz.inputs["Vector"])
    nodes.colour(nodes.ramp(fuzz.outputs["Fac"], [(0.35, dim(rgb, 0.6)), (0.65, dim(rgb, 1.3))]))
    nodes.bump(fuzz.outputs["Fac"], 0.8)
    return nodes.material


def _ground_mat(rng: np.random.Generator, grid: str) -> Any:
    """A printed battle mat: earth and grass, with or without a grid."""
    nodes = Nodes(float(rng.uniform(0.6, 0.95)))
    where = nodes.coordinates(float(rng.uniform(0, 3)), 1.0)
    noise = nodes.add("ShaderNodeTexNoise", Scale=float(rng.uniform(0.8, 2.5)), Detail=12.0)
    nodes.join(where, noise.inputs["Vector"])
    shift = rng.uniform(0.7, 1.3, 3)
    stops = [
        (0.30, (0.06, 0.10, 0.02)),
        (0.45, (0.16, 0.20, 0.05)),
        (0.55, (0.24, 0.17, 0.09)),
        (0.72, (0.36, 0.30, 0.2)),
    ]
    print_ = nodes.ramp(noise.outputs["Fac"], [(p, triple(np.array(c) * shift)) for p, c in stops])
    if grid == "none":
        nodes.colour(print_)
        return nodes.material
    lines = nodes.add("ShaderNodeTexBrick", Scale=1.0, Mortar_Size=0.012)
    lines.offset = 0.5 if grid == "brick" else 0.0
    lines.inputs["Brick Width"].default_value = lines.inputs["Row Height"].default_value = 0.254
    for name in ("Color1", "Color2"):
        lines.inputs[name].default_value = (1.0, 1.0, 1.0, 1.0)
    lines.inputs["Mortar"].default_value = (0.1, 0.1, 0.1, 1.0)
    nodes.join(where, lines.inputs["Vector"])
    mix = nodes.add("ShaderNodeMixRGB", Fac=0.8)
    mix.blend_type = "MULTIPLY"
    nodes.join(print_, mix.inputs["Color1"])
    nodes.join(lines.outputs["Color"], mix.inputs["Color2"])
    nodes.colour(mix.outputs["Color"])
    return nodes.material


def _mat(rng: np.random.Generator) -> Any:
    return _ground_mat(rng, "none")


def _gridmat(rng: np.random.Generator) -> Any:
    return _ground_mat(rng, "square" if rng.random() < 0.5 else "brick")


def _parquet(rng: np.random.Generator) -> Any:
    """Short boards in a pattern, lacquered."""
    nodes = Nodes(float(rng.uniform(0.12, 0.35)))
    base = _brown(rng)
    where = nodes.coordinates(float(rng.uniform(0, 3)), 1.0)
    boards = nodes.add("ShaderNodeTexBrick", Scale=1.0, Mortar_Size=0.006)
    boards.inputs["Brick Width"].default_value = 2.4
    boards.inputs["Row Height"].default_value = 0.5
    boards.inputs["Color1"].default_value = (*base, 1.0)
    boards.inputs["Color2"].default_value = (*dim(base, 0.6), 1.0)
    boards.inputs["Mortar"].default_value = (*dim(base, 0.15), 1.0)
    nodes.join(where, boards.inputs["Vector"])
    grain = nodes.add("ShaderNodeTexWave", Scale=3.0, Distortion=9.0, Detail=3.0)
    nodes.join(where, grain.inputs["Vector"])
    streaks = nodes.ramp(grain.outputs["Fac"], [(0.2, (0.6, 0.6, 0.6)), (0.8, (1.0, 1.0, 1.0))])
    mix = nodes.add("ShaderNodeMixRGB", Fac=1.0)
    mix.blend_type = "MULTIPLY"
    nodes.join(boards.outputs["Color"], mix.inputs["Color1"])
    nodes.join(streaks, mix.inputs["Color2"])
    nodes.colour(mix.outputs["Color"])
    return nodes.material


def _gingham(rng: np.random.Generator) -> Any:
    """Chequered table cloth."""
    nodes = Nodes(0.95)
    where = nodes.coordinates(float(rng.uniform(0, 3)), 1.0)
    dye = triple(rng.random(3) ** 2 * 0.7)
    bands = []
    for axis in (0.0, 1.5708):
        turned = nodes.add("ShaderNodeMapping")
        turned.inputs["Rotation"].default_value = (0.0, 0.0, axis)
        nodes.join(where, turned.inputs["Vector"])
        wave = nodes.add("ShaderNodeTexWave", Scale=float(rng.uniform(1.0, 2.2)))
        nodes.join(turned.outputs["Vector"], wave.inputs["Vector"])
        bands.append(nodes.ramp(wave.outputs["Fac"], [(0.48, (0.9, 0.9, 0.88)), (0.52, dye)]))
    mix = nodes.add("ShaderNodeMixRGB", Fac=0.5)
    nodes.join(bands[0], mix.inputs["Color1"])
    nodes.join(bands[1], mix.inputs["Color2"])
    nodes.colour(mix.outputs["Color"])
    weave = nodes.add("ShaderNodeTexNoise", Scale=50.0, Detail=2.0)
    nodes.join(where, weave.inputs["Vector"])
    nodes.bump(weave.outputs["Fac"], 0.4)
    return nodes.material


def _lacquer(rng: np.random.Generator) -> Any:
    """A glossy coloured table with faint smears."""
    nodes = Nodes(0.1)
    base = triple(rng.random(3) ** 2 * 0.5 + 0.01)
    smears = nodes.add("ShaderNodeTexNoise", Scale=1.2, Detail=6.0, Distortion=1.0)
    nodes.join(nodes.coordinates(0.3, 0.3), smears.inputs["Vector"])
    nodes.colour(nodes.ramp(smears.outputs["Fac"], [(0.3, base), (0.8, dim(base, 1.25))]))
    rough = nodes.ramp(smears.outputs["Fac"], [(0.3, (0.05,) * 3), (0.8, (0.3,) * 3)])
    nodes.join(rough, nodes.bsdf.inputs["Roughness"])
    return nodes.material


def _concrete(rng: np.random.Generator) -> Any:
    nodes = Nodes(0.85)
    noise = nodes.add("ShaderNodeTexNoise", Scale=3.0, Detail=14.0)
    nodes.join(nodes.coordinates(0.0, 1.0), noise.inputs["Vector"])
    tone = float(rng.uniform(0.15, 0.5))
    nodes.colour(
        nodes.ramp(
            noise.outputs["Fac"], [(0.3, triple([tone * 0.6] * 3)), (0.7, triple([tone] * 3))]
        )
    )
    nodes.bump(noise.outputs["Fac"], 0.3)
    return nodes.material


TABLES = {
    "felt": _felt,
    "mat": _mat,
    "gridmat": _gridmat,
    "parquet": _parquet,
    "gingham": _gingham,
    "lacquer": _lacquer,
    "concrete": _concrete,
    "wood": _wood,
    "planks": _planks,
    "cloth": _cloth,
    "plain": _plain,
    "gloss": _gloss,
    "print": _print,
    "marble": _marble,
    "tiles": _tiles,
    "slate": _slate,
    **PATCHWORK,
}
