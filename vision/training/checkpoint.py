"""What a run leaves behind to go on from: its weights and those of the optimiser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from vision.training.errors import TrainingError

if TYPE_CHECKING:
    from pathlib import Path


def read_checkpoint(file: Path) -> dict[str, Any]:
    """Read a checkpoint of tensors only.

    Raises:
        TrainingError: the file is missing or holds something else.
    """
    import pickle

    import torch

    try:
        kept: Any = torch.load(file, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, EOFError, ValueError, pickle.UnpicklingError) as error:
        raise TrainingError(file, "is not a checkpoint") from error
    if not isinstance(kept, dict) or not {"network", "average", "optimiser", "step"} <= set(kept):
        raise TrainingError(file, "is not a checkpoint of a run")
    return kept
