"""What becomes of those that are beaten: men, elephants and their riders, chariots."""

from __future__ import annotations

from engine.events import Event, Value, results
from engine.rulesets.playmobil.marks import aboard, crew_of, kind_of, type_of, wild
from engine.rulesets.playmobil.settings import Settings
from engine.rulesets.playmobil.turns import end_if_beaten, over
from engine.spots import other_side, spot
from engine.state import Unit
from engine.tale import Tale


def falls(tale: Tale, settings: Settings, unit: Unit, rule: str, by: Unit) -> None:
    """A man dies, an elephant or chariot goes down (PM-DICE-04, PM-CHAR-10)."""
    kind = kind_of(unit)
    what = "killed" if kind in ("foot", "horse", "elephant") else "destroyed"
    rule = {"elephant": "PM-ELE-18", "chariot": "PM-CHAR-10"}.get(kind, rule)
    tale.tell(Event(what, rule, unit.side, unit.figure_id, by.figure_id))
    if kind in ("elephant", "chariot"):
        survivors(tale, unit)
    carrier = tale.state.unit(aboard(unit))
    if carrier is not None and carrier.alive and not crew_of(tale.state, carrier):
        _left_alone(tale, carrier)
    own = type_of(unit)
    general = own is not None and own.name.startswith("general")
    if general and settings.general_death == "lose_game":
        over(tale, other_side(tale.state, unit.side), "PM-GENL-04")
        return
    end_if_beaten(tale)


def survivors(tale: Tale, unit: Unit) -> None:
    """Riders and charioteers go on as infantry at the spot (PM-ELE-10, 15, PM-CHAR-11)."""
    here = spot(unit)
    rule = "PM-ELE-15" if kind_of(unit) == "elephant" else "PM-CHAR-11"
    for man in crew_of(tale.state, unit):
        values: dict[str, Value] = {
            "unit.aboard": "",
            "unit.beside": unit.figure_id,
            "unit.wait": "",
            "unit.wait_turn": "",
        }
        tale.note("on_foot", rule, man, values)
        if here is not None:
            tale.at("shifted", rule, tale.now(man), here)


def _left_alone(tale: Tale, carrier: Unit) -> None:
    """The last rider of an elephant or the driver of a chariot is dead (PM-ELE-02, PM-ELE-21)."""
    if kind_of(carrier) == "elephant" and not wild(carrier):
        tale.note("went_wild", "PM-ELE-02", carrier,
                  {"unit.wild": True, "unit.type": "riderless_elephant"})  # fmt: skip
    else:
        tale.tell(Event("driverless", "PM-CHAR-07", carrier.side, carrier.figure_id,
                        values=results()))  # fmt: skip
