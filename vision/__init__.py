"""Pixels to table state: sources, detection, tracking, recording."""
