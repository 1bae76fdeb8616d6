"""A small game, played anew, is the one in the golden folder: inputs, log and words.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the files anew, and read
the difference.
"""

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from shapely import Point, Polygon, union_all

from engine.ruleset import Option
from engine.table import FigureState, PointMm
from tests.engine.golden import check_golden
from tests.engine.legowars.battle import SIZE, block, mark, thing
from tests.engine.tables import Game, drawn

GOLDEN = Path(__file__).parents[2] / "golden" / "legowars"
KEEP = block(
    "keep",
    500,
    380,
    620,
    500,
    57.6,
    mark("ladder", 552, 364, 560, 384),
    mark("door", 500, 430, 512, 450),
    kind="building",
)
FENCE = block("fence", 300, 300, 420, 306, 19.2)
LADDER = (556.0, 360.0)
MEN = {
    "r1": ("red", (540.0, 340.0), ("sword", "shield", "helmet")),
    "r2": ("red", (360.0, 260.0), ("halberd", "plate")),
    "r3": ("red", (700.0, 300.0), ("lance", "leather")),
    "b1": ("blue", (540.0, 470.0), ("bow", "quiver")),
    "b2": ("blue", (470.0, 440.0), ("spear", "spear")),
    "b3": ("blue", (760.0, 470.0), ("club",)),
}


def small_game() -> Game:
    """Lists, a rider, a climb under fire, a thrown spear, a fright, a broken weapon, kills."""
    game = Game(ruleset="", size=SIZE, seed=0)
    game.look()
    game.do("new_game", value="legowars", numbers=(5.0,))
    for piece in (KEEP, FENCE):
        game.do("terrain_set", terrain_id=piece.terrain_id, terrain=piece)
    game.terrain = game.referee.facts.terrain
    for name, (side, at, _) in MEN.items():
        level = 57.6 if name == "b1" else 0.0
        game.figures[name] = thing("man", name, at, level=level)
        game.look()
        game.do("join", figure_id=name, side=side, value="man")
    game.figures["rh"] = thing("horse", "rh", (700.0, 330.0))
    game.figures["bh"] = thing("horse", "bh", (900.0, 600.0))
    game.look()
    game.do("join", figure_id="rh", side="red", value="horse")
    game.do("join", figure_id="bh", side="blue", value="horse")
    game.do("building", figure_id="keep", value="blue")
    game.do("ready")
    for name, (_, _, things) in MEN.items():
        for item in things:
            game.do("gear", figure_id=name, value=item)
    game.do("gear", figure_id="rh", value="saddle")
    game.do("stat", figure_id="keep", value="armor_bought", numbers=(2.0,))
    game.do("ready")
    game.do("answer", value="yes")
    game.do("mount", figure_id="r3", target_id="rh")
    game.do("ready")
    game.do("initiative", dice=(7, 7))
    game.do("initiative", dice=(9, 2))
    game.put("r2", (360.0, 330.0))  # over the fence and too far
    game.put("r2", (360.0, 300.0), level=19.2)
    game.put("r1", (556.0, 360.0))
    game.put("rh", (760.0, 430.0))
    game.do("done")
    game.do("done")
    game.do("attack", figure_id="r3", value="lance", target_id="b3")
    roll(game, 6)
    roll(game, 1)
    game.do("horse_attack", figure_id="rh", target_id="b3")
    roll(game, 2)
    game.do("done")
    game.do("attack", figure_id="b2", value="throw", target_id="r1")
    while game.state.question is not None:  # too close to call
        game.do("answer", value=game.state.question.choices[0][0])
    roll(game, 3)
    game.do("done")
    game.do("initiative", dice=(8, 3))
    game.do("start_climb", figure_id="r1")
    game.do("done")
    game.put("b1", (560.0, 450.0))
    game.do("done")
    game.do("attack", figure_id="r3", value="unarmed", target_id="b3")
    game.do("undo")
    game.do("attack", figure_id="r3", value="unarmed", target_id="b3")
    roll(game, 9)
    roll(game, 8)
    game.do("done")
    game.do("attack", figure_id="b1", value="bow", target_id="r1")
    while game.state.question is not None:
        game.do("answer", value=game.state.question.choices[0][0])
    roll(game, 7)
    roll(game, 2)
    roll(game, 3)
    game.do("done")
    game.do("initiative", dice=(4, 6))
    for _ in range(120):
        if game.state.outcome is not None:
            break
        step(game)
    return game


def roll(game: Game, face: int) -> None:
    if game.state.phase.startswith("ATK_"):
        game.do("roll", dice=(face,))


def step(game: Game) -> None:
    """The first warlike thing that is offered, with dice of the program."""
    for unit in game.state.units:
        figure = game.figures.get(unit.figure_id)
        if not unit.alive and figure is not None and figure.state is FigureState.STANDING:
            game.lay(unit.figure_id)
    options = game.referee.options()
    for kind in ("answer", "roll", "initiative", "attack", "horse_attack"):
        for option in options:
            targets = [t.figure_id for t in option.targets if t.allowed]
            living = [t for t in targets if game.unit(t).alive and t != "keep"]
            if option.kind != kind or (option.targets and not living):
                continue
            value = option.choices[0][0] if option.choices else option.value
            target = living[0] if living else None
            game.do(kind, figure_id=option.figure_id, value=value, target_id=target)
            return
    if game.state.phase == "MOVE":
        for run in [option for option in options if option.kind == "runs"]:
            game.put(run.figure_id or "", run.shapes[0].points_mm[0])
        approach(game)
    if game.state.phase in ("MOVE", "ATTACK"):
        game.do("done")


def approach(game: Game) -> None:
    """Everybody at work walks towards the nearest enemy, a bit less than he may."""
    side = game.state.active_side
    for unit in game.state.units:
        marks = dict(unit.marks)
        if marks.get("at_z", 0.0) > 0.0 == game.figures[unit.figure_id].level_mm:
            game.put(unit.figure_id, (marks["at_x"], marks["at_y"]), level=marks["at_z"])
        if unit.side != side or not unit.alive or unit.equipment[:1] == ("building",):
            continue
        if marks.get("mount") or marks.get("ladder") or marks.get("fell"):
            continue
        reach = game.option("reach", unit.figure_id)
        if reach is None or not reach.shapes:
            continue
        x, y = game.figures[unit.figure_id].position_mm
        foes = [
            game.figures[other.figure_id]
            for other in game.state.units
            if other.alive and other.side != side and other.figure_id in game.figures
        ]
        foe = min(foes, key=lambda one: math.dist(one.position_mm, (x, y)))
        goal = foe.position_mm
        high = game.figures[unit.figure_id].level_mm == KEEP.height_mm
        if foe.level_mm > 0.0 and not high and "horse" not in unit.equipment:
            goal = LADDER
            if game.option("start_climb", unit.figure_id) is not None:
                game.do("start_climb", figure_id=unit.figure_id)
                continue
        spots = list(free_spots(game, reach, (x, y)))
        at = min(spots, key=lambda p: math.dist(p, goal), default=(x, y))
        old = game.figures[unit.figure_id]
        game.put(unit.figure_id, at, level=KEEP.height_mm if high else 0.0)
        if game.unit(unit.figure_id).mark("open"):
            game.figures[unit.figure_id] = replace(old)
            game.look()


def free_spots(game: Game, reach: Option, start: PointMm) -> Iterator[PointMm]:
    """Places on the ground well within a reach, whatever corners it is drawn with."""
    area = union_all([drawn(shape) for shape in reach.shapes])
    area = area.difference(union_all([Polygon(p.footprint_mm) for p in game.terrain])).buffer(-5.0)
    for far in range(5, 250, 5):
        for turn in range(0, 360, 10):
            x = start[0] + far * math.cos(math.radians(turn))
            y = start[1] + far * math.sin(math.radians(turn))
            if area.contains(Point(x, y)):
                yield round(x, 1), round(y, 1)


def test_small_game():
    """LW-TURN-10, LW-WIN-01: from setting up to the winner."""
    game = small_game()
    check_golden(game, GOLDEN)
    assert game.state.outcome in ("red", "blue")
