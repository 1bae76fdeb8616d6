"""Legowars as a rule set: the doors through which the program uses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.actions import Action
from engine.announce import Announcement
from engine.dice import Dice, SeededDice
from engine.errors import Refused
from engine.events import Event
from engine.items import Item
from engine.ruleset import Option, RuleSetInfo
from engine.rulesets.doors import (
    Gate,
    check_answered,
    check_kind,
    described,
    numbered,
)
from engine.rulesets.legowars import (
    besieging,
    climbing,
    fighting,
    flow,
    handling,
    hauling,
    offering,
    riding,
    saying,
    setting_up,
    settling,
)
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.evolving import evolve
from engine.rulesets.legowars.marks import BEFORE, BOAT, KINDS, MAN, Phase
from engine.rulesets.legowars.measures import dice as faces
from engine.rulesets.legowars.measures import gear
from engine.rulesets.legowars.settings import Settings, pairs, settings_of
from engine.rulesets.legowars.watching import watch
from engine.rulesets.legowars.words import thing_words
from engine.rulesets.offers import ready_or_why
from engine.state import GameState, OptionValue
from engine.table import TableState
from engine.tale import Tale

Step = Callable[[Tale, Settings, TableState, Action, Dice], None]

BAD_DIE: Final = "LW-FLAG-23"
_IN_SPITE_OF_A_QUESTION: Final = ("answer", "accept", "concede", "fallen")


class Legowars:
    """The whole system, with every option its specification wants built."""

    @property
    def info(self) -> RuleSetInfo:
        """See :class:`engine.ruleset.RuleSet`."""
        rules = data()
        kinds = [kind for kind in KINDS if kind not in (MAN, BOAT)]
        things = dict.fromkeys([*gear.things(), *setting_up.HORSE_THINGS, *kinds])
        words = {"figure": "A model", "target": "The target"}
        flags = {name: Item(flag.text.format(**words)) for name, flag in rules.flags.items()}
        return described(
            rules,
            equipment=tuple((name, thing_words(name)) for name in things),
            base=rules.footprints,
            items={**rules.items, **flags},
            before=BEFORE,
        )

    def begin(self, options: Mapping[str, OptionValue], sides: Sequence[str]) -> GameState:
        """See :class:`engine.ruleset.RuleSet`.

        Raises:
            Refused: An option is unknown or its value not allowed, or there are not at least two
                sides with a name each (LW-GEN-01).
        """
        chosen = pairs(options)
        teams = tuple(sides) or data().team_names
        if len(teams) < data().min_sides or len(set(teams)) != len(teams):
            raise Refused("two or more sides play, each with a name of its own", "LW-GEN-01")
        if any(sign in side for side in teams for sign in ";+|"):
            raise Refused("a side has a plain name", "LW-GEN-01")
        return GameState(data().id, data().version, chosen, teams, phase=Phase.SETUP.value)

    def options(self, state: GameState, table: TableState) -> tuple[Option, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        return ready_or_why(
            offering.options(state, settings_of(state), table),
            state,
            lambda action: self.resolve(state, table, action, SeededDice(0, 0)),
        )

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
        settings = settings_of(state)
        typed = []
        for one in action.dice:
            face = faces.face(one, settings)
            if face is None:
                raise Refused(f"a die shows 1 to {data().dice_sides}, not {one}", BAD_DIE)
            typed.append(face)
        if typed and typed != list(action.dice):
            dice = _Typed(tuple(typed))
            action = replace(action, dice=tuple(typed))
        check_answered(gate, state, action)
        tale = Tale(state, evolve)
        _STEPS[action.kind](tale, settings, table, action, dice)
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


class _Typed:
    """Typed dice after a 0 was read as a 10 (LW-GEN-02)."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self._values = values

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """See :class:`engine.dice.Dice`."""
        if len(self._values) < count:
            raise Refused(f"{count} dice are needed", BAD_DIE)
        taken, self._values = self._values[:count], self._values[count:]
        return taken


def _gate() -> Gate:
    return Gate(
        _STEPS, data().title, Phase.GAME_OVER, _IN_SPITE_OF_A_QUESTION, "LW-SIEGE-10", "LW-WIN-01"
    )


_STEPS: Final[dict[str, Step]] = {
    "join": lambda tale, s, table, action, dice: setting_up.join(tale, s, table, action),
    "building": lambda tale, s, table, action, dice: setting_up.own_building(
        tale, s, table, action
    ),
    "stat": lambda tale, s, table, action, dice: setting_up.set_stat(tale, s, action),
    "gear": lambda tale, s, table, action, dice: setting_up.choose_gear(tale, s, action),
    "lance": lambda tale, s, table, action, dice: setting_up.agree_lance(tale, s, action),
    "bridge": lambda tale, s, table, action, dice: setting_up.set_bridge(tale, table, action),
    "door_state": lambda tale, s, table, action, dice: setting_up.set_door(tale, table, action),
    "ready": lambda tale, s, table, action, dice: setting_up.ready(tale, s, table, action),
    "initiative": lambda tale, s, table, action, dice: flow.initiative(tale, s, action, dice),
    "mount": lambda tale, s, table, action, dice: riding.mount(tale, s, table, action),
    "dismount": lambda tale, s, table, action, dice: riding.dismount(tale, s, table, action),
    "steer": lambda tale, s, table, action, dice: riding.steer(tale, s, table, action),
    "let_go": lambda tale, s, table, action, dice: riding.steer(tale, s, table, action),
    "flee": lambda tale, s, table, action, dice: riding.flee(tale, s, table, action),
    "harness": lambda tale, s, table, action, dice: hauling.harness(tale, s, table, action),
    "unharness": lambda tale, s, table, action, dice: hauling.harness(tale, s, table, action),
    "start_climb": lambda tale, s, table, action, dice: climbing.start_climb(
        tale, s, table, action
    ),
    "attack": lambda tale, s, table, action, dice: fighting.attack(tale, s, table, action),
    "horse_attack": lambda tale, s, table, action, dice: fighting.attack(tale, s, table, action),
    "crew_heavy": lambda tale, s, table, action, dice: fighting.attack(tale, s, table, action),
    "roll": lambda tale, s, table, action, dice: fighting.roll(tale, s, table, action, dice),
    "pick_up": lambda tale, s, table, action, dice: handling.pick_up(tale, s, table, action),
    "drop": lambda tale, s, table, action, dice: handling.drop(tale, s, table, action),
    "door": lambda tale, s, table, action, dice: besieging.work_door(tale, s, table, action),
    "winch": lambda tale, s, table, action, dice: besieging.work_door(tale, s, table, action),
    "cut_wires": lambda tale, s, table, action, dice: besieging.cut_wires(
        tale, s, table, action, dice
    ),
    "done": lambda tale, s, table, action, dice: flow.done(tale, s, table, action),
    "answer": lambda tale, s, table, action, dice: settling.answer(tale, s, table, action),
    "accept": lambda tale, s, table, action, dice: settling.accept(tale, s, table, action),
    "fallen": lambda tale, s, table, action, dice: settling.fallen(tale, s, action),
    "agree": lambda tale, s, table, action, dice: settling.agree(tale, s, table, action),
    "concede": lambda tale, s, table, action, dice: flow.concede(tale, s, table, action.side),
}
