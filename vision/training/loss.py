"""The loss: ultralytics' box losses with keypoint terms of our own.

The library's keypoint loss averages over figures whose points are all unknown, teaches the
visibility output that such points are hidden, and has one tolerance only. Here such figures are
left out, and a straight pull far away is joined with a narrow well at the soles, whose place is
what the table position comes from.
"""

from __future__ import annotations

from typing import Any, Protocol

from vision.training.network import is_end_to_end

POINT_GAIN = 20.0
SEEN_GAIN = 0.6
POINT_WEIGHTS = (1.6, 1.6, 0.9, 0.45, 0.45)
"""Left sole, right sole, head, hands."""
WELLS = (0.35, 0.06)
"""Widths of the two wells as parts of the root of the box's area."""
MIDDLE_WEIGHT = 1.5
"""Weight of the point midway between the soles: it is where the figure stands, and it can be
learnt before the network tells left from right."""


class Criterion(Protocol):
    """The loss of one network.

    Attributes:
        names: names of the reported parts, in order.
    """

    names: tuple[str, ...]

    def __call__(self, predictions: Any, batch: dict[str, Any]) -> tuple[Any, list[float]]:
        """Return the scalar to minimise and its parts; see ``KeypointCriterion``."""


def criterion_of(network: Any, steps: int) -> Criterion:
    """Return the loss that fits a network.

    Args:
        network: as from ``build_network``.
        steps: updates of its run.
    """
    if is_end_to_end(network):
        return LibraryCriterion(network, steps)
    return KeypointCriterion(network)


class KeypointCriterion:
    """Total loss of a batch.

    Attributes:
        names: names of the reported parts, in order.
    """

    names: tuple[str, ...] = ("box", "cls", "dfl", "points", "seen")

    def __init__(self, network: Any) -> None:
        from ultralytics.utils.loss import v8PoseLoss

        self._base = v8PoseLoss(network)

    def __call__(self, predictions: Any, batch: dict[str, Any]) -> tuple[Any, list[float]]:
        """Compute the loss.

        Args:
            predictions: the network's output in training mode.
            batch: ``batch_idx`` (N,), ``cls`` (N, 1), ``bboxes`` (N, 4) relative x y w h,
                ``keypoints`` (N, 5, 3) relative x y and visibility.

        Returns:
            The scalar to minimise (a mean, not multiplied by the batch size), and its parts.
        """
        import torch

        base = self._base
        predictions = in_full(predictions)
        assigned, boxes, _ = base.get_assigned_targets_and_loss(predictions, batch)
        foreground, owner, targets, anchors, strides = assigned
        count = predictions["kpts"].shape[0]
        shape = predictions["feats"][0].shape[2:]
        size = torch.tensor(shape, dtype=torch.float32) * base.stride[0]
        raw = predictions["kpts"].permute(0, 2, 1).reshape(count, -1, *base.kpt_shape)
        points = base.kpts_decode(anchors, raw)
        place, seen = points.sum() * 0, points.sum() * 0
        if bool(foreground.any()):
            truth = base._batch_keypoints(batch, count, size)
            truth = truth[foreground.nonzero(as_tuple=True)[0], owner[foreground]]
            stride = strides.view(1, -1).expand(count, -1)[foreground]
            known = (truth[..., 2] > 0).float()
            with_points = known.sum(1) > 0
            if bool(with_points.any()):
                own = points[foreground][with_points]
                truth, known = truth[with_points], known[with_points]
                stride = stride[with_points]
                box = targets[foreground][with_points]
                root = (box[:, 2:] - box[:, :2]).clamp(min=2.0).prod(1).sqrt()
                place = place_loss(own, truth, known, stride, root)
                answer = (truth[..., 2] > 1).float()
                seen = torch.nn.functional.binary_cross_entropy_with_logits(own[..., 2], answer)
        total = boxes.sum() + POINT_GAIN * place + SEEN_GAIN * seen
        parts = [*boxes.detach().tolist(), float(place.detach()), float(seen.detach())]
        return total, parts


class LibraryCriterion:
    """The library's own loss, for a network that brings a keypoint loss and two heads of its own.

    Attributes:
        names: names of the reported parts, in order.
    """

    names: tuple[str, ...] = ("box", "pose", "kobj", "cls", "dfl", "rle")

    def __init__(self, network: Any, steps: int) -> None:
        """Set up.

        Args:
            network: as from ``build_network``.
            steps: updates over which the weight goes from the one head to the other; the library
                counts epochs.
        """
        network.args.epochs = steps
        self._own = network.init_criterion()

    def __call__(self, predictions: Any, batch: dict[str, Any]) -> tuple[Any, list[float]]:
        """Compute the loss; see ``KeypointCriterion``."""
        total, parts = self._own(in_full(predictions), batch)
        total = total.sum() / len(predictions["one2many"]["boxes"])
        if total.requires_grad:  # an update, no validation: on to the head with one box a figure
            self._own.update()
        return total, [float(part) for part in parts.values()]


def in_full(predictions: Any) -> Any:
    """Return nested predictions in float32."""
    if isinstance(predictions, dict):
        return {name: in_full(value) for name, value in predictions.items()}
    if isinstance(predictions, list | tuple):
        return [in_full(value) for value in predictions]
    return predictions.float()


def place_loss(own: Any, truth: Any, known: Any, stride: Any, root: Any) -> Any:
    """Return the mean distance loss of known keypoints.

    Args:
        own: (M, 5, 3) predicted, in cells of their stride.
        truth: (M, 5, 3) true, in pixels.
        known: (M, 5) 1 where the truth is known.
        stride: (M, 1) or (M,) pixels a cell.
        root: (M,) square root of the box's area in pixels.
    """
    import torch

    away = (own[..., :2] * stride.view(-1, 1, 1) - truth[..., :2]) / root.view(-1, 1, 1)
    middle = away[:, :2].mean(1, keepdim=True)
    both = known[:, :2].prod(1, keepdim=True)
    squared = torch.cat([away, middle], 1).pow(2).sum(2)
    pull = torch.sqrt(squared + 1e-4)
    wells = sum(1 - torch.exp(-squared / (2 * width**2)) for width in WELLS)
    weights = torch.cat([known * torch.tensor(POINT_WEIGHTS), MIDDLE_WEIGHT * both], 1)
    return ((pull + 0.5 * wells) * weights).sum() / weights.sum().clamp(min=1)
