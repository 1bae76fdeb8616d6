"""What is said of a camera."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """What ``/healthz`` says of the camera.

    Attributes:
        state: ``live``, ``stale``, ``reconnecting``, ``lost`` or ``none``.
        fps: Pictures a second, lately.
        age_ms: Age of the newest picture, None before the first.
        moved: It looks elsewhere than where the table was measured.
        waiting: A film that waits while somebody plays on in it.
    """

    state: str
    fps: float
    age_ms: int | None
    moved: bool = False
    waiting: bool = False
