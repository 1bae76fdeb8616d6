"""Recipe files (TOML): which parts, tables and seeds a set of pictures is made with."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from vision.scenes.errors import SceneError


@dataclass(frozen=True, slots=True)
class Split:
    """Material of one split of the random scenes."""

    name: str
    images: int
    tables: tuple[str, ...]
    torsos: tuple[str, ...]
    heads: tuple[str, ...]
    headgear: tuple[str, ...]
    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Emphasis:
    """What random scenes are made of more often than not.

    Attributes:
        base_share: Share of standing figures on a 2x2 base.
        same_colour: Share of those bases with the colour of the legs, as teams like them.
        elevation_deg: Lowest and highest camera elevation.
        figure_px: Smallest and largest height of a figure in the middle of the picture.
    """

    base_share: float = 0.3
    same_colour: float = 0.0
    elevation_deg: tuple[float, float] = (20.0, 90.0)
    figure_px: tuple[float, float] = (15.0, 260.0)


@dataclass(frozen=True, slots=True)
class RandomRecipe:
    """Random scenes."""

    seed: int
    width_px: int
    height_px: int
    samples: int
    splits: tuple[Split, ...]
    emphasis: Emphasis = Emphasis()


@dataclass(frozen=True, slots=True)
class ClipRecipe:
    """A film after one of the storyboards of `storyboard`."""

    name: str
    seed: int
    width_px: int
    height_px: int
    samples: int
    fps: int


def load(path: Path) -> RandomRecipe | ClipRecipe:
    """Read a recipe.

    Raises:
        SceneError: the file is missing, is no TOML or lacks a key.
    """
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SceneError(str(path), "cannot be read") from error
    except tomllib.TOMLDecodeError as error:
        raise SceneError(str(path), f"no TOML: {error}") from error
    try:
        kind = data["kind"]
        width, height = (int(v) for v in data["size_px"])
        seed, samples = int(data["seed"]), int(data["samples"])
        if kind == "random":
            splits = tuple(_split(name, split) for name, split in data["splits"].items())
            emphasis = _emphasis(data.get("emphasis", {}))
            return RandomRecipe(seed, width, height, samples, splits, emphasis)
        if kind == "clip":
            return ClipRecipe(str(data["name"]), seed, width, height, samples, int(data["fps"]))
    except KeyError as error:
        raise SceneError(str(path), f"lacks {error.args[0]}") from error
    except (TypeError, ValueError) as error:
        raise SceneError(str(path), f"a wrong value: {error}") from error
    raise SceneError(str(path), f"unknown kind {kind!r}")


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
    )


def _split(name: str, data: dict[str, object]) -> Split:
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
    )
