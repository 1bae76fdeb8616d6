"""Tracking scored in table mm: IDF1, identity switches, share found, position errors."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.table import PointMm
from vision.tracking.assign import FORBIDDEN, assign

GATE_MM = 20.0


@dataclass(frozen=True, slots=True)
class Item:
    """One figure in one frame, true or tracked.

    Attributes:
        identity: True or tracked id.
        position_mm: On the table.
        ignore: Counts neither for nor against (a figure in the air has no place on the table).
        measured: Its position error and whether it is found count (truth only).
    """

    identity: str
    position_mm: PointMm
    ignore: bool = False
    measured: bool = True


@dataclass(frozen=True, slots=True)
class MotScore:
    """How well figures were followed.

    Attributes:
        frames: Compared.
        idf1: 2 IDTP / (2 IDTP + IDFP + IDFN) under the best one-to-one pairing of identities.
        switches: How often a true figure was followed by another track than before.
        misses: True figures without a track within the gate, summed over frames.
        false: Tracks without a true figure, summed over frames.
        found: Share of the measured true figures with a track within the gate.
        found_each: The same for each true identity.
        median_mm: Of the position errors of measured figures; NaN without any.
        p95_mm: 95 % of them are smaller.
        max_mm: The largest.
    """

    frames: int
    idf1: float
    switches: int
    misses: int
    false: int
    found: float
    found_each: dict[str, float]
    median_mm: float
    p95_mm: float
    max_mm: float


class _Tally:
    """Sums over frames."""

    def __init__(self) -> None:
        self.together: dict[tuple[str, str], int] = defaultdict(int)
        self.true: dict[str, int] = defaultdict(int)
        self.tracked: dict[str, int] = defaultdict(int)
        self.last: dict[str, str] = {}
        self.errors: list[float] = []
        self.wanted: dict[str, int] = defaultdict(int)
        self.found: dict[str, int] = defaultdict(int)
        self.frames = self.switches = self.misses = self.false = 0

    def add(self, truth: Sequence[Item], tracks: Sequence[Item], gate_mm: float) -> None:
        """One frame."""
        self.frames += 1
        pairs = _match(truth, tracks, self.last, gate_mm)
        owner = {column: row for row, column in pairs.items()}
        for row, item in enumerate(truth):
            if row in pairs and not item.ignore:
                track = tracks[pairs[row]]
                if self.last.get(item.identity, track.identity) != track.identity:
                    self.switches += 1
                self.last[item.identity] = track.identity
            if item.ignore:
                continue
            self.true[item.identity] += 1
            self.misses += row not in pairs
            if item.measured:
                self.wanted[item.identity] += 1
                if row in pairs:
                    self.found[item.identity] += 1
                    self.errors.append(math.dist(item.position_mm, tracks[pairs[row]].position_mm))
        for column, track in enumerate(tracks):
            ignored = track.ignore or (column in owner and truth[owner[column]].ignore)
            if not ignored:
                self.tracked[track.identity] += 1
                self.false += column not in owner
            for item in truth:
                near = math.dist(item.position_mm, track.position_mm) <= gate_mm
                if near and not item.ignore and not ignored:
                    self.together[item.identity, track.identity] += 1

    def score(self) -> MotScore:
        """The result."""
        rows, columns = sorted(self.true), sorted(self.tracked)
        cost = np.full((len(rows), len(columns)), FORBIDDEN)
        for (true, tracked), count in self.together.items():
            cost[rows.index(true), columns.index(tracked)] = -float(count)
        best = assign(np.minimum(cost, 0.0))
        right = -sum(cost[row, column] for row, column in best if cost[row, column] < 0)
        total = sum(self.true.values()) + sum(self.tracked.values())
        errors = np.array(self.errors) if self.errors else np.array([math.nan])
        wanted = sum(self.wanted.values())
        return MotScore(
            self.frames,
            2 * float(right) / total if total else 1.0,
            self.switches,
            self.misses,
            self.false,
            sum(self.found.values()) / wanted if wanted else 1.0,
            {name: self.found[name] / count for name, count in sorted(self.wanted.items())},
            float(np.median(errors)),
            float(np.percentile(errors, 95)),
            float(errors.max()),
        )


def score(
    frames: Iterable[tuple[Sequence[Item], Sequence[Item]]], gate_mm: float = GATE_MM
) -> MotScore:
    """Score a clip.

    Args:
        frames: Truth and tracks of each frame, in the same table frame.
        gate_mm: A track further away does not follow the figure.
    """
    tally = _Tally()
    for truth, tracks in frames:
        tally.add(truth, tracks, gate_mm)
    return tally.score()


def _match(
    truth: Sequence[Item], tracks: Sequence[Item], last: dict[str, str], gate_mm: float
) -> dict[int, int]:
    """Pairs within the gate; who was followed before stays followed."""
    cost = np.full((len(truth), len(tracks)), FORBIDDEN)
    for row, item in enumerate(truth):
        for column, track in enumerate(tracks):
            apart = math.dist(item.position_mm, track.position_mm)
            if apart <= gate_mm:
                before = last.get(item.identity) == track.identity
                cost[row, column] = apart - (10 * gate_mm if before else 0.0)
    return dict(assign(cost))
