"""Tables and formulas, number by number."""

from fractions import Fraction

import pytest

from engine.errors import Refused
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
from engine.rulesets.legowars.measures.moves import Crossing
from engine.rulesets.legowars.settings import settings

S = settings()
MAN, HORSE, CART, KEEP = Goal(), Goal("horse"), Goal("vehicle"), Goal("building")
DEAD, COVER = Goal(dead=True), Goal(cover=True)

MELEE = {
    "unarmed": (7, 0), "club": (7, 1), "halberd": (5, 4), "hammer": (7, 2), "lance_foot": (8, 2),
    "lance_mounted": (6, 4), "pitchfork": (6, 1), "spear": (6, 2), "sword": (6, 3),
    "torch": (7, 1), "battering_ram": (15, 20),
}  # fmt: skip
RANGED = {
    "bow": (4, 7, 1, 20, 60), "spear": (5, 8, 1, 10, 30), "ballista": (10, 13, 8, 50, 150),
    "catapult": (13, 16, 15, 30, 90),
}  # fmt: skip


@pytest.mark.parametrize("weapon", MELEE)
def test_numbers_in_melee(weapon):
    """LW-MEL-03 to LW-MEL-09, LW-WPN-01, LW-WPN-11, LW-HVY-05, LW-HVY-07, LW-STAT-06, LW-EQP-05."""
    base, damage = MELEE[weapon]
    strike = Strike("melee", weapon)
    assert attacks.number(strike, MAN, S) == base
    assert attacks.number(strike, COVER, S) == base + 3
    assert attacks.number(strike, KEEP, S) == base - 5
    assert attacks.number(strike, CART, S) == base - 2
    assert attacks.number(strike, DEAD, S) == base - 5
    assert attacks.number(strike, Goal("vehicle", True, True), S) == base - 2 - 5 + 3
    assert strike.damage(S) == damage
    assert strike.breaks(S) is (weapon != "unarmed")


@pytest.mark.parametrize("weapon", RANGED)
def test_numbers_of_shots(weapon):
    """LW-RNG-02, LW-RNG-03, LW-RNG-06, LW-WPN-05, LW-WPN-10, LW-HVY-01, LW-HVY-02, LW-RNG-14."""
    short, far, damage, short_cm, long_cm = RANGED[weapon]
    assert attacks.number(Strike("short", weapon), MAN, S) == short
    assert attacks.number(Strike("long", weapon), HORSE, S) == far
    assert Strike("short", weapon).damage(S) == damage
    assert attacks.number(Strike("short", weapon), KEEP, S) == short - 5
    assert lengths.band(weapon, short_cm, S) == "short"
    assert lengths.band(weapon, short_cm + 0.5, S) == "long"
    assert lengths.band(weapon, long_cm, S) == "long"
    assert lengths.band(weapon, long_cm + 0.1, S) == "out"
    assert prices.long_cm(short_cm) == long_cm


def test_bands_between_the_printed_ones():
    """LW-RNG-04, LW-RNG-05, LW-RNG-12."""
    bands = {
        how: [lengths.band("bow", d, settings({"range_gap": how})) for d in (0.0, 20.4, 20.6, 60.4)]
        for how in ("continuous", "round_half_up", "floor", "dead_zone")
    }
    assert bands["continuous"] == ["short", "long", "long", "out"]
    assert bands["round_half_up"] == ["short", "short", "long", "long"]
    assert bands["floor"] == ["short", "short", "short", "long"]
    assert bands["dead_zone"] == ["short", "none", "none", "out"]


def test_a_horse_strikes():
    """LW-HORSE-01, LW-HORSE-07, LW-DMG-07."""
    kick = Strike("melee", "", "horse")
    assert attacks.number(kick, MAN, S) == 9
    assert attacks.number(kick, COVER, S) == 12
    assert kick.damage(S) == 0
    assert kick.breaks(S) is False
    assert teams.movement_cm("horse", S) == 25.0
    assert (gear.horse_armor([]), gear.horse_cost([], S)) == (7, 25)
    assert attacks.p_kill(kick, 5, MAN, S) == pytest.approx(0.12)
    added = settings({"shooter_to_hit_stat": "added_difference_from_7"})
    assert attacks.number(Strike("short", "bow", "horse"), MAN, added) == 6
    assert attacks.number(Strike("short", "bow", "horse"), MAN, S) == 4


def test_stats_of_a_man():
    """LW-STAT-01 to LW-STAT-05, LW-DMG-03."""
    assert (gear.armor([], S), gear.man_cost([], S)) == (5, 10)
    assert attacks.number(Strike("melee"), MAN, S) == 7
    assert Strike("melee").damage(S) == 0
    assert teams.movement_cm("man", S) == 10.0
    assert teams.movement_cm("man", settings({"man_movement_cm": 15})) == 15.0
    assert Strike("melee").damage(settings({"unarmed_damage": -2})) == -2


@pytest.mark.parametrize(
    ("number", "faces"), [(-1, range(2, 11)), (2, range(2, 11)), (6, range(6, 11)), (19, [10])]
)
def test_hits(number, faces):
    """LW-MEL-10 to LW-MEL-13, LW-GEN-05: the face shown, whatever is added."""
    assert [face for face in range(1, 11) if attacks.hits(number, face)] == list(faces)
    assert attacks.p_hit(number) == pytest.approx(len(list(faces)) / 10)


def test_damage():
    """LW-DMG-01, LW-DMG-02, LW-DMG-04, LW-DMG-05, LW-DMG-08 to LW-DMG-11, LW-STAT-08."""
    sword, bow = Strike("melee", "sword"), Strike("short", "bow")
    assert attacks.outcome(sword, 4, 7, MAN, S) == ("dead", False)
    assert attacks.outcome(sword, 3, 7, MAN, S) == ("nothing", False)
    assert attacks.outcome(sword, 10, 99, MAN, S) == ("dead", False)
    assert attacks.outcome(Strike("melee", "halberd"), 1, 5, MAN, S) == ("nothing", True)
    assert attacks.outcome(sword, 9, 5, DEAD, S) == ("nothing", False)
    assert attacks.outcome(bow, 1, 5, MAN, S) == ("nothing", True)
    nothing = settings({"ranged_nat1_breaks": "nothing"})
    assert attacks.outcome(bow, 1, 5, MAN, nothing) == ("nothing", False)
    assert attacks.outcome(sword, 1, 5, MAN, nothing) == ("nothing", True)
    assert attacks.outcome(sword, 7, 10, CART, S) == ("structure_minus_1", False)
    assert attacks.outcome(sword, 10, 15, KEEP, S) == ("structure_minus_1", False)
    for how, came in (("destroy", "destroyed"), ("no_special", "nothing")):
        assert (
            attacks.outcome(sword, 10, 15, KEEP, settings({"nat10_vs_structure": how}))[0] == came
        )
    late = settings({"nat1_beats_armor_total": False})
    assert attacks.outcome(Strike("melee", "halberd"), 1, 5, MAN, late) == ("dead", True)
    assert attacks.p_damage(sword, 7, MAN, S) == pytest.approx(0.7)
    assert attacks.p_damage(Strike("melee", "halberd"), 5, MAN, late) == pytest.approx(1.0)
    assert attacks.structure_after(20, 1) == 19
    assert attacks.structure_after(1, 3) == 0


def test_rams_and_walls():
    """LW-SIEGE-01, LW-SIEGE-03, LW-AMB-55."""
    ram = Strike("melee", "battering_ram")
    assert attacks.number(ram, KEEP, S) == 10
    assert attacks.p_kill(ram, 15, KEEP, S) == pytest.approx(0.09)
    easy = settings({"ram_vs_building_number": "ignore_weapon_to_hit"})
    assert attacks.number(ram, KEEP, easy) == 2
    assert attacks.p_kill(ram, 15, KEEP, easy) == pytest.approx(0.81)
    assert attacks.number(ram, MAN, easy) == 15


def test_falls():
    """LW-LADD-06, LW-LADD-09, LW-AMB-28, LW-AMB-29, LW-AMB-75."""
    assert [attacks.fall_kills(5, face, S) for face in (4, 5)] == [False, True]
    assert not attacks.fall_kills(11, 10, S)
    assert attacks.fall_kills(11, 10, settings({"fall_auto_rolls": "nat10_kills"}))
    assert attacks.fall_kills(11, 5, settings({"fall_rule": "unarmored_5"}))
    assert attacks.p_fall(8, S) == pytest.approx(0.3)
    bow = Strike("short", "bow")
    assert attacks.p_kill(bow, 5, MAN, S, on_ladder=True) == pytest.approx(0.616)
    only = settings({"ladder_hit_order": "fall_only"})
    assert attacks.p_kill(bow, 5, MAN, only, on_ladder=True) == pytest.approx(0.42)
    hurt = settings({"ladder_fall_trigger": "damage_success"})
    assert attacks.p_kill(bow, 5, MAN, hurt, on_ladder=True) == pytest.approx(0.49)


ARMOR = {"helmet": (1, 5), "shield": (1, 5), "leather": (1, 5), "body": (2, 10), "plate": (4, 20)}


@pytest.mark.parametrize("piece", ARMOR)
def test_armor(piece):
    """LW-ARM-01, LW-COST-01."""
    bonus, cost = ARMOR[piece]
    assert gear.armor([piece], S) == 5 + bonus
    assert gear.price(piece, S) == cost
    assert gear.man_cost([piece], S) == 10 + cost


def test_armor_together():
    """LW-ARM-05 to LW-ARM-09, LW-HAND-02."""
    assert gear.armor(["plate", "helmet", "shield"], S) == 11
    assert gear.armor(["leather", "body", "plate"], S) == 9
    assert gear.armor(["leather", "plate"], settings({"torso_armor": "add_all"})) == 10
    assert gear.armor(["shield", "shield"], S) == 6
    assert gear.armor(["shield", "shield"], settings({"max_shields": 2})) == 7
    assert gear.armor_span(S) == (5, 11)
    most = settings({"torso_armor": "add_all", "max_shields": 2})
    assert gear.armor_span(most) == (5, 15)
    assert gear.armor(["helmet"], S) - gear.armor([], S) == 1


PRICES = {
    "club": 5, "halberd": 30, "hammer": 10, "lance": 25, "pitchfork": 10, "spear": 15, "sword": 20,
    "torch": 5, "bow": 60, "quiver": 10, "saddle": 5, "horse_cloth": 5, "ladder": 0,
    "ballista": 225, "catapult": 315, "battering_ram": 60, "man": 10, "horse": 25,
    "throwing_spear": 15,
}  # fmt: skip


@pytest.mark.parametrize("item", PRICES)
def test_prices(item):
    """LW-COST-01 to LW-COST-03, LW-EQP-01 to LW-EQP-04, LW-WPN-06, LW-LADD-13, LW-HVY-01."""
    assert gear.price(item, S) == PRICES[item]
    if item == "lance":
        assert gear.price(item, settings({"lance_cost": 5})) == 5
    if item == "ladder":
        assert gear.price(item, settings({"ladder_cost": 30})) == 30


def test_there_is_no_price_for_everything():
    with pytest.raises(Refused) as fault:
        gear.price("dragon", S)
    assert fault.value.rule == "LW-COST-01"


def test_hands_and_horses():
    """LW-HAND-01 to LW-HAND-03, LW-EQP-02, LW-EQP-06, LW-COST-02, LW-WPN-02."""
    assert gear.hands(["sword", "shield", "helmet", "plate", "quiver"], S) == 2
    assert gear.hands(["sword", "shield"], settings({"shield_uses_hand": False})) == 1
    assert gear.hands(["torch", "bow"], S) == 2
    assert gear.horse_armor(["saddle"]) == 7
    assert gear.horse_armor(["saddle", "horse_cloth"]) == 8
    assert gear.horse_cost(["saddle", "horse_cloth"], S) == 35


def test_shots_left():
    """LW-RNG-07 to LW-RNG-11."""
    assert gear.shots(2, 0, False, 1) == 1
    assert gear.shots(0, 1, False, 1) == 0
    assert gear.shots(0, 1, True, 99) is None
    assert gear.shots(0, 0, True, 0) == 0


def test_one_spear_or_two():
    """LW-WPN-06, LW-RNG-14, LW-AMB-16."""
    apart = settings({"spear_priced_once": False})
    assert gear.throws("spear", S)
    assert not gear.throws("spear", apart)
    assert gear.throws("throwing_spear", apart)
    assert not gear.stabs("throwing_spear", apart)


def test_inventions():
    """LW-WPN-07 to LW-WPN-10, LW-HORSE-02, LW-COST-08."""
    assert prices.melee_cost(3, -1) == 20
    assert prices.melee_cost(0, 0) == 5
    assert prices.ranged_cost(1, -1, 60) == 60
    assert prices.ranged_cost(0, 0, 60) == 5
    assert prices.creature_cost(7, 0, 25, 9) == 25
    assert prices.creature_cost(5, 0, 10, 7) == 10


def test_prices_of_vehicles():
    """LW-VEH-11, LW-VEH-13 to LW-VEH-15, LW-COST-04."""
    assert prices.vehicle_cost(3, 4, 10, 1, S) == 150
    assert prices.vehicle_cost(4, 4, 10, 1, S) == 155
    assert prices.vehicle_cost(3, 4, 12, 2, S) == 150 + 10 + 25


def test_teams():
    """LW-VEH-01 to LW-VEH-08."""
    assert teams.team_speed(4, 0, 0, S) == 0.0
    assert teams.team_speed(4, 2, 0, S) == 12.5
    assert teams.team_speed(4, 1, 0, S) == 3.125
    assert teams.team_speed(4, 1, 3, S) == 3.125
    assert teams.team_speed(4, 1, 4, S) == 5.0
    assert teams.team_speed(4, 0, 8, S) == 5.0
    assert teams.team_speed(4, 2, 4, S) == 5.0
    assert teams.team_speed(4, 2, 4, settings({"surplus_pullers_slow": False})) == 12.5
    assert teams.team_speed(4, 0, 8, settings({"men_per_horse": 8})) == 1.25
    assert teams.team_speed(6, 1, 0, settings({"vehicle_missing_factor": 0.5})) == 3.125
    assert [teams.horses_needed(wheels, S) for wheels in (0, 1, 2, 3, 4)] == [1, 1, 1, 2, 2]
    down = settings({"odd_wheels": "round_down_min_1"})
    assert [teams.horses_needed(wheels, down) for wheels in (0, 1, 3, 5)] == [1, 1, 1, 2]


def castle(**more):
    plain = {"studs": 1500, "levels": 2, "extra_doors": 0, "ports": 0, "armor": 15, "structure": 20}
    return prices.Castle(**{**plain, **more})


def test_prices_of_buildings():
    """LW-BLDG-03 to LW-BLDG-08, LW-BLDG-10, LW-BLDG-11, LW-BLDG-13, LW-COST-05, LW-COST-06."""
    assert prices.building_cost(castle(), S) == 15000
    assert prices.building_cost(castle(extra_doors=1), S) == 15500
    assert prices.building_cost(castle(ports=3), S) == 15150
    assert prices.building_cost(castle(armor=20), S) == 18750
    assert prices.building_cost(castle(structure=30), S) == 16500
    odd = prices.building_cost(castle(studs=101, levels=1, structure=21), S)
    assert odd == Fraction(51005, 100)
    assert prices.shown(odd) == 510
    assert prices.shown(Fraction(1, 2)) == 1
    cheap = settings({"building_price_scale": 0.01})
    assert prices.building_cost(castle(), cheap) == 150
    ten = settings({"building_armor_price_from": 10})
    assert prices.building_cost(castle(armor=20), ten) == 22500
    high = settings({"building_structure_price_from": 200})
    assert prices.building_cost(castle(structure=210), high) == 16500
    ring = castle(studs=prices.ring_studs(30, 50, 4), extra_doors=1, ports=10, armor=20)
    assert prices.building_cost(ring, S) == 8200
    assert prices.building_cost(ring, settings({"small_plate_example": "as_printed_7200"})) == 7200


def test_several_plates():
    """LW-BLDG-06, LW-AMB-48."""
    pair = (castle(studs=100, levels=1, ports=1), castle(studs=100, levels=1, armor=17))
    assert prices.group_cost(pair, S) == 500 + 50 + 550
    shared = settings({"multi_plate_features": "shared_group"})
    assert prices.group_cost(pair, shared) == 1000 + 100 + 50 + 500
    assert prices.group_cost(pair[:1], shared) == 550


def test_heights():
    """LW-GEN-09, LW-MOVE-16, LW-BLDG-03, LW-BLDG-04."""
    assert heights.snap(28.0, S).plates == 9
    assert heights.snap(27.1, S).plates == 8
    assert heights.snap(28.0, S).ask
    assert not heights.snap(19.9, S).ask
    assert heights.snap(12.4, S, lego=False).mm == 12.0
    assert heights.snap(28.0, settings({"height_snap": "none"})).mm == 28.0
    assert heights.rise(19.2, 38.4, S) == pytest.approx(2.0)
    table = settings({"obstacle_height_from": "table"})
    assert heights.rise(19.2, 38.4, table) == pytest.approx(4.0)
    assert [heights.levels(mm, S) for mm in (20, 67.2, 172.8)] == [1, 1, 3]
    assert heights.levels(67.2, settings({"level_rounding": "up"})) == 2
    assert heights.levels(110.0, settings({"level_rounding": "down_min_1"})) == 1
    with pytest.raises(Refused):
        heights.snap(-1.0, S)


def judged(path, *crossings, kind="man", o=None, **more):
    went = moves.judge(kind, path, [Crossing(*one) for one in crossings], settings(o or {}), **more)
    return went.cost_cm, went.flag


def test_costs_of_moves():
    """LW-MOVE-01 to LW-MOVE-11, LW-MOVE-14, LW-MOVE-15, LW-TURN-08, LW-RNG-17."""
    assert judged(10.0) == (10.0, "")
    assert judged(10.1) == (10.1, "LW-FLAG-01")
    assert judged(5.0, (3.0, 2.0)) == (10.0, "")
    assert judged(5.5, (3.0, 1.0)) == (10.5, "LW-FLAG-01")
    assert judged(7.0, (6.0, 1.0)) == (12.0, "LW-FLAG-05")
    assert judged(10.0, (6.0, 0.9)) == (10.0, "")
    assert judged(2.0, (1.0, 3.0)) == (None, "LW-FLAG-04")
    assert judged(1.0, (0.2, 1.0), (0.6, 1.0), kind="horse") == (11.0, "")
    assert judged(8.0, (4.0, 2.0, "drop")) == (8.0, "")
    assert judged(5.0, (4.0, 2.0, "drop"), o={"charge_descent": True}) == (10.0, "")
    assert judged(5.0, (2.0, 4.2, "friend")) == (5.0, "")
    assert judged(5.0, (2.0, 4.2, "friend"), o={"pass_friends": False})[1] == "LW-FLAG-04"
    assert judged(5.0, (2.0, 4.2, "enemy"))[1] == "LW-FLAG-04"
    assert judged(5.0, (2.0, 4.2, "friend"), kind="vehicle", limit_cm=9.0)[1] == "LW-FLAG-04"
    assert judged(5.0, (2.0, 1.0), kind="vehicle", limit_cm=99.0)[1] == "LW-FLAG-04"
    tall = {"vehicle_max_obstacle_bricks": 2.0}
    assert judged(5.0, (2.0, 1.0), kind="vehicle", limit_cm=99.0, o=tall) == (10.0, "")
    assert judged(5.0, (2.0, 1.4, "body")) == (5.0, "")
    assert judged(5.0, (2.0, 1.4, "body"), o={"bodies_are_obstacles": True}) == (10.0, "")
    assert judged(1.0, kind="dead_man") == (1.0, "LW-FLAG-03")
    assert judged(4.0, end_overlap=True) == (4.0, "LW-FLAG-21")
    assert judged(4.0, (4.0, 6.0, "drop"))[1] == "LW-FLAG-04"
    jump = {"jump_down": "fall_roll"}
    assert judged(4.0, (4.0, 6.0, "drop"), o=jump) == (4.0, "")
    assert judged(4.0, (2.0, 6.0, "drop"), o=jump)[1] == "LW-FLAG-04"
    assert judged(4.0, (4.0, 6.0, "drop"), kind="horse", o=jump)[1] == "LW-FLAG-04"
    assert judged(5.0, (1.0, 0.5), o={"obstacle_free_below_bricks": 0.4}) == (10.0, "")


def test_cover_shares():
    """LW-COV-01 to LW-COV-04, LW-COV-06, LW-COV-07, LW-MEL-16, LW-RNG-13."""
    assert views.grade(0.91, S) == "clear"
    assert views.grade(0.9, S) == "cover"
    assert views.grade(0.05, S) == "cover"
    assert views.grade(0.04, S) == "not_visible"
    assert views.grade(0.0, settings({"full_block": "cover"})) == "cover"
    assert views.grade(0.7, settings({"cover_min_hidden": 0.4})) == "clear"
    assert views.grade(0.3, settings({"full_block_min_hidden": 0.6})) == "not_visible"
    blocks = {what: views.blocks_view(what, S) for what in ("man", "body", "own_mount", "terrain")}
    assert blocks == {"man": True, "body": True, "own_mount": False, "terrain": True}
    assert not views.blocks_view("horse", settings({"figures_give_cover": False}))
    assert not views.blocks_view("body", settings({"bodies_give_cover": False}))
    assert views.blocks_view("own_rider", settings({"mount_gives_cover": True}))


def test_order_winner_and_flight():
    """LW-TURN-01, LW-TURN-02, LW-WIN-01 to LW-WIN-04, LW-HORSE-09, LW-LADD-10."""
    assert turns.order({"red": 3, "blue": 9}) == (("blue",), ("red",))
    assert turns.order({"a": 7, "b": 7, "c": 3}) == (("a", "b"), ("c",))
    assert turns.winner({"a": 2, "b": 0}) == "a"
    assert turns.winner({"a": 0, "b": 0}) == "draw"
    assert turns.winner({"a": 2, "b": 5, "c": 1}, ["b"]) is None
    assert turns.flee_to((0, 0), (30, 40), 250.0) == pytest.approx((180, 240))
    assert turns.flee_to((5, 5), (5, 5), 10.0) == pytest.approx((15, 5))
    assert turns.walk_after_climb_cm(10.0, S) == 10.0
    uses = settings({"ladder_arrival": "uses_next_move"})
    assert turns.walk_after_climb_cm(10.0, uses) == 0.0


def test_doors_and_starts():
    """LW-BLDG-07, LW-BLDG-09, LW-BLDG-12, LW-BLDG-14, LW-SIEGE-08."""
    assert doors.turn("door", False, False, "open").open
    assert not doors.turn("drawbridge", True, False, "close").open
    assert doors.turn("drawbridge", True, True, "close").flag == "LW-FLAG-24"
    assert doors.starting_armor(5, S) == 20
    assert doors.starting_structure(10, S) == 30
    assert doors.starting_structure(0, settings({"building_base_structure": 200})) == 200
    assert doors.starting_armor(0, settings({"building_base_armor": 10})) == 10
    assert doors.starting_doors(["gate"], S) == ("gate",)
    assert doors.starting_doors(["gate"], settings({"doors_at_start": "all_closed"})) == ()


def test_dice_and_studs():
    """LW-GEN-02, LW-GEN-03."""
    assert [dice.typed(text, S) for text in ("7", "0", "10", "11", "-1", "x", "")] == [
        7, 10, 10, None, None, None, None,
    ]  # fmt: skip
    assert dice.typed("0", settings({"typed_zero_is_ten": False})) is None
    assert lengths.studs(10, S) == 12.5
    assert lengths.studs(15, settings({"dot_cm": 0.75})) == 20
    assert lengths.in_reach(5.0, S)  # LW-MEL-02
    assert not lengths.in_reach(4.9, settings({"melee_reach_cm": 4.8}))
