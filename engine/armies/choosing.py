"""What an army list may say in a rule system, for a page that knows none of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.actions import Action
from engine.armies.lists import Entry
from engine.state import GameState

MINIFIG, PLAYMOBIL, ANIMAL, VEHICLE = "minifig", "playmobil", "animal", "vehicle"
TERRAIN = "terrain"
"""What stands for an entry on the table; the last one is a piece of terrain."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something an entry may hold, wear or know.

    Attributes:
        value: As in ``Entry.items``.
        words: For the players.
        most: How many of it.
        group: Of the things of one group, an entry has one at most; ``""`` for none.
    """

    value: str
    words: str
    most: int = 1
    group: str = ""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number an entry may say.

    Attributes:
        key: ``might``, or the part of an item ``key=number`` before the sign.
        words: For the players.
        least: Lowest allowed.
        usual: What a new entry says; None where it says nothing.
        most: Highest offered.
    """

    key: str
    words: str
    least: int
    usual: int | None
    most: int


@dataclass(frozen=True, slots=True)
class Kind:
    """Class or troop type of an entry.

    Attributes:
        value: As in ``Entry.kind``.
        words: For the players.
        label: What a camera calls such a figure, or ``terrain``.
        things: What it may hold, wear or know.
        amounts: Numbers it may say.
    """

    value: str
    words: str
    label: str = MINIFIG
    things: tuple[Thing, ...] = ()
    amounts: tuple[Amount, ...] = ()


@dataclass(frozen=True, slots=True)
class Recruit:
    """A figure that is to become what an entry says.

    Attributes:
        figure_id: The figure, or the piece of terrain.
        side: Its team.
        entries: The whole army of that team.
        index: Of its entry.
        bound: Figures that have become what an entry says, by its index, this one included.
        state: The game as it is.
    """

    figure_id: str
    side: str
    entries: tuple[Entry, ...]
    index: int
    bound: Mapping[int, tuple[str, ...]]
    state: GameState

    @property
    def entry(self) -> Entry:
        """What it is to become."""
        return self.entries[self.index]

    def wish(
        self,
        kind: str,
        value: str | None = None,
        number: float | None = None,
        figure_id: str | None = None,
    ) -> Action:
        """One of the wishes that players have before a game, about this figure or another."""
        numbers = () if number is None else (float(number),)
        return Action(
            kind,
            side=self.side,
            figure_id=figure_id or self.figure_id,
            value=value,
            numbers=numbers,
        )


def things_of(pairs: Iterable[tuple[str, str]], most: int = 1, group: str = "") -> list[Thing]:
    """Things by value and words."""
    return [Thing(value, words, most, group) for value, words in pairs]


def amounts_in(items: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Names and numbers of the items ``key=number``."""
    for item in items:
        name, sign, text = item.partition("=")
        if sign and text.isdecimal():
            yield name, int(text)
