"""Answers are kept for one look, and for nothing else."""

from dataclasses import replace

from engine.memo import kept
from engine.state import GameState
from engine.table import TableState


def test_asked_once_for_one_look_and_anew_for_the_next():
    asked = []

    @kept
    def answer(state, table, thing):
        asked.append(thing)
        return len(asked)

    state = GameState("x", "1", (), ("red",))
    table = TableState(1, None, (), (), True)
    one, other = ["a"], ["a"]
    assert [answer(state, table, one) for _ in range(3)] == [1, 1, 1]
    assert answer(state, table, other) == 2, "an equal thing is not the same thing"
    assert answer(state, table, one) == 1
    assert answer(replace(state), table, one) == 3, "an equal state is another look"
    assert answer(state, replace(table), one) == 4
    assert answer(state, table, one) == 5, "nothing older is kept"
    answer.cache_clear()
    assert answer(state, table, one) == 6
    assert answer(state, table, thing=one) == 7, "what is asked by name is not kept"
    assert answer(state, table, one) == 6
