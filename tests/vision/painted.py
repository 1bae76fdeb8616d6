"""A network made by hand: it sees white blocks and where their corners are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.model_card import ModelCard, ModelInput

KEYPOINTS = ("left_sole", "right_sole", "head_top", "left_hand", "right_hand")
CARD = ModelCard(
    labels=("minifig", "playmobil"),
    keypoints=KEYPOINTS,
    input=ModelInput(size_px=320),
    sha256="0" * 64,
    threshold=0.5,
)


class PaintedSession:
    """Answers like a network whose figures are white blocks.

    Of each block it gives the box, the lower left and right corners as soles and the middle of
    the upper edge as head, each twice, the second time with a lower score.
    """

    def __init__(self, score: float = 0.9, points: float = 0.8, card: ModelCard = CARD) -> None:
        self.score = score
        self.card = card
        self.points = points
        self.batches: list[int] = []

    def run(self, batch: NDArray[np.float32]) -> NDArray[np.float32]:
        self.batches.append(len(batch))
        assert batch.dtype == np.float32
        assert batch.max() <= 1.0
        output = np.zeros((len(batch), self.card.rows, 600), dtype=np.float32)
        for tile, answer in zip(batch, output, strict=True):
            white = (tile.min(axis=0) > 0.75).astype(np.uint8)
            _, _, stats, _ = cv2.connectedComponentsWithStats(white)
            for at, (x, y, w, h, _) in enumerate(stats[1:].tolist()):
                for copy, share in ((0, 1.0), (1, 0.8)):
                    column = answer[:, 2 * at + copy]
                    column[:4] = (x + w / 2, y + h / 2, w, h)
                    column[4] = self.score * share
                    points = ((x, y + h), (x + w, y + h), (x + w / 2, y), (x, y), (x + w, y))
                    for index, (px, py) in enumerate(points):
                        at_point = 4 + len(self.card.labels) + 3 * index
                        column[at_point : at_point + 3] = (px, py, self.points)
        return output
