"""What the camera's measures mean: sizes, bands, nearness, and how still a model stands."""

from dataclasses import replace

import pytest

from engine.rulesets import by_id
from engine.rulesets.legowars.hauling import harnessable
from engine.rulesets.legowars.riding import mount_fault
from engine.rulesets.legowars.seeing import view
from engine.rulesets.legowars.settings import settings_of
from engine.table import FigureState, Seen
from tests.engine.legowars.battle import Battle, battle, block, duel, mark

EYES = {"lego_model": 34.0, "playmobil_model": 62.0, "horse": 40.0, "rider": 60.0}
HEIGHTS = {"lego_model": 40.0, "playmobil_model": 75.0, "horse": 45.0, "rider": 68.0}


def looking(viewer: str, target: str, wall: float, *marks) -> float:
    """The share seen over a wall that ends halfway, 100 mm from each of the two.

    A sight line over its edge meets the target twice as far below (or above) the eye as the edge.
    """
    game = Battle()
    game.terrain = (block("wall", 398, 100, 400, 700, wall, *marks),)
    for side, kind, x in (("red", viewer, 300.0), ("blue", target, 500.0)):
        name = f"{side[0]}1"
        if kind in ("horse", "rider"):
            game.join(f"{side[0]}h", side, (x, 400.0), "saddle", kind="horse")
            game.join(name, side, (x, 440.0))
        else:
            game.join(name, side, (x, 400.0))
            size = {"profile": kind, "height_mm": HEIGHTS[kind]}
            game.figures[name] = replace(game.figures[name], **size)
            game.look()
    game.do("ready", value="accept")
    while game.state.question is not None:
        game.do("answer", value="yes")
    for side, kind in (("red", viewer), ("blue", target)):
        if kind == "rider":
            game.do("mount", figure_id=f"{side[0]}1", target_id=f"{side[0]}h")
    names = [f"{s}{'h' if k == 'horse' else '1'}" for s, k in (("r", viewer), ("b", target))]
    if marks:
        game.do("door_state", value="wall/0")
    settings = settings_of(game.state)
    return view(game.state, settings, game.table(), *map(game.unit, names)).visible


@pytest.mark.parametrize(
    ("viewer", "target", "wall"),
    [
        ("lego_model", "lego_model", 28.8),
        ("playmobil_model", "playmobil_model", 57.6),
        ("horse", "lego_model", 38.4),
        ("lego_model", "horse", 28.8),
        ("rider", "lego_model", 48.0),
        ("lego_model", "rider", 28.8),
    ],
)
def test_eyes_and_heights(viewer, target, wall):
    """LW-COV-01, LW-COV-03."""
    hidden = EYES[viewer] - 2.0 * (EYES[viewer] - wall)
    seen = (HEIGHTS[target] - hidden) / HEIGHTS[target]
    assert looking(viewer, target, wall) == pytest.approx(seen, abs=0.002)


def test_an_open_door_is_five_bricks_high():
    """LW-BLDG-13: its lintel hides what is above."""
    door = mark("door", 397, 300, 401, 500)
    lintel = 5 * 9.6
    shown = EYES["lego_model"] + 2.0 * (lintel - EYES["lego_model"])
    seen = looking("lego_model", "rider", 96.0, door)
    assert seen == pytest.approx(shown / HEIGHTS["rider"], abs=0.002)


@pytest.mark.parametrize(("profile", "wide"), [("lego_model", 24.0), ("playmobil_model", 45.0)])
def test_widths(profile, wide):
    """LW-COV-01: a wall beside the target, 6 mm past its middle, leaves half its width less 6."""
    game = battle({"r1": ((100, 400), ())}, {"b1": ((500, 400), ())}, phase="ATTACK")
    size = {"profile": profile, "height_mm": HEIGHTS[profile]}
    game.figures["b1"] = replace(game.figures["b1"], **size)
    game.terrain = (block("wall", 499.8, 394, 499.9, 700, 96.0),)
    seen = view(
        game.state, settings_of(game.state), game.table(), game.unit("r1"), game.unit("b1")
    ).visible
    assert seen == pytest.approx((wide / 2.0 - 6.0) / wide, abs=0.002)


def test_bases():
    """LW-GEN-07: what a model stands on where none was measured."""
    base = by_id("legowars").info.base
    assert {name: one.size_mm for name, one in base.items()} == {
        "lego_model": 16.0,
        "playmobil_model": 28.0,
    }


def test_the_band_of_deployment_is_thirty_centimetres():
    """LW-GEN-08."""
    game = Battle({"deployment": "edge_band_cm"})
    game.join("r1", "red", (100, 100))
    game.join("b1", "blue", (300, 700))
    for _ in range(2):
        game.do("ready")
    for name, at, flag in (
        ("r1", (100, 300), None),
        ("r1", (100, 309), "DEPLOY"),
        ("b1", (300, 500), None),
        ("b1", (300, 491), "DEPLOY"),
    ):
        game.put(name, at)
        assert game.unit(name).mark("open_code") == flag, at


def test_a_model_out_of_sight_is_asked_about_after_twenty_seconds():
    """LW-GEN-07."""
    game = duel(500, phase="MOVE")
    hidden = replace(game.figures["b1"], state=FigureState.HIDDEN, seen=Seen.HIDDEN)
    game.figures["b1"] = hidden
    game.look()
    assert game.unit("b1").mark("missing") is not None
    game.t_ns += 19_700_000_000  # a look takes another 0.1 s
    game.put("r1", (301, 400))
    assert game.unit("b1").mark("missing_asked") is None
    game.t_ns += 200_000_000
    game.put("r1", (302, 400))
    assert game.unit("b1").mark("missing_asked") is not None


def test_trembling_is_no_move():
    """LW-TURN-08: shifts below 6 mm are none; a model is put back 10 mm from its place."""
    game = duel(500, phase="MOVE")
    game.put("b1", (821.9, 400))
    assert game.unit("b1").mark("open_code") is None
    game.put("b1", (822.2, 400))
    assert game.unit("b1").mark("open_code") == "LW-FLAG-22"
    for back, flag in ((826.3, "LW-FLAG-22"), (825.8, None)):
        game.put("b1", (840, 400))
        game.put("b1", (back, 400))
        assert game.unit("b1").mark("open_code") == flag


def at_hand(gap: float) -> Battle:
    """A man, a saddled horse and a wagon in a row, so far apart."""
    game = Battle()
    game.join("rw", "red", (500, 400), kind="vehicle", sigma=0.0)
    game.join("rh", "red", (545 + gap, 400), "saddle", kind="horse", sigma=0.0)
    game.join("r1", "red", (568 + 2 * gap, 400), sigma=0.0)
    game.join("b1", "blue", (1100, 700))
    return game.start("red")


def test_two_centimetres_are_near_enough_to_mount_and_to_harness():
    """LW-HORSE-12, LW-VEH-01."""
    for gap, fault, team in ((19.9, None, ["rh"]), (20.2, "LW-HORSE-12", [])):
        game = at_hand(gap)
        told = (game.state, settings_of(game.state), game.table())
        found = mount_fault(*told, game.unit("r1"), game.unit("rh"))
        assert (found and found[0]) == fault
        assert [u.figure_id for u in harnessable(*told, game.unit("rw"))] == team
