"""Recipe files (TOML): which parts, tables and seeds a set of pictures is made with.

A recipe that `extends` another one of its folder has the other's values wherever it names none.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vision.scenes.errors import SceneError


@dataclass(frozen=True, slots=True)
class Split:
    """Material of one split of the random scenes.

    Attributes:
        name: Its name.
        images: How many pictures.
        tables: Kinds of table tops.
        torsos: Part files, as are heads, headgear and items.
        heads: Heads.
        headgear: Hair, hats and helmets.
        items: Held items.
        kinds: Material of the figures of all kinds, by list: `LISTS` names them.
        sizes_px: Picture sizes taken in turn; none = that of the recipe.
    """

    name: str
    images: int
    tables: tuple[str, ...]
    torsos: tuple[str, ...]
    heads: tuple[str, ...]
    headgear: tuple[str, ...]
    items: tuple[str, ...]
    kinds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    sizes_px: tuple[tuple[int, int], ...] = ()


LISTS = (
    "rigs",
    "prints",
    "hairs",
    "hats",
    "tools",
    "extras",
    "animals",
    "vehicles",
    "loose",
    "props",
)
"""Lists of a split of a recipe with a `mix`: lights, what Playmobil figures are made of and wear,
moulded animals ("horse" = our own), vehicles, loose LDraw parts, other things."""


@dataclass(frozen=True, slots=True)
class Mix:
    """How often kinds other than LEGO figures come, and how hard they are to see.

    Attributes:
        playmobil: Share of the figures that is Playmobil.
        animals: Share of pictures with animals.
        vehicles: Share of pictures with vehicles.
        hands: Share of pictures with players' hands.
        crowded: Share of the figures put close to another or behind a wall.
        hard_light: Share of pictures that is dim or side-lit.
        k1: Range of the lens's first radial term.
        empty: Share of pictures without people.
        loose: Most loose parts in a picture.
        turned: Share of the loose parts that lie on a side or on their studs.
        one_colour: Share of pictures whose loose parts all have one colour.
        rests: Share of the loose parts that lie on the ground; the others are let into it up to
            their studs.
    """

    playmobil: float
    animals: float
    vehicles: float
    hands: float
    crowded: float
    hard_light: float
    k1: tuple[float, float]
    empty: float = 0.05
    loose: int = 13
    turned: float = 0.15
    one_colour: float = 0.0
    rests: float = 0.0


@dataclass(frozen=True, slots=True)
class Emphasis:
    """What random scenes are made of more often than not.

    Attributes:
        base_share: Share of standing figures on a 2x2 base.
        same_colour: Share of those bases with the colour of the legs, as teams like them.
        elevation_deg: Lowest and highest camera elevation.
        figure_px: Smallest and largest height of a figure in the middle of the picture.
        nearest_mm: The camera comes no nearer, however tall figures should be.
    """

    base_share: float = 0.3
    same_colour: float = 0.0
    elevation_deg: tuple[float, float] = (20.0, 90.0)
    figure_px: tuple[float, float] = (15.0, 260.0)
    nearest_mm: float = 180.0


@dataclass(frozen=True, slots=True)
class RandomRecipe:
    """Random scenes; without a mix of LEGO figures alone."""

    seed: int
    width_px: int
    height_px: int
    samples: int
    splits: tuple[Split, ...]
    emphasis: Emphasis = Emphasis()
    mix: Mix | None = None


@dataclass(frozen=True, slots=True)
class ClipRecipe:
    """A film after one of the storyboards of `storyboard`."""

    name: str
    seed: int
    width_px: int
    height_px: int
    samples: int
    fps: int


@dataclass(frozen=True, slots=True)
class Thing:
    """A flat printed thing: its picture, size, and where it lies in its group."""

    file: str
    size_mm: tuple[float, float]
    thickness_mm: float = 0.2
    place_mm: tuple[float, float] = (0.0, 0.0)
    angle_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class Group:
    """Things that lie about together; the whole is turned at random and shifted about shift_mm."""

    things: tuple[Thing, ...]
    shift_mm: float = 30.0


@dataclass(frozen=True, slots=True)
class CalibrationRecipe:
    """Scenes to measure calibration with.

    Attributes:
        seed: Seed; the cameras depend on it and on the ranges alone.
        images: How many.
        samples: Samples a pixel.
        sizes_px: Picture sizes to draw from.
        reference: "studs" or "texture".
        pitch_px: Range of the side of a stud's cell in the middle, px.
        elevation_deg: Range.
        distance_mm: Range.
        hfov_deg: Range.
        k1: Range.
        cover: Range of the share that is hidden.
        glare: Share of pictures with a lamp mirrored towards the camera.
        tables: Kinds of table tops.
        parts: What figures are made of.
        groups: Flat things, taken in turn.
        folder: Where their pictures are.
    """

    seed: int
    images: int
    samples: int
    sizes_px: tuple[tuple[int, int], ...]
    reference: str
    pitch_px: tuple[float, float]
    elevation_deg: tuple[float, float]
    distance_mm: tuple[float, float]
    hfov_deg: tuple[float, float]
    k1: tuple[float, float]
    cover: tuple[float, float]
    glare: float
    tables: tuple[str, ...]
    parts: Split
    groups: tuple[Group, ...]
    folder: Path

    @property
    def width_px(self) -> int:
        """Width of the first size."""
        return self.sizes_px[0][0]

    @property
    def height_px(self) -> int:
        """Height of the first size."""
        return self.sizes_px[0][1]


def load(path: Path) -> RandomRecipe | ClipRecipe | CalibrationRecipe:
    """Read a recipe.

    Raises:
        SceneError: the file is missing, is no TOML or lacks a key.
    """
    data = _whole(path)
    try:
        kind = data["kind"]
        if kind == "calibration":
            return _calibration(data, path.parent)
        width, height = (int(v) for v in data["size_px"])
        seed, samples = int(data["seed"]), int(data["samples"])
        if kind == "random":
            mix = _mix(data["mix"]) if "mix" in data else None
            lists = LISTS if mix is not None else ()
            splits = tuple(_split(name, split, lists) for name, split in data["splits"].items())
            emphasis = _emphasis(data.get("emphasis", {}))
            return RandomRecipe(seed, width, height, samples, splits, emphasis, mix)
        if kind == "clip":
            return ClipRecipe(str(data["name"]), seed, width, height, samples, int(data["fps"]))
    except KeyError as error:
        raise SceneError(str(path), f"lacks {error.args[0]}") from error
    except (TypeError, ValueError) as error:
        raise SceneError(str(path), f"a wrong value: {error}") from error
    raise SceneError(str(path), f"unknown kind {kind!r}")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SceneError(str(path), "cannot be read") from error
    except tomllib.TOMLDecodeError as error:
        raise SceneError(str(path), f"no TOML: {error}") from error


def _whole(path: Path, above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """What a recipe says together with all that it extends.

    Args:
        path: Of the recipe.
        above: The recipes that led to it.
    """
    own = _read(path)
    if (name := own.pop("extends", None)) is None:
        return own
    if not isinstance(name, str):
        raise SceneError(str(path), "extends names no file")
    way = (*above, path)
    base = path.parent / name
    if base.resolve() in {one.resolve() for one in way}:
        names = " -> ".join(one.name for one in (*way, base))
        raise SceneError(str(path), f"extends go round in a circle: {names}")
    return _merged(_whole(base, way), own)


def _merged(base: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A recipe's own values over those of the one it extends, table by table."""
    both = dict(base)
    for key, value in own.items():
        under = base.get(key)
        if isinstance(value, dict) and isinstance(under, dict):
            value = _merged(under, value)
        both[key] = value
    return both


def _two(value: Any) -> tuple[float, float]:
    first, second = value
    return float(first), float(second)


def _calibration(data: dict[str, Any], folder: Path) -> CalibrationRecipe:
    figures = load(folder / str(data["figures"]))
    if not isinstance(figures, RandomRecipe):
        raise ValueError("figures names no recipe of random scenes")
    reference = str(data["reference"])
    groups = tuple(
        Group(
            tuple(
                Thing(
                    str(thing["file"]),
                    _two(thing["size_mm"]),
                    float(thing.get("thickness_mm", 0.2)),
                    _two(thing.get("place_mm", (0, 0))),
                    float(thing.get("angle_deg", 0)),
                )
                for thing in group["things"]
            ),
            float(group.get("shift_mm", 30)),
        )
        for group in data.get("groups", [])
    )
    if reference not in ("studs", "texture") or (reference == "texture") != bool(groups):
        raise ValueError("reference must be studs, or texture with groups of things")
    return CalibrationRecipe(
        int(data["seed"]),
        int(data["images"]),
        int(data["samples"]),
        tuple((int(w), int(h)) for w, h in data["sizes_px"]),
        reference,
        _two(data["pitch_px"]),
        _two(data["elevation_deg"]),
        _two(data["distance_mm"]),
        _two(data["hfov_deg"]),
        _two(data["k1"]),
        _two(data["cover"]),
        float(data["glare"]),
        tuple(str(word) for word in data["tables"]),
        next(s for s in figures.splits if s.name == "val"),
        groups,
        folder,
    )


def _emphasis(data: dict[str, object]) -> Emphasis:
    def pair(key: str, default: tuple[float, float]) -> tuple[float, float]:
        value = data.get(key, list(default))
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(f"{key} is no pair")
        return float(value[0]), float(value[1])

    usual = Emphasis()
    return Emphasis(
        float(str(data.get("base_share", usual.base_share))),
        float(str(data.get("same_colour", usual.same_colour))),
        pair("elevation_deg", usual.elevation_deg),
        pair("figure_px", usual.figure_px),
        float(str(data.get("nearest_mm", usual.nearest_mm))),
    )


def _mix(data: dict[str, Any]) -> Mix:
    names = ("playmobil", "animals", "vehicles", "hands", "crowded", "hard_light")
    shares = {name: float(data[name]) for name in names}
    for name, usual in (("empty", 0.05), ("turned", 0.15), ("one_colour", 0.0), ("rests", 0.0)):
        shares[name] = float(data.get(name, usual))
    if not all(0 <= share <= 1 for share in shares.values()):
        raise ValueError("a share of the mix is not within 0 and 1")
    return Mix(k1=_two(data["k1"]), loose=int(data.get("loose", 13)), **shares)


def _split(name: str, data: dict[str, object], lists: tuple[str, ...] = ()) -> Split:
    def words(key: str) -> tuple[str, ...]:
        value = data[key]
        if not isinstance(value, list) or not value:
            raise ValueError(f"{key} is no list")
        return tuple(str(v) for v in value)

    def parts(key: str) -> tuple[str, ...]:
        return tuple(f"{word}.dat" for word in words(key))

    return Split(
        name,
        int(str(data["images"])),
        words("tables"),
        parts("torsos"),
        parts("heads"),
        parts("headgear"),
        parts("items"),
        {key: words(key) for key in lists},
        _sizes(data.get("sizes_px", [])),
    )


def _sizes(value: Any) -> tuple[tuple[int, int], ...]:
    return tuple((int(width), int(height)) for width, height in value)
