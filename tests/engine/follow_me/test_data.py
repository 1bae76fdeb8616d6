"""The data file holds what the specification says, and its options are those it names."""

import os
import re
from pathlib import Path

import pytest
import yaml

from engine.rulesets.agreement import field_of
from engine.rulesets.follow_me.data import data
from engine.rulesets.follow_me.settings import Settings, settings
from engine.vectors import check
from tests.engine.specification import check_spans, free_options

LISTS = {"fm.duration.counts_cast_turn", "fm.setup.ask", "fm.spells.extra"}


def specification() -> str:
    root = os.environ.get("MINIMARSHAL_MATERIAL")
    path = Path(root or "") / "rules" / "follow_me.md"
    if root is None or not path.exists():
        if os.environ.get("MINIMARSHAL_STRICT") == "1":
            pytest.fail("MINIMARSHAL_MATERIAL is not set")
        pytest.skip("MINIMARSHAL_MATERIAL is not set")
    return path.read_text(encoding="utf-8")


def blocks() -> dict[str, object]:
    found: dict[str, object] = {}
    for text in re.findall(r"```yaml\n(.*?)```", specification(), re.DOTALL):
        found |= yaml.safe_load(text) or {}
    return found


@pytest.mark.material
def test_every_vector_passes():
    result = check("follow_me", [("follow_me.md", specification())])
    assert result.passed == 124
    assert (result.failed, result.unsupported) == ((), ())


@pytest.mark.material
def test_types_weapons_and_spells():
    spec = blocks()
    assert list(data().types) == list(spec["fm_types"])
    for name, told in spec["fm_types"].items():
        own = data().types[name]
        assert (own.move_in, own.melee) == (told["move"], told["melee"] or 0), name
        assert (own.shoot_row, own.breath_row) == (
            told["shoot_row"] or "",
            told["breath_row"] or "",
        )
        assert (own.margin, own.hits) == (told["kill_margin"] or 0, told["hits"] or 0)
        assert own.rank == told["rank"]
        for flag in ("undead", "hero", "mounted", "big_thing"):
            assert getattr(own, flag) == told.get(flag, False), (name, flag)
    for name, told in spec["fm_shooting"].items():
        own = data().weapons[name]
        assert list(own.bands_in) == told["bands_in"]
        assert {row: [face or None for face in faces] for row, faces in own.rows.items()} == told[
            "rows"
        ]
    for own, told in zip(data().spells.values(), spec["fm_spells"]["list"], strict=True):
        assert (own.name, own.rule, own.cost) == (told["name"], told["id"], told["cost"])
        assert own.range_in == (told["range_in"] or 0)
        assert own.to_hit == (told["to_hit"] or 0)


@pytest.mark.material
def test_every_key_of_the_configuration_is_an_option_with_its_default():
    spec = blocks()

    def flat(prefix, item):
        if isinstance(item, dict) and item:
            for key, value in item.items():
                yield from flat(f"{prefix}.{key}", value)
        else:
            yield prefix, item

    for key, default in flat("fm", spec["fm"]):
        if key in LISTS:
            assert key in data().options
        else:
            assert data().options[key].option.default == default, key
    for key, default in flat("geom", spec["geom"]):
        if key in data().options and key != "geom.contact_tol_mm":
            assert data().options[key].option.default == default, key


@pytest.mark.material
def test_states_and_flags():
    spec = blocks()
    assert list(data().phases) == list(spec["states"])
    for name, state in spec["states"].items():
        assert set(data().phases[name]) == set(state["to"].values()), name
    for flag in spec["illegal"]:
        assert data().flags[flag["code"]].rule == flag["rule"]


@pytest.mark.material
def test_every_item_is_there():
    items = set(re.findall(r"^\| (FM-[A-Z]+-\d\d[a-z]?) \|", specification(), re.MULTILINE))
    assert {one for one in items if "-Q-" not in one} == set(data().items)


def test_settings_are_the_options_with_a_choice():
    names = set(Settings.__dataclass_fields__) - {"factor"}
    assert names == {field_of(key) for key in free_options(data())}


SPANS = {
    "fm.scale.factor": (0.25, 4.0),
    "fm.attack_them.range_in": (1.0, 60.0),
    "fm.morale.custom.steady": (-10, 12),
    "fm.morale.custom.shaken": (-10, 12),
    "fm.morale.custom.fall_back": (-10, 12),
    "fm.mage.start_points": (0, 60),
    "fm.setup.deploy_in": (2, 60),
    "geom.place_tol_mm": (2.0, 40.0),
    "geom.move_epsilon_mm": (1.0, 25.0),
    "geom.los.none_max": (0.0, 0.3),
}


def test_numbers_may_be_chosen_from_spans():
    """FM-GEN-06: any number in its span, and nothing else."""
    check_spans(data().options, SPANS, settings, ("fm.scale.factor", "fm.attack_them.range_in"))


VECTORS = """
- {id: A, kind: need, given: {weapon: bow, target: troll, range_in: 15}, expect: 6}
- {id: B, kind: need, given: {weapon: sling, target: troll, range_in: 15}, expect: 6}
- {id: C, kind: melee, given: {single: cart_engine, many: [ogre], rs: 1, rm: 1}, expect: 1}
- {id: D, kind: morale, given: {roll: 7, f: {}}, expect: {total: 7, result: steady}}
- {id: E, kind: morale, given: {roll: 6, f: {no_leader: true}}, expect: {total: 6, result: steady}}
- {id: F, kind: big_start, given: {instruction: defend, turn: 3, roll: 2}, expect: 5}
- {id: G, kind: duel, given: {rounds: [[stone, well], [stone, paper], [paper, paper]]}, expect: 1}
- {id: H, kind: points, given: {start: 3, cap: null, ops: [MEDITATE]}, \
expect: {points: 4, illegal: []}}
- {id: I, kind: points, given: {start: 3, cap: 3, ops: [FIREBALL]}, expect: {points: 3}}
- {id: J, kind: pairing, given: {n: 2, m: 5}, expect: [3, 2]}
- {id: K, kind: hits, given: {type: cart_engine, before: 0, new: 1}, expect: {taken: 1, dead: true}}
- {id: L, kind: counted_duration, given: {spell: HEAL, cast_turn: 1, n: 1}, expect: 1}
"""


def test_vectors_right_wrong_and_unknown():
    result = check("follow_me", [("own.yaml", VECTORS)])
    assert [failure.id for failure in result.failed] == ["E"]
    assert result.unsupported == ("B", "C", "D", "F", "G", "I", "K", "L")
    assert result.passed == 3
