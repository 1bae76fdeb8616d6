"""Deathzap as a rule set: the doors through which the program uses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.actions import Action
from engine.announce import Announcement
from engine.dice import Dice
from engine.errors import Refused
from engine.events import Event
from engine.ruleset import Option, RuleSetInfo
from engine.rulesets.deathzap import (
    fighting,
    flow,
    moving,
    offering,
    saying,
    setting_up,
    settling,
)
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.evolving import evolve
from engine.rulesets.deathzap.marks import DEPLOYING, Phase, class_of, defending
from engine.rulesets.deathzap.settings import Settings, pairs, settings_of
from engine.rulesets.deathzap.watching import watch
from engine.rulesets.doors import (
    Gate,
    check_answered,
    check_dice,
    check_kind,
    check_two_sides,
    described,
    numbered,
)
from engine.state import GameState, OptionValue, Unit
from engine.table import TableState
from engine.tale import Tale

Step = Callable[[Tale, Settings, TableState, Action, Dice], None]

BAD_DIE: Final = "DZ-GEN-02"
_IN_SPITE_OF_A_QUESTION: Final = ("answer", "accept", "concede", "ready", "fallen")


class Deathzap:
    """The whole system, with every option its specification wants built."""

    @property
    def info(self) -> RuleSetInfo:
        """See :class:`engine.ruleset.RuleSet`."""
        rules = data()
        return described(
            rules,
            equipment=tuple((name, name) for name in rules.classes),
            base=rules.footprints,
            before=(Phase.SETUP, Phase.ROLL_OFF, *DEPLOYING),
        )

    def begin(self, options: Mapping[str, OptionValue], sides: Sequence[str]) -> GameState:
        """See :class:`engine.ruleset.RuleSet`.

        Raises:
            Refused: An option is unknown or its value not allowed, or the sides are not two with
                a name each (DZ-GEN-05).
        """
        chosen = pairs(options)
        teams = tuple(sides) or data().team_names
        check_two_sides(teams, data(), "players", "DZ-GEN-05")
        return GameState(data().id, data().version, chosen, teams, phase=Phase.SETUP.value)

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
        check_dice(action.dice, data().dice_sides, BAD_DIE)
        check_answered(gate, state, action)
        tale = Tale(state, evolve)
        _STEPS[action.kind](tale, settings_of(state), table, action, dice)
        return tuple(tale.events)

    def evolve(self, state: GameState, event: Event) -> GameState:
        """See :class:`engine.ruleset.RuleSet`."""
        return evolve(state, event)

    def announce(
        self, state: GameState, table: TableState, event: Event
    ) -> tuple[Announcement, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        said = saying.announce(state, settings_of(state), event)
        return numbered(said, state)


def _defend(tale: Tale, settings: Settings, action: Action) -> None:
    unit = _chooser(tale, action)
    own = class_of(unit)
    if own is None or not own.defend:
        raise Refused(f"{unit.name} cannot defend", "DZ-DEF-01")
    if defending(unit):
        raise Refused(f"{unit.name} defends already", "DZ-DEF-05")
    settling.act(tale, settings, "defend", unit)


def _boost(tale: Tale, settings: Settings, action: Action) -> None:
    settling.act(tale, settings, "boost", _chooser(tale, action))


def _chooser(tale: Tale, action: Action) -> Unit:
    unit = flow.actor(tale.state, action.figure_id)
    if tale.state.phase != Phase.CHOOSE_ACTION:
        raise Refused("first make the move that was announced", "DZ-AP-04")
    return unit


def _gate() -> Gate:
    return Gate(
        _STEPS, data().title, Phase.FINISHED, _IN_SPITE_OF_A_QUESTION, "DZ-AP-04", "DZ-END-01"
    )


_STEPS: Final[dict[str, Step]] = {
    "join": lambda tale, s, table, action, dice: setting_up.join(tale, table, action),
    "class": lambda tale, s, table, action, dice: setting_up.choose_class(tale, action),
    "might": lambda tale, s, table, action, dice: setting_up.choose_might(tale, action),
    "shrine": lambda tale, s, table, action, dice: setting_up.choose_shrine(tale, table, action),
    "ready": lambda tale, s, table, action, dice: setting_up.ready(tale, s, table),
    "roll_off": lambda tale, s, table, action, dice: setting_up.roll_off(tale, action, dice),
    "edge": lambda tale, s, table, action, dice: setting_up.choose_edge(tale, s, table, action),
    "leave_out": lambda tale, s, table, action, dice: setting_up.leave_out(tale, action),
    "pick": lambda tale, s, table, action, dice: flow.pick(tale, action.figure_id),
    "move": lambda tale, s, table, action, dice: moving.announce_move(tale, action),
    "charge": lambda tale, s, table, action, dice: moving.announce_charge(tale, s, table, action),
    "call_off": lambda tale, s, table, action, dice: moving.call_off(tale),
    "melee": lambda tale, s, table, action, dice: fighting.attack(tale, s, table, action),
    "ranged": lambda tale, s, table, action, dice: fighting.attack(tale, s, table, action),
    "strike": lambda tale, s, table, action, dice: fighting.strike(tale, s, table, action),
    "no_strike": lambda tale, s, table, action, dice: fighting.strike_nobody(tale, s),
    "defend": lambda tale, s, table, action, dice: _defend(tale, s, action),
    "boost": lambda tale, s, table, action, dice: _boost(tale, s, action),
    "finish": lambda tale, s, table, action, dice: settling.finish(tale, s, action),
    "roll": lambda tale, s, table, action, dice: fighting.roll(tale, s, action, dice),
    "morale": lambda tale, s, table, action, dice: fighting.morale(tale, s, action, dice),
    "answer": lambda tale, s, table, action, dice: settling.answer(tale, s, table, action),
    "accept": lambda tale, s, table, action, dice: settling.accept(tale, s, table, action),
    "fallen": lambda tale, s, table, action, dice: settling.fallen(tale, s, action),
    "concede": lambda tale, s, table, action, dice: flow.concede(tale, action.side),
}
