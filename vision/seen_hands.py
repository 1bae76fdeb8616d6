"""Hands that the detector's network sees, joined with those that motion and skin tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.boxes import areas, as_boxes, shared_areas
from vision.detection import Detection, Hand
from vision.families import HAND

SAME = 0.5
"""Two boxes of hands that share this part of the smaller one are one hand."""


def split(detections: Sequence[Detection]) -> tuple[tuple[Detection, ...], tuple[Hand, ...]]:
    """Tell figures from hands, both in the order given.

    A network without the label ``hand`` gives no hands.
    """
    figures = tuple(found for found in detections if found.label != HAND)
    hands = tuple(Hand(found.box_px, found.score) for found in detections if found.label == HAND)
    return figures, hands


def join(told: Sequence[Hand], seen: Sequence[Hand]) -> tuple[Hand, ...]:
    """All hands, each once.

    Args:
        told: By motion and skin.
        seen: By the network, which knows better where a hand ends: its box stays.

    Returns:
        Best first; without any seen hand what was told, unchanged.
    """
    if not seen:
        return tuple(told)
    boxes, others = as_boxes([hand.box_px for hand in seen]), as_boxes([h.box_px for h in told])
    smaller = areas(boxes)[:, None].clip(max=areas(others)[None])
    same = shared_areas(boxes, others) >= SAME * smaller.clip(min=1e-9)
    joined = [
        Hand(hand.box_px, _either([hand, *(told[int(at)] for at in row.nonzero()[0])]))
        for hand, row in zip(seen, same, strict=True)
    ]
    alone = [told[int(at)] for at in np.flatnonzero(~same.any(axis=0))]
    return tuple(sorted([*joined, *alone], key=lambda hand: -hand.score))


def _either(hands: Sequence[Hand]) -> float:
    """Chance that at least one of two kinds of evidence is right."""
    wrong = 1.0
    for hand in hands:
        wrong *= 1 - hand.score
    return 1 - wrong
