"""The truth of a calibration scene, in the frames of the program's own calibration file."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.scenes.camera import Camera
from vision.scenes.lens import distorted
from vision.scenes.references import Reference, ReferenceScene, pitch_px


def seen(
    reference: Reference, ids: NDArray[np.int32], wide: Camera, index: int
) -> NDArray[np.bool_]:
    """Which sample points of a reference the id picture shows, (N,)."""
    points = reference.samples()
    px = np.rint(wide.project(points)).astype(int)
    inside = np.all((px >= 0) & (px < [wide.width_px, wide.height_px]), axis=1)
    inside &= wide.depth_mm(points) > 0
    found = np.zeros(len(points), dtype=bool)
    found[inside] = ids[px[inside, 1], px[inside, 0]] == index
    return found


def truth(scene: ReferenceScene, shown: list[NDArray[np.bool_]]) -> dict[str, Any]:
    """The truth of a picture in the frames of the program's own calibration file.

    z = 0 is the plates' upper face or, with flat things, the table top. `covered` is the share of
    a reference's points in the picture that other things hide, `seen` how many are seen.
    """
    camera, k1 = scene.plan.camera, scene.k1
    references = []
    for reference, found in zip(scene.references, shown, strict=True):
        points = reference.samples()
        px = distorted(camera.project(points), camera, k1)
        inside = np.all((px >= 0) & (px < [camera.width_px, camera.height_px]), axis=1)
        inside &= camera.depth_mm(points) > 0
        references.append(
            {
                "kind": reference.kind,
                "name": reference.name,
                "colour": reference.colour,
                "size_mm": list(reference.size_mm),
                "thickness_mm": reference.thickness_mm,
                "table_T_reference": np.round(reference.table_T_reference, 9).tolist(),
                "in_picture": int(inside.sum()),
                "seen": int((found & inside).sum()),
                "covered": round(1 - float((found & inside).sum()) / max(1, int(inside.sum())), 4),
            }
        )
    return {
        "image_size_px": [camera.width_px, camera.height_px],
        "intrinsics": {
            "fx_px": camera.focal_px,
            "fy_px": camera.focal_px,
            "cx_px": (camera.width_px - 1) / 2,
            "cy_px": (camera.height_px - 1) / 2,
            "distortion": [k1, 0, 0, 0, 0],
        },
        "camera_T_table": camera.camera_T_table.tolist(),
        "table_level_mm": scene.plan.table_level_mm,
        "pitch_px": pitch_px(camera, scene.plan.target_mm),
        "references": references,
    }
