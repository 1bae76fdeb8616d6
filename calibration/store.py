"""Calibration files: the document that ``calibrate`` prints, and what ``map`` needs besides."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from calibration.camera import Intrinsics
from calibration.errors import BadReference
from calibration.files import write_whole
from calibration.plane import SCHEMA_VERSION, Calibration, Studs
from calibration.quality import sigma_summary

Number = Annotated[float, Field(allow_inf_nan=False)]
Row3 = tuple[Number, Number, Number]
Row4 = tuple[Number, Number, Number, Number]
Matrix3 = tuple[Row3, Row3, Row3]
Matrix4 = tuple[Row4, Row4, Row4, Row4]

_AGREE: Final = 0.03
"""Share of the camera's distance by which two ways to the same place may differ."""


class StrictModel(BaseModel):
    """Numbers stay numbers; what later versions add is passed over."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class IntrinsicsModel(StrictModel):
    """Lens block of a calibration document."""

    fx_px: Annotated[Number, Field(gt=0)]
    fy_px: Annotated[Number, Field(gt=0)]
    cx_px: Number
    cy_px: Number
    distortion: tuple[Number, Number, Number, Number, Number] = (0.0, 0.0, 0.0, 0.0, 0.0)
    focal_doubt: Annotated[Number, Field(ge=0, le=1)] = 0.0
    k1_doubt: Annotated[Number, Field(ge=0, le=10)] = 0.0


class StudsModel(StrictModel):
    """Stud block of a calibration document."""

    count: Annotated[int, Field(ge=0)]
    pitch_mm: Annotated[Number, Field(gt=0)]


class DoubtModel(StrictModel):
    """What ``map`` and ``measure`` need for their sigma."""

    covariance: list[list[Number]]
    scale_sigma: Annotated[Number, Field(ge=0)] = 0.0
    outline_px: list[tuple[Number, Number]] = []
    pose_H_image: Matrix3 | None = None

    @model_validator(mode="after")
    def _square(self) -> Self:
        count = len(self.covariance)
        if count not in (6, 8) or any(len(row) != count for row in self.covariance):
            raise ValueError("covariance must be 6 x 6 or 8 x 8")
        matrix = np.array(self.covariance)
        loose = 1e-6 * float(np.abs(matrix).max())
        if np.abs(matrix - matrix.T).max() > loose or np.diag(matrix).min() < 0:
            raise ValueError("covariance must be symmetric with no negative variance")
        return self


class CalibrationModel(StrictModel):
    """A whole calibration file."""

    schema_version: int
    reference: str
    origin: str
    image_size_px: tuple[Annotated[int, Field(gt=0)], Annotated[int, Field(gt=0)]]
    size_mm: tuple[Annotated[Number, Field(gt=0)], Annotated[Number, Field(gt=0)]] | None = None
    intrinsics: IntrinsicsModel
    table_H_image: Matrix3 | None = None
    camera_T_table: Matrix4
    rms_px: Annotated[Number, Field(ge=0)] = 0.0
    reference_plane_mm: Number = 0.0
    studs: StudsModel | None = None
    assumed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    doubt: DoubtModel | None = None

    @model_validator(mode="after")
    def _proper(self) -> Self:
        if self.schema_version != SCHEMA_VERSION:
            raise ValueError(f"schema_version {self.schema_version} is not known")
        pose = np.array(self.camera_T_table)
        rotation = pose[:3, :3]
        turned = np.abs(rotation @ rotation.T - np.eye(3)).max() < 1e-4
        if not turned or np.linalg.det(rotation) < 0 or np.abs(pose[3] - [0, 0, 0, 1]).max() > 0:
            raise ValueError("camera_T_table is no pose")
        if self.table_H_image is not None and not self._agree(pose, np.array(self.table_H_image)):
            raise ValueError("table_H_image and camera_T_table contradict each other")
        return self

    def _agree(self, pose: NDArray[np.float64], table_H_image: NDArray[np.float64]) -> bool:
        """Whether both lead from pixels to the same places of the table."""
        lens = self.intrinsics
        matrix = np.array([[lens.fx_px, 0, lens.cx_px], [0, lens.fy_px, lens.cy_px], [0, 0, 1]])
        mend = self.doubt.pose_H_image if self.doubt is not None else None
        straight = np.eye(3) if mend is None else np.array(mend)
        if abs(np.linalg.det(straight)) < 1e-12:
            return False
        back = table_H_image @ np.linalg.inv(straight) @ matrix @ pose[:3, [0, 1, 3]]
        size = float(np.linalg.norm(pose[:3, 3]))
        places = np.array([[0, 0, 1], [size / 4, 0, 1], [0, size / 4, 1]])
        found = back @ places.T
        if np.abs(found[2]).min() < 1e-12:
            return False
        off = np.hypot(*(found[:2] / found[2] - places.T[:2]))
        # A file that is not whole lacks the mending, which is small.
        return bool(off.max() < _AGREE * size)


def _rows(matrix: NDArray[np.float64]) -> list[list[float]]:
    """Nested lists of floats, without negative zeros."""
    return [[float(value) + 0.0 for value in row] for row in matrix]


def document(calibration: Calibration) -> dict[str, Any]:
    """The calibration as other programs read it.

    Args:
        calibration: What to tell.

    Returns:
        A tree ready for JSON; unknown values are None.
    """
    lens = calibration.intrinsics
    studs = calibration.studs
    return {
        "ok": True,
        "schema_version": calibration.schema_version,
        "reference": calibration.reference,
        "origin": calibration.origin,
        "image_size_px": list(calibration.image_size_px),
        "size_mm": list(calibration.size_mm) if calibration.size_mm else None,
        "intrinsics": {
            "fx_px": float(lens.fx_px),
            "fy_px": float(lens.fy_px),
            "cx_px": float(lens.cx_px),
            "cy_px": float(lens.cy_px),
            "distortion": [float(term) for term in lens.distortion],
        },
        "table_H_image": _rows(calibration.table_H_image),
        "camera_T_table": _rows(calibration.camera_T_table),
        "rms_px": round(float(calibration.rms_px), 4),
        "sigma_mm": sigma_summary(calibration),
        "reference_plane_mm": float(calibration.reference_plane_mm),
        "studs": {"count": studs.count, "pitch_mm": studs.pitch_mm} if studs else None,
        "assumed": list(calibration.assumed),
        "warnings": list(calibration.warnings),
    }


def whole_document(calibration: Calibration) -> dict[str, Any]:
    """The document and what ``map`` and ``measure`` need besides, as :func:`parse` reads it."""
    mend = calibration.pose_H_image
    doubt = {
        "covariance": _rows(calibration.covariance),
        "scale_sigma": calibration.scale_sigma,
        "outline_px": _rows(calibration.outline_px),
        "pose_H_image": None if mend is None else _rows(mend),
    }
    return {**document(calibration), "doubt": doubt}


def save(calibration: Calibration, path: Path | str) -> None:
    """Write a calibration file, whole or not at all.

    Args:
        calibration: What to keep.
        path: The file; replaced if it exists.

    Raises:
        BadReference: It cannot be written.
    """
    text = json.dumps(whole_document(calibration), indent=1, allow_nan=False) + "\n"
    try:
        write_whole(Path(path), text.encode())
    except OSError as error:
        raise BadReference(str(path), f"cannot be written ({error.strerror})") from error


def _fault(error: ValidationError) -> str:
    """The first fault of a document, in one line."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    what = " ".join(first["msg"].removeprefix("Value error, ").split())
    return f"is no calibration file: {where + ': ' if where else ''}{what}"


def _read(path: Path | str) -> str:
    """Text of a file.

    Raises:
        BadReference: It cannot be read.
    """
    try:
        return Path(path).read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise BadReference(str(path), "no such file") from error
    except OSError as error:
        raise BadReference(str(path), f"cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise BadReference(str(path), "is not a text file") from error


def parse(text: str, name: str) -> Calibration:
    """Read the text of a calibration file.

    A file without the ``doubt`` block (what ``calibrate --json`` prints) gives positions and
    only the pixel's own part of sigma, and says so in its warnings.

    Args:
        text: JSON.
        name: Where it comes from, for errors.

    Raises:
        BadReference: It is no calibration.
    """
    try:
        model = CalibrationModel.model_validate_json(text)
    except ValidationError as error:
        raise BadReference(name, _fault(error)) from error
    lens = model.intrinsics
    warnings = model.warnings
    if model.doubt is None:
        warnings += ("the file does not say how sure it is; sigma counts the pixel alone",)
    doubt = model.doubt or DoubtModel(covariance=np.zeros((6, 6)).tolist())
    return Calibration(
        reference=model.reference,
        origin=model.origin,
        image_size_px=model.image_size_px,
        intrinsics=Intrinsics(lens.fx_px, lens.fy_px, lens.cx_px, lens.cy_px, lens.distortion),
        camera_T_table=np.array(model.camera_T_table),
        size_mm=model.size_mm,
        rms_px=model.rms_px,
        covariance=np.array(doubt.covariance),
        scale_sigma=doubt.scale_sigma,
        reference_plane_mm=model.reference_plane_mm,
        studs=Studs(model.studs.count, model.studs.pitch_mm) if model.studs else None,
        assumed=model.assumed,
        warnings=warnings,
        outline_px=np.array(doubt.outline_px, dtype=np.float64).reshape(-1, 2),
        pose_H_image=None if doubt.pose_H_image is None else np.array(doubt.pose_H_image),
        schema_version=model.schema_version,
    )


def load(path: Path | str) -> Calibration:
    """Read a calibration file.

    Args:
        path: The file.

    Raises:
        BadReference: It cannot be read or is no calibration.
    """
    return parse(_read(path), str(path))


class _LensFile(StrictModel):
    """An intrinsics file: the lens block, bare or under ``intrinsics``."""

    image_size_px: tuple[int, int] | None = None
    intrinsics: IntrinsicsModel
    kind: Literal["lens"] = "lens"


def load_intrinsics(path: Path | str, image_size_px: tuple[int, int]) -> Intrinsics:
    """Read the lens from a calibration file or a file with the lens block alone.

    Args:
        path: The file.
        image_size_px: Width and height of the pictures; a lens measured at another size of the
            same shape is scaled.

    Raises:
        BadReference: It cannot be read, is no lens, or belongs to pictures of another shape.
    """
    name = str(path)
    try:
        tree = json.loads(_read(path))
    except ValueError as error:
        raise BadReference(name, "is not JSON") from error
    except RecursionError as error:
        raise BadReference(name, "is nested too deeply") from error
    if isinstance(tree, dict) and "intrinsics" not in tree:
        tree = {"intrinsics": tree, "image_size_px": tree.get("image_size_px")}
    try:
        model = _LensFile.model_validate_json(json.dumps(tree))
    except ValidationError as error:
        raise BadReference(name, _fault(error).replace("calibration", "intrinsics")) from error
    lens = model.intrinsics
    ratio = 1.0
    if model.image_size_px is not None:
        width, height = model.image_size_px
        ratio = image_size_px[0] / width
        if abs(height * ratio - image_size_px[1]) > 1.5:
            raise BadReference(
                name,
                f"is for pictures of {width} x {height} px, not "
                f"{image_size_px[0]} x {image_size_px[1]}",
            )
    return Intrinsics(
        lens.fx_px * ratio,
        lens.fy_px * ratio,
        lens.cx_px * ratio,
        lens.cy_px * ratio,
        lens.distortion,
        lens.focal_doubt,
        lens.k1_doubt,
    )
