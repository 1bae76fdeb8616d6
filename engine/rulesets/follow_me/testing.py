"""Morale tests of groups: who tests, what presses on them, what comes of it (FM-MORALE)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    Phase,
    count,
    followers,
    group_id,
    groups,
    has,
    hostile,
    invisible,
    is_big,
    is_hero,
    living,
    members,
)
from engine.rulesets.follow_me.measures import lengths, nerve
from engine.rulesets.follow_me.play import Play, expect
from engine.spots import text_mark, word
from engine.state import GameState, Unit

STATES = {"steady": "", "shaken": "shaken", "fall_back": "falling_back", "run": "running"}
"""State of a group by its result (FM-MORALE-21 to 24)."""


def tests(state: GameState, holder: Unit) -> bool:
    """Whether a group is one that can test: it has men, or is a Big Thing."""
    if is_big(holder):
        return holder.alive
    return is_hero(holder) and bool(followers(state, holder.figure_id))


def reasons(state: GameState, holder: Unit) -> list[str]:
    """Why a group has to test (FM-MORALE-03 to 08, FM-MORALE-24, FM-BIG-20)."""
    if not tests(state, holder):
        return []
    if is_big(holder):
        found = ["hit"] if count(holder, "hit_now") else []
    else:
        lost = count(holder, "lost_commoners") + count(holder, "lost_nobles")
        found = ["fought"] if has(holder, "fought") else []
        found += ["lost"] if lost else []
        found += ["surprised"] if has(holder, "surprised") else []
    found += ["running"] if word(holder, "morale") == "running" else []
    return [*found, "wish"] if has(holder, "asked_test") else found


def due(state: GameState) -> list[Unit]:
    """Groups that still have to test this turn, once each (FM-MORALE-07)."""
    return [u for u in state.units if reasons(state, u) and not has(u, "tested")]


def pressed(field: Field, holder: Unit) -> nerve.Nerve:
    """What presses on a group now (FM-MORALE-09 to 19, 27, 28, 31).

    Undead contingents test like everyone else, but other undead do not frighten them.
    """
    if is_big(holder):
        return nerve.Nerve(commoners_this_turn=count(holder, "hit_now"))
    return nerve.Nerve(
        commoners_this_turn=count(holder, "lost_commoners"),
        nobles_this_turn=count(holder, "lost_nobles"),
        nobles_earlier=count(holder, "nobles_earlier"),
        fighting_undead=has(holder, "fought_undead"),
        outnumbered=outnumbered(field, holder),
        speech=has(holder, "speech"),
        own_hero_insults=has(holder, "cheered"),
        insulted=has(holder, "insulted"),
        no_leader=not leader_present(field, holder),
        fighting_big=has(holder, "fought_big"),
    )


def leader_present(field: Field, holder: Unit) -> bool:
    """The hero is alive, on the table and near one of his men (FM-MORALE-15, FM-MORALE-19).

    Men who were sent off without him do worse for it (FM-ACT-18).
    """
    if not holder.alive:
        return False
    hero = field.figures.get(holder.figure_id)
    limit = data().numbers["command.leader_in"]
    return hero is not None and any(
        lengths.within(hero, field.figures[man.figure_id], limit, field.settings)
        for man in followers(field.state, holder.figure_id)
        if man.figure_id in field.figures
    )


def outnumbered(field: Field, holder: Unit) -> bool:
    """Visibly outnumbered: enemies in sight against friends in sight (FM-MORALE-13, 18)."""
    scope = field.settings.morale_outnumbered_scope
    own = [u for u in members(field.state, holder.figure_id) if u.figure_id in field.figures]
    men = [u for u in own if not is_hero(u)] or own
    radius = field.settings.inches(data().numbers["geometry.radius_in"])

    def counts(other: Unit) -> bool:
        if other.figure_id not in field.figures or invisible(other):
            return False
        if scope == "within_radius" and not lengths.fits(field.nearest(other, men), radius):
            return False
        return any(field.sees(man, other) for man in men)

    friends, enemies = len(own), 0
    for unit in living(field.state):
        if hostile(unit, holder):
            enemies += counts(unit)
        elif group_id(unit) != holder.figure_id and scope != "contingent":
            friends += counts(unit)
    return enemies > friends


def test(play: Play, action: Action) -> None:
    """A group takes its test, or one its player wishes for (FM-MORALE-02, FM-MORALE-06).

    Raises:
        Refused: It is no time for it, no such group, or it has tested.
    """
    expect(play, Phase.MORALE, "FM-MORALE-07")
    holder = play.state.unit(action.value or "")
    if holder is None or not tests(play.state, holder):
        raise Refused("which group tests?", "FM-MORALE-01")
    if has(holder, "tested"):
        raise Refused("a group tests once a turn", "FM-MORALE-07")
    if text_mark(play.state, "decide"):
        raise Refused("first say what the last total means", "FM-MORALE-20")
    face = play.roll(1)[0]
    press = pressed(play.field, holder)
    _tell(play, holder, face, press, "FM-MORALE-02", {"unit.tested": True})


def frighten(play: Play, holder: Unit, face: int) -> None:
    """FEAR AND TREMBLING: a test at once, its result kept (FM-SPELL-04, FM-MORALE-32)."""
    if not tests(play.state, holder):
        return
    press = pressed(play.field, holder)
    fear = replace(press, other=data().whole("morale.fear"))
    _tell(play, holder, face, fear, "FM-SPELL-04", {"fear": True})


def _tell(
    play: Play, holder: Unit, face: int, press: nerve.Nerve, rule: str, more: dict[str, Value]
) -> None:
    options = play.settings
    total = nerve.total(face, press, options)
    told = options.morale_table == "announce_only"
    reckoned = tuple(f"{name}={value}" for name, value in nerve.reckoning(press, options))
    values: dict[str, Value] = {
        "total": total, "factors": reckoned or None, "result": nerve.TOLD, "group": True, **more
    }  # fmt: skip
    if told:
        fear = "fear" if more.get("fear") else "end"
        play.tell(Event("tested", rule, holder.side, holder.figure_id, dice=(face,), values=results(
            **values, **{"game.decide": f"{holder.figure_id}|{fear}|{total}"})))  # fmt: skip
        return
    result = nerve.result(total, options)
    values["result"] = result
    values |= _outcome(play, holder, result, total, fear=bool(more.get("fear")))
    play.tell(
        Event("tested", rule, holder.side, holder.figure_id, dice=(face,), values=results(**values))
    )


def _outcome(play: Play, holder: Unit, result: str, total: int, *, fear: bool) -> dict[str, Value]:
    """Marks after a result; fear is only kept until the end of the turn."""
    if fear:
        return {"unit.fear_result": result}
    first = word(holder, "fear_result") or None
    stands = nerve.stands(
        first, result, running=has(holder, "ran"),
        rallied=nerve.rallies(total, play.settings) if result != nerve.TOLD else False,
        settings=play.settings,
    )  # fmt: skip
    return settled(play.state, holder, stands)


def settled(state: GameState, holder: Unit, stands: str) -> dict[str, Value]:
    """Marks of a group whose result stands (FM-MORALE-21 to 24, FM-ACT-21).

    What it forces is done in the next step 2, never at once (FM-MORALE-29).
    """
    values: dict[str, Value] = {
        "stands": stands, "unit.morale": STATES[stands],
        "unit.morale_turn": state.turn if STATES[stands] else None,
    }  # fmt: skip
    if STATES[stands]:
        values["unit.order"] = ""
    if stands in ("run", "fall_back") and is_big(holder):
        values["unit.instr"] = ""
    return values


def decide(play: Play, action: Action) -> None:
    """The players say what a total means (FM-MORALE-20).

    Raises:
        Refused: Nothing waits for it, or no such result.
    """
    parts = text_mark(play.state, "decide").split("|")
    holder = play.state.unit(parts[0])
    if holder is None or action.value not in nerve.RESULTS:
        raise Refused(f"a result is one of {', '.join(nerve.RESULTS)}", "FM-MORALE-20")
    fear = parts[1] == "fear"
    values: dict[str, Value] = {"result": action.value, "game.decide": "", "group": True}
    if fear:
        values["unit.fear_result"] = action.value
    else:
        first = word(holder, "fear_result") or None
        stands = nerve.stands(
            first, action.value, running=has(holder, "ran"), rallied=action.value == "steady",
            settings=play.settings,
        )  # fmt: skip
        values |= settled(play.state, holder, stands)
    play.note("decided", "FM-MORALE-20", holder, values)


def keep_fear(play: Play) -> None:
    """Results of fear stand for groups that did not test again (FM-MORALE-32)."""
    for holder in list(play.state.units):
        result = word(holder, "fear_result")
        if result and not has(holder, "tested") and tests(play.state, holder):
            stands = "run" if has(holder, "ran") else result
            play.note("fear_stands", "FM-MORALE-32", holder, settled(play.state, holder, stands))


def calm_down(play: Play) -> None:
    """At the end of a turn shaken lapses, and who fell back is shaken for one turn more."""
    for holder in list(play.state.units):
        nerves, since = word(holder, "morale"), count(holder, "morale_turn")
        if since >= play.state.turn or nerves in ("", "running"):
            continue
        if nerves == "shaken":
            play.note("calmed", "FM-MORALE-22", holder, {"unit.morale": "", "unit.morale_turn": ""})
        else:
            play.note("calmed", "FM-MORALE-23", holder, {
                "unit.morale": "shaken", "unit.morale_turn": play.state.turn})  # fmt: skip


def unseen(field: Field, group: str, by: str) -> bool:
    """Nobody of a group saw anybody of another at the declaration (FM-MORALE-26)."""
    mine = [u for u in members(field.state, group) if u.figure_id in field.before]
    theirs = [u for u in members(field.state, by) if u.figure_id in field.before]
    return bool(mine and theirs) and not any(field.saw(a, b) for a in mine for b in theirs)


def note_surprise(play: Play, pairs: Iterable[tuple[Unit, Unit]]) -> None:
    """Remember groups that met or were shot at by enemies they had not seen (FM-MORALE-05)."""
    field, looked = play.field, set[tuple[str, str]]()
    for unit, enemy in pairs:
        group, by = group_id(unit), group_id(enemy)
        holder = play.state.unit(group)
        if (group, by) in looked or holder is None or word(holder, "unseen_by"):
            continue
        looked.add((group, by))
        if tests(play.state, holder) and not is_big(holder) and unseen(field, group, by):
            play.note("unseen", "FM-MORALE-26", holder, {"unit.unseen_by": by})


def ask_surprise(play: Play) -> bool:
    """Ask about the next surprise; says whether there is one to ask about."""
    for group in groups(play.state):
        holder = play.state.unit(group)
        if holder is None or not word(holder, "unseen_by"):
            continue
        asked = f"{group}|{word(holder, 'unseen_by')}"
        values = results(**{"game.ask_surprise": asked})
        play.tell(Event("surprise_asked", "FM-MORALE-26", holder.side, values=values))
        return True
    return False


def answer_surprise(play: Play, yes: bool) -> None:
    """The players confirm a surprise, or not."""
    holder = play.state.unit(text_mark(play.state, "ask_surprise").partition("|")[0])
    if holder is not None:
        play.note("surprise_told", "FM-MORALE-26", holder, {
            "game.ask_surprise": "", "unit.unseen_by": "", "unit.surprised": yes, "yes": yes,
        })  # fmt: skip


def wish(play: Play, action: Action) -> None:
    """A player has his group test although nothing makes it (FM-MORALE-06).

    Raises:
        Refused: It is no time for it, or no such group.
    """
    expect(play, Phase.MOVE, "FM-MORALE-06")
    holder = play.state.unit(action.figure_id or "")
    if holder is None or not tests(play.state, holder):
        raise Refused("which group?", "FM-MORALE-06")
    play.note("wished", "FM-MORALE-06", holder, {"unit.asked_test": True})
