"""Figures followed over time by world state: what no hand has touched stays where it was."""

from vision.tracking.settings import Settings
from vision.tracking.sighting import Ground, Sighting, sight
from vision.tracking.tracker import Tracker

__all__ = ["Ground", "Settings", "Sighting", "Tracker", "sight"]
