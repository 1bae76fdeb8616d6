"""Write the network as ONNX with a settings file that says how to use it."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from vision.families import KINDS
from vision.training.checkpoint import read_checkpoint
from vision.training.errors import TrainingError
from vision.training.labels import KEYPOINTS
from vision.training.network import build_network, kinds_of, load_averages
from vision.training.views import SIZE_PX

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

NAME = "detector"
INPUT, OUTPUT = "images", "figures"
OPSET = 18
NMS_IOU = 0.5
"""Boxes of one family that overlap more are the same thing."""


def export(checkpoint: Path, out: Path, threshold: float, trained: str, plans: list[Path]) -> Path:
    """Write ``detector.onnx`` and ``detector.json``.

    Args:
        checkpoint: a run's ``last.pt``; its averaged weights are used.
        out: the folder for both files.
        threshold: the shipped score threshold.
        trained: date of the training, YYYY-MM-DD.
        plans: the runs' ``plan.json``, in order, kept in the settings.

    Returns:
        The ONNX file.

    Raises:
        TrainingError: the checkpoint or a plan cannot be read.
    """
    averages = read_checkpoint(checkpoint)["average"]
    kinds = kinds_of(averages, checkpoint)
    network = build_network(kinds)
    load_averages(network, averages, checkpoint)
    stages: list[Any] = []
    for plan in plans:
        try:
            stages.append(json.loads(plan.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise TrainingError(plan, "is not a plan") from error
    out.mkdir(parents=True, exist_ok=True)
    file = out / f"{NAME}.onnx"
    write_onnx(network, file)
    settings = describe(file, KINDS[:kinds], threshold, trained, stages)
    text = json.dumps(settings, indent=1) + "\n"
    (out / f"{NAME}.json").write_text(text, encoding="utf-8")
    return file


def write_onnx(network: Any, file: Path) -> None:
    """Fuse, trace and write a network with a free batch size, without suppression in the graph."""
    import torch

    network = network.float().eval().fuse(verbose=False)
    for parameter in network.parameters():
        parameter.requires_grad = False
    head = network.model[-1]
    head.export, head.format = True, "onnx"
    pictures = torch.zeros(2, 3, SIZE_PX, SIZE_PX)
    network(pictures)
    torch.onnx.export(
        network,
        (pictures,),
        str(file),
        input_names=[INPUT],
        output_names=[OUTPUT],
        dynamic_axes={INPUT: {0: "batch"}, OUTPUT: {0: "batch"}},
        opset_version=OPSET,
        dynamo=False,
    )


def describe(
    file: Path, labels: Sequence[str], threshold: float, trained: str, stages: list[Any]
) -> dict[str, Any]:
    """Return the settings document of an ONNX file.

    Args:
        file: the ONNX file.
        labels: the kinds it tells apart, in order.
        threshold: the shipped score threshold.
        trained: date of the training.
        stages: the settings of its runs.
    """
    rows = ["centre_x", "centre_y", "width", "height", *labels]
    rows += [f"{point}_{value}" for point in KEYPOINTS for value in ("x", "y", "seen")]
    return {
        "model": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "labels": list(labels),
        "keypoints": list(KEYPOINTS),
        "input": {
            "name": INPUT,
            "size_px": SIZE_PX,
            "layout": "batch, channel, row, column",
            "channels": "RGB",
            "range": [0, 1],
            "padding": 114,
        },
        "output": {"name": OUTPUT, "rows": rows, "pixels": "the first pixel spans 0 to 1"},
        "strides": [8, 16, 32],
        "threshold": threshold,
        "nms_iou": NMS_IOU,
        "trained": trained,
        "training": stages,
    }
