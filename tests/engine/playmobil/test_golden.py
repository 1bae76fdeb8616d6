"""A small game from setting up to the winner, as it was written down once.

After a change set MINIMARSHAL_GOLDEN=1 once to write it anew.
"""

from pathlib import Path

from engine.ruleset import InputKind
from tests.engine.golden import check_golden
from tests.engine.playmobil.battle import attack, battle, end, man
from tests.engine.tables import Game

GOLDEN = Path(__file__).parents[2] / "golden" / "playmobil"
GOES = ("roll", "answer", "melee", "shoot", "throw", "done")


def small_game() -> Game:
    game = battle(
        [
            ("heavy_cavalry", (600, 300)),
            ("light_spearman", (800, 600)),
            ("war_elephant", (400, 500)),
        ],
        [
            ("heavy_infantry", (600, 900)),
            ("infantry_archer", (800, 800)),
            ("light_cavalry", (400, 680)),
        ],
        seed=3,
        ruleset="",
        gear=[("r2", "thrown", 1), ("b2", "bow", "longbow")],
    )
    game.do("charge", figure_id="r1", target_id="b1")
    game.put("r1", (600, 795))
    attack(game, "melee", "r1", "b1", 5, 2, 4, 6)
    attack(game, "throw", "r2", "b2", 2, 5)
    game.do("undo")
    game.do("undo")
    attack(game, "melee", "r3", "b3", 6, 3, 3, 2, 5)
    end(game)
    attack(game, "shoot", "b2", "r2", 6, 1)
    for _ in range(80):
        if game.state.outcome is not None:
            break
        step(game)
    return game


def step(game: Game) -> None:
    """The first warlike thing that is offered, with dice of the program, or a move nearer."""
    options = [o for o in game.referee.options() if o.input is not InputKind.SHOW]
    for kind in GOES:
        for option in options:
            targets = [t.figure_id for t in option.targets if t.allowed]
            if option.kind != kind or (option.input is InputKind.FIGURE and not targets):
                continue
            if kind == "done":
                advance(game)
            value = option.choices[0][0] if option.choices else None
            game.do(kind, figure_id=option.figure_id, value=value,
                    target_id=targets[0] if targets else None)  # fmt: skip
            return


def advance(game: Game) -> None:
    """Everybody who has not moved walks towards the nearest enemy."""
    for unit in game.state.units:
        x, y = unit.mark("at_x"), unit.mark("at_y")
        left_over = unit.mark("aboard") or unit.mark("thing")
        if unit.alive and unit.figure_id not in game.figures and not left_over:
            game.figures[unit.figure_id] = man(unit.figure_id, (x, y), side=unit.side)
    for unit in game.state.units:
        mine = game.figures.get(unit.figure_id)
        foes = [game.figures[u.figure_id] for u in game.state.units
                if u.alive and u.side != unit.side and u.figure_id in game.figures]  # fmt: skip
        free = unit.alive and unit.side == game.state.active_side and not unit.mark("moved")
        if mine is None or not foes or not free or unit.mark("attacked") or unit.mark("shots"):
            continue
        x, y = mine.position_mm
        near = min(foes, key=lambda f: (f.position_mm[0] - x) ** 2 + (f.position_mm[1] - y) ** 2)
        dx, dy = near.position_mm[0] - x, near.position_mm[1] - y
        far = (dx * dx + dy * dy) ** 0.5
        way = min(140.0, far - 130.0)
        if way > 10.0:
            at = (round(x + dx / far * way, 1), round(y + dy / far * way, 1))
            game.put(unit.figure_id, at)
            if game.unit(unit.figure_id).mark("open"):
                game.do("accept", figure_id=unit.figure_id)


def test_small_game():
    """PM-END-01, PM-CAV-03, PM-THROW-01, PM-ARCH-03, PM-ELE-01."""
    game = small_game()
    check_golden(game, GOLDEN)
    assert game.state.outcome in ("red", "blue")
