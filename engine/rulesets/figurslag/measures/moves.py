"""What a move was: still, normal, far, climbing, or more than the rules allow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.geometry.interval import EXACT_MM
from engine.rulesets.figurslag.data import MoveMode, data
from engine.rulesets.figurslag.settings import Settings

ILLEGAL: Final = "illegal"


@dataclass(frozen=True, slots=True)
class MoveFacts:
    """What was seen of a move.

    Attributes:
        moved_mm: Flat length of the path.
        up_mm: Every single rise outside of stairs, in mm.
        down_mm: Every single drop outside of stairs, in mm, positive.
        stairs_up_mm: Height gained on stairs.
        stairs_down_mm: Height lost on stairs, positive.
        strayed_mm: Farthest the model was from its start during the phase.
        turned: It was turned on the spot.
    """

    moved_mm: float
    up_mm: Sequence[float] = ()
    down_mm: Sequence[float] = ()
    stairs_up_mm: float = 0.0
    stairs_down_mm: float = 0.0
    strayed_mm: float = 0.0
    turned: bool = False


@dataclass(frozen=True, slots=True)
class MoveVerdict:
    """What a move counts as.

    Attributes:
        mode: A mode of the data file, or ``illegal``.
        may_shoot: The model may shoot afterwards.
        flag: Flag it raises, None when legal.
        climbed_mm: Height that counted as climbing.
        distance_mm: Length that counted.
    """

    mode: str
    may_shoot: bool
    flag: str | None
    climbed_mm: float
    distance_mm: float


def classify(facts: MoveFacts, settings: Settings) -> MoveVerdict:
    """Find the mode of a move (FS-MOVE, FS-CLIMB, FS-MOVE-03, FS-CLIMB-11, 5.5).

    The first mode that fits wins, so that a model keeps its shots where it can.
    """
    up, down = _climbed(facts, settings)
    climbed = _total(up, down, settings)
    if climbed > 0.0:
        return _climbing(facts, climbed, settings)
    return _walking(facts, settings)


def span(
    facts: MoveFacts, mode: MoveMode, settings: Settings, *, walking: bool = False
) -> tuple[float, float] | None:
    """Least and greatest flat length of a move with such heights that is open to a mode.

    Args:
        facts: Heights of the move; its length does not matter.
        mode: What the model wants to do; a mode that lets it shoot more serves as well.
        settings: Options of the game.
        walking: Modes of climbing do not serve.

    Returns:
        Both in mm, or None where no length is right.
    """
    climbed = _total(*_climbed(facts, settings), settings)
    if climbed > 0.0 and walking:
        return None
    height = _stairs(facts, settings) + climbed
    spans = []
    for one in data().moves.values():
        if one.climbs != (climbed > 0.0) or one.may_shoot < mode.may_shoot or not one.max_segments:
            continue
        most = one.max_segments * settings.segment_mm
        if climbed > 0.0 and settings.climb_distance == "slant_3d":
            most = math.sqrt(max(0.0, most**2 - climbed**2))
        limit = climb_limit_mm if one.climbs else _stairs_limit_mm
        steep = limit(one, most, settings) / most if most > 0.0 else 0.0
        if height > most * steep + EXACT_MM:
            continue
        grows = limit(one, 0.0, settings) < limit(one, most, settings)
        spans.append((height / steep if grows else 0.0, most))
    if not spans:
        return None
    return min(least for least, _ in spans), max(most for _, most in spans)


def climb_limit_mm(mode: MoveMode, moved_mm: float, settings: Settings) -> float:
    """Height a mode may climb in one turn (FS-CLIMB-05, FS-CLIMB-06, FS-CLIMB-03).

    Args:
        mode: ``climb`` or ``climb_noshoot``.
        moved_mm: Length of the move; matters only where height is counted by it.
        settings: Options of the game.
    """
    if settings.stick_length == "once_per_turn":
        sticks = 1.0
    else:
        by_segment = settings.stick_length == "segment"
        stick_mm = settings.segment_mm if by_segment else settings.stick_mm
        if settings.climb_count_by == "moved_distance":
            sticks = moved_mm / stick_mm
        elif by_segment:
            sticks = mode.climb_fh
        else:
            sticks = mode.max_segments * settings.segment_mm / stick_mm
    return sticks * settings.figure_height_mm


def _climbed(facts: MoveFacts, settings: Settings) -> tuple[float, float]:
    """Sums of what counts as climbing up and as climbing down (FS-CLIMB-07)."""
    up = sum(rise for rise in facts.up_mm if rise > settings.step_mm + EXACT_MM)
    down = sum(drop for drop in facts.down_mm if drop > settings.step_mm + EXACT_MM)
    if not settings.stairs_both_ways and facts.stairs_up_mm > settings.step_mm + EXACT_MM:
        up += facts.stairs_up_mm
    return up, 0.0 if settings.jump_down == "free" else down


def _total(up: float, down: float, settings: Settings) -> float:
    """Height of a climb up and down (FS-CLIMB-07)."""
    return max(up, down) if settings.climb_sum == "each_separately" else up + down


def _climbing(facts: MoveFacts, climbed: float, settings: Settings) -> MoveVerdict:
    """What a move with climbing counts as; its flat length counts (FS-CLIMB-08)."""
    slant = settings.climb_distance == "slant_3d"
    distance = math.hypot(facts.moved_mm, climbed) if slant else facts.moved_mm
    height = climbed + _stairs(facts, settings)
    modes = [mode for mode in data().moves.values() if mode.climbs]
    for mode in modes:
        far = distance > mode.max_segments * settings.segment_mm + EXACT_MM
        if not far and height <= climb_limit_mm(mode, facts.moved_mm, settings) + EXACT_MM:
            return MoveVerdict(mode.name, mode.may_shoot, None, climbed, distance)
    too_far = distance > modes[-1].max_segments * settings.segment_mm + EXACT_MM
    flag = "FS-FLAG-03" if too_far else "FS-FLAG-05"
    return MoveVerdict(ILLEGAL, False, flag, climbed, distance)


def _walking(facts: MoveFacts, settings: Settings) -> MoveVerdict:
    moved = facts.moved_mm
    height = _stairs(facts, settings)
    for mode in (mode for mode in data().moves.values() if not mode.climbs):
        if mode.max_segments == 0:
            fits = _still(facts, settings)
        else:
            fits = moved <= mode.max_segments * settings.segment_mm + EXACT_MM
        if fits and height <= _stairs_limit_mm(mode, moved, settings) + EXACT_MM:
            return MoveVerdict(mode.name, mode.may_shoot, None, 0.0, moved)
    longest = max(mode.max_segments for mode in data().moves.values()) * settings.segment_mm
    flag = "FS-FLAG-01" if moved > longest + EXACT_MM else "FS-FLAG-05"
    return MoveVerdict(ILLEGAL, False, flag, 0.0, moved)


def _still(facts: MoveFacts, settings: Settings) -> bool:
    if facts.turned and not settings.turning_is_still:
        return False
    return max(facts.moved_mm, facts.strayed_mm) <= settings.still_tol_mm + EXACT_MM


def _stairs(facts: MoveFacts, settings: Settings) -> float:
    """Height on stairs that is held against the limit in figure heights (FS-CLIMB-04)."""
    if not settings.stairs_fh_limit:
        return 0.0
    up = facts.stairs_up_mm if settings.stairs_both_ways else 0.0
    counted = _total(up, facts.stairs_down_mm, settings)
    return counted if counted > settings.step_mm + EXACT_MM else 0.0


def _stairs_limit_mm(mode: MoveMode, moved_mm: float, settings: Settings) -> float:
    # On stairs the same numbers hold as for climbing: one while shooting, two while not.
    for climb in data().moves.values():
        if climb.climbs and climb.may_shoot == mode.may_shoot:
            return climb_limit_mm(climb, moved_mm, settings)
    return 0.0
