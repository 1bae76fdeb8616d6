"""Artillery, walls and rams: shots that the players report, hits that add up."""

from __future__ import annotations

from engine.actions import Action
from engine.errors import Refused
from engine.events import Event, Value, results
from engine.roster import state_mark
from engine.rulesets import limits
from engine.rulesets.playmobil.data import data
from engine.rulesets.playmobil.falling import falls, survivors
from engine.rulesets.playmobil.field import (
    crew_beside,
    on_table,
    struck_at,
    terrain_of,
    wall_gap,
)
from engine.rulesets.playmobil.marks import Phase, count, game_count, has, kind_of, type_of
from engine.rulesets.playmobil.measures import lengths, reckoning, views
from engine.rulesets.playmobil.mounting import foot_type, may_take_spear, unshielded_type
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.turns import actor, aim_marks, end_if_beaten, leave_horse
from engine.spots import living, spot, text_mark, word
from engine.state import GameState, Unit
from engine.table import TableState, Terrain
from engine.tale import Tale


def gun_fault(
    state: GameState, settings: Settings, table: TableState, unit: Unit
) -> tuple[str, str] | None:
    """Why a piece cannot be fired now (PM-ART-02, PM-ART-12, PM-ART-14); None when it can."""
    own = type_of(unit)
    if own is None or own.name != "artillery":
        return "PM-ART-02", f"{unit.name} is no artillery piece"
    if has(unit, "fired"):
        return "PM-ART-02", "one shot per piece and turn"
    if has(unit, "moved"):
        return "PM-ART-12", f"{unit.name} was moved this turn"
    friends, enemies = crew_beside(state, table, settings, unit)
    if not friends or enemies:
        words = "an enemy is at it" if enemies else "no man of its side is in contact"
        return "PM-ART-14", f"{unit.name}: {words}"
    return None


def aim_gun_fault(
    state: GameState, settings: Settings, table: TableState, unit: Unit, target: Unit
) -> tuple[str, str] | None:
    """Why artillery fired with dice cannot hit a target (PM-ART-11)."""
    a, b = on_table(state, table, unit), on_table(state, table, target)
    if a is None or b is None:
        return "PM-GEO-18", f"I do not see {target.name} on the table"
    far, limit = (
        lengths.range_mm(a, b, settings),
        settings.feet(data().numbers["artillery.range_ft"]),
    )
    if not limits.fits(far, limit):
        return "PM-ART-11", f"{target.name} is {far:.0f} mm away, {far - limit:.0f} out of range"
    if views.sight(a, b, terrain_of(state, table, settings), settings) is views.Sight.NONE:
        return "PM-ART-11", f"{target.name} cannot be seen"
    return None


def fire(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A piece shoots: a toy that throws, or a die (PM-ART-01, PM-ART-11).

    Raises:
        Refused: It cannot.
    """
    unit = actor(tale.state, action.figure_id)
    fault = gun_fault(tale.state, settings, table, unit)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    if settings.artillery_mode == "physical":
        tale.note("gun_fired", "PM-ART-02", unit, {"unit.fired": True, "game.gun": unit.figure_id})
        tale.tell(Event("phase_began", "PM-ART-01", unit.side,
                        values=results(phase=Phase.ARTILLERY.value)))  # fmt: skip
        return
    target = tale.state.unit(action.target_id or "")
    if target is None or not target.alive:
        raise Refused("at whom?", "PM-ART-11")
    fault = aim_gun_fault(tale.state, settings, table, unit, target)
    if fault is not None:
        raise Refused(fault[1], fault[0])
    tale.upon("gun_aimed", "PM-ART-11", unit, target, {"unit.fired": True,
              "game.gun": unit.figure_id})  # fmt: skip
    tale.tell(Event("phase_began", "PM-ART-11", unit.side, values=results(
        phase=Phase.RESOLVE.value, **aim_marks(unit, target, "artillery", 1, 0))))  # fmt: skip


def fire_resolved(
    tale: Tale,
    settings: Settings,
    table: TableState,
    unit: Unit,
    target: Unit,
    faces: tuple[int, ...],
) -> None:
    """The die of a shot: 4 and up hits (PM-ART-11)."""
    hit = faces[0] >= data().whole("artillery.dice_need")
    tale.upon("gun_rolled", "PM-ART-11", unit, target, {"hit": hit}, faces)
    if hit:
        struck(tale, settings, unit, target, "hit")
    _act_again(tale)


def report(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """The players tell what a shot hit; every figure it touched takes a hit (PM-ART-13).

    Raises:
        Refused: No shot is under way, or that cannot have been hit so.
    """
    state = tale.state
    if state.phase != Phase.ARTILLERY:
        raise Refused("no shot is under way", "PM-ART-01")
    gun = state.unit(text_mark(state, "gun"))
    if gun is None:
        raise Refused("no piece has fired", "PM-ART-01")
    if action.kind == "hit_wall":
        _wall(tale, settings, table, gun, action.value or "", 1, "PM-WALL-01")
        return
    target = state.unit(action.target_id or "")
    if target is None or target not in may_be_hit(state, settings, gun, action.kind):
        raise Refused("that cannot have been hit", "PM-ART-13")
    struck(tale, settings, gun, target, action.kind)
    end_if_beaten(tale)


def report_done(tale: Tale) -> None:
    """Nothing more was hit; the projectile is spent (PM-ART-03).

    Raises:
        Refused: No shot is under way.
    """
    if tale.state.phase != Phase.ARTILLERY:
        raise Refused("no shot is under way", "PM-ART-01")
    _act_again(tale)


def _act_again(tale: Tale) -> None:
    if tale.state.phase == Phase.FINISHED or end_if_beaten(tale):
        return
    tale.tell(Event("phase_began", "PM-ART-02", tale.state.active_side,
                    values=results(phase=Phase.ACT.value)))  # fmt: skip


def may_be_hit(state: GameState, settings: Settings, gun: Unit, what: str) -> list[Unit]:
    """Whom a shot may have hit in that way: ``hit``, ``hit_horse`` or ``hit_shield``."""
    light = piece_of(gun) in data().words["artillery.light"]
    found = []
    for unit in living(state):
        own = type_of(unit)
        if own is None or unit.figure_id == gun.figure_id:
            continue
        engine_off = own.name == "artillery" and not settings.siege_artillery_is_engine
        possible = {
            "hit": not engine_off,
            "hit_horse": own.kind == "horse",
            "hit_shield": own.shield and light,
        }
        if possible[what]:
            found.append(unit)
    return found


def piece_of(gun: Unit) -> str:
    """Kind of an artillery piece."""
    return word(gun, "piece") or next(
        (item for item in gun.equipment if item in data().words["artillery.pieces"]), "catapult"
    )


def struck(tale: Tale, settings: Settings, gun: Unit, target: Unit, what: str) -> None:
    """One hit; armour and facing play no part (PM-ART-04 to PM-ART-10, PM-ART-15)."""
    kind = kind_of(target)
    if what == "hit_shield":
        rule = "PM-ART-05" if (own := type_of(target)) and own.kind == "foot" else "PM-ART-16"
        if own is not None and own.spear:
            rule = "PM-ART-16"
        tale.upon("shield_lost", rule, gun, target, {"target.type": unshielded_type(target)})
        return
    if what == "hit_horse":
        tale.upon("horse_shot", "PM-ART-06", gun, target, {
            "target.type": foot_type(target, spear=may_take_spear(target)),
            "target.wait": "", "target.carried": "",
        })  # fmt: skip
        return
    if kind in ("foot", "horse"):
        falls(tale, settings, target, "PM-ART-04", gun)
        if kind == "horse":  # the other way round than in melee (PM-HORSE-08)
            looks = target.mark("faces")
            faces = float(looks) if isinstance(looks, int | float) else None
            leave_horse(tale, target, f"{target.figure_id}_horse", _place(target), faces)
        return
    _points(tale, settings, gun, target, kind)


def _points(tale: Tale, settings: Settings, gun: Unit, target: Unit, kind: str) -> None:
    """Hits on elephants, chariots and engines add up (PM-ART-07 to PM-ART-10, PM-SIEGE-06)."""
    shot = (
        reckoning.CANNON if piece_of(gun) in data().words["artillery.heavy"] else reckoning.NORMAL
    )
    points = count(target, "artillery_damage") + reckoning.artillery_points(kind, [shot])
    agreed = hits_agreed(target, settings)
    gone = reckoning.artillery_destroys(kind, points, agreed)
    rules = {"elephant": "PM-ART-07", "chariot": "PM-ART-08"}
    rule = (
        "PM-ART-09"
        if shot == reckoning.CANNON and kind in rules
        else rules.get(kind, "PM-SIEGE-06")
    )
    limit = data().numbers.get(f"artillery.stands.{kind}", agreed)
    tale.upon("artillery_hit", rule, gun, target, {
        "points": points, "limit": int(limit), "target.artillery_damage": points,
    })  # fmt: skip
    if not gone:
        return
    what = "killed" if kind == "elephant" else "destroyed"
    tale.tell(Event(what, rule, target.side, target.figure_id, gun.figure_id,
                    values=results(how="shots")))  # fmt: skip
    survivors(tale, target)
    end_if_beaten(tale)


def hits_agreed(unit: Unit, settings: Settings) -> int:
    """Artillery hits agreed for an engine, or those proposed (PM-SIEGE-11, PM-SIEGE-13)."""
    own = type_of(unit)
    if own is None:
        return 1
    usual = settings.siege_artillery_hits if own.name == "artillery" else own.hits
    return count(unit, "hits_agreed") or usual


def _place(unit: Unit) -> dict[str, Value]:
    here = spot(unit)
    return {} if here is None else {"x_mm": here.x, "y_mm": here.y, "z_mm": here.z}


def walls(state: GameState, table: TableState) -> list[Terrain]:
    """Walls for which the players have agreed a number of hits and that still stand."""
    return [
        p for p in table.terrain
        if game_count(state, f"wall_hits_{p.terrain_id}")
        and state_mark(state, f"breach_x_{p.terrain_id}") is None
    ]  # fmt: skip


def _wall(
    tale: Tale,
    settings: Settings,
    table: TableState,
    by: Unit,
    name: str,
    hits: int,
    rule: str,
) -> None:
    """A wall is hit; with enough hits the struck section is open (PM-WALL-03, PM-WALL-05)."""
    piece = next((p for p in walls(tale.state, table) if p.terrain_id == name), None)
    figure = on_table(tale.state, table, by)
    if piece is None or figure is None:
        raise Refused("there is no wall of that name to be broken", "PM-WALL-03")
    done = game_count(tale.state, f"wall_done_{name}") + hits
    limit = game_count(tale.state, f"wall_hits_{name}")
    tale.note("wall_hit", rule, by, {"wall": name, "done": done, "limit": limit,
              f"game.wall_done_{name}": done})  # fmt: skip
    if done >= limit:
        x, y = struck_at(piece, figure.position_mm)
        tale.note("wall_broken", "PM-WALL-05", by, {
            "wall": name, "wall_x": x, "wall_y": y,
            f"game.breach_x_{name}": x, f"game.breach_y_{name}": y,
        })  # fmt: skip


def ram_walls(state: GameState, settings: Settings, table: TableState, unit: Unit) -> list[Terrain]:
    """Walls a ram with a man at it touches (PM-WALL-04)."""
    own, figure = type_of(unit), on_table(state, table, unit)
    if own is None or own.name != "battering_ram" or figure is None or has(unit, "rammed"):
        return []
    friends, enemies = crew_beside(state, table, settings, unit)
    if not friends or enemies:
        return []
    return [p for p in walls(state, table) if wall_gap(figure, p) <= settings.contact_mm]


def ram(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A ram strikes a wall: one hit in each own turn (PM-WALL-04).

    Raises:
        Refused: It touches none, or it has struck.
    """
    unit = actor(tale.state, action.figure_id)
    if has(unit, "rammed"):
        raise Refused("a ram makes one hit in a turn", "PM-WALL-04")
    names = [p.terrain_id for p in ram_walls(tale.state, settings, table, unit)]
    if action.value not in names:
        if kind_of(unit) != "engine":
            raise Refused("walls need artillery or a siege engine", "PM-WALL-01")
        raise Refused("a ram strikes a wall it touches, with a man at it", "PM-WALL-04")
    tale.note("rammed", "PM-WALL-04", unit, {"unit.rammed": True})
    _wall(tale, settings, table, unit, action.value or "", data().whole("walls.ram_hits"),
          "PM-WALL-04")  # fmt: skip
