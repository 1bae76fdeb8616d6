"""The real photographs and the clip of a material folder, with their labels."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from vision.detection import BoxPx
from vision.errors import BadSource
from vision.evaluation.hand_labels import hand_labelled
from vision.evaluation.labelled import ANY_FIGURE, LabelledFigure, LabelledPicture
from vision.frames import Image
from vision.sources import open_source, read_picture
from vision.training.errors import TrainingError
from vision.training.labels import read_labels
from vision.training.photographs import read_photographs

APART = "photographs kept apart"
CLIP = "clip of a walking guard"
DUPLO = "DUPLO figure, as any figure"
WITHOUT = ("bricks_no_figures", "chessboard_bricks", "dice")
"""Folders of pictures that show no figure."""
T = TypeVar("T")


def read_real(material: Path) -> Iterator[LabelledPicture]:
    """Every labelled real picture, one part after the other.

    Args:
        material: Holds ``real/``.

    Raises:
        BadSource: A part is missing, or one of its files cannot be used.
    """
    real = material / "real"
    if not real.is_dir():
        raise BadSource(str(material), "holds no folder real")
    yield from _apart(real / "minifig_boxes")
    yield from _clip(real / "figures_video" / "bag-25.mp4")
    yield from hand_labelled(real)
    yield from _duplo(real / "duplo_boxes")
    for name in WITHOUT:
        yield from _without(real / name)


def _apart(folder: Path) -> Iterator[LabelledPicture]:
    """The boxed photographs that nothing was trained or chosen on."""
    try:
        photographs = [photo for photo in read_photographs(folder) if photo.part == "apart"]
    except TrainingError as error:
        raise BadSource(str(folder), str(error).removeprefix(f"{folder}: ")) from error
    for photo in photographs:
        height, width = read_picture(photo.image).shape[:2]
        try:
            boxes = read_labels(photo.label, width, height).boxes.tolist()
        except TrainingError as error:
            raise BadSource(
                str(photo.label), str(error).removeprefix(f"{photo.label}: ")
            ) from error
        yield LabelledPicture(
            APART,
            photo.image.name,
            partial(read_picture, photo.image),
            tuple(LabelledFigure("minifig", (x0, y0, x1, y1)) for x0, y0, x1, y1 in boxes),
        )


def _clip(path: Path) -> Iterator[LabelledPicture]:
    """The poses of the one figure that is boxed; others in view are not."""
    boxes = _read(path.with_suffix(".boxes.json"), _pose_boxes)
    if not path.is_file():
        raise BadSource(str(path), "cannot be read (No such file or directory)")
    with closing(open_source(str(path))) as frames:
        for frame in frames:
            box = boxes.pop(frame.index, None)
            if box is not None:
                yield LabelledPicture(
                    CLIP,
                    f"frame {frame.index}",
                    partial(_same, frame.image),
                    (LabelledFigure("minifig", box),),
                    complete=False,
                )
    if boxes:
        raise BadSource(str(path), f"ends before frame {min(boxes)}")


def _duplo(folder: Path) -> Iterator[LabelledPicture]:
    for name, boxes in _read(folder / "boxes.json", _file_boxes):
        yield LabelledPicture(
            DUPLO,
            name,
            partial(read_picture, folder / name),
            tuple(LabelledFigure(ANY_FIGURE, box) for box in boxes),
        )


def _without(folder: Path) -> Iterator[LabelledPicture]:
    images = sorted(folder.glob("*.jpg"))
    if not images:
        raise BadSource(str(folder), "holds no .jpg picture")
    for image in images:
        yield LabelledPicture(folder.name, image.name, partial(read_picture, image))


def _same(image: Image) -> Image:
    return image


def _pose_boxes(document: Any) -> dict[int, BoxPx]:
    return {int(row["frame"]): _box(row["xyxy"]) for row in document["boxes"]}


def _file_boxes(document: Any) -> list[tuple[str, list[BoxPx]]]:
    sides = ("x0", "y0", "x1", "y1")
    return [
        (str(row["file"]), [_box([box[side] for side in sides]) for box in row["boxes"]])
        for row in document
    ]


def _box(numbers: list[float]) -> BoxPx:
    x0, y0, x1, y1 = (float(number) for number in numbers)
    return x0, y0, x1, y1


def _read(path: Path, take: Callable[[Any], T]) -> T:
    """What is taken from a JSON file of boxes."""
    try:
        return take(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise BadSource(str(path), f"cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise BadSource(str(path), "is not a list of boxes") from error
