"""What the players agreed on shows at the table: each reading against the usual one."""

from dataclasses import replace

import pytest

from engine.armies.lists import read_army
from engine.army import reckon
from engine.rulesets.legowars.hauling import team_words
from engine.rulesets.legowars.settings import settings_of
from engine.table import FigureState
from tests.engine.legowars.battle import Battle, battle, block, duel, kinds, last, mark
from tests.engine.legowars.test_engines import (
    falling_keep,
    gunners,
    refused,
    rider,
    to_attack,
    wagon,
)
from tests.engine.legowars.test_play import FAR, KEEP, alone, at_ladder, code

BOW = ("bow", "quiver")


def fate(game, weapon, *dice, target="b1") -> bool:
    """Whether the target lives after an attack with those dice."""
    game.attack("r1", weapon, target, *dice)
    return game.unit(target).alive


def mode(gap, how) -> str:
    """The range band of a bow, or the rule that forbids the shot."""
    game = duel(gap, *BOW, options={"range_gap": how})
    aim = game.aim_of("r1", "bow", "b1")
    if not aim.allowed:
        return aim.rule
    game.attack("r1", "bow", "b1")
    return dict(game.state.marks)["aim_mode"]


# --- striking and shooting -------------------------------------------------------------------


@pytest.mark.parametrize(("bare", "lives"), [(0, False), (-2, True)])
def test_bare_hands(bare, lives):
    """LW-DMG-03, LW-AMB-02: 6 of damage against 5."""
    game = duel(30, options={"unarmed_damage": bare})
    assert fate(game, "unarmed", 7, 6) is lives


@pytest.mark.parametrize(("reach", "far"), [(5.0, 50), (4.8, 48), (4.5, 45)])
def test_reach_of_blows(reach, far):
    """LW-MEL-02, LW-AMB-04: up to and including so many centimetres."""
    o = {"melee_reach_cm": reach}
    for gap, allowed in ((far, True), (far + 1, False)):
        assert duel(gap, options=o).aim_of("r1", "unarmed", "b1").allowed is allowed


@pytest.mark.parametrize(
    ("how", "bands"),
    [
        ("continuous", ["short", "long", "long", "long", "LW-FLAG-10"]),
        ("round_half_up", ["short", "short", "long", "long", "long"]),
        ("floor", ["short", "short", "short", "long", "long"]),
        ("dead_zone", ["short", "LW-RNG-05", "LW-RNG-05", "long", "LW-FLAG-10"]),
    ],
)
def test_between_the_bands(how, bands):
    """LW-RNG-05, LW-AMB-08: a bow at 20, 20.4, 20.6, 21 and 60.4 cm."""
    assert [mode(gap, how) for gap in (200, 204, 206, 210, 604)] == bands


@pytest.mark.parametrize(
    ("o", "turned", "allowed"),
    [
        ({}, 180.0, True),
        ({"use_facing": True}, 180.0, False),
        ({"use_facing": True}, 91.0, False),
        ({"use_facing": True}, 89.0, True),
    ],
)
def test_where_he_looks(o, turned, allowed):
    """LW-MEL-01, LW-AMB-60: facing never matters, or within a half circle."""
    game = duel(30, "sword", options=o)
    game.figures["r1"] = replace(game.figures["r1"], facing_deg=turned)
    game.look()
    assert game.aim_of("r1", "sword", "b1").allowed is allowed


def hidden(o) -> str:
    """A wall of 28.8 mm hides 24 of 40 mm of the target: by the height of the sight line."""
    wall = block("w", 380, 300, 384, 500, 28.8)
    game = duel(150, *BOW, terrain=(wall,), options=o)
    aim = game.aim_of("r1", "bow", "b1")
    return aim.rule if not aim.allowed else "cover" if "in cover" in aim.text else "clear"


def test_shares_that_are_hidden():
    """LW-COV-03, LW-COV-06, LW-AMB-09, LW-AMB-10: three fifths hidden."""
    assert hidden({}) == "cover"
    assert hidden({"full_block_min_hidden": 0.55}) == "LW-FLAG-11"
    assert hidden({"full_block_min_hidden": 0.7}) == "cover"
    assert hidden({"cover_min_hidden": 0.5}) == "cover"
    low = block("w", 380, 300, 384, 500, 25.6)  # 17.4 mm
    for share, found in ((0.4, True), (0.45, False)):
        game = duel(150, *BOW, terrain=(low,), options={"cover_min_hidden": share})
        assert ("in cover" in game.aim_of("r1", "bow", "b1").text) is found


def between(o, state=FigureState.STANDING, x=380.0) -> str:
    """How a bowman sees his target with a friend on the way."""
    red = {"r1": ((300, 400), BOW), "r2": ((x, 400), ())}
    game = battle(red, {"b1": ((470, 400), ())}, o)
    game.lay("r2", state)
    game.do("done")
    game.do("done")
    aim = game.aim_of("r1", "bow", "b1")
    return aim.rule if not aim.allowed else "cover" if "in cover" in aim.text else "clear"


def test_men_and_bodies_on_the_way():
    """LW-COV-02, LW-AMB-10."""
    assert between({}) == "LW-FLAG-11"
    assert between({"figures_give_cover": False}) == "clear"
    assert between({}, FigureState.LYING, 440.0) == "cover"
    assert between({"bodies_give_cover": False}, FigureState.LYING, 440.0) == "clear"


def test_a_horse_hides_its_rider():
    """LW-COV-04, LW-AMB-10: where it is agreed, and he hides it."""
    found = {}
    for agreed in (False, True):
        game = Battle({"mount_gives_cover": agreed})
        game.join("rh", "red", (300, 400), "saddle", kind="horse")
        game.join("r1", "red", (300, 426))
        game.join("b1", "blue", (500, 400), *BOW)
        game.start("red")
        game.do("mount", figure_id="r1", target_id="rh")
        game.figures["r1"] = replace(
            game.figures["r1"], position_mm=(300.0, 400.0), state=FigureState.RIDER
        )
        game.look()
        to_attack(game).do("done")
        aims = [game.aim_of("b1", "bow", name) for name in ("r1", "rh")]
        found[agreed] = [aim.allowed and "in cover" not in aim.text for aim in aims]
    assert found == {False: [True, True], True: [False, False]}


@pytest.mark.parametrize(
    ("how", "left"), [("minus_one", 19), ("no_special", 20), ("destroy", None)]
)
def test_a_ten_against_a_wall(how, left):
    """LW-DMG-10, LW-AMB-12: 14 of damage against 15."""
    game = falling_keep({"nat10_vs_structure": how})
    game.attack("r1", "halberd", "keep", 2, 10)
    assert game.unit("keep").alive is (left is not None)
    assert left is None or game.unit("keep").mark("structure") == left


@pytest.mark.parametrize(("beats", "lives"), [(True, True), (False, False)])
def test_a_one_that_would_do(beats, lives):
    """LW-DMG-05, LW-AMB-13: 1 and 4 against 5; the halberd breaks in any case."""
    game = duel(30, "halberd", options={"nat1_beats_armor_total": beats})
    assert fate(game, "halberd", 5, 1) is lives
    assert "halberd" not in game.unit("r1").equipment


@pytest.mark.parametrize(
    ("o", "worn", "lives"),
    [
        ({}, ("leather", "plate"), False),
        ({"torso_armor": "add_all"}, ("leather", "plate"), True),
        ({}, ("shield", "shield", "plate", "helmet"), True),
    ],
)
def test_armor_upon_armor(o, worn, lives):
    """LW-ARM-06, LW-AMB-18: 9 of damage."""
    assert fate(duel(30, "halberd", other=worn, options=o), "halberd", 5, 5) is lives


@pytest.mark.parametrize(("most", "lives"), [(1, False), (2, True)])
def test_two_shields(most, lives):
    """LW-ARM-07, LW-AMB-18: 6 of damage."""
    game = duel(30, "halberd", other=("shield", "shield"), options={"max_shields": most})
    assert fate(game, "halberd", 5, 2) is lives


@pytest.mark.parametrize(("how", "number"), [("as_written", 10), ("ignore_weapon_to_hit", 2)])
def test_a_ram_at_a_wall(how, number):
    """LW-SIEGE-03, LW-AMB-55."""
    game = Battle({"ram_vs_building_number": how})
    game.terrain = (block("keep", 350, 350, 430, 450, 57.6),)
    game.join("rx", "red", (300, 400), kind="battering_ram", height=20.0)
    for i in range(2):
        game.join(f"r{i + 1}", "red", (244.0, 380.0 + 20.0 * i))
    game.join("b1", "blue", FAR)
    game.do("building", figure_id="keep", value="blue")
    game.start("red", phase="ATTACK")
    assert last(game.attack("r1", "rx", "keep", 2), "aimed").number("number") == number


def test_a_spear_is_one_thing_or_two():
    """LW-WPN-06, LW-RNG-14, LW-AMB-16."""
    both = duel(30, "spear")
    assert {"throw", "spear"} <= {o.value for o in both.referee.options() if o.kind == "attack"}
    apart = duel(30, "spear", "throwing_spear", options={"spear_priced_once": False})
    refused("LW-FLAG-14", lambda: duel(
        30, "spear", options={"spear_priced_once": False}).attack("r1", "throw", "b1"))  # fmt: skip
    apart.attack("r1", "throw", "b1", 3)
    assert apart.unit("r1").equipment == ("spear",)


def test_a_shield_on_the_arm():
    """LW-HAND-02, LW-AMB-17."""
    for uses, phase in ((True, "BUY"), (False, "DEPLOY")):
        game = Battle({"shield_uses_hand": uses})
        game.join("r1", "red", (100, 100), "sword", "spear", "shield")
        game.join("b1", "blue", (300, 100))
        for _ in range(2):
            game.do("ready", value="accept")
        assert game.state.phase == phase


def test_a_spent_bow():
    """LW-RNG-16, LW-AMB-31: anything picked up, or a quiver only."""
    for how, again in (("reusable_with_quiver", False), ("reusable_after_any_pickup", True)):
        game = battle(
            {"r1": ((300, 400), ("bow",)), "r2": ((300, 440), ("torch",))},
            {"b1": ((450, 400), ())},
            {"spent_bow": how},
            phase="ATTACK",
        )
        game.attack("r1", "bow", "b1", 2)
        game.do("drop", figure_id="r2", value="torch")
        game.next_turn()
        game.do("pick_up", figure_id="r1", value="torch")
        game.next_turn()
        aim = game.option("attack", "r1", "bow")
        assert (aim is not None) is again


def test_reach_for_things():
    """LW-HAND-07, LW-AMB-32."""
    for reach, there in ((5.0, True), (0.5, False)):
        game = battle(
            {"r1": ((300, 400), ("spear",)), "r2": ((340, 400), ())},
            {"b1": (FAR, ())},
            {"pickup_reach_cm": reach},
            phase="ATTACK",
        )
        game.do("drop", figure_id="r1", value="spear")
        assert (game.option("pick_up", "r2") is not None) is there


def test_a_lance_on_another_mount():
    """LW-WPN-04, LW-AMB-72: only horses count, so there is nothing to agree on."""
    game = Battle({"other_mounts": "horse_only"})
    game.join("rh", "red", (300, 400), "saddle", kind="mount")
    refused("LW-WPN-04", lambda: game.do("lance", figure_id="rh"))
    assert game.option("lance") is None


# --- moving and climbing ---------------------------------------------------------------------


@pytest.mark.parametrize(("free", "flag"), [(1.0, None), (0.5, "LW-FLAG-01")])
def test_a_plank_costs_nothing(free, flag):
    """LW-MOVE-07, LW-AMB-23: two thirds of a brick."""
    plank = (block("p", 0, 430, 1200, 440, 6.4, standable=False),)
    game = alone(terrain=plank, options={"obstacle_free_below_bricks": free})
    game.put("r1", (300, 495))
    assert code(game) == flag


@pytest.mark.parametrize(("tol", "asked"), [(0.0, False), (0.3, False), (0.5, True)])
def test_heights_near_a_limit(tol, asked):
    """LW-GEN-09, LW-AMB-25: 8 plates are 2.67 bricks, near 3 only if that is near."""
    game = Battle({"obstacle_height_tol_bricks": tol})
    game.terrain = (block("wall", 0, 0, 50, 10, 25.0),)
    game.join("r1", "red", (100, 100))
    game.join("b1", "blue", (300, 100))
    game.do("ready")
    assert (game.state.question is not None) is asked


@pytest.mark.parametrize(("how", "flag"), [("plates", "LW-FLAG-04"), ("none", None)])
def test_heights_in_whole_plates(how, flag):
    """LW-GEN-09, LW-AMB-77: 28 mm are three bricks, or a little less."""
    wall = (block("w", 0, 420, 1200, 426, 28.0, standable=False),)
    game = alone(terrain=wall, options={"height_snap": how})
    game.put("r1", (300, 445))
    assert code(game) == flag


@pytest.mark.parametrize(("whence", "flag"), [("mover_surface", None), ("table", "LW-FLAG-04")])
def test_heights_from_where_he_stands(whence, flag):
    """LW-MOVE-16, LW-AMB-79: a wall of four bricks, seen from two."""
    step = block("step", 200, 380, 400, 420, 19.2)
    wall = block("wall", 200, 420, 400, 600, 38.4)
    game = alone(terrain=(step, wall), level=19.2, options={"obstacle_height_from": whence})
    game.put("r1", (300, 430), level=38.4)
    assert code(game) == flag


@pytest.mark.parametrize(
    ("how", "waits", "walks"),
    [("turn_end", False, True), ("next_own_move", True, True), ("uses_next_move", True, False)],
)
def test_when_a_climber_arrives(how, waits, walks):
    """LW-LADD-02, LW-LADD-10, LW-AMB-26: blue moves first in the turn after."""
    game = at_ladder({"ladder_arrival": how})
    game.do("start_climb", figure_id="r1")
    game.next_turn("blue", "MOVE")
    assert (game.unit("r1").mark("ladder") is not None) is waits
    game.do("done")
    assert game.unit("r1").mark("ladder") is None
    x, y, z = (game.unit("r1").mark(f"at_{axis}") for axis in "xyz")
    game.put("r1", (x, y), level=z)
    game.put("r1", (360, 360), level=57.6)
    assert (code(game) is None) is walks


@pytest.mark.parametrize(
    ("o", "face", "lives"),
    [
        ({}, 5, True),
        ({"fall_rule": "unarmored_5"}, 5, False),
        ({}, 10, True),
        ({"fall_auto_rolls": "nat10_kills"}, 10, False),
    ],
)
def test_falls_in_armor(o, face, lives):
    """LW-LADD-06, LW-LADD-07, LW-AMB-29, LW-AMB-75: in plate, with helmet and shield, 11."""
    red = {"r1": ((360, 272), ("plate", "helmet", "shield")), "r2": ((100, 700), ())}
    blue = {"b1": ((360, 140), BOW), "b2": (FAR, ())}
    game = battle(red, blue, o, terrain=KEEP)
    game.do("start_climb", figure_id="r1")
    for _ in range(3):
        game.do("done")
    game.attack("b1", "bow", "r1", 4, 2)
    game.do("roll", dice=(face,))
    assert game.unit("r1").alive is lives


# --- wagons ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("o", "team", "cm"),
    [
        ({}, {"horses": 0, "men": 8}, 50.0),
        ({"men_per_horse": 8}, {"horses": 0, "men": 8}, 12.5),
        ({}, {"horses": 1}, 31.25),
        ({"vehicle_missing_factor": 0.5}, {"horses": 1}, 62.5),
        ({"vehicle_missing_factor": 0.3333333333}, {"horses": 1}, 41.7),
        ({}, {"horses": 2, "men": 4}, 50.0),
        ({"surplus_pullers_slow": False}, {"horses": 2, "men": 4}, 125.0),
    ],
)
def test_what_a_team_pulls(o, team, cm):
    """LW-VEH-03, LW-VEH-05 to 08, LW-AMB-39 to 41: so far in mm, and no farther."""
    game = wagon(o, **team)
    game.put("rw", (500 + cm - 1.0, 400))
    assert code(game, "rw") is None
    game.put("rw", (500 + cm + 6.0, 400))
    assert code(game, "rw") == "LW-FLAG-19"


@pytest.mark.parametrize(("how", "needs"), [("round_up", 2), ("round_down_min_1", 1)])
def test_three_wheels(how, needs):
    """LW-VEH-02, LW-AMB-42."""
    game = Battle({"odd_wheels": how})
    game.join("rw", "red", (500, 400), kind="vehicle")
    game.do("stat", figure_id="rw", value="wheels", numbers=(3.0,))
    words = team_words(game.state, settings_of(game.state), game.unit("rw"))
    assert f"needs {needs} horse" in words


@pytest.mark.parametrize(("step", "told"), [(1, "3.1"), (5, "3"), (10, "3")])
def test_speeds_as_they_are_told(step, told):
    """LW-COST-06, LW-AMB-68: a quarter of 12.5 cm."""
    game = wagon({"round_speed_mm": step}, horses=1)
    assert f"has 1: {told} centimetres" in game.option("reach", "rw").hint


def test_speeds_to_five_and_to_ten_millimetres():
    """LW-AMB-68: half of 25 cm."""
    told = {}
    for step in (1, 5, 10):
        hint = wagon({"round_speed_mm": step}).option("reach", "rw").hint
        told[step] = hint.split("has 2: ")[1].split(" ")[0]
    assert told == {1: "12.5", 5: "12.5", 10: "12"}


@pytest.mark.parametrize(("most", "flag"), [(1.0, "LW-FLAG-04"), (2.0, None)])
def test_a_wagon_at_a_kerb(most, flag):
    """LW-MOVE-14, LW-AMB-73: one brick."""
    game = wagon({"vehicle_max_obstacle_bricks": most})
    game.terrain = (block("kerb", 534, 0, 538, 800, 9.6, standable=False),)
    game.look()
    game.put("rw", (572, 400))
    assert code(game, "rw") == flag


def test_lengths_in_studs():
    """LW-GEN-03, LW-AMB-03: 10 cm."""
    for wide, studs in ((0.8, "12.5"), (0.75, "13.3")):
        hint = alone(options={"dot_cm": wide}).option("reach", "r1").hint
        assert hint.endswith(f"can go 10.0 centimetres, {studs} studs.")


# --- prices ----------------------------------------------------------------------------------

CASTLE = (
    '{options}\n[[figures]]\nkind = "man"\n'
    '[[figures]]\nkind = "building"\nitems = ["studs=100", "levels=2"{more}]\n'
)


def price(more="", **options) -> int:
    """What a castle of 1000 points costs, and what more is bought."""
    told = ", ".join(
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
        for key, value in options.items()
    )
    text = CASTLE.format(options=f"options = {{ {told} }}" if told else "", more=more)
    points = reckon("legowars", read_army(text)).points
    assert points is not None
    return points - 10


def test_prices_of_castles():
    """LW-BLDG-05, LW-BLDG-08, LW-AMB-44, LW-AMB-45, LW-AMB-67, LW-LADD-13."""
    assert price() == 1000
    assert price(', "armor_bought=1", "structure_bought=5", "ports=1", "doors=2"') == 1650
    assert price(building_armor_price_from=10) == 1250
    assert price(building_base_armor=10, building_armor_price_from=10) == 1000
    assert price(', "structure_bought=5"', building_structure_price_from=200) == 1000
    assert price(building_base_structure=200) == 2800
    assert price(building_price_scale=0.1) == 100
    assert price(', "ladders=3"') == 1000
    assert price(', "ladders=3"', ladder_cost=30) == 1090


def test_ratings_of_castles():
    """LW-BLDG-07, LW-AMB-44, LW-AMB-45."""
    for o, ratings in (
        ({}, (15, 20)),
        ({"building_base_armor": 10, "building_base_structure": 200}, (10, 200)),
    ):
        keep = falling_keep(o).unit("keep")
        assert (keep.mark("armor"), keep.mark("structure")) == ratings


RING = (
    "options = {{ {0} }}\n[[figures]]\nkind = 'man'\n[[figures]]\nkind = 'building'\n"
    "items = ['studs=576', 'levels=2', 'armor_bought=5', 'ports=10', 'doors=2']\n"
)


def test_the_castle_of_the_example():
    """LW-BLDG-08, LW-AMB-47: with its ports and its second door, or as once printed."""
    for how, points in (("corrected_8200", 8200), ("as_printed_7200", 7200)):
        text = RING.format(f"small_plate_example = '{how}'")
        assert reckon("legowars", read_army(text)).points == points + 10


PAIR = (
    "options = {{ multi_plate_features = '{0}' }}\n[[figures]]\nkind = 'man'\n"
    "[[figures]]\nkind = 'building'\nitems = ['studs=100', 'levels=1', 'ports=1']\n"
    "[[figures]]\nkind = 'building'\nitems = ['studs=100', 'levels=1', 'armor_bought=2']\n"
)


def test_two_castles():
    """LW-BLDG-06, LW-AMB-48: features of each, or of both with one free door."""
    for how, points in (("per_building", 1100), ("shared_group", 1650)):
        assert reckon("legowars", read_army(PAIR.format(how))).points == points + 10


@pytest.mark.parametrize(
    ("how", "levels"),
    [("nearest_min_1", [1, 1, 2]), ("up", [1, 2, 2]), ("down_min_1", [1, 1, 1])],
)
def test_levels_of_a_height(how, levels):
    """LW-BLDG-03, LW-AMB-49: half a level, seven and eleven bricks."""
    found = []
    for height in (28.8, 67.2, 105.6):
        game = Battle({"level_rounding": how})
        game.terrain = (block("keep", 400, 350, 480, 450, height),)
        game.look()
        game.do("building", figure_id="keep", value="blue")
        found.append(game.unit("keep").mark("levels"))
    assert found == levels


@pytest.mark.parametrize(("cost", "points"), [(25, 35), (5, 15)])
def test_price_of_a_lance(cost, points):
    """LW-COST-03, LW-AMB-15."""
    game = Battle({"lance_cost": cost})
    game.join("r1", "red", (100, 100), "lance")
    game.join("b1", "blue", (300, 100))
    game.do("ready")
    told = [one.event for one in game.do("ready") if one.event.kind == "list_told"]
    assert told[0].number("points") == points


def test_a_door_with_a_winch_is_agreed_on():
    """LW-SIEGE-08, LW-AMB-51: by agreement no attack is spent."""
    gate = block("gate", 300, 300, 420, 320, 57.6, mark("drawbridge", 350, 298, 370, 322),
                 kind="building")  # fmt: skip
    game = battle(
        {"r1": ((360, 280), ("sword",))},
        {"b1": (FAR, ())},
        {"wire_cutting": "by_agreement"},
        terrain=(gate,),
        phase="ATTACK",
    )
    lines = game.do("cut_wires", figure_id="r1", value="gate/0")
    assert dict(game.state.marks)["wires"] == "gate/0"
    assert "hit_rolled" not in kinds(lines)


def test_gunners_and_riders_are_at_hand():
    """LW-HVY-06, LW-HORSE-07: what the other tests here take for granted."""
    assert gunners("ballista").option("crew_heavy", "r1") is not None
    assert to_attack(rider()).option("horse_attack", "rh") is not None
