"""What the rules measure and reckon, as plain functions; vectors and play call the same ones."""
