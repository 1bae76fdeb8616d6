"""Render a recipe: `python vision/scenes/render.py RECIPE --out DIR`.

Runs under the renderer's own Python (bpy, numpy < 2). The LDraw library is the folder or zip
named in the environment variable LDRAWDIR.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if __name__ == "__main__" and __package__ is None:  # started by path
    # The packages come last: beside an installed one lies a numpy that Blender cannot use.
    sys.path.pop(0)
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from vision.scenes.errors import SceneError
from vision.scenes.ldraw import Library
from vision.scenes.recipe import CalibrationRecipe, RandomRecipe, load


@contextmanager
def _quiet() -> Iterator[int]:
    """Send what Blender writes to standard output to nowhere; yields the real output."""
    sys.stdout.flush()
    real = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield real
    finally:
        os.dup2(real, 1)
        os.close(real)
        os.close(nowhere)


def main(arguments: list[str] | None = None) -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(prog="render.py", description=__doc__)
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--split", help="only this split of a random recipe")
    parser.add_argument("--limit", type=int, help="at most this many pictures a split or frames")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument(
        "--part", default="1/1", metavar="K/N", help="the K-th of N runs that share the pictures"
    )
    parser.add_argument(
        "--no-pictures", action="store_true", help="labels and truth of a random recipe alone"
    )
    options = parser.parse_args(arguments)
    try:
        with _quiet() as real, tempfile.TemporaryDirectory() as scratch:
            for name in _render(options, Path(scratch)):
                os.write(real, f"{name}\n".encode())
    except SceneError as error:
        sys.stderr.write(f"render: error: {error.file}: {error.fault}\n")
        return 2
    return 0


def _render(options: argparse.Namespace, scratch: Path) -> Iterator[str]:
    recipe = load(options.recipe)
    part = _part(options.part)
    where = os.environ.get("LDRAWDIR")
    if not where:
        raise SceneError("LDRAWDIR", "not set (the LDraw library, a folder or a zip)")
    library = Library(Path(where))
    try:
        from vision.scenes.stage import Stage
    except ImportError as error:
        raise SceneError("bpy", f"cannot be imported: {error}") from error
    if isinstance(recipe, RandomRecipe) and options.split is not None:
        names = [split.name for split in recipe.splits]
        if options.split not in names:
            raise SceneError("--split", f"{options.split!r} is none of {', '.join(names)}")
    stage = Stage(recipe.width_px, recipe.height_px, options.threads, scratch)
    if isinstance(recipe, RandomRecipe):
        from vision.scenes import photos

        for split in recipe.splits:
            if options.split in (None, split.name):
                yield from photos.render(
                    recipe,
                    library,
                    stage,
                    options.out,
                    split,
                    options.limit,
                    part,
                    not options.no_pictures,
                )
        return
    if isinstance(recipe, CalibrationRecipe):
        from vision.scenes import reference_photos

        yield from reference_photos.render(recipe, library, stage, options.out, options.limit)
        return
    from vision.scenes import film

    yield from film.render(recipe, library, stage, options.out, options.limit)


def _part(text: str) -> tuple[int, int]:
    first, _, last = text.partition("/")
    if not (first.isdecimal() and last.isdecimal() and 1 <= int(first) <= int(last)):
        raise SceneError("--part", f"{text!r} is not K/N with 1 <= K <= N")
    return int(first), int(last)


if __name__ == "__main__":
    raise SystemExit(main())
