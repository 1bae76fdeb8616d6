"""One input at work: what is told about it, the table and the dice that came with it."""

from __future__ import annotations

from dataclasses import dataclass

from engine.dice import Dice
from engine.errors import Refused
from engine.events import Value
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    Phase,
    has,
    is_big,
    kind_of,
    left_out,
    living,
    rank_of,
)
from engine.rulesets.follow_me.measures import shots
from engine.rulesets.follow_me.settings import Settings
from engine.rulesets.judging import unit_called
from engine.spots import word
from engine.state import Unit
from engine.table import TableState
from engine.tale import Tale

_NOWHERE = TableState(0, None, (), (), settled=True)


@dataclass(slots=True)
class Play(Tale):
    """A tale about a table.

    Attributes:
        table: The settled table it is about.
        dice: Dice that came with the input, if any.
    """

    table: TableState = _NOWHERE
    dice: Dice | None = None

    @property
    def field(self) -> Field:
        """The table as the rules see it now."""
        return Field(self.state, self.table)

    @property
    def settings(self) -> Settings:
        """The options of the game."""
        return self.field.settings

    def roll(self, count: int, sides: int = 0) -> tuple[int, ...]:
        """So many dice that came with the input, six-sided, for breath too (FM-GEN-08, FM-GEN-09).

        Raises:
            Refused: None came.
        """
        if self.dice is None:
            raise Refused("dice are wanted", "FM-GEN-08")
        return self.dice.roll(count, sides or data().whole("dice.sides"))


def expect(play: Play, phase: Phase, rule: str) -> None:
    """Refuse what does not belong to the phase the game is in.

    Raises:
        Refused: It is another phase.
    """
    if play.state.phase != phase:
        raise Refused("it is no time for that now", rule)


def living_unit(play: Play, figure_id: str | None, rule: str) -> Unit:
    """A living unit of the game.

    Raises:
        Refused: There is no such unit, or it is out of the game.
    """
    unit = unit_called(play.state, figure_id, rule)
    if unit in left_out(play.state):
        raise Refused(f"{unit.name} does not play: first say whose it is", "FM-SET-09")
    if not unit.alive:
        raise Refused(f"{unit.name} is out of the game", "FM-HIT-05")
    return unit


def hurt(play: Play, unit: Unit, rule: str, *, by: str = "", kills: bool = False) -> None:
    """One hit; most figures die of it, others count it (FM-HIT-01 to 04, FM-SPELL-12a).

    Who is to die falls at the end of the step (FM-TURN-08).

    Args:
        play: The input at work.
        unit: Who is hit.
        rule: Rule item behind it.
        by: Who does it.
        kills: It kills whoever it hits (FM-SPELL-14a).
    """
    unit = play.now(unit)
    if not unit.alive:
        return
    if unit.mark("fx_safe") is not None:
        play.about("spared", "FM-SPELL-12", unit)
        return
    kind = kind_of(unit)
    if not kind.hits:
        return
    taken, dead = shots.taken(kind, unit.wounds, 1)
    values: dict[str, Value] = {"hits": 1, "taken": taken, "of": kind.hits, "by": by}
    if kind.hits > 1:
        values["unit.wounds"] = taken
    if dead or kills:
        values |= {"unit.doomed": rule, "unit.doomed_by": by}
    play.note("hit", rule, unit, values)


def doomed(play: Play) -> list[Unit]:
    """Who falls at the end of this step."""
    return [u for u in living(play.state) if word(u, "doomed")]


def fall(play: Play) -> list[Unit]:
    """Casualties of a step are laid down together when it is done (FM-TURN-08, FM-SHOOT-16)."""
    fallen = doomed(play)
    for unit in fallen:
        play.note("killed", word(unit, "doomed"), unit, {
            "by": word(unit, "doomed_by"), "turn": play.state.turn, "rank": rank_of(unit),
            "unit.note_to": "",
        })  # fmt: skip
        if word(unit, "note_to"):
            play.about("note_lost", "FM-MSG-08", unit)
        if is_big(unit) or has(unit, "instr"):
            play.note("idle", "FM-BIG-18", unit, {"unit.instr": ""})
    return fallen
