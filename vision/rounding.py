"""Finds as a recording keeps them, so that what follows is the same live and replayed."""

from __future__ import annotations

from dataclasses import replace

from vision.detection import BoxPx, Detection, Hand, PointPx
from vision.documents import PX_DIGITS, SCORE_DIGITS


def rounded(detection: Detection) -> Detection:
    """A detection to the digits that are written down."""
    soles, head, hands = detection.soles_px, detection.head_px, detection.hands_px
    outline = detection.outline_px
    return replace(
        detection,
        score=round(detection.score, SCORE_DIGITS),
        box_px=_box(detection.box_px),
        soles_px=None if soles is None else (_point(soles[0]), _point(soles[1])),
        head_px=None if head is None else _point(head),
        hands_px=None if hands is None else (_point(hands[0]), _point(hands[1])),
        soles_score=round(detection.soles_score, SCORE_DIGITS),
        outline_px=None if outline is None else tuple(_point(point) for point in outline),
    )


def rounded_hand(hand: Hand) -> Hand:
    """A hand to the digits that are written down."""
    return Hand(_box(hand.box_px), round(hand.score, SCORE_DIGITS))


def _point(point: PointPx) -> PointPx:
    return round(point[0], PX_DIGITS), round(point[1], PX_DIGITS)


def _box(box: BoxPx) -> BoxPx:
    x0, y0, x1, y1 = box
    return (
        round(x0, PX_DIGITS),
        round(y0, PX_DIGITS),
        round(x1, PX_DIGITS),
        round(y1, PX_DIGITS),
    )
