"""Deathzap: warbands, a chain of activations, Might and morale."""
