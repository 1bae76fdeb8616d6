"""Lengths, paths and views on the table, in millimetres. No rules: limits come as arguments.

- ``interval``: lengths with bounds, held against limits.
- ``bases``: outlines of bases, gaps and overlaps.
- ``arcs``: bearings and angles off a facing.
- ``surfaces``: standing surfaces, heights along a path.
- ``obstacles``, ``closed``, ``paths``: ways on foot; ``spreads``, ``fans``, ``reach``: everywhere
  they lead.
- ``known``: areas and obstacles kept from one look to the next.
- ``routes``, ``walks``: all ways of one model, by climbing too; ``endings``: where it may stand.
- ``foresight``: areas of many models reckoned together.
- ``sight``: how much of a target an eye sees.
"""

from engine.geometry.bases import base_polygon, centre_distance, gap, overlap
from engine.geometry.interval import Interval, Verdict, cmp, cmp_interval
from engine.geometry.routes import Route
from engine.geometry.sight import visible_share, wall_visible
from engine.geometry.surfaces import Climbs, Ground, ground
from engine.geometry.walks import Walk

__all__ = [
    "Climbs",
    "Ground",
    "Interval",
    "Route",
    "Verdict",
    "Walk",
    "base_polygon",
    "centre_distance",
    "cmp",
    "cmp_interval",
    "gap",
    "ground",
    "overlap",
    "visible_share",
    "wall_visible",
]
