"""Test vectors of Deathzap: their arguments read strictly and handed to the measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, TypeAlias

from engine.rulesets import limits
from engine.rulesets.deathzap.data import FighterClass, data
from engine.rulesets.deathzap.measures import attacks, bands, chains, lengths, views, ways
from engine.rulesets.deathzap.settings import Settings, settings
from engine.rulesets.limits import disc
from engine.vector_args import Given, Unsupported, asked, given, numbers
from engine.vector_scenes import closeness, look_past_bodies, walk_past_wall

Question: TypeAlias = tuple[tuple[str, ...], Callable[[Given, Settings], Any]]

_MANY: Final = 1000
_TALL_MM: Final = 10_000.0


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
    return lengths.is_contact(args.length("gap_mm"), _on(args, opts, needed=True))


def _close(args: Given, opts: Settings) -> str:
    return closeness(args, lengths.close)


def _path(args: Given, opts: Settings) -> float | None:
    walker, wall, start, goal = walk_past_wall(args, _TALL_MM, 40.0)
    return ways.mover(walker, (), (wall,), None, opts).shortest(start, goal)


def _los(args: Given, opts: Settings) -> int:
    return views.samples(*look_past_bodies(args))


def _need(args: Given, opts: Settings) -> int:
    return attacks.need(_might(args, "a"), _might(args, "t"))


def _dice(args: Given, opts: Settings) -> int | None:
    kind, action = _class(args), args.one_of("action", ("melee", "ranged"))
    boost = args.count("boost", _MANY) if "boost" in args.values else 0
    near = args.values.get("range_in") is not None
    close = near and args.length("range_in") <= kind.close_in
    if action == "melee":
        return attacks.melee_dice(kind, boost)
    return attacks.ranged_dice(kind, close=close, boost=boost)


def _attack(args: Given, opts: Settings) -> dict[str, Any]:
    faces = [_face({"face": face}, "face") for face in args.listed("rolls")]
    mod = args.whole("mod") if "mod" in args.values else 0
    always = data().classes["Sniper"].always_hits_on if args.truth("sniper", False) else ()
    needed = attacks.need(_might(args, "a"), _might(args, "t"))
    hits = attacks.count_hits(faces, needed, mod, always)
    return {"hits": hits, "result": attacks.result(hits, wounded=args.truth("wounded", False))}


def _p_kill(args: Given, opts: Settings) -> Any:
    dice, needed = args.count("dice", _MANY), args.whole("need")
    if needed not in {line.need for line in data().might_table}:
        raise Unsupported("need is no face the Might table knows")
    return attacks.p_kill(dice, needed, args.whole("mod"))


def _warband(args: Given, opts: Settings) -> list[str]:
    fighters = []
    for each in args.listed("fighters"):
        if not isinstance(each, list) or len(each) != 2:
            raise Unsupported("a fighter is a class and its Might")
        fighter = Given({"class": each[0], "might": each[1]})
        fighters.append((_class(fighter).name, fighter.whole("might")))
    return bands.faults(fighters, opts)


def _chain(args: Given, opts: Settings) -> dict[str, str]:
    player, fighter = args.one_of("active", ("A", "B")), args.text("fighter")
    multi = opts.chain_multi
    if "multi" in args.values:
        multi = args.one_of("multi", ("last_attack", "any_survivor", "any_kill"))
    told = [
        (each.text("target"), each.truth("killed", None))
        for each in (
            given(item, "attacks", ("target", "killed")) for item in args.listed("attacks")
        )
    ]
    follows = chains.next_activation(fighter, told, args.count("alive_own", _MANY), multi)
    other = "B" if player == "A" else "A"
    anyone = "any" if follows.not_again is None else f"any_except_{follows.not_again}"
    return {
        "next_player": player if follows.same_player else other,
        "fighter": follows.fighter or anyone,
    }


def _actions(args: Given, opts: Settings) -> int:
    stunned = args.truth("stunned", False)
    return bands.actions(stunned=stunned or args.truth("just_wounded", False))


def _may(args: Given, opts: Settings) -> bool:
    kind = _class(args)
    action = args.one_of("action", ("charge", "ranged", "defend", "melee"))
    return {
        "charge": kind.charge,
        "ranged": kind.ranged_dice is not None,
        "defend": kind.defend,
        "melee": kind.melee_dice > 0,
    }[action]


def _morale(args: Given, opts: Settings) -> dict[str, Any]:
    killer, other, broken = bands.morale(
        args.count("killed", _MANY),
        args.count("left", _MANY),
        _face(args.values, "roll_killer"),
        _face(args.values, "roll_other"),
    )
    return {"killer": killer, "other": other, "broken": broken}


def _p_morale(args: Given, opts: Settings) -> Any:
    return bands.p_morale(args.count("killed", _MANY), args.count("left", _MANY))


def _vis_mod(args: Given, opts: Settings) -> int | str:
    free = args.count("free_samples", _MANY)
    if free > views.sample_count():
        raise Unsupported("there are not so many samples")
    seen = views.grade(free, opts)
    if seen is views.Sight.NONE and opts.ranged_hidden == "forbid":
        return "illegal"
    return attacks.modifier(partly_hidden=seen is not views.Sight.ENTIRELY, defending=False)


def _deploy(args: Given, opts: Settings) -> bool:
    scaled = _scaled(args, opts)
    y, r = args.number("y_mm"), args.length("r")
    return lengths.in_strip(y - r, y + r, scaled)


def _move(args: Given, opts: Settings) -> bool:
    limit = lengths.move_mm(_class(args), _scaled(args, opts))
    return limits.fits(args.length("path_mm"), limit)


def _charge_reach(args: Given, opts: Settings) -> bool:
    opts = _on(args, _scaled(args, opts))
    if "reach" in args.values:
        reach = args.one_of("reach", ("gap_less_tolerance", "gap"))
        opts = replace(opts, charge_reach=reach)
    a = disc(args.point("from"), args.length("r1"))
    b = disc(args.point("to"), args.length("r2"))
    move = lengths.move_mm(_class(args), opts)
    return lengths.charge_offered(lengths.edge_gap(a, b), move, opts)


def _ranged_target(args: Given, opts: Settings) -> bool:
    opts = _on(args, opts, needed=True)
    if "in_contact" in args.values:
        allow = args.one_of("in_contact", ("not_at_own_contact", "allow"))
        opts = replace(opts, ranged_in_contact=allow)
    for each in args.listed("others") if "others" in args.values else []:
        numbers("others", each, 3)  # read, and of no effect (DZ-RNG-08)
    a = disc(args.point("shooter"), args.length("r1"))
    b = disc(args.point("target"), args.length("r2"))
    return lengths.may_shoot_at(lengths.edge_gap(a, b), opts)


QUESTIONS: Final[Mapping[str, Question]] = {
    "g_gap": (("p1", "p2", "r1", "r2"), _gap),
    "g_contact": (("gap_mm", "table"), _contact),
    "g_close": (("measured_mm", "limit_mm", "sigma1", "sigma2"), _close),
    "g_path": (("from", "to", "r", "wall"), _path),
    "g_los": (("eye", "target", "r", "height", "boxes", "cylinders"), _los),
    "need": (("a", "t"), _need),
    "dice": (("class", "action", "boost", "range_in"), _dice),
    "attack": (("a", "t", "rolls", "mod", "sniper", "wounded"), _attack),
    "p_kill": (("dice", "need", "mod"), _p_kill),
    "warband": (("fighters",), _warband),
    "chain": (("active", "fighter", "attacks", "alive_own", "multi"), _chain),
    "actions": (("stunned", "just_wounded"), _actions),
    "may": (("class", "action"), _may),
    "morale": (("killed", "left", "roll_killer", "roll_other"), _morale),
    "p_morale": (("killed", "left"), _p_morale),
    "vis_mod": (("free_samples",), _vis_mod),
    "deploy": (("y_mm", "r", "factor"), _deploy),
    "move": (("class", "path_mm", "factor"), _move),
    "charge_reach": (
        ("class", "from", "to", "r1", "r2", "factor", "table", "reach"),
        _charge_reach,
    ),
    "ranged_target": (
        ("shooter", "target", "r1", "r2", "table", "others", "in_contact"),
        _ranged_target,
    ),
}
"""By kind: the arguments it may have, and who answers."""


def _class(args: Given) -> FighterClass:
    name = args.text("class")
    if name not in data().classes:
        raise Unsupported(f"{name} is no class")
    return data().classes[name]


def _might(args: Given, key: str) -> int:
    value = args.whole(key)
    if value < data().might_min:
        raise Unsupported(f"{key} is no Might")
    return value


def _face(values: Mapping[str, Any], key: str) -> int:
    face = Given(values).whole(key)
    if not 1 <= face <= data().dice_sides:
        raise Unsupported(f"{key} is no face of a die")
    return face


def _scaled(args: Given, opts: Settings) -> Settings:
    factor = args.number("factor")
    if factor <= 0.0:
        raise Unsupported("a factor is more than 0")
    return replace(opts, scale_factor=factor)


def _on(args: Given, opts: Settings, *, needed: bool = False) -> Settings:
    if "table" not in args.values and not needed:
        return opts
    return replace(opts, contact_tol_mm=args.one_of("table", tuple(data().contact_tol_mm)))
