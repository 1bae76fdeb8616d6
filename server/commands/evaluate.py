"""``minimarshal evaluate``."""

from __future__ import annotations

import hashlib
import itertools
import json
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from server import options
from server.console import Fault, check_writable, emit, progress, say, write_atomically
from server.drawing import png
from vision.data import data_path
from vision.evaluation.assess import assess
from vision.evaluation.labelled import LabelledPicture, nameless
from vision.evaluation.real import read_real
from vision.evaluation.rendered import read_set
from vision.evaluation.report import markdown, report
from vision.onnx_detector import SHIPPED, load_detector

FLOOR = 0.05
"""Threshold from which curves begin."""


class Split(StrEnum):
    """Part of a rendered set."""

    TRAIN = "train"
    VAL = "val"
    TEST = "test"


def evaluate(
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="Folder for tables and worst cases.")
    ],
    model: Annotated[
        Path | None, typer.Option("--model", metavar="FILE", help="ONNX file (default: shipped).")
    ] = None,
    renders: Annotated[
        list[Path] | None,
        typer.Option("--renders", metavar="DIR", help="Labelled pictures. May be repeated."),
    ] = None,
    split: Annotated[Split, typer.Option("--split", help="Which part of them.")] = Split.VAL,
    material: Annotated[
        Path | None,
        typer.Option(
            "--material",
            metavar="DIR",
            envvar="MINIMARSHAL_MATERIAL",
            help="Folder that holds real/: photographs and a clip.",
        ),
    ] = None,
    curve: Annotated[
        bool, typer.Option(help="Recall and precision at other thresholds; takes twice as long.")
    ] = True,
    any_name: Annotated[
        bool,
        typer.Option("--any-name", help="A figure is right under the name of either maker."),
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Measure the detector on rendered and real pictures whose figures are known."""
    if not renders and material is None:
        raise Fault("--renders", "missing (or --material)")
    detector = load_detector(model)
    low = load_detector(model, min_score=FLOOR) if curve else None
    sets = [read_set(folder, split.value) for folder in renders or []]
    if material is not None:
        sets.append(read_real(material))
    # every set is begun before anything is written: a folder named wrongly leaves nothing behind
    pictures = itertools.chain(*[_begun(one) for one in sets])
    _make(out)
    with progress("evaluate", None) as done:
        parts = assess(map(nameless, pictures) if any_name else pictures, detector, low, done)
    document = report(_model(model or data_path(SHIPPED), detector.threshold), parts)
    text = json.dumps(document, indent=1, allow_nan=False, ensure_ascii=False)
    _write(out / "evaluation.json", text.encode())
    _write(out / "evaluation.md", markdown(document).encode())
    for judged in parts:
        for sort, sheet in judged.gallery.sheets().items():
            name = re.sub(r"[^a-z0-9]+", "-", judged.part.name.lower())
            _write(out / "gallery" / f"{name}-{sort}.png", png(sheet))
    if as_json:
        emit(document)
        return
    for part in document["parts"]:
        say(_line(part))
    say(f"Tables and the worst cases are in {out}.")


def _begun(pictures: Iterator[LabelledPicture]) -> Iterator[LabelledPicture]:
    """The same pictures, after the first has been seen to be there."""
    return itertools.chain(list(itertools.islice(pictures, 1)), pictures)


def _model(path: Path, threshold: float) -> dict[str, Any]:
    """Which model it was."""
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"model": path.name, "sha256": digest, "threshold": threshold}


def _line(part: dict[str, Any]) -> str:
    """The main numbers of a part."""
    words = f"{part['part']}: {part['pictures']} pictures, {part['figures']} figures"
    if part["figures"]:
        words += f", {part['found']} found"
    return f"{words}, {part['false']} false"


def _make(out: Path) -> None:
    """Make the folder; whatever lies in it is kept out of version control.

    The worst cases are cut out of pictures that may not be passed on.
    """
    try:
        (out / "gallery").mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Fault("--out", f"{out}: {error.strerror or error}") from error
    check_writable(out / ".gitignore", "--out")
    _write(out / ".gitignore", b"*\n")


def _write(path: Path, data: bytes) -> None:
    write_atomically(path, data, "--out")
