"""How good detection and tracking are, measured against the truth."""
