"""Whom a fighter may strike or shoot at, with how many dice, and why not."""

from __future__ import annotations

from dataclasses import dataclass

from engine.geometry.interval import Verdict
from engine.roster import state_mark
from engine.rulesets.deathzap.field import on_table, standing, terrain_of
from engine.rulesets.deathzap.marks import MELEE, RANGED, class_of, defending, might
from engine.rulesets.deathzap.measures import attacks, lengths, views
from engine.rulesets.deathzap.settings import Settings
from engine.rulesets.deathzap.words import dice_words, need_words
from engine.spots import text_mark
from engine.state import GameState, Unit
from engine.table import Figure, TableState
from engine.words import BY_RULER


@dataclass(frozen=True, slots=True)
class Aim:
    """What there is to say about an attack before the dice are rolled.

    Attributes:
        allowed: It may be made.
        text: Distance and odds, or why not.
        rule: Rule behind ``text``.
        kind: ``melee`` or ``ranged``.
        dice: How many are rolled.
        need: Lowest face that hits.
        mod: Added to every die.
        always: Faces that hit anyhow.
        length_mm: Distance of a shot.
        hidden: The target is not entirely visible.
        ask: ``range`` or ``close`` when the players must say first.
        ask_limit_mm: The limit that is too close to call.
        close_call: A near thing was settled in favour of the attacker.
    """

    allowed: bool
    text: str
    rule: str
    kind: str
    dice: int = 0
    need: int = 0
    mod: int = 0
    always: tuple[int, ...] = ()
    length_mm: float = 0.0
    hidden: bool = False
    ask: str = ""
    ask_limit_mm: float = 0.0
    close_call: bool = False


def aim(
    state: GameState,
    settings: Settings,
    table: TableState,
    fighter: Unit,
    target: Unit,
    kind: str,
) -> Aim:
    """Hold an attack against the rules (DZ-MEL-01, DZ-RNG-01, DZ-Q-37)."""
    own = class_of(fighter)
    if own is None:
        return Aim(False, f"nobody said what {fighter.name} is", "DZ-WB-01", kind)
    if target.side == fighter.side:
        return Aim(False, f"{target.name} is of the same side", f"DZ-{_chapter(kind)}-01", kind)
    if not target.alive:
        return Aim(False, f"{target.name} is out of the game", "DZ-DMG-10", kind)
    if kind == RANGED and own.ranged_dice is None:
        text = f"{fighter.name} is a {own.name} and has no ranged attack"
        return Aim(False, text, "DZ-RNG-01", kind)
    a, b = on_table(table, fighter), on_table(table, target)
    if a is None or b is None:
        missing = fighter if a is None else target
        return Aim(False, f"I do not see {missing.name} on the table", "DZ-GEO-18", kind)
    if kind == MELEE:
        return _melee(state, settings, fighter, target, a, b)
    return _ranged(state, settings, table, fighter, target, a, b)


def _chapter(kind: str) -> str:
    return "MEL" if kind == MELEE else "RNG"


def _melee(
    state: GameState, settings: Settings, fighter: Unit, target: Unit, a: Figure, b: Figure
) -> Aim:
    """A blow at an enemy in contact (DZ-MEL-01); nobody asks what is seen (DZ-VIS-04).

    A boost adds its die, in a charge too (DZ-BST-03).
    """
    own = class_of(fighter)
    gap = lengths.edge_gap(a, b)
    if not lengths.is_contact(gap, settings):
        text = f"{target.name} is {gap:.0f} mm away, not in contact"
        return Aim(False, text, "DZ-MEL-01", MELEE)
    needed = attacks.need(might(fighter), might(target))
    mod = attacks.modifier(partly_hidden=False, defending=defending(target))
    dice = 0 if own is None else attacks.melee_dice(own, boosts(state))
    text = f"{dice_words(dice)}, {need_words(needed)}{_mod_words(mod)}"
    # A Sniper's sure faces are for shots only (DZ-SNI-04).
    return Aim(True, text, "DZ-MEL-04", MELEE, dice, needed, mod)


def _ranged(
    state: GameState,
    settings: Settings,
    table: TableState,
    fighter: Unit,
    target: Unit,
    a: Figure,
    b: Figure,
) -> Aim:
    """A shot (DZ-RNG-05 to DZ-RNG-08)."""
    own = class_of(fighter)
    if own is None:
        return Aim(False, f"nobody said what {fighter.name} is", "DZ-WB-01", RANGED)
    if not lengths.may_shoot_at(lengths.edge_gap(a, b), settings):
        text = f"{target.name} touches {fighter.name}: strike it or shoot at another"
        return Aim(False, text, "DZ-RNG-08", RANGED)
    length = lengths.range_mm(a, b, settings)
    away = f"{length:.0f} mm"
    near_thing = False
    if settings.ranged_max_in is not None:
        limit = settings.mm(settings.ranged_max_in)
        verdict = _settled(state, settings, "range", length, limit, a, b)
        if verdict is Verdict.NO:
            text = f"{target.name} is {away} away, {length - limit:.0f} too far"
            if _said(state, "range", target.figure_id) is False:
                text = f"{target.name} is out of range {BY_RULER}"
            return Aim(False, text, "DZ-RNG-06", RANGED, length_mm=length)
        if verdict is Verdict.BORDERLINE:
            return _ask("range", target, length, limit)
        near_thing = _doubtful(settings, length, limit, a, b)
    seen = views.sight(a, b, standing(state, table), terrain_of(state, table, settings), settings)
    if seen is views.Sight.NONE and settings.ranged_hidden == "forbid":
        return Aim(False, f"{target.name} cannot be seen at all", "DZ-RNG-07", RANGED)
    close = False
    if own.ranged_dice_close is not None:  # the Gunslinger (DZ-RNG-04)
        limit = settings.mm(own.close_in)
        verdict = _settled(state, settings, "close", length, limit, a, b)
        if verdict is Verdict.BORDERLINE:
            return _ask("close", target, length, limit)
        close = verdict is Verdict.YES
        near_thing = near_thing or (close and _doubtful(settings, length, limit, a, b))
    needed = attacks.need(might(fighter), might(target))
    hidden = seen is not views.Sight.ENTIRELY
    mod = attacks.modifier(partly_hidden=hidden, defending=defending(target))
    dice = attacks.ranged_dice(own, close=close, boost=boosts(state)) or 0
    words = ", not entirely visible" if hidden else ""
    text = f"{away}{words}, {dice_words(dice)}, {need_words(needed)}{_mod_words(mod)}"
    return Aim(
        True,
        text,
        "DZ-RNG-05",
        RANGED,
        dice,
        needed,
        mod,
        own.always_hits_on,
        length,
        hidden,
        close_call=near_thing,
    )


def boosts(state: GameState) -> int:
    """1 when the activated fighter has boosted; a second boost is wasted (DZ-BST-04)."""
    return 1 if state_mark(state, "boosted") is True else 0


def _said(state: GameState, what: str, target_id: str) -> bool | None:
    """What the players said about the target they were asked about, None about any other."""
    said = state_mark(state, f"said_{what}")
    asked_about = text_mark(state, "aim_target") == target_id
    return said if asked_about and isinstance(said, bool) else None


def _settled(
    state: GameState,
    settings: Settings,
    what: str,
    length: float,
    limit: float,
    a: Figure,
    b: Figure,
) -> Verdict:
    """The verdict on a length, or what the players said about it."""
    said = _said(state, what, b.figure_id)
    if said is not None:
        return Verdict.YES if said else Verdict.NO
    return lengths.held(length, limit, settings, a.sigma_mm, b.sigma_mm)


def _doubtful(settings: Settings, length: float, limit: float, a: Figure, b: Figure) -> bool:
    if settings.close_policy == "strict":
        return False
    return lengths.close(length, limit, a.sigma_mm, b.sigma_mm) is Verdict.BORDERLINE


def _ask(what: str, target: Unit, length: float, limit: float) -> Aim:
    text = f"{target.name} is {length:.0f} of {limit:.0f} mm away, too close to call"
    return Aim(True, text, "DZ-GEO-14", RANGED, length_mm=length, ask=what, ask_limit_mm=limit)


def _mod_words(mod: int) -> str:
    return f", {mod} on every die".replace("-", "\N{MINUS SIGN}") if mod else ""
