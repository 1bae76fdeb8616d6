"""Test vectors of Figurslag: their arguments read strictly and handed to the measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from engine.errors import Refused
from engine.geometry.sight import wall_visible
from engine.rulesets.figurslag import measures
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.measures import MoveFacts, Spot
from engine.rulesets.figurslag.settings import Settings, settings
from engine.table import Base, BaseShape
from engine.units import MM_PER_CM
from engine.vector_args import Given, Unsupported, asked, texts

REFUSED: Final = "refused"
_MANY_SHOTS: Final = 1000


Question: TypeAlias = tuple[tuple[str, ...], Callable[[Given, Settings], Any]]


def answer(function: str, options: Mapping[str, Any], arguments: Mapping[str, Any]) -> Any:
    """Answer one vector.

    Raises:
        Unsupported: The function, an option, its value or an argument is not known.
        Refused: An argument is of the right kind but means nothing in this game.
    """
    return asked(QUESTIONS, function, arguments, lambda: settings(options))


def _seg(args: Given, opts: Settings) -> float:
    return args.length("n") * opts.segment_mm / MM_PER_CM


def _classify(args: Given, opts: Settings) -> dict[str, Any]:
    height, up = args.length("climbed_mm"), args.truth("up", True)
    stairs = args.truth("stairs", False)
    facts = MoveFacts(
        moved_mm=args.length("moved_cm") * MM_PER_CM,
        up_mm=(height,) if up and not stairs else (),
        down_mm=(height,) if not up and not stairs else (),
        stairs_up_mm=height if up and stairs else 0.0,
        stairs_down_mm=height if not up and stairs else 0.0,
    )
    verdict = measures.classify(facts, opts)
    if verdict.flag is not None:
        return {"mode": verdict.mode, "flag": verdict.flag}
    return {"mode": verdict.mode, "may_shoot": verdict.may_shoot}


def _in_range(args: Given, opts: Settings) -> bool:
    return measures.in_range(args.text("weapon"), args.length("d_cm") * MM_PER_CM, opts)


def _spot(args: Given, key: str, rotation_deg: float | None) -> Spot:
    place = args.given(key, "x", "y", "z", "rot_deg")
    if "rot_deg" in place.values:
        rotation_deg = place.number("rot_deg")
    size_mm = data().footprints["lego_model"].base.size_mm
    return Spot(
        position_mm=(place.number("x"), place.number("y")),
        base=Base(BaseShape.SQUARE, size_mm, rotation_deg),
        level_mm=place.number("z"),
    )


def _gap(args: Given, opts: Settings) -> float:
    return measures.gap(_spot(args, "a", 0.0), _spot(args, "b", 0.0), opts).middle / MM_PER_CM


def _gap_interval(args: Given, opts: Settings) -> list[float]:
    length = measures.gap(_spot(args, "a", None), _spot(args, "b", None), opts)
    return [length.lo / MM_PER_CM, length.hi / MM_PER_CM]


def _share(args: Given, opts: Settings) -> bool:
    visible = args.length("visible")
    if visible > 1.0:
        raise Unsupported("visible is more than all of it")
    return measures.los(visible, opts)


def _wall(args: Given, opts: Settings) -> float:
    e, h, w, D, H = (args.length(key) for key in ("e", "h", "w", "D", "H"))
    if min(w, D, H) <= 0.0:
        raise Unsupported("w, D and H are more than 0")
    return wall_visible(e, h, w, D, H)


def _die(value: Any) -> int:
    return Given({"die": value}).whole("die")


def _roll(args: Given, opts: Settings) -> bool | str:
    die = args.whole("die")
    try:
        return measures.hits(die)
    except Refused:
        return REFUSED


def _resolve(args: Given, opts: Settings) -> dict[str, Any] | str:
    hits = [_die(die) for die in args.listed("hits")]
    dodges = [None if die is None else _die(die) for die in args.listed("dodges")]
    faces = range(1, data().dice_sides + 1)
    if any(die not in faces for die in [*hits, *dodges] if die is not None):
        return REFUSED
    volley = measures.resolve(hits, dodges, opts)
    return {
        "dead": volley.dead,
        "dodges_used": volley.dodges_used,
        "shots_used": volley.shots_used,
    }


def _p_kill(args: Given, opts: Settings) -> Any:
    count = args.whole("shots")
    if not 0 <= count <= _MANY_SHOTS:
        raise Unsupported("shots are out of all proportion")
    return measures.p_kill(count)


def _deploy(args: Given, opts: Settings) -> bool:
    near, far = args.number("near_mm"), args.number("far_mm")
    if near > far:
        raise Unsupported("the nearest point is farther than the farthest")
    return measures.deploy(near, far, opts)


def _roster(args: Given, opts: Settings) -> bool:
    return measures.roster([texts("models", each) for each in args.listed("models")], opts)


def _winner(args: Given, opts: Settings) -> str | None:
    living = args.given("living", *_keys(args.values.get("living")))
    counts = {team: living.whole(team) for team in living.values}
    if not counts or min(counts.values()) < 0:
        raise Unsupported("living are teams with how many they are")
    return measures.winner(counts, args.texts("conceded", []))


def _phase_next(args: Given, opts: Settings) -> dict[str, Any]:
    teams = args.texts("teams")
    if len(set(teams)) != len(teams):
        raise Unsupported("a team is there twice")
    state, team = measures.phase_next(args.text("state"), args.text("team"), teams, opts)
    return {"state": state, "team": team}


def _snap(args: Given, opts: Settings) -> dict[str, Any]:
    plates, height_mm = measures.snap(args.length("height_mm"), opts)
    return {"plates": plates, "mm": height_mm}


def _cmp(args: Given, opts: Settings) -> str:
    tol = args.length("tol")
    return str(measures.cmp(args.number("d"), args.number("limit"), tol, opts))


def _cmp_interval(args: Given, opts: Settings) -> str:
    lo, hi, limit = args.number("lo"), args.number("hi"), args.number("limit")
    if lo > hi:
        raise Unsupported("lo is above hi")
    return str(measures.cmp_interval(lo, hi, limit, args.length("tol"), opts))


def _typed(args: Given, opts: Settings) -> int | str:
    try:
        return measures.typed(args.text("text"))
    except Refused:
        return REFUSED


def _shots(args: Given, opts: Settings) -> int:
    return measures.shots(args.texts("weapons"), args.text("mode"))


QUESTIONS: Final[Mapping[str, Question]] = {
    "seg": (("n",), _seg),
    "classify": (("moved_cm", "climbed_mm", "stairs", "up"), _classify),
    "shots": (("weapons", "mode"), _shots),
    "in_range": (("weapon", "d_cm"), _in_range),
    "gap": (("a", "b"), _gap),
    "gap_interval": (("a", "b"), _gap_interval),
    "los": (("visible",), _share),
    "wall_visible": (("e", "h", "w", "D", "H"), _wall),
    "roll": (("die",), _roll),
    "resolve": (("hits", "dodges"), _resolve),
    "p_kill": (("shots",), _p_kill),
    "deploy": (("far_mm", "near_mm"), _deploy),
    "roster": (("models",), _roster),
    "winner": (("living", "conceded"), _winner),
    "phase_next": (("state", "team", "teams"), _phase_next),
    "snap": (("height_mm",), _snap),
    "cmp": (("d", "limit", "tol"), _cmp),
    "cmp_interval": (("lo", "hi", "limit", "tol"), _cmp_interval),
    "typed": (("text",), _typed),
}
"""By name: the arguments it may have, and who answers."""


def _keys(value: Any) -> tuple[str, ...]:
    if not isinstance(value, Mapping):
        return ()
    if not all(isinstance(key, str) for key in value):
        raise Unsupported("a team has a name")
    return tuple(value)
