"""The rule systems: one data file each, behaviour in at most one module each."""

from __future__ import annotations

from engine.ruleset import RuleSet
from engine.rulesets.deathzap.game import Deathzap
from engine.rulesets.figurslag.game import Figurslag
from engine.rulesets.follow_me.game import FollowMe
from engine.rulesets.legowars.game import Legowars
from engine.rulesets.playmobil.game import Playmobil

RULESETS: tuple[RuleSet, ...] = (Figurslag(), Deathzap(), Playmobil(), Legowars(), FollowMe())
"""Every rule set the program knows, in the order shown."""


def by_id(name: str) -> RuleSet | None:
    """The rule set of that id, or None."""
    return next((one for one in RULESETS if one.info.id == name), None)
