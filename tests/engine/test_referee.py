"""The referee: order, staleness, common wishes, undo, and what people told about the table."""

from dataclasses import replace

import pytest

from engine.actions import Action
from engine.errors import Refused, Stale
from engine.log import fold
from engine.norules import NoRules
from engine.play import play
from engine.referee import Referee
from engine.rulesets import RULESETS, by_id
from engine.setup import fold_facts
from engine.table import FigureState, TableState
from tests.engine.tables import Game, began, box, figure, teams

CROSSED = ((0.0, 0.0), (90.0, 90.0), (90.0, 0.0), (0.0, 60.0))

BY_ID = {one.info.id: one for one in (NoRules(), *RULESETS)}


def test_first_line_tells_the_game():
    referee = Referee(by_id("figurslag"), {"split_fire": "one_target"}, (), 5)
    (line,) = referee.lines
    assert (line.seq, line.cause, line.event.kind) == (1, "begin", "game_began")
    assert line.event.words("options") == ("split_fire=one_target",)
    assert line.event.number("seed") == 5
    assert dict(referee.state.options)["split_fire"] == "one_target"


def test_without_a_game_only_common_wishes_work():
    game = Game(ruleset="")
    game.put("f1", (10, 10))
    game.do("assign", figure_id="f1", side="red", items=("large",), value="Rolf")
    assert game.referee.facts.names == {"f1": "Rolf"}
    assert game.referee.options() == ()
    with pytest.raises(Refused):
        game.do("shoot", figure_id="f1", target_id="f1")


def test_unsettled_looks_only_refresh_the_table():
    game = began()
    lines = game.referee.lines
    game.figures["r1"] = replace(game.figures["r1"], position_mm=(100.0, 300.0))
    game.look(settled=False)
    assert game.referee.lines == lines
    assert game.referee.table.figure("r1").position_mm == (100.0, 300.0)


def test_equal_looks_write_nothing():
    game = began()
    before = len(game.referee.lines)
    for _ in range(5):
        assert game.look() == ()
    assert len(game.referee.lines) == before


def test_seqs_count_from_one_without_gaps():
    game = began()
    game.put("r1", (100, 100))
    assert [line.seq for line in game.referee.lines] == list(range(1, len(game.referee.lines) + 1))
    assert game.state.seq == game.referee.lines[-1].seq


def test_a_wish_about_a_figure_that_moved_since_is_stale():
    game = began()
    seen = game.state.seq
    game.put("r1", (100, 30))
    with pytest.raises(Stale) as error:
        game.do("bumped", figure_id="r1", basis_seq=seen)
    assert (error.value.basis_seq, error.value.seq) == (seen, game.state.seq)


def test_remarks_about_other_figures_make_nothing_stale():
    game = began()
    seen = game.state.seq
    game.put("r2", (160, 60))
    game.do("done", basis_seq=seen)
    assert game.state.phase == "SHOOT"


def test_the_same_wish_twice_is_stale():
    game = began()
    seen = game.state.seq
    game.do("done", basis_seq=seen)
    with pytest.raises(Stale):
        game.do("done", basis_seq=seen)


def test_common_wishes_about_different_figures_do_not_disturb_each_other():
    game = Game()
    game.put("a", (10, 10))
    game.put("b", (50, 10))
    seen = game.state.seq
    game.do("assign", figure_id="a", side="red", basis_seq=seen)
    game.do("assign", figure_id="b", side="blue", basis_seq=seen)
    with pytest.raises(Stale):
        game.do("assign", figure_id="a", side="blue", basis_seq=seen)


def test_refused_and_stale_wishes_change_nothing():
    game = began()
    before = (game.state, game.referee.lines)
    with pytest.raises(Refused):
        game.do("shoot", figure_id="r1", target_id="b1")
    with pytest.raises(Stale):
        game.do("done", basis_seq=0)
    assert (game.state, game.referee.lines) == before


def test_undo_takes_back_the_last_wish_and_reads_the_table_anew():
    game = began()
    game.do("done")
    game.put("r1", (100, 90))
    assert game.unit("r1").mark("open_rule") == "FS-FLAG-10"
    game.do("undo")
    assert game.state.phase == "MOVE"
    assert game.unit("r1").mark("mode") == "normal", "the move counts in the phase it was made in"
    assert game.unit("r1").mark("open") is None


def test_undo_back_to_the_beginning_and_not_farther():
    game = began()
    start = Referee(by_id("figurslag"), {}, (), 7).state
    while True:
        try:
            game.do("undo")
        except Refused:
            break
    assert replace(game.state, seq=0) == replace(start, seq=0)


def test_undo_is_stale_when_somebody_did_something_since():
    game = began()
    seen = game.state.seq
    game.do("assign", figure_id="r1", side="red", value="Rosa")
    with pytest.raises(Stale):
        game.do("undo", basis_seq=seen)


def test_undo_takes_back_what_people_told():
    game = Game()
    game.put("a", (10, 10))
    game.do("terrain_set", terrain=box("t1", 0, 0, 50, 50, 9.6))
    game.do("assign", figure_id="a", side="red", items=("large",))
    game.do("correct", figure_id="a", point_mm=(12.0, 10.0), numbers=(90.0,))
    game.do("identify", figure_id="f9", target_id="a")
    facts = game.referee.facts
    assert [t.terrain_id for t in facts.terrain] == ["t1"]
    assert facts.sides == {"a": "red"}
    assert facts.equipment == {"a": ("large",)}
    assert facts.corrections["a"].position_mm == (12.0, 10.0)
    assert facts.corrections["a"].facing_deg == 90.0
    assert facts.identities == {"f9": "a"}
    for _ in range(4):
        game.do("undo")
    facts = game.referee.facts
    assert (facts.terrain, facts.sides, facts.corrections, facts.identities) == ((), {}, {}, {})


def test_facts_are_a_fold_of_the_log():
    game = Game()
    game.do("terrain_set", terrain=box("t2", 0, 0, 50, 50, 9.6))
    game.do("terrain_set", terrain=box("t1", 0, 0, 60, 50, 9.6))
    game.do("terrain_set", terrain=box("t2", 0, 0, 70, 50, 3.2))
    game.do("terrain_delete", terrain_id="t1")
    game.do("undo")
    assert fold_facts(game.referee.lines) == game.referee.facts
    assert [(t.terrain_id, t.height_mm) for t in game.referee.facts.terrain] == [
        ("t1", 9.6),
        ("t2", 3.2),
    ]


def test_names_are_given_in_order_and_kept():
    game = Game()
    for name in "abc":
        game.do("assign", figure_id=name, side="red")
    assert [game.unit(n).name for n in "abc"] == ["Red 1", "Red 2", "Red 3"]
    game.do("assign", figure_id="b", side="blue")
    assert game.unit("b").name == "Blue 1"
    game.do("assign", figure_id="d", side="red")
    assert game.unit("d").name == "Red 2"
    game.do("assign", figure_id="d", side="red", items=("large",), value="Dora")
    game.do("assign", figure_id="d", side="red")
    assert (game.unit("d").name, game.unit("d").equipment) == ("Dora", ("large",))
    game.do("assign", figure_id="d")
    assert game.state.unit("d") is None
    assert "d" not in game.referee.facts.sides


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("assign", {}),
        ("assign", {"figure_id": "a", "side": "pink"}),
        ("assign", {"figure_id": "a", "side": "red", "items": ("cannon",)}),
        ("correct", {"figure_id": "nobody", "point_mm": (1.0, 1.0)}),
        ("correct", {"figure_id": "a"}),
        ("correct", {"figure_id": "a", "value": "flying"}),
        ("correct", {"figure_id": "a", "point_mm": (1e9, 0.0)}),
        ("correct", {"figure_id": "a", "items": ("weight=3",)}),
        ("correct", {"figure_id": "a", "items": ("level_mm=high",)}),
        ("identify", {"figure_id": "x", "target_id": "y"}),
        ("identify", {"figure_id": "a", "target_id": "y"}),
        ("terrain_set", {}),
        ("terrain_set", {"terrain": box("", 0, 0, 9, 9, 1)}),
        ("terrain_set", {"terrain": box("t", 0, 0, 9, 9, -1)}),
        ("terrain_set", {"terrain": box("t", 0, 0, 0, 9, 1)}),
        ("terrain_set", {"terrain": replace(box("t", 0, 0, 9, 9, 1), footprint_mm=CROSSED)}),
        ("terrain_delete", {"terrain_id": "t"}),
        ("new_game", {"value": "chess"}),
        ("new_game", {"value": "figurslag", "items": ("split_fire=never",)}),
        ("new_game", {"value": "figurslag", "items": ("colour=red",)}),
        ("new_game", {"value": "figurslag", "numbers": (-1.0,)}),
        ("new_game", {"value": "figurslag", "numbers": (1.5,)}),
        ("undo", {}),
        ("juggle", {}),
    ],
)
def test_impossible_wishes_are_refused_with_a_reason(kind, fields):
    game = Game()
    game.put("a", (10, 10))
    with pytest.raises(Refused) as error:
        game.do(kind, **fields)
    assert error.value.reason


def test_correct_by_items():
    game = Game()
    game.put("a", (10, 10))
    game.do("correct", figure_id="a", value="lying", items=("level_mm=9.6", "rotation_deg=45"))
    told = game.referee.facts.corrections["a"]
    assert (told.state, told.level_mm, told.rotation_deg) == (FigureState.LYING, 9.6, 45.0)


def test_new_game_keeps_who_is_who():
    game = Game(ruleset="")
    game.put("a", (100, 20))
    game.do("assign", figure_id="a", side="red", items=("large",), value="Rolf")
    game.do("assign", figure_id="x", side="pink")
    game.do("new_game", value="figurslag", items=("team_count=3", "turn_limit=4"), numbers=(11.0,))
    assert (game.state.ruleset, game.state.phase) == ("figurslag", "TERRAIN")
    assert game.state.sides == ("red", "blue", "green")
    assert dict(game.state.options)["turn_limit"] == 4
    assert [(u.name, u.equipment) for u in game.state.units] == [("Rolf", ("large",))]
    assert fold(game.referee.lines, BY_ID) == game.state
    game.do("undo")
    assert game.state.ruleset == ""
    assert game.state.unit("x") is not None
    assert fold(game.referee.lines, BY_ID) == game.state


def test_seeded_dice_depend_on_the_seed_and_on_dice_before():
    def rolls(seed: int) -> list[tuple[int, ...]]:
        game = Game({"first_player": "app_rolls", "team_count": 3}, seed=seed)
        teams(game, count=1)
        return [line.event.dice for line in game.do("roll_first") if line.event.dice]

    assert rolls(1) == rolls(1)
    assert len({tuple(rolls(seed)) for seed in range(40)}) > 1


def test_undo_never_fishes_for_better_dice():
    game = Game({"team_count": 3})
    teams(game, count=1)
    first = [line.event.dice for line in game.do("roll_first") if line.event.dice]
    game.do("undo")
    again = [line.event.dice for line in game.do("roll_first") if line.event.dice]
    assert again == first


def test_announcements_come_after_a_seq_and_leave_out_what_was_undone():
    game = began()
    seen = game.state.seq
    game.do("done")
    assert any("Red shoots" in text for text in game.said(seen))
    game.do("undo")
    said = game.said(seen)
    assert not any(text.startswith("Red shoots") for text in said)
    assert [text for text in said if text.startswith("Taken back: Red")] == said[-1:]
    assert {a.seq for a in game.referee.announcements(seen)} <= set(range(seen + 1, 10_000))


def test_play_tells_listeners_and_goes_on_after_a_refusal():
    heard = []
    referee = Referee(by_id("figurslag"))
    table = TableState(0, None, (figure("a", (1.0, 1.0)),), (), settled=True)
    inputs = [table, Action("shoot"), Action("terrain_done", basis_seq=1), Action("done")]
    play(inputs, referee, [lambda item, lines, error: heard.append((item, len(lines), error))])
    assert [item for item, _, _ in heard] == inputs
    assert [type(error).__name__ for _, _, error in heard] == [
        "NoneType",
        "Refused",
        "NoneType",
        "Stale",
    ]
    assert heard[2][1] == 2
