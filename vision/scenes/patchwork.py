"""Table tops that differ from picture to picture: stacks of textures drawn by chance.

A detector that has seen a table of each kind takes their looks for granted. Here the patterns,
their sizes, colours, gloss and relief are all drawn, so that nothing but the figures recurs.
One unit of the coordinates is 100 mm.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from vision.scenes.nodes import RGB, Nodes, dim, triple

_BLENDS = ("MIX", "MIX", "MIX", "MULTIPLY", "OVERLAY", "SCREEN", "SOFT_LIGHT", "DIFFERENCE")
_FIELDS = ("noise", "noise", "voronoi", "edges", "wave", "rings", "magic", "brick", "checker")


def _log(rng: np.random.Generator, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _where(nodes: Nodes, rng: np.random.Generator) -> Any:
    """Coordinates of their own turn, shift and stretch, at times bent by noise."""
    where = nodes.coordinates(float(rng.uniform(0, np.pi)), _log(rng, 0.25, 1.0))
    where.node.inputs["Location"].default_value = tuple(float(v) for v in rng.uniform(-30, 30, 3))
    if rng.random() < 0.35:
        bend = nodes.add("ShaderNodeTexNoise", Scale=_log(rng, 0.3, 4), Detail=2.0)
        nodes.join(where, bend.inputs["Vector"])
        mix = nodes.add("ShaderNodeMixRGB", Fac=float(rng.uniform(0.05, 0.4)))
        mix.blend_type = "ADD"
        nodes.join(where, mix.inputs["Color1"])
        nodes.join(bend.outputs["Color"], mix.inputs["Color2"])
        return mix.outputs["Color"]
    return where


def _bricks(nodes: Nodes, rng: np.random.Generator, wide: float, high: float, gap: float) -> Any:
    """Black gaps between cells, each cell of a grey of its own."""
    node = nodes.add("ShaderNodeTexBrick", Scale=1.0, Mortar_Size=gap)
    node.offset = float(rng.choice([0.0, 0.5, 0.31]))
    node.inputs["Brick Width"].default_value = wide
    node.inputs["Row Height"].default_value = high
    node.inputs["Color1"].default_value = (0.15, 0.15, 0.15, 1.0)
    node.inputs["Color2"].default_value = (1.0, 1.0, 1.0, 1.0)
    node.inputs["Mortar"].default_value = (0.0, 0.0, 0.0, 1.0)
    return node


def _field(nodes: Nodes, rng: np.random.Generator, kind: str, scale: float) -> Any:
    """A value of about 0..1 over the table, its pattern about 100 mm / scale large."""
    where = _where(nodes, rng)
    if kind == "noise":
        node = nodes.add("ShaderNodeTexNoise", Scale=scale, Detail=float(rng.uniform(0, 10)))
        node.inputs["Distortion"].default_value = float(rng.choice([0.0, rng.uniform(0, 4)]))
        value = node.outputs["Fac"]
    elif kind in ("voronoi", "edges", "cells"):
        node = nodes.add("ShaderNodeTexVoronoi", Scale=scale)
        node.inputs["Randomness"].default_value = float(rng.choice([0.0, 0.4, 1.0, 1.0]))
        if kind == "edges":
            node.feature = "DISTANCE_TO_EDGE"
        value = node.outputs["Color" if kind == "cells" else "Distance"]
    elif kind in ("wave", "rings"):
        node = nodes.add("ShaderNodeTexWave", Scale=scale / 3, Detail=float(rng.uniform(0, 4)))
        node.wave_type = "RINGS" if kind == "rings" else "BANDS"
        node.inputs["Distortion"].default_value = float(rng.choice([0.0, rng.uniform(0, 12)]))
        value = node.outputs["Fac"]
    elif kind == "magic":
        node = nodes.add("ShaderNodeTexMagic", Scale=scale, Distortion=float(rng.uniform(0.5, 3)))
        node.turbulence_depth = int(rng.integers(1, 6))
        value = node.outputs["Fac"]
    elif kind == "checker":
        node = nodes.add("ShaderNodeTexChecker", Scale=scale)
        value = node.outputs["Fac"]
    else:
        wide, high = _log(rng, 0.5, 5) / scale, _log(rng, 0.5, 2) / scale
        gap = min(wide, high) * float(rng.choice([0.0, 0.03, 0.1]))
        node = _bricks(nodes, rng, wide, high, gap)
        value = node.outputs["Color"]
    nodes.join(where, node.inputs["Vector"])
    return value


def _any_field(nodes: Nodes, rng: np.random.Generator) -> Any:
    return _field(nodes, rng, str(rng.choice(_FIELDS)), _log(rng, 0.3, 40))


def _palette(rng: np.random.Generator, count: int) -> list[RGB]:
    """Colours that may have to do with each other: all over, of one hue, grey or brown."""
    kind = rng.random()
    tones = rng.uniform(0.02, 0.85, count) ** 1.3
    if kind < 0.35:
        return [triple(rng.random(3) ** 1.6 * 0.9) for _ in range(count)]
    if kind < 0.65:
        hue = rng.random(3) ** 1.5
        near = np.clip(hue + rng.normal(0, 0.12, (count, 3)), 0, 1) / max(float(hue.max()), 0.2)
        return [triple(np.clip(t * c, 0, 0.95)) for t, c in zip(tones, near, strict=True)]
    tint = np.array([1.0, 1.0, 1.0]) if kind < 0.82 else np.array([1.0, 0.66, 0.38])
    return [triple(t * tint * rng.uniform(0.92, 1.05, 3)) for t in tones]


def _coloured(nodes: Nodes, rng: np.random.Generator, value: Any) -> Any:
    """Colours along a field, with soft or hard edges between them."""
    count = int(rng.integers(2, 6))
    low, high = sorted(float(v) for v in rng.uniform(0, 1, 2))
    places = np.linspace(min(low, 0.4), max(high, 0.6), count)
    stops = [(float(p), c) for p, c in zip(places, _palette(rng, count), strict=True)]
    out = nodes.ramp(value, stops)
    if rng.random() < 0.3:
        out.node.color_ramp.interpolation = "CONSTANT"
    return out


def _mask(nodes: Nodes, rng: np.random.Generator, value: Any) -> Any:
    """Where a field is above a threshold, soft or hard."""
    at, soft = float(rng.uniform(0.3, 0.7)), float(rng.choice([0.005, 0.02, 0.2]))
    white = float(rng.uniform(0.3, 1.0))
    black, pale = (0.0, 0.0, 0.0), (white, white, white)
    return nodes.ramp(value, [(max(at - soft, 0.0), black), (at + soft, pale)])


def _mixed(nodes: Nodes, blend: str, share: Any, under: Any, over: Any) -> Any:
    """One colour over another; the share is a number or a socket, the colours likewise."""
    mix = nodes.add("ShaderNodeMixRGB")
    mix.blend_type = blend
    mix.use_clamp = True
    for value, name in ((share, "Fac"), (under, "Color1"), (over, "Color2")):
        if hasattr(value, "node"):
            nodes.join(value, mix.inputs[name])
        else:
            mix.inputs[name].default_value = value if name == "Fac" else (*value, 1.0)
    return mix.outputs["Color"]


def _words(nodes: Nodes, rng: np.random.Generator, line: float) -> Any:
    """Lines of something like print: 1 where there is ink. `line` is their distance in 100 mm."""
    where = nodes.coordinates(float(rng.uniform(0, np.pi)), 1.0)
    rows = _bricks(nodes, rng, 1e4, line, line * float(rng.uniform(0.15, 0.35)))
    letters = nodes.add("ShaderNodeMapping")
    letters.inputs["Scale"].default_value = (1.6 / line, 0.6 / line, 1.0)
    words = nodes.add("ShaderNodeTexNoise", Scale=1.0, Detail=3.0, Roughness=0.8)
    columns = _bricks(nodes, rng, line * float(rng.uniform(8, 25)), 1e4, line * 0.6)
    for node in (rows, letters, columns):
        nodes.join(where, node.inputs["Vector"])
    nodes.join(letters.outputs["Vector"], words.inputs["Vector"])
    black: RGB = (0.0, 0.0, 0.0)
    white: RGB = (1.0, 1.0, 1.0)
    ink = nodes.ramp(words.outputs["Fac"], [(0.47, black), (0.52, white)])
    for grid in (rows, columns):
        inside = nodes.ramp(grid.outputs["Color"], [(0.02, black), (0.06, white)])
        ink = _mixed(nodes, "MULTIPLY", 1.0, ink, inside)
    return ink


def _finish(nodes: Nodes, rng: np.random.Generator, bumpy: float) -> Any:
    """Relief by chance and a drawn gloss; returns the material."""
    if rng.random() < bumpy:
        nodes.bump(_any_field(nodes, rng), _log(rng, 0.05, 1.0))
    if rng.random() < 0.3:
        low, high = sorted(float(v) for v in rng.uniform(0.05, 1, 2))
        gloss = nodes.ramp(
            _any_field(nodes, rng), [(0.3, triple([low] * 3)), (0.7, triple([high] * 3))]
        )
        nodes.join(gloss, nodes.bsdf.inputs["Roughness"])
    return nodes.material


def _patchwork(rng: np.random.Generator) -> Any:
    """One to four random patterns over and into each other, with stripes, dots or print."""
    nodes = Nodes(float(rng.uniform(0.08, 1.0)))
    out = _coloured(nodes, rng, _any_field(nodes, rng))
    for _ in range(int(rng.integers(0, 4))):
        over = _coloured(nodes, rng, _any_field(nodes, rng))
        share = _mask(nodes, rng, _any_field(nodes, rng))
        out = _mixed(nodes, str(rng.choice(_BLENDS)), share, out, over)
    if rng.random() < 0.35:
        kind = str(rng.choice(["wave", "voronoi", "edges", "brick", "checker"]))
        marks = _mask(nodes, rng, _field(nodes, rng, kind, _log(rng, 0.5, 20)))
        out = _mixed(nodes, "MIX", marks, out, _palette(rng, 1)[0])
    if rng.random() < 0.2:
        ink = _words(nodes, rng, _log(rng, 0.03, 0.6))
        if rng.random() < 0.5:
            patch = _mask(nodes, rng, _any_field(nodes, rng))
            ink = _mixed(nodes, "MULTIPLY", 1.0, ink, patch)
        out = _mixed(nodes, "MIX", ink, out, _palette(rng, 1)[0])
    nodes.colour(out)
    return _finish(nodes, rng, 0.5)


def _newspaper(rng: np.random.Generator) -> Any:
    """Pale paper with columns of print, headlines and pictures."""
    nodes = Nodes(float(rng.uniform(0.4, 0.95)))
    tone = float(rng.uniform(0.45, 0.85))
    paper = triple(tone * np.array([1.0, rng.uniform(0.93, 1.0), rng.uniform(0.78, 1.0)]))
    ink = triple(rng.random(3) * 0.12)
    out = _mixed(nodes, "MIX", _words(nodes, rng, _log(rng, 0.025, 0.06)), paper, ink)
    if rng.random() < 0.7:
        bold = _words(nodes, rng, _log(rng, 0.1, 0.4))
        part = _mask(nodes, rng, _field(nodes, rng, "brick", _log(rng, 0.4, 2)))
        share = _mixed(nodes, "MULTIPLY", 1.0, bold, part)
        out = _mixed(nodes, "MIX", share, out, _palette(rng, 1)[0])
    if rng.random() < 0.7:
        picture = _coloured(nodes, rng, _any_field(nodes, rng))
        frame = _field(nodes, rng, "brick", _log(rng, 0.4, 2))
        out = _mixed(
            nodes,
            "MIX",
            nodes.ramp(frame, [(0.7, (0.0, 0.0, 0.0)), (0.71, (1.0, 1.0, 1.0))]),
            out,
            picture,
        )
    nodes.colour(out)
    return _finish(nodes, rng, 0.3)


def _carpet(rng: np.random.Generator) -> Any:
    """Tufts, of one colour or with a woven pattern."""
    nodes = Nodes(1.0)
    base = _palette(rng, 1)[0]
    out: Any = base
    if rng.random() < 0.7:
        out = _coloured(nodes, rng, _any_field(nodes, rng))
        for _ in range(int(rng.integers(0, 3))):
            kind = str(rng.choice(["brick", "wave", "rings", "voronoi", "checker", "edges"]))
            share = _mask(nodes, rng, _field(nodes, rng, kind, _log(rng, 0.4, 6)))
            out = _mixed(nodes, "MIX", share, out, _palette(rng, 1)[0])
    kind = str(rng.choice(["voronoi", "noise"]))
    tufts = _field(nodes, rng, kind, _log(rng, 20, 90))
    dark = float(rng.uniform(0.25, 0.7))
    shade = nodes.ramp(tufts, [(0.25, triple([dark] * 3)), (0.7, (1.0, 1.0, 1.0))])
    nodes.colour(_mixed(nodes, "MULTIPLY", 1.0, out, shade))
    nodes.bump(tufts, float(rng.uniform(0.4, 1.0)))
    return nodes.material


def _cork(rng: np.random.Generator) -> Any:
    """Grains pressed together: each cell a brown of its own, dark specks among them."""
    nodes = Nodes(float(rng.uniform(0.6, 1.0)))
    return _chips(nodes, rng, 1, _log(rng, 8, 40))


def _chipboard(rng: np.random.Generator) -> Any:
    """Long chips that lie across each other."""
    nodes = Nodes(float(rng.uniform(0.35, 0.9)))
    return _chips(nodes, rng, int(rng.integers(2, 5)), _log(rng, 2, 8))


def _chips(nodes: Nodes, rng: np.random.Generator, layers: int, scale: float) -> Any:
    tone = rng.uniform(0.2, 0.6)
    base = triple(tone * np.array([1.0, rng.uniform(0.6, 0.8), rng.uniform(0.3, 0.6)]))
    stops = [(0.1, dim(base, 0.5)), (0.5, base), (0.9, dim(base, 1.4))]
    cells = _field(nodes, rng, "cells", scale)
    out = nodes.ramp(cells, stops)
    for _ in range(layers - 1):
        over = nodes.ramp(_field(nodes, rng, "cells", scale * float(rng.uniform(0.6, 1.7))), stops)
        share = _mask(nodes, rng, _field(nodes, rng, "cells", scale))
        out = _mixed(nodes, "MIX", share, out, over)
    specks = nodes.ramp(
        _field(nodes, rng, "noise", scale * 3), [(0.3, (0.25, 0.25, 0.25)), (0.42, (1.0, 1.0, 1.0))]
    )
    nodes.colour(_mixed(nodes, "MULTIPLY", float(rng.uniform(0.3, 1)), out, specks))
    nodes.bump(cells, float(rng.uniform(0.1, 0.5)))
    return nodes.material


PATCHWORK: dict[str, Callable[[np.random.Generator], Any]] = {
    "patchwork": _patchwork,
    "newspaper": _newspaper,
    "carpet": _carpet,
    "cork": _cork,
    "chipboard": _chipboard,
}
