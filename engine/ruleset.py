"""What every rule system offers. Pure: dice come in, events go out, nothing is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from engine.actions import Action
from engine.announce import Announcement, Shape
from engine.dice import Dice
from engine.events import Event
from engine.items import Item
from engine.state import GameState, OptionValue
from engine.table import Base, TableState


@dataclass(frozen=True, slots=True)
class RuleOption:
    """A point of the rules the players may settle otherwise.

    Attributes:
        key: Name in the specification's configuration block.
        default: Value when nobody says otherwise.
        choices: Allowed values; empty when any number in ``span`` is allowed.
        span: Lowest and highest number, or None.
        meaning: In plain words, with the question it settles and every value's own words behind
            the value: ``edge: from base to base.``
        question: The same without the values, for those who choose by words alone.
        words: Words of each choice, in the order of ``choices``.
        unset: Words of having no number, empty where one is wanted.
        integer: Only whole numbers.
    """

    key: str
    default: OptionValue
    choices: tuple[OptionValue, ...]
    span: tuple[float, float] | None
    meaning: str
    question: str = ""
    words: tuple[str, ...] = ()
    unset: str = ""
    integer: bool = False


@dataclass(frozen=True, slots=True)
class RuleSetInfo:
    """What a rule set is.

    Attributes:
        id: For example ``figurslag``.
        title: Name for players.
        version: Of the specification it follows.
        unit: Unit lengths are said in, a key of ``engine.units.MM_PER_UNIT``.
        sides: Names of the teams.
        equipment: Things a figure may hold, as value and words.
        base: Base every figure stands on, by profile.
        options: Points the players may settle.
        items: Every rule item and flag, by rule id.
        before: Phases before play, in which a figure that is taken away was never of the game.
    """

    id: str
    title: str
    version: str
    unit: str
    sides: tuple[str, ...]
    equipment: tuple[tuple[str, str], ...]
    base: Mapping[str, Base]
    options: tuple[RuleOption, ...]
    items: Mapping[str, Item] = field(default_factory=dict)
    before: tuple[str, ...] = ()


class InputKind(StrEnum):
    """How a player gives what an option needs."""

    TAP = "tap"
    CHOICE = "choice"
    FIGURE = "figure"
    POINT = "point"
    NUMBER = "number"
    CONFIRM = "confirm"
    SHOW = "show"
    """Nothing to give: words and shapes to look at, no button."""


@dataclass(frozen=True, slots=True)
class Target:
    """A figure an option could act on.

    Attributes:
        figure_id: The figure.
        allowed: It may be chosen.
        text: Distance, or why not ("0.6 cm too far").
        rule: Rule or flag behind ``text``.
        shapes: To be drawn while it is looked at.
    """

    figure_id: str
    allowed: bool
    text: str
    rule: str | None = None
    shapes: tuple[Shape, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One thing a player may do now, described fully enough for a page that knows no rules.

    Attributes:
        kind: The action kind to send.
        text: Words on the button.
        input: How the rest is given.
        side: Team that may do it.
        figure_id: Shown when this figure is tapped; None shows it always.
        choices: Value and words, for ``CHOICE``; sent as ``Action.value``.
        targets: For ``FIGURE``; sent as ``Action.target_id``.
        dice: Number and sides of the dice to roll or type now, (0, 0) for none.
        dice_text: What to roll and why, for example ``"Roll: 4, 5 or 6 hits."``.
        shapes: Reach and the like, drawn while the figure is tapped.
        rule: Rule item behind it.
        value: Fixed ``Action.value`` to send along.
        hint: More about it, shown beside the button or while the figure is tapped.
        minor: Rarely wanted: shown last and small.
    """

    kind: str
    text: str
    input: InputKind = InputKind.TAP
    side: str | None = None
    figure_id: str | None = None
    choices: tuple[tuple[str, str], ...] = ()
    targets: tuple[Target, ...] = ()
    dice: tuple[int, int] = (0, 0)
    dice_text: str = ""
    shapes: tuple[Shape, ...] = ()
    rule: str | None = None
    value: str | None = None
    hint: str = ""
    minor: bool = False


class RuleSet(Protocol):
    """A whole rule system, as pure functions over facts."""

    @property
    def info(self) -> RuleSetInfo:
        """What it is."""

    def begin(self, options: Mapping[str, OptionValue], sides: Sequence[str]) -> GameState:
        """The state before the first event.

        Raises:
            Refused: An option is unknown or its value not allowed.
        """

    def options(self, state: GameState, table: TableState) -> tuple[Option, ...]:
        """Everything the players may do now."""

    def interpret(
        self, state: GameState, before: TableState, after: TableState
    ) -> tuple[Event, ...]:
        """What a change of the settled table means. Comments, never refuses.

        ``before`` is the last settled table that was interpreted.
        """

    def resolve(
        self, state: GameState, table: TableState, action: Action, dice: Dice
    ) -> tuple[Event, ...]:
        """Carry out a wish.

        Raises:
            Refused: The rules do not allow it.
        """

    def evolve(self, state: GameState, event: Event) -> GameState:
        """The only change of state."""

    def announce(
        self, state: GameState, table: TableState, event: Event
    ) -> tuple[Announcement, ...]:
        """What to say after ``event``; ``state`` already contains it."""
