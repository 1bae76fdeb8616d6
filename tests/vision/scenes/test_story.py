"""The demo's storyboard keeps the rules of the game it shows (all but the move that is flagged)."""

import json
import math
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from vision.scenes.figure import Figure
from vision.scenes.films import DEMO, SECOND
from vision.scenes.ldraw import Geometry
from vision.scenes.story import FrameState, Story, play

DATASETS = Path(__file__).parents[3] / "datasets"
SEGMENT, BASE, EYE, TALL = 50.0, 16.0, 34.0, 40.0
STEP_MM = 12.0


def puppet() -> Figure:
    """A box of a figure's size, good enough for the storyboard."""
    c = np.array([(i, j, k) for i in (-4, 4) for j in (-8, 8) for k in (0, 40)], dtype=float)
    faces = [(a, b, d) for a, b, d in combinations(range(8), 3)]
    solid = Geometry(c[np.array(faces)], np.full(len(faces), 16))
    none = Geometry(np.zeros((0, 3, 3)), np.zeros(0, dtype=np.int64))
    return Figure(solid, none, np.zeros((5, 3)))


def frames_of(story: Story) -> list[FrameState]:
    figures = {a.name: puppet() for a in story.actors}
    c = np.array([(i, j, k) for i in (-8, 8) for j in (-8, 8) for k in (-3.2, 0)], dtype=float)
    faces = [(a, b, d) for a, b, d in combinations(range(8), 3)]
    base = Geometry(c[np.array(faces)], np.full(len(faces), 16))
    return play(story, figures, {a.name: base for a in story.actors}, 10)


FRAMES = frames_of(DEMO)
ACTIONS = json.loads((DATASETS / "demo" / "actions.json").read_text())
SIDES = {a.name: a.side for a in DEMO.actors}


def gap(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.hypot(*(max(0.0, abs(p - q) - BASE) for p, q in zip(a, b, strict=True)))


def moves() -> list[tuple[str, tuple[float, float], tuple[float, float], bool, bool]]:
    """(who, from, to, legal, put back) of the acts that move a figure."""
    at = {a.name: a.start_mm for a in DEMO.actors}
    found = []
    flagged: dict[str, tuple[float, float]] = {}
    for act in DEMO.acts:
        if act.kind == "move":
            start = flagged.get(act.actor) or at[act.actor]
            assert start is not None
            found.append((act.actor, start, act.to_mm, act.legal, act.actor in flagged))
            if not act.legal:
                flagged[act.actor] = start
        at[act.actor] = act.to_mm
    return found


def overlaps(
    x: float, y: float, box: tuple[float, float, float, float], half: float = BASE / 2
) -> bool:
    return box[0] - half < x < box[2] + half and box[1] - half < y < box[3] + half


def test_teams_and_weapons() -> None:
    for side in ("red", "blue"):
        weapons = sorted(a.weapons for a in DEMO.actors if a.side == side)
        assert weapons == [("large",)] * 3 + [("small", "small")] * 2


def test_everybody_stands_in_the_own_strip_by_second_ten() -> None:
    state = FRAMES[95]
    assert len(state.figures) == 10
    for f in state.figures:
        assert f.state == "standing"
        x, y = f.position_mm
        depth = y if SIDES[f.name] == "red" else 384 - y
        assert depth + BASE / 2 <= SEGMENT
        assert BASE / 2 <= x <= 384 - BASE / 2


def test_six_stand_at_the_start() -> None:
    assert sum(f.state == "standing" for f in FRAMES[0].figures) == 6


def test_bases_sit_on_the_studs_and_never_overlap() -> None:
    for state in FRAMES:
        stand = [f for f in state.figures if f.state == "standing"]
        for f in stand:
            assert all(v % 8 == 0 for v in f.position_mm)
        for a, b in combinations(stand, 2):
            assert (
                max(abs(p - q) for p, q in zip(a.position_mm, b.position_mm, strict=True)) >= BASE
            )
        for f in stand:
            for t in DEMO.terrain:
                assert not overlaps(*f.position_mm, t.footprint_mm)


def test_move_lengths() -> None:
    lengths = {}
    for who, start, end, legal, back in moves():
        length = math.dist(start, end)
        assert (length <= 3 * SEGMENT - 3) == legal
        lengths[who, legal, back] = length
    assert lengths["R1", True, False] == 96
    assert 120 <= lengths["R2", True, False] <= 140
    assert lengths["R3", False, False] == 168
    assert lengths["R3", True, True] <= 144
    for who in ("B1", "B2", "R4"):
        assert lengths[who, True, False] <= 2 * SEGMENT - 3


def test_straight_paths_are_free() -> None:
    for act in (a for a in DEMO.acts if a.kind == "move"):
        before = FRAMES[int(act.start_s * 10) - 1]
        start = next(f for f in before.figures if f.name == act.actor).position_mm
        others = [f for f in before.figures if f.state == "standing" and f.name != act.actor]
        for share in np.linspace(0, 1, 60):
            x, y = np.add(start, share * np.subtract(act.to_mm, start))
            for t in DEMO.terrain:
                assert t.height_mm <= STEP_MM or not overlaps(x, y, t.footprint_mm)
            for f in others:
                assert max(abs(x - f.position_mm[0]), abs(y - f.position_mm[1])) >= BASE


def seen_share(eye: tuple[float, float], target: tuple[float, float], state: FrameState) -> float:
    """Share of the target's upright rectangle that is seen, 9 x 5 points, as in the rules."""
    dx, dy = np.subtract(target, eye) / math.dist(eye, target)
    boxes = [(*t.footprint_mm, t.height_mm) for t in DEMO.terrain]
    for f in state.figures:
        if f.state == "standing" and f.position_mm not in (eye, target):
            x, y = f.position_mm
            boxes.append((x - 8, y - 8, x + 8, y + 8, TALL))
    seen = 0
    for side in np.linspace(-12, 12, 9):
        for height in np.linspace(TALL / 10, TALL * 0.9, 5):
            end = np.array([target[0] - dy * side, target[1] + dx * side, height])
            ray = np.linspace(np.array([*eye, EYE]), end, 200)
            seen += not any(
                (
                    (ray[:, 0] > x0)
                    & (ray[:, 0] < x1)
                    & (ray[:, 1] > y0)
                    & (ray[:, 1] < y1)
                    & (ray[:, 2] < h)
                ).any()
                for x0, y0, x1, y1, h in boxes
            )
    return seen / 45


def shots() -> list[dict]:  # type: ignore[type-arg]
    return [a for a in ACTIONS if a["kind"] == "shoot"]


def test_shots_are_legal() -> None:
    assert len(shots()) == 3
    reach = {"large": 4 * SEGMENT, "small": 2 * SEGMENT}
    moved = {who for who, *_ in moves()[:3]}
    for shot in shots():
        state = FRAMES[shot["t_ms"] // 100]
        places = {f.position_mm: f for f in state.figures if f.state == "standing"}
        shooter = places[tuple(shot["figure_at_mm"])]
        target = places[tuple(shot["target_at_mm"])]
        assert SIDES[shooter.name] == shot["side"] != SIDES[target.name]
        assert gap(shooter.position_mm, target.position_mm) <= reach[shot["weapon"]] - 3
        assert seen_share(shooter.position_mm, target.position_mm, state) > 0.6
        weapons = next(a.weapons for a in DEMO.actors if a.name == shooter.name)
        assert shot["weapon"] in weapons
    assert shots()[0]["hit_die"] <= 3
    assert moved == {"R1", "R2", "R3"}


def test_the_struck_are_laid_down_and_confirmed() -> None:
    dead = [s for s in shots() if s["hit_die"] >= 4 and s["dodge_die"] <= 3]
    confirmed = [a for a in ACTIONS if a["kind"] == "confirm_dead"]
    assert len(dead) == len(confirmed) == 2
    for shot, confirm in zip(dead, confirmed, strict=True):
        before = FRAMES[shot["t_ms"] // 100]
        after = FRAMES[confirm["t_ms"] // 100]
        name = next(f.name for f in before.figures if list(f.position_mm) == shot["target_at_mm"])
        lying = next(f for f in after.figures if f.name == name)
        assert lying.state == "lying"
        assert list(lying.position_mm) == confirm["figure_at_mm"]
        assert shot["t_ms"] < confirm["t_ms"]
        chest = lying.matrix[:3, :3] @ (1, 0, 0)
        assert chest[2] > 0.9


def test_one_enemy_in_range_is_hidden_behind_the_high_wall() -> None:
    state = FRAMES[405]
    at = {f.name: f.position_mm for f in state.figures}
    assert gap(at["R3"], at["B5"]) <= 4 * SEGMENT - 3
    assert seen_share(at["R3"], at["B5"], state) <= 0.45


def test_taps_come_while_no_hand_is_over_the_table() -> None:
    times = [a["t_ms"] for a in ACTIONS]
    assert times == sorted(times)
    for action in ACTIONS:
        if action["kind"] != "assign":
            assert FRAMES[action["t_ms"] // 100].hand is None
        if "figure_at_mm" in action:
            places = [list(f.position_mm) for f in FRAMES[action["t_ms"] // 100].figures]
            assert action["figure_at_mm"] in places
    assigned = [a for a in ACTIONS if a["kind"] == "assign"]
    assert len(assigned) == 10


def test_umpire_has_time_to_flag_the_long_move() -> None:
    long = next(a for a in DEMO.acts if not a.legal)
    after = next(a for a in DEMO.acts if a.start_s > long.start_s)
    assert after.start_s - long.start_s - long.length_s >= 1.4


@pytest.mark.parametrize("story", [DEMO, SECOND])
def test_hands_do_one_thing_at_a_time(story: Story) -> None:
    for first, second in zip(story.acts, story.acts[1:], strict=False):
        assert second.start_s >= first.start_s + first.length_s - 1e-9
    last = story.acts[-1]
    assert story.seconds - last.start_s - last.length_s >= 2


def test_stair_rises_are_walkable_steps() -> None:
    heights = [0.0, *(t.height_mm for t in DEMO.terrain if t.stairs), 38.4]
    assert all(0 < b - a <= 9.6 + 1e-9 for a, b in pairwise(heights))


def test_a_figure_never_jumps_between_frames() -> None:
    for before, after in pairwise(FRAMES):
        for a, b in zip(before.figures, after.figures, strict=True):
            if "absent" in (a.state, b.state):
                continue
            assert math.dist(a.matrix[:3, 3], b.matrix[:3, 3]) < 60
