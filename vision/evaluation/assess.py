"""A detector judged on labelled pictures, the way ``detect`` looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from vision.detect import look
from vision.detection import Detector
from vision.evaluation.gallery import Gallery
from vision.evaluation.labelled import LabelledPicture
from vision.evaluation.rows import Part
from vision.frames import Frame
from vision.hands import HandFinder


@dataclass(slots=True)
class Assessed:
    """One part, judged.

    Attributes:
        part: At the detector's own threshold.
        low: At a low threshold, None when that was not asked for.
        gallery: Its worst cases.
    """

    part: Part
    low: Part | None
    gallery: Gallery = field(default_factory=Gallery)


def assess(
    pictures: Iterable[LabelledPicture],
    detector: Detector,
    low: Detector | None = None,
    done: Callable[[int], None] = lambda _count: None,
) -> list[Assessed]:
    """Find what is in labelled pictures and compare it with their labels.

    Every picture is looked at by itself and whole.

    Args:
        pictures: The parts one after the other.
        detector: At the threshold that is judged.
        low: The same at a low threshold, for curves: what passes a low threshold is not only
            more, it also changes how boxes of different tiles are merged.
        done: Called with the number of pictures done so far.

    Returns:
        The parts, in order.

    Raises:
        BadSource: A picture cannot be used.
    """
    parts: dict[str, Assessed] = {}
    for count, picture in enumerate(pictures, 1):
        if picture.part not in parts:
            other = None if low is None else Part(picture.part)
            parts[picture.part] = Assessed(Part(picture.part), other)
        judged = parts[picture.part]
        frame = Frame(0, 0, picture.name, picture.read())
        figures, finds = len(judged.part.figures), len(judged.part.finds)
        judged.part.add(picture, look(frame, detector, picture.camera, HandFinder()))
        judged.gallery.add(frame.image, judged.part.figures[figures:], judged.part.finds[finds:])
        if low is not None and judged.low is not None:
            judged.low.add(picture, look(frame, low, None, HandFinder()))
        done(count)
    return list(parts.values())
