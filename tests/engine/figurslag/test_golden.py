"""A small game, played anew, is the one in the golden folder: inputs, log and words.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the files anew, and read
the difference.
"""

from pathlib import Path

from engine.table import FigureState
from tests.engine.golden import check_golden
from tests.engine.tables import LOADOUTS, Game, box, stairs

GOLDEN = Path(__file__).parents[2] / "golden" / "figurslag"
TOWER = box("tower", 270, 90, 330, 150, 38.4, standable=True, marks=(stairs(322, 105, 345, 135),))


def small_game() -> Game:
    """Terrain, teams, one model out of its strip, a move too far, shots, a fall, an end."""
    game = Game(ruleset="", size=(480.0, 384.0), seed=0)
    game.look()
    game.do("new_game", value="figurslag", items=("split_fire=sequential",), numbers=(20.0,))
    game.do("terrain_set", terrain_id="tower", terrain=TOWER)
    game.terrain = game.referee.facts.terrain
    game.look()
    game.do("terrain_done")
    for i in range(5):
        game.put(f"f{i + 1}", (88.0 + 64 * i, 64.0 if i == 0 else 32.0))
        game.do("assign", figure_id=f"f{i + 1}", side="red", items=LOADOUTS[i])
        game.put(f"f{i + 6}", (88.0 + 64 * i, 350.0))
        game.do("assign", figure_id=f"f{i + 6}", side="blue", items=LOADOUTS[i])
    game.do("roster_done")
    game.put("f1", (88.0, 36.0))
    game.do("deploy_done")
    game.do("roll_first", dice=(1,))
    game.put("f1", (88.0, 130.0))
    game.put("f3", (216.0, 190.0))  # 15.8 cm
    game.put("f3", (216.0, 170.0))
    game.put("f4", (286.0, 104.0), level=38.4)  # up the tower
    game.do("done")
    game.do("done")
    game.put("f6", (100.0, 260.0))
    game.put("f8", (216.0, 300.0))
    game.do("done")
    game.do("shoot", figure_id="f8", target_id="f3", dice=(4, 2))
    game.lay("f3")
    game.do("done")
    game.put("f2", (170.0, 120.0))
    game.do("done")
    for _ in range(8):
        offered = [o for o in game.referee.options() if o.kind == "shoot"]
        shots = [(o, t) for o in offered for t in o.targets if t.allowed]
        if not shots:
            break
        option, target = shots[0]
        game.do("shoot", figure_id=option.figure_id, target_id=target.figure_id, value=option.value)
        while game.state.question is not None:
            game.do("answer", value="yes")
        if game.state.phase == "HIT":
            game.do("roll")
        for unit in game.state.units:
            if not unit.alive and game.figures[unit.figure_id].state is FigureState.STANDING:
                game.lay(unit.figure_id)
    game.lay("f10")
    game.lay("f10", FigureState.STANDING)
    game.do("undo")
    game.do("concede", side="blue")
    game.do("answer", value="yes")
    return game


def test_small_game():
    game = small_game()
    check_golden(game, GOLDEN)
    assert game.state.outcome == "red"
