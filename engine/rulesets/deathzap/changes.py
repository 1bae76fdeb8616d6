"""What an event does to the one fighter it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.events import Event
from engine.roster import marked
from engine.spots import at_spot, event_spot, spot
from engine.state import Unit

UnitChange = Callable[[Unit, Event], Unit]


def closed(unit: Unit) -> Unit:
    """Without an open flag or question."""
    return marked(
        at_spot(unit, None, "open"),
        open=None,
        open_code=None,
        open_rule=None,
        open_move=None,
        open_mm=None,
        open_limit=None,
    )


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
            open_move=event.value("move") is True or None,
            open_mm=event.number("moved_mm"),
            open_limit=event.number("limit_mm"),
        )

    return change


def _placed(unit: Unit, event: Event) -> Unit:
    return at_spot(closed(unit), event_spot(event) or spot(unit, "open") or spot(unit))


def _moved(unit: Unit, event: Event) -> Unit:
    """It stands somewhere else; going on with the last move keeps where that began."""
    if event.value("again") is not True:
        unit = at_spot(unit, spot(unit), "start")
    return _placed(unit, event)


def _out(why: str) -> UnitChange:
    """It takes no part any more, and why (DZ-DMG-10)."""

    def change(unit: Unit, event: Event) -> Unit:
        gone = marked(closed(unit), gone=why, stunned=None, defending=None, down=None, missing=None)
        return replace(gone, alive=False)

    return change


def _might(unit: Unit, event: Event) -> Unit:
    return marked(unit, might=int(event.number("might")))


UNIT_CHANGES: Final[dict[str, UnitChange]] = {
    "might_set": _might,
    "flagged": _opened("flag"),
    "asked_place": _opened("ask"),
    "placed": _placed,
    "accepted": _placed,
    "shifted": _placed,
    "moved": _moved,
    "put_back": lambda unit, event: closed(unit),
    "taken_up": lambda unit, event: at_spot(closed(unit), None),
    "left_out": _out("left_out"),
    "killed": _out("killed"),
    "removed": _out("killed"),
    "activated": lambda unit, event: marked(unit, defending=None),  # DZ-DEF-01, DZ-DEF-04
    "defended": lambda unit, event: marked(unit, defending=True),
    "ended": lambda unit, event: marked(unit, stunned=None),  # DZ-AP-02, DZ-AP-07
    "fell": lambda unit, event: marked(unit, down=True),
    "stood_up": lambda unit, event: marked(unit, down=None),
    "missing": lambda unit, event: marked(
        unit,
        missing=event.number("t_s"),
        missing_asked=event.value("ask") is True or None,
    ),
    "found": lambda unit, event: marked(unit, missing=None, missing_asked=None),
    "laid": lambda unit, event: marked(unit, laid=True),
}
