"""UPKEEP and SALLY: what Giants and Dragons do by themselves (FM-BIG)."""

from __future__ import annotations

from engine.events import Value
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.marks import count, is_big, living
from engine.rulesets.follow_me.measures import lengths
from engine.rulesets.follow_me.orders import sally_of
from engine.rulesets.follow_me.play import Play
from engine.rulesets.follow_me.revealing import beaten, begun
from engine.spots import word
from engine.state import GameState, Unit


def start_pending(play: Play) -> None:
    """Instructions whose time has come begin; others are counted down (FM-TURN-12, FM-BIG-17)."""
    for unit in list(living(play.state)):
        first = count(unit, "next_turn")
        if not first:
            continue
        what, group = word(unit, "next_instr"), word(unit, "next_on")
        if first > play.state.turn:
            play.about("pending", "FM-BIG-05", unit, turns=first - play.state.turn)
            continue
        values = begun(unit, what, group, word(unit, "next_by"), play.state.turn)
        rule = "FM-BIG-06" if what == "attack" else "FM-BIG-08"
        told: dict[str, Value] = {"what": what, "on": group}
        play.note("began", rule, unit, told | values)


def followers_due(state: GameState) -> list[Unit]:
    """Creatures about which it is rolled whether they have had enough (FM-BIG-09, FM-BIG-10).

    They begin to follow one turn after the order, and the first roll is one turn later.
    """
    return [
        u for u in living(state)
        if word(u, "instr") == "follow" and count(u, "instr_turn") < state.turn
    ]  # fmt: skip


def follow_rolls(play: Play) -> None:
    """One die for each; on a 1 it stops until it is instructed again."""
    due = followers_due(play.state)
    for unit, face in zip(due, play.roll(len(due)), strict=True):
        stops = face <= data().whole("command.follow_stops_on")
        values: dict[str, Value] = {"face": face, "stops": stops}
        if stops:
            values["unit.instr"] = ""
        play.note("follow_rolled", "FM-BIG-09", unit, values)


def sallying(play: Play) -> list[Unit]:
    """Defending creatures with somebody to go for, or off their post (FM-BIG-12, FM-BIG-21)."""
    field, found = play.field, []
    for unit in living(play.state):
        order = sally_of(field, unit)
        enemy = None if order is None else play.state.unit(order.who)
        if order is None or (enemy is not None and field.touch(unit, enemy)):
            continue
        found.append(unit)
    return found


def sally(play: Play) -> None:
    """Tell who goes for whom, when everybody else has moved (FM-BIG-21)."""
    field = play.field
    for unit in sallying(play):
        order = sally_of(field, unit)
        enemy = None if order is None else play.state.unit(order.who)
        post = field.placed(unit, "post")
        if order is None or post is None:
            continue
        if enemy is None:
            play.note("goes_home", "FM-BIG-12", unit, {"unit.sally": "home"})
            continue
        radius = play.settings.inches(data().numbers["command.guard_in"])
        play.upon("sallies", "FM-BIG-21", unit, enemy, {
            "gap_mm": _from_post(play, unit, enemy), "limit_mm": radius,
            "unit.sally": enemy.figure_id,
        })  # fmt: skip


def _from_post(play: Play, unit: Unit, enemy: Unit) -> float:
    field = play.field
    post, there = field.placed(unit, "post"), field.figures.get(enemy.figure_id)
    return 0.0 if post is None or there is None else lengths.edge_gap(post, there)


def won(play: Play) -> None:
    """A creature that has beaten its group is done, or goes for the next (FM-BIG-13, FM-BIG-15)."""
    for unit in list(living(play.state)):
        if not is_big(unit) or word(unit, "instr") != "attack":
            continue
        if beaten(play.field, word(unit, "instr_on"), unit):
            play.note("idle", "FM-BIG-15", unit, {"unit.instr": "", "won": True})
