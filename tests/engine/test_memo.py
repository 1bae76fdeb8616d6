"""Answers are kept for one look, and for nothing else."""

from dataclasses import replace

from engine.memo import each_kept, kept, known_by
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


def test_only_what_is_not_known_is_asked():
    asked = []

    @each_kept(3)
    def squares(keys):
        asked.append(list(keys))
        return [key * key for key in keys]

    assert squares([1, 2, 1]) == [1, 4, 1]
    assert squares([2, 3]) == [4, 9]
    assert squares([]) == []
    assert asked == [[1, 2], [3]]
    assert squares([4, 5]) == [16, 25]  # 1 and 2 are the oldest
    assert squares([3, 2]) == [9, 4]
    assert asked[2:] == [[4, 5], [2]]
    assert squares([6, 7, 8, 9]) == [36, 49, 64, 81], "more at once than are kept"
    squares.cache_clear()
    assert squares([9]) == [81]
    assert asked[-1] == [9]


def test_a_thing_is_known_by_being_the_same():
    asked = []

    @known_by(2)
    def size(things):
        asked.append(things)
        return len(things)

    one, other, third = ["a"], ["a"], ["a", "b"]
    assert [size(one), size(one), size(other), size(other)] == [1, 1, 1, 1]
    assert len(asked) == 2, "an equal thing is not the same thing"
    assert size(third) == 2
    assert size(one) == 1
    assert len(asked) == 4, "no more are kept than were asked for"
    size.cache_clear()
    assert size(one) == 1
    assert len(asked) == 5
