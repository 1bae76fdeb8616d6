"""The options of a game as typed values: the only place where they are checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rulesets.agreement import Agreement
from engine.rulesets.deathzap.data import data
from engine.units import MM_PER_INCH

NO_OPTION = "DZ-GEN-09"


@dataclass(frozen=True, slots=True)
class Settings:
    """The points of the rules the players may settle, as settled for this game.

    Only those with a choice are kept here; the others are told in the data file. The field of
    ``dz.chain.multi`` is ``chain_multi``, that of ``geom.los.full_min`` is ``los_full_min``.
    """

    scale_factor: float
    points_standard: int
    points_exact: bool
    shrine: str
    deploy_rule: str
    deploy_depth_in: float
    setup_show: str
    chain_multi: str
    ranged_max_in: float | None
    ranged_hidden: str
    ranged_in_contact: str
    charge_reach: str
    terrain_step_over_in: float
    stalemate: int
    range_mode: str
    contact_tol_mm: str
    place_tol_mm: float
    move_epsilon_mm: float
    close_policy: str
    template_rule: str
    los_none_max: float
    los_full_min: float
    los_figures_block: str

    def mm(self, inches: float) -> float:
        """Inches of the game in mm on this table (DZ-GEN-01, DZ-GEN-03, DZ-GEN-04, DZ-GEO-27)."""
        return inches * MM_PER_INCH * self.scale_factor

    @property
    def contact_mm(self) -> float:
        """Widest gap that is contact (DZ-GEO-05)."""
        return data().contact_tol_mm[self.contact_tol_mm]


_AGREEMENT: Final = Agreement(lambda: data().options, Settings, NO_OPTION)

pairs, settings = _AGREEMENT.pairs, _AGREEMENT.settings
settings_of = _AGREEMENT.settings_of
