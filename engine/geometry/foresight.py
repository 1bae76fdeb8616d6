"""Areas that are going to be asked for, reckoned together, which takes less long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.geometry.known import areas_on_foot
from engine.geometry.walks import Walk
from engine.geometry.winnings import winnings
from engine.table import PointMm


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What will be asked about one model.

    Attributes:
        walk: The model about to walk.
        start: Centre of its base.
        on_foot_mm: Longest ways on foot.
        climbing: Longest ways by climbing, each with the rises that are closed to it.
    """

    walk: Walk
    start: PointMm
    on_foot_mm: tuple[float, ...]
    climbing: tuple[tuple[float, float], ...] = ()


def foresee(plans: Sequence[Plan]) -> None:
    """Reckon what the reaches of some models will need, so that it is known when they ask.

    First where all of them come on foot, then where each comes by the first piece it climbs.
    """
    areas_on_foot(
        [
            plan.walk.asked(plan.start, most_mm)
            for plan in plans
            for most_mm in {*plan.on_foot_mm, *(most_mm for most_mm, _ in plan.climbing)}
        ]
    )
    winnings(
        [
            (
                plan.walk.asked(plan.start, most_mm, (cliff.terrain_id,))[0],
                plan.walk.asked(plan.start, most_mm)[0],
                most_mm,
            )
            for plan in plans
            for most_mm, closed_mm in plan.climbing
            for cliff in plan.walk.met(
                plan.start, most_mm, plan.walk.cliffs_near(plan.start, most_mm, closed_mm)
            )
        ]
    )
