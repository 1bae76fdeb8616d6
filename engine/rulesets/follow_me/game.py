"""Follow Me, Men! as a rule set: the doors through which the program uses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.actions import Action
from engine.announce import Announcement
from engine.dice import Dice, SeededDice
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
from engine.rulesets.follow_me import (
    brawling,
    casting,
    declaring,
    dueling,
    offering,
    saying,
    setting_up,
    settling,
    shooting,
    testing,
    turning,
    working,
)
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.evolving import evolve
from engine.rulesets.follow_me.marks import Deed, Phase
from engine.rulesets.follow_me.play import Play
from engine.rulesets.follow_me.settings import pairs
from engine.rulesets.follow_me.watching import watch
from engine.rulesets.offers import ready_or_why
from engine.state import GameState, OptionValue
from engine.table import TableState

Step = Callable[[Play, Action], None]

_IN_SPITE_OF_A_QUESTION: Final = ("answer", "accept", "concede", "fallen")


class FollowMe:
    """The whole system, with every option its specification wants built."""

    @property
    def info(self) -> RuleSetInfo:
        """See :class:`engine.ruleset.RuleSet`."""
        rules = data()
        return described(
            rules,
            equipment=tuple(
                [(name, kind.words) for name, kind in rules.types.items()]
                + [(name, name) for name in ("bow", "crossbow")]
            ),
            base={name: kinds["man"] for name, kinds in rules.footprints.items()},
            before=(Phase.SETUP,),
        )

    def begin(self, options: Mapping[str, OptionValue], sides: Sequence[str]) -> GameState:
        """See :class:`engine.ruleset.RuleSet`.

        Raises:
            Refused: An option is unknown or its value not allowed, or the sides are not two or
                more with a name each (FM-SET-09).
        """
        chosen = pairs(options)
        teams = tuple(sides) or data().team_names
        if len(set(teams)) != len(teams) or len(teams) < 2:
            raise Refused("two sides at least play, each with a name of its own", "FM-SET-09")
        return GameState(data().id, data().version, chosen, teams, phase=Phase.SETUP.value)

    def options(self, state: GameState, table: TableState) -> tuple[Option, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        return ready_or_why(
            offering.options(state, table),
            state,
            lambda action: self.resolve(state, table, action, SeededDice(0, 0)),
        )

    def interpret(
        self, state: GameState, before: TableState, after: TableState
    ) -> tuple[Event, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        play = Play(state, evolve, table=after)
        watch(play, before)
        return tuple(play.events)

    def resolve(
        self, state: GameState, table: TableState, action: Action, dice: Dice
    ) -> tuple[Event, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        gate = _gate()
        check_kind(gate, state, action)
        check_dice(action.dice, data().whole("dice.sides"), "FM-GEN-08")
        check_answered(gate, state, action)
        ruled = _Ruled(dice)
        play = Play(state, evolve, table=table, dice=ruled)
        _STEPS[action.kind](play, action)
        if 0 < ruled.rolled < len(action.dice):
            count = len(action.dice)
            raise Refused(f"{ruled.rolled} dice are needed, {count} typed", "FM-GEN-08")
        return tuple(play.events)

    def evolve(self, state: GameState, event: Event) -> GameState:
        """See :class:`engine.ruleset.RuleSet`."""
        return evolve(state, event)

    def announce(
        self, state: GameState, table: TableState, event: Event
    ) -> tuple[Announcement, ...]:
        """See :class:`engine.ruleset.RuleSet`."""
        return numbered(saying.announce(state, event), state)


def _gate() -> Gate:
    return Gate(
        _STEPS, data().title, Phase.FINISHED, _IN_SPITE_OF_A_QUESTION, "FM-ACT-01", "FM-END-01"
    )


class _Ruled:
    """Dice whose refusals name the rule, and that are counted."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.rolled = 0

    def roll(self, count: int, sides: int) -> tuple[int, ...]:
        """See :class:`engine.dice.Dice`."""
        self.rolled += count
        try:
            return self._dice.roll(count, sides)
        except Refused as refused:
            raise Refused(refused.reason, refused.rule or "FM-GEN-08") from refused


def _declare(play: Play, action: Action) -> None:
    declaring.declare(play, action)
    turning.advance(play)


def _roll(play: Play, action: Action) -> None:
    """Dice of whatever the game waits for."""
    phase = play.state.phase
    if phase == Phase.UPKEEP:
        turning.roll_upkeep(play)
    elif phase == Phase.END_TURN:
        turning.roll_end(play)
    elif phase == Phase.MELEE_ROLL:
        brawling.roll(play, action)
        turning.advance(play)
    elif phase == Phase.MAGIC and working.contested(play.state):
        working.roll_off(play)
        turning.advance(play)
    elif phase == Phase.MAGIC and not working.waiting(play.state):
        mages = working.unworked(play.state)
        if not mages:
            raise Refused("there is nothing to roll", "FM-GEN-08")
        working.work(play, mages[0])
        turning.advance(play)
    else:
        raise Refused("there is nothing to roll now", "FM-GEN-08")


def _done(play: Play, action: Action) -> None:
    """What the players were at is done."""
    step = _DONE.get(play.state.phase)
    if step is None:
        raise Refused("nothing waits for you to be done", "FM-TURN-01")
    step(play)


def _magic_done(play: Play) -> None:
    if working.waiting(play.state) or working.unworked(play.state):
        raise Refused("first work out the spells", "FM-TURN-04")
    turning.results_done(play)


def _then(step: Step) -> Step:
    """A step after which the game goes on by itself."""

    def carry_out(play: Play, action: Action) -> None:
        step(play, action)
        turning.advance(play)

    return carry_out


_DONE: Final[dict[str, Callable[[Play], None]]] = {
    Phase.MOVE: turning.end_moves,
    Phase.SALLY: turning.end_moves,
    Phase.MAGIC: _magic_done,
    Phase.SHOOT_TARGETS: turning.shots_named,
    Phase.SHOOT_CASUALTIES: turning.casualties_laid,
    Phase.MELEE_SPLIT: turning.fights_agreed,
    Phase.MELEE_RESULTS: turning.results_done,
    Phase.MORALE: turning.tests_done,
}
_STEPS: Final[dict[str, Step]] = {
    "join": setting_up.join,
    "type": setting_up.choose_type,
    "lead": setting_up.lead,
    "rank": setting_up.choose_rank,
    "undead": setting_up.flag_undead,
    "weapon": setting_up.arm,
    "body": setting_up.choose_body,
    "learn": setting_up.choose_spell,
    "points": setting_up.set_points,
    "label": setting_up.label,
    "edge": setting_up.choose_edge,
    "leave_out": setting_up.leave_out,
    "ready": settling.ready,
    **{deed.value: _declare for deed in Deed},
    "instruct_attack": _declare,
    "carrier": declaring.choose_carrier,
    "talk": declaring.talk,
    "wish": testing.wish,
    "spell": _then(casting.name_spell),
    "spot": _then(casting.name_spot),
    "no_spell": _then(casting.cast_nothing),
    "aim": shooting.aim,
    "hold_fire": shooting.hold_fire,
    "volley": _then(shooting.volley),
    "reassign": brawling.reassign,
    "sign": _then(dueling.sign),
    "chance": _then(dueling.chance),
    "test": _then(testing.test),
    "decide": _then(testing.decide),
    "roll": _roll,
    "done": _done,
    "answer": settling.answer,
    "accept": settling.accept,
    "fallen": settling.fallen,
    "concede": lambda play, action: turning.concede(play, action.side),
}
