"""A detector that plays back what was detected before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vision.boxes import as_boxes
from vision.detection import BoxPx, Detection
from vision.frames import Image
from vision.tiles import in_regions


class ScriptedDetector:
    """Stored detections, one frame after another.

    Set ``frame`` before each call to jump; without that every call is the next frame.

    Attributes:
        frame: Index of the frame that the next ``detect`` answers for.
    """

    def __init__(self, by_frame: Mapping[int, Sequence[Detection]]) -> None:
        """Set up.

        Args:
            by_frame: Detections of each frame index; a frame that is missing shows nothing.
        """
        self._by_frame = {index: tuple(found) for index, found in by_frame.items()}
        self._labels = tuple(sorted({d.label for found in by_frame.values() for d in found}))
        self.frame = 0

    @property
    def labels(self) -> tuple[str, ...]:
        """Labels that occur."""
        return self._labels

    def detect(self, image: Image, regions: Sequence[BoxPx] | None = None) -> list[Detection]:
        """Detections of the current frame; the next call is for the next frame.

        Args:
            image: Not looked at.
            regions: Only detections that meet one of these.
        """
        found = list(self._by_frame.get(self.frame, ()))
        self.frame += 1
        if regions is None or not found:
            return found
        meets = in_regions(as_boxes([detection.box_px for detection in found]), regions)
        return [detection for detection, keep in zip(found, meets, strict=True) if keep]
