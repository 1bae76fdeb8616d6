"""The laws of the engine that hold for every game."""

import ast
from pathlib import Path

import pytest

from engine.actions import Action
from engine.codec import decode_input, decode_line, encode_input, encode_line
from engine.errors import BadData
from engine.log import fold, kept
from engine.norules import NoRules
from engine.play import play
from engine.referee import Referee
from engine.rulesets import RULESETS, by_id
from engine.table import TableState
from tests.engine.tables import began, facing_off

ENGINE = Path(__file__).parents[2] / "engine"
BY_ID = {one.info.id: one for one in (NoRules(), *RULESETS)}
FORBIDDEN = {"time", "datetime", "secrets", "uuid", "logging", "threading", "asyncio", "socket"}


def played():
    game = facing_off(
        {"dodge_optional": True},
        red={"r1": (300, 150), "r3": (200, 150)},
        blue={"b1": (300, 250), "b2": (330, 240)},
    )
    game.put("r4", (280, 170))
    game.put("r4", (280, 60))
    game.do("done")
    game.do("shoot", figure_id="r1", target_id="b1", dice=(5,))
    game.do("decline")
    game.do("undo")
    game.do("dodge", dice=(1,))
    game.lay("b1")
    game.do("shoot", figure_id="r3", target_id="b2")
    if game.state.phase == "DODGE":
        game.do("dodge")
    game.do("concede", side="blue")
    game.do("answer", value="no")
    return game


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=lambda p: p.stem)
def test_no_clock_no_unseeded_random_no_print(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name.split(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "").split(".")[0]]
        assert not FORBIDDEN & set(names), f"{path.name} imports {names}"
        if "random" in names:
            assert path.name == "dice.py"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "input", "open", "eval", "exec")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert ast.unparse(node.func) not in (
                "random.random",
                "random.randint",
                "random.choice",
                "np.random.default_rng",
                "np.random.seed",
            )
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "random.Random":
            assert node.args, "a generator without a seed"
        assert not isinstance(node, ast.Global), f"{path.name} keeps a global"


@pytest.mark.parametrize("path", sorted(ENGINE.rglob("*.py")), ids=lambda p: p.stem)
def test_modules_stay_short(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


def test_replaying_the_inputs_gives_the_log_byte_for_byte():
    game = played()
    inputs = [decode_input(encode_input(item)) for item in game.inputs]
    again = Referee(by_id("figurslag"), {"dodge_optional": True}, (), 7)
    play(inputs, again)
    assert [encode_line(one) for one in again.lines] == [
        encode_line(one) for one in game.referee.lines
    ]


def test_folding_the_log_alone_gives_the_state():
    game = played()
    lines = [decode_line(encode_line(line)) for line in game.referee.lines]
    assert fold(lines, BY_ID) == game.state


def test_every_prefix_of_a_log_folds():
    game = played()
    for end in range(1, len(game.referee.lines) + 1):
        assert fold(game.referee.lines[:end], BY_ID).seq == end


def test_undo_is_a_fold_without_the_undone_lines():
    game = played()
    undone = {line.seq for line in game.referee.lines} - {
        line.seq for line in kept(game.referee.lines)
    }
    assert undone
    without = [line for line in game.referee.lines if line.seq not in undone]
    assert fold(without, BY_ID) == game.state


def test_a_log_must_begin_with_its_game():
    game = played()
    with pytest.raises(BadData):
        fold(game.referee.lines[1:], BY_ID)
    with pytest.raises(BadData):
        fold([], BY_ID)
    with pytest.raises(BadData):
        fold(game.referee.lines, {"": NoRules()})


def test_the_table_is_a_fact():
    """However impossible a move, the engine comments on it and goes on."""
    game = began()
    game.put("r1", (160, 380))  # across the table, onto another model's place
    game.put("b1", (-500, 9000))
    game.put("b2", (220, 20), level=500.0)
    game.lay("r5")
    game.figures.clear()
    game.look()
    assert game.state.phase == "MOVE"


def test_rule_sets_are_pure():
    """The same arguments give the same answers, and nothing is kept between games."""
    game = played()
    ruleset, state, table = game.referee.ruleset, game.state, game.table()
    other = by_id("figurslag")
    empty = TableState(0, None, (), (), settled=True)
    assert ruleset.options(state, table) == other.options(state, table)
    assert ruleset.interpret(state, empty, table) == other.interpret(state, empty, table)
    before = encode_line(game.referee.lines[-1]), state
    ruleset.options(state, table)
    ruleset.interpret(state, empty, table)
    assert (encode_line(game.referee.lines[-1]), game.state) == before


def test_nothing_but_the_referee_remembers():
    one, two = Referee(by_id("figurslag")), Referee(by_id("figurslag"))
    one.take(Action("terrain_done", basis_seq=1))
    assert two.state.phase == "TERRAIN"
