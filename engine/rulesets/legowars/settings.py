"""The options of a game as typed values: the only place where they are checked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.rulesets.agreement import Agreement
from engine.rulesets.legowars.data import data
from engine.units import MM_PER_CM


@dataclass(frozen=True, slots=True)
class Settings:
    """The points of the rules the players may settle, as settled for this game.

    Every field is the option of that name; what it may be is told in the data file.
    """

    man_movement_cm: int
    unarmed_damage: int
    dot_cm: float
    melee_reach_cm: float
    distance_mode: str
    vertical_mode: str
    range_gap: str
    full_block: str
    full_block_min_hidden: float
    cover_min_hidden: float
    mount_gives_cover: bool
    figures_give_cover: bool
    bodies_give_cover: bool
    nat10_vs_structure: str
    nat1_beats_armor_total: bool
    ranged_nat1_breaks: str
    lance_cost: int
    spear_priced_once: bool
    shield_uses_hand: bool
    torso_armor: str
    max_shields: int
    armor_recognition: str
    initiative_tie: str
    extra_sides_move: str
    attack_resolution: str
    obstacle_free_below_bricks: float
    charge_descent: bool
    obstacle_height_tol_bricks: float
    ladder_arrival: str
    ladder_approach_same_turn: bool
    ladder_contact_cm: float
    ladder_capacity: int
    ladder_hit_order: str
    ladder_fall_trigger: str
    fall_rule: str
    thrown_lands: str
    spent_bow: str
    item_actions_per_turn: int
    pickup_reach_cm: float
    loot_dead: bool
    broken_item: str
    horse_attack: str
    flee_distance: str
    flee_at_edge: str
    hitched_flee: str
    riderless_move: str
    mount_cost_cm: float
    ride_same_turn: bool
    horse_death_fall_roll: bool
    mounted_target: str
    men_per_horse: int
    vehicle_missing_factor: float
    surplus_pullers_slow: bool
    odd_wheels: str
    vehicle_occupants: str
    building_armor_price_from: int
    building_base_armor: int
    building_base_structure: int
    building_structure_price_from: int
    small_plate_example: str
    multi_plate_features: str
    level_rounding: str
    door_step: str
    door_reach_cm: float
    enemy_may_open_doors: bool
    wire_cutting: str
    building_occupants: str
    heavy_crew: int
    heavy_reload_turns: int
    catapult_indirect: bool
    ram_carriers: int
    ram_vs_building_number: str
    attack_dead: str
    deployment: str
    army_points: int | None
    side_alive_by: str
    use_facing: bool
    pass_friends: bool
    bodies_are_obstacles: bool
    night_view_cm: float | None
    bow_as_club: bool
    two_weapons_two_attacks: bool
    typed_zero_is_ten: bool
    hit_clamp: str
    building_price_scale: float
    round_speed_mm: int
    boats: str
    firing_port: str
    other_mounts: str
    vehicle_max_obstacle_bricks: float
    shooter_to_hit_stat: str
    fall_auto_rolls: str
    move_path: str
    leave_table: str
    stairs_cost: str
    ladder_cost: int
    measure_tol_mm: int
    boundary_policy: str
    height_snap: str
    jump_down: str
    obstacle_height_from: str
    doors_at_start: str
    conceded_units: str

    @property
    def reach_mm(self) -> float:
        """Widest gap in melee (LW-MEL-02)."""
        return self.melee_reach_cm * MM_PER_CM

    @property
    def door_reach_mm(self) -> float:
        """Widest gap to a door, winch or wire (LW-BLDG-09, LW-SIEGE-08)."""
        return self.door_reach_cm * MM_PER_CM

    @property
    def pickup_mm(self) -> float:
        """Widest gap to a thing picked up (LW-HAND-07)."""
        return self.pickup_reach_cm * MM_PER_CM

    @property
    def ladder_mm(self) -> float:
        """Widest gap to the end of a ladder (LW-LADD-03)."""
        return self.ladder_contact_cm * MM_PER_CM


_AGREEMENT: Final = Agreement(lambda: data().options, Settings, None)

pairs, settings = _AGREEMENT.pairs, _AGREEMENT.settings
settings_of = _AGREEMENT.settings_of
