"""Fighters, warbands and rolls as they are said."""

from __future__ import annotations

from collections.abc import Mapping

from engine.roster import state_mark
from engine.rulesets.deathzap.marks import class_of, count_mark, defending, might, stunned, wounded
from engine.spots import number_mark, side_name
from engine.state import GameState, Unit
from engine.words import count, small_number

_FACES = {2: "twos", 3: "threes", 4: "fours", 5: "fives", 6: "sixes"}


def fighter_words(unit: Unit) -> str:
    """State of a fighter: ``"Gunner 1: Gunner, Might 3, wounded, not stunned."``."""
    own = class_of(unit)
    parts = [
        "no class yet" if own is None else own.name,
        f"Might {might(unit)}" if might(unit) else "no Might yet",
    ]
    if unit.mark("gone") is None:
        parts += ["wounded"] if wounded(unit) else []
        parts += ["stunned" if stunned(unit) else "not stunned"]
        parts += ["defending"] if defending(unit) else []
    return f"{unit.name}: {', '.join(parts)}."


def band_words(side: str, facts: Mapping[str, int]) -> str:
    """``"Red: 5 fighters, 20 points, 2 basic: at least 3 basic are needed."``."""
    told = (
        f"{side_name(side)}: {count(facts['fighters'], 'fighter')}, "
        f"{count(facts['points'], 'point')}, {facts['basic']} basic"
    )
    if facts["basic"] < facts["needed"]:
        return f"{told}: at least {facts['needed']} basic are needed."
    return f"{told}."


def need_words(need: int) -> str:
    """``"fours and up hit"``."""
    return "only sixes hit" if need == 6 else f"{_FACES[need]} and up hit"


def dice_words(number: int) -> str:
    """``"4 dice"``."""
    return count(number, "die", "dice")


def count_words(number: int, one: str) -> str:
    """``"One action"``, ``"Two actions"``."""
    words = small_number(number)
    return f"{words.capitalize()} {one}{'' if number == 1 else 's'}"


def mod_words(mod: int) -> str:
    """``"minus one"``."""
    return "" if mod == 0 else f"{'minus' if mod < 0 else 'plus'} {small_number(abs(mod))}"


def ratio_words(a: int, t: int) -> str:
    """How one Might stands to the other."""
    if a >= 2 * t:
        return "double"
    if a > t:
        return "more"
    if a == t:
        return "equal"
    return "less" if 2 * a > t else "half or less"


def roll_words(state: GameState) -> str:
    """What to roll and why: ``"Roll 4 dice: fours and up hit, minus one on each; a 6 always."``."""
    need, mod = count_mark(state, "aim_need"), int(number_mark(state, "aim_mod"))
    each = f", {mod_words(mod)} on each" if mod else ""
    sure = "; a 4, 5 or 6 hits anyway" if state_mark(state, "aim_always") is True else ""
    always = "; a 6 hits always" if mod and not sure and need < 6 else ""
    dice = count_mark(state, "aim_dice")
    return f"Roll {dice_words(dice)}: {need_words(need)}{each}{sure}{always}."


def percent(chance: float) -> str:
    """``"31 in 100"``."""
    return f"{round(100 * chance)} in 100"
