"""Options are quick enough to be asked after every look."""

import random
from time import process_time

from engine.rulesets.figurslag.measures import journeys
from tests.engine.tables import box, facing_off


def test_options_for_ten_models_among_terrain():
    dice = random.Random(3)  # noqa: S311
    at = {
        f"{side}{i}": (90.0 * i + dice.uniform(-10, 10), (120.0 if side == "r" else 260.0))
        for side in "rb"
        for i in range(1, 6)
    }
    terrain = tuple(
        box(f"t{i}", 60.0 + 90 * i, 170, 110.0 + 90 * i, 210, 9.6 * i, standable=True)
        for i in range(1, 6)
    )
    game = facing_off(
        red={k: v for k, v in at.items() if k[0] == "r"},
        blue={k: v for k, v in at.items() if k[0] == "b"},
        terrain=terrain,
    )
    ruleset = game.referee.ruleset
    for phase in ("MOVE", "SHOOT"):
        assert game.state.phase == phase
        taken = []
        for _ in range(5):
            start = process_time()
            ruleset.options(game.state, game.table())
            taken.append(process_time() - start)
        assert min(taken) < 0.4, f"{phase}: {min(taken) * 1000:.0f} ms"
        game.do("done")


def test_a_move_elsewhere_leaves_reach_remembered(monkeypatch):
    """Only models that the moved one could come upon are reckoned anew."""
    game = facing_off(red={"r1": (60, 200), "r5": (540, 200)})
    offered = {o.figure_id: o.shapes for o in game.referee.options() if o.kind == "reach"}
    anew = []

    def reckoned(way, start, *more, plain=journeys._reach):
        anew.append(start)
        return plain(way, start, *more)

    monkeypatch.setattr(journeys, "_reach", reckoned)
    game.put("b5", (560, 300))
    game.put("r5", (560, 230))
    again = {o.figure_id: o.shapes for o in game.referee.options() if o.kind == "reach"}
    assert 0 < len(anew) < len(again)
    assert again["r1"] == offered["r1"]
    journeys._reaches.cache_clear()
    game.referee.ruleset.options(game.state, game.table())
    fresh = {
        o.figure_id: o.shapes
        for o in game.referee.ruleset.options(game.state, game.table())
        if o.kind == "reach"
    }
    assert fresh == again
