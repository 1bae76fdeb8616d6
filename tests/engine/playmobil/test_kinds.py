"""Every troop type at play: how far it goes, its dice, its size on the table, its hits."""

from dataclasses import replace

import pytest

from engine.rulesets import by_id
from engine.rulesets.playmobil.data import data
from tests.engine.playmobil.battle import attack, battle, end, face, last, mustered, refused
from tests.engine.tables import box

FAR = ("light_infantry", (1500, 1300))
MAN = "light_infantry"
FOOT = 304.8
HALF_LENGTH = {"foot": 16.0, "horse": 55.0, "elephant": 95.0, "chariot": 105.0}

FIGHTERS = [
    # type, feet it moves, dice to attack and to defend, kind
    ("light_infantry", 1.0, 1, 1, "foot"),
    ("light_spearman", 1.0, 1, 1, "foot"),
    ("heavy_spearman", 0.5, 1, 2, "foot"),
    ("heavy_infantry", 0.5, 1, 2, "foot"),
    ("light_cavalry", 1.5, 1, 2, "horse"),
    ("heavy_cavalry", 1.5, 1, 3, "horse"),
    ("infantry_archer", 1.0, 1, 1, "foot"),
    ("mounted_archer", 1.5, 1, 1, "horse"),
    ("war_elephant", 1.0, 3, 3, "elephant"),
    ("chariot", 1.0, 3, 1, "chariot"),
    ("general_foot", 0.5, 2, 2, "foot"),
    ("general_mounted", 1.5, 2, 3, "horse"),
]
ENGINES = ("battering_ram", "siege_tower", "ladder", "artillery")


def test_every_type_is_played():
    played = {name for name, *_ in FIGHTERS} | set(ENGINES) | {"riderless_elephant"}
    assert played == set(data().types)


@pytest.mark.parametrize(("name", "feet", "a", "d", "kind"), FIGHTERS)
def test_a_type_at_play(name, feet, a, d, kind):
    """How far it may go, the dice it strikes with, and those it defends itself with in front.

    PM-INF-01 to 04, PM-CAV-01, 02, PM-ARCH-01, 02, PM-ELE-01, PM-CHAR-01, PM-GENL-01 to 03.
    """
    game = battle([(name, (600, 500))], [FAR])
    assert f"{FOOT * feet:.0f} millimetres" in game.option("reach", "r1").hint
    assert last(game.put("r1", (600, 600)), "moved").number("limit_mm") == pytest.approx(
        FOOT * feet
    )
    beside = (600, 500 + HALF_LENGTH[kind] + 16 + 20)
    game = battle([(name, (600, 500))], [(MAN, beside), FAR])
    assert last(game.do("melee", figure_id="r1", target_id="b1"), "aimed").number("a") == a
    game = battle([(name, (600, 500))], [(MAN, beside), FAR], first="blue")
    assert last(game.do("melee", figure_id="b1", target_id="r1"), "aimed").number("d") == d
    game = battle([(name, (600, 500))], [(MAN, (600, 900)), FAR])
    assert (game.option("charge", "r1") is not None) is (kind == "horse")


def test_an_elephant_without_rider_has_two_dice_each_way():
    """PM-ELE-02."""
    game = battle(
        [("war_elephant", (600, 600)), (MAN, (1200, 200))],
        [("infantry_archer", (900, 600)), (MAN, (600, 600 + 95 + 16 + 20))],
        first="blue",
        gear=[("b1", "bow", "longbow")],
    )
    attack(game, "shoot", "b1", "r1_man1", 6, 1)
    aimed = last(game.do("melee", figure_id="b2", target_id="r1"), "aimed")
    assert aimed.number("d") == 2
    game.do("roll", dice=(1, 6, 6))
    goes = last(game.do("done"), "rampage")
    assert (goes.target_id, goes.number("a")) == ("b2", 2)


@pytest.mark.parametrize(("far", "kind"), [(312.0, "moved"), (318.0, "flagged")])
def test_how_far_an_elephant_without_rider_goes(far, kind):
    """PM-ELE-16: up to a foot, and not measured nearer than figures are put, 10 mm."""
    game = battle(
        [("war_elephant", (600, 600)), (MAN, (1200, 200))],
        [("infantry_archer", (900, 600)), (MAN, (600, 600 + 95 + 16 + 40))],
        first="blue",
        gear=[("b1", "bow", "longbow")],
    )
    attack(game, "shoot", "b1", "r1_man1", 6, 1)
    game.do("done")
    game.do("roll", dice=(1, 1, 6))
    told = [line.event.kind for line in game.put("r1", (600.0 - far, 600.0))]
    assert told == [kind]


@pytest.mark.parametrize(
    ("engine", "dice", "question"),
    [
        ("battering_ram", 2, "two artillery hits: agreed?"),
        ("siege_tower", 3, "three artillery hits: agreed?"),
        ("ladder", None, "one artillery hit: agreed?"),
        ("artillery", 2, "Two dice against fire arrows, two artillery hits: agreed?"),
    ],
)
def test_an_engine_at_play(engine, dice, question):
    """PM-SIEGE-03 to 05, 10, 11: what is proposed, dice against fire, how far two men push it."""
    game = mustered([(MAN, (0, 0)), (engine, (0, 0))], [(MAN, (0, 0))])
    words = {2: "two dice", 3: "three dice", None: "no dice"}[dice]
    told = f"152 millimetres, no dice to attack, {words} to defend."
    assert any(text.startswith("Red 2: ") and text.endswith(told) for text in game.said())
    assert "2 attacking" not in game.option("force").hint
    game.do("ready")
    assert question in game.state.question.text
    foes = [(engine, (600, 700)), FAR]
    game = battle([("infantry_archer", (600, 500))], foes)
    if dice is None:
        assert "burn" in refused(game, "flame", figure_id="r1", target_id="b1").reason
    else:
        aimed = last(game.do("flame", figure_id="r1", target_id="b1"), "aimed")
        assert aimed.number("d") == dice
        assert "of three places" in " ".join(_burned(game))
    crew = [(MAN, (546, 500)), (MAN, (654, 500))]
    game = battle([(engine, (600, 500)), *crew], [FAR])
    moved = last(game.put("r1", (600, 600)), "moved")
    assert moved.number("limit_mm") == pytest.approx(FOOT / 2.0)


def _burned(game):
    dice = (6, *[1] * int(dict(game.state.marks)["aim_d"]))
    game.do("roll", dice=dice)
    return game.said()


SIZES = {
    # Length and width along the facing; of a man the diameter.
    "playmobil_model": {
        "man": (32.0, 32.0), "horse": (110.0, 36.0), "elephant": (190.0, 90.0),
        "chariot": (210.0, 90.0), "engine": (140.0, 70.0),
    },
    "lego_model": {
        "man": (20.0, 20.0), "horse": (56.0, 24.0), "elephant": (96.0, 48.0),
        "chariot": (104.0, 48.0), "engine": (72.0, 40.0),
    },
}  # fmt: skip
TARGETS = {
    "man": (MAN, "shoot", "b1"),
    "horse": ("light_cavalry", "shoot", "b1"),
    "elephant": ("war_elephant", "shoot", "b1_man1"),
    "chariot": ("chariot", "shoot", "b1_man1"),
    "engine": ("battering_ram", "flame", "b1"),
}


@pytest.mark.parametrize("profile", SIZES)
@pytest.mark.parametrize("what", TARGETS)
def test_a_shot_ends_at_the_edge_of_what_is_shot_at(what, profile):
    """PM-GEO-03, PM-GEO-04: head on nearer by half its length, from the side by half its width."""
    troop, act, target = TARGETS[what]
    man = SIZES[profile]["man"][0] / 2.0
    assert by_id("playmobil").info.base[profile].size_mm == 2.0 * man
    for facing, size in zip((270.0, 0.0), SIZES[profile][what], strict=True):
        game = battle(
            [("infantry_archer", (600, 300))],
            [(troop, (600, 600)), FAR],
            gear=[("r1", "bow", "longbow")],
            facing={"b1": facing},
        )
        for name in ("r1", "b1"):
            game.figures[name] = replace(game.figures[name], profile=profile)
        game.look()
        aimed = last(game.do(act, figure_id="r1", target_id=target), "aimed")
        assert aimed.number("length_mm") == pytest.approx(300.0 - man - size / 2.0)


@pytest.mark.parametrize(("gap", "lent"), [(303.8, True), (305.8, False)])
def test_a_range_is_lent_over_a_foot(gap, lent):
    """PM-CIRC-01: two horsemen a foot apart from edge to edge; only the right one is in range."""
    game = battle(
        [("mounted_archer", (400, 600)), ("mounted_archer", (400 + 36 + gap, 600))],
        [(MAN, (400 + 36 + gap, 900)), FAR],
        {"geom.close_policy": "strict"},
    )
    if lent:
        aimed = last(game.do("shoot", figure_id="r1", target_id="b1"), "aimed")
        assert aimed.text("spotter") == "r2"
    else:
        assert refused(game, "shoot", figure_id="r1", target_id="b1").rule == "PM-ARCH-03"


@pytest.mark.parametrize(
    ("piece", "target", "said"),
    [
        ("catapult", "b1", "Blue 1: 2 of 6 damage."),
        ("cannon", "b1", "Blue 1: 3 of 6 damage."),
        ("catapult", "b2", "Blue 2: 1 of 2 damage."),
        ("cannon", "b2", "Blue 2: 2 of 2 damage."),
        ("cannon", "b3", "Blue 3: 1 of 3 hits."),
    ],
)
def test_damage_is_counted_aloud(piece, target, said):
    """PM-ART-07 to 10, PM-SIEGE-06."""
    game = battle(
        [("artillery", (600, 400)), (MAN, (600, 310))],
        [("war_elephant", (900, 800)), ("chariot", (1200, 800)), ("siege_tower", (400, 900)), FAR],
        gear=[("r1", "piece", piece)],
    )
    game.do("fire", figure_id="r1")
    game.do("hit", target_id=target)
    assert said in game.said()


@pytest.mark.parametrize(("beside", "blocked"), [(20.8, True), (21.2, False)])
def test_how_wide_a_blow_is(beside, blocked):
    """PM-ATT-12: who stands less than 5 mm from the line of it is in between, friend or not."""
    game = battle([(MAN, (600, 500)), (MAN, (600 + beside, 540))], [(MAN, (600, 580)), FAR])
    targets = {one.figure_id: one.allowed for one in game.option("melee", "r1").targets}
    assert targets == {"b1": not blocked, "b2": False}


@pytest.mark.parametrize(("off", "flagged"), [(29.5, False), (30.5, True)])
def test_how_far_a_figure_may_look_past_its_victim(off, flagged):
    """PM-GEO-27: after an attack to within thirty degrees of where the victim stood."""
    game = battle([(MAN, (600, 500))], [(MAN, (600, 560)), FAR])
    attack(game, "melee", "r1", "b1", 1, 6)
    face(game, "r1", 90.0 - off)
    assert ("turn Red 1 towards where his victim stood" in game.said()[-1]) is flagged


@pytest.mark.parametrize(("beside", "straight"), [(33.5, True), (36.0, False)])
def test_how_wide_a_breach_is(beside, straight):
    """PM-WALL-05: 100 mm; a man 32 mm wide walks straight through up to 34 mm off its middle."""
    wall = (box("wall", 400, 620, 900, 640, 90.0),)
    game = battle(
        [("battering_ram", (600, 546)), (MAN, (546, 500)), (MAN, (600 + beside, 560))],
        [FAR],
        terrain=wall,
    )
    for _ in range(3):
        game.do("ram", figure_id="r1", value="wall")
        end(game)
        end(game)
    said = "Wall wall is broken at 600, 620, 100 millimetres wide."
    assert said in game.said()
    moved = last(game.put("r3", (600 + beside, 700)), "moved").number("moved_mm")
    assert (moved < 140.02) is straight
