"""A small game, played anew, is the one in the golden folder: inputs, log and words.

After a wanted change of the rules set MINIMARSHAL_GOLDEN=1 once to write the files anew, and read
the difference.
"""

from pathlib import Path

from engine.table import FigureState
from tests.engine.deathzap.skirmish import BOARD, fighter
from tests.engine.golden import check_golden
from tests.engine.tables import Game, box

GOLDEN = Path(__file__).parents[2] / "golden" / "deathzap"
BANDS = {
    "red": (("Soldier", 4), ("Berserker", 6), ("Warrior", 4), ("Sniper", 6)),
    "blue": (("Drone", 4), ("Beast", 4), ("Gunslinger", 6), ("Mech", 6)),
}


def small_game() -> Game:
    """Warbands one point over, a Shrine, a move too far, shots, a charge, kills, a broken force."""
    game = Game(ruleset="", size=BOARD, seed=0)
    game.look()
    game.do("new_game", value="deathzap", items=("dz.stalemate=6",), numbers=(12.0,))
    altar = box("altar", 290, 290, 320, 320, 48.0)
    game.do("terrain_set", terrain_id="altar", terrain=altar)
    game.terrain = game.referee.facts.terrain
    game.look()
    for side, y in (("red", 130.0), ("blue", 470.0)):
        for i, (kind, worth) in enumerate(BANDS[side]):
            name = f"{side[0]}{i + 1}"
            game.figures[name] = fighter(name, (200.0 + 60.0 * i, y))
            game.look()
            game.do("join", figure_id=name, value=side)
            game.do("class", figure_id=name, value=kind)
            game.do("might", figure_id=name, numbers=(float(worth + (name == "r1")),))
    game.do("ready")
    game.do("might", figure_id="r1", numbers=(4.0,))
    game.do("ready")
    game.do("answer", value="last_attack")
    game.do("roll_off", dice=(3, 3))
    game.do("roll_off", dice=(2, 5))
    game.do("edge", value="north")
    game.put("b1", (200.0, 460.0))
    game.put("b1", (200.0, 480.0))
    game.do("ready")
    game.do("ready")
    game.do("pick", figure_id="r2")
    game.put("r2", (260.0, 220.0))  # 90 mm
    game.put("r2", (260.0, 204.0))
    game.put("r2", (262.0, 279.0))
    game.do("pick", figure_id="b3")
    game.do("ranged", figure_id="b3", target_id="r2")
    game.do("roll", dice=(4, 2, 1))
    game.do("finish")
    game.put("r2", (270.0, 350.0))
    game.do("pick", figure_id="b2")
    game.do("charge", figure_id="b2", target_id="r2")
    game.put("b2", (270.0, 372.0))
    game.do("roll", dice=(6, 6, 2))
    game.do("finish")
    game.do("melee", figure_id="r2", target_id="b2")
    game.do("roll", dice=(3, 3, 4, 1))
    game.do("morale", dice=(2, 1))
    game.lay("b2")
    game.do("pick", figure_id="r4")
    game.do("boost")
    game.do("ranged", figure_id="r4", target_id="b4")
    game.do("roll", dice=(4, 5, 1, 1))
    game.do("defend")
    game.do("undo")
    game.do("defend")
    game.do("finish") if game.state.phase == "CHOOSE_ACTION" else None
    for _ in range(60):
        if game.state.outcome is not None:
            break
        step(game)
    return game


def step(game: Game) -> None:
    """The first warlike thing that is offered, with dice of the program."""
    for unit in game.state.units:
        if not unit.alive and game.figures[unit.figure_id].state is FigureState.STANDING:
            game.lay(unit.figure_id)
    options = {option.kind: option for option in game.referee.options()}
    for kind in ("roll", "morale", "melee", "ranged"):
        option = options.get(kind)
        targets = [t.figure_id for t in option.targets if t.allowed] if option else []
        if option is not None and (targets or option.dice[0]):
            target = targets[0] if targets else None
            game.do(kind, figure_id=option.figure_id, target_id=target)
            return
    kind = "answer" if "answer" in options else "pick" if "pick" in options else "finish"
    option = options[kind]
    value = option.choices[-1][0] if option.choices else None
    game.do(kind, figure_id=option.figure_id, value=value)


def test_small_game():
    """DZ-GEN-06, DZ-MORALE-03, DZ-END-01."""
    game = small_game()
    check_golden(game, GOLDEN)
    assert game.state.outcome in ("red", "blue")
