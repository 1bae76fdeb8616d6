"""SETUP: who is who, who leads whom, the land, and what is asked before play."""

from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.field import Field
from engine.rulesets.follow_me.game import FollowMe
from engine.rulesets.follow_me.marks import is_big, is_hero, kind_of, rank_of, undead, weapon_of
from tests.engine.follow_me.battle import Battle, battle, last, man
from tests.engine.tables import box

SIX = "begone blinder decay fear fire freeze"


def refused(game, kind, **fields):
    with pytest.raises(Refused) as caught:
        game.do(kind, **fields)
    return caught.value.rule


def two_sides(options=None):
    game = Battle(options)
    game.join("rh", "red", (600, 40), "hero_foot_light")
    game.join("bh", "blue", (600, 860), "hero_foot_light")
    return game


def test_a_figure_joins_a_side_and_is_proposed_a_type():
    """FM-SET-06, FM-SET-09: the players decide what it is."""
    game = Battle()
    game.figures["a"] = man("a", (100, 100))
    game.figures["b"] = man("b", (200, 100))
    game.look()
    assert set(game.offers("join")) == {"a", "b"}
    game.do("join", figure_id="a", value="green")
    assert game.mark("a", "type") == "light_soldier"
    game.do("type", figure_id="a", value="troll")
    assert kind_of(game.unit("a")).move_in == 5
    assert refused(game, "join", figure_id="a", value="red") == "FM-SET-09"
    assert refused(game, "join", figure_id="b", value="pink") == "FM-SET-09"
    assert refused(game, "type", figure_id="a", value="wizard") == "FM-SET-06"


def test_any_number_of_alliances():
    """FM-SET-09, FM-GEN-06: two or more, each with a name; those without figures do not play."""
    assert FollowMe().begin({}, ("x", "y", "z", "u", "v")).sides[4] == "v"
    for sides in (("one",), ("one", "one")):
        with pytest.raises(Refused) as caught:
            FollowMe().begin({}, sides)
        assert caught.value.rule == "FM-SET-09"
    game = two_sides()
    game.do("ready")
    assert dict(game.state.marks)["playing"] == "red,blue"


def test_every_side_has_a_hero():
    """FM-SET-02, FM-SET-03: and every follower exactly one leader."""
    game = Battle()
    assert refused(game, "ready") == "FM-SET-09"
    game.join("r1", "red", (100, 40), "archer")
    game.join("b1", "blue", (100, 860), "archer")
    assert refused(game, "ready") == "FM-SET-02"
    game.join("rh", "red", (200, 40), "hero_foot_light")
    game.join("bh", "blue", (200, 860), "hero_foot_light")
    assert game.mark("r1", "led_by") == "rh"
    game.join("ri", "red", (300, 40), "hero_foot_light")
    game.join("r2", "red", (400, 40), "archer")
    assert refused(game, "ready") == "FM-SET-03"
    assert refused(game, "lead", figure_id="r2", value="bh") == "FM-SET-03"
    assert refused(game, "lead", figure_id="ri", value="rh") == "FM-SET-05"
    game.do("lead", figure_id="r2", value="ri")
    game.do("ready")
    assert game.state.turn == 1


def test_big_things_are_solitary():
    """FM-SET-05, FM-BIG-01: in no contingent, with no rank."""
    game = two_sides()
    game.join("r1", "red", (300, 40), "giant")
    assert game.mark("r1", "led_by") is None
    assert rank_of(game.unit("r1")) == "none"
    assert refused(game, "lead", figure_id="r1", value="rh") == "FM-SET-05"


def test_contingents_of_odd_size_are_told():
    """FM-SET-04: outside 6 to 20, but allowed."""
    game = two_sides()
    for i in range(6):
        game.join(f"r{i}", "red", (100 + 40 * i, 80), "orc_grunt")
    game.do("ready")
    told = [line.event.figure_id for line in game.referee.lines if line.event.kind == "odd_size"]
    assert told == ["bh"]
    for count, odd in ((20, ["bh"]), (21, ["rh", "bh"])):
        crowd = two_sides()
        for i in range(count):
            crowd.join(f"r{i:02d}", "red", (100.0 + 40 * i, 80), "orc_grunt")
        crowd.do("ready")
        told = [one.event for one in crowd.referee.lines if one.event.kind == "odd_size"]
        assert sorted(one.figure_id for one in told) == sorted(odd)


def test_ranks_and_undead():
    """FM-SET-07, FM-SET-08: by type, or as the players say."""
    game = two_sides()
    game.join("r1", "red", (300, 40), "orc_chief")
    game.join("r2", "red", (340, 40), "goblin")
    game.join("r3", "red", (380, 40), "undead_pirate")
    assert [rank_of(game.unit(n)) for n in ("rh", "r1", "r2")] == ["noble", "noble", "commoner"]
    game.do("rank", figure_id="r2", value="noble")
    assert rank_of(game.unit("r2")) == "noble"
    assert refused(game, "rank", figure_id="r2", value="king") == "FM-SET-07"
    assert [undead(game.unit(n)) for n in ("r1", "r2", "r3")] == [False, False, True]
    game.do("undead", figure_id="r1")
    assert undead(game.unit("r1"))
    game.do("undead", figure_id="r1")
    assert not undead(game.unit("r1"))
    assert refused(game, "undead", figure_id="r3") == "FM-SET-08"


RIDERS = {"horseman", "wolf_rider", "knight", "hero_horse_light", "hero_horse_armoured"}
HEROES = {
    "hero_foot_light", "hero_foot_armoured", "hero_horse_light", "hero_horse_armoured", "mage",
}  # fmt: skip


@pytest.mark.parametrize("kind", data().types)
def test_what_a_type_makes_of_a_figure(kind):
    """FM-SET-05, 06, 08, FM-GEO-03, FM-MAGE-01: who rides, leads, is big, undead, or a mage."""
    game = two_sides()
    game.join("r1", "red", (300, 40), kind)
    unit = game.unit("r1")
    base = Field(game.state, game.table()).figures["r1"].base
    big = kind in ("giant", "dragon")
    assert (base.length_mm, base.size_mm) == (
        (56.0, 24.0) if kind in RIDERS else (0.0, 40.0 if big else 20.0)
    )
    assert (is_hero(unit), is_big(unit), undead(unit)) == (
        kind in HEROES, big, kind == "undead_pirate",
    )  # fmt: skip
    assert (game.option("learn", "r1") is not None) is (kind == "mage")
    assert unit.mark("led_by") == (None if kind in HEROES or big else "rh")


def test_weapons_are_of_the_type():
    """FM-SET-12: heroes have one only as entered."""
    game = two_sides()
    game.join("r1", "red", (300, 40), "archer")
    game.join("r2", "red", (340, 40), "crossbowman")
    game.join("r3", "red", (380, 40), "dragon")
    assert [weapon_of(game.unit(n)) for n in ("r1", "r2", "r3", "rh")] == [
        "bow", "crossbow", "dragon_breath", "",
    ]  # fmt: skip
    game.do("weapon", figure_id="rh", value="crossbow")
    assert weapon_of(game.unit("rh")) == "crossbow"
    game.do("weapon", figure_id="rh", value="none")
    assert weapon_of(game.unit("rh")) == ""
    assert refused(game, "weapon", figure_id="r1", value="bow") == "FM-SET-12"


def test_setting_up_near_the_own_edge():
    """FM-SET-10: 12 inches deep; farther out is told, not forbidden."""
    game = two_sides()
    game.join("r1", "red", (300, 295), "orc_grunt")
    game.join("r2", "red", (340, 294), "orc_grunt")
    game.do("ready")
    far = [line.event.figure_id for line in game.referee.lines if line.event.kind == "far_out"]
    assert far == ["r1"]
    other = two_sides()
    other.do("edge", side="red", value="north")
    assert refused(other, "edge", side="red", value="up") == "FM-SET-10"
    assert Field(other.state, other.table()).edge_of("red") == "north"
    other.do("ready")
    far = [line.event.figure_id for line in other.referee.lines if line.event.kind == "far_out"]
    assert far == ["rh"]
    assert two_sides({"fm.setup.deploy_in": 30}).state.phase == "SETUP"


def test_terrain_is_what_the_players_say():
    """FM-OBS-08, FM-OBS-09, FM-GEO-28: or what it looks like."""
    game = two_sides()
    game.terrain = (
        box("a", 100, 300, 200, 310, 15.0),
        box("b", 300, 300, 400, 310, 60.0),
        box("c", 500, 300, 600, 310, 101.0),
        box("d", 700, 300, 800, 310, 80.0, kind="building"),
        box("e", 900, 300, 950, 310, 1.0, kind="water"),
        box("f", 960, 300, 999, 310, 1.0, kind="ford"),
    )
    game.look()
    kinds = {p.terrain_id: k for p, k in Field(game.state, game.table()).pieces}
    assert kinds == {"a": "low_wall", "b": "high_wall", "c": "house", "d": "house",
                     "e": "deep_water", "f": "ford"}  # fmt: skip
    edge = (box("l", 100, 300, 200, 310, 29.0), box("h", 300, 300, 400, 310, 31.0))
    low, high = (Field(game.state, game.table()).kind_of_piece(piece) for piece in edge)
    assert (low, high) == ("low_wall", "high_wall")
    game.do("label", value="e:shallow_stream")
    assert Field(game.state, game.table()).kind_of_piece(game.terrain[4]) == "shallow_stream"
    assert refused(game, "label", value="e:lava") == "FM-SET-01"
    assert refused(game, "label", value="x:ford") == "FM-SET-01"


def test_the_scale_follows_the_figures():
    """FM-GEN-03, FM-GEN-04, FM-GEN-06: one factor a table, settled when all are ready."""
    game = two_sides()
    game.do("ready")
    assert dict(game.state.marks)["factor"] == 1.0
    assert "one rule inch is 25.4 millimetres. A soldier walks 152, a horse 356" in " ".join(
        game.said()
    )
    own = two_sides({"fm.scale.factor": 0.5, "fm.scale.mode": "explicit"})
    own.do("ready")
    assert Field(own.state, own.table()).settings.inches(2.0) == pytest.approx(25.4)


def test_mages_choose_six_spells():
    """FM-MAGE-01, FM-MAGE-05, FM-MAGE-11: and start with twelve points, or as said."""
    game = two_sides()
    game.do("type", figure_id="rh", value="mage")
    assert refused(game, "ready") == "FM-MAGE-11"
    for spell in SIX.split():
        game.do("learn", figure_id="rh", value=spell)
    assert refused(game, "learn", figure_id="rh", value="storm") == "FM-MAGE-11"
    assert refused(game, "learn", figure_id="bh", value="storm") == "FM-MAGE-11"
    game.do("learn", figure_id="rh", value="fire")
    game.do("learn", figure_id="rh", value="storm")
    assert "storm" in game.mark("rh", "known")
    assert game.mark("rh", "points") == 12
    game.do("points", figure_id="rh", numbers=(7.0,))
    assert game.mark("rh", "points") == 7
    assert refused(game, "points", figure_id="bh", numbers=(7.0,)) == "FM-MAGE-05"
    game.do("ready")
    assert game.state.turn == 1


def test_mounted_and_armoured_mages():
    """FM-MAGE-29, FM-MAGE-03: moved and shot at as such a hero, but a soldier in melee."""
    game = two_sides()
    game.do("type", figure_id="rh", value="mage")
    game.do("body", figure_id="rh", value="hero_horse_armoured")
    own = kind_of(game.unit("rh"))
    assert (own.move_in, own.shoot_row, own.melee, own.margin) == (10, "heavy", 0, 2)
    assert refused(game, "body", figure_id="bh", value="hero_horse_light") == "FM-MAGE-29"


def test_modules_may_be_left_out():
    """FM-GEN-12: without mages none is chosen, without spells they only meditate."""
    game = two_sides({"fm.modules.mages": False})
    assert refused(game, "type", figure_id="rh", value="mage") == "FM-GEN-12"
    game = two_sides({"fm.modules.spells": False})
    game.do("type", figure_id="rh", value="mage")
    assert refused(game, "learn", figure_id="rh", value="fire") == "FM-MAGE-11"
    game.do("ready")
    assert game.option("cast", "rh") is None
    assert game.option("meditate", "rh") is not None


def test_nothing_is_asked_without_a_creature():
    """FM-SET-14: only where mages, spells and a Giant or Dragon meet."""
    game = battle([], [], kinds=("mage", "mage"), spells=(SIX, SIX))
    assert "asked_mine" not in game.kinds()
    game = battle([("giant", (300, 40))], [], kinds=("mage", "hero_foot_light"), spells=(SIX, ""))
    assert last(game.referee.lines, "mine_settled").value("yes") is True


def test_who_is_not_on_the_table_does_not_play():
    """FM-GEO-18: it is left out, or put there."""
    game = two_sides()
    game.join("r1", "red", (300, 40), "orc_grunt")
    del game.figures["r1"]
    game.look()
    assert refused(game, "ready") == "FM-GEO-18"
    game.do("leave_out", figure_id="r1")
    game.do("ready")
    assert not game.unit("r1").alive


def test_who_was_left_out_may_play_after_all():
    """FM-SET-09: until the game begins, on its own side or another, as what it was."""
    game = two_sides()
    game.join("r1", "red", (300, 40), "orc_grunt")
    name = game.unit("r1").name
    game.do("leave_out", figure_id="r1")
    assert refused(game, "type", figure_id="r1", value="troll") == "FM-SET-09"
    back = game.option("join", "r1")
    assert back.text == f"{name} does not play. Let it play for"
    assert [side for side, _ in back.choices] == list(game.state.sides)
    game.do("join", figure_id="r1", value="red")
    assert game.said()[-1] == f"{name} plays after all."
    assert (game.unit("r1").alive, game.unit("r1").name) == (True, name)
    assert (game.mark("r1", "type"), game.mark("r1", "led_by")) == ("orc_grunt", "rh")
    assert game.mark("r1", "gone") is None
    assert game.option("join", "r1") is None
    game.do("leave_out", figure_id="r1")
    game.do("join", figure_id="r1", value="blue")
    assert (game.unit("r1").side, game.mark("r1", "led_by")) == ("blue", "bh")
    game.do("leave_out", figure_id="r1")
    game.do("ready")
    assert "r1" not in game.offers("join")
    assert not game.unit("r1").alive


def test_footprints_are_of_the_type():
    """FM-GEO-03, FM-MOVE-12: mounts lie along their facing, which matters for nothing else."""
    game = two_sides()
    game.join("r1", "red", (300, 40), "knight", facing=0.0)
    game.join("r2", "red", (400, 40), "giant")
    figures = Field(game.state, game.table()).figures
    assert (figures["r1"].base.length_mm, figures["r1"].base.size_mm) == (56.0, 24.0)
    assert figures["r1"].base.rotation_deg == 0.0
    assert figures["r2"].base.size_mm == 40.0
    assert figures["rh"].base.size_mm == 20.0


@pytest.mark.parametrize(
    ("profile", "man", "rider", "giant"),
    [("lego_model", 20.0, (56.0, 24.0), 40.0), ("playmobil_model", 32.0, (110.0, 36.0), 80.0)],
)
def test_gaps_begin_at_the_edge_of_a_footprint(profile, man, rider, giant):
    """FM-GEO-03: 200 mm from the hero's middle; of a man out of sight the place is remembered."""
    game = two_sides()
    for name, at, kind, facing in (
        ("r1", (400, 40), "knight", 0.0), ("r2", (400, 300), "knight", 90.0),
        ("r3", (800, 40), "giant", None), ("r4", (600, 240), "orc_grunt", None),
    ):  # fmt: skip
        game.join(name, "red", at, kind, facing=facing)
    for name, figure in game.figures.items():
        game.figures[name] = replace(figure, profile=profile)
    game.look()
    game.do("ready")
    del game.figures["r4"]
    game.shift(r2=(400, 40), r1=(400, 300))
    field = Field(game.state, game.table())
    gap = {name: field.gap(game.unit("rh"), game.unit(name)) for name in ("r2", "r3", "r4")}
    assert gap == {
        "r2": pytest.approx(190.0 - rider[1] / 2.0),
        "r3": pytest.approx(190.0 - giant / 2.0),
        "r4": pytest.approx(190.0 - man / 2.0),
    }
    game.shift(r1=(400, 40), r2=(400, 300))
    long_ways = Field(game.state, game.table()).gap(game.unit("rh"), game.unit("r1"))
    assert long_ways == pytest.approx(190.0 - rider[0] / 2.0)
