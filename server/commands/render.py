"""``minimarshal render``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server import options
from server.console import Fault, emit, progress, say
from vision.scenes import launch
from vision.scenes.errors import SceneError


def render(
    recipe: Annotated[Path, typer.Argument(metavar="RECIPE", help="Recipe file (TOML).")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Folder for the pictures.")],
    python: Annotated[
        Path | None,
        typer.Option(
            "--python",
            metavar="FILE",
            envvar="MINIMARSHAL_BLENDER",
            help="Python interpreter that has Blender (datasets/README.md).",
        ),
    ] = None,
    ldraw: Annotated[
        Path | None,
        typer.Option(
            "--ldraw", metavar="PATH", envvar="LDRAWDIR", help="LDraw library, a folder or a zip."
        ),
    ] = None,
    split: Annotated[
        str | None, typer.Option("--split", help="Only this split of random scenes.")
    ] = None,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most this many pictures or frames.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads to render with.")] = 2,
    part: Annotated[
        str, typer.Option("--part", metavar="K/N", help="The K-th of N runs that share the work.")
    ] = "1/1",
    pictures: Annotated[
        bool, typer.Option(help="Make pictures, or labels and truth of random scenes alone.")
    ] = True,
    as_json: options.Json = False,
) -> None:
    """Render pictures of figures with all that is known of them, from a recipe."""
    if python is None:
        raise Fault("--python", "missing (an interpreter with Blender, see datasets/README.md)")
    if ldraw is None:
        raise Fault("--ldraw", "missing (the LDraw library, a folder or a zip; or set LDRAWDIR)")
    job = launch.Job(recipe, out, python, ldraw, split, limit, threads, part, pictures)
    count = 0
    try:
        with progress("rendering", limit) as show:
            for count, _name in enumerate(launch.render(job), 1):
                show(count)
    except SceneError as error:
        raise Fault(error.file, error.fault) from error
    if as_json:
        emit({"ok": True, "out": str(out), "rendered": count})
        return
    say(f"{out}: {count} new pictures.")
