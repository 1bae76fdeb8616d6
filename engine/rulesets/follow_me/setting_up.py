"""SETUP: whose figures, which types, who leads whom, terrain, spells (FM-SET)."""

from __future__ import annotations

from collections import Counter

from engine.actions import Action
from engine.common import assigned
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.roster import next_name, state_mark
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import EDGES, KINDS, UPRIGHT
from engine.rulesets.follow_me.marks import (
    Phase,
    followers,
    heroes,
    is_big,
    is_hero,
    is_mage,
    left_out,
    living,
    spells_known,
    type_of,
    undead,
)
from engine.rulesets.follow_me.play import Play, expect, living_unit
from engine.spots import side_name, spot_of, word
from engine.state import GameState, Unit
from engine.table import Figure
from engine.words import listed

RANKS = ("noble", "commoner", "none")
BODIES = ("hero_foot_light", "hero_foot_armoured", "hero_horse_light", "hero_horse_armoured")


def proposed_type(figure: Figure) -> str:
    """What a figure looks like (FM-SET-06): mounted men ride, vehicles roll, others walk."""
    if figure.label == "vehicle":
        return "cart_engine"
    mounted = figure.state is UPRIGHT[1] or figure.label == "animal"
    return "horseman" if mounted else "light_soldier"


def join(play: Play, action: Action) -> None:
    """A figure is one of an alliance (FM-SET-02, FM-SET-09), or plays after all.

    Raises:
        Refused: It is no time for it, there is no such figure or alliance, or it has joined.
    """
    expect(play, Phase.SETUP, "FM-SET-09")
    out = next((u for u in left_out(play.state) if u.figure_id == action.figure_id), None)
    figure = next((f for f in play.table.figures if f.figure_id == action.figure_id), None)
    if out is None and (figure is None or play.state.unit(figure.figure_id) is not None):
        raise Refused("tap a figure that belongs to nobody yet", "FM-SET-09")
    side = action.value or ""
    if side not in play.state.sides:
        teams = ", ".join(play.state.sides)
        raise Refused(f"there is no side {side!r}; sides are {teams}", "FM-SET-09")
    if out is not None:
        _come_back(play, out, side)
    elif figure is not None:
        _join(play, figure, side)


def _join(play: Play, figure: Figure, side: str) -> None:
    name = next_name(play.state, side)
    play.tell(assigned(figure.figure_id, side, name, ()))
    unit = play.state.unit(figure.figure_id)
    if unit is not None:
        _choose(play, unit, proposed_type(figure))


def _come_back(play: Play, unit: Unit, side: str) -> None:
    """Who was left out plays after all, as what it was, on this or another side (FM-SET-09)."""
    if side != unit.side:
        name = next_name(play.state, side)
        play.tell(assigned(unit.figure_id, side, name, unit.equipment))
    leads = play.state.unit(word(unit, "led_by"))
    stays = leads is not None and leads.alive and is_hero(leads) and leads.side == side
    leader = word(unit, "led_by") if stays else ""
    play.note("back_in", "FM-SET-09", play.now(unit), {"unit.led_by": leader})
    _lead_all(play, side)


def choose_type(play: Play, action: Action) -> None:
    """Players decide what a figure is (FM-SET-06).

    Raises:
        Refused: No such figure or type, or mages are not in use.
    """
    expect(play, Phase.SETUP, "FM-SET-06")
    unit = living_unit(play, action.figure_id, "FM-SET-06")
    kind = data().types.get(action.value or "")
    if kind is None:
        raise Refused(f"there is no type {action.value!r}", "FM-SET-06")
    if kind.mage and not play.settings.modules_mages:
        raise Refused("mages are not in use in this game", "FM-GEN-12")
    _choose(play, unit, kind.name)


def _choose(play: Play, unit: Unit, name: str) -> None:
    kind = data().types[name]
    start = play.settings.mage_start_points if kind.mage else None
    leads = is_hero(unit) and not kind.hero
    play.note("typed", "FM-SET-06", unit, {
        "type": name, "unit.type": name, "unit.points": start, "unit.start_points": start,
        "unit.known": word(unit, "known") if kind.mage else "", "unit.rank": "",
        "unit.led_by": "" if kind.hero or kind.big_thing else word(unit, "led_by"),
    })  # fmt: skip
    if leads:
        for one in followers(play.state, unit.figure_id):
            play.note("led", "FM-SET-03", one, {"unit.led_by": ""})
    _lead_all(play, unit.side)


def _lead_all(play: Play, side: str) -> None:
    """Where an alliance has one hero, all its followers are his (FM-SET-03)."""
    leaders = list(heroes(play.state, side))
    if len(leaders) != 1:
        return
    for unit in list(leaderless(play.state)):
        if unit.side == side:
            play.note("led", "FM-SET-03", unit, {"unit.led_by": leaders[0].figure_id})


def leaderless(state: GameState) -> list[Unit]:
    """Followers who have been given to no hero."""
    return [
        u for u in living(state)
        if type_of(u) is not None and not is_hero(u) and not is_big(u) and not word(u, "led_by")
    ]  # fmt: skip


def lead(play: Play, action: Action) -> None:
    """A follower belongs to exactly one contingent (FM-SET-03).

    Raises:
        Refused: No such figures, or not a hero and a follower of one alliance.
    """
    expect(play, Phase.SETUP, "FM-SET-03")
    unit = living_unit(play, action.figure_id, "FM-SET-03")
    hero = play.state.unit(action.value or "")
    if hero is None or not is_hero(hero) or hero.side != unit.side:
        raise Refused("who leads is a hero of the same side", "FM-SET-03")
    if is_hero(unit) or is_big(unit):
        raise Refused(f"{unit.name} is in no contingent", "FM-SET-05")
    play.note("led", "FM-SET-03", unit, {"unit.led_by": hero.figure_id})


def choose_rank(play: Play, action: Action) -> None:
    """Rank for morale, against the rule of its type (FM-SET-07).

    Raises:
        Refused: No such figure or rank.
    """
    expect(play, Phase.SETUP, "FM-SET-07")
    unit = living_unit(play, action.figure_id, "FM-SET-07")
    if action.value not in RANKS:
        raise Refused(f"a rank is one of {', '.join(RANKS)}", "FM-SET-07")
    play.note("ranked", "FM-SET-07", unit, {"unit.rank": action.value})


def flag_undead(play: Play, action: Action) -> None:
    """A figure is undead, or alive after all (FM-SET-08).

    Raises:
        Refused: No such figure, or a type that is always undead.
    """
    expect(play, Phase.SETUP, "FM-SET-08")
    unit = living_unit(play, action.figure_id, "FM-SET-08")
    own = type_of(unit)
    if own is not None and own.undead:
        raise Refused(f"a {own.words} is always undead", "FM-SET-08")
    play.note("flagged_undead", "FM-SET-08", unit, {"unit.undead": not undead(unit)})


def arm(play: Play, action: Action) -> None:
    """A hero has a bow or crossbow only if the players say so (FM-SET-12).

    Raises:
        Refused: No hero, or no such weapon.
    """
    expect(play, Phase.SETUP, "FM-SET-12")
    unit = living_unit(play, action.figure_id, "FM-SET-12")
    if not is_hero(unit) or action.value not in ("bow", "crossbow", "none"):
        raise Refused("a hero carries a bow, a crossbow, or none", "FM-SET-12")
    weapon = "" if action.value == "none" else action.value
    play.note("armed", "FM-SET-12", unit, {"unit.weapon": weapon})


def choose_body(play: Play, action: Action) -> None:
    """A mage is mounted or armoured as a hero may be (FM-MAGE-29).

    Raises:
        Refused: No mage, or no such kind of hero.
    """
    expect(play, Phase.SETUP, "FM-MAGE-29")
    unit = living_unit(play, action.figure_id, "FM-MAGE-29")
    if not is_mage(unit) or action.value not in BODIES:
        raise Refused(f"a mage is as one of {', '.join(BODIES)}", "FM-MAGE-29")
    play.note("bodied", "FM-MAGE-29", unit, {"unit.body": action.value})


def choose_spell(play: Play, action: Action) -> None:
    """A mage writes a spell on his list of six, or strikes it out (FM-MAGE-11).

    Raises:
        Refused: No mage, no such spell, or the list is full.
    """
    expect(play, Phase.SETUP, "FM-MAGE-11")
    unit = living_unit(play, action.figure_id, "FM-MAGE-11")
    if not is_mage(unit) or not play.settings.modules_spells:
        raise Refused("only mages choose spells, where they are in use", "FM-MAGE-11")
    key = action.value or ""
    if key not in data().spells:
        raise Refused(f"there is no spell {key!r}", "FM-MAGE-11")
    known = list(spells_known(unit))
    if key in known:
        known.remove(key)
    elif len(known) >= data().whole("mage.known"):
        raise Refused("six spells are chosen: strike one out first", "FM-MAGE-11")
    else:
        known.append(key)
    play.note("learned", "FM-MAGE-11", unit, {"unit.known": ",".join(sorted(known))})


def set_points(play: Play, action: Action) -> None:
    """The stock of power points a mage starts with (FM-MAGE-05).

    Raises:
        Refused: No mage, or no such number.
    """
    expect(play, Phase.SETUP, "FM-MAGE-05")
    unit = living_unit(play, action.figure_id, "FM-MAGE-05")
    points = action.numbers[0] if action.numbers else -1.0
    if not is_mage(unit) or not 0 <= points <= 60 or not float(points).is_integer():
        raise Refused("a mage starts with 0 to 60 power points", "FM-MAGE-05")
    values: dict[str, Value] = {"unit.points": int(points), "unit.start_points": int(points)}
    play.note("stocked", "FM-MAGE-05", unit, values)


def label(play: Play, action: Action) -> None:
    """Players say what a piece of terrain is (FM-SET-01, FM-OBS-08).

    Raises:
        Refused: No such piece or kind.
    """
    expect(play, Phase.SETUP, "FM-SET-01")
    name, _, kind = (action.value or "").rpartition(":")
    if kind not in KINDS or all(p.terrain_id != name for p in play.table.terrain):
        raise Refused("which piece of terrain, and what is it?", "FM-SET-01")
    values = results(terrain=name, what=kind, **{f"game.label_{name}": kind})
    play.tell(Event("labelled", "FM-SET-01", values=values))


def choose_edge(play: Play, action: Action) -> None:
    """An alliance has an edge of the table as its own (FM-SET-10).

    Raises:
        Refused: No such alliance or edge.
    """
    expect(play, Phase.SETUP, "FM-SET-10")
    if action.side not in play.state.sides or action.value not in EDGES:
        raise Refused(f"which side, and which edge of {', '.join(EDGES)}?", "FM-SET-10")
    values = results(edge=action.value, **{f"game.edge_{action.side}": action.value})
    play.tell(Event("edge_chosen", "FM-SET-10", action.side, values=values))


def leave_out(play: Play, action: Action) -> None:
    """A figure does not play after all.

    Raises:
        Refused: It is no time for it, or no such figure.
    """
    expect(play, Phase.SETUP, "FM-SET-06")
    unit = living_unit(play, action.figure_id, "FM-SET-06")
    play.about("left_out", "FM-SET-06", unit)


def unready(play: Play) -> tuple[str, str] | None:
    """Why the game cannot begin yet, as rule and sentence; None when it can."""
    state = play.state
    sides = [side for side in state.sides if any(True for _ in living(state, side))]
    nameless = [unit.name for unit in living(state) if type_of(unit) is None]
    if nameless:
        return "FM-SET-06", f"first say what {listed(nameless)} is"
    if len(sides) < 2:
        return "FM-SET-09", "two sides at least are wanted: tap figures"
    for side in sides:
        if not any(True for _ in heroes(state, side)):
            return "FM-SET-02", f"{side_name(side)} has no hero yet"
    strays = [unit.name for unit in leaderless(state)]
    if strays:
        return "FM-SET-03", f"first say who leads {listed(strays)}"
    figures = {f.figure_id for f in play.table.figures if f.state in UPRIGHT}
    unseen = [u.name for u in living(state) if u.figure_id not in figures]
    if unseen:
        return "FM-GEO-18", f"I do not see {listed(unseen)} on the table"
    wanted = data().whole("mage.known")
    if play.settings.modules_spells:
        for unit in living(state):
            if is_mage(unit) and len(spells_known(unit)) != wanted:
                return "FM-MAGE-11", f"{unit.name} has to choose {wanted} spells"
    return None


def ready(play: Play) -> bool:
    """Everybody is ready; says whether the game may begin (FM-SET-14).

    Raises:
        Refused: It is no time for it, or something is missing.
    """
    expect(play, Phase.SETUP, "FM-SET-14")
    fault = unready(play)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    state = play.state
    if play.settings.modules_spells and state_mark(state, "mine") is None:
        magic = any(is_mage(unit) for unit in living(state))
        if magic and any(is_big(unit) for unit in living(state)):
            play.tell(Event("asked_mine", "FM-SET-14", values=results(**{"game.ask_mine": "yes"})))
            return False
    _begin(play)
    return True


def _begin(play: Play) -> None:
    """Every figure is where it stands, and the factor of the table is settled."""
    field = play.field
    sides = [side for side in play.state.sides if any(True for _ in heroes(play.state, side))]
    settled: dict[str, Value] = {
        "factor": field.settings.factor,
        "game.factor": field.settings.factor,
        "game.playing": ",".join(sides),
    }
    play.tell(Event("factor_settled", "FM-GEN-03", values=results(**settled)))
    sizes = Counter(word(u, "led_by") for u in living(play.state) if word(u, "led_by"))
    for hero in list(heroes(play.state)):
        size = sizes[hero.figure_id]
        if not data().whole("setup.fewest") <= size <= data().whole("setup.most"):
            play.about("odd_size", "FM-SET-04", hero, size=size)
    deep = play.settings.inches(play.settings.setup_deploy_in)
    for unit in list(living(play.state)):
        figure = field.seen[unit.figure_id]
        play.at("placed", "FM-SET-10", unit, spot_of(figure))
        reach = field.from_edge(figure, field.edge_of(unit.side), farthest=True)
        if play.table.size_mm is not None and reach > deep:
            play.about("far_out", "FM-SET-10", unit, reach_mm=reach, limit_mm=deep)
