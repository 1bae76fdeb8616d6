"""Every wrong points file is named with its fault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from calibration.errors import BadReference
from calibration.points import load_points, parse_points


def text_of(*pairs: tuple[list[object], list[object]]) -> str:
    return json.dumps({"points": [{"px": px, "mm": mm} for px, mm in pairs]})


SQUARE = (
    ([100, 900], [0, 0]),
    ([900, 900], [400, 0]),
    ([800, 300], [400, 300]),
    ([200, 300], [0, 300]),
)


def test_a_good_file() -> None:
    pairs = parse_points(text_of(*SQUARE), "good.json")
    assert pairs.px.shape == (4, 2)
    assert pairs.mm[2].tolist() == [400, 300]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("[" * 100000, "JSON|nested"),
        ("[]", "needs"),
        ("{}", "needs"),
        ('{"points": 4}', "needs"),
        ('{"points": []}', "0 points"),
        (text_of(*SQUARE[:3]), "3 points"),
        (text_of(*SQUARE[:3], ([1, 2, 3], [0, 0])), "point 4"),
        (text_of(*SQUARE[:3], (["1", "2"], [0, 0])), "point 4"),
        (text_of(*SQUARE[:3], ([True, 2], [0, 0])), "point 4"),
        (text_of(*SQUARE[:3], ([1, None], [0, 0])), "point 4"),
        (text_of(*SQUARE[:3]).replace("100", "NaN"), "points|usable"),
        (text_of(*SQUARE).replace("100", "NaN"), "usable"),
        (text_of(*SQUARE).replace("100", "1e999"), "usable"),
        (text_of(*SQUARE).replace("100", "1" + "0" * 400), "usable"),
        ('{"points": [1, 2, 3, 4]}', "point 1"),
        (text_of(SQUARE[0], SQUARE[0], *SQUARE[1:3]), "different"),
        (text_of(*SQUARE[:3], ([850, 600], [0, 300])), "one line"),
        (text_of(*SQUARE[:3], ([200, 300], [200, 0])), "one line"),
        (text_of(*[([x, x], [x, x]) for x in range(6)]), "one line"),
        (text_of(SQUARE[1], SQUARE[0], SQUARE[2]) + "x", "not JSON"),
        (text_of((SQUARE[0][0], SQUARE[1][1]), (SQUARE[1][0], SQUARE[0][1]), *SQUARE[2:]), "swap"),
        (text_of(*[(px, [mm[0], -mm[1]]) for px, mm in SQUARE]), "mirrored"),
    ],
)  # fmt: skip
def test_a_wrong_file(text: str, fault: str) -> None:
    with pytest.raises(BadReference, match=fault) as caught:
        parse_points(text, "bad.json")
    assert caught.value.name == "bad.json"
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BadReference, match="no such file"):
        load_points(tmp_path / "none.json")
    with pytest.raises(BadReference, match="cannot be read"):
        load_points(tmp_path)
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00\x80")
    with pytest.raises(BadReference, match="not a text file"):
        load_points(tmp_path / "bytes.json")
