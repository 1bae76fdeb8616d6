import json
import os
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import BadData
from engine.vector_match import agrees
from engine.vector_text import Written, blocks, items
from engine.vectors import check


def run(text, name="v.yaml"):
    return check("figurslag", [(name, text)])


def only(line):
    """Outcome of one vector: passed, failed or unsupported."""
    result = run(f"- {line}")
    counts = (result.passed, len(result.failed), len(result.unsupported))
    assert sum(counts) == 1
    return ("passed", "failed", "unsupported")[counts.index(1)]


def material(name):
    root = os.environ.get("MINIMARSHAL_MATERIAL")
    if root is None:
        if os.environ.get("MINIMARSHAL_STRICT") == "1":
            pytest.fail("MINIMARSHAL_MATERIAL is not set")
        pytest.skip("MINIMARSHAL_MATERIAL is not set")
    return Path(root) / name


@pytest.mark.material
def test_every_vector_of_the_specification_passes():
    path = material("rules/figurslag.md")
    result = check("figurslag", [(path.name, path.read_text(encoding="utf-8"))])
    assert result.failed == ()
    assert result.unsupported == ()
    assert result.passed == 87


@pytest.mark.material
@pytest.mark.parametrize(("ruleset", "count"), [("legowars", 240)])
def test_every_vector_of_another_specification_passes(ruleset, count):
    path = material(f"rules/{ruleset}.md")
    result = check(ruleset, [(path.name, path.read_text(encoding="utf-8"))])
    assert (result.passed, result.failed, result.unsupported) == (count, (), ())


@pytest.mark.material
@pytest.mark.parametrize("other", ["follow_me", "legowars", "playmobil", "deathzap"])
def test_vectors_of_another_game_never_crash_it(other):
    path = material(f"rules/{other}.md")
    result = check("figurslag", [(path.name, path.read_text(encoding="utf-8"))])
    assert len(result.unsupported) > 50
    json.dumps(result.document())


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ("{id: a, fn: seg, in: {n: 4}, out: 20}", "passed"),
        ("{id: a, fn: seg, in: {n: 4}, out: 21}", "failed"),
        ("{id: a, fn: seg, cfg: {segment_cm: 4.0}, in: {n: 4}, out: 16}", "passed"),
        ("{id: a, fn: seg, cfg: {segment_cm: 4}, in: {n: 4}, out: 16.0}", "passed"),
        ("{id: a, kind: seg, given: {n: 4}, expect: 20}", "passed"),
        ("{id: a, kind: seg, cfg: {scale_factor: 2.0}, given: {n: 4}, expect_mm: 40}", "passed"),
        ("{id: a, kind: seg, given: {n: 4}, expect: 20.4, tol_mm: 0.5}", "passed"),
        ("{id: a, kind: seg, given: {n: 4}, expect: 20.6, tol_mm: 0.5}", "failed"),
        ("{id: a, fn: seg, in: {n: 4}, out: 20.4, tol: 0.5}", "passed"),
        (
            "{id: a, fn: gap, tol: 0.000001, in: {a: {x: 0, y: 0, z: 0, rot_deg: 45},"
            " b: {x: 216, y: 0, z: 0, rot_deg: 45}}, out: 19.34}",
            "failed",
        ),
        ("{id: a, fn: nothing, in: {n: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, in: {m: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, in: {n: 4, m: 1}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, in: {n: four}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, in: {n: true}, out: 5}", "unsupported"),
        ("{id: a, fn: seg, in: {n: .nan}, out: 5}", "unsupported"),
        ("{id: a, fn: seg, in: {}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, in: [4], out: 20}", "unsupported"),
        ("{id: a, fn: seg, in: {n: 4}}", "unsupported"),
        ("{id: a, fn: seg, in: {n: 4}, out: 20, extra: 1}", "unsupported"),
        ("{id: a, fn: seg, in: {n: 4}, expect: 20}", "unsupported"),
        ("{id: a, fn: seg, in: {n: 4}, out: 20, tol: big}", "unsupported"),
        ("{id: a, fn: seg, in: {n: 4}, out: 20, tol: -1}", "unsupported"),
        ("{id: a, fn: seg, in: {n: 4}, out: 20, tol: 1, tol_mm: 1}", "unsupported"),
        ("{id: a, fn: [seg], in: {n: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, cfg: {segment_mm: 5}, in: {n: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, cfg: {segment_cm: 6.0}, in: {n: 4}, out: 24}", "unsupported"),
        ("{id: a, fn: seg, cfg: {segment_cm: [5.0]}, in: {n: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, cfg: {stairs_both_ways: 1}, in: {n: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, cfg: {die_sides: true}, in: {n: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, cfg: {step_mm: 41}, in: {n: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, cfg: {team_count: 2.5}, in: {n: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, cfg: {1: 2}, in: {n: 4}, out: 20}", "unsupported"),
        ("{id: a, fn: seg, cfg: {turn_limit: null}, in: {n: 4}, out: 20}", "passed"),
        ("{id: a, fn: seg, cfg: {turn_limit: 7}, in: {n: 4}, out: 20}", "passed"),
        ("{id: a, kind: seg, given: {n: 4}, expect: 20, expect_mm: 20}", "unsupported"),
        ("{id: a, fn: los, in: {visible: 0.51}, out: 1}", "failed"),
        ("{id: a, fn: shots, in: {weapons: [large], mode: normal}, out: true}", "failed"),
        ("{id: a, fn: p_kill, in: {shots: 2}, out: '7/16'}", "passed"),
        ("{id: a, fn: p_kill, in: {shots: 2}, out: '7/17'}", "failed"),
        ("{id: a, fn: p_kill, in: {shots: 2}, out: 7/16}", "passed"),
        ("{id: a, fn: p_kill, in: {shots: 2}, out: 0.44}", "passed"),
        ("{id: a, fn: p_kill, in: {shots: 2}, out: 0.43}", "failed"),
        ("{id: a, fn: winner, in: {living: {A: 1, B: 1}}, out: null}", "passed"),
        ("{id: a, fn: winner, in: {living: {A: 1, B: 1}}, out: 'null'}", "failed"),
        ("{id: a, fn: cmp, in: {d: 1, limit: 2, tol: 0}, out: yes}", "failed"),
        ("{id: a, fn: cmp, in: {d: 1, limit: 2, tol: 0}, out: 'yes'}", "passed"),
        (
            "{id: a, fn: phase_next, in: {state: MOVE, team: A, teams: [A, B]},"
            " out: {state: SHOOT, team: A, turn: 1}}",
            "failed",
        ),
        (
            "{id: a, fn: phase_next, in: {state: MOVE, team: A, teams: [A, B]},"
            " out: {state: SHOOT}}",
            "failed",
        ),
        (
            "{id: a, fn: gap_interval, in: {a: {x: 0, y: 0, z: 0}, b: {x: 20, y: 0, z: 0}},"
            " out: [0.4, 0.0]}",
            "failed",
        ),
    ],
)
def test_one_vector(line, outcome):
    assert only(line) == outcome


def test_the_report_names_what_differs():
    result = run(
        "vectors:\n"
        "  - {id: A, fn: seg, in: {n: 1}, out: 5}\n"
        "  - {id: B, fn: seg, in: {n: 1}, out: 6}\n"
        "  - {id: C, fn: what, in: {n: 1}, out: 6}\n"
        "  - {fn: what, in: {n: 1}, out: 6}\n"
        "  - {id: D, fn: p_kill, in: {shots: 1}, out: [1]}\n"
    )
    assert result.document() == {
        "passed": 1,
        "failed": [
            {"id": "B", "expected": 6, "got": 5.0},
            {"id": "D", "expected": [1], "got": "1/4"},
        ],
        "unsupported": ["C", "v.yaml#4"],
    }


def test_which_lists_are_read():
    text = """
one: [{id: A, fn: seg, in: {n: 1}, out: 5}, {name: table row}, 7]
two: {three: [{id: deep, fn: seg, in: {n: 1}, out: 6}]}
---
- {id: B, fn: seg, in: {n: 1}, out: 5}
---
just text
---
"""
    assert run(text).document() == {"passed": 2, "failed": [], "unsupported": []}


MARKDOWN = """# Title
- {id: X, fn: seg, in: {n: 1}, out: 6}

```yaml
a: [{id: A, fn: seg, in: {n: 1}, out: 5}]
```

~~~ YML
- {id: B, fn: seg, in: {n: 1}, out: 5}
~~~

````md
```yaml
- {id: C, fn: seg, in: {n: 1}, out: 6}
```
````

```json
{not yaml: [}
```

   ```yaml
   - {id: D, fn: seg, in: {n: 1}, out: 5}
"""


def test_markdown_blocks():
    assert run(MARKDOWN, "spec.md").passed == 3
    assert run(MARKDOWN, "spec").passed == 3
    assert [block.line for block in blocks("spec.md", MARKDOWN)] == [5, 9, 23]


@pytest.mark.parametrize(
    "text",
    [
        "a: [1, 2",
        "a: b: c",
        "- !!python/object:os.system {}",
        "\x00",
        "a: 2020-13-45",
        "{[1]: 2}: 3",
    ],
)
def test_what_is_not_yaml(text):
    with pytest.raises(BadData) as fault:
        run(text)
    assert fault.value.name == "v.yaml"
    assert "\n" not in str(fault.value)


def test_the_line_of_the_fault_is_that_of_the_file():
    with pytest.raises(BadData, match="line 5 "):
        run("text\n\n```yaml\nok: 1\nbad: }\n```\n", "spec.md")


def test_unknown_rule_set():
    with pytest.raises(BadData, match="chess"):
        check("chess", [])


def test_a_list_that_holds_itself():
    assert only("&a {id: a, fn: seg, in: {n: *a}, out: 5}") == "unsupported"
    assert only("{id: a, fn: seg, in: {n: 1}, out: &b [*b]}") != "passed"


@pytest.mark.parametrize(
    ("text", "half"),
    [("0.5", 0.05), ("20.0", 0.05), ("0.5394737", 5e-8), ("1_0.25", 0.005), ("3.", 0.5)],
)
def test_half_a_unit_of_the_last_digit(text, half):
    (item,) = items("v.yaml", f"- {{fn: a, out: {text}}}")
    assert isinstance(item["out"], Written)
    assert item["out"].half_unit == pytest.approx(half)


def number(text):
    (item,) = items("v.yaml", f"- {{fn: a, out: {text}}}")
    return item["out"]


@pytest.mark.parametrize(
    ("expected", "got", "same"),
    [
        ("20.0", 20.05, True),
        ("20.0", 20.051, False),
        ("20.00", 20.05, False),
        ("20", 20.0000009, True),
        ("20", 20.00001, False),
        ("0.3333333", 1 / 3, True),
        ("0.33333333", 1 / 3 + 9e-7, True),
        ("0.33333333", 1 / 3 + 2e-6, False),
        ("1", True, False),
        ("true", 1, False),
        ("true", True, True),
        ("null", 0, False),
        ("null", None, True),
        ("abc", "abc", True),
        ("'5'", 5, False),
        ("1/4", Fraction(1, 4), True),
        ("1/4", 0.25, True),
        ("1/4", 0.2500001, False),
        ("1/3", Fraction(333333, 1000000), False),
        ("1/0", 5, False),
        ("[1, 2]", (1, 2), True),
        ("[1, 2]", [2, 1], False),
        ("[1, 2]", [1], False),
        ("[a]", "a", False),
        ("{a: 1}", {"a": 1.0}, True),
        ("{a: 1}", {"a": 1.0, "b": 2}, False),
        (".inf", float("inf"), False),
    ],
)
def test_when_answers_agree(expected, got, same):
    assert agrees(number(expected), got) is same


@settings(max_examples=60, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=8,
    ),
    st.sampled_from(
        [
            "seg",
            "classify",
            "gap",
            "resolve",
            "roster",
            "winner",
            "phase_next",
            "wall_visible",
            "p_kill",
            "typed",
            "cmp_interval",
            "deploy",
            "shots",
        ]
    ),
    st.sampled_from(["n", "moved_cm", "a", "hits", "models", "living", "teams", "shots", "text"]),
)
def test_nothing_given_can_crash_it(value, function, key):
    text = json.dumps([{"id": "a", "fn": function, "in": {key: value}, "out": value}])
    result = run(text)
    assert result.passed + len(result.failed) + len(result.unsupported) == 1
    json.dumps(result.document(), allow_nan=False)
