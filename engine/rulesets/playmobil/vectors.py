"""Test vectors of Playmobil: their arguments read strictly and handed to the measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from engine.geometry.interval import EXACT_MM
from engine.rulesets import limits
from engine.rulesets.limits import disc
from engine.rulesets.playmobil.data import TroopType, data
from engine.rulesets.playmobil.measures import attacks, lengths, reckoning, views, ways
from engine.rulesets.playmobil.settings import Settings, settings
from engine.table import PointMm
from engine.units import MM_PER_INCH
from engine.vector_args import Given, Unsupported, asked, numbers
from engine.vector_scenes import closeness, look_past_bodies, walk_past_wall

Question: TypeAlias = tuple[tuple[str, ...], Callable[[Given, Settings], Any]]

_MANY: Final = 12
_FAR: Final = 100_000


def answer(function: str, options: Mapping[str, Any], arguments: Mapping[str, Any]) -> Any:
    """Answer one vector.

    Raises:
        Unsupported: The kind or an argument is not known.
        Refused: An option or its value is not known.
    """
    return asked(QUESTIONS, function, arguments, lambda: settings(options))


def _gap(args: Given, opts: Settings) -> float:
    a = disc(args.point("p1"), args.length("r1"))
    b = disc(args.point("p2"), args.length("r2"))
    return lengths.edge_gap(a, b)


def _contact(args: Given, opts: Settings) -> bool:
    table = args.one_of("table", tuple(data().contact_tol_mm))
    return lengths.is_contact(args.length("gap_mm"), replace(opts, contact_tol_mm=table))


def _close(args: Given, opts: Settings) -> str:
    return closeness(args, lengths.close)


def _path(args: Given, opts: Settings) -> float | None:
    walker, wall, start, goal = walk_past_wall(args, 100.0, 75.0)
    return ways.mover(walker, (), (), (wall,), None).shortest(start, goal)


def _los(args: Given, opts: Settings) -> int:
    return views.samples(*look_past_bodies(args))


def _attack(args: Given, opts: Settings) -> dict[str, Any]:
    compare = opts.dice_compare
    if "compare" in args.values:
        compare = args.one_of("compare", ("highest", "sum"))
    mod = args.whole("a_mod") if "a_mod" in args.values else 0
    found = attacks.resolve(
        _faces("a", args.listed("a")), _faces("d", args.listed("d")), mod, compare
    )
    return {"attack_score": found.attack, "defend_score": found.defend, "kill": found.kill}


def _d_dice(args: Given, opts: Settings) -> int:
    modes = (attacks.MELEE, attacks.MISSILE)
    mode = args.one_of("mode", modes) if "mode" in args.values else attacks.MELEE
    arc = args.one_of("arc", (attacks.FRONT, attacks.REAR))
    return attacks.defend_dice(_type(args, "type"), _opponent(args), arc=arc, mode=mode)


def _a_dice(args: Given, opts: Settings) -> int:
    return attacks.attack_dice(
        _type(args, "type"),
        _opponent(args),
        charge=args.truth("charge", False),
        facing=args.truth("facing", True),
    )


def _odds(args: Given, opts: Settings) -> Any:
    mod = args.whole("mod") if "mod" in args.values else 0
    return attacks.odds(args.count("A", _MANY, 1), args.count("D", _MANY, 1), mod)


def _arc(args: Given, opts: Settings) -> dict[str, Any]:
    if "arc_from" in args.values:
        opts = replace(opts, circle_arc_from=args.one_of("arc_from", ("shooter", "spotter")))
    spotter = args.point("spotter") if "spotter" in args.values else None
    angle, arc = lengths.arc(
        args.point("defender"),
        args.number("facing_deg"),
        args.point("attacker"),
        opts,
        spotter,
    )
    return {"angle": angle, "arc": arc}


def _charge(args: Given, opts: Settings) -> dict[str, Any]:
    if "last" not in args.values:
        raise Unsupported("last is missing")
    last = None if args.values["last"] is None else _turn(args, "last")
    kinds = ("melee", "missile", "throw")
    reason = reckoning.charge_fault(
        last,
        _turn(args, "now"),
        engaged=args.truth("engaged", None),
        length_mm=opts.feet(args.length("length_ft")),
        attacks=args.truth("attacks", None),
        kind=args.one_of("attack_kind", kinds) if "attack_kind" in args.values else "melee",
        settings=opts,
    )
    return {"legal": True} if reason is None else {"legal": False, "reason": reason}


def _archery(args: Given, opts: Settings) -> dict[str, Any]:
    cap = args.whole("cap")
    per_hit = args.whole("kills_per_hit") if "kills_per_hit" in args.values else 1
    mod = args.whole("a_mod") if "a_mod" in args.values else 0
    if cap < 0 or per_hit not in (1, data().whole("missiles.flaming_kills")):
        raise Unsupported("no archer shoots so")
    shots = [_shot("shots", each) for each in args.listed("shots")]
    fired = kills = 0
    ended = "no_targets"
    for face, defend in shots:
        if fired >= cap:
            ended = "cap"
            break
        hit = attacks.resolve([face], defend, mod, opts.dice_compare).kill
        fired, kills = fired + 1, kills + hit * per_hit
        if not hit and not reckoning.goes_on(shots=0, cap=1, killed=hit, settings=opts):
            ended = "blocked"
            break
    return {"fired": fired, "kills": kills, "ended_by": ended}


def _chain(args: Given, opts: Settings) -> dict[str, Any]:
    tries = kills = 0
    ended = "no_targets"
    for each in args.listed("steps"):
        if not isinstance(each, list) or len(each) != 4:
            raise Unsupported("a step is a gap, a corridor and two faces")
        step = Given(dict(zip(("gap", "between", "a", "d"), each, strict=True)))
        gap = step.length("gap") * MM_PER_INCH
        a, d = _faces("steps", [each[2]]), _faces("steps", [each[3]])
        if not limits.fits(gap, replace(opts, scale_factor=1.0).reach_mm):
            ended = "out_of_reach"
            break
        if step.truth("between", None):
            ended = "obstacle"
            break
        tries += 1
        if not attacks.resolve(a, d, 0, opts.dice_compare).kill:
            ended = "blocked"
            break
        kills += 1
    return {"attacks": tries, "kills": kills, "ended_by": ended}


def _circle(args: Given, opts: Settings) -> list[bool]:
    radius, reach, link = (args.length(key) for key in ("r", "range_mm", "link_mm"))
    target = disc(args.point("target"), radius)
    archers = [limits.disc(_pair("archers", each), radius) for each in args.listed("archers")]
    sees = args.listed("sees") if "sees" in args.values else [True] * len(archers)
    if len(sees) != len(archers) or not all(isinstance(one, bool) for one in sees):
        raise Unsupported("sees is a truth value for each archer")
    found = []
    far = [lengths.range_mm(one, target, opts) for one in archers]
    for i, archer in enumerate(archers):
        links = [
            (lengths.range_mm(archer, other, opts), far[j], reach)
            for j, other in enumerate(archers)
            if j != i
        ]
        own = far[i] <= reach + EXACT_MM
        seen = sees[i]
        if opts.circle_sight_from == "spotter" and not own and not seen:
            links = [each for j, each in enumerate(links) if sees[j + (j >= i)]]
            seen = True
        found.append(seen and reckoning.in_circle(far[i], links, reach, link))
    return found


def _artillery(args: Given, opts: Settings) -> dict[str, bool]:
    target = args.one_of("target", ("elephant", "chariot", "artillery"))
    if "agreed_hits" in args.values and target != "artillery":
        raise Unsupported("hits are agreed on for artillery only")
    agreed = (
        args.whole("agreed_hits") if "agreed_hits" in args.values else opts.siege_artillery_hits
    )
    if agreed < 1:
        raise Unsupported("agreed_hits is at least one")
    hits = args.texts("hits")
    if any(hit not in (reckoning.NORMAL, reckoning.CANNON) for hit in hits):
        raise Unsupported("a hit is normal or of a cannon")
    points = reckoning.artillery_points(target, hits)
    return {"destroyed": reckoning.artillery_destroys(target, points, agreed)}


def _burn(args: Given, opts: Settings) -> dict[str, Any]:
    own = _type(args, "type")
    if not own.burns:
        raise Unsupported(f"a {own.words} does not burn")
    mod = data().whole("missiles.flaming_roll")
    hits = 0
    for each in args.listed("arrows"):
        face, defend = _shot("arrows", each)
        hits += attacks.resolve([face], defend, mod, opts.dice_compare).kill
    return {"fire_hits": hits, "burned": reckoning.burned(hits)}


def _double(args: Given, opts: Settings) -> dict[str, Any]:
    mode = opts.chariot_double
    if "mode" in args.values:
        mode = args.one_of("mode", ("each", "both_or_none"))
    men = [_faces(key, args.listed(key)) for key in ("d1", "d2")]
    kills, on = attacks.double_strike(_faces("a", args.listed("a")), men, mode, opts.dice_compare)
    return {"kills": kills, "may_go_on": on}


def _rampage(args: Given, opts: Settings) -> dict[str, Any]:
    gaps = [Given({"gap": each}).length("gap") for each in args.listed("gaps")]
    near = reckoning.nearest(gaps, args.length("rage_mm"))
    least = min(near, key=lambda i: gaps[i], default=None)
    return {"target": least}


def _wait(args: Given, opts: Settings) -> dict[str, Any]:
    ready = reckoning.ready_turn(
        _turn(args, "declared"),
        attacked=args.truth("attacked", None),
        moved=args.truth("moved", None),
    )
    return {"ready_turn": ready}


def _clock(args: Given, opts: Settings) -> dict[str, int]:
    men, guns = args.whole("men"), args.whole("guns")
    if min(men, guns) < 0:
        raise Unsupported("counts are not below 0")
    return {"minutes": reckoning.minutes(men, guns)}


def _length(args: Given, opts: Settings) -> float:
    factor = args.number("factor")
    if factor <= 0.0:
        raise Unsupported("a factor is more than 0")
    return replace(opts, scale_factor=factor).inches(args.number("inches"))


QUESTIONS: Final[Mapping[str, Question]] = {
    "g_gap": (("p1", "p2", "r1", "r2"), _gap),
    "g_contact": (("gap_mm", "table"), _contact),
    "g_close": (("measured_mm", "limit_mm", "sigma1", "sigma2"), _close),
    "g_path": (("from", "to", "r", "wall"), _path),
    "g_los": (("eye", "target", "r", "height", "boxes", "cylinders"), _los),
    "attack": (("a", "d", "a_mod", "compare"), _attack),
    "d_dice": (("type", "opp", "arc", "mode"), _d_dice),
    "a_dice": (("type", "opp", "charge", "facing"), _a_dice),
    "odds": (("A", "D", "mod"), _odds),
    "arc": (("defender", "attacker", "facing_deg", "spotter", "arc_from"), _arc),
    "charge": (("last", "now", "engaged", "length_ft", "attacks", "attack_kind"), _charge),
    "archery": (("shots", "cap", "a_mod", "kills_per_hit"), _archery),
    "chain": (("steps",), _chain),
    "circle": (("range_mm", "link_mm", "r", "target", "archers", "sees"), _circle),
    "artillery": (("target", "hits", "agreed_hits"), _artillery),
    "burn": (("type", "arrows"), _burn),
    "double_strike": (("a", "d1", "d2", "mode"), _double),
    "rampage": (("gaps", "rage_mm"), _rampage),
    "wait": (("declared", "attacked", "moved"), _wait),
    "clock": (("men", "guns"), _clock),
    "length": (("inches", "factor"), _length),
}
"""By kind: the arguments it may have, and who answers."""


def _type(args: Given, key: str) -> TroopType:
    return data().types[args.one_of(key, tuple(data().types))]


def _opponent(args: Given) -> TroopType | None:
    return _type(args, "opp") if "opp" in args.values else None


def _turn(args: Given, key: str) -> int:
    value = args.whole(key)
    if not 1 <= value <= _FAR:
        raise Unsupported(f"{key} is no own turn")
    return value


def _faces(name: str, values: Any) -> list[int]:
    if not isinstance(values, list) or not values:
        raise Unsupported(f"{name} is no list of faces")
    faces = [Given({name: each}).whole(name) for each in values]
    if not all(1 <= face <= data().whole("dice.sides") for face in faces):
        raise Unsupported(f"{name} has no face of a die")
    return faces


def _shot(name: str, value: Any) -> tuple[int, list[int]]:
    if not isinstance(value, list) or len(value) != 2:
        raise Unsupported(f"{name} are pairs of a face and faces")
    return _faces(name, [value[0]])[0], _faces(name, value[1])


def _pair(name: str, value: Any) -> PointMm:
    x, y = numbers(name, value, 2)
    return (x, y)
