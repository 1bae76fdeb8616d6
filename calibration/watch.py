"""Notices that the camera no longer looks where it looked when the table was measured.

Points of the still background are followed from a reference picture into every picture (pyramid
Lucas-Kanade); one similarity explains them all when the camera moved, and hands and figures are
its outliers. Positions are compared with the reference picture, never with the last one, so that
slow drift adds up and noise does not.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
"""(h, w) uint8."""

MOVED_DEG: Final = 0.07
"""A turn of the camera by this is a move; it shifts figures by 1.5 mm at 1.2 m."""
_MOVED_NS: Final = 300_000_000
"""A move is believed when it has lasted this long: nobody may have leaned on the table."""
_STILL_NS: Final = 500_000_000
_LOST_NS: Final = 1_000_000_000
"""A bright picture that cannot be followed for so long shows something else."""
_STILL_SHARE: Final = 0.5
"""Of the move that is noticed: less between two pictures is standing still."""
_FEWEST: Final = 12
_SHARE: Final = 0.5
"""Share of the points that must agree; otherwise too much is covered to say anything."""
_STAYS: Final = 0.12
"""Share that is enough where they agree that nothing moved: the rest is covered."""
_POINTS: Final = 160
_SPARE: Final = 4
"""With so many times the fewest points, half of them are enough."""
_WINDOW: Final = (21, 21)
_LEVELS: Final = 3
_NEAR_LEVELS: Final = 1
"""Of the pyramid: points that hardly moved need few."""
_NEAR_PX: Final = 0.7
_DARK: Final = 12.0
"""Contrast of a picture in grey levels below which nothing can be followed."""


class View(StrEnum):
    """What the watch knows of the camera."""

    STEADY = "steady"
    MOVING = "moving"
    ELSEWHERE = "elsewhere"
    """It moved and stands still again."""


@dataclass(frozen=True, slots=True, eq=False)
class Shift:
    """How the picture lies against the reference picture.

    Attributes:
        image_A_reference: (2, 3) similarity from reference pixels to pixels, shrunken pictures.
        share: Share of the followed points that agree.
        ends: Where the followed points are, (N, 2), NaN where they were not found.
    """

    image_A_reference: NDArray[np.float64]
    share: float
    ends: NDArray[np.float32]


class Watch:
    """Follows the background of one view.

    Args:
        reference: Shrunken grey picture in which the table was measured, (h, w).
        focal_px: Focal length of the shrunken picture.
    """

    def __init__(self, reference: Grey, focal_px: float) -> None:
        self._reference = reference
        self._limit_px = focal_px * float(np.radians(MOVED_DEG))
        self._points = background_points(reference, _POINTS)
        self._home = self._points
        self._shift = Shift(_identity(), 1.0, self._points)
        self._away_ns: int | None = None
        self._still_ns: int | None = None
        self._lost_ns: int | None = None
        self.view = View.STEADY

    @property
    def shift(self) -> Shift:
        """As last seen with enough points."""
        return self._shift

    @property
    def blind(self) -> bool:
        """The reference picture has too little to follow."""
        return len(self._points) < _FEWEST

    @property
    def lost(self) -> bool:
        """Nothing has been followed for so long that the camera was turned far."""
        return self._lost_ns is not None and self.view is not View.STEADY

    def settle(self) -> None:
        """The view of now is the one that counts from here on: the table was measured in it."""
        self._home = self._shift.ends
        self.view = View.STEADY
        self._away_ns = self._still_ns = None

    def step(self, picture: Grey, t_ns: int) -> View:
        """Take one picture.

        Args:
            picture: Shrunken like the reference.
            t_ns: Its time.
        """
        found = self._find(picture)
        if found is None:
            self._still_ns = None
            return self._unknown(picture, t_ns)
        self._lost_ns = None
        # Point by point: one similarity for all wavers where perspective counts.
        moved = float(np.nanmedian(np.hypot(*(found.ends - self._shift.ends).T)))
        self._shift = found
        away = self._away(found, picture.shape)
        if self.view is View.STEADY:
            self._away_ns = (t_ns if self._away_ns is None else self._away_ns) if away else None
            if self._away_ns is not None and t_ns - self._away_ns >= _MOVED_NS:
                self.view, self._still_ns = View.MOVING, None
            return self.view
        if not moved <= _STILL_SHARE * self._limit_px:
            self._still_ns, self.view = None, View.MOVING
        elif self._still_ns is None:
            self._still_ns = t_ns
        elif t_ns - self._still_ns >= _STILL_NS:
            self.view = View.ELSEWHERE
            if not away:
                self.settle_home()
        return self.view

    def settle_home(self) -> None:
        """It came back to where it was: what was measured there still holds."""
        self.view = View.STEADY
        self._away_ns = self._still_ns = None

    def _unknown(self, picture: Grey, t_ns: int) -> View:
        """Nothing can be followed: in the dark nothing is known, in the light it was turned far."""
        if _contrast(picture) < _DARK or self.blind:
            self._lost_ns = None
            return self.view
        self._lost_ns = t_ns if self._lost_ns is None else self._lost_ns
        if t_ns - self._lost_ns >= _LOST_NS:
            self.view = View.MOVING
        return self.view

    def _away(self, found: Shift, shape: tuple[int, ...]) -> bool:
        """Whether the view has left the one that counts."""
        both = np.isfinite(found.ends).all(axis=1) & np.isfinite(self._home).all(axis=1)
        if both.sum() < _FEWEST:
            return self.view is not View.STEADY
        step = _similarity(self._home[both], found.ends[both])
        return step is not None and _apart(step[0], _identity(), shape) > self._limit_px

    def _find(self, picture: Grey) -> Shift | None:
        if self.blind or picture.shape != self._reference.shape or _contrast(picture) < _DARK:
            return None
        found = None
        if self.view is View.STEADY and len(self._points) >= _SPARE * _FEWEST:
            # While all is still, half of the points say so as well, and none is far to seek.
            found = self._from(picture, self._shift.image_A_reference, every=2, levels=_NEAR_LEVELS)
        if found is None:
            found = self._from(picture, self._shift.image_A_reference)
        if found is None and self._lost_ns is not None:
            # Turned far at once: where the whole picture went tells where to look.
            found = self._from(picture, _whole_shift(self._reference, picture))
        return found

    def _from(
        self, picture: Grey, guess: NDArray[np.float64], every: int = 1, levels: int = _LEVELS
    ) -> Shift | None:
        """Where the view went, by one of so many points."""
        points = np.ascontiguousarray(self._points[::every])
        start = _apply(guess, points)
        found, good = follow(self._reference, picture, points, start, _WINDOW, levels)
        if good.sum() < _FEWEST:
            return None
        step = _similarity(points[good], found[good])
        if step is None:
            return None
        similarity, share = step[0], step[1] / len(points)
        stays = _apart(similarity, self._shift.image_A_reference, picture.shape) < self._limit_px
        if share < (_STAYS if stays else _SHARE):
            return None
        found[~good] = np.nan
        ends = np.full(self._points.shape, np.nan, dtype=np.float32)
        ends[::every] = found
        return Shift(similarity, share, ends)


def background_points(picture: Grey, count: int, mask: Grey | None = None) -> NDArray[np.float32]:
    """Corners that can be followed, spread over the picture, (N, 2) in pixels."""
    found: list[NDArray[np.float32]] = []
    rows = columns = 4
    height, width = picture.shape
    for row in range(rows):
        for column in range(columns):
            y0, y1 = height * row // rows, height * (row + 1) // rows
            x0, x1 = width * column // columns, width * (column + 1) // columns
            part = None if mask is None else np.ascontiguousarray(mask[y0:y1, x0:x1])
            corners = cv2.goodFeaturesToTrack(
                np.ascontiguousarray(picture[y0:y1, x0:x1]),
                count // (rows * columns),
                0.02,
                max(5, width // 80),
                mask=part,
            )
            if corners is not None:
                spots = np.asarray(corners, dtype=np.float32).reshape(-1, 2)
                found.append((spots + np.array([x0, y0])).astype(np.float32))
    if not found:
        return np.zeros((0, 2), dtype=np.float32)
    return np.concatenate(found).astype(np.float32)


def follow(
    reference: Grey,
    picture: Grey,
    points: NDArray[np.float32],
    start: NDArray[np.float32],
    window: tuple[int, int],
    levels: int,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Where points of one picture lie in another one.

    Args:
        reference: (h, w).
        picture: (h, w).
        points: In the reference, (N, 2).
        start: First guess, (N, 2).
        window: Side of the patches that are compared.
        levels: Of the pyramid.

    Returns:
        Where they are, (N, 2), and which of them were found and lead back again, (N,).
    """
    criteria = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 30, 0.005)
    flags = cv2.OPTFLOW_USE_INITIAL_FLOW
    ends, there, _ = cv2.calcOpticalFlowPyrLK(
        reference, picture, points, start.copy(), winSize=window, maxLevel=levels,
        criteria=criteria, flags=flags,
    )  # fmt: skip
    back, here, _ = cv2.calcOpticalFlowPyrLK(
        picture, reference, ends, points.copy(), winSize=window, maxLevel=levels,
        criteria=criteria, flags=flags,
    )  # fmt: skip
    honest = np.hypot(*(back - points).T) < _NEAR_PX
    good = (there.ravel() == 1) & (here.ravel() == 1) & honest
    return np.asarray(ends, dtype=np.float32), np.asarray(good, dtype=np.bool_)


def _whole_shift(reference: Grey, picture: Grey) -> NDArray[np.float64]:
    """The shift that brings two whole pictures together best, as a similarity."""
    a, b = reference.astype(np.float32), picture.astype(np.float32)
    window = cv2.createHanningWindow((a.shape[1], a.shape[0]), cv2.CV_32F)
    (x, y), _ = cv2.phaseCorrelate(a, b, window)
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y]])


def _similarity(
    before: NDArray[np.float32], now: NDArray[np.float32]
) -> tuple[NDArray[np.float64], int] | None:
    """The similarity that most points agree on, (2, 3), and how many they are."""
    found, inliers = cv2.estimateAffinePartial2D(
        before, now, method=cv2.RANSAC, ransacReprojThreshold=_NEAR_PX
    )
    if found is None:
        return None
    return np.asarray(found, dtype=np.float64), int(inliers.sum())


def _contrast(picture: Grey) -> float:
    """Standard deviation of grey levels."""
    return float(cv2.meanStdDev(picture)[1][0, 0])


def _identity() -> NDArray[np.float64]:
    return np.eye(2, 3)


def _apply(similarity: NDArray[np.float64], points: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(points @ similarity[:, :2].T + similarity[:, 2], dtype=np.float32)


def _apart(a: NDArray[np.float64], b: NDArray[np.float64], shape: tuple[int, ...]) -> float:
    """Farthest that two similarities put a point of the picture apart, px."""
    height, width = shape[:2]
    inner = [(x * width, y * height) for x in (0.15, 0.5, 0.85) for y in (0.15, 0.5, 0.85)]
    points = np.array(inner)
    off = points @ (a - b)[:, :2].T + (a - b)[:, 2]
    return float(np.hypot(*off.T).max())
