"""Options are quick enough to be asked after every look."""

from time import process_time

from tests.engine.legowars.battle import battle, block


def test_options_for_forty_men_among_terrain():
    red = {f"r{i:02d}": ((100.0 + 50.0 * i, 300.0), ("sword",)) for i in range(20)}
    blue = {f"b{i:02d}": ((100.0 + 50.0 * i, 480.0), ("bow", "quiver")) for i in range(20)}
    terrain = tuple(
        block(f"t{i}", 80.0 + 70.0 * i, 380.0, 110.0 + 70.0 * i, 400.0, 9.6 * (1 + i % 6))
        for i in range(15)
    )
    game = battle(red, blue, terrain=terrain)
    table = game.table()
    taken = []
    for i in range(3):
        start = process_time()
        game.referee.ruleset.options(game.state, table)
        taken.append(process_time() - start)
        game.put("r00", (100.0 + i, 330.0 + 10.0 * i))
        table = game.table()
    print(f"{min(taken) * 1000:.0f} ms, first {taken[0] * 1000:.0f} ms")
    assert min(taken) < 2.0
    game.do("done")
    game.do("done")
    start = process_time()
    game.referee.ruleset.options(game.state, game.table())
    print(f"{(process_time() - start) * 1000:.0f} ms attacking")
