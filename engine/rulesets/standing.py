"""What a look at a standing figure tells before its rule system judges anything."""

from __future__ import annotations

from dataclasses import dataclass

from engine.spots import same, spot, spot_of
from engine.state import Unit
from engine.table import Figure
from engine.tale import Tale


@dataclass(frozen=True, slots=True)
class Stillness:
    """What is no move.

    Attributes:
        quiet_mm: So far a figure trembles under the camera.
        place_mm: So near to its old place a figure was put back.
        doubt_mm: The same for a figure with an open flag or question, which is put right by
            little shifts.
        first_rule: Rule item behind seeing it for the first time.
        back_rule: Rule item behind putting it back.
    """

    quiet_mm: float
    place_mm: float
    doubt_mm: float
    first_rule: str
    back_rule: str

    def moved(self, tale: Tale, figure: Figure, unit: Unit) -> bool:
        """Whether a figure stands where it must be judged; what is plain without is told.

        Args:
            tale: Told so far.
            figure: As it is seen now.
            unit: Its unit, alive and standing.
        """
        here, at, opened = spot_of(figure), spot(unit), spot(unit, "open")
        trembles = 2.0 * figure.sigma_mm
        if at is None:  # it had never been seen standing
            tale.at("shifted", self.first_rule, unit, here)
            return False
        if opened is None:
            return not same(here, at, max(self.quiet_mm, trembles))
        if same(here, opened, max(self.doubt_mm, trembles)):
            return False
        if same(here, at, self.place_mm):
            tale.about("put_back", self.back_rule, unit)
            return False
        return True
