"""The network: yolov5n's backbone and neck with a keypoint head, and its start weights."""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from vision.families import KINDS
from vision.training.errors import TrainingError
from vision.training.labels import FAMILIES, KEYPOINTS

RECIPE = Path(__file__).resolve().parents[2] / "models" / "yolov5n-pose.yaml"
"""The layers; a data file beside the weights, since it describes them."""

POINT_CHANNELS = 48
"""Width of the keypoint branch; the library derives 16 here, too few to place soles well."""

HEAD = "model.24"
"""Name of the head among the layers."""

BRANCH = f"{HEAD}.cv3."
"""Start of the names of the branch that tells the kinds apart."""

KIND_CHANNELS = re.compile(r"model\.\d+\.(one2one_)?cv3\.\d+\.2\.(weight|bias)")
"""Names of the channels of that branch that are one a kind, in this network and in others."""

NEW_BIAS = -4.6
"""Of a new kind's channel: a chance of one in a hundred. At the library's own prior, one in six
thousand, 750 updates had taught it nothing."""

GAINS = {"box": 7.5, "cls": 0.5, "dfl": 1.5, "pose": 12.0, "kobj": 1.0, "rle": 1.0}
"""Weights of the library's losses, its defaults; the last three only where its own keypoint loss
is used."""


def build_network(kinds: int = len(KINDS), recipe: Path | str = RECIPE) -> Any:
    """Build the untrained network.

    Args:
        kinds: how many kinds it tells apart, the first ones of ``KINDS``.
        recipe: the layers as ultralytics reads them: a file, or the name of one of its own.

    Returns:
        A torch module in float32 with ``args`` set for the loss.

    Raises:
        TrainingError: the recipe is missing.
    """
    os.environ.setdefault("YOLO_OFFLINE", "true")  # no look-ups of hosts at import
    os.environ.setdefault("YOLO_VERBOSE", "false")  # its remarks would go to stdout
    from torch import nn
    from ultralytics.nn.modules import Conv
    from ultralytics.nn.tasks import PoseModel

    if isinstance(recipe, Path) and not recipe.exists():
        raise TrainingError(recipe, "is missing")
    shape = (len(KEYPOINTS), 3)
    network = PoseModel(str(recipe), ch=3, nc=kinds, data_kpt_shape=shape, verbose=False)
    network.args = SimpleNamespace(**GAINS)
    head = network.model[-1]
    if is_end_to_end(network):
        return network  # its keypoint branch is another, and part of what is compared
    head.cv4 = nn.ModuleList(
        nn.Sequential(
            Conv(branch[0].conv.in_channels, POINT_CHANNELS, 3),
            Conv(POINT_CHANNELS, POINT_CHANNELS, 3),
            nn.Conv2d(POINT_CHANNELS, head.nk, 1),
        )
        for branch in head.cv4
    )
    for layer in head.cv4.modules():
        if isinstance(layer, nn.BatchNorm2d):
            layer.eps, layer.momentum = 1e-3, 0.03  # as the library sets its own
    return network


def expect_kinds(network: Any) -> None:
    """Let an untrained network take every kind for as likely as ``NEW_BIAS`` says."""
    import torch

    with torch.no_grad():
        for name, channels in network.named_parameters():
            if is_of_kinds(name) and name.endswith("bias"):
                channels.fill_(NEW_BIAS)


def is_end_to_end(network: Any) -> bool:
    """Return whether a network has a second head that gives each figure one box."""
    return getattr(network.model[-1], "one2one_cv2", None) is not None


def train_mode(network: Any, only_kinds: bool) -> None:
    """Set what learns: everything, or nothing but the branch that tells the kinds apart.

    Args:
        network: as from ``build_network``.
        only_kinds: whether the rest keeps its weights and its means and variances.
    """
    from torch import nn

    network.train()
    if not only_kinds:
        return
    for name, parameter in network.named_parameters():
        parameter.requires_grad = name.startswith(BRANCH)
    for name, layer in network.named_modules():
        if isinstance(layer, nn.BatchNorm2d) and not name.startswith(BRANCH):
            layer.eval()


def is_of_kinds(name: str) -> bool:
    """Return whether a layer's parameter is of the channels that tell the kinds apart."""
    return KIND_CHANNELS.fullmatch(name) is not None


def kinds_of(averages: dict[str, Any], file: Path) -> int:
    """Return how many kinds a run's network tells apart.

    Args:
        averages: its averaged weights by name.
        file: where they came from.

    Raises:
        TrainingError: they are of no such network.
    """
    for name, channels in averages.items():
        if KIND_CHANNELS.fullmatch(name):
            return len(channels)
    raise TrainingError(file, "is of a network with other layers")


def load_averages(network: Any, averages: dict[str, Any], file: Path) -> None:
    """Put a run's averaged weights into the network, also of a run that knew fewer kinds.

    The head gives each kind one channel. The channels of the kinds that the run knew are kept. A
    new kind starts as a copy of a known one of its family, and otherwise where everything is
    equally improbable.

    Args:
        network: as from ``build_network``.
        averages: the weights by name.
        file: where they came from.

    Raises:
        TrainingError: they fit no network of these layers.
    """
    own = network.state_dict()
    fitting = dict(averages)
    for branch in range(len(network.model[-1].cv3)):
        for part in ("weight", "bias"):
            name = f"{HEAD}.cv3.{branch}.2.{part}"
            old, fresh = averages.get(name), own[name].clone()
            if old is None or old.shape[1:] != fresh.shape[1:] or len(old) > len(fresh):
                raise TrainingError(file, f"array {name} fits no layer")
            fresh[: len(old)] = old
            for kind in range(len(old), len(fresh)):
                alike = np.flatnonzero(FAMILIES[: len(old)] == FAMILIES[kind])
                if len(alike):
                    fresh[kind] = old[int(alike[0])]
                else:
                    fresh[kind] = NEW_BIAS if part == "bias" else 0
            fitting[name] = fresh
    try:
        network.load_state_dict(fitting)
    except RuntimeError as error:
        raise TrainingError(file, "is of a network with other layers") from error


def load_start_weights(network: Any, file: Path) -> int:
    """Put the arrays of an ``.npz`` into the network's layers of the same names.

    Args:
        network: as from ``build_network``.
        file: arrays named as in the network's state, any float width.

    Returns:
        How many arrays were loaded.

    Raises:
        TrainingError: the file is unreadable, or an array has no layer of its name and shape.
    """
    import torch

    try:
        with np.load(file, allow_pickle=False) as arrays:
            stored = {name: arrays[name] for name in arrays.files}
    except (OSError, ValueError) as error:
        raise TrainingError(file, "is not an .npz of arrays") from error
    own = network.state_dict()
    for name, array in stored.items():
        if name not in own or tuple(own[name].shape) != array.shape:
            raise TrainingError(file, f"array {name} fits no layer")
        own[name] = torch.from_numpy(np.array(array)).to(own[name].dtype)
    network.load_state_dict(own)
    return len(stored)
