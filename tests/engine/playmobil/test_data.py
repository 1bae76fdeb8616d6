"""The data file holds what the specification says, and its options are those it names."""

import pytest

from engine.rulesets.agreement import field_of
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.settings import Settings, settings
from engine.vectors import check
from tests.engine.specification import (
    blocks,
    check_geometry_options,
    check_spans,
    check_states_and_flags,
    flat,
    free_options,
    item_ids,
    specification,
)


@pytest.mark.material
def test_every_vector_passes():
    result = check("playmobil", [("playmobil.md", specification("playmobil"))])
    assert result.passed == 83
    assert (result.failed, result.unsupported) == ((), ())


@pytest.mark.material
def test_types_and_rules():
    spec = blocks("playmobil")
    for name, told in spec["pm_types"].items():
        own = data().types[name]
        assert (own.move_ft, own.a, own.d) == (told["move_ft"], told["a"], told["d"] or 0), name
        assert own.charge == told.get("charge", False)
        assert own.spear == told.get("spear", False)
        assert own.flaming == told.get("flaming", False)
        assert own.circle == told.get("circle", False)
    rules, numbers = spec["pm_rules"], data().numbers
    assert numbers["charge.move_ft"] == rules["charge"]["move_ft"]
    assert numbers["missiles.longbow_ft"] == rules["ranges_ft"]["longbow"]
    assert numbers["missiles.flaming_roll"] == rules["flaming"]["roll_mod"]
    assert numbers["melee.reach_in"] == rules["melee_reach_in"]
    assert numbers["elephant.rage_ft"] == rules["elephant_rage_ft"]


@pytest.mark.material
def test_every_key_of_the_configuration_is_an_option_with_its_default():
    spec = blocks("playmobil")
    for key, default in flat("pm", spec["pm"]):
        if key != "pm.artillery.pieces":
            assert data().options[key].option.default == default, key
    check_geometry_options("playmobil", data())


@pytest.mark.material
def test_states_and_flags():
    check_states_and_flags("playmobil", data())


@pytest.mark.material
def test_every_item_is_there():
    assert item_ids("playmobil", "PM") == set(data().items)


def test_settings_are_the_options_with_a_choice():
    free = {field_of(key) for key in free_options(data())}
    assert set(Settings.__dataclass_fields__) == free


SPANS = {
    "pm.scale.factor": (0.25, 2.0),
    "pm.setup.depth_ft": (0.25, 3.0),
    "pm.throw.range_ft": (0.25, 2.0),
    "pm.siege.artillery_d": (1, 6),
    "pm.siege.artillery_hits": (1, 10),
    "geom.place_tol_mm": (2.0, 40.0),
    "geom.move_epsilon_mm": (1.0, 25.0),
    "geom.los.none_max": (0.0, 0.3),
    "geom.los.full_min": (0.0, 1.0),
}


def test_numbers_may_be_chosen_from_spans():
    """PM-GEN-03, PM-THROW-11."""
    check_spans(data().options, SPANS, settings)


VECTORS = """
- {id: A, kind: odds, given: {A: 1, D: 1}, expect: "7/12"}
- {id: B, kind: odds, given: {A: 0, D: 1}, expect: "1/1"}
- {id: C, kind: d_dice, given: {type: wizard, arc: front}, expect: 1}
- {id: D, kind: attack, given: {a: [7], d: [1]}, expect: {attack_score: 7, defend_score: 1, \
kill: true}}
- {id: E, kind: attack, given: {a: [3], d: [4]}, expect: {attack_score: 3, defend_score: 4, \
kill: true}}
- {id: F, kind: circle, given: {range_mm: 1, link_mm: 1, r: 1, target: [0, 0], \
archers: [[1, 0]], sees: [1]}, expect: [true]}
- {id: G, kind: burn, given: {type: ladder, arrows: []}, expect: {fire_hits: 0, burned: false}}
- {id: H, kind: rampage, given: {gaps: [], rage_mm: 152.4}, expect: {target: null}}
- {id: I, kind: wait, given: {declared: 0, attacked: false, moved: false}, \
expect: {ready_turn: 1}}
- {id: J, kind: archery, given: {shots: [[5, [2]]], cap: 1, kills_per_hit: 2}, \
expect: {fired: 1, kills: 2, ended_by: no_targets}}
- {id: K, kind: artillery, given: {target: chariot, agreed_hits: 2, hits: []}, \
expect: {destroyed: false}}
"""


def test_vectors_right_wrong_and_unknown():
    result = check("playmobil", [("own.yaml", VECTORS)])
    assert [failure.id for failure in result.failed] == ["E"]
    assert result.unsupported == ("B", "C", "D", "F", "G", "I", "K")
    assert result.passed == 3
