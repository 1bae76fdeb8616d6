"""What the renderer knows of each picture, as its files say it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.camera import Intrinsics
from calibration.plane import Calibration
from vision.detection import BoxPx, PointPx
from vision.errors import BadSource

SizePx = tuple[int, int]


class TrueLens(BaseModel):
    """Of a truth file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    fx_px: float = Field(gt=0)
    fy_px: float = Field(gt=0)
    cx_px: float
    cy_px: float
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)


class TrueFigure(BaseModel):
    """Of a truth file; keypoints begin with the left and the right sole."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    kind: Literal["minifig", "playmobil", "animal", "vehicle"]
    box_px: BoxPx | None
    visible: float
    keypoints_px: tuple[PointPx, PointPx, PointPx, PointPx, PointPx]
    flags: tuple[int, int, int, int, int]
    facing_deg: float | None
    state: str
    base_centre_mm: tuple[float, float] | tuple[float, float, float] | None
    level_mm: float


class TrueHand(BaseModel):
    """Of a truth file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    box_px: BoxPx | None
    visible: float = 1.0


class TruePicture(BaseModel):
    """A truth file."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    image_size_px: tuple[int, int]
    intrinsics: TrueLens
    camera_T_table: tuple[
        tuple[float, float, float, float],
        tuple[float, float, float, float],
        tuple[float, float, float, float],
        tuple[float, float, float, float],
    ]
    light: str | None = None
    elevation_deg: float | None = None
    figures: tuple[TrueFigure, ...]
    hands: tuple[TrueHand, ...] | None = None

    @property
    def camera(self) -> Calibration:
        """How the picture's camera sees the true table frame."""
        lens = self.intrinsics
        return Calibration(
            "points",
            "truth",
            self.image_size_px,
            Intrinsics(lens.fx_px, lens.fy_px, lens.cx_px, lens.cy_px, lens.distortion),
            np.array(self.camera_T_table, dtype=np.float64),
        )


def read_truth(path: Path) -> TruePicture:
    """Read a truth file.

    Raises:
        BadSource: It cannot be read, or is no truth file.
    """
    try:
        return TruePicture.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadSource(str(path), f"cannot be read ({error.strerror})") from error
    except ValidationError as error:
        raise BadSource(str(path), fault_of(error)) from error


def fault_of(error: ValidationError) -> str:
    """What is wrong with a document, in one line."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"]) or "file"
    return f"{place}: {first['msg']}"


def truth_lines(path: Path) -> dict[str, Callable[[SizePx], TruePicture]]:
    """Pictures of an older set, which keeps its truth in one file, a line each.

    Args:
        path: May be missing.

    Returns:
        For each picture's name what gives its truth when it is told the picture's size.

    Raises:
        BadSource: A line cannot be used.
    """
    if not path.exists():
        return {}
    rows: dict[str, Callable[[SizePx], TruePicture]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            rows[str(row["image"])] = partial(_from_line, f"{path}:{number}", row)
        except (ValueError, KeyError, TypeError) as error:
            raise BadSource(f"{path}:{number}", "is no line of a truth file") from error
    return rows


def _from_line(name: str, row: dict[str, Any], size_px: SizePx) -> TruePicture:
    """An older line: minifigures only, no sizes, no flags, hands only counted."""
    width, height = size_px
    try:
        K = row["K"]
        document = {
            "image_size_px": (width, height),
            "intrinsics": {
                "fx_px": K[0][0], "fy_px": K[1][1], "cx_px": K[0][2], "cy_px": K[1][2],
            },
            "camera_T_table": row["camera_T_table"],
            "figures": [
                {
                    **figure,
                    "kind": "minifig",
                    "flags": [
                        int(-0.5 <= x < width - 0.5 and -0.5 <= y < height - 0.5)
                        for x, y in figure["keypoints_px"]
                    ],
                    "base_centre_mm": figure["position_mm"],
                }
                for figure in row["figures"]
            ],
        }  # fmt: skip
        return TruePicture.model_validate(document)
    except ValidationError as error:
        raise BadSource(name, fault_of(error)) from error
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise BadSource(name, "is no line of a truth file") from error
