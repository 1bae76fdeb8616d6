"""Lenses measured before, kept in a file for each camera and resolution."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, ValidationError

from calibration.camera import Intrinsics
from calibration.errors import BadReference
from calibration.files import write_whole
from calibration.plane import Calibration
from calibration.store import IntrinsicsModel, Number, StrictModel

FILE_NAME = "lenses.json"
WORTH_FOCAL, WORTH_K1 = 0.03, 0.05
"""A lens less sure than this is not worth keeping."""

LEAST_FOCAL_DOUBT, LEAST_K1_DOUBT = 0.002, 0.003
"""No kept lens is believed to be surer: it is refocused, and warms up."""

APART = 4.0
"""Sigmas; lenses that differ by more are two different ones: zoomed, or another camera."""


class _LensModel(StrictModel):
    """One entry of the file."""

    camera: Annotated[str, Field(min_length=1, max_length=400)]
    image_size_px: tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]]
    intrinsics: IntrinsicsModel
    focal_doubt: Annotated[Number, Field(gt=0, le=1)]
    k1_doubt: Annotated[Number, Field(gt=0, le=10)]
    source: Annotated[str, Field(max_length=200)] = ""


class _FileModel(StrictModel):
    """The whole file."""

    schema_version: Literal[1]
    lenses: list[_LensModel]


def measured_lens(calibration: Calibration) -> Intrinsics | None:
    """The lens that a calibration found out, with its doubt.

    Args:
        calibration: From one picture, its lens free.

    Returns:
        The lens; None where the picture tells too little of it to be worth keeping.
    """
    covariance = calibration.covariance
    if len(covariance) != 8:
        return None
    lens = calibration.intrinsics
    focal = float(np.sqrt(max(covariance[6, 6], 0.0))) / lens.fx_px
    k1 = float(np.sqrt(max(covariance[7, 7], 0.0)))
    if not (0 < focal < WORTH_FOCAL and 0 < k1 < WORTH_K1):
        return None
    return replace(
        lens, focal_doubt=max(focal, LEAST_FOCAL_DOUBT), k1_doubt=max(k1, LEAST_K1_DOUBT)
    )


def alike(first: Intrinsics, second: Intrinsics) -> bool:
    """Whether two measured lenses may be the same one."""
    focal = abs(float(np.log(first.fx_px / second.fx_px)))
    bend = abs(first.distortion[0] - second.distortion[0])
    return bool(
        focal <= APART * np.hypot(first.focal_doubt, second.focal_doubt)
        and bend <= APART * np.hypot(first.k1_doubt, second.k1_doubt)
    )


@dataclass(frozen=True, slots=True)
class LensStore:
    """The file of known lenses.

    A file that cannot be understood is never written over: what somebody has measured is not lost
    by a slip in it.

    Attributes:
        path: The file; it need not exist yet.
    """

    path: Path

    def find(self, camera: str, image_size_px: tuple[int, int]) -> Intrinsics | None:
        """The lens of a camera at a resolution, None when it is not known.

        Raises:
            BadReference: The file cannot be read or understood.
        """
        for one in self._read().lenses:
            if one.camera == camera and one.image_size_px == image_size_px:
                lens = one.intrinsics
                return Intrinsics(
                    lens.fx_px, lens.fy_px, lens.cx_px, lens.cy_px, lens.distortion,
                    one.focal_doubt, one.k1_doubt,
                )  # fmt: skip
        return None

    def keep(
        self, camera: str, image_size_px: tuple[int, int], lens: Intrinsics, source: str
    ) -> bool:
        """Keep a lens, unless a surer one that agrees is kept already.

        Args:
            camera: Name of the camera.
            image_size_px: Width and height of its pictures.
            lens: With its doubt.
            source: What it was measured by.

        Returns:
            Whether it was kept.

        Raises:
            BadReference: The file cannot be read, understood or written.
        """
        known = self.find(camera, image_size_px)
        if known is not None and alike(known, lens) and known.focal_doubt <= lens.focal_doubt:
            return False
        entry = _LensModel(
            camera=camera,
            image_size_px=image_size_px,
            intrinsics=IntrinsicsModel(
                fx_px=lens.fx_px, fy_px=lens.fy_px, cx_px=lens.cx_px, cy_px=lens.cy_px,
                distortion=lens.distortion,
            ),
            focal_doubt=lens.focal_doubt,
            k1_doubt=lens.k1_doubt,
            source=source,
        )  # fmt: skip
        others = [
            one
            for one in self._read().lenses
            if (one.camera, one.image_size_px) != (camera, image_size_px)
        ]
        tree = _FileModel(schema_version=1, lenses=[*others, entry]).model_dump(mode="json")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(self.path, (json.dumps(tree, indent=1, allow_nan=False) + "\n").encode())
        except OSError as error:
            raise BadReference(str(self.path), f"cannot be written ({error.strerror})") from error
        return True

    def _read(self) -> _FileModel:
        name = str(self.path)
        try:
            text = self.path.read_text(encoding="utf-8-sig")
        except FileNotFoundError:
            return _FileModel(schema_version=1, lenses=[])
        except OSError as error:
            raise BadReference(name, f"cannot be read ({error.strerror})") from error
        except ValueError as error:
            raise BadReference(name, "is not a text file; move it away to begin anew") from error
        try:
            return _FileModel.model_validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"])
            what = " ".join(first["msg"].split())
            raise BadReference(
                name,
                f"is no file of lenses ({where + ': ' if where else ''}{what}); "
                "mend it, or move it away to begin anew",
            ) from error
