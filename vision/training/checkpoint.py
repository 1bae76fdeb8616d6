"""What a run leaves behind to go on from: its weights and those of the optimiser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vision.training.errors import TrainingError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


RUN = frozenset(("network", "average", "optimiser", "step"))
"""What a run of the detector keeps."""
AVERAGE, JUDGE = "average", "judge"
"""Keys of the weights that are used: of a run of the detector, and of the second look."""


def read_checkpoint(file: Path, *kinds: frozenset[str]) -> dict[str, Any]:
    """Read a checkpoint of tensors only.

    Args:
        file: the checkpoint.
        kinds: keys that one must have, one set or another; a run's unless given.

    Raises:
        TrainingError: the file is missing or holds something else.
    """
    import pickle

    import torch

    if not file.is_file():
        raise TrainingError(file, "is missing")
    try:
        kept: Any = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        raise TrainingError(file, "is not a checkpoint") from error
    if not isinstance(kept, dict) or not any(keys <= set(kept) for keys in kinds or (RUN,)):
        raise TrainingError(file, "is not a checkpoint of a run")
    return kept


def write_mean(files: Sequence[Path], out: Path) -> None:
    """Write the mean of the weights of several trainings that go back to one.

    Args:
        files: checkpoints, all of the detector or all of the second look; what else a run keeps is
            that of the first.
        out: a checkpoint of the same sort.

    Raises:
        TrainingError: there are fewer than two, one is no checkpoint, or they are of different
            networks.
    """
    import torch

    if len(files) < 2:
        raise TrainingError("mean", "needs two checkpoints or more")
    kept = [read_checkpoint(file, RUN, frozenset((JUDGE,))) for file in files]
    key = JUDGE if JUDGE in kept[0] else AVERAGE
    weights = [one.get(key, {}) for one in kept]
    for file, own in zip(files, weights, strict=True):
        if {n: v.shape for n, v in own.items()} != {n: v.shape for n, v in weights[0].items()}:
            raise TrainingError(file, f"is of another network than {files[0]}")
    mean = {
        name: torch.stack([own[name] for own in weights]).mean(0)
        if first.is_floating_point()
        else first
        for name, first in weights[0].items()
    }
    part = out.with_suffix(".part")
    torch.save({**kept[0], key: mean}, part)
    part.replace(out)
