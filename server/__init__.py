"""Wiring, command line and the local page."""
