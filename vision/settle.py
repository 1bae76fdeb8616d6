"""When the table is at rest: hands off, and nothing moved for a moment."""

from __future__ import annotations

QUIET_NS = 500_000_000


class Settler:
    """Watches for rest.

    A table is unsettled from the first frame on, until it has been quiet long enough: what came
    before the first frame is not known.
    """

    def __init__(self, quiet_ns: int = QUIET_NS) -> None:
        """Set up.

        Args:
            quiet_ns: How long nothing may have happened.
        """
        self._quiet_ns = quiet_ns
        self._restless_ns: int | None = None

    def step(self, t_ns: int, *, hands: bool, moved_ns: int) -> bool:
        """Take one look.

        Args:
            t_ns: Its time.
            hands: A hand is over the table.
            moved_ns: When a figure last moved or was in a hand, -1 for never.

        Returns:
            Whether the table is settled.
        """
        if self._restless_ns is None or hands:
            self._restless_ns = t_ns
        since = max(self._restless_ns, moved_ns)
        return t_ns - since >= self._quiet_ns
