"""Horses, vehicles, buildings, doors and heavy weapons at the table."""

import pytest

from engine.rulesets.legowars.riding import flight_cm
from engine.rulesets.legowars.settings import settings_of
from tests.engine.legowars.battle import Battle, battle, block, duel, kinds, last, lie, mark
from tests.engine.legowars.test_play import FAR, alone, code, refused


def rider(
    o=None, *, things=("sword",), saddle=("saddle",), ride=True, enemy=(350.0, 400.0)
) -> Battle:
    """A red man on or beside a red horse, and a blue man near."""
    game = Battle(o)
    game.join("rh", "red", (300, 400), *saddle, kind="horse")
    game.join("r1", "red", (300, 426), *things)
    game.join("r2", "red", (100, 100))
    game.join("b1", "blue", enemy, "sword")
    game.join("b2", "blue", FAR)
    game.do("ready")
    if ride:
        game.do("mount", figure_id="r1", target_id="rh")
    game.do("ready")
    game.do("ready")
    return game.order("red", "MOVE")


def to_attack(game) -> Battle:
    while game.state.phase == "MOVE":
        game.do("done")
    return game


def test_riding():
    """LW-HORSE-03 to LW-HORSE-05, LW-EQP-03, LW-MOVE-01, LW-MOVE-14."""
    game = rider()
    game.put("rh", (300, 640))
    assert code(game, "rh") is None
    game.put("rh", (300, 660))
    assert code(game, "rh") == "LW-FLAG-01"
    bare = Battle()
    bare.join("rh", "red", (300, 400), kind="horse")
    bare.join("r1", "red", (300, 426))
    refused("LW-FLAG-16", lambda: bare.do("mount", figure_id="r1", target_id="rh"))


def test_mounting_in_play():
    """LW-HORSE-12, LW-AMB-36."""
    game = rider(ride=False)
    game.do("mount", figure_id="r1", target_id="rh")
    assert game.unit("r1").mark("spent_move") == 5.0
    game.put("rh", (300, 500))
    assert code(game, "rh") == "LW-FLAG-02"
    same = rider({"ride_same_turn": True}, ride=False)
    same.do("mount", figure_id="r1", target_id="rh")
    same.put("rh", (300, 500))
    assert code(same, "rh") is None
    tired = rider({"mount_cost_cm": 15.0}, ride=False)
    refused("LW-HORSE-12", lambda: tired.do("mount", figure_id="r1", target_id="rh"))
    down = rider()
    down.do("dismount", figure_id="r1")
    down.put("r1", (300, 440))
    assert code(down) is None
    down.put("r1", (300, 480))
    assert code(down) == "LW-FLAG-01"


def test_who_attacks_on_a_horse():
    """LW-HORSE-06, LW-HORSE-07, LW-HORSE-10, LW-AMB-33."""
    loose = to_attack(rider(ride=False))
    refused("LW-FLAG-17", lambda: loose.attack("rh", "", "b1"))
    never = to_attack(rider({"horse_attack": "never"}))
    refused("LW-FLAG-17", lambda: never.attack("rh", "", "b1"))
    one = to_attack(rider({"horse_attack": "instead_of_rider"}))
    one.attack("rh", "", "b1", 2)
    refused("LW-FLAG-07", lambda: one.attack("r1", "sword", "b1"))


def test_steering():
    """LW-HORSE-10, LW-HORSE-08."""
    game = rider(ride=False)
    game.do("steer", figure_id="r1", target_id="rh")
    to_attack(game)
    game.do("done")
    lines = game.attack("b1", "sword", "rh", 2)
    assert "frightened" not in kinds(lines)
    game = to_attack(rider(ride=False))
    game.do("done")
    assert "frightened" in kinds(game.attack("b1", "sword", "rh", 2))


def test_ridden_horses_do_not_flee():
    """LW-HORSE-11, LW-HORSE-13, LW-AMB-38."""
    game = to_attack(rider())
    game.do("done")
    assert {t.figure_id for t in game.option("attack", "b1", "sword").targets} >= {"r1", "rh"}
    assert "frightened" not in kinds(game.attack("b1", "sword", "rh", 2))
    for how, left in (("rider_only", "r1"), ("horse_only", "rh")):
        game = to_attack(rider({"mounted_target": how}))
        game.do("done")
        named = {t.figure_id for t in game.option("attack", "b1", "sword").targets}
        assert named & {"r1", "rh"} == {left}


def test_when_one_of_the_pair_dies():
    """LW-HORSE-14, LW-AMB-37."""
    game = to_attack(rider())
    game.do("done")
    game.attack("b1", "sword", "rh", 8, 9)
    assert game.unit("r1").mark("mount") is None
    assert game.state.phase == "ATTACK"
    game = to_attack(rider({"horse_death_fall_roll": True}))
    game.do("done")
    game.attack("b1", "sword", "rh", 8, 9)
    assert game.state.phase == "ATK_FALL"
    game.do("roll", dice=(9,))
    assert not game.unit("r1").alive
    game = to_attack(rider())
    game.do("done")
    game.attack("b1", "sword", "r1", 8, 9)
    assert game.unit("rh").alive


def test_loose_horses():
    """LW-HORSE-15, LW-AMB-35."""
    for how, flag in (("allowed", None), ("flee_or_team_only", "LW-FLAG-02")):
        game = rider({"riderless_move": how}, ride=False)
        game.put("rh", (300, 500))
        assert code(game, "rh") == flag


def frightened(o=None, at=(600.0, 400.0), size=None):
    game = Battle(o)
    game.join("r1", "red", (at[0] - 100.0, 400), "bow", "quiver")
    game.join("b1", "blue", (100, 100))
    game.join("bh", "blue", at, kind="horse")
    game.start("red", phase="ATTACK")
    game.attack("r1", "bow", "bh", 2)
    return game.next_turn("blue", "MOVE")


def test_flights():
    """LW-HORSE-09, LW-AMB-34."""
    game = frightened()
    game.put("bh", (700, 400))
    assert code(game, "bh") == "LW-FLAG-18"
    free = frightened({"flee_distance": "player_choice"})
    assert "fled" in kinds(free.put("bh", (700, 400)))
    edge = frightened(at=(1100.0, 400.0))
    goal = edge.option("runs", "bh").shapes[0].points_mm[0]
    assert 1150 < goal[0] <= 1190
    off = frightened({"flee_at_edge": "removed"}, at=(1100.0, 400.0))
    off.do("flee", figure_id="bh")
    assert not off.unit("bh").alive


def test_other_mounts():
    """LW-WPN-03, LW-WPN-04, LW-AMB-72."""

    def number(o, agree):
        game = Battle(o)
        game.join("rh", "red", (300, 400), "saddle", kind="mount")
        game.join("r1", "red", (300, 426), "lance")
        game.join("b1", "blue", (350, 400))
        game.do("ready")
        game.do("mount", figure_id="r1", target_id="rh")
        if agree:
            game.do("lance", figure_id="rh")
        game.do("ready")
        game.do("ready")
        to_attack(game.order("red", "MOVE"))
        return last(game.attack("r1", "lance", "b1", 2), "aimed").number("number")

    assert number({}, True) == 6
    assert number({}, False) == 8
    assert number({"other_mounts": "horse_only"}, False) == 8
    foot = duel(30, "lance")
    assert last(foot.attack("r1", "lance", "b1", 2), "aimed").number("number") == 8


def wagon(o=None, *, horses=2, men=0) -> Battle:
    """A red wagon with its team about it, in red's step 2."""
    game = Battle(o)
    game.join("rw", "red", (500, 400), kind="vehicle")
    for i in range(horses):
        game.join(f"h{i}", "red", (440, 380.0 + 36.0 * i), kind="horse")
    for i in range(men):
        game.join(f"m{i}", "red", (478.0 + 18.0 * i, 440.0))
    game.join("r9", "red", (100, 100))
    game.join("b1", "blue", FAR)
    game.start("red")
    for name in [f"h{i}" for i in range(horses)] + [f"m{i}" for i in range(men)]:
        game.do("harness", figure_id="rw", target_id=name)
    return game


def test_teams_at_the_table():
    """LW-VEH-01, LW-VEH-05, LW-VEH-06, LW-VEH-08, LW-VEH-09, LW-MOVE-14."""
    idle = wagon(horses=0)
    idle.put("rw", (520, 400))
    assert code(idle, "rw") == "LW-FLAG-19"
    game = wagon()
    assert "needs 2 horses, has 2: 12.5" in game.option("reach", "rw").hint
    game.put("rw", (620, 400))
    assert code(game, "rw") is None
    game.put("h0", (560, 380))
    assert game.unit("h0").mark("moved") == pytest.approx(12.0)
    slow = wagon(horses=1)
    assert "has 1: 3.1 " in slow.option("reach", "rw").hint
    slow.put("rw", (540, 400))
    assert code(slow, "rw") == "LW-FLAG-19"
    men = wagon(horses=1, men=3)
    assert "do not count" in men.option("reach", "rw").hint
    coarse = wagon({"round_speed_mm": 10}, horses=1)
    assert "has 1: 3 centimetres" in coarse.option("reach", "rw").hint


def test_a_hitched_horse_flees():
    """LW-HORSE-09, LW-AMB-34: with its vehicle, or loose."""
    for how, far in (("with_vehicle", 31.25), ("breaks_loose", 250.0)):
        game = wagon({"hitched_flee": how}, horses=1)
        while game.state.phase == "MOVE":
            game.do("done")
        horse = game.unit("h0")
        cm = flight_cm(game.state, settings_of(game.state), game.table(), horse)
        assert cm * 10.0 == pytest.approx(far)


def smashed(o=None, aboard=True):
    """A cart with a man on it, hit by a halberd."""
    game = Battle(o)
    game.join("bw", "blue", (400, 400), kind="vehicle")
    if aboard:
        game.join("b2", "blue", (400, 400), level=20.0)
    game.join("b9", "blue", FAR)
    game.join("r1", "red", (350, 400), "halberd")
    game.start("red", phase="ATTACK")
    lines = game.attack("r1", "halberd", "bw", 8, 9)
    return game, lines


def test_destroyed_vehicles():
    """LW-VEH-10 to LW-VEH-12, LW-MEL-08, LW-DMG-09, LW-AMB-43."""
    game, lines = smashed()
    assert last(lines, "aimed").number("number") == 3
    assert "destroyed" in kinds(lines)
    assert game.unit("b2").alive
    game, _ = smashed({"vehicle_occupants": "dead"})
    assert not game.unit("b2").alive
    game, _ = smashed({"vehicle_occupants": "fall_roll"})
    assert game.state.phase == "ATK_FALL"


def test_a_tower_at_the_wall():
    """LW-SIEGE-05, LW-SIEGE-06."""
    keep = block("keep", 440, 350, 520, 450, 57.6)

    def stepped(gap, level=48.0):
        game = Battle()
        game.terrain = (keep,)
        game.join("rw", "red", (440.0 - gap - 30.0, 400), kind="vehicle", height=48.0)
        game.join("r1", "red", (440.0 - gap - 20.0, 400), level=level)
        game.join("b1", "blue", FAR)
        game.start("red")
        game.put("r1", (452, 400), level=57.6)
        return code(game)

    assert stepped(10.0) is None
    assert stepped(30.0) == "LW-FLAG-04"
    assert stepped(10.0, level=20.0) == "LW-FLAG-04"


GATE = block("gate", 300, 300, 420, 320, 57.6, mark("door", 350, 298, 370, 322), kind="building")


def doorman(o=None, side="red", terrain=(GATE,)) -> Battle:
    red = {"r1": ((360, 280), ("sword",))} if side == "red" else {"r1": (FAR, ())}
    blue = {"b1": ((360, 280), ())} if side == "blue" else {"b1": (FAR, ())}
    game = Battle(o)
    game.terrain = terrain
    for one, men in (("red", red), ("blue", blue)):
        for name, (at, things) in men.items():
            game.join(name, one, at, *things)
    game.do("building", figure_id="gate", value="blue")
    return game.start("red")


def test_doors():
    """LW-BLDG-09, LW-BLDG-14, LW-SIEGE-07, LW-SIEGE-09, LW-TURN-07, LW-AMB-50."""
    game = doorman()
    game.put("r1", (360, 340))
    assert code(game) == "LW-FLAG-28"
    game.put("r1", (360, 280))
    to_attack(game)
    game.do("door", figure_id="r1", value="gate/0")
    refused("LW-FLAG-08", lambda: game.attack("r1", "sword", "b1"))
    game.next_turn("red", "MOVE")
    game.put("r1", (360, 340))
    assert code(game) is None
    early = doorman({"door_step": "movement_step"})
    early.do("door", figure_id="r1", value="gate/0")
    early.put("r1", (360, 340))
    assert code(early) is None
    shut = to_attack(doorman({"enemy_may_open_doors": False}))
    refused("LW-BLDG-09", lambda: shut.do("door", figure_id="r1", value="gate/0"))
    short = to_attack(doorman({"door_reach_cm": 0.5}))
    refused("LW-BLDG-09", lambda: short.do("door", figure_id="r1", value="gate/0"))


def test_doors_before_play():
    """LW-BLDG-10, LW-BLDG-14, LW-AMB-80."""
    for how, open_ in (("as_built", True), ("all_closed", False)):
        game = Battle({"doors_at_start": how})
        game.terrain = (GATE,)
        game.join("r1", "red", (100, 100))
        game.join("b1", "blue", FAR)
        game.do("door_state", value="gate/0")
        game.start("red")
        assert ("doors_open" in dict(game.state.marks)) is open_


WINCH = block(
    "gate",
    300,
    300,
    420,
    320,
    57.6,
    mark("drawbridge", 350, 298, 370, 322),
    mark("winch", 410, 312, 420, 320),
    kind="building",
)


def test_drawbridges():
    """LW-BLDG-12, LW-SIEGE-08, LW-AMB-51."""
    game = to_attack(doorman(terrain=(WINCH,)))
    refused("LW-BLDG-09", lambda: game.do("winch", figure_id="r1", value="gate/0"))
    near = doorman(terrain=(WINCH,))
    near.put("r1", (385, 285))
    to_attack(near).do("winch", figure_id="r1", value="gate/0")
    assert dict(near.state.marks)["doors_open"] == "gate/0"
    refused("LW-FLAG-08", lambda: near.attack("r1", "sword", "b1"))
    hard = to_attack(doorman({"wire_cutting": "attack_roll_vs_building"}, terrain=(WINCH,)))
    hard.do("cut_wires", figure_id="r1", value="gate/0", dice=(1,))
    assert "wires" not in dict(hard.state.marks)
    hard.next_turn()
    hard.do("cut_wires", figure_id="r1", value="gate/0", dice=(2,))
    assert dict(hard.state.marks)["wires"] == "gate/0"
    agreed = to_attack(doorman({"wire_cutting": "by_agreement"}, terrain=(WINCH,)))
    assert agreed.option("cut_wires", "r1").input.value == "confirm"


def falling_keep(o=None):
    keep = block("keep", 400, 350, 480, 450, 57.6)
    game = Battle(o)
    game.terrain = (keep,)
    game.join("r1", "red", (370, 400), "halberd")
    game.join("b1", "blue", (440, 400), level=57.6)
    game.join("b2", "blue", FAR)
    game.do("building", figure_id="keep", value="blue")
    game.start("red", phase="ATTACK")
    return game


def test_buildings():
    """LW-BLDG-01, LW-BLDG-02, LW-SIEGE-01, LW-SIEGE-02, LW-MEL-07, LW-DMG-10, LW-AMB-52."""
    game = falling_keep()
    assert game.unit("keep").mark("structure") == 20
    lines = game.attack("r1", "halberd", "keep", 2, 10)
    assert last(lines, "aimed").number("number") == 0
    assert game.unit("keep").mark("structure") == 19
    boom = {"nat10_vs_structure": "destroy"}
    game = falling_keep(boom)
    game.attack("r1", "halberd", "keep", 2, 10)
    assert game.state.phase == "ATK_FALL"
    game.do("roll", dice=(4,))
    assert game.unit("b1").alive
    assert not game.unit("keep").alive
    game = falling_keep(boom | {"building_occupants": "dead"})
    game.attack("r1", "halberd", "keep", 2, 10)
    assert not game.unit("b1").alive
    game = falling_keep(boom | {"building_occupants": "survive"})
    game.attack("r1", "halberd", "keep", 2, 10)
    assert game.unit("b1").alive
    assert game.state.phase == "ATTACK"


def gunners(kind, o=None, *, men=1, gap=300.0, target=()):
    game = Battle(o)
    game.join("rx", "red", (300, 400), kind=kind, height=20.0)
    for i in range(men):
        game.join(f"r{i + 1}", "red", (244.0, 380.0 + 20.0 * i))
    game.join("b1", "blue", (300 + 30 + 8 + gap, 400), *target)
    return game.start("red", phase="ATTACK")


def test_heavy_weapons():
    """LW-HVY-01, LW-HVY-02, LW-HVY-04, LW-HVY-06, LW-HVY-07, LW-AMB-53."""
    game = gunners("ballista")
    assert last(game.attack("r1", "rx", "b1", 2), "aimed").number("number") == 10
    refused("LW-FLAG-07", lambda: game.attack("r1", "rx", "b1"))
    game.next_turn()
    game.attack("r1", "rx", "b1", 2)
    slow = gunners("ballista", {"heavy_reload_turns": 1})
    slow.attack("r1", "rx", "b1", 2)
    slow.next_turn()
    refused("LW-FLAG-07", lambda: slow.attack("r1", "rx", "b1"))
    refused("LW-FLAG-26", lambda: gunners("ballista", {"heavy_crew": 2}).attack("r1", "rx", "b1"))
    pair = gunners("ballista", {"heavy_crew": 2}, men=2)
    pair.attack("r1", "rx", "b1", 2)
    refused("LW-FLAG-08", lambda: pair.do("drop", figure_id="r2", value="sword"))
    broken = gunners("ballista")
    broken.attack("r1", "rx", "b1", 10, 1)
    broken.next_turn()
    refused("LW-FLAG-12", lambda: broken.attack("r1", "rx", "b1"))
    wall = (block("w", 400, 300, 404, 500, 90.0),)
    for agreed, allowed in (({}, False), ({"catapult_indirect": True}, True)):
        blind = gunners("catapult", agreed)
        blind.terrain = wall
        blind.look()
        found = next(t for t in blind.option("crew_heavy", "r1").targets if t.figure_id == "b1")
        assert found.allowed is allowed


def test_rams():
    """LW-HVY-03, LW-HVY-05, LW-SIEGE-03, LW-AMB-54."""
    lone = gunners("battering_ram", gap=20.0)
    refused("LW-FLAG-26", lambda: lone.attack("r1", "rx", "b1"))
    two = gunners("battering_ram", men=2, gap=20.0)
    assert last(two.attack("r1", "rx", "b1", 2), "aimed").number("number") == 15
    more = gunners("battering_ram", {"ram_carriers": 3}, men=2, gap=20.0)
    refused("LW-FLAG-26", lambda: more.attack("r1", "rx", "b1"))
    heavy = alone(kind="battering_ram", at=(500.0, 400.0))
    heavy.put("r1", (540, 400))
    assert code(heavy) == "LW-FLAG-26"


def test_agreements():
    """LW-SIEGE-10, LW-LADD-12, LW-WPN-02."""
    game = alone("sword")
    game.do("agree", figure_id="r1", value="noted")
    game.do("agree", figure_id="r1", value="club")
    assert "club" in game.unit("r1").equipment
    refused("LW-FLAG-15", lambda: game.do("agree", figure_id="r1", value="club"))
    game.do("agree", figure_id="r1", value="falls")
    game.do("roll", dice=(4,))
    assert game.unit("r1").alive
    game.do("agree", figure_id="r1", value="out")
    assert game.state.outcome == "blue"


def test_bad_dice_and_wishes():
    """LW-GEN-02, LW-FLAG-23."""
    game = duel(30, "sword")
    game.attack("r1", "sword", "b1")
    refused("LW-FLAG-23", lambda: game.do("roll", dice=(11,)))
    refused("LW-GEN-02", lambda: game.do("roll", dice=(3, 4)))
    game.do("roll", dice=(0,))
    assert game.state.phase == "ATK_DAMAGE"
    strict = duel(30, "sword", options={"typed_zero_is_ten": False})
    strict.attack("r1", "sword", "b1")
    refused("LW-FLAG-23", lambda: strict.do("roll", dice=(0,)))


def test_riders_look_past_their_horses():
    """LW-COV-04, LW-AMB-10."""
    game = to_attack(rider(things=("bow", "quiver"), enemy=(500.0, 400.0)))
    assert game.aim_of("r1", "bow", "b1").allowed


def test_bodies_in_the_way():
    """LW-MOVE-11, LW-COV-02, LW-AMB-61."""
    for o, flag in (({}, None), ({"bodies_are_obstacles": True}, "LW-FLAG-01")):
        game = battle(
            {"r1": ((300, 400), ()), "r2": ((100, 100), ("bow", "quiver"))},
            {"b1": ((340, 400), ()), "b2": (FAR, ())},
            o,
            phase="ATTACK",
        )
        game.attack("r1", "unarmed", "b1", 10, 10)
        lie(game, "b1")
        game.next_turn("red", "MOVE")
        game.put("r1", (398, 400))
        assert code(game) == flag
