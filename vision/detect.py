"""What each picture of a source shows, every one looked at whole and by itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calibration.plane import Calibration
from engine.table import FigureState
from vision.contact import Contact, ground
from vision.detection import Detection, Detector, Hand
from vision.documents import Document, error_document, figure_document, picture_document
from vision.errors import BadSource
from vision.frames import Frame, FrameSource
from vision.hands import HandFinder
from vision.riding import with_riders
from vision.seen_hands import join, split
from vision.sources.picture import FolderSource, PhotoSource, Unreadable
from vision.stature import named_by_height

HELD_SHARE = 0.3
"""A figure of whose box a hand covers this share is being held."""


@dataclass(frozen=True, slots=True)
class Found:
    """One picture and what it shows.

    Attributes:
        frame: The picture.
        detections: Figures, best first.
        contacts: Where they are, in the same order.
        states: Standing, lying, riding or in hand, in the same order.
        hands: Hands of players.
    """

    frame: Frame
    detections: tuple[Detection, ...]
    contacts: tuple[Contact, ...]
    states: tuple[FigureState, ...]
    hands: tuple[Hand, ...]

    def document(self, calibrated: bool, index: int) -> Document:
        """As the ``detect`` command prints it.

        Args:
            calibrated: Whether there is a table frame.
            index: Number of the frame.
        """
        figures = [
            figure_document(detection, contact, 0.0 if calibrated else None, state.value)
            for detection, contact, state in zip(
                self.detections, self.contacts, self.states, strict=True
            )
        ]
        frame = self.frame
        return picture_document(frame.source_id, index, frame.size_px, self.hands, figures)


def look(
    frame: Frame, detector: Detector, calibration: Calibration | None, finder: HandFinder
) -> Found:
    """Find the figures and hands of one frame.

    Args:
        frame: The picture.
        detector: Finds figures; its threshold decides what is shown.
        calibration: How the camera sees the table, None without one.
        finder: Finds hands; one for a whole video, a fresh one for each photo.

    Raises:
        BadSource: The calibration is for pictures of another size.
    """
    if calibration is not None and calibration.image_size_px != frame.size_px:
        width, height = calibration.image_size_px
        fault = f"picture is {frame.size_px[0]}x{frame.size_px[1]} pixels, "
        raise BadSource(frame.source_id, f"{fault}the calibration is for {width}x{height}")
    detections, seen = split(detector.detect(frame.image))
    told = finder.find(frame.image, [detection.box_px for detection in detections])
    hands = join(told, seen)
    detections = tuple(
        named_by_height(detection, calibration) for detection in with_riders(detections)
    )
    contacts = tuple(ground(detection, calibration) for detection in detections)
    states = tuple(
        FigureState.IN_HAND if finder.covered(detection.box_px) >= HELD_SHARE else contact.state
        for detection, contact in zip(detections, contacts, strict=True)
    )
    return Found(frame, detections, contacts, states, hands)


def detect_frame(
    frame: Frame,
    detector: Detector,
    calibration: Calibration | None = None,
    finder: HandFinder | None = None,
) -> Document:
    """The ``detect`` document of one frame; see ``look``."""
    found = look(frame, detector, calibration, finder or HandFinder())
    return found.document(calibration is not None, frame.index)


def detect_source(
    source: FrameSource, detector: Detector, calibration: Calibration | None = None
) -> Iterator[tuple[Document, Found | None]]:
    """The ``detect`` documents of a source, in order.

    An unreadable picture of a folder gives an error document, held back until a readable one
    has come, so that a folder without any prints nothing.

    Yields:
        The document, and what it was made from (None for an error document).

    Raises:
        BadSource: Nothing in it is readable, or the calibration does not fit.
    """
    if isinstance(source, FolderSource):
        yield from _detect_folder(source, detector, calibration)
        return
    finder = HandFinder()
    still = isinstance(source, PhotoSource)
    for frame in source:
        found = look(frame, detector, calibration, finder)
        yield found.document(calibration is not None, 0 if still else frame.index), found


def _detect_folder(
    source: FolderSource, detector: Detector, calibration: Calibration | None
) -> Iterator[tuple[Document, Found | None]]:
    held: list[Document] = []
    readable = False
    for picture in source.pictures():
        if isinstance(picture, Unreadable):
            held.append(error_document(picture.name, picture.fault))
        else:
            try:
                found = look(picture, detector, calibration, HandFinder())
            except BadSource as error:
                held.append(error_document(picture.source_id, error.fault))
            else:
                yield from ((document, None) for document in held)
                held, readable = [], True
                yield found.document(calibration is not None, 0), found
        if readable:
            yield from ((document, None) for document in held)
            held = []
    if not readable:
        first = held[0]
        raise BadSource(
            source.source_id, f"no picture can be used ({first['image']}: {first['error']})"
        )
