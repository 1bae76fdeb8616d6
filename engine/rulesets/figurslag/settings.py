"""The options of a game as typed values: the only place where they are checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from engine.choices import not_allowed
from engine.errors import Refused
from engine.rulesets.agreement import Pairs, agreed, checked
from engine.rulesets.figurslag.data import data
from engine.state import OptionValue
from engine.units import MM_PER_CM


@dataclass(frozen=True, slots=True)
class Settings:
    """Every point of the rules the players may settle, as settled for this game.

    The fields are the keys of the data file, which says what each choice does.
    """

    extra_rules: str
    segment_cm: float
    die_sides: int
    team_count: int
    stick_length: str
    deploy_measure: str
    first_player: str
    turn_order: str
    phase_first: str
    move_path: str
    step_mm: float
    pass_models: str
    leave_table: str
    still_tol_mm: float
    turning_is_still: bool
    stairs_both_ways: bool
    stairs_fh_limit: bool
    figure_height_mm: float
    climb_count_by: str
    climb_sum: str
    climb_pause: bool
    climb_distance: str
    bonus_shot_weapon: str
    weapon_classes: str
    split_fire: str
    melee: str
    los_half: str
    los_silhouette: str
    los_tol: float
    models_block: str
    dead_models: str
    turn_limit: int | None
    distance_mode: str
    vertical_mode: str
    dodge_optional: bool
    declare_noshoot: str
    non_standard_team: str
    use_facing: bool
    measure_tol_mm: float
    boundary_policy: str
    scale_factor: float
    jump_down: str
    base_rotation: str
    height_snap: str
    conceded_models: str

    @property
    def segment_mm(self) -> float:
        """One segment on the table in this game, stretched where agreed (FS-GEN-02)."""
        return self.segment_cm * MM_PER_CM * self.scale_factor

    @property
    def stick_mm(self) -> float:
        """The whole stick, stretched like its segments."""
        return data().stick_mm * self.scale_factor

    def pairs(self) -> Pairs:
        """Name and value of every option, sorted by name, as a game state keeps them."""
        return tuple(sorted((field.name, getattr(self, field.name)) for field in fields(self)))


def settings(chosen: Mapping[str, OptionValue] | None = None) -> Settings:
    """The settings of a game: the defaults, and what the players chose instead.

    Raises:
        Refused: A key is unknown or its value is not allowed.
    """
    values = dict(agreed(data().options, chosen or {}, "FS-GEN-01"))
    return Settings(**values)  # type: ignore[arg-type]  # the data file's keys and types are tested


def parse(key: str, text: str) -> OptionValue:
    """An option as typed, for example on the command line, as the value it stands for.

    Raises:
        Refused: The key is unknown or the text stands for no allowed value.
    """
    rule = data().options.get(key)
    if rule is None:
        raise Refused(f"{key} is no option of this game")
    word = text.strip()
    for choice in rule.option.choices:
        if word.lower() == str(choice).lower():
            return choice
    if rule.nullable and word.lower() in {"", "none", "null"}:
        return None
    try:
        number = float(word)
    except ValueError:
        raise not_allowed(rule.option, text, nullable=rule.nullable) from None
    return checked(rule, int(number) if number.is_integer() else number)
