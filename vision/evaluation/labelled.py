"""Pictures of which somebody knows what they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from calibration.plane import Calibration
from engine.table import PointMm
from vision.detection import BoxPx, PointPx
from vision.families import FAMILIES
from vision.frames import Image

FIGURES = FAMILIES[0]
ANY_FIGURE = "figure"
"""Kind of a figure that may be taken for any of ``FIGURES``."""


@dataclass(frozen=True, slots=True)
class LabelledFigure:
    """A figure, animal or vehicle, and what is known of it.

    Attributes:
        kind: One of ``vision.families.KINDS`` or ``ANY_FIGURE``.
        box_px: What is seen of it.
        asked: Whether it must be found; a find on any other counts neither for nor against.
        visible: Share of it that is seen, None where unknown.
        soles_px: Left and right sole, seen or hidden but inside the picture.
        soles_seen: Whether both are in view.
        state: ``standing``, ``lying``, ``in_hand``, ``rider`` or ``tilted``.
        facing_deg: Counter-clockwise from +x; of a lying one from feet to head.
        base_centre_mm: On the table.
        level_mm: Height of what its soles stand on, over z = 0.
    """

    kind: str
    box_px: BoxPx
    asked: bool = True
    visible: float | None = None
    soles_px: tuple[PointPx, PointPx] | None = None
    soles_seen: bool = False
    state: str | None = None
    facing_deg: float | None = None
    base_centre_mm: PointMm | None = None
    level_mm: float = 0.0

    @property
    def width_px(self) -> float:
        """Of the box."""
        return self.box_px[2] - self.box_px[0]

    @property
    def height_px(self) -> float:
        """Of the box."""
        return self.box_px[3] - self.box_px[1]


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPicture:
    """One picture with its labels.

    Attributes:
        part: Set it belongs to.
        name: Of the picture within the set.
        read: Gives the picture, (H, W, 3) BGR.
        figures: In it.
        ignore: Finds that lie half in one of these count neither for nor against.
        complete: Whether everything of ``kinds`` is labelled, so that any other find is false.
        kinds: Kinds the labels cover; finds of others are left out.
        hands: Boxes of players' hands, None where unknown.
        camera: How the camera sees the true table, None where unknown.
        elevation_deg: Of the camera over the table.
        light: In one word.
    """

    part: str
    name: str
    read: Callable[[], Image]
    figures: tuple[LabelledFigure, ...] = ()
    ignore: tuple[BoxPx, ...] = ()
    complete: bool = True
    kinds: tuple[str, ...] = FIGURES
    hands: tuple[BoxPx, ...] | None = None
    camera: Calibration | None = None
    elevation_deg: float | None = None
    light: str | None = None


def fits(label: str, kind: str) -> bool:
    """Whether a find's label is right for a kind."""
    return label == kind or (kind == ANY_FIGURE and label in FIGURES)


def nameless(picture: LabelledPicture) -> LabelledPicture:
    """The same picture, its figures right under the name of either maker."""
    figures = (
        replace(figure, kind=ANY_FIGURE) if figure.kind in FIGURES else figure
        for figure in picture.figures
    )
    return replace(picture, figures=tuple(figures))
