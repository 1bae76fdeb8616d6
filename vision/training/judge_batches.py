"""Batches of crops for the second look, and what it should answer to each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.families import KINDS
from vision.training.errors import TrainingError
from vision.training.mining import NOTHING, SAME

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from vision.training.mining import Crops

NOTHING_SHARE, BADLY_SHARE = 0.33, 0.12
"""Share of what is no figure in a batch, and of bad finds of figures; the kinds share the rest
evenly."""
BAD, GOOD = 0.35, 0.65
"""IoU at which a find should be called nothing, and at which it should be called what it is; in
between it is partly both, so that of two finds of one thing the better one wins."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Crops of one update, as in ``Crops``."""

    pictures: NDArray[np.uint8]
    kinds: NDArray[np.int64]
    overlaps: NDArray[np.float32]
    boxes: NDArray[np.float32]
    points: NDArray[np.float32]

    def wanted(self) -> NDArray[np.float32]:
        """(B, kinds + 1) what the network should answer."""
        sure = np.clip((self.overlaps - BAD) / (GOOD - BAD), 0, 1)
        sure = np.where(self.kinds == NOTHING, 0, sure)
        answer = np.zeros((len(sure), NOTHING + 1), np.float32)
        answer[np.arange(len(sure)), self.kinds] = sure
        answer[:, NOTHING] = 1 - sure
        return answer


class Drawer:
    """Draws batches in which no kind is rare."""

    def __init__(self, sets: Sequence[tuple[Crops, float]], rng: np.random.Generator) -> None:
        self._rng = rng
        self._sets = [crops for crops, _ in sets]
        self._starts = np.cumsum([0, *(len(crops) for crops in self._sets)])
        kinds = np.concatenate([crops.kinds for crops in self._sets])
        badly = np.concatenate([crops.overlaps < SAME for crops in self._sets])
        groups = np.where((kinds != NOTHING) & badly, NOTHING + 1, kinds)
        worth = np.concatenate([np.full(len(crops), weight) for crops, weight in sets])
        self._of = [np.flatnonzero(groups == group) for group in range(NOTHING + 2)]
        there = [kind for kind in range(len(KINDS)) if len(self._of[kind])]
        if not len(self._of[NOTHING]) or not there:
            raise TrainingError("crops", "hold no figure, or nothing but figures")
        self._odds = [worth[of] / worth[of].sum() if len(of) else worth[of] for of in self._of]
        self._shares = np.zeros(NOTHING + 2)
        # the two makers' figures are what it is for: twice the share of the others
        for kind in there:
            self._shares[kind] = 2.0 if kind < 2 else 1.0
        self._shares *= (1 - NOTHING_SHARE - BADLY_SHARE) / self._shares.sum()
        self._shares[NOTHING] = NOTHING_SHARE
        self._shares[NOTHING + 1] = BADLY_SHARE if len(self._of[NOTHING + 1]) else 0.0
        self._shares /= self._shares.sum()

    def __call__(self, count: int) -> Batch:
        """Draw crops for one update."""
        groups = self._rng.choice(len(self._shares), count, p=self._shares)
        at = np.empty(count, np.int64)
        for group in range(len(self._shares)):
            mine = groups == group
            if mine.any():
                at[mine] = self._rng.choice(self._of[group], int(mine.sum()), p=self._odds[group])
        sets = np.searchsorted(self._starts, at, side="right") - 1
        rows = [(self._sets[s], int(i - self._starts[s])) for s, i in zip(sets, at, strict=True)]
        return Batch(
            np.stack([crops.pictures[i] for crops, i in rows]),
            np.array([crops.kinds[i] for crops, i in rows]),
            np.array([crops.overlaps[i] for crops, i in rows]),
            np.stack([crops.boxes[i] for crops, i in rows]),
            np.stack([crops.points[i] for crops, i in rows]),
        )
