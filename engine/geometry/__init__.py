"""Lengths, paths and views on the table, in millimetres. No rules: limits come as arguments."""
