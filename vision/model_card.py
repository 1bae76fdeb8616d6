"""What stands beside a model file: its classes, keypoints, input, thresholds and hash."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from vision.errors import BadSource


class ModelInput(BaseModel):
    """What the network looks at.

    Attributes:
        size_px: Side of the square.
        padding: Grey that fills what a smaller picture leaves.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    size_px: int = Field(ge=32, multiple_of=32)
    padding: int = Field(default=114, ge=0, le=255)


class SecondLookCard(BaseModel):
    """Settings of the network that takes a second look at single finds.

    Attributes:
        model: Name of its file, beside the card.
        sha256: Of the file.
        labels: Names in the order of the output; the row beyond them is the chance that it is
            nothing.
        keypoints: Names of what it places, in the order of the output.
        size_px: Side of the square it looks at.
        margin: Side of the square in the picture, as a multiple of the find's longer side.
        least_score: What the detector proposes with a lower score gets no look.
        weight: Of its judgement against the detector's score, as an exponent: 1 = alone.
        box_weight: Of its boxes against the detector's: 1 = alone, 0 = it gives none.
        point_weight: Of its keypoints likewise.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    model: str = Field(pattern=r"^[A-Za-z0-9_-]+\.onnx$")
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    labels: tuple[str, ...] = Field(min_length=1)
    size_px: int = Field(ge=16, le=512)
    margin: float = Field(gt=1, le=4)
    least_score: float = Field(gt=0, lt=1)
    weight: float = Field(gt=0, le=1)
    keypoints: tuple[str, ...] = ()
    box_weight: float = Field(default=0, ge=0, le=1)
    point_weight: float = Field(default=0, ge=0, le=1)

    @property
    def places(self) -> bool:
        """Whether it says where things are, beside what they are."""
        return bool(self.keypoints) or self.box_weight > 0

    @property
    def rows(self) -> int:
        """Numbers the network gives for each find."""
        where = 4 + 2 * len(self.keypoints) if self.places else 0
        return len(self.labels) + 1 + where

    def read(self, path: Path) -> bytes:
        """Read its weights and check that they are the card's.

        Raises:
            BadSource: Missing, or another file than the card speaks of.
        """
        return _read(path, self.sha256)


class ModelCard(BaseModel):
    """Settings that belong to one set of weights.

    Attributes:
        labels: Class names in the order of the output.
        keypoints: Keypoint names in the order of the output.
        input: The square it looks at.
        sha256: Of the weights.
        threshold: Detections under it are not shown.
        nms_iou: Boxes that overlap more are the same figure.
        keypoint_threshold: Keypoints under it are left out.
        second_look: The network that judges what this one proposes, None without one.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    labels: tuple[str, ...] = Field(min_length=1)
    keypoints: tuple[str, ...] = ()
    input: ModelInput
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    threshold: float = Field(gt=0, lt=1)
    nms_iou: float = Field(default=0.5, gt=0, lt=1)
    keypoint_threshold: float = Field(default=0.3, ge=0, lt=1)
    second_look: SecondLookCard | None = None

    @property
    def rows(self) -> int:
        """Numbers the network gives for each candidate."""
        return 4 + len(self.labels) + 3 * len(self.keypoints)


def read_card(path: Path) -> ModelCard:
    """Read a card.

    Raises:
        BadSource: Missing, or not a card.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadSource(str(path), "model card cannot be read") from error
    try:
        return ModelCard.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "file"
        raise BadSource(str(path), f"model card: {place}: {first['msg']}") from error


def read_weights(path: Path, card: ModelCard) -> bytes:
    """Read weights and check that they are the card's.

    Raises:
        BadSource: Missing, or another file than the card speaks of.
    """
    return _read(path, card.sha256)


def digest(model: Path) -> str:
    """SHA-256 of everything that finds figures: a model, and the second look that its card names.

    Raises:
        BadSource: The model or its card is missing or damaged.
    """
    card = read_card(model.with_suffix(".json"))
    everything = hashlib.sha256(read_weights(model, card))
    if card.second_look is not None:
        everything.update(card.second_look.read(model.with_name(card.second_look.model)))
    return everything.hexdigest()


def _read(path: Path, sha256: str) -> bytes:
    try:
        weights = path.read_bytes()
    except OSError as error:
        raise BadSource(str(path), f"model cannot be read ({error.strerror})") from error
    if hashlib.sha256(weights).hexdigest() != sha256:
        raise BadSource(str(path), "model is damaged or not the one its card describes")
    return weights
