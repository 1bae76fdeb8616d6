"""When the table is at rest."""

from __future__ import annotations

from vision.settle import Settler

MS = 1_000_000


def test_half_a_second_without_hands_and_moves() -> None:
    settler = Settler()
    script = [
        (0, False, -1, False),
        (400, False, -1, False),
        (500, False, -1, True),
        (600, True, -1, False),
        (1000, False, -1, False),
        (1090, False, -1, False),
        (1100, False, -1, True),
        (1200, False, 1200, False),
        (1600, False, 1200, False),
        (1700, False, 1200, True),
    ]
    for t, hands, moved, expected in script:
        moved_ns = moved * MS if moved >= 0 else -1
        assert settler.step(t * MS, hands=hands, moved_ns=moved_ns) is expected, t
