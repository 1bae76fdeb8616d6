"""The worst cases of a set of pictures, cut out for looking at."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.detection import BoxPx, Detection
from vision.evaluation.matching import Verdict
from vision.evaluation.rows import FigureRow, FindRow
from vision.frames import Image
from vision.overlay import DARK, LIGHT, Colour, Label, draw

WORST = 24
COLUMNS = 6
CELL_PX = 200
CAPTION_PX = 34
AROUND = 0.8
"""What is cut out reaches this many box sides beyond the box."""
LEAST_AROUND_PX = 16
TRUE: Colour = (90, 220, 120)
WRONG: Colour = (60, 60, 240)

Case = tuple[float, int, Image]
"""Badness, a running number, the cell."""


@dataclass(slots=True)
class Gallery:
    """The worst missed figures, false finds and soles of one part.

    Attributes:
        cases: At most ``WORST`` of each sort, as heaps.
    """

    cases: dict[str, list[Case]] = field(
        default_factory=lambda: {"missed": [], "false": [], "soles": []}
    )
    _number: itertools.count[int] = field(default_factory=itertools.count)

    def add(self, image: Image, figures: list[FigureRow], finds: list[FindRow]) -> None:
        """Look through the rows of one picture.

        Args:
            image: (H, W, 3) BGR.
            figures: Of the picture.
            finds: Of the picture.
        """
        for row in figures:
            size = row.figure.height_px
            if not row.found:
                words = (row.picture.name, f"{row.figure.kind} {size:.0f} px")
                self._offer("missed", size, image, row.figure.box_px, words, TRUE)
            elif row.sole_px is not None:
                find = _finder(row, finds)
                words = (row.picture.name, f"{row.sole_px:.1f} of {size:.0f} px")
                badness = row.sole_px / max(size, 1.0)
                self._offer("soles", badness, image, row.figure.box_px, words, TRUE, find)
        for find_row in finds:
            if find_row.match.verdict is Verdict.FALSE:
                find = find_row.find
                words = (find_row.picture.name, f"{find.label} {find.score:.2f}")
                self._offer("false", find.score, image, find.box_px, words, WRONG)

    def sheets(self) -> dict[str, Image]:
        """One picture for each sort that has cases, worst first."""
        sheets = {}
        for name, cases in self.cases.items():
            if cases:
                cells = [cell for _, _, cell in sorted(cases, key=lambda c: (-c[0], c[1]))]
                sheets[name] = _sheet(cells)
        return sheets

    def _offer(
        self,
        sort: str,
        badness: float,
        image: Image,
        box: BoxPx,
        words: tuple[str, str],
        colour: Colour,
        find: Detection | None = None,
    ) -> None:
        kept = self.cases[sort]
        if len(kept) == WORST and badness <= kept[0][0]:
            return
        case = (badness, next(self._number), _cell(image, box, words, colour, find))
        if len(kept) < WORST:
            heapq.heappush(kept, case)
        else:
            heapq.heapreplace(kept, case)


def _finder(row: FigureRow, finds: list[FindRow]) -> Detection | None:
    """The find that is a figure."""
    for find in finds:
        index = find.match.figure
        if index is not None and row.picture.figures[index] is row.figure:
            return find.find
    return None


def _cell(
    image: Image,
    box: BoxPx,
    words: tuple[str, str],
    colour: Colour,
    find: Detection | None,
) -> Image:
    x0, y0, x1, y1 = box
    side = max(x1 - x0, y1 - y0)
    reach = side / 2 + max(LEAST_AROUND_PX, AROUND * side)
    left, top = int((x0 + x1) / 2 - reach), int((y0 + y1) / 2 - reach)
    length = max(8, int(2 * reach))
    low_x, low_y = max(left, 0), max(top, 0)
    part = image[low_y : max(top + length, 1), low_x : max(left + length, 1)]
    square = np.zeros((length, length, 3), dtype=np.uint8)
    square[low_y - top :, low_x - left :][: part.shape[0], : part.shape[1]] = part
    scale = CELL_PX / length
    small = cv2.resize(square, (CELL_PX, CELL_PX), interpolation=cv2.INTER_AREA)

    def moved(point: tuple[float, float], edge: float = 0.5) -> tuple[float, float]:
        return (point[0] + edge - left) * scale - edge, (point[1] + edge - top) * scale - edge

    shown = moved((x0, y0), 0.0) + moved((x1, y1), 0.0)
    soles: list[Detection] = []
    if find is not None and find.soles_px is not None:
        a, b = find.soles_px
        soles.append(Detection(find.label, find.score, shown, (moved(a), moved(b))))
    drawn = draw(np.asarray(small, dtype=np.uint8), [Label(shown, "", colour)], soles)
    caption = np.full((CAPTION_PX, CELL_PX, 3), DARK, dtype=np.uint8)
    for line, text in enumerate(words):
        place = (3, 13 + 15 * line)
        text = text[-30:].encode("ascii", "replace").decode()
        cv2.putText(caption, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.38, LIGHT, 1, cv2.LINE_AA)
    return np.concatenate([drawn, caption])


def _sheet(cells: list[Image]) -> Image:
    blank = np.zeros_like(cells[0])
    rows = [cells[at : at + COLUMNS] for at in range(0, len(cells), COLUMNS)]
    padded = [row + [blank] * (COLUMNS - len(row)) for row in rows]
    return np.concatenate([np.concatenate(row, axis=1) for row in padded])
