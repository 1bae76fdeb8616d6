"""How a table is run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from calibration.plane import Calibration
from server.camera_lens import CameraLens
from server.feeds import Feed
from server.recorder import Recorder
from server.script import Script


@dataclass(frozen=True, slots=True)
class Setting:
    """How a table is run.

    Attributes:
        make_feed: A fresh feed for every game.
        make_script: A fresh game file player for every game, if one is played.
        recorder: Keeps everything in a folder.
        loop: Start again, with a new game, when the source ends.
        search: Look for a reference in the first pictures while there is no calibration.
        read_only: Taps are refused, since a recording is shown.
        lens: Of the camera, where it is kept.
    """

    make_feed: Callable[[Calibration | None], Feed]
    make_script: Callable[[], Script | None] = lambda: None
    recorder: Recorder | None = None
    loop: bool = False
    search: bool = True
    read_only: bool = False
    lens: CameraLens | None = None
