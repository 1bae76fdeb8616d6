"""Hands that a network sees beside those that motion and skin tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from tests.vision.arms import SKINS, noisy, table, with_arm
from vision.detect import detect_frame
from vision.detection import BoxPx, Detection, Hand
from vision.families import families_of
from vision.frames import Frame, Image
from vision.pipeline import Pipeline
from vision.scripted import ScriptedDetector
from vision.seen_hands import join, split

FIGURE = Detection("minifig", 0.9, (200.0, 280.0, 225.0, 320.0))
SEEN = Detection("hand", 0.8, (500.0, 200.0, 960.0, 420.0))


def test_a_hand_is_no_figure() -> None:
    figures, hands = split([FIGURE, SEEN])
    assert figures == (FIGURE,)
    assert hands == (Hand(SEEN.box_px, 0.8),)
    assert split([FIGURE]) == ((FIGURE,), ())


def test_without_seen_hands_nothing_changes() -> None:
    told = (Hand((0.0, 0.0, 9.0, 9.0), 0.3), Hand((20.0, 0.0, 29.0, 9.0), 0.5))
    assert join(told, ()) == told
    assert join((), ()) == ()


def test_both_kinds_of_evidence_make_one_surer_hand() -> None:
    told = [Hand((0.0, 0.0, 80.0, 50.0), 0.5), Hand((300.0, 0.0, 380.0, 50.0), 0.6)]
    both = join(told, [Hand((0.0, 0.0, 100.0, 50.0), 0.8), Hand((500.0, 0.0, 600.0, 50.0), 0.7)])
    assert [hand.box_px[0] for hand in both] == [0.0, 500.0, 300.0]
    assert both[0].box_px == (0.0, 0.0, 100.0, 50.0)
    assert [hand.score for hand in both] == pytest.approx([0.9, 0.7, 0.6])


def test_labels_of_one_thing() -> None:
    labels = ("minifig", "playmobil", "animal", "vehicle", "hand", "dragon")
    families = families_of(labels)
    assert families[0] == families[1]
    assert families[2] == families[3]
    assert len(set(families.tolist())) == 4
    assert families_of(("hand", "minifig", "dragon")).tolist() == [2, 0, 4]


def test_detect_puts_hands_with_hands() -> None:
    image, box = with_arm(table("grey"), (1100, 300), (560, 300), SKINS["light"])
    assert box is not None
    seen = Detection("hand", 0.7, tuple(float(edge) for edge in box))  # type: ignore[arg-type]
    for found, count in (([FIGURE], 1), ([FIGURE, seen], 1), ([FIGURE, SEEN, seen], 2)):
        frame = Frame(0, 0, "a.jpg", image)
        document = detect_frame(frame, ScriptedDetector({0: found}))
        assert [f["label"] for f in document["figures"]] == ["minifig"]  # type: ignore[index, union-attr]
        assert len(document["hands"]) == count  # type: ignore[arg-type]


class Stubborn:
    """Sees the same things always, and notes what it was asked."""

    labels = ("minifig", "hand")

    def detect(self, image: Image, regions: Sequence[BoxPx] | None = None) -> list[Detection]:
        return [FIGURE, SEEN]


def test_what_never_stirs_does_not_stop_the_game() -> None:
    pipeline = Pipeline(Stubborn())
    still = table("grey")
    looks = [pipeline.step(Frame(at, at * 66_000_000, "f", noisy(still, at))) for at in range(120)]
    assert looks[0].hands == (Hand(SEEN.box_px, 0.8),)
    assert looks[0].detections == (FIGURE,)
    assert looks[-1].hands == ()
    assert looks[-1].settled
    moving, _ = with_arm(still, (1100, 300), (560, 300), SKINS["light"])
    for at in range(120, 124):
        look = pipeline.step(Frame(at, at * 66_000_000, "f", noisy(moving, at)))
    assert look.hands
    assert look.hands[0].box_px == SEEN.box_px
    assert not look.settled
    assert np.all([figure.label == "minifig" for figure in look.detections])
