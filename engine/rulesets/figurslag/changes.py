"""What an event does to the one model it is about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from engine.events import Event
from engine.roster import marked
from engine.rulesets.figurslag.marks import STILL, at_spot, number, spot
from engine.spots import event_spot
from engine.state import Unit

UnitChange = Callable[[Unit, Event], Unit]


def closed(unit: Unit) -> Unit:
    """Without an open flag or question."""
    unit = at_spot(unit, None, "open")
    return marked(
        unit,
        open=None,
        open_rule=None,
        open_what=None,
        open_moved=None,
        open_climbed=None,
        open_lo=None,
        open_hi=None,
        open_limit=None,
        open_flag=None,
    )


def _opened(unit: Unit, event: Event, kind: str) -> Unit:
    place = event_spot(event)
    if place is None:
        return unit
    unit = at_spot(closed(unit), place, "open")
    return marked(
        unit,
        open=kind,
        open_rule=event.rule,
        open_what=event.text("what") or None,
        open_moved=event.number("moved_mm"),
        open_climbed=event.number("climbed_mm"),
        open_lo=event.text("lo") or None,
        open_hi=event.text("hi") or None,
        open_limit=event.number("limit_mm"),
        open_flag=event.text("flag") or None,
    )


def _flagged(unit: Unit, event: Event) -> Unit:
    return _opened(unit, event, "flag")


def _asked(unit: Unit, event: Event) -> Unit:
    return _opened(unit, event, "ask")


def _placed(unit: Unit, event: Event) -> Unit:
    return at_spot(closed(unit), event_spot(event))


def moved(unit: Unit, event: Event) -> Unit:
    """It stands somewhere else, and what that move counts as."""
    unit = _placed(unit, event)
    return marked(
        unit,
        mode=event.text("mode"),
        moved=event.number("moved_mm"),
        climbed=event.number("climbed_mm"),
        out=max(number(unit, "out"), event.number("out_mm")),
    )


def _accepted(unit: Unit, event: Event) -> Unit:
    place = event_spot(event) or spot(unit, "open")
    unit = at_spot(closed(unit), place)
    if event.text("mode"):
        unit = marked(
            unit,
            mode=event.text("mode"),
            moved=event.number("moved_mm"),
            climbed=event.number("climbed_mm"),
            out=event.number("moved_mm"),
        )
    return unit


def _bumped(unit: Unit, event: Event) -> Unit:
    unit = at_spot(unit, spot(unit), "start")
    return marked(unit, mode=STILL, moved=0.0, climbed=0.0, out=0.0)


def _shifted(unit: Unit, event: Event) -> Unit:
    unit = _placed(unit, event)
    return at_spot(unit, event_spot(event), "start") if event.value("start") is True else unit


def _reported(unit: Unit, event: Event) -> Unit:
    return marked(
        unit,
        mode=event.text("mode"),
        moved=event.number("moved_mm"),
        out=max(number(unit, "out"), event.number("moved_mm")),
    )


def _stood_up(unit: Unit, event: Event) -> Unit:
    return marked(unit, down=None)


def out(unit: Unit, why: str) -> Unit:
    """It takes no part any more, and why: dead, left or conceded."""
    return replace(marked(closed(unit), gone=why, struck=None, down=None), alive=False)


def died(unit: Unit, event: Event) -> Unit:
    """It is struck down (FS-TURN-04)."""
    return replace(out(unit, "dead"), wounds=1)


UNIT_CHANGES: Final[dict[str, UnitChange]] = {
    "flagged": _flagged,
    "asked_place": _asked,
    "placed": _placed,
    "accepted": _accepted,
    "put_back": lambda unit, event: closed(unit),
    "bumped": _bumped,
    "shifted": _shifted,
    "reported": _reported,
    "fell": lambda unit, event: marked(unit, down=True),
    "stood_up": _stood_up,
    "laid": lambda unit, event: marked(unit, laid=True),
    "rose": lambda unit, event: marked(unit, laid=None),
    "left_table": lambda unit, event: out(unit, "left"),
    "noshoot": lambda unit, event: marked(unit, noshoot=event.value("on") is True or None),
    "base_missing": lambda unit, event: marked(unit, no_base=True),
}
