"""Every rule set keeps the promises of the protocol."""

import math
import re
from pathlib import Path

import pytest

from engine.actions import Action
from engine.choices import read_options, read_value, write_options, write_value
from engine.codec import decode_input, decode_line, encode_line
from engine.dice import SeededDice
from engine.errors import Refused
from engine.log import fold
from engine.norules import NoRules
from engine.play import play
from engine.referee import Referee
from engine.ruleset import InputKind
from engine.rulesets import RULESETS, by_id
from engine.table import TableState
from engine.units import MM_PER_UNIT
from tests.engine.tables import figure

GOLDEN = Path(__file__).parents[1] / "golden"
EMPTY = TableState(0, None, (), (), settled=True)
ALL = [pytest.param(one, id=one.info.id) for one in RULESETS]
OPTIONS = [
    pytest.param(one, option, id=f"{one.info.id}-{option.key}")
    for one in RULESETS
    for option in one.info.options
]


@pytest.mark.parametrize("ruleset", ALL)
def test_info_is_complete(ruleset):
    info = ruleset.info
    assert info.id == info.id.lower()
    assert info.title
    assert info.version
    assert info.unit in MM_PER_UNIT
    assert len(set(info.sides)) == len(info.sides) >= 2
    assert by_id(info.id) is ruleset
    keys = [option.key for option in info.options]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(("ruleset", "option"), OPTIONS)
def test_option_is_explained_and_its_default_allowed(ruleset, option):
    assert option.meaning.strip().endswith((".", "?"))
    assert option.choices or option.span
    assert read_value(option, write_value(option.default)) == option.default
    for choice in option.choices:
        assert write_value(choice) in option.meaning.lower() or len(option.choices) == 1
        assert read_value(option, write_value(choice)) is choice


RAW = re.compile(r"\b(true|false|null)\b|\bNone\b|\w_\w|\b(dz|fm|pm|geom)\.|: $")
"""Values and keys as programs write them."""


@pytest.mark.parametrize(("ruleset", "option"), OPTIONS)
def test_house_rules_are_told_in_words(ruleset, option):
    """What the page shows of an option names no value and no key; every choice has its words."""
    if len(option.choices) == 1 and option.span is None:
        return  # there is nothing to choose, so it is not shown
    assert option.question.strip().endswith((".", "?", ":"))
    assert len(option.words) == len(option.choices)
    assert len(set(option.words)) == len(option.words)
    told = [option.question, *option.words, *([option.unset] if option.default is None else [])]
    keys = {one.key for one in ruleset.info.options if {"_", "."} & set(one.key)}
    for words in told:
        assert words
        assert not RAW.search(words), words
        assert not keys & set(re.findall(r"[\w.]+", words)), words
    for choice, words in zip(option.choices, option.words, strict=True):
        if isinstance(choice, str):
            assert "_" not in choice or choice not in words


@pytest.mark.parametrize(("ruleset", "option"), OPTIONS)
def test_refusals_of_house_rules_name_no_key(ruleset, option):
    for text in ("no such value", "-7654321.5"):
        with pytest.raises(Refused) as refused:
            read_value(option, text)
        assert f"({option.key})" not in refused.value.reason
        assert not {"_", "."} & set(option.key) or option.key not in refused.value.reason


@pytest.mark.parametrize(("ruleset", "option"), OPTIONS)
def test_only_whole_numbers_are_read_where_only_they_count(ruleset, option):
    if option.span is not None:
        half = write_value(math.floor(option.span[0]) + 0.5 + (option.span[0] >= 1.0))
        if option.integer:
            with pytest.raises(Refused, match="is not allowed"):
                read_value(option, half)
        elif option.span[0] <= float(half) <= option.span[1]:
            assert read_value(option, half) == float(half)


@pytest.mark.parametrize(("ruleset", "option"), OPTIONS)
def test_every_choice_begins_a_game(ruleset, option):
    if isinstance(option.default, float):
        values = list(option.choices) or list(option.span)
    else:
        values = list(option.choices) or [math.ceil(option.span[0]), int(option.span[1])]
    for value in values:
        sides = ()
        state = ruleset.begin({option.key: value}, sides)
        assert dict(state.options)[option.key] == value
        words = write_options(ruleset.info, {option.key: value})
        assert ruleset.begin(read_options(ruleset.info, words), sides) == state


@pytest.mark.parametrize(("ruleset", "option"), OPTIONS)
def test_other_values_are_refused(ruleset, option):
    with pytest.raises(Refused):
        ruleset.begin({option.key: "no such value"}, ())
    with pytest.raises(Refused):
        read_value(option, "no such value")


@pytest.mark.parametrize("ruleset", ALL)
def test_unknown_option_is_refused(ruleset):
    with pytest.raises(Refused):
        ruleset.begin({"no_such_key": 1}, ())


@pytest.mark.parametrize("ruleset", ALL)
def test_begin_is_the_same_every_time(ruleset):
    assert ruleset.begin({}, ()) == ruleset.begin({}, ())
    state = ruleset.begin({}, ())
    assert (state.ruleset, state.version) == (ruleset.info.id, ruleset.info.version)
    assert state.outcome is None
    assert [key for key, _ in state.options] == sorted(o.key for o in ruleset.info.options)


@pytest.mark.parametrize("ruleset", ALL)
def test_sides_are_the_players_to_name(ruleset):
    assert ruleset.begin({}, ("blue", "red")).sides == ("blue", "red")
    with pytest.raises(Refused):
        ruleset.begin({}, ("red", "red"))


@pytest.mark.parametrize("ruleset", ALL)
def test_an_empty_table_offers_something_and_is_no_event(ruleset):
    state = ruleset.begin({}, ())
    assert ruleset.interpret(state, EMPTY, EMPTY) == ()
    assert ruleset.options(state, EMPTY)
    for option in ruleset.options(state, EMPTY):
        assert option.text
        if option.input is InputKind.CHOICE:
            assert option.choices


@pytest.mark.parametrize("ruleset", ALL)
def test_figures_of_nobody_mean_nothing(ruleset):
    state = ruleset.begin({}, ())
    table = TableState(1, None, (figure("x", (50.0, 50.0)),), (), settled=True)
    assert ruleset.interpret(state, EMPTY, table) == ()


@pytest.mark.parametrize("ruleset", ALL)
def test_an_unknown_wish_is_refused(ruleset):
    state = ruleset.begin({}, ())
    with pytest.raises(Refused):
        ruleset.resolve(state, EMPTY, Action("dance"), SeededDice(1))


@pytest.mark.parametrize("ruleset", ALL)
def test_the_first_line_folds_to_the_beginning(ruleset):
    referee = Referee(ruleset)
    lines = [decode_line(encode_line(line)) for line in referee.lines]
    assert fold(lines, {"": NoRules(), ruleset.info.id: ruleset}) == referee.state


@pytest.mark.parametrize("ruleset", ALL)
def test_the_golden_game_replays_byte_for_byte(ruleset):
    """Every rule set has a golden folder with a game from its first input to its end."""
    folder = GOLDEN / ruleset.info.id
    inputs = (folder / "inputs.jsonl").read_text(encoding="utf-8").splitlines()
    log = (folder / "log.jsonl").read_text(encoding="utf-8").splitlines()
    referee = Referee()
    play([decode_input(text) for text in inputs], referee)
    assert [encode_line(line) for line in referee.lines] == log
    assert referee.state.ruleset == ruleset.info.id
    assert referee.state.outcome is not None
    said = [f"{a.seq} {a.level} {a.text}" for a in referee.announcements()]
    assert said == (folder / "said.txt").read_text(encoding="utf-8").splitlines()
    lines = [decode_line(text) for text in log]
    assert fold(lines, {"": NoRules(), ruleset.info.id: ruleset}) == referee.state
