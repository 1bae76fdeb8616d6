"""How studs are told from other things: each by itself, or together with its neighbours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """What is looked at, and how much makes a stud.

    Attributes:
        pooled: Every place is matched together with its eight neighbours.
        seed_alike: Correlation with the mean copy that makes a cell one more copy of a lattice.
        alike: Correlation with the mean stud that makes a stud.
        near: So many studs must stand within one step of a stud, itself counted.
        wide: So many within three steps.
        detail: Larger things than this, in steps, are taken away before studs are looked at.
        even: Over so many steps contrast is evened out.
        smooth: Grain finer than this, in steps, is no part of a stud.
        least_studs: So many must be found,
        least_exact: and so many placed well.
        least_rim: Contrast of the rim of what is no larger lattice.
    """

    pooled: bool
    seed_alike: float
    alike: float
    near: int
    wide: int
    detail: float
    even: float
    smooth: float
    least_studs: int
    least_exact: int
    least_rim: float


PLAIN = Look(
    pooled=False,
    seed_alike=0.45,
    alike=0.5,
    near=3,
    wide=9,
    detail=3.0,
    even=2.0,
    smooth=0.0,
    least_studs=60,
    least_exact=50,
    least_rim=1.15,
)

POOLED = Look(
    pooled=True,
    seed_alike=0.3,
    alike=0.33,
    near=4,
    wide=12,
    detail=1.0,
    even=1.2,
    smooth=0.06,
    least_studs=50,
    least_exact=40,
    least_rim=1.05,
)
"""For faint and crowded studs; finds more, and more that are none: see ``stud_proof.py``."""
