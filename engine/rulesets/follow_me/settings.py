"""The options of a game as typed values: the only place where they are checked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engine.roster import state_mark
from engine.rulesets.agreement import Agreement
from engine.rulesets.follow_me.data import data
from engine.state import GameState
from engine.units import MM_PER_INCH

NO_OPTION = "FM-GEN-12"


@dataclass(frozen=True, slots=True)
class Settings:
    """The points of the rules the players may settle, as settled for this game.

    Only those with a choice are kept here; the others are told in the data file. The field of
    ``fm.scale.mode`` is ``scale_mode``, that of ``geom.los.none_max`` is ``los_none_max``. The
    factor of the table is settled with the figures, when the players are ready.
    """

    scale_mode: str
    scale_factor: float | None
    modules_mages: bool
    modules_spells: bool
    attack_them_range_in: float | str | None
    attack_them_persist: str
    inspire_insult_cheers_own: bool
    big_thing_guard_measured: str
    melee_push_survivors: bool | str
    push_follow_up: str
    duel_pairs: str
    morale_table: str
    morale_custom_steady: int
    morale_custom_shaken: int
    morale_custom_fall_back: int
    morale_two_tests: str
    morale_noble_game_includes_this_turn: bool
    morale_outnumbered_scope: str
    mage_start_points: int
    mage_cap: str
    duration_counts_cast_turn: str
    wear_off_roll_at: str
    lightning_big_things: str
    mine_big_things: bool
    setup_deploy_in: int
    range_mode: str
    contact_tol_mm: str
    place_tol_mm: float
    move_epsilon_mm: float
    close_policy: str
    template_rule: str
    los_none_max: float
    factor: float = 1.0

    def inches(self, inches: float) -> float:
        """Inches of the rules in mm on this table (FM-GEN-02, FM-GEN-07, FM-GEO-27)."""
        return inches * MM_PER_INCH * self.factor

    @property
    def contact_mm(self) -> float:
        """Widest gap that is contact (FM-GEO-05)."""
        name = self.contact_tol_mm
        if name == "by_figures":
            large = self.factor >= data().numbers["geometry.playmobil_factor"]
            name = "playmobil" if large else "lego"
        return data().contact_tol_mm[name]


_AGREEMENT: Final = Agreement(lambda: data().options, Settings, NO_OPTION)

pairs, settings = _AGREEMENT.pairs, _AGREEMENT.settings


def settings_of(state: GameState) -> Settings:
    """The options of a game as typed values, with what was settled at set-up."""
    found = _AGREEMENT.settings_of(state)
    factor, mine = state_mark(state, "factor"), state_mark(state, "mine")
    if isinstance(factor, int | float):
        found = replace(found, factor=float(factor))
    return found if mine is None else replace(found, mine_big_things=mine == "yes")
