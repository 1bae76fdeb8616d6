"""Options are quick enough to be asked after every look."""

from time import process_time

from tests.engine.deathzap.skirmish import skirmish
from tests.engine.tables import box


def test_options_for_two_full_warbands_among_terrain():
    kinds = ("Warrior", "Soldier", "Beast", "Drone", "Gunslinger")
    red = [(kinds[i % 5], 2, (60.0 + 54 * i, 200.0 + 10 * (i % 3))) for i in range(10)]
    blue = [(kinds[i % 5], 2, (60.0 + 54 * i, 270.0 + 10 * (i % 3))) for i in range(10)]
    terrain = tuple(
        box(f"t{i}", 50.0 + 110 * i, 235, 90.0 + 110 * i, 250, 9.6 * (i + 1)) for i in range(5)
    )
    game = skirmish(red, blue, pick="r1", terrain=terrain)
    table = game.table()
    taken = []
    for _ in range(5):
        start = process_time()
        game.referee.ruleset.options(game.state, table)
        taken.append(process_time() - start)
    assert min(taken) < 0.4, f"{min(taken) * 1000:.0f} ms"
    print(f"{min(taken) * 1000:.0f} ms")
