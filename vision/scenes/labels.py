"""What a picture shows of each figure: box, keypoints, share seen, as label lines and as truth."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.families import KINDS
from vision.scenes.camera import Camera
from vision.scenes.figure import Figure
from vision.scenes.plan import PlacedFigure, Plan
from vision.scenes.rigs import word

MIN_SHARE = 0.15
MIN_HEIGHT_PX = 8


@dataclass(frozen=True, slots=True)
class Seen:
    """One figure in one picture.

    Attributes:
        box_px: x0, y0, x1, y1 round its visible pixels, ends exclusive; None if none is seen.
        share: Share of its own pixels that is seen; what lies outside the picture counts as not.
        keypoints_px: (5, 2) pixels.
        flags: (5,) 2 seen, 1 hidden inside the picture, 0 outside.
    """

    box_px: tuple[int, int, int, int] | None
    share: float
    keypoints_px: NDArray[np.float64]
    flags: NDArray[np.int64]


def box_of(mask: NDArray[np.bool_]) -> tuple[int, int, int, int] | None:
    """Tight box of a mask, ends exclusive."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if len(rows) == 0:
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def silhouette_area(camera: Camera, points: NDArray[np.float64], cells_across: int = 45) -> float:
    """Area in px that a cloud of surface points covers, inside the picture or not.

    The points are counted in cells, cells_across of them over the figure: the denser the cloud,
    the finer the cells may be.
    """
    pixels = camera.project(points)
    spread = float(np.ptp(pixels[:, 1]) + np.ptp(pixels[:, 0])) / 2
    cell = (
        max(1.0 / 3, spread / cells_across)
        if cells_across > 45
        else max(1.0, spread / cells_across)
    )
    cells = np.unique(np.floor(pixels / cell).astype(np.int64), axis=0)
    # cells at the rim are half outside: half a cell off all round the outline
    rim = 2 * math.sqrt(math.pi * len(cells)) * 0.5
    return max(1.0, len(cells) - rim) * cell * cell


def look(
    camera: Camera,
    ids: NDArray[np.int32],
    number: int,
    figure: Figure,
    placed: PlacedFigure,
    cloud: NDArray[np.float64],
) -> Seen:
    """What a picture of ids shows of the figure with the id `number`."""
    mask = ids == number
    box = box_of(mask)
    points = figure.keypoints @ placed.matrix[:3, :3].T + placed.matrix[:3, 3]
    pixels = camera.project(points)
    body = cloud @ placed.matrix[:3, :3].T + placed.matrix[:3, 3]
    if float(camera.depth_mm(body).min()) < 20:
        return Seen(box, 0.0, pixels, np.zeros(len(points), dtype=np.int64))
    share = min(1.0, float(mask.sum()) / silhouette_area(camera, body))
    reach = max(1.5, 0.05 * float(np.ptp(camera.project(body)[:, 1])))
    flags = [
        _flag(mask, x, y, reach) if known else 0
        for (x, y), known in zip(pixels, figure.known, strict=True)
    ]
    return Seen(box, share, pixels, np.array(flags, dtype=np.int64))


def look_at_hand(
    camera: Camera, ids: NDArray[np.int32], number: int, cloud: NDArray[np.float64]
) -> Seen:
    """What a picture of ids shows of a player's hand with its forearm.

    Args:
        camera: Camera of the picture.
        ids: (H, W) ids.
        number: Id of the hand.
        cloud: (N, 3) points of its surface, table mm.

    Returns:
        A sight without keypoints, whose share is that of the part inside the picture.
    """
    mask = ids == number
    ahead = cloud[camera.depth_mm(cloud) > 20]
    pixels = camera.project(ahead)
    inside = ((pixels > -0.5) & (pixels < (camera.width_px - 0.5, camera.height_px - 0.5))).all(1)
    share = 0.0
    if inside.sum() > 50:
        share = min(1.0, float(mask.sum()) / silhouette_area(camera, ahead[inside]))
    nothing = np.zeros((5, 2))
    return Seen(box_of(mask), share, nothing, np.zeros(5, dtype=np.int64))


def line(seen: Seen, camera: Camera, kind: str = "minifig") -> str | None:
    """YOLO-pose line of a figure or hand, or None if too little of it is seen."""
    if seen.box_px is None or seen.share < MIN_SHARE:
        return None
    x0, y0, x1, y1 = seen.box_px
    if y1 - y0 < MIN_HEIGHT_PX and x1 - x0 < MIN_HEIGHT_PX:
        return None
    w, h = camera.width_px, camera.height_px
    numbers = [(x0 + x1) / 2 / w, (y0 + y1) / 2 / h, (x1 - x0) / w, (y1 - y0) / h]
    words = [str(KINDS.index(kind)), *(f"{v:.6f}" for v in numbers)]
    for (x, y), flag in zip(seen.keypoints_px, seen.flags, strict=True):
        inside = flag > 0
        u, v = ((x + 0.5) / w, (y + 0.5) / h) if inside else (0.0, 0.0)
        words += [f"{u:.6f}", f"{v:.6f}", str(int(flag))]
    return " ".join(words)


def truth(plan: Plan, figures: list[Figure], seen: list[Seen], hands: list[Seen]) -> dict[str, Any]:
    """All that is known of a random picture, for its truth file."""
    camera = plan.camera
    (fx, _, cx), (_, fy, cy), _ = camera.K.tolist()
    sight = camera.camera_T_table[2, :3]
    return {
        "image_size_px": [camera.width_px, camera.height_px],
        "intrinsics": {
            "fx_px": round(fx, 4),
            "fy_px": round(fy, 4),
            "cx_px": cx,
            "cy_px": cy,
            "distortion": [round(camera.k1, 6), 0.0, 0.0, 0.0, 0.0],
        },
        "camera_T_table": camera.camera_T_table.round(7).tolist(),
        "light": word(plan.rig),
        "rig": plan.rig,
        "table": plan.table,
        "elevation_deg": round(math.degrees(math.asin(-float(sight[2]))), 2),
        "camera_mm": [round(float(v), 1) for v in camera.eye_mm],
        "figures": [
            _figure(figures[placed.look], placed, sight)
            for placed, sight in zip(plan.figures, seen, strict=True)
        ],
        "hands": [{"box_px": h.box_px, "visible": round(h.share, 3)} for h in hands],
    }


def _figure(figure: Figure, placed: PlacedFigure, sight: Seen) -> dict[str, Any]:
    """Truth of one figure."""
    if placed.state == "lying":
        low, high = (figure.body.triangles[:, :, 2].min(), figure.body.triangles[:, :, 2].max())
        middle = np.array([0.0, 0.0, (low + high) / 2])
    else:
        middle = figure.keypoints[:2].mean(axis=0)
    base = placed.matrix[:3, :3] @ middle + placed.matrix[:3, 3]
    return {
        "kind": figure.kind,
        "name": figure.name,
        "box_px": sight.box_px,
        "visible": round(sight.share, 3),
        "keypoints_px": [[round(float(v), 2) for v in p] for p in sight.keypoints_px],
        "flags": sight.flags.tolist(),
        "facing_deg": round(placed.facing_deg % 360, 2),
        "state": placed.state,
        "base_centre_mm": [round(float(v), 2) for v in base[:2]],
        "level_mm": round(placed.level_mm, 2),
    }


def _flag(mask: NDArray[np.bool_], x: float, y: float, reach: float) -> int:
    height, width = mask.shape
    if not (-0.5 <= x < width - 0.5 and -0.5 <= y < height - 0.5):
        return 0
    x0, x1 = max(0, int(x - reach + 0.5)), int(x + reach + 1.5)
    y0, y1 = max(0, int(y - reach + 0.5)), int(y + reach + 1.5)
    return 2 if mask[y0:y1, x0:x1].any() else 1
