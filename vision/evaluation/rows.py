"""What became of each labelled figure and each find, one row each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.table import FigureState, PointMm
from vision.boxes import as_boxes, iou
from vision.contact import Contact, ground
from vision.detect import Found
from vision.detection import BoxPx, Detection
from vision.evaluation.labelled import LabelledFigure, LabelledPicture
from vision.evaluation.matching import HAND_IOU, Match, greedy, match


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A labelled figure that must be found, and how it was.

    Attributes:
        picture: Where it is.
        figure: The label.
        score: Of the find that is it, None when it was missed.
        overlap: IoU of the two.
        sole_px: How far the middle of the soles is off.
        each_sole_px: How far each sole is off, the mean of both.
        swapped: Whether left and right are swapped.
        facing_deg: How far the facing is off, 0 to 180, None where it is not known or not given.
        state: The state that was found, None without a camera.
        position_mm: How far its place on the table is off, for standing figures.
    """

    picture: LabelledPicture
    figure: LabelledFigure
    score: float | None = None
    overlap: float = 0.0
    sole_px: float | None = None
    each_sole_px: float | None = None
    swapped: bool | None = None
    facing_deg: float | None = None
    state: FigureState | None = None
    position_mm: float | None = None

    @property
    def found(self) -> bool:
        """Whether it was found."""
        return self.score is not None


@dataclass(frozen=True, slots=True)
class FindRow:
    """A find and what it is worth."""

    picture: LabelledPicture
    find: Detection
    match: Match


@dataclass(frozen=True, slots=True)
class HandCount:
    """Players' hands of some pictures."""

    hands: int = 0
    found: int = 0
    false: int = 0

    def __add__(self, other: HandCount) -> HandCount:
        """Both together."""
        return HandCount(
            self.hands + other.hands, self.found + other.found, self.false + other.false
        )


Place = tuple[PointMm, PointMm]
"""Where a figure is and where it was found to be."""


@dataclass(slots=True)
class Part:
    """All rows of one set of pictures.

    Attributes:
        name: Of the set.
        pictures: In order.
        figures: Those that must be found.
        finds: All of them.
        hands: None where no picture says where hands are.
        pairs_mm: Errors of the distances between two standing figures of one picture.
    """

    name: str
    pictures: list[LabelledPicture] = field(default_factory=list)
    figures: list[FigureRow] = field(default_factory=list)
    finds: list[FindRow] = field(default_factory=list)
    hands: HandCount | None = None
    pairs_mm: list[float] = field(default_factory=list)

    def add(self, picture: LabelledPicture, found: Found) -> None:
        """Count one picture."""
        matches = match(found.detections, picture)
        self.pictures.append(picture)
        self.finds += [
            FindRow(picture, find, judged)
            for find, judged in zip(found.detections, matches, strict=True)
        ]
        finder = {judged.figure: at for at, judged in enumerate(matches)}
        places: list[Place] = []
        for at, figure in enumerate(picture.figures):
            if not figure.asked:
                continue
            if at not in finder:
                self.figures.append(FigureRow(picture, figure))
                continue
            find = found.detections[finder[at]]
            contact = None
            if picture.camera is not None:
                contact = ground(find, picture.camera, figure.level_mm)
            place = _place(figure, contact)
            self.figures.append(_row(picture, figure, find, contact, place))
            if place is not None:
                places.append(place)
        self.pairs_mm += pair_errors(places)
        if picture.hands is not None:
            self.hands = (self.hands or HandCount()) + _hands(picture.hands, found)


def pair_errors(places: Sequence[Place]) -> list[float]:
    """Errors of the distance between every two places, mm."""
    return [
        abs(math.dist(places[a][1], places[b][1]) - math.dist(places[a][0], places[b][0]))
        for a in range(len(places))
        for b in range(a)
    ]


def turn_between(a_deg: float, b_deg: float) -> float:
    """Angle between two facings, 0 to 180 degrees."""
    return abs((a_deg - b_deg + 180.0) % 360.0 - 180.0)


def _place(figure: LabelledFigure, contact: Contact | None) -> Place | None:
    """Of a figure that stands and was found to stand somewhere."""
    if (
        contact is None
        or contact.position_mm is None
        or figure.base_centre_mm is None
        or figure.state != FigureState.STANDING
    ):
        return None
    return figure.base_centre_mm, contact.position_mm


def _row(
    picture: LabelledPicture,
    figure: LabelledFigure,
    find: Detection,
    contact: Contact | None,
    place: Place | None,
) -> FigureRow:
    sole = each = swapped = facing = None
    if figure.soles_px is not None and find.soles_px is not None:
        true, own = np.array(figure.soles_px), np.array(find.soles_px)
        sole = float(np.hypot(*(own.mean(axis=0) - true.mean(axis=0))))
        each = float(np.hypot(*(own - true).T).mean())
        swapped = bool(np.hypot(*(own[::-1] - true).T).mean() < each)
    if contact is not None and contact.facing_deg is not None and figure.facing_deg is not None:
        facing = turn_between(contact.facing_deg, figure.facing_deg)
    return FigureRow(
        picture,
        figure,
        score=find.score,
        overlap=float(iou(as_boxes([find.box_px]), as_boxes([figure.box_px]))[0, 0]),
        sole_px=sole,
        each_sole_px=each,
        swapped=swapped,
        facing_deg=facing,
        state=None if contact is None else contact.state,
        position_mm=None if place is None else math.dist(*place),
    )


def _hands(true: Sequence[BoxPx], found: Found) -> HandCount:
    overlap = iou(as_boxes([hand.box_px for hand in found.hands]), as_boxes(list(true)))
    pairs = greedy(overlap, [hand.score for hand in found.hands], HAND_IOU)
    right = sum(pair is not None for pair in pairs)
    return HandCount(len(true), right, len(pairs) - right)
