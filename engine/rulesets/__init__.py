"""The rule systems: one data file each, behaviour in at most one module each."""
