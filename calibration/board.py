"""The printed board: a ChArUco pattern, and the page it is printed on."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board_pdf import Page
from calibration.errors import BadReference

COLUMNS, ROWS = 6, 8
SQUARE_MM = 30.0
MARKER_MM = 22.0
CHECK_MM = 150
"""Length of the ruler on the page by which the print's scale is checked."""

FEW = 10
"""With fewer corners of squares those of markers tell more."""

PAPERS: dict[str, tuple[float, float]] = {"A4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in mm."""


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Corners on the board that are seen.

    Attributes:
        nodes: Their places in squares from the board's lower left corner as it is printed, x to
            the right and y up, (N, 2); whole numbers but for corners of markers.
        px: Where they are seen, (N, 2).
    """

    nodes: NDArray[np.float64]
    px: NDArray[np.float64]


def _board() -> cv2.aruco.CharucoBoard:
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE_MM, MARKER_MM, words)


def find_board(image: NDArray[np.uint8]) -> Corners:
    """Look for the board; part of it is enough.

    Args:
        image: (H, W, 3) BGR.

    Returns:
        The inner corners that are seen, perhaps none, or those of markers where these are more.
    """
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMax = 53
    settings.minMarkerPerimeterRate = 0.01
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    finder = cv2.aruco.CharucoDetector(_board(), detectorParams=settings)
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    px, ids, markers, names = finder.detectBoard(gray)
    count = 0 if ids is None else len(ids)
    if count < FEW and names is not None and len(names) > 2:
        return _marker_corners(
            np.asarray(names, dtype=np.int64).reshape(-1), np.asarray(markers, dtype=np.float64)
        )
    if ids is None or count == 0:
        return Corners(np.zeros((0, 2)), np.zeros((0, 2)))
    number = np.asarray(ids, dtype=np.int64).reshape(-1)
    across, down = number % (COLUMNS - 1) + 1, number // (COLUMNS - 1) + 1
    nodes = np.column_stack([across, ROWS - down]).astype(np.float64)
    return Corners(nodes, np.asarray(px, dtype=np.float64).reshape(-1, 2))


def _marker_corners(names: NDArray[np.int64], px: NDArray[np.float64]) -> Corners:
    """Corners of single markers: seen less well, but where squares are small the only ones."""
    board = _board()
    places = dict(
        zip(np.asarray(board.getIds()).reshape(-1).tolist(), board.getObjPoints(), strict=True)
    )
    nodes = np.concatenate([np.asarray(places[int(name)])[:, :2] for name in names]) / SQUARE_MM
    nodes[:, 1] = ROWS - nodes[:, 1]
    return Corners(nodes.astype(np.float64), px.reshape(-1, 2).astype(np.float64))


def marker_cells() -> list[tuple[float, float, float]]:
    """The board's black cells as squares.

    Returns:
        x and y of the lower left corner from the board's lower left corner, and the side, in mm.
    """
    board = _board()
    words = board.getDictionary()
    cells = []
    bits = words.markerSize + 2
    corners = [np.asarray(points).reshape(-1, 3) for points in board.getObjPoints()]
    for identifier, points in zip(np.asarray(board.getIds()).reshape(-1), corners, strict=True):
        picture = cv2.aruco.generateImageMarker(words, int(identifier), bits, borderBits=1)
        left, top = points[:, 0].min(), points[:, 1].min()
        step = MARKER_MM / bits
        for row, column in np.argwhere(picture == 0):
            lower = ROWS * SQUARE_MM - (top + (row + 1) * step)
            cells.append((float(left + column * step), float(lower), step))
    whites = {tuple(np.floor(points[:, :2].mean(axis=0) / SQUARE_MM)) for points in corners}
    for row in range(ROWS):
        for column in range(COLUMNS):
            if (column, row) not in whites:
                lower = (ROWS - 1 - row) * SQUARE_MM
                cells.append((column * SQUARE_MM, lower, SQUARE_MM))
    return cells


def board_page(paper: str = "A4") -> bytes:
    """The board as a PDF page at true scale.

    Args:
        paper: A key of ``PAPERS``.

    Returns:
        The file.

    Raises:
        BadReference: There is no such paper.
    """
    if paper not in PAPERS:
        raise BadReference("--paper", f"must be one of {', '.join(PAPERS)}")
    width, height = PAPERS[paper]
    page = Page(width, height)
    left = (width - COLUMNS * SQUARE_MM) / 2
    low = height - 6.0 - ROWS * SQUARE_MM
    for x, y, side in marker_cells():
        page.box(left + x, low + y, side, side)
    base = low - 6.0
    start = (width - CHECK_MM) / 2
    page.box(start, base, CHECK_MM, 0.2)
    for tick in range(CHECK_MM + 1):
        length = 4.0 if tick % 10 == 0 else 3.0 if tick % 5 == 0 else 2.0
        page.box(start + tick - 0.075, base - length, 0.15, length)
        if tick % 10 == 0:
            page.text(start + tick - 1.2, base - 6.6, 6, str(tick // 10))
    words = (
        "Print at 100 % (actual size, never 'fit to page') and lay the page flat on the table.",
        f"Check the ruler above: it must be {CHECK_MM} mm long. If it is not, measure the side of",
        f"a black square (here {SQUARE_MM:g} mm) and give it with --square.",
    )
    for line, text in enumerate(words):
        page.text(start - 8, base - 11.0 - 3.6 * line, 8, text)
    return page.pdf("minimarshal board")
