"""Where pictures come from: photos, folders, videos, cameras and streams."""

from vision.sources.live import LiveSource, LiveTiming
from vision.sources.opening import OpenedSource, is_live, open_source
from vision.sources.paced import PacedSource, paced
from vision.sources.picture import FolderSource, PhotoSource, Unreadable, read_picture
from vision.sources.status import SourceState, SourceStatus
from vision.sources.video import VideoSource

__all__ = [
    "FolderSource",
    "LiveSource",
    "LiveTiming",
    "OpenedSource",
    "PacedSource",
    "PhotoSource",
    "SourceState",
    "SourceStatus",
    "Unreadable",
    "VideoSource",
    "is_live",
    "open_source",
    "paced",
    "read_picture",
]
