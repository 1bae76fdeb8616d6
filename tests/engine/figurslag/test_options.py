"""Every option of the rules changes what happens at the table."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from engine.errors import Refused
from engine.rulesets import by_id
from engine.table import Base, BaseShape
from tests.engine.tables import Game, began, box, facing_off, stairs, teams

INFO = by_id("figurslag").info


def outcome(game: Game, name: str = "r1") -> str:
    """The flag or mode of a model after its move."""
    return str(game.unit(name).mark("open_rule") or game.unit(name).mark("mode"))


def on_hill(options: dict[str, object], y: float, height: float, **hill: object) -> str:
    game = began(options)
    game.terrain = (box("h", 0, 40, 600, 200, height, standable=True, **hill),)  # type: ignore[arg-type]
    game.look()
    game.put("r1", (100, y), level=height)
    return outcome(game)


def walked(options: dict[str, object], to: tuple[float, float], **kw: object) -> str:
    game = began(options)
    game.put("r1", to, **kw)
    return outcome(game)


def over_wall(options: dict[str, object]) -> str:
    game = began(options)
    game.terrain = (box("w", 0, 40, 600, 46, 38.4, standable=True),)
    game.look()
    game.put("r1", (100, 64))
    return outcome(game)


def by_stairs(options: dict[str, object], up: bool = True, height: float = 96.0) -> str:
    hill = box("h", 0, 60, 600, 160, height, standable=True, marks=(stairs(80, 58, 120, 80),))
    if up:
        game = began(options)
        game.terrain = (hill,)
        game.look()
        game.put("r1", (100, 100), level=height)
        return outcome(game)
    game = facing_off(options, red={"r1": (100, 100)}, terrain=(hill,))
    game.do("undo")
    game.put("r1", (100, 100), level=height)
    game.do("accept", figure_id="r1") if game.unit("r1").mark("open") else None
    game.do("first", value="red")
    game.put("r1", (100, 30), level=0.0)
    return outcome(game)


def aimed(options: dict[str, object], y: float = 256.0, **figure: object) -> str:
    game = facing_off(options, red={"r1": (300, 140)}, blue={"b1": (300, y)})
    if figure:
        game.figures["b1"] = replace(game.figures["b1"], **figure)  # type: ignore[arg-type]
        game.look()
    game.do("done")
    target = game.target("r1", "b1")
    return f"{'yes' if target.allowed else 'no'} {target.rule}"


def turned(options: dict[str, object]) -> str:
    corner = Base(BaseShape.SQUARE, 16.0, 45.0, 3.2)
    game = facing_off(options, red={"r1": (300, 140)}, blue={"b1": (300, 260)})
    for name in ("r1", "b1"):
        game.figures[name] = replace(game.figures[name], base=corner)
    game.look()
    game.do("done")
    return game.target("r1", "b1").text


def silhouette(options: dict[str, object]) -> float:
    wall = box("w", 0, 228, 600, 230, 9.6)
    game = facing_off(options, red={"r1": (300, 140)}, blue={"b1": (300, 240)}, terrain=(wall,))
    game.do("done")
    lines = game.do("shoot", figure_id="r1", target_id="b1", dice=(1,))
    return round(lines[0].event.number("seen"), 2)


STRICT = {"boundary_policy": "strict_reading"}
CASES: list[tuple[str, object, Callable[[dict[str, object]], object], object]] = [
    ("segment_cm", 5.0, lambda o: walked({**o, **STRICT}, (100, 110)), "normal"),
    ("segment_cm", 4.0, lambda o: walked({**o, **STRICT}, (100, 110)), "far"),
    ("stick_length", "segment", lambda o: on_hill(o, 60, 38.4), "climb"),
    ("stick_length", "whole_stick", lambda o: on_hill(o, 60, 38.4), "FS-FLAG-05"),
    ("stick_length", "whole_stick", lambda o: on_hill(o, 80, 19.2), "climb_noshoot"),
    ("stick_length", "once_per_turn", lambda o: on_hill(o, 60, 48.0), "FS-FLAG-05"),
    ("step_mm", 12, lambda o: on_hill(o, 110, 9.6), "normal"),
    ("step_mm", 9, lambda o: on_hill(o, 110, 9.6), "climb_noshoot"),
    ("step_mm", 40, lambda o: on_hill(o, 110, 38.4), "normal"),
    ("still_tol_mm", 5, lambda o: walked(o, (107, 20)), "normal"),
    ("still_tol_mm", 10, lambda o: walked(o, (107, 20)), "still"),
    ("still_tol_mm", 0, lambda o: walked(o, (103, 20)), "normal"),
    ("stairs_both_ways", True, by_stairs, "normal"),
    ("stairs_both_ways", False, by_stairs, "FS-FLAG-05"),
    ("stairs_both_ways", False, lambda o: by_stairs(o, up=False), "normal"),
    ("stairs_fh_limit", False, lambda o: by_stairs(o, height=67.2), "normal"),
    ("stairs_fh_limit", True, lambda o: by_stairs(o, height=67.2), "far"),
    ("stairs_fh_limit", True, by_stairs, "FS-FLAG-05"),
    ("figure_height_mm", 40, lambda o: on_hill(o, 60, 48.0), "climb_noshoot"),
    ("figure_height_mm", 75, lambda o: on_hill(o, 60, 48.0), "climb"),
    ("climb_count_by", "allowed_distance", lambda o: on_hill(o, 55, 38.4), "climb"),
    ("climb_count_by", "moved_distance", lambda o: on_hill(o, 55, 38.4), "FS-FLAG-05"),
    ("climb_sum", "up_plus_down", over_wall, "climb_noshoot"),
    ("climb_sum", "each_separately", over_wall, "climb"),
    ("climb_distance", "horizontal", lambda o: on_hill(o, 60, 38.4), "climb"),
    ("climb_distance", "slant_3d", lambda o: on_hill(o, 60, 38.4), "climb_noshoot"),
    ("distance_mode", "edge", aimed, "yes FS-FLAG-19"),
    ("distance_mode", "centre", aimed, "no FS-FLAG-06"),
    ("distance_mode", "any_part_of_model", lambda o: aimed(o, 262), "yes FS-FLAG-19"),
    ("boundary_policy", "ask", aimed, "yes FS-FLAG-19"),
    ("boundary_policy", "strict_reading", aimed, "yes FS-SHOOT-04"),
    ("boundary_policy", "strict_reading", lambda o: aimed(o, 258), "no FS-FLAG-06"),
    ("boundary_policy", "favour_actor", lambda o: aimed(o, 258), "yes FS-SHOOT-04"),
    ("measure_tol_mm", 3, lambda o: aimed(o, 258), "yes FS-FLAG-19"),
    ("measure_tol_mm", 0, lambda o: aimed(o, 259), "no FS-FLAG-06"),
    ("measure_tol_mm", 10, lambda o: aimed(o, 264), "yes FS-FLAG-19"),
    ("scale_factor", 1.0, lambda o: aimed(o, 300), "no FS-FLAG-06"),
    ("scale_factor", 1.9, lambda o: aimed(o, 300), "yes FS-SHOOT-04"),
    ("base_rotation", "measured", turned, "9.7 cm against 10 cm, too close to call"),
    ("base_rotation", "inscribed_circle", turned, "Blue 1 is 10.4 cm away, 0.4 cm too far"),
    ("los_silhouette", "body_without_base", silhouette, 0.92),
    ("los_silhouette", "with_base", silhouette, 0.87),
]
"""Key, value, what is done, what comes of it."""

ELSEWHERE = {
    "extra_rules": "one choice",
    "die_sides": "one choice",
    "melee": "one choice",
    "team_count": "test_setting_up",
    "deploy_measure": "test_setting_up",
    "first_player": "test_setting_up",
    "weapon_classes": "test_setting_up",
    "non_standard_team": "test_setting_up",
    "turn_order": "test_turns",
    "phase_first": "test_turns",
    "turn_limit": "test_turns",
    "conceded_models": "test_turns",
    "move_path": "test_moves",
    "pass_models": "test_moves",
    "leave_table": "test_moves",
    "turning_is_still": "test_moves",
    "climb_pause": "test_moves",
    "jump_down": "test_moves",
    "declare_noshoot": "test_moves",
    "height_snap": "test_moves",
    "bonus_shot_weapon": "test_shots",
    "split_fire": "test_shots",
    "los_half": "test_shots",
    "los_tol": "test_shots",
    "models_block": "test_shots",
    "dead_models": "test_shots",
    "vertical_mode": "test_shots",
    "dodge_optional": "test_shots",
    "use_facing": "test_shots",
}


@pytest.mark.parametrize(
    ("key", "value", "done", "expected"),
    [pytest.param(*case, id=f"{case[0]}-{case[1]}-{i}") for i, case in enumerate(CASES)],
)
def test_option(key, value, done, expected):
    # FS-CLIMB-06, FS-CLIMB-08
    assert done({key: value}) == expected


def test_every_option_is_tried():
    tried = {case[0] for case in CASES} | set(ELSEWHERE)
    assert tried == {option.key for option in INFO.options}
    for option in INFO.options:
        if option.key not in ELSEWHERE and option.choices:
            assert {case[1] for case in CASES if case[0] == option.key} == set(option.choices)


@pytest.mark.parametrize("value", ["2.5", "0", "many"])
def test_turn_limit_is_a_whole_number(value):
    game = Game(ruleset="")
    with pytest.raises(Refused):
        game.do("new_game", value="figurslag", items=(f"turn_limit={value}",))


@pytest.mark.parametrize("order", ["player_by_player", "phase_by_phase", "phase_simultaneous"])
@pytest.mark.parametrize("split", ["sequential", "declare_first", "one_target"])
@pytest.mark.parametrize("dodge", [False, True])
def test_options_that_meet_in_a_shot_work_together(order, split, dodge):
    options = {"turn_order": order, "split_fire": split, "dodge_optional": dodge}
    game = facing_off(options, red={"r1": (300, 150)}, blue={"b1": (300, 240), "b2": (320, 232)})
    while game.state.phase == "MOVE":
        game.do("done")
    for target in ("b1", "b1", "b2"):
        if game.state.phase not in ("SHOOT", "SHOT_DECLARE"):
            break
        with suppress(Refused):  # lost shots, or a target struck before
            game.do("shoot", figure_id="r1", target_id=target, dice=(6, 1))
        while game.state.phase in ("HIT", "DODGE"):
            if game.state.phase == "HIT":
                game.do("roll", dice=(6, 1))
            elif dodge:
                game.do("decline")
    struck = [
        name for name in ("b1", "b2") if not game.unit(name).alive or game.unit(name).mark("struck")
    ]
    assert struck == {"one_target": ["b1"]}.get(split, ["b1", "b2"])
    assert game.unit("b1").alive is (order == "phase_simultaneous")


def test_teams_of_six_sit_round_the_table():
    game = Game({"team_count": 6})
    assert game.state.sides == ("red", "blue", "green", "yellow", "white", "black")
    edges = [o.text for o in game.referee.options() if o.kind == "edge"]
    assert edges[:4] == [
        "Red's edge: south", "Blue's edge: north", "Green's edge: west", "Yellow's edge: east",
    ]  # fmt: skip
    four = Game({"team_count": 4})
    teams(four, count=1)
    four.do("first", value="yellow")
    assert four.state.active_side == "yellow"
