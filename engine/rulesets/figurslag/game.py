"""Figurslag as a rule set: the doors through which the program uses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine.actions import Action
from engine.announce import Announcement
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event
from engine.ruleset import Option, RuleSetInfo
from engine.rulesets.doors import (
    Gate,
    check_answered,
    check_dice,
    check_kind,
    described,
    numbered,
)
from engine.rulesets.figurslag import offering, saying, settling, shooting
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.deploying import choose_edge, deploy_done
from engine.rulesets.figurslag.evolving import evolve
from engine.rulesets.figurslag.giving_up import ask_to_concede
from engine.rulesets.figurslag.marks import SETTING_UP, Phase, side_name, word
from engine.rulesets.figurslag.setting_up import (
    choose_first,
    roll_first,
    roster_done,
    suggest_weapons,
    terrain_done,
)
from engine.rulesets.figurslag.settings import Settings, settings
from engine.rulesets.figurslag.turns import after_done, flagged_models
from engine.rulesets.figurslag.watching import watch
from engine.rulesets.figurslag.words import listed
from engine.state import GameState, OptionValue
from engine.table import TableState
from engine.tale import Tale

Step = Callable[[Tale, Settings, TableState, Action, Dice], None]

BAD_DIE: Final = "FS-FLAG-16"
_IN_SPITE_OF_A_QUESTION: Final = ("answer", "accept", "concede", "deploy_done", "edge")


class Figurslag:
    """The basic version, with every option of its specification."""

    @property
    def info(self) -> RuleSetInfo:
        """See :class:`engine.ruleset.RuleSet`."""
        rules = data()
        return described(
            rules,
            equipment=tuple((weapon.name, weapon.title) for weapon in rules.weapons.values()),
            base={name: print_.base for name, print_ in rules.footprints.items()},
            before=SETTING_UP,
        )

    def begin(self, options: Mapping[str, OptionValue], sides: Sequence[str]) -> GameState:
        """See :class:`engine.ruleset.RuleSet`.

        Args:
            options: Those that differ from their default.
            sides: Teams in playing order; empty takes the first ones of the data file.

        Raises:
            Refused: An option is unknown or its value not allowed, or the teams are not as many
                as agreed, or one is named twice.
        """
        if sides and "team_count" not in options:
            options = {**options, "team_count": len(sides)}
        chosen = settings(options)
        teams = tuple(sides) or data().team_names[: chosen.team_count]
        if len(teams) != chosen.team_count:
            raise Refused(
                f"{len(teams)} teams named, but team_count is {chosen.team_count}", "FS-SET-01"
            )
        if len(set(teams)) != len(teams):
            raise Refused("every team needs a name of its own", "FS-SET-01")
        return GameState(
            data().id, data().version, chosen.pairs(), teams, phase=Phase.TERRAIN.value
        )

    def options(self, state: GameState, table: TableState) -> tuple[Option, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        return offering.options(state, settings_of(state), table)

    def interpret(
        self, state: GameState, before: TableState, after: TableState
    ) -> tuple[Event, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        tale = Tale(state, evolve)
        watch(tale, settings_of(state), before, after)
        return tuple(tale.events)

    def resolve(
        self, state: GameState, table: TableState, action: Action, dice: Dice
    ) -> tuple[Event, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        gate = _gate()
        check_kind(gate, state, action)
        chosen = settings_of(state)
        if action.kind != "roll_first":
            check_dice(action.dice, chosen.die_sides, BAD_DIE)
        check_answered(gate, state, action)
        tale = Tale(state, evolve)
        _STEPS[action.kind](tale, chosen, table, action, dice)
        return tuple(tale.events)

    def evolve(self, state: GameState, event: Event) -> GameState:
        """See :class:`engine.ruleset.RuleSet`."""
        return evolve(state, event)

    def announce(
        self, state: GameState, table: TableState, event: Event
    ) -> tuple[Announcement, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        said = saying.announce(state, settings_of(state), table, event)
        return numbered(said, state)


def settings_of(state: GameState) -> Settings:
    """The options of a game as typed values."""
    return _settings(state.options)


@lru_cache(maxsize=32)
def _settings(options: tuple[tuple[str, OptionValue], ...]) -> Settings:
    return settings(dict(options))


def _done(tale: Tale, chosen: Settings, table: TableState, action: Action, dice: Dice) -> None:
    state = tale.state
    if state.phase not in (Phase.MOVE, Phase.SHOOT):
        raise Refused("no phase can end now", "FS-TURN-01")
    if action.side is not None and action.side != state.active_side:
        raise Refused(f"it is {side_name(state.active_side)}'s turn", "FS-FLAG-10")
    if state.phase == Phase.MOVE:
        flagged = flagged_models(state)
        if flagged:
            names = listed([unit.name for unit in flagged])
            rule = word(flagged[0], "open_rule")
            raise Refused(f"first put back or accept {names}", rule)
    after_done(tale, chosen, table)


def _gate() -> Gate:
    return Gate(
        _STEPS, data().title, Phase.OVER, _IN_SPITE_OF_A_QUESTION, "FS-TURN-03", "FS-WIN-01"
    )


_STEPS: Final[dict[str, Step]] = {
    "terrain_done": lambda tale, s, table, action, dice: terrain_done(tale, s, table),
    "roster_done": lambda tale, s, table, action, dice: roster_done(tale, s, table),
    "suggest": lambda tale, s, table, action, dice: suggest_weapons(tale, s),
    "edge": lambda tale, s, table, action, dice: choose_edge(tale, s, table, action),
    "deploy_done": lambda tale, s, table, action, dice: deploy_done(tale, s, table),
    "first": lambda tale, s, table, action, dice: choose_first(tale, s, table, action),
    "roll_first": lambda tale, s, table, action, dice: roll_first(tale, table, dice),
    "done": _done,
    "answer": lambda tale, s, table, action, dice: settling.answer(tale, s, table, action),
    "accept": lambda tale, s, table, action, dice: settling.accept(tale, s, action),
    "bumped": lambda tale, s, table, action, dice: settling.bumped(tale, action),
    "report": lambda tale, s, table, action, dice: settling.report(tale, s, action),
    "noshoot": lambda tale, s, table, action, dice: settling.declare_noshoot(tale, s, action),
    "shoot": shooting.shoot,
    "fire": lambda tale, s, table, action, dice: shooting.fire_declared(tale, s, table),
    "roll": lambda tale, s, table, action, dice: shooting.roll_pending(tale, s, table, dice),
    "dodge": lambda tale, s, table, action, dice: shooting.roll_dodge(tale, s, table, dice),
    "decline": lambda tale, s, table, action, dice: shooting.decline_dodge(tale, s, table),
    "enough": lambda tale, s, table, action, dice: shooting.shooter_done(tale, s, table, action),
    "concede": lambda tale, s, table, action, dice: ask_to_concede(tale, action),
}
