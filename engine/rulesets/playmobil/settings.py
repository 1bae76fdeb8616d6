"""The options of a game as typed values: the only place where they are checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rulesets.agreement import Agreement
from engine.rulesets.playmobil.data import data
from engine.units import MM_PER_FOOT, MM_PER_INCH

NO_OPTION = "PM-GEN-06"


@dataclass(frozen=True, slots=True)
class Settings:
    """The points of the rules the players may settle, as settled for this game.

    Only those with a choice are kept here; the others are told in the data file. The field of
    ``pm.dice.compare`` is ``dice_compare``, that of ``geom.los.full_min`` is ``los_full_min``.
    """

    scale_factor: float
    dice_compare: str
    setup_depth_ft: float
    turn_clock: str
    face_front_half_deg: float
    throw_range_ft: float
    charge_min_ft: float
    charge_bonus: str
    charge_first_turn: int
    charge_throw: bool
    archery_stop_on_fail: bool
    archery_two_inch_rule: bool
    cover: str
    circle_arc_from: str
    circle_sight_from: str
    elephant_melee_hits: int
    elephant_rampage: str
    chariot_double: str
    artillery_mode: str
    siege_artillery_is_engine: bool
    siege_artillery_d: int
    siege_artillery_hits: int
    general_death: str
    range_mode: str
    contact_tol_mm: str
    place_tol_mm: float
    move_epsilon_mm: float
    close_policy: str
    template_rule: str
    los_none_max: float
    los_full_min: float

    def feet(self, feet: float) -> float:
        """Feet of the game in mm on this table (PM-GEN-01 to PM-GEN-03, PM-GEO-28)."""
        return feet * MM_PER_FOOT * self.scale_factor

    def inches(self, inches: float) -> float:
        """Inches of the game in mm on this table (PM-GEN-01 to PM-GEN-03)."""
        return inches * MM_PER_INCH * self.scale_factor

    @property
    def contact_mm(self) -> float:
        """Widest gap that is contact (PM-GEO-05)."""
        return data().contact_tol_mm[self.contact_tol_mm]

    @property
    def reach_mm(self) -> float:
        """Reach of a blow from edge to edge (PM-ATT-04, PM-GEO-21)."""
        return self.inches(data().numbers["melee.reach_in"])


_AGREEMENT: Final = Agreement(lambda: data().options, Settings, NO_OPTION)

pairs, settings = _AGREEMENT.pairs, _AGREEMENT.settings
settings_of = _AGREEMENT.settings_of
