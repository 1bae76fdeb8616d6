"""Figures of a view that was cut away, known again only by a look of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from vision.tracking.candidate import Candidate
from vision.tracking.pairing import difference
from vision.tracking.sighting import Sighting
from vision.tracking.trace import Trace

_SURE = 0.35
_MARGIN = 0.15
_KEEP = 64


class Archive:
    """Looks of figures whose places were lost in a cut."""

    def __init__(self) -> None:
        self._traces: list[Trace] = []

    def keep(self, traces: Iterable[Trace]) -> None:
        """Remember figures; the oldest are forgotten when there are too many."""
        self._traces = [*self._traces, *traces][-_KEEP:]

    def recall(self, sighting: Sighting, rivals: Sequence[Candidate]) -> int | None:
        """Track id of the one remembered figure that looks like this, if it is unique.

        Unique both ways: no other remembered figure looks like the sighting, and no other loose
        sighting looks like the figure.

        Args:
            sighting: Something new in the view.
            rivals: All loose things in view.

        Returns:
            The track id, which is then no longer in the archive; None where it is not sure.
        """
        scored = sorted(
            (difference(trace, sighting), trace.track_id, trace) for trace in self._traces
        )
        if not scored or scored[0][0] > _SURE:
            return None
        best = scored[0][2]
        if len(scored) > 1 and scored[1][0] < scored[0][0] + _MARGIN:
            return None
        limit = scored[0][0] + _MARGIN
        others = [rival.sighting for rival in rivals if rival.sighting is not sighting]
        if any(difference(best, other) < limit for other in others):
            return None
        self._traces.remove(best)
        return best.track_id
