"""A second look at single finds: what each is, and whether it is anything at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.boxes import as_boxes
from vision.crops import crop, square_around
from vision.detection import BoxPx, Detection, PointPx
from vision.errors import BadSource
from vision.families import PEOPLE, families_of
from vision.frames import Image
from vision.model_card import SecondLookCard
from vision.session import Session, check_answers, open_session
from vision.tiles import suppress

BATCH = 64
LEAST_CONTRAST = 3.0
"""Standard deviation of a find's pixels, in grey levels, under which it shows nothing at all."""
ALONE = (0.6, 0.25, 0.15)
"""How likely a picture shows LEGO figures alone, Playmobil figures alone, or both."""
CANDOUR = 0.6
"""What one figure's look counts for the others: under one light all of them err alike."""
SOFTEST = (0.05, 0.95)
"""No single look is surer than this."""


class SecondLook:
    """Judges what the detector proposes.

    The detector sees everything at once and in its true size; here each find fills the picture,
    whatever its size, and gets a network's whole attention. Its scores and names replace the
    detector's; boxes and keypoints are means of both.
    """

    def __init__(self, session: Session, card: SecondLookCard, same_iou: float) -> None:
        """Set up.

        Args:
            session: The network.
            card: What it gives.
            same_iou: Two finds of one family that overlap more are the same thing.
        """
        self._session = session
        self._card = card
        self._same_iou = same_iou
        self._families = families_of(card.labels)

    @property
    def labels(self) -> tuple[str, ...]:
        """Names that it gives."""
        return self._card.labels

    @property
    def least_score(self) -> float:
        """Score from which what the detector proposes is worth a look."""
        return self._card.least_score

    def judge(self, image: Image, proposed: Sequence[Detection]) -> list[Detection]:
        """Give every find the name and score it deserves.

        Args:
            image: (H, W, 3) BGR.
            proposed: Finds of the detector.

        Returns:
            Best first. Of finds that turn out to be one thing only the best is left.
        """
        if not proposed:
            return []
        answers = self._answers(image, proposed)
        chances = answers[:, : len(self._card.labels)]
        chances[[_is_blank(image, d.box_px) for d in proposed]] = 0.0
        if self._card.places:
            where = answers[:, len(self._card.labels) + 1 :]
            proposed = [
                self._placed(image, find, own) for find, own in zip(proposed, where, strict=True)
            ]
        people = [self._card.labels.index(label) for label in PEOPLE if label in self.labels]
        if len(people) == len(PEOPLE):
            chances[:, people] = by_company(chances[:, people])
        own = self._families[None] == self._families[:, None]
        kin = chances @ own.T  # the chance of a family, under each of its members
        kinds = chances.argmax(axis=1)
        share = self._card.weight
        rows = np.arange(len(kinds))
        first = np.array([detection.score for detection in proposed])
        scores = kin[rows, kinds] ** share * first ** (1 - share)
        boxes = as_boxes([detection.box_px for detection in proposed])
        kept = suppress(boxes, scores, self._same_iou, self._families[kinds])
        return [self._named(proposed[at], int(kinds[at]), float(scores[at])) for at in kept]

    def _named(self, detection: Detection, kind: int, score: float) -> Detection:
        label = self._card.labels[kind]
        hands = detection.hands_px if label in PEOPLE else None
        return replace(detection, label=label, score=score, hands_px=hands)

    def _placed(self, image: Image, find: Detection, where: NDArray[np.float64]) -> Detection:
        """A find whose box and keypoints are means of the detector's and those seen from near.

        Args:
            image: The picture.
            find: As proposed.
            where: Edges and keypoints in sides of the square around the find.
        """
        left, top, side = square_around(find.box_px, self._card.margin)
        # What is larger than the network's square is seen better in the picture itself.
        detail = min(1.0, self._card.size_px / side)
        own = where.reshape(-1, 2) * side + (left, top)
        box = _mean(np.array(find.box_px), own[:2].reshape(4), self._card.box_weight * detail)
        box = np.clip(box, 0.0, np.tile([image.shape[1], image.shape[0]], 2))
        if box[2] - box[0] < 1 or box[3] - box[1] < 1:
            return find
        points = dict(zip(self._card.keypoints, own[2:] - 0.5, strict=True))

        def put(first: PointPx, name: str) -> PointPx:
            second = points.get(name, np.array(first))
            x, y = _mean(np.array(first), second, self._card.point_weight * detail**2)
            return float(x), float(y)

        soles, head, hands = find.soles_px, find.head_px, find.hands_px
        return replace(
            find,
            box_px=(float(box[0]), float(box[1]), float(box[2]), float(box[3])),
            soles_px=soles and (put(soles[0], "left_sole"), put(soles[1], "right_sole")),
            head_px=head and put(head, "head_top"),
            hands_px=hands and (put(hands[0], "left_hand"), put(hands[1], "right_hand")),
        )

    def _answers(self, image: Image, proposed: Sequence[Detection]) -> NDArray[np.float64]:
        """(N, rows) what the network says of each find."""
        side, margin = self._card.size_px, self._card.margin
        answers = []
        for first in range(0, len(proposed), BATCH):
            some = proposed[first : first + BATCH]
            squares = np.stack([crop(image, d.box_px, side, margin) for d in some])
            batch = np.ascontiguousarray(squares[..., ::-1].transpose(0, 3, 1, 2))
            answers.append(self._session.run(batch.astype(np.float32) / np.float32(255)))
        return np.concatenate(answers)[:, :, 0].astype(np.float64)


def _mean(
    first: NDArray[np.float64], second: NDArray[np.float64], share: float
) -> NDArray[np.float64]:
    return first * (1 - share) + second * share


def _is_blank(image: Image, box: BoxPx) -> bool:
    """Whether a find shows one colour alone, as a dark camera does: then it is nothing."""
    height, width = image.shape[:2]
    x0, y0 = max(0, int(box[0])), max(0, int(box[1]))
    x1, y1 = min(width, int(box[2]) + 1), min(height, int(box[3]) + 1)
    inside = image[y0:y1, x0:x1]
    return bool(inside.size == 0 or inside.std(axis=(0, 1)).max() < LEAST_CONTRAST)


def by_company(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chances of the two makers, seen in company: most tables show one maker's figures alone.

    A picture shows LEGO alone, Playmobil alone, or both (ALONE). What each of the other figures
    looks like says which, and that says what a doubtful figure is.

    Args:
        chances: (N, 2) chance of being a LEGO and a Playmobil figure.

    Returns:
        (N, 2) with the same sums.
    """
    sums = chances.sum(axis=1)
    second = np.clip(chances[:, 1] / np.maximum(sums, 1e-9), *SOFTEST)
    said = sums * CANDOUR
    evidence = np.stack([said * np.log(1 - second), said * np.log(second), said * np.log(0.5)])
    others = evidence.sum(axis=1, keepdims=True) - evidence
    weights = np.array(ALONE)[:, None] * np.exp(others - others.max(axis=0))
    prior = (weights[1] + weights[2] / 2) / weights.sum(axis=0)
    share = second * prior / (second * prior + (1 - second) * (1 - prior))
    return np.asarray(sums[:, None] * np.stack([1 - share, share], axis=1), dtype=np.float64)


def load_second_look(folder: Path, card: SecondLookCard, same_iou: float) -> SecondLook:
    """Load the network that a card names, beside the card.

    Args:
        folder: Of the card.
        card: Of the network.
        same_iou: Two finds of one family that overlap more are the same thing.

    Raises:
        BadSource: Missing, damaged, or not what the card says.
    """
    path = folder / card.model
    session = open_session(card.read(path), str(path))
    answer = check_answers(session, str(path), card.size_px, card.rows)
    if answer.shape[2] != 1:
        raise BadSource(str(path), f"model judges {answer.shape[2]} things in one square")
    return SecondLook(session, card, same_iou)
