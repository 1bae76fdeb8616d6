"""Playmobil as a rule set: the doors through which the program uses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.actions import Action
from engine.announce import Announcement
from engine.dice import Dice
from engine.events import Event
from engine.ruleset import Option, RuleSetInfo
from engine.rulesets.doors import (
    Gate,
    check_answered,
    check_dice,
    check_kind,
    check_two_sides,
    described,
    numbered,
)
from engine.rulesets.playmobil import (
    engines,
    equipping,
    fighting,
    mounting,
    moving,
    offering,
    saying,
    setting_up,
    settling,
    turns,
)
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.evolving import evolve
from engine.rulesets.playmobil.marks import BOWS, Phase
from engine.rulesets.playmobil.settings import Settings, pairs, settings_of
from engine.rulesets.playmobil.watching import watch
from engine.state import GameState, OptionValue
from engine.table import TableState
from engine.tale import Tale

Step = Callable[[Tale, Settings, TableState, Action, Dice], None]

_IN_SPITE_OF_A_QUESTION: Final = ("answer", "accept", "concede", "fallen")
_GEAR: Final = ("javelin", "torch", "lance", "spear")


class Playmobil:
    """The whole system, with every option its specification wants built."""

    @property
    def info(self) -> RuleSetInfo:
        """See :class:`engine.ruleset.RuleSet`."""
        rules = data()
        gear = (*BOWS, *rules.words["artillery.pieces"], *_GEAR)
        return described(
            rules,
            equipment=tuple(
                [(name, kind.words) for name, kind in rules.types.items()]
                + [(name, name.replace("_", " ")) for name in gear]
            ),
            base={name: kinds["man"] for name, kinds in rules.footprints.items()},
            before=(Phase.SETUP, Phase.ROLL_OFF, Phase.CHOOSE_EDGE, Phase.DEPLOY),
        )

    def begin(self, options: Mapping[str, OptionValue], sides: Sequence[str]) -> GameState:
        """See :class:`engine.ruleset.RuleSet`.

        Raises:
            Refused: An option is unknown or its value not allowed, or the sides are not two with
                a name each (PM-GEN-05).
        """
        chosen = pairs(options)
        teams = tuple(sides) or data().team_names
        check_two_sides(teams, data(), "sides", "PM-GEN-05")
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
        check_dice(action.dice, data().whole("dice.sides"), "PM-GEN-04")
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


def _gate() -> Gate:
    return Gate(
        _STEPS, data().title, Phase.FINISHED, _IN_SPITE_OF_A_QUESTION, "PM-TURN-02", "PM-END-01"
    )


_STEPS: Final[dict[str, Step]] = {
    "join": lambda tale, s, table, action, dice: equipping.join(tale, table, action),
    "type": lambda tale, s, table, action, dice: equipping.choose_type(tale, action),
    "bow": lambda tale, s, table, action, dice: equipping.equip(tale, action),
    "thrown": lambda tale, s, table, action, dice: equipping.equip(tale, action),
    "torch": lambda tale, s, table, action, dice: _torch(tale, s, table, action),
    "lance": lambda tale, s, table, action, dice: equipping.equip(tale, action),
    "piece": lambda tale, s, table, action, dice: equipping.equip(tale, action),
    "crew": lambda tale, s, table, action, dice: equipping.choose_crew(tale, action),
    "wall": lambda tale, s, table, action, dice: setting_up.choose_wall(tale, table, action),
    "ready": lambda tale, s, table, action, dice: setting_up.ready(tale, s, table),
    "roll_off": lambda tale, s, table, action, dice: setting_up.roll_off(tale, action, dice),
    "edge": lambda tale, s, table, action, dice: setting_up.choose_edge(tale, s, table, action),
    "leave_out": lambda tale, s, table, action, dice: setting_up.leave_out(tale, action),
    "charge": lambda tale, s, table, action, dice: moving.announce_charge(tale, s, table, action),
    "call_off": lambda tale, s, table, action, dice: settling.call_off(tale, action),
    "turn": lambda tale, s, table, action, dice: settling.turn(tale, table, action),
    "melee": lambda tale, s, table, action, dice: fighting.attack(tale, s, table, action),
    "shoot": lambda tale, s, table, action, dice: fighting.attack(tale, s, table, action),
    "flame": lambda tale, s, table, action, dice: fighting.attack(tale, s, table, action),
    "throw": lambda tale, s, table, action, dice: fighting.attack(tale, s, table, action),
    "double": lambda tale, s, table, action, dice: fighting.start_double(tale, s, table, action),
    "second": lambda tale, s, table, action, dice: fighting.name_second(tale, s, table, action),
    "dismount": lambda tale, s, table, action, dice: mounting.start_dismount(
        tale, turns.actor(tale.state, action.figure_id), action
    ),
    "mount": lambda tale, s, table, action, dice: mounting.start_mount(
        tale, s, table, turns.actor(tale.state, action.figure_id), action
    ),
    "stop_waiting": lambda tale, s, table, action, dice: settling.stop_waiting(tale, action),
    "fire": lambda tale, s, table, action, dice: engines.fire(tale, s, table, action),
    "hit": lambda tale, s, table, action, dice: engines.report(tale, s, table, action),
    "hit_horse": lambda tale, s, table, action, dice: engines.report(tale, s, table, action),
    "hit_shield": lambda tale, s, table, action, dice: engines.report(tale, s, table, action),
    "hit_wall": lambda tale, s, table, action, dice: engines.report(tale, s, table, action),
    "shot_done": lambda tale, s, table, action, dice: engines.report_done(tale),
    "ram": lambda tale, s, table, action, dice: engines.ram(tale, s, table, action),
    "roll": lambda tale, s, table, action, dice: fighting.roll(tale, s, table, action, dice),
    "done": lambda tale, s, table, action, dice: settling.done(tale, s, table, action, dice),
    "answer": lambda tale, s, table, action, dice: settling.answer(tale, s, table, action),
    "accept": lambda tale, s, table, action, dice: settling.accept(tale, action),
    "fallen": lambda tale, s, table, action, dice: settling.fallen(tale, s, action),
    "concede": lambda tale, s, table, action, dice: turns.concede(tale, action.side),
}


def _torch(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A torch is handed out before the game, and held to an engine in it."""
    if tale.state.phase == Phase.SETUP:
        equipping.equip(tale, action)
        return
    unit = turns.actor(tale.state, action.figure_id)
    mounting.start_torch(tale, settings, table, unit, action)
