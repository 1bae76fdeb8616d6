"""Table facts in, game events out. No pictures, no clock, no web."""
