"""What the rules compute, as pure functions of numbers and settings."""
