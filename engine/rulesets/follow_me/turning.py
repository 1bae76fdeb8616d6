"""From phase to phase and turn to turn, as far as nobody has to act (FM-TURN)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine.errors import Refused
from engine.events import Event, results
from engine.rulesets.follow_me import brawling, creatures, dueling, revealing, shooting, working
from engine.rulesets.follow_me.declaring import undecided
from engine.rulesets.follow_me.ending import in_play, over, propose_end
from engine.rulesets.follow_me.lagging import lagging
from engine.rulesets.follow_me.leaving import leave
from engine.rulesets.follow_me.marks import (
    Deed,
    Phase,
    count,
    flagged,
    followers,
    frozen,
    has,
    heroes,
    is_mage,
    living,
    placing,
    unsettled,
)
from engine.rulesets.follow_me.measures import sorcery
from engine.rulesets.follow_me.play import Play, doomed, fall
from engine.rulesets.follow_me.testing import ask_surprise, calm_down, due, keep_fear
from engine.spots import text_mark, word
from engine.state import GameState
from engine.words import listed

_MOST_STEPS: Final = 60


def begin_turn(play: Play) -> None:
    """A game turn begins (FM-TURN-12)."""
    number = play.state.turn + 1
    play.tell(Event("turn_began", "FM-TURN-12", values=results(turn=number)))
    if number == 1:
        for hero in list(heroes(play.state)):
            men = len(followers(play.state, hero.figure_id))
            if men:
                play.note("leads", "FM-SET-03", hero, {"unit.had": men})
    creatures.start_pending(play)
    running = working.going_on(play.state)
    if running:
        play.tell(Event("spells_run", "FM-TURN-12", values=results(spells=running)))
    advance(play)


def advance(play: Play) -> None:
    """Go on until somebody has to act, or the game is over."""
    for _ in range(_MOST_STEPS):
        before = play.state.phase
        if play.state.question is not None or before in (Phase.SETUP, Phase.FINISHED):
            return
        if not _NEXT[Phase(before)](play):
            return


def _upkeep(play: Play) -> bool:
    """Follow rolls, and where agreed the rolls for spells that may wear off."""
    if upkeep_dice(play.state, play):
        return False
    play.begin(Phase.DECLARE, None, "FM-TURN-02")
    return True


def upkeep_dice(state: GameState, play: Play) -> int:
    """How many dice UPKEEP still wants."""
    if text_mark(state, "upkept"):
        return 0
    early = play.settings.wear_off_roll_at == "start_of_turn"
    return len(creatures.followers_due(state)) + (len(working.fading(state)) if early else 0)


def roll_upkeep(play: Play) -> None:
    """The dice of UPKEEP: creatures that follow first, then spells."""
    creatures.follow_rolls(play)
    if play.settings.wear_off_roll_at == "start_of_turn":
        working.fade(play)
    play.tell(Event("upkept", "FM-TURN-12", values=results(**{"game.upkept": "yes"})))
    advance(play)


def _declare(play: Play) -> bool:
    """When all have chosen, the actions are shown and everybody moves (FM-TURN-10)."""
    if undecided(play.state):
        return False
    play.begin(Phase.MOVE, None, "FM-TURN-03")
    revealing.reveal(play)
    return True


def end_moves(play: Play) -> None:
    """Everybody has moved: words and notes arrive, creatures sally (FM-TURN-03).

    Raises:
        Refused: A flag about a place is open.
    """
    open_flags = [unit.name for unit in living(play.state) if flagged(unit)]
    if open_flags:
        raise Refused(f"put right or accept {listed(open_flags)}", "FM-GEO-19")
    if play.state.phase == Phase.MOVE:
        lagging(play)
        revealing.words_heard(play)
        revealing.notes_arrive(play)
        _walls(play)
        if creatures.sallying(play):
            play.begin(Phase.SALLY, None, "FM-BIG-21")
            creatures.sally(play)
            return
    play.begin(Phase.MAGIC, None, "FM-TURN-04")
    advance(play)


def _walls(play: Play) -> None:
    """Who ends at a low wall may be put over it at the end of the next step 2 (FM-OBS-03)."""
    field = play.field
    for unit in list(living(play.state)):
        figure = field.figures.get(unit.figure_id)
        piece = (
            None if figure is None or field.lay(unit).walls == () else field.touches_wall(figure)
        )
        name = "" if piece is None else piece.terrain_id
        if name != word(unit, "at_wall"):
            play.note("at_wall", "FM-OBS-03", unit, {"unit.at_wall": name, "wall": name})


def _nothing(play: Play) -> bool:
    return False


def _magic(play: Play) -> bool:
    """Spells are named by all, then worked out one by one; then casualties fall together."""
    state = play.state
    if working.waiting(state) or working.contested(state):
        return False
    mages = working.unworked(state)
    if mages:
        if working.cast_of(play.field, mages[0]).dice:
            return False
        working.work(play, mages[0])
        return True
    if placing(state):
        return False
    if doomed(play):
        fall(play)
    play.begin(Phase.SHOOT_TARGETS, None, "FM-TURN-05")
    return True


def _shoot(play: Play) -> bool:
    """Targets are named where there is a legal shot at all (FM-SHOOT-14)."""
    if shooting.shooters(play.field):
        return False
    play.tell(Event("no_shots", "FM-TURN-05"))
    play.begin(Phase.MELEE_SPLIT, None, "FM-TURN-06")
    brawling.split(play)
    return True


def shots_named(play: Play) -> None:
    """All shots are announced before any die is rolled (FM-SHOOT-14)."""
    shooting.all_aimed(play)
    play.begin(Phase.SHOOT_ROLL, None, "FM-SHOOT-02")
    advance(play)


def _shoot_roll(play: Play) -> bool:
    if shooting.volleys(play.state):
        return False
    shooting.resolve(play)
    if fall(play):
        play.begin(Phase.SHOOT_CASUALTIES, None, "FM-SHOOT-16")
        return False
    play.begin(Phase.MELEE_SPLIT, None, "FM-TURN-06")
    brawling.split(play)
    return True


def casualties_laid(play: Play) -> None:
    """The fallen are laid down, and melee begins (FM-HIT-05)."""
    play.begin(Phase.MELEE_SPLIT, None, "FM-TURN-06")
    brawling.split(play)
    advance(play)


def _split(play: Play) -> bool:
    if brawling.fights_of(play.state) or dueling.duels_of(play.state):
        return False
    _to_morale(play)
    return True


def fights_agreed(play: Play) -> None:
    """The fights stand as shown."""
    play.begin(Phase.MELEE_ROLL, None, "FM-MELEE-02")
    advance(play)


def _melee_roll(play: Play) -> bool:
    if brawling.unrolled(play.state):
        return False
    play.begin(Phase.DUELS, None, "FM-HERO-04")
    return True


def _duels(play: Play) -> bool:
    if dueling.unsigned(play.state):
        return False
    brawling.resolve(play)
    fallen = fall(play)
    play.begin(Phase.MELEE_RESULTS, None, "FM-MELEE-26")
    if fallen or placing(play.state) or any(word(u, "follows_up") for u in living(play.state)):
        return False
    _to_morale(play)
    return True


def results_done(play: Play) -> None:
    """Kills and push-backs are carried out on the table.

    Raises:
        Refused: Somebody still has to be put where he belongs, or a flag is open.
    """
    names = [u.name for u in unsettled(play.state)]
    if names:
        raise Refused(f"first put {listed(names)} in place, or accept it", "FM-GEO-12")
    if play.state.phase == Phase.MAGIC:
        advance(play)
        return
    _to_morale(play)
    advance(play)


def _to_morale(play: Play) -> None:
    """End of step 4: meditation bears fruit, orders that are done end (FM-MAGE-19)."""
    for mage in list(heroes(play.state)):
        if word(mage, "deed") == Deed.MEDITATE and is_mage(mage):
            _meditate(play, mage.figure_id)
    play.begin(Phase.MORALE, None, "FM-TURN-07")


def _meditate(play: Play, name: str) -> None:
    """A point for a mage nobody disturbed; there is no other way to one (FM-MAGE-10)."""
    mage = play.state.unit(name)
    if mage is None:
        return
    disturbed = has(mage, "disturbed") or mage.mark("moved") is not None
    if disturbed or frozen(play.state, mage):
        play.about("meditated", "FM-MAGE-09", mage, gained=0)
        return
    cap = count(mage, "start_points") if play.settings.mage_cap == "start" else None
    points = sorcery.meditated(count(mage, "points"), cap)
    gained = points - count(mage, "points")
    play.note("meditated", "FM-MAGE-08", mage, {"gained": gained, "unit.points": points})


def _morale(play: Play) -> bool:
    """Groups test; without any reason the step is passed over."""
    if ask_surprise(play) or text_mark(play.state, "decide"):
        return False
    if due(play.state):
        return False
    if may_wish(play.state):
        return False
    _end_turn(play)
    return True


def may_wish(state: GameState) -> bool:
    """Somebody has tested, so others may still wish to; else the step is skipped at once."""
    return any(has(u, "tested") for u in state.units)


def tests_done(play: Play) -> None:
    """Nobody else wishes to test.

    Raises:
        Refused: A group still has to.
    """
    left = [u.name for u in due(play.state)]
    if left or text_mark(play.state, "decide"):
        raise Refused(f"first test the groups of {listed(left)}", "FM-MORALE-03")
    _end_turn(play)
    advance(play)


def _end_turn(play: Play) -> None:
    keep_fear(play)
    calm_down(play)
    revealing.order_ends(play)
    creatures.won(play)
    play.begin(Phase.END_TURN, None, "FM-TURN-13")


def end_dice(play: Play) -> int:
    """How many dice the end of the turn still wants."""
    if play.settings.wear_off_roll_at != "end_of_turn" or text_mark(play.state, "faded"):
        return 0
    return len(working.fading(play.state))


def roll_end(play: Play) -> None:
    """The dice of END_TURN: whether spells wear off (FM-MAGE-26)."""
    working.fade(play)
    play.tell(Event("faded", "FM-TURN-13", values=results(**{"game.faded": "yes"})))
    advance(play)


def _finish_turn(play: Play) -> bool:
    if end_dice(play):
        return False
    if not text_mark(play.state, "ran_out"):
        working.run_out(play)
        play.tell(Event("turn_ended", "FM-TURN-13", values=results(**{"game.ran_out": "yes"})))
    if propose_end(play):
        return False
    begin_turn(play)
    return False


def answer_end(play: Play, yes: bool) -> None:
    """The players agree that it is over, or play on."""
    outcome = text_mark(play.state, "ask_over")
    if yes:
        over(play, outcome, "FM-END-01")
        return
    values = results(**{"game.ask_over": "", "game.play_on": "yes"})
    play.tell(Event("played_on", "FM-END-01", values=values))
    advance(play)


def concede(play: Play, side: str | None) -> None:
    """An alliance gives up; with more than two the others play on.

    Raises:
        Refused: There is no such side in play, or it is no time for it.
    """
    sides = in_play(play.state)
    if side not in sides or side is None or play.state.phase == Phase.SETUP:
        raise Refused("which side gives up?", "FM-END-01")
    left = [one for one in sides if one != side]
    gave = ",".join(s for s in (text_mark(play.state, "gave_up"), side) if s)
    play.tell(Event("conceded", "FM-END-01", side, values=results(**{"game.gave_up": gave})))
    if len(left) == 1:
        over(play, left[0], "FM-END-01")
        return
    leave(play, side)
    advance(play)


_NEXT: Final[dict[Phase, Callable[[Play], bool]]] = {
    Phase.UPKEEP: _upkeep,
    Phase.DECLARE: _declare,
    Phase.MOVE: _nothing,
    Phase.SALLY: _nothing,
    Phase.MAGIC: _magic,
    Phase.SHOOT_TARGETS: _shoot,
    Phase.SHOOT_ROLL: _shoot_roll,
    Phase.SHOOT_CASUALTIES: _nothing,
    Phase.MELEE_SPLIT: _split,
    Phase.MELEE_ROLL: _melee_roll,
    Phase.DUELS: _duels,
    Phase.MELEE_RESULTS: _nothing,
    Phase.MORALE: _morale,
    Phase.END_TURN: _finish_turn,
}
"""What happens by itself in each phase; says whether to go on."""
