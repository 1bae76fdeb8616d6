"""The endless mixture of training views: renders, composites and photographs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from vision.training.errors import TrainingError
from vision.training.labels import Labels, no_labels, read_labels
from vision.training.pictures import read_picture
from vision.training.views import random_view

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.random import Generator
    from numpy.typing import NDArray

    Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled picture on disk.

    Attributes:
        image: the picture file.
        label: its label file.
        kind: ``render``, ``composite`` or ``photograph``.
    """

    image: Path
    label: Path
    kind: str

    def read(self) -> tuple[Picture, Labels]:
        """Return the (H, W, 3) BGR picture and its labels.

        Raises:
            TrainingError: either file is missing or broken.
        """
        image = read_picture(self.image)
        height, width = image.shape[:2]
        return image, read_labels(self.label, width, height)


def list_examples(folder: Path, part: str, kind: str) -> list[Example]:
    """List ``images/PART/*.jpg`` that have a label in ``labels/PART``; may be empty."""
    images = sorted((folder / "images" / part).glob("*.jpg"))
    pairs = [(image, folder / "labels" / part / (image.stem + ".txt")) for image in images]
    return [Example(image, label, kind) for image, label in pairs if label.exists()]


@dataclass(frozen=True, slots=True)
class Mixture:
    """A numbered sequence of training views; view i is the same on every run.

    Attributes:
        examples: the pictures of each kind.
        shares: how often each kind is drawn; kinds without pictures are left out.
        scales: lowest and highest magnification of each kind, drawn evenly in the logarithm.
        count: number of views.
        seed: changes all views.
    """

    examples: dict[str, list[Example]]
    shares: dict[str, float]
    scales: dict[str, tuple[float, float]]
    count: int
    seed: int

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[Picture, Labels]:
        """Return view ``index``: a (320, 320, 3) BGR picture and its labels."""
        rng = np.random.default_rng((self.seed, index))
        kinds = [kind for kind in sorted(self.shares) if self.examples.get(kind)]
        if not kinds:
            raise TrainingError("mixture", "has no pictures to train on")
        odds = np.array([self.shares[kind] for kind in kinds])
        kind = kinds[int(rng.choice(len(kinds), p=odds / odds.sum()))]
        chosen = self.examples[kind]
        image, labels = chosen[int(rng.integers(len(chosen)))].read()
        return random_view(rng, image, labels, self._scale(rng, kind))

    def _scale(self, rng: Generator, kind: str) -> tuple[float, float]:
        low, high = self.scales[kind]
        scale = float(np.exp(rng.uniform(np.log(low), np.log(high))))
        # Photographs of the set were stretched to a square: their true proportions are lost.
        aspect = float(np.exp(rng.uniform(-0.2, 0.2))) if kind != "render" else 1.0
        return scale * aspect, scale / aspect


def to_batch(
    views: list[tuple[Picture, Labels]],
) -> tuple[NDArray[np.uint8], NDArray[np.int64], Labels]:
    """Stack views for the network.

    Args:
        views: pictures (S, S, 3) BGR with labels.

    Returns:
        Pictures (B, 3, S, S) uint8 RGB; for each figure the number of its view; all labels.
    """
    pictures = np.stack([np.ascontiguousarray(v[..., ::-1].transpose(2, 0, 1)) for v, _ in views])
    owners = np.concatenate(
        [np.full(len(labels), i, np.int64) for i, (_, labels) in enumerate(views)]
    )
    every = [labels for _, labels in views if len(labels)] or [no_labels()]
    boxes = np.concatenate([labels.boxes for labels in every])
    points = np.concatenate([labels.points for labels in every])
    return pictures, owners, Labels(boxes, points)
