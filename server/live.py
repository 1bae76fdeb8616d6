"""A running table: a camera thread that looks, a play thread that judges, and the page's wishes."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any, Final

from calibration.plane import Calibration
from calibration.store import document
from engine.actions import Action
from engine.codec import Input
from engine.errors import Refused, Stale
from engine.log import LogLine
from engine.referee import Referee
from engine.table import TableState, Terrain
from server.camera_status import CameraStatus
from server.console import dump, note
from server.darkness import Darkness
from server.feeds import Feed
from server.first_look import FirstLook
from server.guard import Guard
from server.hub import Hub
from server.inbox import Inbox
from server.interlude import Interlude
from server.publisher import Publisher
from server.roster import base_height_mm
from server.session import Listener, Resize, Session
from server.setting import Setting
from server.trials import Trials
from server.views import View, ViewedFeed
from vision.errors import BadSource
from vision.frames import Frame, FrameSource
from vision.look import Look

_HOLD_S: Final = 0.5
"""How often the last picture of a file that has ended is looked at again."""
_END_S: Final = 1.0
"""How long the last picture of a file that starts again is shown."""
_NEED_MILLIMETRES: Final = frozenset({"new_game", "terrain_set"})
"""Wishes that mean nothing before the table is measured."""
_BY_HAND: Final = frozenset({"place", "remove", "table_size"})
"""Wishes that say what otherwise the camera sees."""


class LiveTable:
    """One table while it is played on.

    Args:
        source: Pictures at their own pace, None without a camera.
        calibration: If known from before.
        setting: How it is run.
        hub: Where pages fetch from.
    """

    def __init__(
        self,
        source: FrameSource | None,
        calibration: Calibration | None,
        setting: Setting,
        hub: Hub,
    ) -> None:
        self.hub = hub
        self._source = source
        self._setting = setting
        self._calibration = calibration
        self._first = self._fed = calibration
        self._stop = threading.Event()
        self._inbox = Inbox(self._stop)
        self._held = False
        self._interlude = Interlude(self._stop)
        self._darkness = Darkness()
        self._guard = Guard()
        self.trials = Trials(setting.lens)
        self._first_look = FirstLook(self.trials)
        self._calibration_document: dict[str, Any] | None = None
        self._terrain: tuple[Terrain, ...] = ()
        self._base_height_mm = 0.0
        self._begin()
        self._threads = [threading.Thread(target=self._play, name="play", daemon=True)]
        if source is not None:
            self._threads.append(threading.Thread(target=self._watch, name="watch", daemon=True))
        self._set_calibration(calibration)

    def start(self) -> None:
        """Begin to look and play."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """End both threads and let go of the camera."""
        self._stop.set()
        if self._source is not None:
            self._source.close()
        self._inbox.end(self._threads[0].is_alive)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(timeout=5.0)

    @property
    def referee(self) -> Referee:
        """Of the running game; read only outside the play thread."""
        return self._session.referee

    @property
    def calibration(self) -> Calibration | None:
        """As it is now."""
        return self._calibration

    @property
    def table(self) -> TableState | None:
        """As last seen."""
        return self._publisher.table

    def camera(self) -> CameraStatus:
        """How the camera is doing."""
        if self._source is None:
            return CameraStatus("none", 0.0, None)
        told = self._source.status()  # type: ignore[attr-defined]
        state = "live" if self._held else str(told.state)
        waiting = self._interlude.going
        age = None if told.age_ms is None else 0 if waiting else int(told.age_ms)
        return CameraStatus(state, round(float(told.fps), 1), age, self._guard.moved, waiting)

    def health(self) -> dict[str, Any]:
        """The answer of ``/healthz``."""
        camera = self.camera()
        document = {"state": camera.state, "fps": camera.fps, "age_ms": camera.age_ms}
        return {"status": "ok", "camera": document, "seq": self.referee.state.seq}

    def snapshot(self) -> dict[str, Any]:
        """The answer of ``/api/snapshot``."""
        return {
            **self._publisher.snapshot(),
            "calibration": self._calibration_document,
            "camera": self.health()["camera"] | self.camera_facts(),
        }

    def camera_facts(self) -> dict[str, Any]:
        """What a page has to know of the camera besides its health."""
        camera = self.camera()
        size = self.picture_size()
        by_hand = self._source is None and not self._setting.read_only
        more = {"waiting": camera.waiting, "by_hand": by_hand, "dark": self._darkness.dark}
        return {"size_px": size, "moved": camera.moved, **more}

    def picture_size(self) -> tuple[int, int] | None:
        """Width and height of the newest picture, which the page's own may be smaller than."""
        _count, frame = self.hub.picture
        return None if frame is None else frame.size_px

    def act(self, action: Action) -> tuple[LogLine, ...]:
        """Give a tap to the referee and wait for its answer.

        Raises:
            Refused: The rules do not allow it.
            Stale: It rests on an older state.
            engine.errors.BadData: A number in it is not finite.
        """
        self.refuse_recording()
        if action.kind in _BY_HAND and self._source is not None:
            raise Refused("the camera sees the figures; put one right instead")
        if action.kind in _NEED_MILLIMETRES and self._source is not None and not self._calibration:
            raise Refused("the table is not measured yet; measure it first")
        lines = self._inbox.ask(action)
        if self._setting.loop:
            self._interlude.touch()
        return lines

    def fitting_calibration(self) -> Calibration | None:
        """The one in use; None where the camera was moved, and it says nothing any more."""
        return None if self._guard.moved else self._calibration

    def recalibrate(self, calibration: Calibration, seen: Frame | None = None) -> None:
        """Use another calibration from now on.

        Args:
            calibration: How the camera sees the table.
            seen: The picture it was found in, by which a later move of the camera is noticed.
        """
        if seen is not None:
            self._guard.expect(calibration, seen)
        self._set_calibration(calibration)
        if self._source is None:
            self._inbox.put(Resize(calibration.size_mm))

    def newest_frame(self, even_dark: bool = False) -> Frame:
        """The newest picture.

        Raises:
            Refused: There is none, or it is too old to trust, or too dark unless ``even_dark``.
        """
        frame = self.hub.picture[1]
        if frame is None:
            raise Refused("there is no picture yet")
        state = self.camera().state
        if self._darkness.dark and not even_dark:
            raise Refused("the camera picture is dark; nothing can be measured")
        if state != "live":
            raise Refused(f"the camera picture is not live ({state}); nothing can be measured")
        return frame

    def refuse_unseen(self) -> None:
        """See that figures are where they are shown; where people put them, they always are.

        Raises:
            Refused: A camera looks, and its picture is not to be trusted.
        """
        if self._source is not None:
            self.newest_frame()

    def refuse_recording(self) -> None:
        """See that something is being played.

        Raises:
            Refused: A recording is shown.
        """
        if self._setting.read_only:
            raise Refused("this is a recording; nothing in it can be changed")

    def refuse_moved(self) -> None:
        """See that the picture still fits the calibration.

        Raises:
            Refused: The camera was moved.
        """
        if self._guard.moved:
            raise Refused(
                "the camera moved; nothing can be measured until the table is found again"
            )

    def _set_calibration(self, calibration: Calibration | None) -> None:
        self._calibration = calibration
        self._calibration_document = None if calibration is None else document(calibration)
        if calibration is not None and self._setting.recorder is not None:
            self._setting.recorder.calibrated(calibration)
        self.hub.latest(
            "calibration",
            dump({"type": "calibration", "calibration": self._calibration_document}),
        )

    def _begin(self) -> None:
        """A new session with an empty log."""
        referee = Referee()
        self._publisher = Publisher(self.hub, referee)
        calibration = self._calibration
        recorder = self._setting.recorder
        listeners: tuple[Listener, ...] = (self._publisher, self)
        self._session = Session(
            referee,
            size_mm=None if calibration is None else calibration.size_mm,
            script=self._setting.make_script(),
            by_hand=self._source is None,
            listeners=listeners if recorder is None else (*listeners, recorder),
        )
        if recorder is not None:
            recorder.sides = self._session.sides
            recorder.begin(referee.lines)
        self._publisher.begin()

    def looked(self, look: Look, table: TableState) -> None:
        """See :class:`server.session.Listener`."""

    def took(
        self, item: Input | LogLine, lines: tuple[LogLine, ...], error: Refused | Stale | None
    ) -> None:
        """See :class:`server.session.Listener`: keep what the camera thread has to know."""
        if lines:
            referee = self._session.referee
            self._terrain = referee.facts.terrain
            self._base_height_mm = base_height_mm(referee.ruleset.info)

    def _play(self) -> None:
        while not self._stop.is_set():
            self._session.run(self._inbox.until_end())
            for text in self._session.notes:
                note(f"minimarshal: warning: {text}")
            if self._stop.is_set() or not self._setting.loop:
                return
            self.hub.restart()
            self._terrain = ()
            self._begin()

    def _watch(self) -> None:
        source, setting = self._source, self._setting
        assert source is not None  # noqa: S101
        while not self._stop.is_set():
            feed = setting.make_feed(self._calibration)
            last: Frame | None = None
            try:
                for frame in source:
                    last = frame
                    self._look(feed, frame)
                    if self._stop.is_set():
                        return
                    if self._interlude.wait(partial(self.hub.frame, frame)):
                        break
            except BadSource as error:
                note(f"minimarshal: warning: {error.name}: {error.fault}")
            if not setting.loop:
                for text in getattr(source, "warnings", ()):
                    note(f"minimarshal: warning: {text}")
                self._hold(feed, last)
                return
            # The end stays to be seen; a recording of one moment must not begin without pause.
            self._held = True
            self._stop.wait(_END_S)
            self._held = False
            if self._first is not None and self._calibration is not self._first:
                self._set_calibration(self._first)
            self._inbox.put(None)

    def _hold(self, feed: Feed, last: Frame | None) -> None:
        """A file has ended: what it last showed stays on the table."""
        if last is None:
            return
        self._held = True
        index, t_ns = last.index, last.t_ns
        while not self._stop.wait(_HOLD_S):
            index, t_ns = index + 1, t_ns + int(_HOLD_S * 1e9)
            self._look(feed, Frame(index, t_ns, last.source_id, last.image))

    def _look(self, feed: Feed, frame: Frame) -> None:
        self.hub.frame(frame)
        self._darkness.step(frame)
        if self._calibration is None and self._setting.search:
            searched = self._first_look.step(frame)
            if searched is not None and self._calibration is None:
                self.recalibrate(searched, frame)
        if self._setting.recorder is not None:
            self._setting.recorder.frame(frame)
        if not self._setting.read_only:
            found = self._guard.step(frame, self._calibration)
            if found is not None:
                note("minimarshal: the camera moved; the table was found again")
                self.recalibrate(found)
        calibration, moved = self._calibration, self._guard.moved  # a page may change the first
        if calibration is not self._fed:
            self._fed = calibration
            self._inbox.put(Resize(None if calibration is None else calibration.size_mm))
        if self._setting.recorder is not None:
            self._setting.recorder.viewed(View(frame.t_ns, calibration, moved))
        if moved:
            # What is seen now has no place; figures stay where they were.
            return
        feed.adapt(calibration, self._terrain, self._base_height_mm)
        for item in feed.items(frame):
            self._inbox.put(item)
        if isinstance(feed, ViewedFeed) and feed.calibration is not self._calibration:
            self._fed = feed.calibration  # whose size the feed has told
            self._set_calibration(feed.calibration)
