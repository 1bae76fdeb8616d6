"""One detection put on the table, with what it looks like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calibration.plane import Calibration
from engine.table import FigureState, Terrain
from vision.bodies import body_of
from vision.contact import Contact
from vision.detection import Detection, PointPx
from vision.frames import Image
from vision.stature import named_by_height
from vision.tracking.appearance import Appearance, appearance
from vision.tracking.levels import levels_under


class Ground(Protocol):
    """Finds where a detection touches the table."""

    def __call__(
        self,
        detection: Detection,
        calibration: Calibration | None,
        level_mm: float = 0.0,
        base_height_mm: float = 0.0,
    ) -> Contact:
        """Contact of the figure with the surface at that level."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a detection stands if its surface is at one height.

    Attributes:
        level_mm: Height of the surface.
        contact: What touches it there.
        at: Table mm, or pixels without a calibration.
        sigma: In the same unit.
    """

    level_mm: float
    contact: Contact
    at: tuple[float, float]
    sigma: float


@dataclass(frozen=True, slots=True, eq=False)
class Sighting:
    """A detection on the table.

    Attributes:
        detection: What was found.
        spots: Where it may stand, the likeliest surface first.
        unit: Units of ``at`` in one mm: 1 with a calibration, pixels per mm without.
        look: Its colours.
        calibration: What put it there, None without one.
        base_height_mm: Thickness of the base under its soles.
    """

    detection: Detection
    spots: tuple[Spot, ...]
    unit: float
    look: Appearance
    calibration: Calibration | None = None
    base_height_mm: float = 0.0

    def floor(self, spot: Spot) -> float:
        """The calibration's own doubt there, which no number of sightings makes smaller.

        Args:
            spot: One of its spots.

        Returns:
            One standard deviation in units of ``at``; 0 without a calibration.
        """
        if self.calibration is None:
            return 0.0
        height = spot.level_mm + self.base_height_mm
        px = np.array([spot.contact.contact_px])
        return float(self.calibration.sigma_mm(px, height, 0.0)[0])

    @property
    def at(self) -> tuple[float, float]:
        """Where it most likely stands."""
        return self.spots[0].at

    @property
    def state(self) -> FigureState:
        """Standing or lying."""
        return self.spots[0].contact.state

    def spot(self, level_mm: float) -> Spot:
        """Where it stands at that level if it may, else its likeliest place."""
        for spot in self.spots:
            if abs(spot.level_mm - level_mm) < 0.05:
                return spot
        return self.spots[0]


def sight(
    detection: Detection,
    image: Image,
    calibration: Calibration | None,
    ground: Ground,
    *,
    base_height_mm: float = 0.0,
    terrain: Sequence[Terrain] = (),
) -> Sighting | None:
    """Put a detection on the table.

    Args:
        detection: In the picture's pixels.
        image: (H, W, 3) BGR, for the colours.
        calibration: None keeps to pixels.
        ground: Finds the contact with the table.
        base_height_mm: Thickness of the base under the soles.
        terrain: What it may stand on.

    Returns:
        None where the detection does not stand on the table at all (above the horizon).
    """
    look = appearance(image, detection.box_px)
    if calibration is None:
        contact = ground(detection, None)
        box = detection.box_px
        height = max(box[3] - box[1], (box[2] - box[0]) / 2, 1.0)
        unit = height / body_of(detection.label, detection.child).height
        return Sighting(
            detection, (Spot(0.0, contact, _point(contact.contact_px), unit),), unit, look
        )
    spots = []
    levels = levels_under(detection, calibration, ground, base_height_mm, terrain)
    likeliest = levels[0] if levels else 0.0
    detection = named_by_height(detection, calibration, likeliest + base_height_mm)
    for level in levels:
        contact = ground(detection, calibration, level, base_height_mm)
        if contact.position_mm is not None and contact.sigma_mm is not None:
            spots.append(Spot(level, contact, contact.position_mm, contact.sigma_mm))
    if not spots:
        return None
    return Sighting(detection, tuple(spots), 1.0, look, calibration, base_height_mm)


def _point(px: PointPx) -> tuple[float, float]:
    return float(px[0]), float(px[1])
