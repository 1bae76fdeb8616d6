"""Image to table millimetres, with the uncertainty of every point."""
