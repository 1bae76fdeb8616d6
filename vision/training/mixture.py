"""The endless mixture of training views from several sets of pictures."""

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
    """

    image: Path
    label: Path

    def read(self) -> tuple[Picture, Labels]:
        """Return the (H, W, 3) BGR picture and its labels.

        Raises:
            TrainingError: either file is missing or broken.
        """
        image = read_picture(self.image)
        height, width = image.shape[:2]
        return image, read_labels(self.label, width, height)


def list_examples(folder: Path, part: str) -> list[Example]:
    """List ``images/PART/*.jpg`` that have a label in ``labels/PART``; may be empty."""
    images = sorted((folder / "images" / part).glob("*.jpg"))
    pairs = [(image, folder / "labels" / part / (image.stem + ".txt")) for image in images]
    return [Example(image, label) for image, label in pairs if label.exists()]


@dataclass(frozen=True, slots=True)
class Source:
    """One set of training pictures.

    Attributes:
        examples: its pictures.
        share: how often it is drawn against the other sets.
        scale: lowest and highest magnification, drawn evenly in the logarithm.
        stretch: whether views may also be stretched: where the pictures were made square, their
            true proportions are lost anyway.
    """

    examples: list[Example]
    share: float
    scale: tuple[float, float]
    stretch: bool = False


@dataclass(frozen=True, slots=True)
class Mixture:
    """A numbered sequence of training views; view i is the same on every run.

    Attributes:
        sources: the sets; those without pictures are never drawn.
        count: number of views.
        seed: changes all views.
    """

    sources: tuple[Source, ...]
    count: int
    seed: int

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[Picture, Labels]:
        """Return view ``index``: a (320, 320, 3) BGR picture and its labels."""
        rng = np.random.default_rng((self.seed, index))
        sources = [source for source in self.sources if source.examples and source.share > 0]
        if not sources:
            raise TrainingError("mixture", "has no pictures to train on")
        odds = np.array([source.share for source in sources])
        source = sources[int(rng.choice(len(sources), p=odds / odds.sum()))]
        chosen = source.examples
        image, labels = chosen[int(rng.integers(len(chosen)))].read()
        return random_view(rng, image, labels, _scale(rng, source))


def _scale(rng: Generator, source: Source) -> tuple[float, float]:
    low, high = source.scale
    scale = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    aspect = float(np.exp(rng.uniform(-0.2, 0.2))) if source.stretch else 1.0
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
    kinds = np.concatenate([labels.kinds for labels in every])
    boxes = np.concatenate([labels.boxes for labels in every])
    points = np.concatenate([labels.points for labels in every])
    return pictures, owners, Labels(kinds, boxes, points)
