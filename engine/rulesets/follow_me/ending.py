"""The end: who is beaten, and the proposal that the game is over (FM-END)."""

from __future__ import annotations

from engine.events import Event, Value, results
from engine.rulesets.follow_me.marks import count, followers, heroes, is_hero, sides_in_play
from engine.rulesets.follow_me.play import Play
from engine.spots import text_mark, word
from engine.state import GameState


def in_play(state: GameState) -> list[str]:
    """Alliances that have not given up."""
    gone = text_mark(state, "gave_up").split(",")
    return [side for side in sides_in_play(state) if side not in gone]


def propose_end(play: Play) -> bool:
    """Propose the end where only one alliance is not beaten (FM-SET-11, FM-END-01)."""
    sides = in_play(play.state)
    lost = [side for side in sides if beaten_side(play.state, side)]
    left = [side for side in sides if side not in lost]
    if len(left) > 1 or text_mark(play.state, "play_on"):
        return False
    told: dict[str, Value] = {
        "game.ask_over": left[0] if left else "draw", "game.lost": ",".join(lost),
    }  # fmt: skip
    play.tell(Event("end_proposed", "FM-END-01", values=results(**told)))
    return True


def beaten_side(state: GameState, side: str) -> bool:
    """No hero is left, or every contingent is destroyed or running (FM-END-01)."""
    if not any(True for _ in heroes(state, side)):
        return True
    led = [u for u in state.units if u.side == side and is_hero(u) and count(u, "had")]
    return bool(led) and all(
        not followers(state, u.figure_id) or word(u, "morale") == "running" for u in led
    )


def over(play: Play, outcome: str, rule: str) -> None:
    """The game is over."""
    play.tell(Event("over", rule, values=results(outcome=outcome)))
