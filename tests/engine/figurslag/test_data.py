import re
from dataclasses import fields
from pathlib import Path

import pytest

from engine.errors import Refused
from engine.rulesets.figurslag.data import data
from engine.rulesets.figurslag.settings import Settings, parse, settings
from engine.table import BaseShape
from engine.vectors import check
from tests.engine.specification import blocks, check_spans, specification

VECTORS = Path(__file__).parent / "vectors.yaml"


def test_own_vectors_pass():
    result = check("figurslag", [(VECTORS.name, VECTORS.read_text(encoding="utf-8"))])
    assert result.failed == ()
    assert result.unsupported == ()
    assert result.passed == 141


@pytest.mark.material
def test_every_option_is_that_of_the_specification():
    # FS-GEN-01
    config = blocks("figurslag")["fs_config"]
    assert list(config) == list(data().options)
    for key, entry in config.items():
        rule = data().options[key]
        assert rule.option.default == entry["default"]
        assert rule.question == entry["amb"]
        allowed = entry["allowed"]
        if isinstance(allowed, list):
            assert list(rule.option.choices) == allowed
            assert [type(c) for c in rule.option.choices] == [type(a) for a in allowed]
        elif ".." in allowed:
            assert rule.option.span == tuple(float(end) for end in allowed.split(".."))
        else:
            assert (rule.integer, rule.nullable) == (True, True)


@pytest.mark.material
def test_every_table_is_that_of_the_specification():
    spec = blocks("figurslag")
    here = data()
    assert here.dice_sides == spec["fs_meta"]["dice"]["sides"]
    assert here.stick_mm == spec["fs_meta"]["stick_cm"] * 10
    assert settings().segment_mm == spec["fs_meta"]["segment_cm"] * 10
    assert here.plate_mm == spec["fs_meta"]["plate_mm"]
    for name, move in spec["fs_moves"].items():
        mode = here.moves[name]
        assert {key: getattr(mode, key) for key in move} == move, name
    assert list(here.moves) == list(spec["fs_moves"])
    for name, weapon in spec["fs_weapons"].items():
        assert here.weapons[name].range_segments == weapon["range_segments"]
        assert here.weapons[name].range_segments * settings().segment_mm == weapon["range_cm"] * 10
        assert here.weapons[name].shots == weapon["shots"]
    assert here.models == spec["fs_team"]["models"] == len(here.loadouts)
    wanted = [item["weapons"] for item in spec["fs_team"]["loadouts"] for _ in range(item["count"])]
    assert sorted(wanted) == [list(loadout) for loadout in here.loadouts]
    assert here.hit_from == spec["fs_rolls"]["hit"]["success_from"]
    assert here.dodge_from == spec["fs_rolls"]["dodge"]["success_from"]
    assert here.visible_share == spec["fs_los"]["visible_share_must_exceed"]
    assert here.deploy_segments == spec["fs_deploy"]["max_segments_from_own_edge"]


@pytest.mark.material
def test_states_and_turn_orders_are_those_of_the_specification():
    spec = blocks("figurslag")
    for name, state in spec["fs_states"].items():
        phase = data().phases[name]
        assert (phase.actor, list(phase.next)) == (state["actor"], state["next"])
        assert list(phase.actions) == state.get("actions", [])
    assert list(data().phases) == list(spec["fs_states"])
    for name, order in spec["fs_turn_orders"].items():
        here = data().turn_orders[name]
        assert here.deaths == order["deaths"]
        steps = [(s["from"], s.get("last"), s["to"], s.get("team")) for s in order["transitions"]]
        assert [(s.state, s.last, s.to, s.team) for s in here.transitions] == steps


@pytest.mark.material
def test_flags_and_footprints_are_those_of_the_specification():
    spec, text = blocks("figurslag"), specification("figurslag")
    assert list(data().flags) == re.findall(r"^\| (FS-FLAG-\d+) \|", text, re.MULTILINE)
    for name, size in spec["fs_footprints"].items():
        here = data().footprints[name]
        assert here.base.shape == size["shape"]
        wide = size["side_mm"] if here.base.shape is BaseShape.SQUARE else 2 * size["r_mm"]
        assert here.base.size_mm == wide
        assert here.eye_mm == size["eye_mm"]
        assert here.silhouette_mm == size["silhouette_w_mm"]


def test_every_option_is_a_setting_with_a_meaning():
    assert [field.name for field in fields(Settings)] == list(data().options)
    for rule in data().options.values():
        meaning = rule.option.meaning
        assert "?" in meaning or len(rule.option.choices) == 1
        for choice in rule.option.choices:
            if len(rule.option.choices) > 1:
                assert str(choice).lower() in meaning.lower(), (rule.option.key, choice)


def test_transitions_lead_only_where_the_states_allow():
    for order in data().turn_orders.values():
        for step in order.transitions:
            assert step.to in data().phases[step.state].next


SPANS = {
    "team_count": (2, 6),
    "step_mm": (0.0, 40.0),
    "still_tol_mm": (0.0, 15.0),
    "figure_height_mm": (30.0, 120.0),
    "los_tol": (0.0, 0.2),
    "turn_limit": (1, 1000),
    "measure_tol_mm": (0.0, 10.0),
    "scale_factor": (1.0, 3.0),
}


def test_numbers_may_be_chosen_from_spans():
    """FS-GEN-05: any number in its span, and nothing else."""
    check_spans(data().options, SPANS, settings, ("turn_limit",))


def test_defaults():
    default = settings()
    assert default.segment_mm == 50.0
    assert default.stick_mm == 200.0
    assert default.turn_limit is None
    assert settings(dict(default.pairs())) == default


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("nothing", 1),
        ("turn_order", "backwards"),
        ("turn_order", None),
        ("step_mm", -1),
        ("step_mm", 40.1),
        ("step_mm", "12"),
        ("step_mm", True),
        ("step_mm", float("nan")),
        ("turning_is_still", 1),
        ("turning_is_still", "true"),
        ("die_sides", True),
        ("team_count", 7),
        ("team_count", 2.5),
        ("turn_limit", 0),
        ("turn_limit", 3.5),
        ("scale_factor", 3.1),
    ],
)
def test_what_is_refused_is_named(key, value):
    with pytest.raises(Refused, match=key):
        settings({key: value})


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("segment_cm", "4", 4.0),
        ("segment_cm", "4.0", 4.0),
        ("turning_is_still", "False", False),
        ("turning_is_still", "true", True),
        ("turn_limit", "none", None),
        ("turn_limit", "12", 12),
        ("step_mm", "9.6", 9.6),
        ("melee", "none", "none"),
        ("turn_order", " phase_by_phase ", "phase_by_phase"),
    ],
)
def test_options_as_typed(key, text, value):
    found = parse(key, text)
    assert found == value
    assert settings({key: found}).pairs()


def test_typed_options_are_refused_as_well():
    for key, text in (("turn_order", "x"), ("step_mm", "high"), ("nothing", "1"), ("step_mm", "")):
        with pytest.raises(Refused, match=key):
            parse(key, text)


def test_every_flag_has_one_sentence():
    for sentence in data().flags.values():
        filled = sentence.format(figure="Red 1", target="Blue 2")
        assert filled.endswith(".")
        assert "{" not in filled
