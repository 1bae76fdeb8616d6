"""``python -m server`` is the same as ``minimarshal``."""

from server.cli import main

main()
