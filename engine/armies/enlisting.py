"""Armies in a game: a side plays a list, and its figures become what the entries say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from engine.actions import Action
from engine.announce import Announcement, Level
from engine.armies import deathzap, figurslag, follow_me, legowars, playmobil
from engine.armies.choosing import TERRAIN, Kind, Recruit
from engine.armies.lists import MOST_FIGURES, Entry, read_entries, write_entry
from engine.common import COMMON_KINDS, resolve_common
from engine.dice import Dice
from engine.errors import BadData, Refused
from engine.events import Event, results
from engine.log import LogLine, step
from engine.ruleset import RuleSet
from engine.setup import TableFacts
from engine.spots import side_name
from engine.state import GameState
from engine.table import TableState

Kinds: TypeAlias = Callable[[], tuple[Kind, ...]]
Wishes: TypeAlias = Callable[[Recruit], Iterator[Action]]

SYSTEMS: Final[Mapping[str, tuple[Kinds, Wishes]]] = {
    "figurslag": (figurslag.kinds, figurslag.wishes),
    "deathzap": (deathzap.kinds, deathzap.wishes),
    "playmobil": (playmobil.kinds, playmobil.wishes),
    "legowars": (legowars.kinds, legowars.wishes),
    "follow_me": (follow_me.kinds, follow_me.wishes),
}
"""What a list may say, and what a player would tap for it, by id of the rule set."""

BEFORE: Final[Mapping[str, tuple[str, ...]]] = {
    "figurslag": ("TERRAIN", "ROSTER", "DEPLOY"),
    "deathzap": ("SETUP",),
    "playmobil": ("SETUP",),
    "legowars": ("SETUP", "BUY", "DEPLOY"),
    "follow_me": ("SETUP",),
}
"""Phases in which figures may still become something, by id of the rule set."""

BY_RULE: Final[Mapping[str, str]] = {
    "figurslag": "FS-SET-01",
    "deathzap": "DZ-WB-13",
    "playmobil": "PM-PREP-08",
    "legowars": "LW-GEN-06",
    "follow_me": "FM-SET-06",
}
"""The rule by which teams are settled before play, by id of the rule set."""

CHOOSE: Final = "army"
ENLIST: Final = "enlist"
ARMY_KINDS: Final = frozenset({CHOOSE, ENLIST})
"""Wishes of players that are about army lists."""


def kinds_of(ruleset_id: str) -> tuple[Kind, ...]:
    """What an entry may be; empty where the rules have no armies."""
    return SYSTEMS[ruleset_id][0]() if ruleset_id in SYSTEMS else ()


def may_enlist(state: GameState) -> bool:
    """Whether figures may still become what a list says."""
    return state.phase in BEFORE.get(state.ruleset, ()) and state.outcome is None


def choose_army(state: GameState, action: Action) -> Event:
    """A side plays a list from now on, or none.

    Args:
        state: The game.
        action: ``side``, ``value`` (name of the list) and ``items``: the entries, each as
            :func:`engine.armies.lists.write_entry` writes it; no entries for no list.

    Raises:
        Refused: There is no such side, the rules have no armies, play has begun, or an entry is
            none.
    """
    if state.ruleset not in SYSTEMS:
        raise Refused("begin a game first: armies belong to its rules")
    _see_before(state, "armies are chosen before play")
    if action.side not in state.sides:
        raise Refused(f"there is no side {action.side!r}; sides are {', '.join(state.sides)}")
    try:
        entries = read_entries(action.items)
    except BadData as error:
        raise Refused(f"that is no army list: {error.fault}") from None
    if sum(entry.count for entry in entries) > MOST_FIGURES:
        raise Refused(f"an army has {MOST_FIGURES} figures at most")
    words = tuple(write_entry(entry) for entry in entries)
    values = results(name=(action.value or "").strip(), entries=words)
    return Event("army_chosen", side=action.side, values=values)


def enlist(
    ruleset: RuleSet,
    state: GameState,
    facts: TableFacts,
    table: TableState,
    action: Action,
    dice: Dice,
) -> tuple[Event, ...]:
    """A figure becomes what an entry says, by the wishes a player would tap one after another.

    Args:
        ruleset: The game.
        state: As it is.
        facts: What people said, with the army of each side.
        table: As last seen.
        action: ``side``, ``figure_id`` (or a piece of terrain) and the entry's index as number.
        dice: Passed on.

    Raises:
        Refused: The game has begun, there is no such entry, all of it are there already, or the
            rules say no.
    """
    if state.ruleset not in SYSTEMS:
        raise Refused("begin a game first: armies belong to its rules")
    _see_before(state, "figures become what a list says before play")
    army = facts.armies.get(action.side or "")
    if army is None or action.side is None:
        raise Refused("choose an army for that side first")
    index = int(action.numbers[0]) if len(action.numbers) == 1 else -1
    if not 0 <= index < len(army.entries):
        raise Refused("which entry of the army?")
    if not action.figure_id:
        raise Refused("which figure?")
    entry, figure_id = army.entries[index], action.figure_id
    kind = _kind(state.ruleset, entry)
    bound = _bound(facts, action.side, figure_id)
    if len(bound.get(index, ())) >= entry.count:
        raise Refused(f"all {entry.count} of {entry.name or kind.words} are on the table already")
    bound[index] = (*bound.get(index, ()), figure_id)
    recruit = Recruit(figure_id, action.side, army.entries, index, bound, state)
    told: list[Event] = []

    def tell(wish: Action) -> None:
        nonlocal state
        if wish.kind in COMMON_KINDS:
            events = resolve_common(ruleset.info, state, facts, table, wish)
        else:
            events = ruleset.resolve(state, table, wish, dice)
        for event in events:
            state = step(ruleset, state, LogLine(state.seq, action.t_ns, ENLIST, event))
            told.append(event)

    if kind.label == TERRAIN:
        if all(piece.terrain_id != figure_id for piece in table.terrain):
            raise Refused(f"a {kind.words} is a piece of terrain: draw it, then tap it")
    else:
        if all(figure.figure_id != figure_id for figure in table.figures):
            raise Refused(f"there is no figure {figure_id!r} on the table")
        if state.unit(figure_id) is not None:
            # Nothing of what it was before is to stay with it.
            tell(Action("assign", figure_id=figure_id))
        name = _free_name(state, entry, kind)
        tell(Action("assign", side=action.side, figure_id=figure_id, value=name))
    for wish in SYSTEMS[state.ruleset][1](replace(recruit, state=state)):
        tell(wish)
    # Where all are of one kind, it says nothing.
    told_kind = kind.words if len(kinds_of(state.ruleset)) > 1 else ""
    values = results(entry=index, kind=told_kind)
    told.append(Event("enlisted", side=action.side, figure_id=figure_id, values=values))
    return tuple(told)


def announce(state: GameState, event: Event) -> tuple[Announcement, ...]:
    """One sentence for a list that is chosen or a figure that becomes something.

    Args:
        state: After it.
        event: What happened.
    """
    if event.kind == "army_chosen" and event.side is not None:
        entries = read_entries(event.words("entries"))
        figures = sum(entry.count for entry in entries)
        name = event.text("name") or "an army"
        plays = f"{name}: {figures} figure{'' if figures == 1 else 's'}"
        text = f"{side_name(event.side)} plays {plays if entries else 'no army'}."
    elif event.kind == "enlisted" and event.side is not None:
        unit = state.unit(event.figure_id or "")
        name = unit.name if unit is not None else "It"
        words = ", ".join(one for one in (event.text("kind"), side_name(event.side)) if one)
        text = f"{name}: {words}."
    else:
        return ()
    return (Announcement(state.seq, Level.INFO, text, text),)


def _see_before(state: GameState, words: str) -> None:
    if state.outcome is not None:
        raise Refused(f"{words}, and the game is over", BY_RULE[state.ruleset])
    if not may_enlist(state):
        raise Refused(f"{words}, and it has begun", BY_RULE[state.ruleset])


def _kind(ruleset_id: str, entry: Entry) -> Kind:
    kinds = kinds_of(ruleset_id)
    found = next((kind for kind in kinds if kind.value == entry.kind), None)
    if found is None and not entry.kind:
        return kinds[0]
    if found is None:
        raise Refused(f"{entry.kind!r} is nothing that these rules know")
    return found


def _bound(facts: TableFacts, side: str, figure_id: str) -> dict[int, tuple[str, ...]]:
    """Figures of a side by their entry, but for one."""
    found: dict[int, tuple[str, ...]] = {}
    for other, one in sorted(facts.enlisted.items()):
        if one.side == side and other != figure_id:
            found[one.entry] = (*found.get(one.entry, ()), other)
    return found


def _free_name(state: GameState, entry: Entry, kind: Kind) -> str:
    """The entry's name, with a number where there are several, or another has it."""
    stem = entry.name.strip() or kind.words.partition(" (")[0].capitalize()
    taken = {unit.name for unit in state.units}
    if entry.count == 1 and stem not in taken:
        return stem
    number = 1
    while f"{stem} {number}" in taken:
        number += 1
    return f"{stem} {number}"
