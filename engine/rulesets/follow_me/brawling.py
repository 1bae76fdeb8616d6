"""MELEE: the split into fights, their dice, kills and push-backs (FM-MELEE, FM-PUSH)."""

from __future__ import annotations

from itertools import combinations

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.rulesets.follow_me import dueling
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.marks import (
    Phase,
    blinded,
    duels,
    group_id,
    hostile,
    is_big,
    is_hero,
    kind_of,
    listed_mark,
    living,
    undead,
)
from engine.rulesets.follow_me.measures import fights, lengths, ways
from engine.rulesets.follow_me.play import Play, expect, hurt
from engine.rulesets.follow_me.testing import note_surprise
from engine.spots import Spot, text_mark, word
from engine.state import GameState, Unit


def contacts(field: Field) -> dict[tuple[str, str], float]:
    """Gap by pair of enemies in contact (FM-MELEE-12)."""
    return {
        (a.figure_id, b.figure_id): field.gap(a, b)
        for a, b in combinations(field.fighters, 2)
        if hostile(a, b) and field.gap(a, b) < _FAR_MM and field.touch(a, b)
    }


_FAR_MM = 400.0
"""No wall is so thick that figures fight across it."""


def split(play: Play) -> None:
    """Split the brawl into duels and fights (FM-MELEE-13, FM-HERO-09, 12, 14, 18, 19).

    A hero whom only followers touch fights like anybody (FM-HERO-01, FM-MELEE-23, FM-MELEE-24).
    """
    field = play.field
    found = contacts(field)
    pairs, watchers = dueling.paired(field, found)
    fighting = {name for pair in pairs for name in pair}
    nobody = dict[tuple[str, str], float]()
    for (a, b), gap in found.items():
        if fighting & {a, b}:
            continue
        one, other = play.state.unit(a), play.state.unit(b)
        if one is None or other is None or (duels(one) and duels(other)):
            continue  # a watching hero and an enemy hero let each other be
        nobody[a, b] = gap
    sides = {u.figure_id: u.side for u in living(play.state)}
    made = fights.split(nobody, sides)
    told: dict[str, Value] = {
        "game.fights": ";".join(f"{one.single}|{','.join(one.many)}" for one in made),
        "game.duels": ";".join("|".join(pair) for pair in pairs),
        "game.watch": ",".join(watchers), "fights": len(made), "duels": len(pairs),
        "across": _across(field, found),
    }  # fmt: skip
    play.tell(Event("split", "FM-MELEE-01", values=results(**told)))
    both = [(a, b) for pair in found for a, b in (pair, pair[::-1])]
    units = [(play.state.unit(a), play.state.unit(b)) for a, b in both]
    note_surprise(play, ((a, b) for a, b in units if a is not None and b is not None))


def _across(field: Field, found: dict[tuple[str, str], float]) -> tuple[str, ...]:
    """Pairs that touch the same low wall from both sides (FM-MELEE-31)."""
    return tuple(
        name
        for (a, b), gap in found.items()
        if not lengths.is_contact(gap, field.settings)
        for name in (a, b)
    )


def fights_of(state: GameState) -> list[fights.Fight]:
    """The fights of this turn."""
    return [
        fights.Fight(single, tuple(many.split(",")))
        for single, many in listed_mark(state, "fights")
    ]


def changes(field: Field) -> dict[str, list[str]]:
    """Who may fight somebody else instead, by his id (FM-MELEE-13, FM-MELEE-14).

    One of several may join another fight against a single enemy he touches, where that does not
    make it larger than the one he leaves was.
    """
    made, found = fights_of(field.state), dict[str, list[str]]()
    for one in made:
        if len(one.many) < 2:
            continue
        for name in one.many:
            unit = field.state.unit(name)
            for other in made:
                enemy = field.state.unit(other.single)
                ally = field.state.unit(other.many[0])
                if other is one or unit is None or enemy is None or ally is None:
                    continue
                fits = len(other.many) < len(one.many) and ally.side == unit.side
                if fits and field.touch(unit, enemy):
                    found.setdefault(name, []).append(other.single)
    return found


def reassign(play: Play, action: Action) -> None:
    """Players change who fights whom, where that is still legal (FM-MELEE-13).

    Raises:
        Refused: It is no time for it, or it is not legal.
    """
    expect(play, Phase.MELEE_SPLIT, "FM-MELEE-13")
    name, enemy = action.figure_id or "", action.target_id or ""
    if enemy not in changes(play.field).get(name, []):
        raise Refused("that would be no legal fight", "FM-MELEE-13")
    made = []
    for one in fights_of(play.state):
        many = [other for other in one.many if other != name]
        many += [name] if one.single == enemy else []
        made.append(f"{one.single}|{','.join(many)}")
    told: dict[str, Value] = {"game.fights": ";".join(made), "to": enemy}
    unit = play.state.unit(name)
    if unit is not None:
        play.note("reassigned", "FM-MELEE-13", unit, told)


def rolled(state: GameState) -> dict[int, tuple[int, int, str]]:
    """Faces and victim of each fight that has been rolled, by its number."""
    return {
        int(index): (int(mine), int(theirs), victim)
        for index, mine, theirs, victim in listed_mark(state, "rolled")
    }


def unrolled(state: GameState) -> list[int]:
    """Numbers of the fights still to be rolled."""
    return [i for i in range(len(fights_of(state))) if i not in rolled(state)]


def mods(state: GameState, one: fights.Fight) -> tuple[int, int]:
    """Blinded units are worse in each combat (FM-MELEE-25, FM-SPELL-02a)."""
    worse = data().whole("melee.blinded")
    sides = []
    for names in ((one.single,), one.many):
        units = [state.unit(name) for name in names]
        sides.append(worse if any(u is not None and blinded(state, u) for u in units) else 0)
    return sides[0], sides[1]


def outcome(state: GameState, one: fights.Fight, faces: tuple[int, int]) -> fights.Result:
    """What the dice of a fight come to."""
    single, many = state.unit(one.single), [state.unit(name) for name in one.many]
    assert single is not None  # noqa: S101  fights are made of units
    return fights.resolve(
        kind_of(single), [kind_of(u) for u in many if u is not None], faces, mods(state, one)
    )


def victims(state: GameState, one: fights.Fight, found: fights.Result) -> list[str]:
    """Of whom the single winner may kill or hit one (FM-MELEE-11, FM-MELEE-19)."""
    if found.winner != "single":
        return []
    units = [state.unit(name) for name in one.many]
    return [
        u.figure_id for u in units
        if u is not None and fights.fate(kind_of(u), found.margin) != "push"
    ]  # fmt: skip


def roll(play: Play, action: Action) -> None:
    """One die a side for a fight: the single fighter's first (FM-MELEE-02, FM-MELEE-26).

    Raises:
        Refused: It is no time for it, or that fight is not to be rolled.
    """
    expect(play, Phase.MELEE_ROLL, "FM-MELEE-02")
    numbers = {str(i): i for i in unrolled(play.state)}
    if (action.value or "") not in numbers:
        raise Refused("which fight?", "FM-MELEE-02")
    index = numbers[action.value or ""]
    one = fights_of(play.state)[index]
    faces = play.roll(2)
    found = outcome(play.state, one, (faces[0], faces[1]))
    can = victims(play.state, one, found)
    pushes = play.settings.melee_push_survivors == "victim" and found.winner == "single"
    choices = list(one.many) if pushes and not can else can
    entry = f"{index}|{faces[0]}|{faces[1]}|{choices[0] if choices else ''}"
    told: dict[str, Value] = {
        "index": index, "many": one.many, "score_single": found.single, "score_many": found.many,
        "margin": found.margin, "winner": found.winner, "outcome": found.outcome,
        "game.rolled": ";".join(e for e in (text_mark(play.state, "rolled"), entry) if e),
    }  # fmt: skip
    if len(choices) > 1:
        told |= {"game.ask_victim": str(index), "game.ask_victims": ",".join(choices)}
    side = _side(play.state, one.single)
    values = results(**told)
    play.tell(Event("fought", "FM-MELEE-05", side, one.single, dice=faces, values=values))


def _side(state: GameState, name: str) -> str | None:
    unit = state.unit(name)
    return None if unit is None else unit.side


def name_victim(play: Play, value: str) -> None:
    """The single winner names whom he kills or hits (FM-MELEE-11)."""
    index = int(text_mark(play.state, "ask_victim"))
    entries = [
        f"{i}|{mine}|{theirs}|{value if i == index else victim}"
        for i, (mine, theirs, victim) in sorted(rolled(play.state).items())
    ]
    play.tell(
        Event(
            "victim_named",
            "FM-MELEE-11",
            None,
            value,
            values=results(
                **{"game.rolled": ";".join(entries), "game.ask_victim": "", "game.ask_victims": ""}
            ),
        )
    )


def resolve(play: Play) -> None:
    """Kills and push-backs of all fights, carried out together (FM-MELEE-26)."""
    state, field = play.state, play.field
    pushed: list[tuple[Unit, tuple[str, ...]]] = []
    for index, (mine, theirs, victim) in sorted(rolled(state).items()):
        one = fights_of(state)[index]
        _fought(play, one)
        found = outcome(state, one, (mine, theirs))
        if found.winner == "single":
            pushed += _single_wins(play, one, found, victim)
        elif found.winner == "many":
            loser = state.unit(one.single)
            if loser is not None:
                if fights.fate(kind_of(loser), found.margin) != "push":
                    hurt(play, loser, "FM-MELEE-07", by=one.many[0])
                pushed.append((loser, one.many))
    dueling.resolve(play)
    standing = [(u, w) for u, w in pushed if not word(play.now(u), "doomed")]
    _push(play, field, standing)


def _single_wins(
    play: Play, one: fights.Fight, found: fights.Result, victim: str
) -> list[tuple[Unit, tuple[str, ...]]]:
    """Who goes back when the single fighter has won (FM-MELEE-11, 18, 19, FM-Q-12)."""
    how = play.settings.melee_push_survivors
    can = victims(play.state, one, found)
    if victim in can:
        unit = play.state.unit(victim)
        if unit is not None:
            hurt(play, unit, "FM-MELEE-11", by=one.single)
    if how is False and can:
        return []
    names = (victim,) if how == "victim" else one.many
    units = [play.state.unit(name) for name in names]
    return [(unit, (one.single,)) for unit in units if unit is not None]


def _fought(play: Play, one: fights.Fight) -> None:
    """Groups of those who fought will test; whom they fought counts (FM-MORALE-08, 10, 16, 31)."""
    for name, enemies in ((one.single, one.many), *((each, (one.single,)) for each in one.many)):
        unit = play.state.unit(name)
        foes = [u for u in map(play.state.unit, enemies) if u is not None]
        holder = None if unit is None else play.state.unit(group_id(unit))
        if unit is None or holder is None:
            continue
        dread = not undead(unit) and any(undead(foe) for foe in foes)
        big = not is_hero(unit) and any(is_big(foe) for foe in foes)
        marks: dict[str, Value] = {"unit.fought": True, "group": True}
        marks |= {"unit.fought_undead": True} if dread else {}
        marks |= {"unit.fought_big": True} if big else {}
        if any(holder.mark(key.removeprefix("unit.")) is not True for key in marks if "." in key):
            play.note("in_melee", "FM-MORALE-08", holder, marks)
        if word(unit, "deed") == "meditate":
            play.note("disturbed", "FM-MAGE-19", unit, {"unit.disturbed": True})


def _push(play: Play, field: Field, losers: list[tuple[Unit, tuple[str, ...]]]) -> None:
    """Everybody goes straight back, who has most room first (FM-PUSH-01, 02, 05)."""
    waiting = list(losers)
    places = {
        name: figure for name, figure in field.figures.items()
        if not word(play.state.unit(name) or losers[0][0], "doomed")
    } if losers else {}  # fmt: skip
    size = field.table.size_mm
    way = field.settings.inches(data().numbers["melee.push_in"])
    closed = (*field.of_kind("impassable"), *field.of_kind("delaying"))
    while waiting:
        tried = []
        for unit, winners in waiting:
            figure = places[unit.figure_id]
            came = [field.figures[name].position_mm for name in winners]
            goal = lengths.pushed_to(came, figure.position_mm, way, size)
            others = [f for name, f in places.items() if name != unit.figure_id]
            start = figure.position_mm
            end = start if goal is None else ways.swept(start, goal, figure, others, closed, size)
            far = Spot(*start, 0.0).away(Spot(*end, 0.0))
            tried.append((-round(far, 1), unit.figure_id, unit, winners, end, far))
        _, name, unit, winners, end, far = min(tried, key=lambda one: one[:2])
        waiting = [one for one in waiting if one[0].figure_id != name]
        figure = places[name]
        places[name] = ways.moved(figure, end)
        here = Spot(end[0], end[1], figure.level_mm)
        more: dict[str, Value] = {"moved_mm": far, "wanted_mm": way, "by": winners[0]}
        if far <= field.settings.move_epsilon_mm:
            play.note("held_fast", "FM-PUSH-02", play.now(unit), more)
            continue
        play.at("set_at", "FM-PUSH-01", play.now(unit), here, **more)
        _may_follow(play, winners, unit)


def _may_follow(play: Play, winners: tuple[str, ...], loser: Unit) -> None:
    """Where it is agreed, winners may step after whom they pushed (FM-PUSH-03)."""
    if play.settings.push_follow_up != "winner_may":
        return
    for name in winners:
        unit = play.state.unit(name)
        if unit is not None and unit.alive and not word(unit, "doomed"):
            values: dict[str, Value] = {"unit.follows_up": loser.figure_id}
            play.note("may_follow", "FM-PUSH-03", unit, values)
