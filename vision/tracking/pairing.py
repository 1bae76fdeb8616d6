"""Costs of the pairings between figures, loose candidates and sightings."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.table import FigureState
from vision.detection import BoxPx
from vision.tracking.appearance import Appearance, unlikeness
from vision.tracking.assign import FORBIDDEN
from vision.tracking.boxes import area, overlap
from vision.tracking.candidate import Candidate
from vision.tracking.reach import Reach
from vision.tracking.settings import Settings
from vision.tracking.sighting import Sighting
from vision.tracking.trace import Trace

Costs = NDArray[np.float64]

_LABEL = 0.3
_PART = 1.5
_PART_GATES = 4.0
_CARRY_MM = 250.0
_SEEN_LEAVE = 2.0
_UNSEEN_LEAVE = 1.3
_HIDDEN = 0.6
_LINKED = 0.6
_FAR_MM = 600.0
_LAID_DOWN_MM = 70.0


def difference(trace: Trace, sighting: Sighting) -> float:
    """How different a sighting looks from a figure, 0 to 1."""
    lying = FigureState.LYING in (trace.state, sighting.state)
    turned = lying and trace.state is not sighting.state
    return unlikeness(trace.look, sighting.look, turned)


def home_costs(
    traces: Sequence[Trace], sightings: Sequence[Sighting], reach: Reach, settings: Settings
) -> Costs:
    """Sightings at the figures' own places, (T, S).

    After a hand, something that looks quite different at a figure's place is not that figure. Under
    a hand, what is seen of a figure is a part of its box, whose feet seem to be elsewhere.
    """
    costs = np.full((len(traces), len(sightings)), FORBIDDEN)
    for row, trace in enumerate(traces):
        gate = max(settings.home_mm, 3.0 * trace.sigma / trace.unit)
        home = trace.home.box_px
        touched = reach.touches(home)
        for column, sighting in enumerate(sightings):
            apart = trace.apart_mm(sighting.spot(trace.level_mm).at, sighting.unit)
            if apart > gate:
                if touched and _is_part(sighting.detection.box_px, home):
                    costs[row, column] = _PART + apart / (_PART_GATES * gate)
                continue
            unlike = difference(trace, sighting)
            if trace.disturbed and not touched and unlike > settings.same_look:
                continue
            named = 0.0 if sighting.detection.label == trace.label else _LABEL
            costs[row, column] = apart / gate + 0.7 * unlike + named
    return costs


def follow_costs(
    candidates: Sequence[Candidate],
    sightings: Sequence[Sighting],
    reach: Reach,
    settings: Settings,
) -> Costs:
    """Loose things seen again, (C, S): further where a hand may carry them."""
    costs = np.full((len(candidates), len(sightings)), FORBIDDEN)
    by_hand = [reach.touches(sighting.detection.box_px) for sighting in sightings]
    for row, candidate in enumerate(candidates):
        for column, sighting in enumerate(sightings):
            near = by_hand[column] or candidate.hand_ns == candidate.last_ns
            gate = settings.carry_mm if near else settings.creep_mm
            apart = candidate.apart_mm(sighting.at)
            if apart > gate:
                continue
            unlike = _apart(candidate.sighting.look, sighting.look)
            costs[row, column] = apart / gate + unlike
    return costs


def jump_costs(
    traces: Sequence[Trace], sightings: Sequence[Sighting], reach: Reach, settings: Settings
) -> Costs:
    """Figures that went without a hand, (T, S): near and alike only.

    One whose place is hidden by another figure has perhaps not gone at all.
    """
    costs = np.full((len(traces), len(sightings)), FORBIDDEN)
    for column, sighting in enumerate(sightings):
        faint = sighting.detection.score < settings.sure_score
        if faint or reach.touches(sighting.detection.box_px):
            continue
        for row, trace in enumerate(traces):
            apart = trace.apart_mm(sighting.at, sighting.unit)
            if apart > settings.jump_mm:
                continue
            unlike = difference(trace, sighting)
            if unlike <= settings.alike:
                hidden = 0.0 if trace.gone else _HIDDEN
                costs[row, column] = apart / settings.jump_mm + 2.0 * unlike + hidden
    return costs


def link_costs(
    traces: Sequence[Trace], candidates: Sequence[Candidate], settings: Settings
) -> Costs:
    """Which missing figure a hand may be carrying, (T, C).

    One that was seen in a hand a moment ago comes first.
    """
    costs = np.full((len(traces), len(candidates)), FORBIDDEN)
    for row, trace in enumerate(traces):
        unclear = 0.0 if trace.is_vacant else _HIDDEN
        start = trace.carried_at if trace.carried else None
        for column, candidate in enumerate(candidates):
            unlike = difference(trace, candidate.sighting)
            if unlike > settings.same_look + 0.1:
                continue
            if start is not None:
                apart = candidate.apart_mm(start) - _LINKED * _CARRY_MM
            else:
                apart = trace.apart_mm(candidate.birthplace, candidate.sighting.unit)
            cost = 1.5 * unlike + apart / _CARRY_MM + unclear
            if cost < (_SEEN_LEAVE if trace.is_vacant or trace.carried else _UNSEEN_LEAVE):
                costs[row, column] = cost
    return costs


def reunion_costs(
    traces: Sequence[Trace], candidates: Sequence[Candidate], settings: Settings
) -> Costs:
    """Which missing figure has been put down where, (T, C).

    Colours decide, then whether a hand was seen carrying it, then distance and facing. A figure
    laid down looks different but lies next to where it stood.
    """
    costs = np.full((len(traces), len(candidates)), FORBIDDEN)
    for row, trace in enumerate(traces):
        for column, candidate in enumerate(candidates):
            sighting = candidate.sighting
            unlike = difference(trace, sighting)
            apart = trace.apart_mm(sighting.at, sighting.unit)
            linked = candidate.owner is trace
            lenient = linked or apart < _LAID_DOWN_MM
            if not lenient and candidate.score < settings.sure_score:
                continue
            if unlike > settings.same_look + (0.15 if lenient else 0.0):
                continue
            cost = 2.0 * unlike + 0.8 * min(1.0, apart / _FAR_MM)
            cost += 0.0 if trace.is_vacant else _HIDDEN
            cost -= _LINKED if linked else 0.0
            cost += 0.0 if sighting.detection.label == trace.label else _LABEL
            costs[row, column] = cost + 0.1 * _turn(trace, sighting)
    return costs


def _is_part(box: BoxPx, whole: BoxPx) -> bool:
    """Most of the box lies in the other, and it shows no more than that."""
    return overlap(box, whole) > 0.7 * area(box) and area(box) < 0.9 * area(whole)


def _apart(a: Appearance, b: Appearance) -> float:
    return unlikeness(a, b)


def _turn(trace: Trace, sighting: Sighting) -> float:
    """Change of facing, 0 to 1; half where unknown."""
    before, now = trace.facing(), sighting.spots[0].contact.facing_deg
    if before is None or now is None:
        return 0.5
    return abs(math.remainder(before[0] - now, 360.0)) / 180.0
