"""The shipped detector, opened for following figures: faint finds count for those known."""

from __future__ import annotations

from pathlib import Path

from vision.onnx_detector import OnnxDetector, load_detector

FAINT_SHARE = 0.5
"""A find of this share of the threshold may be a known figure that lies or is half hidden."""


def load_faint_detector(model: Path | None = None) -> tuple[OnnxDetector, float]:
    """Load a detector that also shows what its threshold would leave out.

    Args:
        model: ONNX file; None for the shipped one.

    Returns:
        The detector, and the score from which its finds are sure: ``sure_score`` of a pipeline.

    Raises:
        BadSource: Missing, damaged, or not what its card says.
    """
    threshold = load_detector(model).threshold
    return load_detector(model, FAINT_SHARE * threshold), threshold
