"""The sets of pictures a run is trained on, and how often each is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.training.errors import TrainingError
from vision.training.mixture import Example, Mixture, Source, list_examples

if TYPE_CHECKING:
    from pathlib import Path

RENDER_SHARE = 0.64
RENDER_SCALE = (0.5, 1.6)
COMPOSITE_SCALE = (0.5, 1.5)
PHOTOGRAPH_SCALE = (0.09, 0.6)
COMPOSITES_OF_REAL = 0.72
"""Of what is not rendered, the share of composites; the rest are whole photographs."""


def mix(
    renders: list[tuple[Path, float]],
    composites: Path | None,
    *,
    render_share: float,
    render_scale: tuple[float, float],
    count: int,
    seed: int,
) -> Mixture:
    """Mix rendered sets with composites and photographs.

    Args:
        renders: folders with ``images/train`` and ``labels/train``, each with what one of its
            pictures counts against one of another folder.
        composites: as ``collect`` writes it, None for renders only.
        render_share: share of views that are rendered.
        render_scale: lowest and highest magnification of renders.
        count: number of views.
        seed: changes all views.

    Raises:
        TrainingError: a folder has no labelled pictures.
    """
    found = [(_examples(folder), weight) for folder, weight in renders]
    pictures = sum(len(examples) * weight for examples, weight in found)
    if not pictures > 0:
        raise TrainingError("--renders", "weighs nothing")
    sources = [
        Source(examples, render_share * len(examples) * weight / pictures, render_scale)
        for examples, weight in found
    ]
    if composites is not None:
        real = 1 - render_share
        photographs = _examples(composites / "photographs")
        share = real * COMPOSITES_OF_REAL
        sources += [
            Source(_examples(composites), share, COMPOSITE_SCALE, stretch=True),
            Source(photographs, real - share, PHOTOGRAPH_SCALE, stretch=True),
        ]
    return Mixture(tuple(sources), count, seed)


def _examples(folder: Path) -> list[Example]:
    examples = list_examples(folder, "train")
    if not examples:
        raise TrainingError(folder, "has no images/train/*.jpg with labels")
    return examples
