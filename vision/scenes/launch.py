"""Starts the renderer under the Python that has Blender, from a program that has not."""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from vision.scenes.errors import SceneError
from vision.scenes.recipe import load

SCRIPT = Path(__file__).with_name("render.py")
_ERROR = "render: error: "


@dataclass(frozen=True, slots=True)
class Job:
    """What to render, with what.

    Attributes:
        recipe: Recipe file.
        out: Folder for what comes out.
        python: The Python interpreter with Blender's `bpy`.
        ldraw: LDraw parts, a folder or a zip.
        split: Only this split of random scenes.
        limit: At most this many pictures a split, or frames.
        threads: Threads to render with.
        part: "K/N", the K-th of N runs that share the pictures.
        pictures: Whether pictures are made, or labels and truth alone.
    """

    recipe: Path
    out: Path
    python: Path
    ldraw: Path
    split: str | None = None
    limit: int | None = None
    threads: int = 2
    part: str = "1/1"
    pictures: bool = True


def render(job: Job) -> Iterator[str]:
    """Render; yields the name of each picture when it is written.

    Raises:
        SceneError: the recipe, the library, the interpreter or the folder is no good.
    """
    load(job.recipe)
    if not job.ldraw.exists():
        raise SceneError(str(job.ldraw), "no LDraw library (a folder or a zip file)")
    _check_blender(job.python)
    try:
        job.out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SceneError(str(job.out), error.strerror or str(error)) from error
    # A file, not a pipe: nobody reads what Blender may say at length while pictures come out.
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as said,
        subprocess.Popen(  # noqa: S603 - the interpreter is the user's own choice
            _command(job),
            env={**os.environ, "LDRAWDIR": str(job.ldraw), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as process,
    ):
        if process.stdout is None:  # never so with a pipe
            raise SceneError(str(job.python), "says nothing")
        try:
            for line in process.stdout:
                yield line.strip()
            process.wait()
        finally:
            process.terminate()
        said.seek(0)
        words = said.read()
    if process.returncode != 0:
        raise _fault(words, process.returncode)


def _command(job: Job) -> list[str]:
    words = [str(job.python), str(SCRIPT), str(job.recipe), "--out", str(job.out)]
    words += ["--threads", str(job.threads), "--part", job.part]
    if job.split is not None:
        words += ["--split", job.split]
    if job.limit is not None:
        words += ["--limit", str(job.limit)]
    if not job.pictures:
        words.append("--no-pictures")
    return words


def _check_blender(python: Path) -> None:
    """See whether an interpreter has Blender, which takes half a second.

    Raises:
        SceneError: it has not, or there is no such interpreter.
    """
    try:
        tried = subprocess.run(  # noqa: S603 - the interpreter is the user's own choice
            [str(python), "-c", "import bpy"], capture_output=True, check=False, timeout=120
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SceneError(str(python), "cannot be started as a Python interpreter") from error
    if tried.returncode != 0:
        raise SceneError(
            str(python), "has no bpy (Blender); datasets/README.md says how to make one that has"
        )


def _fault(said: str, code: int) -> SceneError:
    """What the renderer complained of, from what it wrote to standard error."""
    for line in reversed(said.splitlines()):
        if line.startswith(_ERROR):
            name, _, fault = line.removeprefix(_ERROR).partition(": ")
            return SceneError(name, fault)
    lines = said.strip().splitlines()
    return SceneError("render", lines[-1] if lines else f"ended with code {code}")
