"""The kinds of things that are found, and which of them name one thing in different ways."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

KINDS = ("minifig", "playmobil", "animal", "vehicle", "hand")
"""Every kind that is rendered, learnt and measured; a label line begins with the index here."""

HAND = "hand"
"""Label of a player's hand with the forearm: found like a figure, but never one."""

FAMILIES = (("minifig", "playmobil"), ("animal", "vehicle"))
"""A figure has one of these labels, never both. A label in no family stands alone: a hand and the
figure it holds are two things, and so are a rider and the horse."""

PEOPLE = FAMILIES[0]
"""What plays: it has hands of its own, stands in crowds, and hides its like."""


def families_of(labels: Sequence[str]) -> NDArray[np.intp]:
    """Number of each label's family, (L,); labels of one family have the same."""
    own = len(FAMILIES)
    numbers = [
        next((at for at, family in enumerate(FAMILIES) if label in family), own + place)
        for place, label in enumerate(labels)
    ]
    return np.array(numbers, dtype=np.intp)
