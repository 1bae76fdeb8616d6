"""Things on one table that lie at angles to each other: each moves in the plane by itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Apart:
    """Points of several things on one table.

    Attributes:
        points_mm: Table points as far as known before, (N, 3).
        thing: Whose each is, (N,): 0 stays and makes the table frame, 1 to P may move.
    """

    points_mm: NDArray[np.float64]
    thing: NDArray[np.int64]

    @property
    def count(self) -> int:
        """How many things may move."""
        return int(self.thing.max(initial=0))

    def _arms(self, thing: int) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Whose points those of one thing are, and from its middle to each, (K, 2)."""
        own = self.thing == thing
        flat = self.points_mm[own, :2]
        return own, flat - flat.mean(axis=0)

    def moved(self, moves: NDArray[np.float64]) -> NDArray[np.float64]:
        """Table points after the things have moved.

        Args:
            moves: Turn about its middle in radians and shift in mm for each, (P, 3).

        Returns:
            (N, 3).
        """
        points = self.points_mm.copy()
        for index, (turn, *shift) in enumerate(moves.tolist()):
            own, arms = self._arms(index + 1)
            c, s = np.cos(turn), np.sin(turn)
            points[own, :2] += arms @ np.array([[c - 1, s], [-s, c - 1]]) + shift
        return points

    def jacobian(
        self,
        by_camera: NDArray[np.float64],
        rotation: NDArray[np.float64],
        moves: NDArray[np.float64],
    ) -> NDArray[np.float64]:
        """Derivatives of pixels by the moves.

        Args:
            by_camera: Derivatives by the point in the camera frame, (N, 2, 3).
            rotation: Table to camera, (3, 3).
            moves: Where they are, (P, 3).

        Returns:
            (N, 2, 3 P).
        """
        by_table = by_camera @ rotation
        result = np.zeros((len(self.points_mm), 2, 3 * self.count))
        for index, turn in enumerate(moves[:, 0].tolist()):
            own, arms = self._arms(index + 1)
            c, s = np.cos(turn), np.sin(turn)
            x, y = (arms @ np.array([[c, s], [-s, c]])).T
            part = by_table[own]
            column = 3 * index
            result[own, :, column] = part[:, :, 1] * x[:, None] - part[:, :, 0] * y[:, None]
            result[own, :, column + 1 : column + 3] = part[:, :, :2]
        return result
