"""Files of a recording folder."""

from __future__ import annotations

META = "meta.toml"
CALIBRATION = "calibration.json"
VIEWS = "views.jsonl"
FRAMES = "frames.mkv"
DETECTIONS = "detections.jsonl"
TRACKS = "tracks.jsonl"
INPUTS = "inputs.jsonl"
LOG = "log.jsonl"
OVERLAY = "overlay.mp4"
