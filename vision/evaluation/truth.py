"""The truth of a rendered clip, brought into the table frame of a calibration."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Intrinsics
from calibration.plane import Calibration
from engine.table import FigureState, PointMm
from vision.detection import BoxPx, PointPx
from vision.errors import BadSource
from vision.evaluation.mot import GATE_MM, Item, MotScore, score

HALF = 0.5
UNSEEN = 0.1
_GRID = 5


@dataclass(frozen=True, slots=True)
class TrueFigure:
    """A figure in one frame.

    Attributes:
        name: For the whole clip.
        state: Standing, lying or in hand.
        position_mm: Base centre, or below the middle of a lying body.
        level_mm: Height of what it stands on, or of the base in a hand.
        facing_deg: Counter-clockwise from +x.
        visible: Share of it that is seen.
        box_px: Of what is seen, None where nothing is.
        soles_px: Left and right.
    """

    name: str
    state: FigureState
    position_mm: PointMm
    level_mm: float
    facing_deg: float
    visible: float
    box_px: BoxPx | None
    soles_px: tuple[PointPx, PointPx] | None


@dataclass(frozen=True, slots=True)
class TrueFrame:
    """One frame: its number, its time and the figures on the table or in a hand."""

    index: int
    t_ns: int
    hands: tuple[BoxPx, ...]
    figures: tuple[TrueFigure, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """A clip's truth.

    Attributes:
        camera: How the clip's camera sees the true table frame.
        size_mm: Of the table.
        frames: In order.
    """

    camera: Calibration
    size_mm: tuple[float, float]
    frames: tuple[TrueFrame, ...]


def load_truth(path: Path) -> Truth:
    """Read a truth file.

    Raises:
        BadSource: Missing, damaged, or not a truth file.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadSource(str(path), f"cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise BadSource(str(path), "is not JSON") from error
    try:
        K = document["K"]
        size = document["table"]["size_mm"]
        width, height = document["image_size_px"]
        camera = Calibration(
            "points",
            str(document["table"]["origin"]),
            (int(width), int(height)),
            Intrinsics(K[0][0], K[1][1], K[0][2], K[1][2]),
            np.array(document["camera_T_table"], dtype=np.float64),
            size_mm=(float(size[0]), float(size[1])),
        )
        frames = tuple(_frame(frame) for frame in document["frames"])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise BadSource(str(path), f"is not a truth file ({error})") from error
    return Truth(camera, (float(size[0]), float(size[1])), frames)


def align(truth: Truth, calibration: Calibration) -> tuple[NDArray[np.float64], float]:
    """Turn and shift from the true table frame to a calibration's.

    The two may start from different corners. A grid of true table points goes through the true
    camera into the picture and from there through the calibration; the best rigid motion between
    the two is taken, so that faults of scale stay in the errors.

    Args:
        truth: With its camera.
        calibration: Of the same pictures.

    Returns:
        (2, 3) matrix, and the rms of what the motion leaves in mm.
    """
    across, deep = (np.linspace(0.0, side, _GRID) for side in truth.size_mm)
    grid = np.array([(x, y) for x in across for y in deep])
    there = calibration.to_table(truth.camera.to_image(grid))
    good = np.isfinite(there).all(axis=1)
    grid, there = grid[good], there[good]
    middle, middle_there = grid.mean(axis=0), there.mean(axis=0)
    u, _, vt = np.linalg.svd((grid - middle).T @ (there - middle_there))
    flip = np.diag([1.0, np.sign(np.linalg.det(vt.T @ u.T))])
    turn = vt.T @ flip @ u.T
    shift = middle_there - turn @ middle
    left = there - (grid @ turn.T + shift)
    rms = float(np.sqrt((left**2).sum(axis=1).mean()))
    return np.column_stack([turn, shift]), rms


def truth_items(frame: TrueFrame, motion: NDArray[np.float64]) -> list[Item]:
    """The figures of a frame for scoring; those in a hand have no place on the table.

    Args:
        frame: Of the truth.
        motion: From ``align``.
    """
    return [
        Item(
            figure.name,
            move(motion, figure.position_mm),
            ignore=figure.state is FigureState.IN_HAND,
            measured=figure.visible > HALF,
        )
        for figure in frame.figures
    ]


def track_items(tracks: Iterable[Mapping[str, Any]]) -> list[Item]:
    """Tracks of a line of tracks.jsonl for scoring."""
    return [
        Item(
            str(track["track_id"]),
            (float(track["position_mm"][0]), float(track["position_mm"][1])),
            ignore=track["state"] == FigureState.IN_HAND.value,
        )
        for track in tracks
        if track["position_mm"] is not None
    ]


def score_tracks(
    truth: Truth,
    lines: Sequence[Mapping[str, Any]],
    calibration: Calibration,
    gate_mm: float = GATE_MM,
) -> MotScore:
    """Score a recording of the clip.

    Args:
        truth: Of the clip.
        lines: tracks.jsonl, one a frame.
        calibration: The tracks' table frame.
        gate_mm: A track further away does not follow the figure.
    """
    motion, _ = align(truth, calibration)
    by_frame = {int(line["frame"]): line["tracks"] for line in lines}
    return score(
        (
            (truth_items(frame, motion), track_items(by_frame.get(frame.index, ())))
            for frame in truth.frames
        ),
        gate_mm,
    )


def hidden_drift_mm(
    truth: Truth, lines: Sequence[Mapping[str, Any]], calibration: Calibration
) -> float:
    """How far off the nearest track is from a figure that nothing is seen of, at worst, in mm.

    Only figures that stand where they were last seen count: where a hand puts one down unseen,
    nobody can know.

    Args:
        truth: Of the clip.
        lines: tracks.jsonl, one a frame.
        calibration: The tracks' table frame.
    """
    motion, _ = align(truth, calibration)
    by_frame = {int(line["frame"]): track_items(line["tracks"]) for line in lines}
    worst = 0.0
    seen_at: dict[str, PointMm] = {}
    for frame in truth.frames:
        places = [item.position_mm for item in by_frame.get(frame.index, [])]
        for figure in frame.figures:
            if figure.state is not FigureState.IN_HAND and figure.visible > HALF:
                seen_at[figure.name] = figure.position_mm
            hidden = figure.state is not FigureState.IN_HAND and figure.visible < UNSEEN
            if hidden and seen_at.get(figure.name) == figure.position_mm:
                at = move(motion, figure.position_mm)
                worst = max(worst, min((math.dist(at, p) for p in places), default=math.inf))
    return worst


def move(motion: NDArray[np.float64], point: PointMm) -> PointMm:
    """A true table point in the calibration's frame."""
    x, y = motion[:, :2] @ np.array(point) + motion[:, 2]
    return float(x), float(y)


def _frame(document: Mapping[str, Any]) -> TrueFrame:
    figures = [
        TrueFigure(
            str(figure["id"]),
            FigureState(figure["state"]),
            (float(figure["position_mm"][0]), float(figure["position_mm"][1])),
            float(figure["level_mm"]),
            float(figure["facing_deg"]),
            float(figure["visible"]),
            None if figure["box_px"] is None else _box(figure["box_px"]),
            None if figure["soles_px"] is None else _pair(figure["soles_px"]),
        )
        for figure in document["figures"]
        if figure["state"] != "absent"
    ]
    return TrueFrame(
        int(document["frame"]),
        round(float(document["t_ms"]) * 1e6),
        tuple(_box(hand) for hand in document["hands"]),
        tuple(figures),
    )


def _box(values: Sequence[float]) -> BoxPx:
    x0, y0, x1, y1 = (float(value) for value in values)
    return x0, y0, x1, y1


def _pair(values: Sequence[Sequence[float]]) -> tuple[PointPx, PointPx]:
    left, right = values
    return (float(left[0]), float(left[1])), (float(right[0]), float(right[1]))
