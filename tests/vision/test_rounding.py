from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from vision.detection import Detection, Hand
from vision.look import Look
from vision.recording.codec import detections_document, seen_frame
from vision.rounding import rounded, rounded_hand

number = st.floats(-1e4, 1e4)
point = st.tuples(number, number)
box = st.tuples(number, number, number, number)
detections = st.builds(
    Detection,
    label=st.sampled_from(["minifig", "animal"]),
    score=st.floats(0, 1),
    box_px=box,
    soles_px=st.none() | st.tuples(point, point),
    head_px=st.none() | point,
    hands_px=st.none() | st.tuples(point, point),
    soles_score=st.floats(0, 1),
    outline_px=st.none() | st.lists(point, max_size=4).map(tuple),
)


@given(detections, st.builds(Hand, box_px=box, score=st.floats(0, 1)))
def test_what_was_rounded_comes_back_the_same(detection: Detection, hand: Hand) -> None:
    found, seen = rounded(detection), rounded_hand(hand)
    line = json.dumps(detections_document(Look(0, 0, (found,), (seen,), (), settled=True)))
    back = seen_frame(json.loads(line))
    assert back.detections == (found,)
    assert back.hands == (seen,)
    assert rounded(found) == found
