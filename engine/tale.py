"""Events told one after another, each seeing the state after the last."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from engine.events import Event, Value, results
from engine.spots import Spot
from engine.state import GameState, Unit


@dataclass(slots=True)
class Tale:
    """What is told about one input.

    Attributes:
        state: The state after the last event told.
        evolve: What an event does to the state, in the game that is played.
        events: Told so far.
    """

    state: GameState
    evolve: Callable[[GameState, Event], GameState]
    events: list[Event] = field(default_factory=list)

    def tell(self, event: Event) -> None:
        """One more event."""
        self.events.append(event)
        self.state = self.evolve(self.state, event)

    def now(self, unit: Unit) -> Unit:
        """The unit as it is after all that was told."""
        return self.state.unit(unit.figure_id) or unit

    def about(self, kind: str, rule: str, unit: Unit, **values: Value) -> None:
        """One more event about a unit."""
        self.tell(Event(kind, rule, unit.side, unit.figure_id, values=results(**values)))

    def note(self, kind: str, rule: str, unit: Unit, values: Mapping[str, Value]) -> None:
        """One more event about a unit, with values that have a dot in their name."""
        self.about(kind, rule, unit, **values)

    def upon(
        self,
        kind: str,
        rule: str,
        unit: Unit,
        target: Unit,
        values: Mapping[str, Value],
        dice: tuple[int, ...] = (),
    ) -> None:
        """One more event of a unit acting on another."""
        told = results(**values)
        self.tell(Event(kind, rule, unit.side, unit.figure_id, target.figure_id, dice, told))

    def at(self, kind: str, rule: str, unit: Unit, here: Spot, **values: Value) -> None:
        """One more event about a unit at a place."""
        self.about(kind, rule, unit, x_mm=here.x, y_mm=here.y, z_mm=here.z, **values)

    def begin(self, phase: StrEnum, side: str | None, rule: str, **values: Value) -> None:
        """A phase begins."""
        told = results(phase=phase.value, **values)
        self.tell(Event("phase_began", rule, side, values=told))
