"""Where the picture changed since it was last looked at, and whether the view was cut."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detection import BoxPx
from vision.frames import Image

Grey = NDArray[np.uint8]
"""(h, w) uint8."""

SHRINK = 4
CELL = 16
"""Side of a cell in the shrunken picture: 64 px of the original."""
_LEAST_STEP = 6.0
_NOISE_STEPS = 5.0
_SHARE = 0.02
_REFRESH_NS = 4_000_000_000

_CUT_SIZE = (48, 27)
_CUT_STEP = 14.0
_CUT_SHARE = 0.55
_CUT_HISTOGRAM = 0.25
_CUT_LIKENESS = 0.6


def shrink(image: Image) -> Grey:
    """Grey picture at a quarter of the size.

    Args:
        image: (H, W, 3) BGR.

    Returns:
        (ceil(H / 4), ceil(W / 4)) uint8.
    """
    height, width = image.shape[:2]
    size = (-(-width // SHRINK), -(-height // SHRINK))
    small = cv2.resize(image, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


class ChangeGate:
    """Names the regions worth a detector's look.

    Every cell remembers how it looked when it was last handed out. A cell that differs by more
    than the noise is handed out again, with its neighbours; besides, all cells take turns, a few
    in each frame, so that nothing stays unseen for longer than `refresh_ns`.
    """

    def __init__(self, refresh_ns: int = _REFRESH_NS) -> None:
        """Set up.

        Args:
            refresh_ns: Within this time every cell is looked at once.
        """
        self._refresh_ns = refresh_ns
        self._reference: Grey | None = None
        self._last: Grey | None = None
        self._noise = 1.0
        self._turn_ns = 0
        self._turn = 0.0

    @property
    def noise(self) -> float:
        """Standard deviation of the picture's own noise, in grey levels."""
        return self._noise

    def reset(self) -> None:
        """Look at everything next time."""
        self._reference = None

    def regions(self, small: Grey, t_ns: int) -> list[BoxPx] | None:
        """Boxes to look at in this frame.

        Args:
            small: From ``shrink``.
            t_ns: Time of the frame.

        Returns:
            Boxes in original pixels, possibly none; None means the whole picture.
        """
        last, self._last = self._last, small
        if self._reference is None or self._reference.shape != small.shape:
            self._reference = small.copy()
            self._turn_ns, self._turn = t_ns, 0.0
            return None
        if last is not None and last.shape == small.shape:
            self._learn_noise(np.asarray(cv2.absdiff(small, last), dtype=np.uint8))
        step = max(_LEAST_STEP, _NOISE_STEPS * self._noise)
        # A blur first: noise averages out, edges of things do not.
        now, before = cv2.blur(small, (3, 3)), cv2.blur(self._reference, (3, 3))
        changed = (cv2.absdiff(now, before) > step / 2).astype(np.float32)
        cells = _cells(changed) > _SHARE
        cells = cv2.dilate(cells.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        cells |= self._take_turns(cells.shape, t_ns)
        mask = cells.repeat(CELL, 0).repeat(CELL, 1)[: small.shape[0], : small.shape[1]]
        self._reference[mask] = small[mask]
        return _boxes(cells, small.shape)

    def _learn_noise(self, difference: Grey) -> None:
        """Running estimate from the median difference of two frames, which motion hardly moves."""
        middle = float(np.median(difference[::2, ::2]))
        sample = max(0.5, 1.48 * middle / np.sqrt(2))
        self._noise += 0.1 * (sample - self._noise)

    def _take_turns(self, shape: tuple[int, ...], t_ns: int) -> NDArray[np.bool_]:
        """Cells whose turn it is: square blocks, a quarter of the height, one after another."""
        side = max(1, -(-shape[0] // 4))
        rows, columns = -(-shape[0] // side), -(-shape[1] // side)
        count = rows * columns
        passed, self._turn_ns = max(0, t_ns - self._turn_ns), t_ns
        first = int(self._turn)
        self._turn += min(float(count), passed / self._refresh_ns * count)
        turn = np.zeros(shape, dtype=bool)
        for block in range(first, int(self._turn)):
            row, column = divmod(block % count, columns)
            turn[side * row : side * (row + 1), side * column : side * (column + 1)] = True
        return turn


def _cells(mask: NDArray[np.float32]) -> NDArray[np.float32]:
    """Share of each cell that is set."""
    rows, columns = -(-mask.shape[0] // CELL), -(-mask.shape[1] // CELL)
    padded = np.zeros((rows * CELL, columns * CELL), dtype=np.float32)
    padded[: mask.shape[0], : mask.shape[1]] = mask
    blocks = padded.reshape(rows, CELL, columns, CELL)
    return np.asarray(blocks.mean(axis=(1, 3)), dtype=np.float32)


def _boxes(cells: NDArray[np.bool_], shape: tuple[int, ...]) -> list[BoxPx]:
    """One box around each connected group of cells, in original pixels."""
    count, _, stats, _ = cv2.connectedComponentsWithStats(cells.astype(np.uint8), connectivity=8)
    side = float(CELL * SHRINK)
    right, lower = float(shape[1] * SHRINK), float(shape[0] * SHRINK)
    boxes = []
    for x, y, width, height, _ in stats[1:count].tolist():
        boxes.append(
            (
                x * side,
                y * side,
                min(right, (x + width) * side),
                min(lower, (y + height) * side),
            )
        )
    return boxes


@dataclass(slots=True)
class CutWatch:
    """Notices when the view changes to another place.

    The background is a grid of points in a very small picture: small shifts of the camera and
    moving hands leave most of them as they were, and a change of light is one gain and offset for
    all. A cut changes most points, their pattern and the histogram together.
    """

    _last: NDArray[np.float32] | None = None

    def step(self, small: Grey) -> bool:
        """Take one frame.

        Args:
            small: From ``shrink``.

        Returns:
            Whether this frame shows another place than the one before.
        """
        points = cv2.resize(small, _CUT_SIZE, interpolation=cv2.INTER_AREA).astype(np.float32)
        last, self._last = self._last, points
        if last is None:
            return False
        difference = points - last
        if float((np.abs(difference) > _CUT_STEP).mean()) < _CUT_SHARE / 2:
            return False
        gain, offset = _light(last, points)
        changed = float((np.abs(points - gain * last - offset) > _CUT_STEP).mean())
        likeness = _likeness(last, points)
        histogram = _histogram_distance(gain * last + offset, points)
        different = histogram > _CUT_HISTOGRAM or likeness < _CUT_LIKENESS / 2
        return changed > _CUT_SHARE and likeness < _CUT_LIKENESS and different


def _light(before: NDArray[np.float32], now: NDArray[np.float32]) -> tuple[float, float]:
    """Gain and offset of a change of light, from the quartiles."""
    low, middle, high = np.percentile(before, [25, 50, 75])
    low_now, middle_now, high_now = np.percentile(now, [25, 50, 75])
    gain = float(np.clip((high_now - low_now) / max(high - low, 4.0), 0.3, 3.0))
    return gain, float(middle_now - gain * middle)


def _likeness(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Correlation of the two patterns, -1 to 1."""
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / scale if scale > 1e-6 else 1.0


def _histogram_distance(a: NDArray[np.float32], b: NDArray[np.float32]) -> float:
    """Hellinger distance of the grey histograms, 0 to 1."""
    edges = np.linspace(0, 256, 17)
    first = np.histogram(np.clip(a, 0, 255), edges)[0] / a.size
    second = np.histogram(np.clip(b, 0, 255), edges)[0] / b.size
    return float(np.sqrt(max(0.0, 1.0 - np.sqrt(first * second).sum())))
