"""Looks as JSON: lines of detections.jsonl and tracks.jsonl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vision.detection import Detection, Hand, PointPx
from vision.documents import (
    MM_DIGITS,
    PX_DIGITS,
    SCORE_DIGITS,
    Document,
    Json,
    degrees,
    hand_document,
    number,
    numbers,
)
from vision.look import Look


@dataclass(frozen=True, slots=True)
class SeenFrame:
    """A line of detections.jsonl.

    Attributes:
        index: Of the frame.
        t_ns: Of the frame.
        detections: Figures.
        hands: Hands.
        cut: The view changed with this frame.
    """

    index: int
    t_ns: int
    detections: tuple[Detection, ...]
    hands: tuple[Hand, ...]
    cut: bool


def detections_document(look: Look) -> Document:
    """A line of detections.jsonl, all that tracking needs of a picture but its colours."""
    return {
        "frame": look.index,
        "t_ns": look.t_ns,
        "cut": look.cut,
        "hands": [hand_document(hand) for hand in look.hands],
        "figures": [_detection(detection) for detection in look.detections],
    }


def tracks_document(look: Look, sides: Mapping[int, str]) -> Document:
    """A line of tracks.jsonl.

    Args:
        look: Of one frame.
        sides: Team of each track id; a track that is missing has none.
    """
    tracks: list[Json] = []
    for track in look.tracks:
        position, box = track.position_mm, track.box_px
        tracks.append(
            {
                "track_id": track.track_id,
                "label": track.label,
                "side": sides.get(track.track_id),
                "position_mm": None if position is None else numbers(position, MM_DIGITS),
                "sigma_mm": number(track.sigma_mm, MM_DIGITS),
                "facing_deg": degrees(track.facing_deg),
                "state": track.state.value,
                "box_px": None if box is None else numbers(box, PX_DIGITS),
            }
        )
    return {
        "frame": look.index,
        "t_ns": look.t_ns,
        "settled": look.settled,
        "hands": len(look.hands),
        "tracks": tracks,
    }


def seen_frame(document: Mapping[str, Any]) -> SeenFrame:
    """A line of detections.jsonl read back.

    Raises:
        KeyError: A field is missing.
        TypeError: A field is of the wrong kind.
        ValueError: A field is of the wrong kind.
    """
    return SeenFrame(
        int(document["frame"]),
        int(document["t_ns"]),
        tuple(_read_detection(figure) for figure in document["figures"]),
        tuple(Hand(_box(hand["box_px"]), float(hand["score"])) for hand in document["hands"]),
        bool(document["cut"]),
    )


def _detection(detection: Detection) -> Document:
    return {
        "label": detection.label,
        "score": number(detection.score, SCORE_DIGITS),
        "box_px": numbers(detection.box_px, PX_DIGITS),
        "soles_px": _points(detection.soles_px),
        "head_px": None if detection.head_px is None else numbers(detection.head_px, PX_DIGITS),
        "hands_px": _points(detection.hands_px),
        "soles_score": number(detection.soles_score, SCORE_DIGITS),
        "outline_px": _points(detection.outline_px),
    }


def _read_detection(document: Mapping[str, Any]) -> Detection:
    head, outline = document["head_px"], document["outline_px"]
    return Detection(
        str(document["label"]),
        float(document["score"]),
        _box(document["box_px"]),
        _pair(document["soles_px"]),
        None if head is None else _point(head),
        _pair(document["hands_px"]),
        float(document["soles_score"]),
        None if outline is None else tuple(_point(point) for point in outline),
    )


def _points(points: Sequence[PointPx] | None) -> Json:
    return None if points is None else [numbers(point, PX_DIGITS) for point in points]


def _point(values: Sequence[float]) -> PointPx:
    x, y = values
    return float(x), float(y)


def _pair(values: Sequence[Sequence[float]] | None) -> tuple[PointPx, PointPx] | None:
    if values is None:
        return None
    left, right = values
    return _point(left), _point(right)


def _box(values: Sequence[float]) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = values
    return float(x0), float(y0), float(x1), float(y1)
