"""Legowars: knights, horses, wagons and castles."""
