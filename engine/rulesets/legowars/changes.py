"""What an event does to the one unit it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.events import Event
from engine.roster import marked
from engine.rulesets.legowars.marks import broken, new_turn, whole
from engine.spots import at_spot, event_spot, number, spot, word
from engine.state import MarkValue, Unit

UnitChange = Callable[[Unit, Event], Unit]

OPEN: Final = ("open", "open_code", "open_rule", "open_cm", "open_limit", "open_jump")


def closed(unit: Unit) -> Unit:
    """Without an open flag or question."""
    return marked(at_spot(unit, None, "open"), **dict.fromkeys(OPEN))


def _opened(kind: str) -> UnitChange:
    def change(unit: Unit, event: Event) -> Unit:
        place = event_spot(event)
        if place is None:
            return unit
        return marked(
            at_spot(closed(unit), place, "open"),
            open=kind,
            open_code=event.text("code") or None,
            open_rule=event.rule,
            open_cm=event.number("moved_cm"),
            open_limit=event.number("limit_cm"),
            open_jump=event.value("jump") is True or None,
        )

    return change


def _placed(unit: Unit, event: Event) -> Unit:
    return at_spot(closed(unit), event_spot(event) or spot(unit, "open") or spot(unit))


def _moved(unit: Unit, event: Event) -> Unit:
    """It stands somewhere else; what it spent is counted from where its move began."""
    moved = event.number("moved_cm")
    walked = True if event.kind == "moved" and moved > 0.0 else unit.mark("walked")
    return marked(_placed(unit, event), moved=moved, walked=walked, placing=None)


def _accepted(unit: Unit, event: Event) -> Unit:
    moved = max(number(unit, "open_cm"), number(unit, "moved"))
    return marked(_placed(unit, event), moved=moved or None)


def _out(why: str) -> UnitChange:
    """It takes no part any more, and why (LW-STAT-09)."""

    def change(unit: Unit, event: Event) -> Unit:
        free: dict[str, MarkValue] = dict.fromkeys(
            ("mount", "steers", "team", "ladder", "ladder_from", "flee_x", "flee_y", "doomed")
        )
        free |= dict.fromkeys(("down", "missing", "missing_asked"))
        return replace(marked(closed(unit), gone=why, **free), alive=False)

    return change


def _gear(unit: Unit, event: Event) -> Unit:
    return replace(unit, equipment=event.words("equipment"))


def _stat(unit: Unit, event: Event) -> Unit:
    return marked(unit, **{event.text("name"): int(event.number("value"))})


def _mounted(unit: Unit, event: Event) -> Unit:
    spent = number(unit, "spent_move") + event.number("cost_cm")
    return marked(unit, mount=event.target_id, spent_move=spent, mounted_now=True, steers=None)


def _dismounted(unit: Unit, event: Event) -> Unit:
    spent = number(unit, "spent_move") + event.number("cost_cm")
    unit = marked(unit, mount=None, spent_move=spent or None, mounted_now=None)
    here = event_spot(event)
    return at_spot(at_spot(unit, here), here, "start") if here is not None else unit


def _climbs(unit: Unit, event: Event) -> Unit:
    return marked(
        closed(unit),
        ladder=event.text("ladder_id"),
        ladder_from=event.text("from"),
        acted=None,
    )


def _climbed(unit: Unit, event: Event) -> Unit:
    """It stands at the other end and is put there by hand (LW-LADD-10)."""
    unit = marked(
        _placed(at_spot(unit, spot(unit), "hang"), event),
        ladder=None,
        ladder_from=None,
        arrived=event.value("whole_move") is True or None,
        placing=True,
    )
    return at_spot(unit, event_spot(event), "start")


def _fell(unit: Unit, event: Event) -> Unit:
    """It lives and lies at the foot for this turn (LW-LADD-07, LW-LADD-08)."""
    unit = at_spot(unit, spot(unit), "hang")
    unit = marked(unit, ladder=None, ladder_from=None, fell=True, placing=True, jumping=None)
    return _placed(unit, event) if event.value("x_mm") is not None else unit


def _set_beside(unit: Unit, event: Event) -> Unit:
    unit = marked(at_spot(unit, spot(unit), "hang"), ladder=None, ladder_from=None)
    return marked(_placed(unit, event), placing=True)


def _struck(unit: Unit, event: Event) -> Unit:
    used = ";".join([*word(unit, "used").split(";"), event.text("thing")]).strip(";")
    return marked(unit, acted="attack", struck=whole(unit, "struck") + 1, used=used)


def _broke(unit: Unit, event: Event) -> Unit:
    """A broken weapon leaves the hand, or stays in it as useless (LW-HAND-11, LW-DMG-06)."""
    if event.value("stays") is True:
        return marked(unit, broken=";".join([*broken(unit), event.text("thing")]))
    return _gear(unit, event)


def _handled(unit: Unit, event: Event) -> Unit:
    unit = marked(_gear(unit, event), acted="item", handled=whole(unit, "handled") + 1)
    if event.value("revives") is True:
        unit = marked(unit, spent=None)
    left = [item for item in broken(unit) if item in unit.equipment]
    return marked(unit, broken=";".join(left) or None)


def _frightened(unit: Unit, event: Event) -> Unit:
    return marked(unit, flee_x=event.number("from_x"), flee_y=event.number("from_y"))


UNIT_CHANGES: Final[dict[str, UnitChange]] = {
    "flagged": _opened("flag"),
    "asked_place": _opened("ask"),
    "placed": _placed,
    "accepted": _accepted,
    "shifted": lambda unit, event: marked(_placed(unit, event), placing=None),
    "carried": _moved,
    "moved": _moved,
    "hauled": _moved,
    "put_back": lambda unit, event: closed(unit),
    "gear": _gear,
    "stat": _stat,
    "lance_agreed": lambda unit, event: marked(unit, lance_ok=True),
    "steers": lambda unit, event: marked(unit, steers=event.target_id),
    "lets_go": lambda unit, event: marked(unit, steers=None),
    "mounted": _mounted,
    "dismounted": _dismounted,
    "harnessed": lambda unit, event: marked(unit, team=event.target_id),
    "unharnessed": lambda unit, event: marked(unit, team=None),
    "climbs": _climbs,
    "climbed": _climbed,
    "fell_alive": _fell,
    "jumps": lambda unit, event: marked(_moved(unit, event), jumping=True),
    "set_beside": _set_beside,
    "struck": _struck,
    "horse_struck": lambda unit, event: marked(unit, horse_struck=True),
    "crewed": lambda unit, event: marked(unit, acted="crew", struck=whole(unit, "struck") + 1),
    "fired": lambda unit, event: marked(unit, fired=int(event.number("turn"))),
    "shot_spent": lambda unit, event: marked(unit, spent=whole(unit, "spent") + 1),
    "broke": _broke,
    "threw": _gear,
    "looted": _gear,
    "picked_up": _handled,
    "dropped": _handled,
    "worked": lambda unit, event: marked(unit, acted="door"),
    "frightened": _frightened,
    "fled": lambda unit, event: marked(_moved(unit, event), flee_x=None, flee_y=None),
    "calmed": lambda unit, event: marked(unit, flee_x=None, flee_y=None),
    "body_moved": _placed,
    "doomed": lambda unit, event: marked(unit, doomed=True),
    "killed": _out("dead"),
    "left": _out("left"),
    "destroyed": _out("destroyed"),
    "structure_lost": lambda unit, event: marked(unit, structure=int(event.number("left"))),
    "rested": lambda unit, event: new_turn(unit),
    "fell_over": lambda unit, event: marked(unit, down=True),
    "stood_up": lambda unit, event: marked(unit, down=None),
    "missing": lambda unit, event: marked(
        unit, missing=event.number("t_s"), missing_asked=event.value("ask") is True or None
    ),
    "found": lambda unit, event: marked(unit, missing=None, missing_asked=None),
    "laid": lambda unit, event: marked(unit, laid=True),
}
"""By kind of event; those of the whole game are elsewhere."""


def gone_with(side: str, unit: Unit, event: Event) -> Unit:
    """A unit of a side that gave up (LW-WIN-04); buildings stay as terrain."""
    return _out("conceded")(unit, event) if unit.side == side else unit
