"""Figurslag: the simplest of the games, five models a team."""
