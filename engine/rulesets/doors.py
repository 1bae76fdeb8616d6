"""The doors through which the program uses a rule system, and who is let in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from engine.actions import Action
from engine.announce import Announcement
from engine.errors import Refused
from engine.items import Item
from engine.ruleset import RuleSetInfo
from engine.rulesets.datafile import OptionRule
from engine.state import GameState
from engine.table import Base


class Rules(Protocol):
    """What the data of every rule system tells about itself."""

    @property
    def id(self) -> str:
        """Id of the rule set."""

    @property
    def title(self) -> str:
        """Name for players."""

    @property
    def version(self) -> str:
        """Version of the rules."""

    @property
    def unit(self) -> str:
        """Unit lengths are said in."""

    @property
    def team_names(self) -> tuple[str, ...]:
        """Names of the teams when nobody names them."""

    @property
    def options(self) -> Mapping[str, OptionRule]:
        """By key, in reading order."""

    @property
    def items(self) -> Mapping[str, Item]:
        """By rule id."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What a wish must pass before it is carried out.

    Attributes:
        kinds: Actions the game knows.
        title: Name of the game.
        over: Phase in which it is over.
        in_spite: Actions allowed while a question is open.
        rule_unknown: Rule item behind the refusal of another action.
        rule_over: Rule item that ends the game.
    """

    kinds: Collection[str]
    title: str
    over: str
    in_spite: tuple[str, ...]
    rule_unknown: str | None = None
    rule_over: str | None = None


def described(
    rules: Rules,
    equipment: Iterable[tuple[str, str]],
    base: Mapping[str, Base],
    items: Mapping[str, Item] | None = None,
    before: Iterable[str] = (),
) -> RuleSetInfo:
    """What a rule set is.

    Args:
        rules: Its data.
        equipment: Things a figure may hold, as value and words.
        base: Base every figure stands on, by profile.
        items: Every rule item and flag; those of the data file when there are no others.
        before: Phases before play.
    """
    return RuleSetInfo(
        id=rules.id,
        title=rules.title,
        version=rules.version,
        unit=rules.unit,
        sides=rules.team_names,
        equipment=tuple(equipment),
        base=base,
        options=tuple(rule.option for rule in rules.options.values()),
        items=rules.items if items is None else items,
        before=tuple(before),
    )


def check_two_sides(teams: Sequence[str], rules: Rules, who: str, rule: str) -> None:
    """As many teams as the data file names, each with a name of its own.

    Raises:
        Refused: They are more, fewer, or called alike.
    """
    if len(set(teams)) != len(rules.team_names) or len(teams) != len(rules.team_names):
        raise Refused(f"two {who} play, each with a name of its own", rule)


def check_kind(gate: Gate, state: GameState, action: Action) -> None:
    """The game knows such an action and goes on.

    Raises:
        Refused: It does not.
    """
    if action.kind not in gate.kinds:
        raise Refused(f"nobody can {action.kind!r} in {gate.title}", gate.rule_unknown)
    if state.phase == gate.over:
        raise Refused("the game is over", gate.rule_over)


def check_dice(faces: Iterable[int], sides: int, rule: str) -> None:
    """Every face is one of the die.

    Raises:
        Refused: One is not.
    """
    for face in faces:
        if not 1 <= face <= sides:
            raise Refused(f"a die shows 1 to {sides}, not {face}", rule)


def check_answered(gate: Gate, state: GameState, action: Action) -> None:
    """No question waits that has to be answered before.

    Raises:
        Refused: One does.
    """
    question = state.question
    if question is not None and action.kind not in gate.in_spite:
        raise Refused(f"first answer: {question.text}", question.rule)


def numbered(said: Iterable[Announcement], state: GameState) -> tuple[Announcement, ...]:
    """Announcements with the number of the event they are about."""
    return tuple(replace(one, seq=state.seq) for one in said)
