"""The referee: takes looks at the table and taps of players, writes the log."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.actions import Action
from engine.announce import Announcement, Level
from engine.armies.enlisting import ARMY_KINDS, CHOOSE, ENLIST, announce, choose_army, enlist
from engine.choices import read_options, write_options
from engine.codec import Input, canonical
from engine.common import COMMON_KINDS, assigned, resolve_common
from engine.dice import Dice, SeededDice, TypedDice
from engine.errors import BadData, Refused, Stale
from engine.events import Event, results
from engine.log import (
    BEGIN,
    TABLE,
    UNDO,
    LogLine,
    current_game,
    dice_rolled,
    fold,
    kept,
    open_game,
    step,
)
from engine.norules import NoRules
from engine.ruleset import Option, RuleSet
from engine.rulesets import RULESETS
from engine.setup import TableFacts, fold_facts
from engine.siding import check_side
from engine.state import GameState, OptionValue
from engine.table import TableState
from engine.undone import TOGETHER, taken_back

_ABOUT_FIGURES: Final = COMMON_KINDS | ARMY_KINDS
"""Wishes that any player may have at any time, whatever the game waits for."""
EMPTY_TABLE: Final = TableState(0, None, (), (), settled=True)
"""What the referee compares its first look with."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The lines of what is taken back at once, and the table as it was understood before it."""

    from_seq: int
    before: TableState
    joined: bool = False


class Referee:
    """Ruleset, state and the last table understood; the only thing that remembers.

    The first log line always tells the game, so that the log alone folds to the state.

    Args:
        ruleset: The game, None for a table without one.
        options: Rule options that differ from their default.
        sides: Teams in playing order; empty takes those of the rule set.
        seed: For the dice the program rolls.
        rulesets: Those ``new_game`` can name.

    Raises:
        Refused: An option is unknown or its value not allowed.
    """

    def __init__(
        self,
        ruleset: RuleSet | None = None,
        options: Mapping[str, OptionValue] | None = None,
        sides: Sequence[str] = (),
        seed: int = 0,
        rulesets: Iterable[RuleSet] = RULESETS,
    ) -> None:
        own: tuple[RuleSet, ...] = () if ruleset is None else (ruleset,)
        none: RuleSet = NoRules()
        self._rulesets = {one.info.id: one for one in (none, *rulesets, *own)}
        self._ruleset = none if ruleset is None else ruleset
        self._lines: list[LogLine] = []
        self._said: list[Announcement] = []
        self._groups: list[_Group] = []
        self._facts = TableFacts()
        self._offered: tuple[Option, ...] | None = None
        self._look = EMPTY_TABLE
        self._settled = EMPTY_TABLE
        self._before = EMPTY_TABLE
        self._state = self._ruleset.begin(options or {}, sides)
        self._tell(0, BEGIN, (_began(self._ruleset, self._state, options or {}, seed),))

    @property
    def ruleset(self) -> RuleSet:
        """The game being played; its id is ``""`` when there is none."""
        return self._ruleset

    @property
    def state(self) -> GameState:
        """What the game has come to."""
        return self._state

    @property
    def table(self) -> TableState:
        """The last look at the table, settled or not."""
        return self._look

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """The whole log, undone lines included."""
        return tuple(self._lines)

    @property
    def facts(self) -> TableFacts:
        """What people told about the table, without what they took back."""
        return self._facts

    def take(self, item: Input) -> tuple[LogLine, ...]:
        """Take one input and return the log lines it caused.

        Args:
            item: A look at the table, or a wish. Looks that are not settled only refresh
                :attr:`table`.

        Raises:
            Refused: The rules do not allow the wish; nothing has changed.
            Stale: The wish rests on a state that has gone; nothing has changed.
            BadData: A number in it is not finite.
        """
        first = len(self._lines)
        if isinstance(item, TableState):
            self._see(item)
        else:
            wish = canonical(item)
            if isinstance(wish, Action):
                self._act(wish)
        return tuple(self._lines[first:])

    def retell(self, line: LogLine) -> tuple[LogLine, ...]:
        """Take a line of a recorded log as it stands: the game folded from its log alone.

        Args:
            line: The next one; the first, which every log begins with, may come again.

        Returns:
            The line, or nothing where it is known.

        Raises:
            BadData: It does not follow the line before, or tells of an unknown game.
        """
        if self._lines[:1] == [line] and len(self._lines) == 1:
            return ()
        if line.seq != self._lines[-1].seq + 1:
            raise BadData("log", f"line {line.seq} follows line {self._lines[-1].seq}")
        if line.event.kind == "undone":
            self._take_back(line)
        else:
            self._append(line)
        return (line,)

    def options(self) -> tuple[Option, ...]:
        """Everything the players may do now, by the last settled table."""
        if self._offered is None:
            self._offered = self._ruleset.options(self._state, self._settled)
        return self._offered

    @property
    def undoable(self) -> str | None:
        """Kind of the action that ``undo`` would take back, None where there is none."""
        if not self._groups:
            return None
        return self._what(self._groups[-1])

    def announcements(self, after_seq: int = 0) -> tuple[Announcement, ...]:
        """What there is to say about the lines after ``after_seq`` that still count."""
        counting = {line.seq for line in kept(self._lines)}
        return tuple(a for a in self._said if a.seq > after_seq and a.seq in counting)

    def _see(self, look: TableState) -> None:
        if not look.settled:
            self._look = look
            return
        settled = canonical(look)
        if not isinstance(settled, TableState):
            return
        self._look = settled
        if replace(self._settled, t_ns=settled.t_ns) != settled:
            self._offered = None
        self._settled = settled
        self._understand(settled.t_ns)

    def _understand(self, t_ns: int) -> None:
        before, after = self._before, self._settled
        self._before = after
        if replace(before, t_ns=after.t_ns) != after:
            self._tell(t_ns, TABLE, self._ruleset.interpret(self._state, before, after))

    def _act(self, action: Action) -> None:
        if self._is_stale(action):
            raise Stale(action.basis_seq, self._state.seq)
        if action.kind == UNDO:
            self._undo(action)
            return
        group = _Group(self._state.seq + 1, self._before)
        if action.kind == "new_game":
            self._new_game(action)
        else:
            events = self._resolve(action)
            self._tell(action.t_ns, action.kind, events)
        if self._state.seq < group.from_seq:
            return
        if self._groups and self._groups[-1].from_seq == action.joins:
            self._groups[-1] = replace(self._groups[-1], joined=True)
        else:
            self._groups.append(group)

    def _resolve(self, action: Action) -> tuple[Event, ...]:
        if action.kind in COMMON_KINDS:
            return resolve_common(
                self._ruleset.info, self._state, self._facts, self._settled, action
            )
        if action.kind == CHOOSE:
            return (choose_army(self._state, action),)
        dice = self._dice(action)
        if action.kind == ENLIST:
            return enlist(self._ruleset, self._state, self._facts, self._settled, action, dice)
        events = self._ruleset.resolve(self._state, self._settled, action, dice)
        # Afterwards: where the rules refuse it as well, theirs is the better reason.
        check_side(self._state, action, self.options)
        return events

    def _dice(self, action: Action) -> Dice:
        if action.dice:
            return TypedDice(action.dice)
        game = current_game(self._lines)
        seed = 0 if game is None else int(game.number("seed"))
        return SeededDice(seed, dice_rolled(self._lines))

    def _new_game(self, action: Action) -> None:
        ruleset = self._rulesets.get(action.value or "")
        if ruleset is None:
            known = ", ".join(sorted(name for name in self._rulesets if name))
            raise Refused(f"there is no rule set {action.value!r}; known are {known}")
        options = read_options(ruleset.info, action.items)
        state = ruleset.begin(options, ())
        seed = action.numbers[0] if action.numbers else 0.0
        if seed < 0 or not seed.is_integer():
            raise Refused(f"the dice number is whole and not below 0, not {seed:g}")
        self._tell(action.t_ns, action.kind, (_began(ruleset, state, options, int(seed)),))
        facts = self._facts
        known_items = {value for value, _ in ruleset.info.equipment}
        again = tuple(
            assigned(
                figure_id,
                side,
                facts.names[figure_id],
                tuple(i for i in facts.equipment[figure_id] if not known_items or i in known_items),
            )
            for figure_id, side in sorted(facts.sides.items())
            if not state.sides or side in state.sides
        )
        self._tell(action.t_ns, action.kind, again)
        self._before = replace(EMPTY_TABLE, t_ns=action.t_ns)
        self._understand(action.t_ns)

    def _undo(self, action: Action) -> None:
        """Take back the last action and all that followed; the table is then read anew."""
        if not self._groups:
            raise Refused("there is nothing to undo")
        group = self._groups.pop()
        what = self._what(group)
        event = Event("undone", values=results(from_seq=group.from_seq, what=what))
        self._take_back(LogLine(self._lines[-1].seq + 1, action.t_ns, UNDO, event))
        self._before = group.before
        self._understand(action.t_ns)

    def _what(self, group: _Group) -> str:
        return TOGETHER if group.joined else self._line(group.from_seq).cause

    def _line(self, seq: int) -> LogLine:
        return next(line for line in self._lines if line.seq == seq)

    def _take_back(self, line: LogLine) -> None:
        """Add a line that takes others back."""
        what, from_seq = line.event.text("what"), int(line.event.number("from_seq"))
        said = self._said_of(what, from_seq)
        undone = (one for one in kept(self._lines) if one.seq >= from_seq)
        moved = what != TOGETHER and any(
            one.cause == TABLE and one.event.figure_id for one in undone
        )
        self._lines.append(line)
        game = current_game(self._lines)
        if game is None:
            raise BadData("log", "its first line was undone")
        self._ruleset, _ = open_game(game, self._rulesets)
        self._state = fold(self._lines, self._rulesets)
        self._offered = None
        self._facts = fold_facts(self._lines)
        self._said.append(taken_back(what, line.seq, said, moved))

    def _said_of(self, cause: str, from_seq: int) -> tuple[Announcement, ...]:
        """What an action has caused to be said."""
        own = {line.seq for line in self._lines if line.seq >= from_seq and line.cause == cause}
        return tuple(one for one in self._said if one.seq in own)

    def _tell(self, t_ns: int, cause: str, events: Iterable[Event]) -> None:
        for event in events:
            seq = self._lines[-1].seq + 1 if self._lines else 1
            self._append(LogLine(seq, t_ns, cause, event))

    def _append(self, line: LogLine) -> None:
        """Add a line and step on with it."""
        if line.event.kind == "game_began":
            self._ruleset, self._state = open_game(line.event, self._rulesets)
        self._state = step(self._ruleset, self._state, line)
        self._offered = None
        self._lines.append(line)
        self._facts = fold_facts((line,), self._facts)
        self._said.extend(self._announce(line))

    def _announce(self, line: LogLine) -> tuple[Announcement, ...]:
        said = self._ruleset.announce(self._state, self._settled, line.event)
        if line.cause in ARMY_KINDS:
            # What a figure becomes step by step is told in one sentence at the end.
            grave = tuple(one for one in said if one.level is not Level.INFO)
            said = (*grave, *announce(self._state, line.event))
        return tuple(replace(one, seq=line.seq) for one in said)

    def _is_stale(self, action: Action) -> bool:
        """Whether something that this wish rests on has changed since ``basis_seq``.

        Lines matter that concern its figures or its terrain, and for wishes of the game those
        that players caused: they changed turn, phase, question or what may be done. Remarks of
        the table about other figures do not, nor do any where people say what the camera cannot
        know, so that a camera at work never blocks a table.
        """
        about = {action.figure_id, action.target_id} - {None}
        if action.basis_seq > self._state.seq:
            return True  # of another game, whose lines counted further
        for line in reversed(self._lines):
            if line.seq <= action.basis_seq:
                return False
            event = line.event
            if line.cause == BEGIN:
                continue
            if line.cause == TABLE and action.kind in _ABOUT_FIGURES:
                continue
            if about & {event.figure_id, event.target_id}:
                return True
            if action.kind == ENLIST and (line.cause == UNDO or _is_new_list(event, action)):
                return True  # its number may be that of another entry now
            if action.terrain_id and action.terrain_id == event.text("terrain_id"):
                return True
            if action.kind not in _ABOUT_FIGURES and _turns_the_game(line, action.kind == UNDO):
                return True
        return False


def _is_new_list(event: Event, action: Action) -> bool:
    return event.kind == "army_chosen" and event.side == action.side


def _turns_the_game(line: LogLine, undo: bool) -> bool:
    if line.cause in _ABOUT_FIGURES:
        return undo  # what would be undone is no longer what the player saw
    return line.cause != TABLE or line.event.kind in ("phase_began", "over")


def _began(
    ruleset: RuleSet, state: GameState, options: Mapping[str, OptionValue], seed: int
) -> Event:
    return Event(
        "game_began",
        values=results(
            ruleset=ruleset.info.id,
            version=ruleset.info.version,
            options=write_options(ruleset.info, options),
            sides=state.sides,
            seed=seed,
        ),
    )
