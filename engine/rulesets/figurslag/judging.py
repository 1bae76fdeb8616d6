"""From a measured move to what it counts as, with the measuring error in mind."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.measures.moves import MoveFacts, MoveVerdict, classify
from engine.rulesets.figurslag.settings import Settings
from engine.state import Unit


@dataclass(frozen=True, slots=True)
class Judged:
    """What a move counts as.

    Attributes:
        facts: As measured.
        verdict: As read.
        other: The verdict on the other side of a limit, where the players must say which.
        limit_mm: The limit in question, or the one that is broken.
    """

    facts: MoveFacts
    verdict: MoveVerdict
    other: MoveVerdict | None = None
    limit_mm: float = 0.0

    @property
    def flag(self) -> str | None:
        """The flag it raises for certain."""
        return None if self.other else self.verdict.flag


def judge(facts: MoveFacts, settings: Settings, tol_mm: float) -> Judged:
    """Judge a move; within ``tol_mm`` of a limit as the players agreed to (5.2)."""
    read = classify(facts, settings)
    if read.mode == "still":
        return Judged(facts, read)  # the tolerance of standing still has already said so
    # Heights are settled before play; where the players left them as measured, they are as
    # uncertain as lengths (FS-AMB-37).
    heights = tol_mm if settings.height_snap == "none" else 0.0
    kind = classify(_longer(facts, -tol_mm, -heights), settings)
    near = read if kind.mode == "still" else kind
    far = classify(_longer(facts, tol_mm, heights), settings)
    if near.mode == far.mode:
        return Judged(facts, read, limit_mm=_limit(read, facts.moved_mm, settings))
    if settings.boundary_policy == "favour_actor":
        kept = replace(near, distance_mm=read.distance_mm, climbed_mm=read.climbed_mm)
        return Judged(facts, kept, limit_mm=_limit(near, facts.moved_mm, settings))
    if settings.boundary_policy == "strict_reading":
        return Judged(facts, read, limit_mm=_limit(read, facts.moved_mm, settings))
    limit = _limit(far, facts.moved_mm, settings)
    return Judged(facts, near, far, limit if far.flag else _nearest(facts.moved_mm, settings))


def best(judged: Iterable[Judged], settings: Settings) -> Judged | None:
    """The most favourable of several readings of the same move, None when there is none."""
    return min(judged, key=lambda one: _rank(one, settings), default=None)


def undeclared(unit: Unit, judged: Judged, settings: Settings) -> str | None:
    """The flag of a long move by a model that has not given up shooting before (FS-AMB-30)."""
    if settings.declare_noshoot != "before_move" or unit.mark("noshoot"):
        return None
    verdict = judged.verdict
    if verdict.flag or verdict.may_shoot:
        return None
    return "FS-FLAG-04" if data().moves[verdict.mode].climbs else "FS-FLAG-02"


def _longer(facts: MoveFacts, by_mm: float, higher_mm: float) -> MoveFacts:
    return replace(
        facts,
        moved_mm=max(0.0, facts.moved_mm + by_mm),
        up_mm=tuple(max(0.0, rise + higher_mm) for rise in facts.up_mm),
        down_mm=tuple(max(0.0, drop + higher_mm) for drop in facts.down_mm),
    )


def _rank(judged: Judged, settings: Settings) -> tuple[bool, bool, bool, float]:
    """Legal ones before others, then with shots before without, then the shorter or lesser slip."""
    verdict, moved = judged.verdict, judged.facts.moved_mm
    if verdict.flag is None:
        return False, not verdict.may_shoot, judged.other is not None, moved
    length = moved / _limit(verdict, moved, settings)
    height = verdict.climbed_mm / (2.0 * settings.figure_height_mm)
    return True, True, False, height if verdict.flag == "FS-FLAG-05" else length


def _limit(verdict: MoveVerdict, moved_mm: float, settings: Settings) -> float:
    """The length limit a verdict stands for."""
    moves = data().moves.values()
    if verdict.flag == "FS-FLAG-01":
        return max(m.max_segments for m in moves if not m.climbs) * settings.segment_mm
    if verdict.flag == "FS-FLAG-03":
        return max(m.max_segments for m in moves if m.climbs) * settings.segment_mm
    if verdict.mode in data().moves:
        return data().moves[verdict.mode].max_segments * settings.segment_mm
    return 2.0 * settings.figure_height_mm


def _nearest(moved_mm: float, settings: Settings) -> float:
    limits = (m.max_segments * settings.segment_mm for m in data().moves.values())
    return min(limits, key=lambda limit: abs(limit - moved_mm))
