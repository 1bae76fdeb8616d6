"""The data file is whole, and nothing in the code asks for what is not there."""

import re
from pathlib import Path

import pytest

from engine.rulesets import by_id
from engine.rulesets.legowars.data import PATH, data, read
from engine.rulesets.legowars.marks import Phase
from engine.rulesets.legowars.settings import Settings, settings
from tests.engine.specification import check_spans

CODE = Path(PATH).parent / "legowars"
SOURCE = "".join(path.read_text(encoding="utf-8") for path in sorted(CODE.rglob("*.py")))


def test_every_option_has_a_field():
    assert set(Settings.__dataclass_fields__) == set(data().options)
    kinds = {"str": str, "bool": bool, "int": int, "float": float}
    for name, field in Settings.__dataclass_fields__.items():
        kind = kinds.get(str(field.type).split(" ")[0])
        value = getattr(settings(), name)
        assert value is None or isinstance(value, (kind, int)), name


SPANS = {
    "full_block_min_hidden": (0.5, 1.0),
    "cover_min_hidden": (0.0, 0.5),
    "obstacle_free_below_bricks": (0.0, 1.0),
    "obstacle_height_tol_bricks": (0.0, 0.5),
    "ladder_contact_cm": (0.5, 5.0),
    "ladder_capacity": (1, 10),
    "pickup_reach_cm": (0.5, 5.0),
    "mount_cost_cm": (0.0, 15.0),
    "door_reach_cm": (0.5, 5.0),
    "heavy_reload_turns": (0, 5),
    "ram_carriers": (2, 8),
    "army_points": (0, 1000000),
    "night_view_cm": (0.0, 1000.0),
    "building_price_scale": (0.001, 1.0),
    "vehicle_max_obstacle_bricks": (0.0, 3.0),
    "ladder_cost": (0, 100),
    "measure_tol_mm": (0, 10),
}


def test_numbers_may_be_chosen_from_spans():
    """LW-COST-08, LW-LADD-11: any number in its span, and nothing else."""
    check_spans(data().options, SPANS, settings, ("army_points", "night_view_cm"))


def test_every_question_is_settled():
    """LW-AMB-01 to LW-AMB-81 have an option or an explaining text."""
    text = PATH.read_text(encoding="utf-8")
    found = {int(number) for number in re.findall(r"LW-AMB-(\d\d)", text)}
    assert found == set(range(1, 82))
    assert len(data().options) == 103


def test_every_flag_is_raised():
    """LW-FLAG-31 is a question, all others are told by name."""
    for number in range(1, 33):
        flag = f"LW-FLAG-{number:02d}"
        assert data().flags[flag].rule in data().items
        assert flag in SOURCE, flag


def test_phases():
    assert {phase.value for phase in Phase} <= set(data().phases)
    for follows in data().phases.values():
        assert set(follows) <= set(data().phases)


def test_numbers_are_used():
    """No number lies about in the data file that no code reads."""
    for table, numbers in data().numbers.items():
        for key in numbers:
            used = re.search(rf'"{table}", f?"({key}|target_)', SOURCE) or key in ("short", "long")
            assert used, f"{table}.{key}"


def test_rules_named_in_code_are_rules():
    known = set(data().items) | set(data().flags)
    for rule in re.findall(r'"(LW-[A-Z]+-\d\d)"', SOURCE):
        assert rule in known or rule.startswith("LW-AMB"), rule


def test_a_file_with_holes_is_no_data_file(tmp_path):
    path = tmp_path / "broken.toml"
    path.write_text(PATH.read_text(encoding="utf-8").replace("[creatures.man]", "[creatures.men]"))
    assert "man" not in read(path).creatures
    path.write_text("[meta]\n")
    with pytest.raises(KeyError):
        read(path)


def test_info():
    info = by_id("legowars").info
    assert ("sword", "sword") in info.equipment
    assert info.base["lego_model"].size_mm == 16.0
    assert info.items["LW-FLAG-03"].text == "A model is dead and does nothing."
