"""Boxes drawn by hand on photographs that are not part of the project."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from vision.data import data_path
from vision.errors import BadSource
from vision.evaluation.labelled import LabelledFigure, LabelledPicture
from vision.evaluation.picture_truth import fault_of
from vision.sources import read_picture

FOLDERS = ("figures_photos", "figures_lowres")
PART = "photographs labelled by hand"


class HandBox(BaseModel):
    """One box: a figure that must be found, or an area that is passed over."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Literal["minifig", "ignore"]
    box_px: tuple[int, int, int, int]


class HandPicture(BaseModel):
    """The boxes of one photograph, known by its hash."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    image: str
    sha256: str
    size_px: tuple[int, int]
    note: str = ""
    boxes: tuple[HandBox, ...]


class HandLabels(BaseModel):
    """A label file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    folder: str
    least_height_px: int
    pictures: tuple[HandPicture, ...]


def read_hand_labels(path: Path) -> HandLabels:
    """Read a label file.

    Raises:
        BadSource: It cannot be read, or is no label file.
    """
    try:
        return HandLabels.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadSource(str(path), f"cannot be read ({error.strerror})") from error
    except ValidationError as error:
        raise BadSource(str(path), fault_of(error)) from error


def hand_labelled(real: Path) -> Iterator[LabelledPicture]:
    """The photographs with boxes drawn by hand.

    Args:
        real: Holds the folders of ``FOLDERS``.

    Raises:
        BadSource: A photograph is missing or not the one that was labelled.
    """
    for folder in FOLDERS:
        labels = read_hand_labels(data_path(f"datasets/labels/{folder}.json"))
        yield from with_hand_labels(labels, real / folder)


def with_hand_labels(labels: HandLabels, folder: Path) -> Iterator[LabelledPicture]:
    """Put labels and photographs together.

    Args:
        labels: Of the folder.
        folder: Holds the photographs.

    Raises:
        BadSource: A photograph is missing or not the one that was labelled.
    """
    for picture in labels.pictures:
        path = folder / picture.image
        try:
            data = path.read_bytes()
        except OSError as error:
            raise BadSource(str(path), f"cannot be read ({error.strerror})") from error
        if hashlib.sha256(data).hexdigest() != picture.sha256:
            raise BadSource(str(path), "is not the picture that was labelled")
        yield LabelledPicture(
            PART,
            f"{labels.folder}/{picture.image}",
            partial(read_picture, path),
            tuple(LabelledFigure(b.kind, b.box_px) for b in picture.boxes if b.kind == "minifig"),
            ignore=tuple(b.box_px for b in picture.boxes if b.kind == "ignore"),
        )
