"""Take the weights of a written ONNX file back, so that training can go on without its checkpoint.

What was written has its batch normalisation folded into the convolutions. Here each convolution is
given channels of spread one again and a normalisation that undoes that, from what the channels are
on pictures: the network answers as before, and learns as one that was never folded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from vision.training.checkpoint import AVERAGE, JUDGE
from vision.training.errors import TrainingError
from vision.training.judge import MARGIN, SIDE_PX, build_judge
from vision.training.mining import MARGIN as STORED_MARGIN
from vision.training.mining import read_crops
from vision.training.mixture import list_examples
from vision.training.network import build_network
from vision.training.views import SIZE_PX

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Views = list[NDArray[np.float32]]

BATCHES, BATCH = 12, 32
_JUDGES = "network."
"""Start of the names in the file of a second look."""
_LEAST_SPREAD = 1e-3
"""Channels that hardly vary keep their size: they would be blown up by noise."""


def reopen(file: Path, pictures: Path, out: Path, seed: int = 11) -> int:
    """Write a checkpoint that a training can start from.

    Args:
        file: ONNX of the detector or of the second look, as ``export`` and ``judge`` write them.
        pictures: what its channels are measured on: for the detector a folder with
            ``images/train`` and ``labels/train``, for the second look a file of crops.
        out: checkpoint to write: a run's for the detector, a kept one for the second look.
        seed: of the choice of views.

    Returns:
        How many convolutions were unfolded.

    Raises:
        TrainingError: the file is of another network, or the pictures cannot be read.
    """
    import torch

    kernels, arrays = _stored(file)
    judging = any(name.startswith(_JUDGES) for name in arrays)
    rng = np.random.default_rng(seed)
    views = _squares(pictures, rng) if judging else _tiles(pictures, rng)
    network = (build_judge() if judging else build_network()).float().eval()
    pairs = _pairs(network, torch.from_numpy(views[0][:1]))
    _fill(network, pairs, kernels, arrays, file)
    unfolded = _unfold(network, pairs, views)
    state = network.state_dict()
    part = out.with_suffix(".part")
    if judging:
        torch.save({JUDGE: state}, part)
    else:
        torch.save({"network": state, AVERAGE: state, "optimiser": {}, "step": 0}, part)
    part.replace(out)
    return unfolded


def _stored(file: Path) -> tuple[list[Any], dict[str, Any]]:
    """Kernels and biases of the convolutions in the order they run, and all arrays by name."""
    import onnx
    from google.protobuf.message import DecodeError
    from onnx import numpy_helper

    try:
        graph = onnx.load(str(file)).graph
    except (OSError, DecodeError) as error:
        raise TrainingError(file, "is no ONNX file") from error
    arrays = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    kernels = []
    for node in graph.node:
        if node.op_type == "Conv":
            if not all(name in arrays for name in node.input[1:]):
                raise TrainingError(file, "has convolutions without stored weights")
            kernels.append([arrays[name] for name in node.input[1:]])
    return kernels, arrays


def _tiles(folder: Path, rng: np.random.Generator) -> Views:
    """Batches of tiles of pictures, (B, 3, S, S) RGB 0 to 1."""
    examples = list_examples(folder, "train")
    if not examples:
        raise TrainingError(folder, "has no images/train/*.jpg with labels")
    tiles = []
    for number in rng.integers(0, len(examples), BATCHES * BATCH):
        image, _ = examples[int(number)].read()
        tile = np.full((SIZE_PX, SIZE_PX, 3), 114, np.uint8)
        top, left = (int(rng.integers(0, max(1, n - SIZE_PX + 1))) for n in image.shape[:2])
        seen = image[top : top + SIZE_PX, left : left + SIZE_PX]
        tile[: seen.shape[0], : seen.shape[1]] = seen
        tiles.append(tile)
    return _batches(np.stack(tiles))


def _squares(file: Path, rng: np.random.Generator) -> Views:
    """Batches of the middles of crops, (B, 3, S, S) RGB 0 to 1."""
    import cv2

    crops = read_crops(file).pictures
    chosen = crops[rng.integers(0, len(crops), BATCHES * BATCH)]
    side = chosen.shape[1]
    rim = round(side * (1 - MARGIN / STORED_MARGIN) / 2)
    inner = chosen[:, rim : side - rim, rim : side - rim]
    return _batches(np.stack([cv2.resize(one, (SIDE_PX, SIDE_PX)) for one in inner]))


def _batches(pictures: NDArray[np.uint8]) -> Views:
    values = np.ascontiguousarray(pictures[..., ::-1].transpose(0, 3, 1, 2), np.float32)
    values /= 255
    return [values[i : i + BATCH] for i in range(0, len(values), BATCH)]


def _pairs(network: Any, view: Any) -> list[tuple[str, Any, Any]]:
    """Name, convolution and its normalisation or None, in the order they run."""
    import torch

    named = dict(network.named_modules())
    found: list[tuple[str, Any, Any]] = []
    hooks = []
    for name, layer in named.items():
        if isinstance(layer, torch.nn.Conv2d):
            after = named.get(f"{name.rpartition('.')[0]}.bn") if name.endswith("conv") else None
            entry = (name, layer, after)
            hooks.append(layer.register_forward_hook(lambda *_, e=entry: found.append(e)))
    with torch.no_grad():
        network(view)
    for hook in hooks:
        hook.remove()
    return found


def _fill(
    network: Any,
    pairs: list[tuple[str, Any, Any]],
    kernels: list[Any],
    arrays: dict[str, Any],
    file: Path,
) -> None:
    """Give the network the stored weights, with normalisations that pass their bias only."""
    import torch

    if len(pairs) != len(kernels):
        raise TrainingError(file, "is of another network")
    with torch.no_grad():
        for (_, layer, after), stored in zip(pairs, kernels, strict=True):
            if tuple(layer.weight.shape) != stored[0].shape:
                raise TrainingError(file, "is of another network")
            layer.weight.copy_(torch.from_numpy(np.array(stored[0])))
            if after is not None:
                after.running_mean.zero_()
                after.running_var.fill_(1 - after.eps)
                after.weight.fill_(1.0)
                after.bias.copy_(torch.from_numpy(np.array(stored[1])))
            elif layer.bias is not None:
                layer.bias.copy_(torch.from_numpy(np.array(stored[1])))
        for name, parameter in network.named_parameters():
            kept = arrays.get(_JUDGES + name)
            if kept is not None and tuple(parameter.shape) == kept.shape:
                parameter.copy_(torch.from_numpy(np.array(kept)))


def _unfold(network: Any, pairs: list[tuple[str, Any, Any]], views: Views) -> int:
    """Move what the channels are on the views from the convolutions into the normalisations."""
    import torch

    sums: dict[str, Any] = {}
    hooks = []

    def measure(name: str, values: Any) -> None:
        wide = values.double().transpose(0, 1).flatten(1)
        count = torch.full((1,), wide.shape[1], dtype=torch.float64)
        own = torch.cat([wide.sum(1), (wide * wide).sum(1), count])
        sums[name] = sums[name] + own if name in sums else own

    folded = [(name, layer, after) for name, layer, after in pairs if after is not None]
    for name, layer, _ in folded:
        hooks.append(layer.register_forward_hook(lambda _l, _i, o, n=name: measure(n, o)))
    with torch.no_grad():
        for batch in views:
            network(torch.from_numpy(batch))
        for hook in hooks:
            hook.remove()
        for name, layer, after in folded:
            total = sums[name]
            width = (len(total) - 1) // 2
            mean = total[:width] / total[-1]
            variance = (total[width:-1] / total[-1] - mean**2).clamp_min(0)
            spread = variance.sqrt()
            spread = torch.where(spread > _LEAST_SPREAD, spread, torch.ones_like(spread))
            layer.weight.div_(spread.float()[:, None, None, None])
            after.running_mean.copy_(mean / spread)
            after.running_var.copy_(variance / spread**2)
            after.weight.copy_(spread * (variance / spread**2 + after.eps).sqrt())
            after.bias.add_(mean)
    return len(folded)
