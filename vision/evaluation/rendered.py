"""Rendered sets and other labelled folders: ``images``, ``labels`` and, if known, ``truth``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from engine.table import PointMm
from vision.errors import BadSource
from vision.evaluation.labelled import FIGURES, LabelledFigure, LabelledPicture
from vision.evaluation.picture_truth import TrueFigure, TruePicture, read_truth, truth_lines
from vision.families import KINDS
from vision.frames import Image
from vision.sources import read_picture
from vision.training.errors import TrainingError
from vision.training.labels import read_labels

LEAST_VISIBLE = 0.25
"""Figures of which less is seen need not be found."""


def read_set(folder: Path, split: str) -> Iterator[LabelledPicture]:
    """The pictures of one split of a labelled folder, by name.

    What is known of a picture comes from ``truth/SPLIT/NAME.json``, else from its line of
    ``truth-SPLIT.jsonl``, else from ``labels/SPLIT/NAME.txt``.

    Args:
        folder: Holds ``images/SPLIT``.
        split: ``train``, ``val`` or ``test``.

    Raises:
        BadSource: There is no such picture, or a label or truth file cannot be used.
    """
    images = sorted((folder / "images" / split).glob("*.jpg"))
    if not images:
        raise BadSource(str(folder), f"holds no images/{split}/*.jpg")
    lines = truth_lines(folder / f"truth-{split}.jsonl")
    name = f"{folder.name}/{split}"
    for image in images:
        read = partial(read_picture, image)
        truth = folder / "truth" / split / f"{image.stem}.json"
        if truth.exists():
            yield _from_truth(name, image, read, read_truth(truth))
        elif image.name in lines:
            yield _from_truth(name, image, read, lines[image.name](_size(read())))
        else:
            label = folder / "labels" / split / f"{image.stem}.txt"
            yield _from_labels(name, image, read, label)


def _from_truth(
    part: str, image: Path, read: Callable[[], Image], truth: TruePicture
) -> LabelledPicture:
    camera = truth.camera
    elevation = truth.elevation_deg
    if elevation is None:
        # The third row of the rotation is the way the camera looks, in the table frame.
        elevation = math.degrees(math.asin(max(-1.0, min(1.0, -camera.camera_T_table[2, 2]))))
    hands = None
    if truth.hands is not None:
        hands = tuple(
            hand.box_px
            for hand in truth.hands
            if hand.box_px is not None and hand.visible >= LEAST_VISIBLE
        )
    return LabelledPicture(
        part,
        image.name,
        read,
        tuple(_figure(figure) for figure in truth.figures if figure.box_px is not None),
        kinds=KINDS[:-1],
        hands=hands,
        camera=camera,
        elevation_deg=elevation,
        light=truth.light,
    )


def _size(image: Image) -> tuple[int, int]:
    return image.shape[1], image.shape[0]


def _figure(figure: TrueFigure) -> LabelledFigure:
    left, right = figure.flags[:2]
    centre: PointMm | None = None
    if figure.base_centre_mm is not None:
        centre = (figure.base_centre_mm[0], figure.base_centre_mm[1])
    return LabelledFigure(
        figure.kind,
        figure.box_px or (0.0, 0.0, 0.0, 0.0),
        asked=figure.visible >= LEAST_VISIBLE,
        visible=figure.visible,
        soles_px=(figure.keypoints_px[0], figure.keypoints_px[1]) if left and right else None,
        soles_seen=left == right == 2,
        state=figure.state,
        facing_deg=figure.facing_deg,
        base_centre_mm=centre,
        level_mm=figure.level_mm,
    )


def _from_labels(part: str, image: Path, read: Callable[[], Image], label: Path) -> LabelledPicture:
    width, height = _size(read())
    try:
        labels = read_labels(label, width, height)
    except TrainingError as error:
        raise BadSource(str(label), str(error).removeprefix(f"{label}: ")) from error
    words = [line.split()[0] for line in label.read_text("utf-8").splitlines() if line.strip()]
    kinds = [KINDS[int(float(word))] for word in words]
    figures, hands = [], []
    for kind, box, points in zip(kinds, labels.boxes.tolist(), labels.points, strict=True):
        x0, y0, x1, y1 = box
        if kind == "hand":
            hands.append((x0, y0, x1, y1))
            continue
        seen = points[:2, 2]
        soles = points[:2, :2].astype(np.float64) - 0.5
        figures.append(
            LabelledFigure(
                kind,
                (x0, y0, x1, y1),
                soles_px=((soles[0, 0], soles[0, 1]), (soles[1, 0], soles[1, 1]))
                if (seen > 0).all()
                else None,
                soles_seen=bool((seen == 2).all()),
            )
        )
    return LabelledPicture(
        part,
        image.name,
        read,
        tuple(figures),
        kinds=tuple({*FIGURES, *(figure.kind for figure in figures)}),
        hands=tuple(hands) or None,
    )
