"""Inputs and log lines survive their JSON lines unchanged."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.actions import Action
from engine.codec import canonical, decode_input, decode_line, encode_input, encode_line
from engine.errors import BadData
from engine.events import Event, results
from engine.log import LogLine
from engine.table import Base, BaseShape, TableState
from tests.engine.tables import box, figure, stairs

NUMBERS = st.floats(-1e4, 1e4, allow_nan=False)


def test_table_round_trip():
    table = TableState(
        5,
        (600.0, 400.0),
        (
            figure("f1", (1.25, 2.0), facing=None),
            figure("f2", (3.0, 4.0), rotation=None),
            figure("f3", (5.0, 6.0), base=Base(BaseShape.OBLONG, 36.0, 270.0, 0.0, 110.0)),
        ),
        (box("t1", 0, 0, 10, 10, 9.6, marks=(stairs(0, 0, 5, 5),)),),
        settled=True,
        doubts=("blurred",),
    )
    assert decode_input(encode_input(table)) == table


@given(st.tuples(NUMBERS, NUMBERS), st.lists(NUMBERS, max_size=3), st.text(max_size=9))
def test_action_round_trip(point, numbers, value):
    action = Action("correct", 3, "red", 2, "f1", "f2", "t1", point, value, tuple(numbers))
    text = encode_input(action)
    assert decode_input(text) == action
    assert encode_input(decode_input(text)) == text
    assert "\n" not in text


def test_whole_numbers_become_floats_so_that_live_and_replay_see_the_same():
    wish = canonical(Action("report", numbers=(12,), point_mm=(1, 2)))
    assert encode_input(wish) == encode_input(decode_input(encode_input(wish)))
    assert isinstance(wish.numbers[0], float)


@given(
    st.one_of(
        st.text(),
        st.integers(-9, 9),
        st.booleans(),
        NUMBERS,
        st.none(),
        st.lists(NUMBERS),
        st.lists(st.text()),
    )
)
def test_line_keeps_the_type_of_every_value(value):
    value = tuple(value) if isinstance(value, list) else value
    line = LogLine(1, 2, "table", Event("moved", values=results(a=value), dice=(3, 4)))
    again = decode_line(encode_line(line))
    assert again == line
    assert type(again.event.value("a")) is type(line.event.value("a"))
    assert encode_line(again) == encode_line(line)


def test_line_with_terrain():
    line = LogLine(1, 2, "terrain_set", Event("terrain_set", terrain=box("t", 0, 0, 9, 9, 3.2)))
    assert decode_line(encode_line(line)) == line


def test_keys_are_sorted_and_text_is_compact():
    text = encode_input(Action("done"))
    assert list(json.loads(text)) == sorted(json.loads(text))
    assert ": " not in text


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"type":"hello"}', '{"type":"action"}', '{"type":"action","kind":3}', "{"],
)
def test_unreadable_input_is_bad_data(text):
    with pytest.raises(BadData) as error:
        decode_input(text)
    assert "\n" not in str(error.value).split("[type=")[0][:200] or error.value.fault


@pytest.mark.parametrize("text", ["nonsense", "3", '{"seq":1}'])
def test_unreadable_line_is_bad_data(text):
    with pytest.raises(BadData):
        decode_line(text)


def test_no_line_holds_a_number_that_is_not_finite():
    with pytest.raises(BadData):
        encode_input(Action("report", numbers=(math.nan,)))
    with pytest.raises(BadData):
        encode_input(Action("correct", point_mm=(math.inf, 0.0)))
