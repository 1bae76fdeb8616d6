"""The data file holds what the specification says, and its options are those it names."""

import pytest

from engine.errors import Refused
from engine.rulesets.agreement import field_of
from engine.rulesets.deathzap.data import data
from engine.rulesets.deathzap.settings import Settings, settings
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
    result = check("deathzap", [("deathzap.md", specification("deathzap"))])
    assert result.passed == 85
    assert (result.failed, result.unsupported) == ((), ())


@pytest.mark.material
def test_classes_and_rules():
    spec = blocks("deathzap")
    for name, told in spec["dz_classes"].items():
        kind = data().classes[name]
        assert kind.tier == told["tier"]
        assert (kind.move_in, kind.melee_dice) == (told["move_in"], told["melee_dice"])
        assert kind.ranged_dice == told["ranged_dice"]
        assert (kind.charge, kind.defend) == (told["charge"], told["defend"])
        assert list(kind.always_hits_on) == told.get("always_hits_on", [])
    rules = spec["dz_rules"]
    assert data().board_in == rules["board_in"]
    assert data().max_fighters == rules["warband"]["max_fighters"]
    assert [line.need for line in data().might_table] == [m["need"] for m in rules["might_table"]]


@pytest.mark.material
def test_every_key_of_the_configuration_is_an_option_with_its_default():
    spec = blocks("deathzap")
    for key, default in flat("dz", spec["dz"]):
        option = data().options[key].option
        wanted = default[0] if isinstance(default, list) else default
        assert option.default == wanted, key
    check_geometry_options("deathzap", data())


@pytest.mark.material
def test_states_and_flags():
    check_states_and_flags("deathzap", data())


@pytest.mark.material
def test_every_item_is_there():
    assert item_ids("deathzap", "DZ") == set(data().items)


def test_settings_are_the_options_with_a_choice():
    free = {field_of(key) for key in free_options(data())}
    assert set(Settings.__dataclass_fields__) == free
    assert settings().chain_multi == "last_attack"
    assert settings().ranged_max_in is None


SPANS = {
    "dz.scale.factor": (1.0, 4.0),
    "dz.points.standard": (1, 200),
    "dz.deploy.depth_in": (1.0, 12.0),
    "dz.ranged.max_in": (1.0, 48.0),
    "dz.terrain.step_over_in": (0.0, 3.0),
    "dz.stalemate": (2, 200),
    "geom.place_tol_mm": (2.0, 40.0),
    "geom.move_epsilon_mm": (1.0, 25.0),
    "geom.los.none_max": (0.0, 0.3),
    "geom.los.full_min": (0.0, 1.0),
}


def test_numbers_may_be_chosen_from_spans():
    check_spans(data().options, SPANS, settings, ("dz.ranged.max_in",))
    for number in (2.5, "12", None):
        with pytest.raises(Refused):
            settings({"dz.stalemate": number})


VECTORS = """
- {id: A, kind: chain, given: {active: A, fighter: A1, attacks: [{target: B2, killed: true}], \
alive_own: 1}, expect: {next_player: A, fighter: A1}}
- {id: B, kind: need, given: {a: 0, t: 1}, expect: 6}
- {id: C, kind: need, given: {a: 1, t: 1}, expect: 5}
- {id: D, kind: dice, given: {class: Wizard, action: melee}, expect: 3}
- {id: E, kind: attack, given: {a: 2, t: 2, rolls: [7]}, expect: {hits: 1, result: stunned}}
- {id: F, kind: p_morale, given: {killed: 1, left: 0}, expect: "1"}
- {id: G, kind: p_kill, given: {dice: 2, need: 2, mod: 0}, expect: "0/5"}
- {id: H, kind: vis_mod, given: {free_samples: 16}, expect: 0}
- {id: I, kind: deploy, given: {y_mm: 142.4, r: 10, factor: 1.0}, expect: true}
- {id: J, kind: move, given: {class: Drone, path_mm: 101.7, factor: 1.0}, expect: false}
- {id: K, kind: g_contact, given: {gap_mm: 5.0}, expect: true}
- {id: L, kind: may, given: {class: Mech, action: fly}, expect: true}
- {id: M, kind: actions, given: {}, expect: 2}
- {id: N, kind: warband, given: {fighters: [[Mech, 20], [Mech, 1], [Mech, 0]]}, \
expect: [points, basic, rare, might]}
- {id: O, kind: dice, given: {class: Gunslinger, action: ranged, range_in: 6.1}, expect: 3}
- {id: P, kind: g_los, given: {eye: [0, 0, 36], target: [300, 0], r: 10, height: 40, \
cylinders: [[150, 12, 10, 40]]}, expect_free: 10}
- {id: Q, kind: attack, given: {a: 2, t: 2, rolls: [4], modd: 1}, \
expect: {hits: 1, result: stunned}}
"""


def test_vectors_right_wrong_and_unknown():
    result = check("deathzap", [("own.yaml", VECTORS)])
    assert [failure.id for failure in result.failed] == ["C"]
    assert result.unsupported == ("B", "D", "E", "H", "K", "L", "Q")
    assert result.passed == 9
