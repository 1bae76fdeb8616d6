"""Army lists: their files, what one may choose, and figures that become what a list says."""
