"""Recording folders: every stage of a game on disk, readable after a crash."""

from vision.recording.codec import SeenFrame
from vision.recording.meta import SCHEMA_VERSION, Meta
from vision.recording.reader import RecordingReader
from vision.recording.writer import RecordingWriter

__all__ = ["SCHEMA_VERSION", "Meta", "RecordingReader", "RecordingWriter", "SeenFrame"]
