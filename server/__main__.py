"""``python -m server`` is the same as ``minimarshal``."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Entry point of the installed program."""
    # Told to end from outside, it ends as on Ctrl+C: files are finished, the camera is let go.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        # Only now, since loading takes long enough to be interrupted.
        from server.cli import main as command

        code = command()
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
