"""Tells every open page what a session does."""

from __future__ import annotations

import math
import threading
from typing import Any, Final

from engine.codec import Input
from engine.errors import Refused, Stale
from engine.log import LogLine, game_start
from engine.referee import Referee
from engine.table import TableState
from server import documents
from server.console import dump
from server.hub import Hub
from vision.look import Look

_ANNOUNCED: Final = 200
"""Announcements kept for a page that is opened late."""
_MOVED_MM: Final = 0.5
"""Smaller changes of a standing figure do not make the options be worked out again."""


class Publisher:
    """A listener that keeps the snapshot and feeds the hub.

    Args:
        hub: Where pages fetch from.
        referee: Whose game it is.
    """

    def __init__(self, hub: Hub, referee: Referee) -> None:
        self._hub = hub
        self._referee = referee
        self._lock = threading.Lock()
        self._table: dict[str, Any] = documents.EMPTY_TABLE
        self._state: dict[str, Any] = {}
        self._said: list[dict[str, Any]] = []
        self._options_table: TableState | None = None
        self.table: TableState | None = None

    def begin(self) -> None:
        """Tell the lines that are there from the start."""
        self._tell(self._referee.lines)
        self._refresh_state()

    def looked(self, look: Look, table: TableState) -> None:
        """See :class:`server.session.Listener`."""
        self._show(look, table)

    def took(
        self, item: Input | LogLine, lines: tuple[LogLine, ...], error: Refused | Stale | None
    ) -> None:
        """See :class:`server.session.Listener`."""
        if lines:
            self._tell(lines)
        if isinstance(item, TableState):
            if self.table is None or item.t_ns >= self.table.t_ns:
                self._show(None, item)
            if item.settled and self._changed(item):
                self._options_table = item
                self._refresh_state()
                return
        if lines:
            self._refresh_state()

    def snapshot(self) -> dict[str, Any]:
        """Everything a page needs to begin, but the calibration."""
        with self._lock:
            return {**self._state, "table": self._table, "announcements": list(self._said)}

    def _show(self, look: Look | None, table: TableState) -> None:
        document = documents.table_document(table, self._referee.facts, look)
        if look is None:
            document["boxes_px"] = self._table.get("boxes_px", [])
            document["hands_px"] = self._table.get("hands_px", [])
        with self._lock:
            self.table = table
            self._table = document
        self._hub.latest("table", dump({"type": "table", **document}))

    def _tell(self, lines: tuple[LogLine, ...]) -> None:
        said = self._referee.announcements(after_seq=lines[0].seq - 1)
        if any(line.event.kind in ("undone", "game_began") for line in lines):
            # What the last game had to say is of no use in a new one.
            counting = self._referee.announcements(after_seq=game_start(self._referee.lines) - 1)
            with self._lock:
                self._said = [documents.announcement_document(one) for one in counting]
        else:
            with self._lock:
                self._said += [documents.announcement_document(one) for one in said]
        with self._lock:
            self._said = self._said[-_ANNOUNCED:]
        for line in lines:
            self._hub.line(line.seq, dump(documents.line_document(line, said)))

    def _refresh_state(self) -> None:
        referee = self._referee
        document = {
            "epoch": self._hub.epoch,
            "seq": referee.state.seq,
            "state": documents.state_document(referee.state),
            "options": documents.options_document(referee.options()),
            "facts": documents.facts_document(referee.facts),
            "undo": referee.undoable,
            "ruleset": documents.ruleset_document(referee.ruleset.info),
        }
        with self._lock:
            self._state = document
        self._hub.latest("state", dump({"type": "state", **document}))

    def _changed(self, table: TableState) -> bool:
        """Something has changed that the options could depend on."""
        last = self._options_table
        if last is None or last.terrain != table.terrain or last.size_mm != table.size_mm:
            return True
        if len(last.figures) != len(table.figures):
            return True
        return any(
            old.figure_id != new.figure_id
            or (old.state, old.side, old.level_mm, old.seen)
            != (new.state, new.side, new.level_mm, new.seen)
            or math.dist(old.position_mm, new.position_mm) > _MOVED_MM
            for old, new in zip(last.figures, table.figures, strict=True)
        )
