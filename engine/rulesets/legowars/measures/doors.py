"""Doors, drawbridges and what a building begins with (LW-BLDG-09 to 14, LW-SIEGE-08)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.rulesets.legowars.settings import Settings

DOOR: Final = "door"
DRAWBRIDGE: Final = "drawbridge"
WIRES_CUT: Final = "LW-FLAG-24"


@dataclass(frozen=True, slots=True)
class Turned:
    """What comes of turning a door.

    Attributes:
        open: It stands open, or the bridge is down.
        flag: What forbids it, ``""`` when it is legal.
    """

    open: bool
    flag: str = ""


def turn(kind: str, is_open: bool, wires_cut: bool, want: str) -> Turned:
    """Open or close a door; a bridge whose wires are cut stays down (LW-SIEGE-08)."""
    if want == "close" and kind == DRAWBRIDGE and wires_cut:
        return Turned(True, WIRES_CUT)
    return Turned(want == "open")


def starting_armor(bought: int, settings: Settings) -> int:
    """ARMOR of a building at the start (LW-BLDG-07, LW-BLDG-14)."""
    return settings.building_base_armor + bought


def starting_structure(bought: int, settings: Settings) -> int:
    """STRUCTURE of a building at the start (LW-BLDG-07, LW-BLDG-14)."""
    return settings.building_base_structure + bought


def starting_doors(as_built: Sequence[str], settings: Settings) -> tuple[str, ...]:
    """Doors that stand open at the start (LW-BLDG-14)."""
    return () if settings.doors_at_start == "all_closed" else tuple(as_built)
