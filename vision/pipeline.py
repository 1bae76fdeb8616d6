"""Frames to tracks: gate, detect, hands, geometry, tracking, one step a frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from calibration.plane import Calibration
from engine.table import Terrain
from vision.boxes import as_boxes, shared_areas
from vision.changes import ChangeGate, CutWatch, shrink
from vision.contact import ground
from vision.detection import BoxPx, Detection, Detector, Hand
from vision.frames import Frame, Image
from vision.hands import HandFinder
from vision.look import Look
from vision.riding import with_riders
from vision.rounding import rounded, rounded_hand
from vision.seen_hands import join, split
from vision.settle import Settler
from vision.tracking import Settings, Sighting, Tracker, sight

__all__ = ["Look", "Mode", "Pipeline"]

Mode = Literal["full", "live"]
Clock = Callable[[], int]

_WITHIN = 0.3


class Pipeline:
    """Sees and follows figures, one frame after another.

    Given the same frames it gives the same looks: time is the frame's, and nothing is random.
    """

    def __init__(
        self,
        detector: Detector,
        calibration: Calibration | None = None,
        *,
        base_height_mm: float = 0.0,
        terrain: Sequence[Terrain] = (),
        mode: Mode = "full",
        sure_score: float = 0.0,
        clock: Clock | None = None,
    ) -> None:
        """Set up.

        Args:
            detector: Finds figures.
            calibration: None keeps to pixels; tracks then have no position.
            base_height_mm: Thickness of the bases under the figures' soles.
            terrain: What figures may stand on.
            mode: ``full`` scans every frame whole, ``live`` only where something changed.
            sure_score: Detections under it go on with figures that are known, but never make a
                new one: give a detector that shows fainter figures than its threshold, and the
                threshold here.
            clock: Nanoseconds, for timing the stages; None times nothing.
        """
        self._detector = detector
        self._calibration = calibration
        self._base_height_mm = base_height_mm
        self._terrain = tuple(terrain)
        self._mode: Mode = mode
        self._clock = clock
        self._gate = ChangeGate()
        self._cuts = CutWatch()
        self._hands = HandFinder()
        self._tracker = Tracker(Settings(sure_score=sure_score))
        self._settler = Settler()
        self._detections: tuple[Detection, ...] = ()
        self._figures: tuple[Detection, ...] = ()
        self._sightings: dict[Detection, Sighting | None] = {}
        self._image: Image | None = None

    @property
    def calibration(self) -> Calibration | None:
        """How the camera sees the table."""
        return self._calibration

    @calibration.setter
    def calibration(self, calibration: Calibration | None) -> None:
        self._calibration = calibration
        self._reground()

    @property
    def terrain(self) -> tuple[Terrain, ...]:
        """What figures may stand on."""
        return self._terrain

    @terrain.setter
    def terrain(self, terrain: Sequence[Terrain]) -> None:
        self._terrain = tuple(terrain)
        self._reground()

    @property
    def base_height_mm(self) -> float:
        """Thickness of the bases under the figures' soles."""
        return self._base_height_mm

    @base_height_mm.setter
    def base_height_mm(self, height_mm: float) -> None:
        self._base_height_mm = height_mm
        self._reground()

    def step(self, frame: Frame) -> Look:
        """Take one frame.

        Args:
            frame: Frames come in order; times never go back.
        """
        watch = _Stopwatch(self._clock)
        image = frame.image
        self._image = image
        small = shrink(image)
        cut = self._cuts.step(small)
        if cut:
            self._gate.reset()
            self._hands = HandFinder()
        regions = self._gate.regions(small, frame.t_ns) if self._mode == "live" else None
        self._detections = self._look_at(image, regions)
        watch.lap("detect")
        self._figures, seen = split(self._detections)
        told = self._hands.find(image, [detection.box_px for detection in self._figures])
        # What looks like a hand and never stirs is part of the table: play must go on.
        seen = tuple(hand for hand in seen if self._hands.stirred(hand.box_px))
        hands = tuple(rounded_hand(hand) for hand in join(told, seen))
        watch.lap("hands")
        return self._follow(frame, hands, cut, watch)

    def again(
        self, frame: Frame, detections: Sequence[Detection], hands: Sequence[Hand], cut: bool
    ) -> Look:
        """Take one frame in which everything has been found before.

        Args:
            frame: Its picture gives the figures' colours only.
            detections: Its figures.
            hands: Its hands.
            cut: Whether the view changed with it.
        """
        self._image = frame.image
        self._detections = self._figures = tuple(detections)
        return self._follow(frame, tuple(hands), cut, _Stopwatch(self._clock))

    def _follow(self, frame: Frame, hands: tuple[Hand, ...], cut: bool, watch: _Stopwatch) -> Look:
        """Put the detections on the table and follow them."""
        image = frame.image
        self._figures = with_riders(self._figures)
        sightings = self._put_on_table(image)
        watch.lap("geometry")
        tracks = self._tracker.step(
            sightings,
            hands,
            frame.t_ns,
            frame.size_px,
            cut=cut,
            calibrated=self._calibration is not None,
        )
        settled = self._settler.step(frame.t_ns, hands=bool(hands), moved_ns=self._tracker.moved_ns)
        watch.lap("track")
        return Look(
            frame.index, frame.t_ns, self._figures, hands, tracks, settled, cut, watch.stages_ns
        )

    def _look_at(self, image: Image, regions: list[BoxPx] | None) -> tuple[Detection, ...]:
        """Detections of the picture, hands among them: anew where asked, carried over elsewhere."""
        if regions is None:
            return tuple(rounded(found) for found in self._detector.detect(image))
        regions = _around_figures(regions, self._detections)
        kept = [d for d in self._detections if not _lies_in(d.box_px, regions)]
        if not regions:
            return tuple(kept)
        fresh = [rounded(found) for found in self._detector.detect(image, regions)]
        # The detector sees whole tiles: what it finds beyond the regions is there already.
        fresh = [d for d in fresh if _lies_in(d.box_px, regions) or not _is_known(d, kept)]
        return (*kept, *fresh)

    def _put_on_table(self, image: Image) -> list[Sighting]:
        known, self._sightings = self._sightings, {}
        for detection in self._figures:
            if detection in known:
                self._sightings[detection] = known[detection]
            else:
                self._sightings[detection] = self._sight(detection, image)
        return [sighting for sighting in self._sightings.values() if sighting is not None]

    def _sight(self, detection: Detection, image: Image) -> Sighting | None:
        return sight(
            detection,
            image,
            self._calibration,
            ground,
            base_height_mm=self._base_height_mm,
            terrain=self._terrain,
        )

    def _reground(self) -> None:
        self._sightings = {}
        image = self._image
        if image is not None:
            self._tracker.reground(lambda detection: self._sight(detection, image))


class _Stopwatch:
    """Times stages with a clock from outside; without one it does nothing."""

    def __init__(self, clock: Clock | None) -> None:
        self._clock = clock
        self._last = clock() if clock else 0
        self.stages_ns: dict[str, int] | None = {} if clock else None

    def lap(self, stage: str) -> None:
        """End a stage."""
        if self._clock is not None and self.stages_ns is not None:
            now = self._clock()
            self.stages_ns[stage] = now - self._last
            self._last = now


def _around_figures(regions: list[BoxPx], detections: Sequence[Detection]) -> list[BoxPx]:
    """Regions grown so that no known figure lies half in one."""
    if not regions or not detections:
        return regions
    boxes = as_boxes([d.box_px for d in detections])
    grown = as_boxes(regions)
    for index in range(len(grown)):
        met = boxes[shared_areas(boxes, grown[index : index + 1])[:, 0] > 0]
        if len(met):
            grown[index, :2] = (
                min(grown[index, 0], met[:, 0].min()),
                min(grown[index, 1], met[:, 1].min()),
            )
            grown[index, 2:] = (
                max(grown[index, 2], met[:, 2].max()),
                max(grown[index, 3], met[:, 3].max()),
            )
    return [(float(x0), float(y0), float(x1), float(y1)) for x0, y0, x1, y1 in grown]


def _lies_in(box: BoxPx, regions: Sequence[BoxPx]) -> bool:
    """A good part of the box is looked at anew."""
    if not regions:
        return False
    shared = shared_areas(as_boxes([box]), as_boxes(list(regions)))[0]
    area = max((box[2] - box[0]) * (box[3] - box[1]), 1e-9)
    return bool((shared / area >= _WITHIN).any())


def _is_known(detection: Detection, kept: Sequence[Detection]) -> bool:
    """Another box of something carried over."""
    if not kept:
        return False
    own = as_boxes([detection.box_px])
    others = as_boxes([d.box_px for d in kept])
    shared = shared_areas(own, others)[0]
    box = detection.box_px
    area = max((box[2] - box[0]) * (box[3] - box[1]), 1e-9)
    sizes = (others[:, 2] - others[:, 0]) * (others[:, 3] - others[:, 1])
    return bool(((shared > 0.6 * area) | (shared > 0.6 * sizes)).any())
