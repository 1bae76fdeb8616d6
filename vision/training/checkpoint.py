"""What a run leaves behind to go on from: its weights and those of the optimiser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vision.training.errors import TrainingError

if TYPE_CHECKING:
    from pathlib import Path


RUN = frozenset(("network", "average", "optimiser", "step"))
"""What a run of the detector keeps."""


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

    try:
        kept: Any = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        raise TrainingError(file, "is not a checkpoint") from error
    if not isinstance(kept, dict) or not any(keys <= set(kept) for keys in kinds or (RUN,)):
        raise TrainingError(file, "is not a checkpoint of a run")
    return kept
