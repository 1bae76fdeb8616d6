"""Gates and patience of the tracker, in mm on the table and time."""

from __future__ import annotations

from dataclasses import dataclass

SECOND_NS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Settings:
    """What counts as the same place, the same look and long enough.

    A minifigure's feet block is 16 mm wide, so two figures are hardly ever closer than 12 mm.

    Attributes:
        home_mm: A sighting this near a figure's place may be that figure.
        shift_mm: A sighting further than this from the place hints at a move.
        nudge_mm: After a hand, a place off by more starts a new still period.
        shift_looks: Looks in a row that make the hint a move.
        jump_mm: How far a figure may go from one look to the next without a hand (stop motion).
        at_once_ns: And how soon it must be seen again there.
        carry_mm: How far a figure in a hand goes from one look to the next.
        creep_mm: How far a loose sighting may wander and still be the same thing.
        same_look: Appearances further apart than this belong to two figures.
        alike: Appearances nearer than this may be the same figure without more proof.
        near_hand: Margin around a figure's box for "a hand is at it", in box heights.
        explained: Covered share of the box from which not seeing a figure is no news.
        confirm_looks: Sightings that make a figure where one may appear.
        doubt_looks: Sightings that make a figure where none should appear.
        doubt_ns: And the least time for it.
        sure_score: Fainter sightings go on with known figures, but never make a new one.
        trail_ns: A hand that was there this long ago has brought what appears now.
        start_ns: From the start or a cut, figures are taken at their first sighting.
        grace_ns: A figure not seen for less keeps its state.
        still_ns: A carried thing that has not moved for so long has been put down.
        vacant_looks: Looks at an uncovered place without its figure that show it empty.
        release_looks: Looks without a hand after which a touched figure is at rest.
        lost_ns: A loose sighting not seen again for so long is forgotten.
        young_ns: Age up to which a figure may turn out never to have been one.
        wait_ns: How long an unclear identity waits for a hand to go.
        memory: Sightings kept for the median of a still period.
    """

    home_mm: float = 12.0
    shift_mm: float = 5.0
    nudge_mm: float = 2.0
    shift_looks: int = 3
    jump_mm: float = 120.0
    at_once_ns: int = SECOND_NS
    carry_mm: float = 110.0
    creep_mm: float = 25.0
    same_look: float = 0.62
    alike: float = 0.6
    near_hand: float = 0.3
    explained: float = 0.2
    confirm_looks: int = 3
    doubt_looks: int = 10
    doubt_ns: int = SECOND_NS * 3 // 2
    sure_score: float = 0.0
    trail_ns: int = 2 * SECOND_NS
    start_ns: int = SECOND_NS
    grace_ns: int = SECOND_NS // 2
    still_ns: int = SECOND_NS * 6 // 10
    vacant_looks: int = 2
    release_looks: int = 3
    lost_ns: int = SECOND_NS * 7 // 10
    young_ns: int = 3 * SECOND_NS
    wait_ns: int = 4 * SECOND_NS
    memory: int = 45
