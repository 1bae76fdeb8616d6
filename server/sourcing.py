"""Sources as the commands use them."""

from __future__ import annotations

from contextlib import closing

from server.console import Fault
from vision.frames import Frame, FrameSource
from vision.sources import open_source


def first_picture(text: str) -> Frame:
    """The first picture of a source.

    Raises:
        vision.errors.BadSource: It cannot be used.
        Fault: It has no picture.
    """
    source: FrameSource = open_source(text)
    with closing(source):
        for frame in source:
            return frame
    raise Fault(text, "holds no picture")
