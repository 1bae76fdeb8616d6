"""SETUP, BUY and DEPLOY: everything before the first turn (LW-GEN, LW-COST, LW-BLDG)."""

from __future__ import annotations

from engine.actions import Action
from engine.common import assigned
from engine.errors import Refused
from engine.events import Event, results
from engine.roster import next_name
from engine.rulesets.judging import check_all_seen, check_joins, check_put_right, unit_called
from engine.rulesets.legowars.buying import army_cost, faults
from engine.rulesets.legowars.data import data
from engine.rulesets.legowars.field import doors, piece_of
from engine.rulesets.legowars.flow import begin_turn, over_if_won
from engine.rulesets.legowars.marks import (
    BEFORE,
    BOAT,
    BUILDING,
    HORSE,
    KINDS,
    MAN,
    MOUNT,
    VEHICLE,
    Phase,
    kind_of,
    living,
    whole,
    words_mark,
)
from engine.rulesets.legowars.measures import doors as openings
from engine.rulesets.legowars.measures import gear, heights
from engine.rulesets.legowars.measures.prices import shown
from engine.rulesets.legowars.settings import Settings
from engine.spots import flagged, side_name
from engine.state import GameState, Unit
from engine.table import TableState
from engine.tale import Tale
from engine.words import piece_names

HORSE_THINGS = ("saddle", "horse_cloth")
VEHICLE_STATS = ("seats", "wheels", "armor", "structure")
BUILDING_STATS = ("studs", "levels", "armor_bought", "structure_bought")
_MOST = 100_000


def join(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A figure is a man, horse, vehicle or heavy weapon of a side (LW-GEN-01, LW-GEN-07).

    Raises:
        Refused: There is no such figure, side or kind, or it belongs to one already.
    """
    _before(tale.state)
    figure_id, side = action.figure_id or "", action.side or ""
    kind = action.value or MAN
    check_joins(tale.state, table, figure_id, side, ("LW-GEN-07", "LW-GEN-01", "LW-GEN-01"))
    if kind not in KINDS:
        raise Refused(f"it is one of {', '.join(KINDS)}", "LW-GEN-07")
    if kind == BOAT and settings.boats == "refuse":
        raise Refused("no rule says what a boat does", "LW-VEH-16")
    items = () if kind == MAN else (kind,)
    tale.tell(assigned(figure_id, side, next_name(tale.state, side), items))


def own_building(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """A piece of terrain is a building of a side (LW-BLDG-06, LW-BLDG-14).

    Raises:
        Refused: There is no such piece or side.
    """
    _before(tale.state)
    piece = piece_of(table, action.terrain_id or action.figure_id or "")
    side = action.value or action.side or ""
    if piece is None:
        raise Refused("a building is a piece of terrain", "LW-BLDG-01")
    if side not in tale.state.sides:
        raise Refused(f"a side is one of {', '.join(tale.state.sides)}", "LW-GEN-01")
    name = f"{side_name(side)}'s {piece_names(table.terrain)[piece.terrain_id]}"
    tale.tell(
        Event(
            "building_joined",
            "LW-BLDG-06",
            side,
            piece.terrain_id,
            values=results(name=name),
        )
    )
    unit = tale.state.unit(piece.terrain_id)
    if unit is None:
        return
    stud_mm = data().number("heights", "stud_cm") * 10.0
    xs = [x for x, _ in piece.footprint_mm]
    ys = [y for _, y in piece.footprint_mm]
    studs = round((max(xs) - min(xs)) / stud_mm) * round((max(ys) - min(ys)) / stud_mm)
    told = {
        "studs": max(1, studs),
        "levels": heights.levels(heights.settled_mm(piece, settings), settings),
        "armor_bought": 0,
        "structure_bought": 0,
    }
    for key, value in told.items():
        tale.about("stat", "LW-BLDG-05", unit, name=key, value=value)
    _rate(tale, settings, unit)


def set_stat(tale: Tale, settings: Settings, action: Action) -> None:
    """Numbers of a vehicle or a building as bought (LW-VEH-13, LW-BLDG-08).

    Raises:
        Refused: That is no number it has.
    """
    unit = _recruit(tale.state, action)
    name = action.value or ""
    known = {VEHICLE: VEHICLE_STATS, BUILDING: BUILDING_STATS}.get(kind_of(unit), ())
    number = action.numbers[0] if len(action.numbers) == 1 else -1.0
    if name not in known:
        raise Refused(f"{unit.name} has no {name!r} to buy", "LW-VEH-13")
    least = 1 if name in ("structure", "studs", "levels") else 0
    if name == "armor":
        least = data().whole("vehicle", "armor")
    if not float(number).is_integer() or not least <= number <= _MOST:
        raise Refused(f"{name.replace('_', ' ')} is a whole number from {least} on", "LW-VEH-13")
    tale.about("stat", "LW-VEH-13", unit, name=name, value=int(number))
    if kind_of(unit) == BUILDING:
        _rate(tale, settings, tale.now(unit))


def _rate(tale: Tale, settings: Settings, unit: Unit) -> None:
    """ARMOR and STRUCTURE of a building with what was bought (LW-BLDG-07)."""
    unit = tale.now(unit)
    armor = openings.starting_armor(whole(unit, "armor_bought"), settings)
    structure = openings.starting_structure(whole(unit, "structure_bought"), settings)
    tale.about("stat", "LW-BLDG-07", unit, name="armor", value=armor)
    tale.about("stat", "LW-BLDG-07", unit, name="structure", value=structure)


def choose_gear(tale: Tale, settings: Settings, action: Action) -> None:
    """A man or horse gets a thing, or gives it back (LW-GEN-06, LW-HAND-01).

    Raises:
        Refused: There is no such thing, or it is not for that one.
    """
    unit = _recruit(tale.state, action)
    item = (action.value or "").removeprefix("-")
    known = HORSE_THINGS if kind_of(unit) == HORSE else gear.things()
    if kind_of(unit) not in (MAN, HORSE) or item not in known:
        raise Refused(f"{unit.name} cannot have {item!r}", "LW-COST-01")
    items = list(unit.equipment)
    if (action.value or "").startswith("-"):
        if item not in items:
            raise Refused(f"{unit.name} has no {item}", "LW-COST-01")
        items.remove(item)
    else:
        items.append(item)
    values = results(equipment=tuple(items), thing=item)
    tale.tell(Event("gear", "LW-COST-01", unit.side, unit.figure_id, values=values))
    tale.tell(Event("gear_told", "LW-ARM-01", values=results(item=unit.figure_id, on=True)))


def agree_lance(tale: Tale, settings: Settings, action: Action) -> None:
    """All agree that a lance on this mount is as good as on a horse (LW-WPN-04, LW-AMB-72).

    Raises:
        Refused: It is no other mount, or only horses count.
    """
    unit = tale.state.unit(action.figure_id or "")
    if unit is None or MOUNT not in unit.equipment or settings.other_mounts == "horse_only":
        raise Refused("a lance is at its best on a horse", "LW-WPN-04")
    tale.about("lance_agreed", "LW-WPN-04", unit)


def set_bridge(tale: Tale, table: TableState, action: Action) -> None:
    """A door is a drawbridge, or none (LW-BLDG-10, LW-BLDG-12)."""
    _before(tale.state)
    door_id = _door(tale.state, table, action)
    on = door_id not in words_mark(tale.state, "bridges")
    values = results(item=door_id, on=on)
    tale.tell(Event("bridge_set", "LW-BLDG-12", values=values))


def set_door(tale: Tale, table: TableState, action: Action) -> None:
    """A door stands open before play, or not (LW-BLDG-14)."""
    _before(tale.state)
    door_id = _door(tale.state, table, action)
    on = door_id not in words_mark(tale.state, "doors_open")
    tale.tell(Event("door_set", "LW-BLDG-14", values=results(item=door_id, on=on)))


def ready(tale: Tale, settings: Settings, table: TableState, action: Action) -> None:
    """On from SETUP to BUY, to DEPLOY and into the first turn.

    Raises:
        Refused: It is no time for it, or something is missing.
    """
    phase = tale.state.phase
    if phase == Phase.SETUP:
        _set_up(tale, settings, table)
    elif phase == Phase.BUY:
        _bought(tale, settings, table, accept=action.value == "accept")
    elif phase == Phase.DEPLOY:
        _deployed(tale, settings, table)
    else:
        raise Refused("nothing waits for you to be ready", "LW-GEN-08")


def _set_up(tale: Tale, settings: Settings, table: TableState) -> None:
    state = tale.state
    told = set(words_mark(state, "heights"))
    for piece in table.terrain:
        snapped = heights.snap(piece.height_mm, settings, lego=piece.lego)
        name = f"{piece.terrain_id}={snapped.mm:.1f}"
        if snapped.ask and piece.kind != "ladder" and name not in told:
            values = results(
                terrain_id=piece.terrain_id,
                name=piece_names(table.terrain)[piece.terrain_id],
                height_mm=piece.height_mm,
                bricks=snapped.bricks,
                item=name,
            )
            tale.tell(Event("height_asked", "LW-GEN-09", values=values))
            return
    for side in state.sides:
        if not any(living(state, side, MAN)):
            raise Refused(f"{side_name(side)} has no men yet: tap a figure", "LW-GEN-01")
    count = sum(1 for piece in table.terrain if piece.kind != "ladder")
    tale.tell(Event("heights_stored", "LW-GEN-09", values=results(count=count)))
    tale.begin(Phase.BUY, None, "LW-GEN-06")


def answer_height(tale: Tale, settings: Settings, table: TableState, yes: bool) -> None:
    """The players confirm a height, or put the terrain right (LW-GEN-09)."""
    name = tale.state.question.question_id.split("/", 1)[1] if tale.state.question else ""
    piece = piece_of(table, name)
    snapped = heights.snap(piece.height_mm if piece else 0.0, settings)
    if piece is not None:
        snapped = heights.snap(piece.height_mm, settings, lego=piece.lego)
    values = results(item=f"{name}={snapped.mm:.1f}", yes=yes)
    tale.tell(Event("height_said", "LW-GEN-09", values=values))
    if yes:
        _set_up(tale, settings, table)


def _bought(tale: Tale, settings: Settings, table: TableState, *, accept: bool) -> None:
    state = tale.state
    told = words_mark(state, "told")
    untold = [u for u in living(state, None, MAN) if u.figure_id not in told and not u.equipment]
    if settings.armor_recognition == "manual" and untold:
        raise Refused(f"tell me what {untold[0].name} wears and holds", "LW-ARM-01")
    wrong = crowded = False
    for side in state.sides:
        points = shown(army_cost(state, settings, table, side))
        for flag, unit in faults(state, settings, table, side):
            wrong, crowded = True, crowded or flag == "LW-FLAG-15"
            figure_id = None if unit is None else unit.figure_id
            values = results(code=flag, points=points)
            tale.tell(
                Event("list_flagged", data().flags[flag].rule, side, figure_id, values=values)
            )
        tale.tell(Event("list_told", "LW-COST-07", side, values=results(points=points)))
    if crowded or (wrong and not accept):  # nobody can agree on a third hand (LW-HAND-01)
        return
    if settings.armor_recognition == "suggest_then_confirm" and not word_is(state, "lists", "ok"):
        tale.tell(Event("lists_asked", "LW-ARM-01"))
        return
    _to_deployment(tale, table)


def word_is(state: GameState, mark: str, value: str) -> bool:
    """Whether a mark of the game has that value."""
    return words_mark(state, mark) == (value,)


def answer_lists(tale: Tale, table: TableState, yes: bool) -> None:
    """The lists are as told, or are changed (LW-ARM-01)."""
    tale.tell(Event("lists_said", "LW-ARM-01", values=results(yes=yes)))
    if yes:
        _to_deployment(tale, table)


def _to_deployment(tale: Tale, table: TableState) -> None:
    if any(u.equipment and "battering_ram" in u.equipment for u in living(tale.state)):
        tale.tell(Event("ram_told", "LW-HVY-05"))
    count = len(doors(tale.state, table))
    tale.begin(Phase.DEPLOY, None, "LW-GEN-08", doors=count)


def _deployed(tale: Tale, settings: Settings, table: TableState) -> None:
    from engine.rulesets.legowars.watching import watch_deployment

    watch_deployment(tale, settings, table)
    wrong = [unit for unit in living(tale.state) if flagged(unit)]
    if wrong and tale.events:
        return
    check_put_right(wrong)
    if tale.state.question is not None:
        return
    unseen = [
        u.name
        for u in living(tale.state, None, MAN)
        if u.mark("at_x") is None and not u.mark("mount")
    ]
    check_all_seen(unseen, "LW-GEN-08")
    as_built = words_mark(tale.state, "doors_open")
    kept = openings.starting_doors(as_built, settings)
    for door_id in as_built:
        if door_id not in kept:
            tale.tell(Event("door_set", "LW-BLDG-14", values=results(item=door_id, on=False)))
    if not over_if_won(tale):
        begin_turn(tale)


def _door(state: GameState, table: TableState, action: Action) -> str:
    found = {door.door_id for door in doors(state, table)}
    door_id = action.value or ""
    if door_id not in found:
        raise Refused("there is no such door", "LW-BLDG-09")
    return door_id


def _recruit(state: GameState, action: Action) -> Unit:
    _before(state)
    return unit_called(state, action.figure_id, "LW-GEN-07")


def _before(state: GameState) -> None:
    if state.phase not in BEFORE:
        raise Refused("that is done before play", "LW-GEN-06")
