"""Test vectors of Legowars: their arguments read strictly and handed to the measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from engine.geometry.interval import cmp
from engine.geometry.sight import wall_visible
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.measures import (
    attacks,
    dice,
    doors,
    gear,
    heights,
    lengths,
    moves,
    prices,
    teams,
    turns,
    views,
)
from engine.rulesets.legowars.measures.attacks import Goal, Strike
from engine.rulesets.legowars.settings import Settings, settings
from engine.rulesets.limits import disc
from engine.units import MM_PER_CM
from engine.vector_args import Given, Unsupported, asked

Question: TypeAlias = tuple[tuple[str, ...], Callable[[Given, Settings], Any]]

_MODES: Final = (attacks.MELEE, attacks.SHORT, attacks.LONG)
_TARGETS: Final = ("man", "horse", "vehicle", "building")
_HORSE: Final = "horse"
_MET: Final = ("terrain", "friend", "enemy", "vehicle", "body", "drop")
_MANY: Final = 100_000


def answer(function: str, options: Mapping[str, Any], arguments: Mapping[str, Any]) -> Any:
    """Answer one vector.

    Raises:
        Unsupported: The function or an argument is not known.
        Refused: An option or its value is not known.
    """
    return asked(QUESTIONS, function, arguments, lambda: settings(options))


def _creature_cost(args: Given, opts: Settings) -> float:
    return prices.creature_cost(
        *(args.number(k) for k in ("armor", "damage", "movement", "to_hit"))
    )


def _figure(args: Given, opts: Settings) -> dict[str, Any]:
    items = _things(args, "items", gear.things())
    held = gear.hands(items, opts)
    told: dict[str, Any] = {
        "armor": gear.armor(items, opts),
        "cost": gear.man_cost(items, opts),
        "hands": held,
        "legal": held <= data().whole("hands", "most"),
    }
    if "horse" in args.values:
        worn = _things(args, "horse", ("saddle", "horse_cloth"))
        told["cost"] += gear.horse_cost(worn, opts)
        told["horse_armor"] = gear.horse_armor(worn)
    return told


def _number(args: Given, opts: Settings) -> dict[str, Any]:
    needed = attacks.number(_strike(args), _goal(args), opts)
    return {"number": needed, "p": attacks.p_hit(needed)}


def _hit(args: Given, opts: Settings) -> bool:
    return attacks.hits(args.whole("number"), _face(args))


def _damage(args: Given, opts: Settings) -> dict[str, Any]:
    target = args.text("target") if "target" in args.values else "man"
    dead = target.startswith("dead_")
    kind = target.removeprefix("dead_")
    if kind not in _TARGETS:
        raise Unsupported(f"nothing is called {target!r}")
    came, breaks = attacks.outcome(
        _strike(args), _face(args), args.whole("armor"), Goal(kind, dead), opts
    )
    return {"result": came, "breaks": breaks}


def _damage_need(args: Given, opts: Settings) -> int | None:
    faces = attacks.through_faces(_strike(args), args.whole("armor"), _goal(args), opts)
    return min(faces, default=None)


def _p_damage(args: Given, opts: Settings) -> float:
    return attacks.p_damage(_strike(args), args.whole("armor"), _goal(args), opts)


def _p_kill(args: Given, opts: Settings) -> float:
    return attacks.p_kill(
        _strike(args),
        args.whole("armor"),
        _goal(args),
        opts,
        on_ladder=args.truth("on_ladder", False),
    )


def _fall(args: Given, opts: Settings) -> str:
    return "dead" if attacks.fall_kills(args.whole("armor"), _face(args), opts) else "alive"


def _move(args: Given, opts: Settings) -> dict[str, Any]:
    kind = args.one_of("kind", ("man", "dead_man", "horse", "rider", "horse_and_rider"))
    met = []
    for each in args.listed("obstacles") if "obstacles" in args.values else []:
        one = Given(each) if isinstance(each, Mapping) else None
        if one is None or set(each) - {"at_cm", "bricks", "what"}:
            raise Unsupported("an obstacle has at_cm, bricks and what")
        what = one.one_of("what", _MET) if "what" in each else moves.TERRAIN
        met.append(moves.Crossing(one.length("at_cm"), one.length("bricks"), what))
    went = moves.judge(
        kind if kind.endswith("man") else _HORSE,
        args.length("path_cm"),
        met,
        opts,
        end_overlap=args.truth("end_overlap", False),
    )
    told: dict[str, Any] = {"cost": went.cost_cm, "legal": not went.flag}
    if went.flag:
        told["flag"] = went.flag
    if went.falls:
        told["fall_roll"] = True
    return told


def _snap(args: Given, opts: Settings) -> dict[str, Any]:
    snapped = heights.snap(args.length("height_mm"), opts)
    return {"plates": snapped.plates, "bricks": snapped.bricks, "ask": snapped.ask}


def _after_climb(args: Given, opts: Settings) -> dict[str, Any]:
    kind = args.one_of("kind", ("man",))
    walk = turns.walk_after_climb_cm(teams.movement_cm(kind, opts), opts)
    return {"walk_cm": walk, "may_attack": True}


def _team_speed(args: Given, opts: Settings) -> float:
    return teams.team_speed(
        args.count("wheels", _MANY), args.count("horses", _MANY), args.count("men", _MANY), opts
    )


def _vehicle_cost(args: Given, opts: Settings) -> int:
    seats, wheels = args.count("seats", _MANY), args.count("wheels", _MANY)
    return prices.vehicle_cost(
        seats, wheels, args.count("armor", _MANY), args.count("structure", _MANY), opts
    )


def _building_cost(args: Given, opts: Settings) -> float:
    keys = ("studs", "levels", "extra_doors", "ports", "armor", "structure")
    castle = prices.Castle(*(args.count(key, _MANY) for key in keys))
    return float(prices.building_cost(castle, opts))


def _ring_studs(args: Given, opts: Settings) -> int:
    outer = args.listed("outer")
    if len(outer) != 2:
        raise Unsupported("outer is two lengths")
    a, b = (Given({"outer": each}).whole("outer") for each in outer)
    return prices.ring_studs(a, b, args.count("width", _MANY))


def _order(args: Given, opts: Settings) -> list[Any]:
    rolls = _counts(args, "rolls")
    for value in rolls.values():
        _in_die(value)
    places = turns.order(rolls)
    return [place[0] if len(place) == 1 else list(place) for place in places]


def _gap(args: Given, opts: Settings) -> float:
    a, b = (args.given(key, "x", "y", "r", "z") for key in ("a", "b"))
    discs = [
        disc(
            (one.number("x"), one.number("y")),
            one.length("r"),
            one.number("z") if "z" in one.values else 0.0,
        )
        for one in (a, b)
    ]
    return lengths.gap(discs[0], discs[1], opts).middle / MM_PER_CM


def _cmp(args: Given, opts: Settings) -> str:
    tol = args.length("tol") if "tol" in args.values else 0.0
    return cmp(args.number("d"), args.number("limit"), tol).value


def _cover(args: Given, opts: Settings) -> str:
    visible = args.length("visible")
    if visible > 1.0:
        raise Unsupported("no more than all is visible")
    return views.grade(visible, opts).value


def _blocks(args: Given, opts: Settings) -> bool:
    try:
        return views.blocks_view(args.text("what"), opts)
    except KeyError as unknown:
        raise Unsupported(f"nothing is called {unknown}") from unknown


def _flee(args: Given, opts: Settings) -> list[float]:
    at = args.point("attacker"), args.point("horse")
    return list(turns.flee_to(*at, args.length("cm") * MM_PER_CM))


def _shots(args: Given, opts: Settings) -> int | None:
    spears, bows, fired = (args.count(key, _MANY) for key in ("spears", "bows", "fired"))
    return gear.shots(spears, bows, args.truth("quiver", False), fired)


def _structure(args: Given, opts: Settings) -> dict[str, Any]:
    left = attacks.structure_after(args.count("structure", _MANY), args.count("damaging", _MANY))
    return {"left": left, "destroyed": left == 0}


def _building_start(args: Given, opts: Settings) -> dict[str, Any]:
    return {
        "armor": doors.starting_armor(args.count("armor_bought", _MANY), opts),
        "structure_left": doors.starting_structure(args.count("structure_bought", _MANY), opts),
        "doors_open": list(doors.starting_doors(args.texts("doors_open"), opts)),
    }


def _door(args: Given, opts: Settings) -> dict[str, Any]:
    kind = args.one_of("kind", (doors.DOOR, doors.DRAWBRIDGE))
    want = args.one_of("want", ("open", "close"))
    cut = args.truth("wires_cut", False)
    turned = doors.turn(kind, args.truth("open", None), cut, want)
    told: dict[str, Any] = {"open": turned.open, "legal": not turned.flag}
    if turned.flag:
        told["flag"] = turned.flag
    return told


def _winner(args: Given, opts: Settings) -> str | None:
    conceded = args.texts("conceded", []) if "conceded" in args.values else []
    living = _counts(args, "living")
    if any(side not in living for side in conceded):
        raise Unsupported("only a side gives up")
    return turns.winner(living, conceded)


def _typed(args: Given, opts: Settings) -> int | str:
    face = dice.typed(args.text("text"), opts)
    return "refused" if face is None else face


def _strike(args: Given) -> Strike:
    weapon = args.text("weapon") if "weapon" in args.values else ""
    attacker = args.one_of("attacker", ("man", _HORSE)) if "attacker" in args.values else "man"
    if weapon == _HORSE:
        weapon, attacker = "", _HORSE
    if attacker == "man" and not weapon:
        raise Unsupported("a man attacks with a weapon or unarmed")
    only_ranged = weapon in data().ranged and weapon not in data().melee
    if "mode" in args.values:
        mode = args.one_of("mode", _MODES)
    else:
        mode = attacks.SHORT if only_ranged else attacks.MELEE
    table = data().melee if mode == attacks.MELEE else data().ranged
    if weapon and weapon not in table:
        raise Unsupported(f"no {mode} weapon is called {weapon!r}")
    return Strike(mode, weapon, attacker)


def _goal(args: Given) -> Goal:
    kind = args.one_of("target", _TARGETS) if "target" in args.values else "man"
    return Goal(kind, args.truth("dead", False), args.truth("cover", False))


def _things(args: Given, key: str, known: tuple[str, ...]) -> list[str]:
    items = args.texts(key)
    for item in items:
        if item not in known:
            raise Unsupported(f"nothing is called {item!r}")
    return items


def _counts(args: Given, key: str) -> dict[str, int]:
    table = args.values.get(key)
    if not isinstance(table, Mapping) or not all(isinstance(side, str) for side in table):
        raise Unsupported(f"{key} is a number for each side")
    sides = Given(table)
    return {side: sides.count(side, _MANY) for side in table}


def _face(args: Given) -> int:
    return _in_die(args.whole("roll"))


def _in_die(value: int) -> int:
    if not 1 <= value <= data().dice_sides:
        raise Unsupported("a die shows 1 to 10")
    return value


_WALL: Final = ("e", "h", "w", "D", "H")
_ATTACK: Final = ("mode", "weapon", "attacker", "target", "dead", "cover")

QUESTIONS: Final[dict[str, Question]] = {
    "studs": (("cm",), lambda args, o: lengths.studs(args.number("cm"), o)),
    "creature_cost": (("armor", "damage", "movement", "to_hit"), _creature_cost),
    "melee_cost": (
        ("damage", "to_hit"),
        lambda args, o: prices.melee_cost(args.number("damage"), args.number("to_hit")),
    ),
    "ranged_cost": (
        ("damage", "to_hit", "long"),
        lambda args, o: prices.ranged_cost(
            args.number("damage"), args.number("to_hit"), args.length("long")
        ),
    ),
    "figure": (("items", "horse"), _figure),
    "reach": (("d_cm",), lambda args, o: lengths.in_reach(args.length("d_cm"), o)),
    "band": (
        ("weapon", "d_cm"),
        lambda args, o: lengths.band(
            args.one_of("weapon", tuple(data().ranged)), args.length("d_cm"), o
        ),
    ),
    "number": (_ATTACK, _number),
    "hit": (("number", "roll"), _hit),
    "damage": (("mode", "weapon", "attacker", "roll", "armor", "target"), _damage),
    "damage_need": ((*_ATTACK, "armor"), _damage_need),
    "p_damage": ((*_ATTACK, "armor"), _p_damage),
    "price": (("item",), lambda args, o: gear.price(args.text("item"), o)),
    "armor": (("items",), lambda args, o: gear.armor(_things(args, "items", gear.things()), o)),
    "p_kill": ((*_ATTACK, "armor", "on_ladder"), _p_kill),
    "fall": (("armor", "roll"), _fall),
    "move": (("kind", "path_cm", "obstacles", "end_overlap"), _move),
    "snap": (("height_mm",), _snap),
    "rise": (
        ("from_mm", "top_mm"),
        lambda args, o: heights.rise(args.number("from_mm"), args.number("top_mm"), o),
    ),
    "after_climb": (("kind",), _after_climb),
    "team_speed": (("wheels", "horses", "men"), _team_speed),
    "vehicle_cost": (("seats", "wheels", "armor", "structure"), _vehicle_cost),
    "building_cost": (
        ("studs", "levels", "extra_doors", "ports", "armor", "structure"),
        _building_cost,
    ),
    "levels": (("height_mm",), lambda args, o: heights.levels(args.length("height_mm"), o)),
    "ring_studs": (("outer", "width"), _ring_studs),
    "order": (("rolls",), _order),
    "gap": (("a", "b"), _gap),
    "cmp": (("d", "limit", "tol"), _cmp),
    "wall_visible": (_WALL, lambda args, o: wall_visible(*(args.length(key) for key in _WALL))),
    "cover": (("visible",), _cover),
    "blocks_view": (("what",), _blocks),
    "flee": (("attacker", "horse", "cm"), _flee),
    "shots": (("spears", "bows", "quiver", "fired"), _shots),
    "structure": (("structure", "damaging"), _structure),
    "building_start": (("armor_bought", "structure_bought", "doors_open"), _building_start),
    "door": (("kind", "open", "wires_cut", "want"), _door),
    "winner": (("living", "conceded"), _winner),
    "typed": (("text",), _typed),
}
