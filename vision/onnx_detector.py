"""Finds figures with a keypoint network that looks at tiles of the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boxes import iou
from vision.data import data_path
from vision.detection import BoxPx, Detection, PointPx
from vision.errors import BadSource
from vision.families import HAND, PEOPLE, families_of
from vision.frames import Image
from vision.model_card import ModelCard, read_card, read_weights
from vision.second_look import SecondLook, load_second_look
from vision.session import Session, check_answers, open_session
from vision.tiles import Tile, cut_off, groups, in_regions, level_size, magnified, plan, suppress
from vision.wholes import whole

SHIPPED = "models/detector.onnx"
BATCH = 8
COARSER = 0.25
"""What a point counts at half scale against one at full scale, before squaring."""
CUT_PENALTY = 0.7
"""What a figure's score is worth when no tile shows it whole."""

SMALL_PX = 32.0
"""Figures of which the middle one is lower than this are looked at again at twice their size."""

TINY_PX = 12.0
"""What is smaller than this in a shrunken picture is seen better, and placed better, in a larger
one."""

FEW = 3
"""Fewer in a whole picture are rather something else than figures far away."""

FAINT = 0.4
"""Of the score that is wanted, what makes a find worth magnifying in a part of a picture."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """What tiles show, in edge-based pixels of the picture (the first pixel spans 0 to 1).

    Attributes:
        boxes: (N, 4).
        scores: (N,).
        classes: (N,) index into the card's labels.
        points: (N, K, 3) x, y, confidence.
        cut: (N,) whether the tile's edge cut the box.
        levels: (N,) pyramid level.
    """

    boxes: Floats
    scores: Floats
    classes: NDArray[np.intp]
    points: Floats
    cut: NDArray[np.bool_]
    levels: NDArray[np.intp]

    def take(self, keep: NDArray[np.intp] | NDArray[np.bool_]) -> Candidates:
        """Some of them."""
        return Candidates(
            self.boxes[keep],
            self.scores[keep],
            self.classes[keep],
            self.points[keep],
            self.cut[keep],
            self.levels[keep],
        )


class OnnxDetector:
    """The shipped detector."""

    def __init__(
        self,
        session: Session,
        card: ModelCard,
        min_score: float | None = None,
        second_look: SecondLook | None = None,
    ) -> None:
        """Set up.

        Args:
            session: The network.
            card: What it gives.
            min_score: Instead of the card's threshold.
            second_look: Judges what the network proposes, None takes its word.
        """
        self._session = session
        self._card = card
        self._second_look = second_look
        self._wanted = card.threshold if min_score is None else min_score
        self._min_score = self._wanted if second_look is None else second_look.least_score
        self._families = families_of(card.labels)

    @property
    def labels(self) -> tuple[str, ...]:
        """Class names."""
        return self._card.labels if self._second_look is None else self._second_look.labels

    @property
    def threshold(self) -> float:
        """Score from which a find is shown, as the card says."""
        return self._card.threshold

    def detect(self, image: Image, regions: Sequence[BoxPx] | None = None) -> list[Detection]:
        """Find figures, and players' hands if the network knows them.

        Args:
            image: (H, W, 3) BGR.
            regions: Look only at tiles that meet these boxes; None scans everything.

        Returns:
            Best first. With regions only what meets one and lies whole in a tile.
        """
        found = self._look(image, regions, self._judged)
        return [detection for detection in found if detection.score >= self._wanted]

    def propose(self, image: Image) -> list[Detection]:
        """What there may be in a picture, before anything is judged.

        Args:
            image: (H, W, 3) BGR.

        Returns:
            Best first; figures may be proposed twice, as a whole and as a part.
        """
        return self._look(image, None, lambda _image, proposed: proposed)

    def _look(
        self,
        image: Image,
        regions: Sequence[BoxPx] | None,
        judged: Callable[[Image, list[Detection]], list[Detection]],
    ) -> list[Detection]:
        """Look at a picture, and where figures are small again at twice its size."""
        size_px = (image.shape[1], image.shape[0])
        side = self._card.input.size_px
        parts = self._scan(image, plan(size_px, side, regions=regions))
        detections = judged(image, self._merge(parts, size_px, regions))
        if self._are_small(detections, partial=regions is not None):
            parts += self._scan(image, magnified(size_px, side, regions=regions))
            detections = judged(image, self._merge(parts, size_px, regions))
        return detections

    def _judged(self, image: Image, proposed: list[Detection]) -> list[Detection]:
        """What is left after a second look, if there is one, without parts of other finds."""
        if self._second_look is not None:
            proposed = self._second_look.judge(image, proposed)
        return whole(proposed)

    def _scan(self, image: Image, tiles: Sequence[Tile]) -> list[Candidates]:
        """What each tile shows."""
        size_px = (image.shape[1], image.shape[0])
        outputs = self._outputs(image, tiles)
        return [
            self._read(output, tile, size_px) for tile, output in zip(tiles, outputs, strict=True)
        ]

    def _are_small(self, detections: Sequence[Detection], partial: bool) -> bool:
        """Whether most of what is seen is too small for the picture's own scale.

        A whole picture tells by its figures. A part of one may hold a single figure, too small
        to be sure of before it is magnified: there a faint find is enough.
        """
        enough = FAINT * self._wanted if partial else self._wanted
        heights = [
            d.box_px[3] - d.box_px[1] for d in detections if d.label != HAND and d.score >= enough
        ]
        return len(heights) >= (1 if partial else FEW) and float(np.median(heights)) < SMALL_PX

    def _outputs(self, image: Image, tiles: Sequence[Tile]) -> Iterator[NDArray[np.float32]]:
        """Raw output of each tile, in order."""
        side = self._card.input.size_px
        levels: dict[int, Image] = {0: image}
        for first in range(0, len(tiles), BATCH):
            some = tiles[first : first + BATCH]
            batch = np.full(
                (len(some), 3, side, side), self._card.input.padding / 255, dtype=np.float32
            )
            for place, tile in zip(batch, some, strict=True):
                square = _square(levels, tile, side)
                height, width = square.shape[:2]
                rgb = square[..., ::-1].transpose(2, 0, 1)
                np.multiply(rgb, np.float32(1 / 255), out=place[:, :height, :width])
            yield from self._session.run(batch)

    def _read(
        self, output: NDArray[np.float32], tile: Tile, size_px: tuple[int, int]
    ) -> Candidates:
        """Candidates of one tile, already without doubles, in pixels of the picture."""
        classes = len(self._card.labels)
        kinds, scores = self._judge(output[4 : 4 + classes])
        enough = scores >= self._min_score
        kinds, winners = kinds[enough], scores[enough].astype(np.float64)
        rows = output[:, enough].T.astype(np.float64)
        halves = rows[:, 2:4] / 2
        boxes = np.hstack([rows[:, :2] - halves, rows[:, :2] + halves])
        points = rows[:, 4 + classes :].reshape(len(rows), len(self._card.keypoints), 3)
        keep = suppress(boxes, winners, self._card.nms_iou, self._families[kinds])
        if tile.level > 0:
            keep = keep[(boxes[keep, 2:] - boxes[keep, :2]).max(axis=1) >= TINY_PX]
        boxes, points = boxes[keep], points[keep]
        cut = cut_off(boxes, tile, self._card.input.size_px)
        size = level_size(size_px, tile.level)
        ratio = np.array([size_px[0] / size[0], size_px[1] / size[1]])
        move = np.array([tile.x, tile.y])
        boxes = ((boxes.reshape(-1, 2, 2) + move) * ratio).reshape(-1, 4)
        points = np.concatenate([(points[..., :2] + move) * ratio, points[..., 2:]], axis=2)
        levels = np.full(len(boxes), tile.level, dtype=np.intp)
        return Candidates(boxes, winners[keep], kinds[keep], points, cut, levels)

    def _judge(self, scores: NDArray[np.float32]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """The likeliest class of each candidate, and how likely its family is.

        Where the network cannot say whether a figure is a minifigure or a Playmobil one, it is a
        figure nevertheless.

        Args:
            scores: (classes, N).
        """
        kinds = scores.argmax(axis=0)
        best = scores.max(axis=0)
        own = self._families[kinds]
        for kind, family in enumerate(self._families):
            best = best + np.where((own == family) & (kinds != kind), scores[kind], 0)
        return kinds, np.minimum(best, np.float32(1))

    def _merge(
        self,
        parts: Sequence[Candidates],
        size_px: tuple[int, int],
        regions: Sequence[BoxPx] | None,
    ) -> list[Detection]:
        """One detection, and so one label, for each thing."""
        found = _join(parts)
        if found is None:
            return []
        partial = regions is not None
        if regions is not None:
            found = found.take(in_regions(found.boxes, regions))
        detections: list[Detection] = []
        families = self._families[found.classes]
        for family in np.unique(families):
            some = found.take(families == family)
            for group in groups(
                some.boxes,
                some.scores,
                some.cut,
                self._card.nms_iou,
                some.classes,
                crowded=self._card.labels[some.classes[0]] in PEOPLE,
            ):
                leader = group[0]
                score = float(some.scores[leader]) * (CUT_PENALTY if some.cut[leader] else 1.0)
                if score < self._min_score or (partial and some.cut[leader]):
                    continue
                detections.append(self._fuse(some, group, score, size_px))
        return sorted(detections, key=lambda detection: -detection.score)

    def _fuse(
        self, found: Candidates, group: list[int], score: float, size_px: tuple[int, int]
    ) -> Detection:
        """Mean of what whole boxes of one figure say, finer scales counting more."""
        same = np.array([at for at in group if found.cut[at] == found.cut[group[0]]])
        same = same[iou(found.boxes[same[:1]], found.boxes[same])[0] > self._card.nms_iou]
        # A point is as good as the pixels it was seen in: at half scale its variance is fourfold,
        # and small figures lose more than that.
        weights = (found.scores[same] * COARSER ** np.maximum(found.levels[same], 0)) ** 2
        kind = int(np.bincount(found.classes[same], weights).argmax())
        box = np.average(found.boxes[same], axis=0, weights=weights)
        box = np.clip(box, 0.0, [size_px[0], size_px[1], size_px[0], size_px[1]])
        points = found.points[same]
        sure = np.average(points[..., 2], axis=0, weights=weights)
        shares = weights[:, None] * np.maximum(points[..., 2], 1e-6)
        places = (points[..., :2] * shares[..., None]).sum(axis=0) / shares.sum(axis=0)[:, None]
        named = {
            name: ((float(x) - 0.5, float(y) - 0.5), float(chance))
            for name, (x, y), chance in zip(self._card.keypoints, places, sure, strict=True)
        }
        x0, y0, x1, y1 = (float(edge) for edge in box)
        return Detection(
            label=self._card.labels[kind],
            score=score,
            box_px=(x0, y0, x1, y1),
            soles_px=self._pair(named, "left_sole", "right_sole"),
            head_px=self._one(named, "head_top"),
            hands_px=self._pair(named, "left_hand", "right_hand"),
            soles_score=min(
                named.get("left_sole", ((0.0, 0.0), 0.0))[1],
                named.get("right_sole", ((0.0, 0.0), 0.0))[1],
            ),
        )

    def _one(self, named: dict[str, tuple[PointPx, float]], name: str) -> PointPx | None:
        if name not in named or named[name][1] < self._card.keypoint_threshold:
            return None
        return named[name][0]

    def _pair(
        self, named: dict[str, tuple[PointPx, float]], left: str, right: str
    ) -> tuple[PointPx, PointPx] | None:
        a, b = self._one(named, left), self._one(named, right)
        return None if a is None or b is None else (a, b)


def _square(levels: dict[int, Image], tile: Tile, side: int) -> Image:
    """The part of the picture that a tile shows, up to side x side."""
    if tile.level >= 0:
        picture = _level(levels, tile.level)
        return picture[tile.y : tile.y + side, tile.x : tile.x + side]
    x, y, part = tile.x // 2, tile.y // 2, side // 2
    small = levels[0][y : y + part, x : x + part]
    size = (2 * small.shape[1], 2 * small.shape[0])
    return np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def _level(levels: dict[int, Image], level: int) -> Image:
    """The picture shrunk by 2 to the level, made once from the level before."""
    if level not in levels:
        above = _level(levels, level - 1)
        full = levels[0]
        size = level_size((full.shape[1], full.shape[0]), level)
        shrunk = cv2.resize(above, size, interpolation=cv2.INTER_AREA)
        levels[level] = np.asarray(shrunk, dtype=np.uint8)
    return levels[level]


def _join(parts: Sequence[Candidates]) -> Candidates | None:
    parts = [part for part in parts if len(part.scores)]
    if not parts:
        return None
    return Candidates(
        np.concatenate([part.boxes for part in parts]),
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.classes for part in parts]),
        np.concatenate([part.points for part in parts]),
        np.concatenate([part.cut for part in parts]),
        np.concatenate([part.levels for part in parts]),
    )


def load_detector(
    model: Path | None = None, min_score: float | None = None, *, second_look: bool = True
) -> OnnxDetector:
    """Load a model and the card beside it (same name, ``.json``).

    Args:
        model: ONNX file; None for the shipped one.
        min_score: Instead of the card's threshold.
        second_look: Whether the card's second look is used, if it names one.

    Raises:
        BadSource: Missing, damaged, or not what its card says.
    """
    path = data_path(SHIPPED) if model is None else model
    if path.suffix == ".json":
        raise BadSource(str(path), "is no model; name the .onnx file beside its card")
    card = read_card(path.with_suffix(".json"))
    session = open_session(read_weights(path, card), str(path))
    check_answers(session, str(path), card.input.size_px, card.rows)
    second = card.second_look if second_look else None
    judge = None if second is None else load_second_look(path.parent, second, card.nms_iou)
    return OnnxDetector(session, card, min_score, judge)
