"""Test vectors of Follow Me, Men!: arguments read strictly and handed to the measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from shapely import box

from engine.geometry.bases import Outline, outer
from engine.geometry.samples import Body, Figurine
from engine.geometry.sight import Eye
from engine.rulesets.follow_me import vector_morale as morale
from engine.rulesets.follow_me import vector_reading as read
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.measures import (
    duels,
    fights,
    lengths,
    scales,
    shots,
    sorcery,
    views,
    ways,
)
from engine.rulesets.follow_me.settings import Settings, settings
from engine.table import Figure, FigureState, PointMm, Seen
from engine.vector_args import Given, Unsupported, asked
from engine.vector_scenes import closeness

Question: TypeAlias = tuple[tuple[str, ...], Callable[[Given, Settings], Any]]

_WEAPONS: Final = ("bow", "crossbow", "dragon_breath")
_TERRAIN: Final = ("obstacles.delaying", "obstacles.wading", "obstacles.impassable",
                   "obstacles.open")  # fmt: skip


def answer(function: str, options: Mapping[str, Any], arguments: Mapping[str, Any]) -> Any:
    """Answer one vector.

    Raises:
        Unsupported: The kind or an argument is not known.
        Refused: An option or its value is not known.
    """
    return asked(QUESTIONS, function, arguments, lambda: settings(options))


def _gap(args: Given, opts: Settings) -> float:
    return lengths.edge_gap(read.disc(args, "p1", "r1"), read.disc(args, "p2", "r2"))


def _contact(args: Given, opts: Settings) -> bool:
    return lengths.is_contact(args.length("gap_mm"), read.on(args, opts))


def _close(args: Given, opts: Settings) -> str:
    return closeness(args, lengths.close)


def _path(args: Given, opts: Settings) -> float | None:
    start, goal = read.point(args, "from"), read.point(args, "to")
    wall = read.wall(args, "house")
    base = lengths.disc(start, args.length("r")).base
    walker = Figure(
        "", "", None, "", start, None, base, 40.0, 0.0, FigureState.STANDING, Seen.SEEN, 0.0
    )
    return ways.mover(walker, (), (), ways.Lay((wall,)), None).shortest(start, goal)


def _los(args: Given, opts: Settings) -> int:
    x, y, z = read.numbers("eye", args.listed("eye"), 3)
    shown = Figurine(read.point(args, "target"), args.length("r"), 0.0, args.length("height"))
    bodies = []
    for each in args.listed("boxes") if "boxes" in args.values else []:
        x0, y0, x1, y1, top = read.numbers("boxes", each, 5)
        bodies.append(Body(Outline(box(x0, y0, x1, y1)), top))
    for each in args.listed("cylinders") if "cylinders" in args.values else []:
        cx, cy, radius, top = read.numbers("cylinders", each, 4)
        disc = lengths.disc((cx, cy), radius)
        bodies.append(Body(outer(disc.base, disc.position_mm), top))
    return views.samples(Eye((x, y), z), shown, bodies)


def _scale(args: Given, opts: Settings) -> float:
    mode = read.one_of(args, "mode", ("nearest_published", "height_interpolated"))
    return scales.factor_of([args.length("height_mm")], replace(opts, scale_mode=mode))


def _length(args: Given, opts: Settings) -> float:
    return read.scaled(args, opts).inches(args.number("inches"))


def _allowance(args: Given, opts: Settings) -> float:
    mods = args.texts("mods")
    if not set(mods) <= {"ford", "flash", "slow"}:
        raise Unsupported("mods are ford, flash and slow")
    return scales.allowance(read.kind(args, "type"), mods, read.scaled(args, opts))


def _meet(args: Given, opts: Settings) -> dict[str, Any]:
    gap, a, b = (args.length(key) for key in ("gap_in", "a_in", "b_in"))
    contact, mine, theirs = lengths.meeting(gap, a, b)
    return {"contact": contact, "a": mine, "b": theirs}


def _need(args: Given, opts: Settings) -> int | None:
    weapon, target = read.one_of(args, "weapon", _WEAPONS), read.kind(args, "target")
    return shots.need(weapon, target, opts.inches(args.length("range_in")), opts)


def _volley(args: Given, opts: Settings) -> dict[str, Any]:
    needed = _need(args, opts)
    faces = read.faces("rolls", args.listed("rolls"))
    return {"illegal": True} if needed is None else {"hits": shots.hits(needed, faces)}


def _may_shoot(args: Given, opts: Settings) -> bool:
    return shots.may_shoot(read.one_of(args, "weapon", _WEAPONS), args.length("moved_mm"), opts)


def _hits(args: Given, opts: Settings) -> dict[str, Any]:
    kind = read.mortal(args, "type")
    taken, dead = shots.taken(kind, read.count(args, "before"), read.count(args, "new"))
    return {"taken": taken, "dead": dead}


def _melee(args: Given, opts: Settings) -> dict[str, Any]:
    single, names = read.fighter(args.text("single")), args.texts("many")
    if not names:
        raise Unsupported("many is empty")
    many = [read.fighter(name) for name in names]
    victim = args.text("victim") if "victim" in args.values else names[0]
    if victim not in names:
        raise Unsupported("victim is none of them")
    mods = tuple(args.whole(key) if key in args.values else 0 for key in ("ms", "mm"))
    found = fights.resolve(
        single, many, (read.face(args, "rs"), read.face(args, "rm")), (mods[0], mods[1]),
        names.index(victim),
    )  # fmt: skip
    return {
        "score_single": found.single, "score_many": found.many, "margin": found.margin,
        "winner": found.winner, "outcome": found.outcome,
    }  # fmt: skip


def _pairing(args: Given, opts: Settings) -> list[int]:
    n, m = read.count(args, "n", 1), read.count(args, "m", 1)
    edges = {(f"a{i:02}", f"b{j:02}"): 0.0 for i in range(n) for j in range(m)}
    found = fights.split(edges, {name: name[0] for pair in edges for name in pair})
    return sorted((len(fight.many) for fight in found), reverse=True)


def _prob_melee(args: Given, opts: Settings) -> Mapping[str, Any]:
    many = [read.fighter(name) for name in args.texts("many")]
    if not many:
        raise Unsupported("many is empty")
    return fights.odds(read.fighter(args.text("single")), many)


def _contact_fights(args: Given, opts: Settings) -> dict[str, Any]:
    edges = {}
    for each in args.listed("edges"):
        if not isinstance(each, list) or len(each) != 2:
            raise Unsupported("an edge is a pair of names")
        a, b = (Given({"edge": one}).text("edge") for one in each)
        if a[:1] != "A" or b[:1] != "B":
            raise Unsupported("an edge joins an A and a B")
        edges[a, b] = 0.0
    if len(edges) > read.MOST * 4:
        raise Unsupported("that is no brawl any more")
    found = fights.split(edges, {name: name[0] for pair in edges for name in pair})
    return {"fights": len(found), "sizes": fights.sizes(found)}


def _push(args: Given, opts: Settings) -> PointMm:
    winners = [read.pair("winners", each) for each in args.listed("winners")]
    if not winners:
        raise Unsupported("nobody has won")
    way = read.scaled(args, opts).inches(args.length("inches"))
    goal = lengths.pushed_to(winners, read.point(args, "loser"), way, None)
    if goal is None:
        raise Unsupported("no direction can be told")
    return goal


def _duel(args: Given, opts: Settings) -> dict[str, Any]:
    rounds = [read.signs(each) for each in args.listed("rounds")]
    if len(rounds) != data().whole("duel.rounds"):
        raise Unsupported("a duel has three rounds")
    won = duels.wins(rounds)
    loser = duels.hit_on(won)
    return {"wins": list(won), "hit_on": "none" if loser is None else "ab"[loser]}


def _duel_pairs(args: Given, opts: Settings) -> dict[str, Any]:
    how = opts.duel_pairs
    if "pairs" in args.values:
        how = read.one_of(args, "pairs", ("as_many_as_possible", "one_per_knot"))
    contacts = {}
    for each in args.listed("contacts"):
        if not isinstance(each, list) or len(each) != 3:
            raise Unsupported("a contact is two heroes and their gap")
        one = Given(dict(zip(("a", "b", "gap"), each, strict=True)))
        contacts[one.text("a"), one.text("b")] = one.length("gap")
    named = [read.names(each) for each in args.listed("named")]
    found, watch = duels.pairs(contacts, named, how)
    return {"duels": [list(pair) for pair in found], "watch": watch}


def _points(args: Given, opts: Settings) -> dict[str, Any]:
    points = read.count(args, "start")
    if "cap" not in args.values:
        raise Unsupported("cap is missing")
    cap = None if args.values["cap"] is None else read.count(args, "cap")
    illegal = []
    for i, op in enumerate(args.texts("ops")):
        if op in ("MEDITATE", "MEDITATE_DISTURBED"):
            points = sorcery.meditated(points, cap) if op == "MEDITATE" else points
            continue
        left = sorcery.paid(points, read.spell(op))
        if left is None:
            illegal.append(i)
        else:
            points = left
    return {"points": points, "illegal": illegal}


def _spell_roll(args: Given, opts: Settings) -> bool:
    return sorcery.works(read.spell(args.text("spell")), read.face(args, "roll"))


def _area_hit(args: Given, opts: Settings) -> bool:
    spell, kind = read.spell(args.text("spell")), read.kind(args, "type")
    if not spell.strikes_other:
        raise Unsupported("that spell strikes no area")
    return sorcery.struck(spell, kind, read.face(args, "roll"), undead=kind.undead)


def _area(args: Given, opts: Settings) -> list[bool]:
    across = read.scaled(args, opts).inches(args.length("diameter_in"))
    centre = read.point(args, "centre")
    return [
        lengths.under_template(centre, across, lengths.disc(read.pair("figures", each), 0.0), opts)
        for each in args.listed("figures")
    ]


def _counted(args: Given, opts: Settings) -> dict[str, Any]:
    spell = read.spell(args.text("spell"))
    if spell.lasts != "counted":
        raise Unsupported("that spell counts no turns")
    last = sorcery.last_turn(spell, read.turn(args, "cast_turn"), read.turn(args, "n"), opts)
    return {"last_active_turn": last}


def _wear_off(args: Given, opts: Settings) -> dict[str, Any]:
    faces = read.faces("rolls", args.listed("rolls"))
    return {"last_active_turn": sorcery.worn_off(read.turn(args, "cast_turn"), faces)}


def _shield(args: Given, opts: Settings) -> dict[str, Any]:
    for i, face in enumerate(read.faces("rolls", args.listed("rolls"))):
        if sorcery.shield_fails(face):
            return {"blocked": i, "spell_that_works": i + 1, "shield_after": "ended"}
    raise Unsupported("the shield holds")


def _within(args: Given, opts: Settings) -> list[bool]:
    opts = read.scaled(args, opts)
    hero, radius = read.disc(args, "hero", "hero_r"), args.length("radius_in")
    return [lengths.within(hero, each, radius, opts) for each in read.discs(args, "figures")]


def _big_start(args: Given, opts: Settings) -> dict[str, Any]:
    names = ("follow_me", "attack_them", "attack_at_will", "defend")
    what, turn = read.one_of(args, "instruction", names), read.turn(args, "turn")
    if ("roll" in args.values) != (what == "attack_them"):
        raise Unsupported("only attack_them has a roll")
    roll = read.face(args, "roll") if what == "attack_them" else 0
    short = what.removesuffix("_me").removesuffix("_them")
    found: dict[str, Any] = {"first_turn": sorcery.first_turn(short, turn, roll)}
    if what == "follow_me":
        found["first_stop_roll_turn"] = sorcery.first_stop_roll(turn)
    return found


def _wall_contact(args: Given, opts: Settings) -> bool:
    opts = read.on(args, opts)
    kinds = tuple(kind for key in _TERRAIN for kind in data().words[key])
    a, b = read.disc(args, "a", "ra"), read.disc(args, "b", "rb")
    wall = read.wall(args, read.one_of(args, "obstacle", kinds))
    if lengths.is_contact(lengths.edge_gap(a, b), opts):
        return True
    return wall.kind in data().words["obstacles.delaying"] and lengths.across_wall(
        a, b, box(*wall.footprint_mm[0], *wall.footprint_mm[2]), opts
    )


def _guard(args: Given, opts: Settings) -> dict[str, Any]:
    measured = "snapshot_B"
    if "measured" in args.values:
        measured = read.one_of(args, "measured", ("snapshot_A", "snapshot_B"))
    opts = read.scaled(args, opts)
    a, b = read.discs(args, "a"), read.discs(args, "b")
    post, radius = read.disc(args, "post", "r"), opts.inches(args.length("radius_in"))
    return {"target": lengths.guarded(post, b if measured == "snapshot_B" else a, radius)}


def _fly(args: Given, opts: Settings) -> dict[str, Any]:
    kind = data().types[read.one_of(args, "type", ("dragon",))]
    limit = scales.allowance(kind, (), read.scaled(args, opts))
    here = read.disc(args, "to", "r")
    fault = lengths.landing_fault(
        read.point(args, "from"), here, limit, read.discs(args, "others"), 0.0
    )
    return {"legal": True} if fault is None else {"legal": False, "reason": fault}


QUESTIONS: Final[Mapping[str, Question]] = {
    "g_gap": (("p1", "p2", "r1", "r2"), _gap),
    "g_contact": (("gap_mm", "table"), _contact),
    "g_close": (("measured_mm", "limit_mm", "sigma1", "sigma2"), _close),
    "g_path": (("from", "to", "r", "wall"), _path),
    "g_los": (("eye", "target", "r", "height", "boxes", "cylinders"), _los),
    "scale": (("height_mm", "mode"), _scale),
    "length": (("inches", "factor"), _length),
    "allowance": (("type", "factor", "mods"), _allowance),
    "meet": (("gap_in", "a_in", "b_in"), _meet),
    "need": (("weapon", "target", "range_in"), _need),
    "volley": (("weapon", "target", "range_in", "rolls"), _volley),
    "prob_hit": (("weapon", "target", "range_in"), lambda a, o: shots.chance(_need(a, o))),
    "may_shoot": (("weapon", "moved_mm"), _may_shoot),
    "hits": (("type", "before", "new"), _hits),
    "melee": (("single", "many", "rs", "rm", "ms", "mm", "victim"), _melee),
    "pairing": (("n", "m"), _pairing),
    "prob_melee": (("single", "many"), _prob_melee),
    "contact_fights": (("edges",), _contact_fights),
    "push": (("winners", "loser", "inches", "factor"), _push),
    "duel": (("rounds",), _duel),
    "duel_pairs": (("contacts", "named", "pairs"), _duel_pairs),
    "morale": (("roll", "f", "noble_game_includes_this_turn", "insult_cheers_own"), morale.test),
    "morale_prob": (("f",), morale.chances),
    "morale_two": (("before", "fear", "end", "two_tests"), morale.two_tests),
    "points": (("start", "cap", "ops"), _points),
    "spell_roll": (("spell", "roll"), _spell_roll),
    "area_hit": (("spell", "type", "roll"), _area_hit),
    "area": (("centre", "diameter_in", "factor", "figures"), _area),
    "counted_duration": (("spell", "cast_turn", "n"), _counted),
    "wear_off": (("cast_turn", "rolls"), _wear_off),
    "shield": (("rolls",), _shield),
    "within": (("hero", "hero_r", "radius_in", "factor", "figures"), _within),
    "big_start": (("instruction", "turn", "roll"), _big_start),
    "wall_contact": (("a", "b", "ra", "rb", "wall", "obstacle", "table"), _wall_contact),
    "guard": (("post", "r", "radius_in", "factor", "a", "b", "measured"), _guard),
    "fly": (("type", "from", "to", "r", "factor", "others"), _fly),
}
"""By kind: the arguments it may have, and who answers."""
