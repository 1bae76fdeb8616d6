"""Every option that has a choice changes what happens at the table."""

from collections.abc import Callable

import pytest

from engine.rulesets import by_id
from tests.engine.deathzap.skirmish import aim_of, deployed, recruited, skirmish
from tests.engine.deathzap.test_fights import KILL_THEN_MISS, MISS_THEN_KILL, duel, two_attacks
from tests.engine.deathzap.test_moves import alone
from tests.engine.deathzap.test_moves import duel as apart
from tests.engine.tables import box

INFO = by_id("deathzap").info
BLUE = [("Soldier", 5, (300, 500))]
Options = dict[str, object]


def moved(o: Options, far: float, **kw) -> object:
    game = alone("Soldier", o, **kw)
    game.put("r1", (300.0, 200.0 + far))
    asked = game.state.question is not None
    return "asked" if asked else game.unit("r1").mark("open_code") or "moved"


def warband(o: Options, *mights: int) -> str:
    game = recruited([("Soldier", m, (0, 0)) for m in mights], BLUE, o)
    return str(game.do("ready")[0].event.rule)


def behind_shrine(o: Options) -> str:
    game = duel("Soldier", "Soldier", 100.0, o)
    game.terrain = (box("altar", 200, 250, 400, 320, 90.0),)
    game.shift(r1=(300.0, 200.0), b1=(300.0, 400.0))
    return aim_of(game, "ranged", "r1", "b1").rule


def shrine_in_the_way(o: Options) -> object:
    game = alone("Soldier", o, at=(300, 250))
    game.terrain = (box("altar", 200, 270, 400, 310, 90.0),)
    game.look()
    game.put("r1", (300.0, 322.0))
    return game.unit("r1").mark("open_code") or "moved"


def placed(o: Options, y: float) -> object:
    game = recruited(BLUE, BLUE, o)
    game.do("ready")
    game.do("answer", value="last_attack")
    game.do("roll_off", dice=(6, 1))
    game.do("edge", value="south")
    game.put("r1", (60.0, y))
    return game.unit("r1").mark("open_code") or "placed"


def shown(o: Options) -> str:
    game = recruited(BLUE, BLUE, o)
    game.do("ready")
    return game.state.phase


def shot(o: Options, gap: float, kind: str = "Soldier", terrain: tuple = ()) -> str:
    game = duel(kind, "Soldier", gap, o, terrain=terrain)
    target = aim_of(game, "ranged", "r1", "b1")
    return f"{'yes' if target.allowed else 'no'} {target.rule}"


def dice(o: Options, gap: float) -> int:
    game = duel("Gunslinger", "Soldier", gap, o)
    game.do("ranged", figure_id="r1", target_id="b1")
    if game.state.question is not None:
        game.do("answer", value="yes")
    return game.option("roll").dice[0]


def mod(o: Options, terrain: tuple = (), friend: bool = False) -> str:
    game = duel("Soldier", "Soldier", 100.0, o, terrain=terrain)
    if friend:
        game.shift(r2=(300.0, 260.0))
    text = aim_of(game, "ranged", "r1", "b1").text
    return "partly" if "not entirely visible" in text else text


def touches(o: Options, gap: float) -> bool:
    return bool(aim_of(duel("Soldier", "Soldier", gap, o), "melee", "r1", "b1").allowed)


def stale(o: Options) -> int:
    game = duel("Soldier", "Soldier", 100.0, o, pick=None)
    count = 0
    while game.state.phase == "PICK":
        name = "r1" if game.state.active_side == "red" else "b1"
        game.do("pick", figure_id=name)
        game.do("finish")
        count += 1
    return count


def nudged(o: Options, by: float) -> object:
    game = alone("Soldier", o)
    x, y = game.figures["b1"].position_mm
    game.put("b1", (x - by, y))
    return game.unit("b1").mark("open_code")


def put_back(o: Options, by: float) -> object:
    game = alone("Soldier", o)
    x, y = game.figures["b1"].position_mm
    game.put("b1", (x - 60.0, y))
    game.put("b1", (x - by, y))
    return game.unit("b1").mark("open") or "back"


def depth(o: Options) -> float:
    game = deployed(recruited(BLUE, BLUE, o, size=(1219.2, 1219.2)))
    return dict(game.state.options)["dz.deploy.depth_in"]


SEEN = "100 mm, 3 dice, fours and up hit"
WALL = (box("wall", 200, 240, 400, 250, 90.0),)
NEAR = (box("near", 200, 285, 400, 295, 36.0),)
POST = (box("post", 303, 250, 330, 260, 60.0),)
CASES: list[tuple[str, object, Callable[[Options], object], object]] = [
    ("dz.scale.factor", 1.0, lambda o: moved(o, 100.0), "TOO_FAR"),
    ("dz.scale.factor", 2.0, lambda o: moved(o, 100.0, size=(1219.2, 1219.2)), "moved"),
    ("dz.points.standard", 20, lambda o: warband(o, 11, 10), "DZ-WB-06"),
    ("dz.points.standard", 21, lambda o: warband(o, 11, 10), "DZ-WB-13"),
    ("dz.points.standard", 200, lambda o: warband(o, 101, 99), "DZ-WB-13"),
    ("dz.points.exact", False, lambda o: warband(o, 5, 5), "DZ-WB-13"),
    ("dz.points.exact", True, lambda o: warband(o, 5, 5), "DZ-WB-06"),
    ("dz.shrine", "terrain", behind_shrine, "DZ-RNG-07"),
    ("dz.shrine", "none", behind_shrine, "DZ-RNG-05"),
    ("dz.shrine", "terrain", shrine_in_the_way, "TOO_FAR"),
    ("dz.shrine", "none", shrine_in_the_way, "moved"),
    ("dz.deploy.rule", "wholly", lambda o: placed(o, 148.0), "DEPLOY_ZONE"),
    ("dz.deploy.rule", "centre", lambda o: placed(o, 148.0), "placed"),
    ("dz.deploy.rule", "centre", lambda o: placed(o, 158.0), "DEPLOY_ZONE"),
    ("dz.deploy.depth_in", 6, lambda o: placed(o, 120.0), "placed"),
    ("dz.deploy.depth_in", 4, lambda o: placed(o, 120.0), "DEPLOY_ZONE"),
    ("dz.setup.show", "dz.chain.multi", shown, "SETUP"),
    ("dz.setup.show", "nothing", shown, "ROLL_OFF"),
    ("dz.chain.multi", "last_attack", lambda o: two_attacks_of(o, MISS_THEN_KILL), "red"),
    ("dz.chain.multi", "any_survivor", lambda o: two_attacks_of(o, MISS_THEN_KILL), "blue"),
    ("dz.chain.multi", "any_kill", lambda o: two_attacks_of(o, KILL_THEN_MISS), "red"),
    ("dz.ranged.max_in", None, lambda o: shot(o, 340.0), "yes DZ-RNG-05"),
    ("dz.ranged.max_in", 12, lambda o: shot(o, 340.0), "no DZ-RNG-06"),
    ("dz.ranged.max_in", 12, lambda o: shot(o, 300.0), "yes DZ-RNG-05"),
    ("dz.ranged.hidden", "forbid", lambda o: shot(o, 100.0, terrain=WALL), "no DZ-RNG-07"),
    ("dz.ranged.hidden", "minus_one", lambda o: shot(o, 100.0, terrain=WALL), "yes DZ-RNG-05"),
    ("dz.ranged.hidden", "minus_one", lambda o: mod(o, WALL), "partly"),
    ("dz.ranged.in_contact", "not_at_own_contact", lambda o: shot(o, 2.0), "no DZ-RNG-08"),
    ("dz.ranged.in_contact", "allow", lambda o: shot(o, 2.0), "yes DZ-RNG-05"),
    ("dz.charge.reach", "gap_less_tolerance", lambda o: charged(o, 80.0), True),
    ("dz.charge.reach", "gap", lambda o: charged(o, 80.0), False),
    ("dz.terrain.step_over_in", 1.0, lambda o: moved(o, 60.0, terrain=(HILL,)), "TOO_FAR"),
    ("dz.terrain.step_over_in", 2.0, lambda o: moved(o, 60.0, terrain=(HILL,)), "moved"),
    ("dz.stalemate", 20, stale, 20),
    ("dz.stalemate", 5, stale, 5),
    ("geom.range_mode", "edge", lambda o: dice(o, 140.0), 4),
    ("geom.range_mode", "centre", lambda o: dice(o, 140.0), 3),
    ("geom.contact_tol_mm", "lego", lambda o: touches(o, 7.0), False),
    ("geom.contact_tol_mm", "lego_on_studs", lambda o: touches(o, 7.0), True),
    ("geom.contact_tol_mm", "playmobil", lambda o: touches(o, 7.0), True),
    ("geom.contact_tol_mm", "playmobil", lambda o: touches(o, 8.5), False),
    ("geom.place_tol_mm", 10.0, lambda o: put_back(o, 14.0), "flag"),
    ("geom.place_tol_mm", 10.0, lambda o: put_back(o, 10.5), "flag"),
    ("geom.place_tol_mm", 10.0, lambda o: put_back(o, 9.5), "back"),
    ("geom.place_tol_mm", 20.0, lambda o: put_back(o, 14.0), "back"),
    ("geom.move_epsilon_mm", 6.0, lambda o: nudged(o, 8.0), "WRONG_PLAYER"),
    ("geom.move_epsilon_mm", 10.0, lambda o: nudged(o, 8.0), None),
    ("geom.close_policy", "favour_actor", lambda o: moved(o, 77.5), "moved"),
    ("geom.close_policy", "ask", lambda o: moved(o, 77.5), "asked"),
    ("geom.close_policy", "strict", lambda o: moved(o, 77.5), "TOO_FAR"),
    ("geom.close_policy", "ask", lambda o: dice(o, 152.0), 4),
    ("geom.los.figures_block", "partial_only", lambda o: mod(o, friend=True), "partly"),
    ("geom.los.figures_block", "true", lambda o: hidden_by_friend(o), "DZ-RNG-07"),
    (
        "geom.los.figures_block",
        "false",
        lambda o: mod(o, friend=True),
        SEEN,
    ),
    ("geom.los.full_min", 0.93, lambda o: mod(o, POST), "partly"),
    ("geom.los.full_min", 0.5, lambda o: mod(o, POST), SEEN),
    ("geom.los.none_max", 0.0, lambda o: shot(o, 100.0, terrain=NEAR), "yes DZ-RNG-05"),
    ("geom.los.none_max", 0.3, lambda o: shot(o, 100.0, terrain=NEAR), "no DZ-RNG-07"),
]
HILL = box("hill", 0, 215, 609, 400, 38.0)


def two_attacks_of(o: Options, told) -> str:
    return two_attacks(o["dz.chain.multi"], *told)[0]


def charged(o: Options, gap: float) -> bool:
    return bool(aim_of(apart("Warrior", gap, o), "charge", "r1", "b1").allowed)


def hidden_by_friend(o: Options) -> str:
    game = skirmish(
        [("Soldier", 5, (300, 200)), ("Soldier", 2, (300, 225))],
        [("Soldier", 5, (300, 500))],
        o,
        pick="r1",
    )
    return aim_of(game, "ranged", "r1", "b1").rule


@pytest.mark.parametrize(
    ("key", "value", "play", "expected"),
    CASES,
    ids=[f"{key}={value}-{i}" for i, (key, value, _, _) in enumerate(CASES)],
)
def test_option(key, value, play, expected):
    """DZ-GEN-03, DZ-WB-11, DZ-WB-14, DZ-BOARD-03, DZ-BOARD-04, DZ-RNG-06, DZ-GEO-14 by choice."""
    assert play({key: value}) == expected


def test_every_value_of_every_choice_is_played():
    """Templates are laid by no rule; theirs is tested with the measures."""
    played = {(key, value) for key, value, _, _ in CASES}
    for option in INFO.options:
        if len(option.choices) > 1 and option.key != "geom.template_rule":
            for choice in option.choices:
                assert (option.key, choice) in played, (option.key, choice)
        if option.span is not None:
            assert sum(key == option.key for key, _ in played) >= 2, option.key


def test_a_close_range_is_asked_about():
    """DZ-GEO-14, DZ-RNG-04."""
    game = duel("Gunslinger", "Soldier", 152.0, {"geom.close_policy": "ask"})
    game.do("ranged", figure_id="r1", target_id="b1")
    assert game.state.question.question_id == "close/b1"
    game.do("answer", value="no")
    assert game.option("roll").dice[0] == 3
    far = duel("Soldier", "Soldier", 305.0, {"geom.close_policy": "ask", "dz.ranged.max_in": 12})
    far.do("ranged", figure_id="r1", target_id="b1")
    assert far.state.question.question_id == "range/b1"
    far.do("answer", value="no")
    assert far.state.phase == "CHOOSE_ACTION"
    assert aim_of(far, "ranged", "r1", "b1").rule == "DZ-RNG-06"
    near = duel("Soldier", "Soldier", 304.0, {"geom.close_policy": "ask", "dz.ranged.max_in": 12})
    near.do("ranged", figure_id="r1", target_id="b1")
    near.do("answer", value="no")
    assert aim_of(near, "ranged", "r1", "b1").text == "Blue 1 is out of range by your ruler"
    assert "ruler" not in aim_of(near, "ranged", "r1", "b2").text
