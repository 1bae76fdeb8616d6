"""The small network that takes a second look at single finds, and how it is trained."""

from __future__ import annotations

import copy
import hashlib
import json
import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.families import KINDS
from vision.training.checkpoint import JUDGE, RUN, read_checkpoint
from vision.training.errors import TrainingError
from vision.training.loop import follow
from vision.training.mining import MARGIN as STORED_MARGIN
from vision.training.mining import NOTHING
from vision.training.network import build_network, load_averages

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.training.mining import Crops

SIDE_PX = 64
MARGIN = 1.35
"""Side of what it sees, as a multiple of a find's longer side."""
UPPER, LOWER = 7, 9
"""Layers of the detector: up to its stride of 16, and from there to its stride of 32."""
CHANNELS = (128, 256)
"""Of what comes out of the two."""
NOTHING_SHARE = 0.45
"""Share of what is no figure in a batch; the kinds share the rest evenly."""
SMOOTHING = 0.05
OPSET = 18
NAME = "second_look"


@dataclass(frozen=True, slots=True)
class JudgePlan:
    """Settings of a training.

    Attributes:
        steps: updates.
        batch: crops an update.
        rate: highest rate of learning.
        seed: of everything drawn.
        threads: of the processor.
    """

    steps: int = 3000
    batch: int = 128
    rate: float = 1.5e-3
    seed: int = 5
    threads: int = 2


def build_judge(start: Path | None = None) -> Any:
    """Build the network: the detector's backbone, two levels averaged, one answer a kind.

    Args:
        start: what to begin with: a detector's checkpoint, whose backbone is taken, or what
            ``keep_judge`` wrote; None begins at random.

    Raises:
        TrainingError: the checkpoint is of another network.
    """
    import torch
    from torch import nn

    detector = build_network()
    kept = {} if start is None else read_checkpoint(start, RUN, frozenset((JUDGE,)))
    if start is not None and JUDGE not in kept:
        load_averages(detector, kept["average"], start)

    class Judge(nn.Module):  # type: ignore[misc]  # torch is not there when types are checked
        def __init__(self) -> None:
            super().__init__()
            self.upper = nn.Sequential(*detector.model[:UPPER])
            self.lower = nn.Sequential(*detector.model[UPPER:LOWER])
            self.drop = nn.Dropout(0.2)
            self.answer = nn.Linear(sum(CHANNELS), NOTHING + 1)

        def forward(self, squares: Any) -> Any:
            coarse = self.upper(squares)
            deep = self.lower(coarse)
            both = torch.cat([coarse.mean((2, 3)), deep.mean((2, 3))], 1)
            return self.answer(self.drop(both))

    judge = Judge()
    if JUDGE in kept:
        try:
            judge.load_state_dict(kept[JUDGE])
        except RuntimeError as error:
            raise TrainingError(start or JUDGE, "is of another network") from error
    return judge


def keep_judge(network: Any, file: Path) -> None:
    """Write a network's weights, so that its training can go on."""
    import torch

    part = file.with_suffix(".part")
    torch.save({JUDGE: network.state_dict()}, part)
    part.replace(file)


def train_judge(
    plan: JudgePlan,
    sets: Sequence[tuple[Crops, float]],
    start: Path | None = None,
    report: Callable[[int, float], None] = lambda _step, _loss: None,
) -> Any:
    """Train the network.

    Args:
        plan: settings.
        sets: crops, each set with what one of its crops counts.
        start: as for ``build_judge``.
        report: told the step and the mean loss since the last time.

    Returns:
        The network with its weights averaged over the last updates, ready to judge.

    Raises:
        TrainingError: there is nothing to tell apart, or what to start with cannot be used.
    """
    import torch

    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    rng = np.random.default_rng(plan.seed)
    draw = _Drawer(sets, rng)
    network = build_judge(start).to(memory_format=torch.channels_last).train()
    average = copy.deepcopy(network).eval()
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=2e-3)
    criterion = torch.nn.CrossEntropyLoss(label_smoothing=SMOOTHING)
    total = 0.0
    for step in range(plan.steps):
        rate = plan.rate * min(1, (step + 1) / 100)
        rate *= 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * step / plan.steps))
        for group in optimiser.param_groups:
            group["lr"] = rate
        squares, kinds = draw(plan.batch)
        seen = _views(torch.from_numpy(squares), rng)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            answer = network(seen.to(memory_format=torch.channels_last))
        loss = criterion(answer.float(), torch.from_numpy(kinds))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        follow(average, network, 0.995 * (1 - math.exp(-(step + 1) / 200)))
        total += float(loss.detach())
        if (step + 1) % 100 == 0:
            report(step + 1, total / 100)
            total = 0.0
    return average


def write_judge(network: Any, file: Path) -> None:
    """Write the network as ONNX: (B, 3, 64, 64) RGB 0 to 1 -> (B, kinds + 1, 1) chances."""
    import torch

    class Whole(torch.nn.Module):  # type: ignore[misc]  # as above
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, squares: Any) -> Any:
            return torch.softmax(self.network(squares), 1)[:, :, None]

    squares = torch.zeros(2, 3, SIDE_PX, SIDE_PX)
    torch.onnx.export(
        Whole().eval(),
        (squares,),
        str(file),
        input_names=["squares"],
        output_names=["chances"],
        dynamic_axes={"squares": {0: "batch"}, "chances": {0: "batch"}},
        opset_version=OPSET,
        dynamo=False,
    )


def add_to_card(
    network: Any, plan: JudgePlan, card: Path, least_score: float, share: float
) -> Path:
    """Write the network beside a detector's card, and its settings into the card.

    Args:
        network: as from ``train_judge``.
        plan: how it was trained, kept in the card.
        card: JSON of the detector.
        least_score: what the detector proposes from this score on gets a look.
        share: what the second look counts against the detector, as an exponent.

    Returns:
        The ONNX file.

    Raises:
        TrainingError: the card cannot be read.
    """
    try:
        settings = json.loads(card.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TrainingError(card, "is no model card") from error
    if not isinstance(settings, dict):
        raise TrainingError(card, "is no model card")
    file = card.with_name(f"{NAME}.onnx")
    fresh = file.with_suffix(".fresh")
    write_judge(network, fresh)
    fresh.replace(file)
    settings["second_look"] = {
        "model": file.name,
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "labels": list(KINDS),
        "size_px": SIDE_PX,
        "margin": MARGIN,
        "least_score": least_score,
        "weight": share,
        "training": asdict(plan),
    }
    part = card.with_suffix(".part")
    part.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    part.replace(card)
    return file


class _Drawer:
    """Draws batches in which no kind is rare."""

    def __init__(self, sets: Sequence[tuple[Crops, float]], rng: np.random.Generator) -> None:
        self._rng = rng
        self._pictures = np.concatenate([crops.pictures for crops, _ in sets])
        self._kinds = np.concatenate([crops.kinds for crops, _ in sets])
        worth = np.concatenate([np.full(len(crops), weight) for crops, weight in sets])
        self._of = [np.flatnonzero(self._kinds == kind) for kind in range(NOTHING + 1)]
        if not len(self._of[NOTHING]) or sum(len(of) > 0 for of in self._of) < 2:
            raise TrainingError("crops", "hold no figure, or nothing but figures")
        self._odds = [worth[of] / worth[of].sum() if len(of) else worth[of] for of in self._of]
        there = [kind for kind in range(len(KINDS)) if len(self._of[kind])]
        self._shares = np.zeros(NOTHING + 1)
        # the two makers' figures are what it is for: twice the share of the others
        for kind in there:
            self._shares[kind] = 2.0 if kind < 2 else 1.0
        self._shares *= (1 - NOTHING_SHARE) / self._shares.sum()
        self._shares[NOTHING] = NOTHING_SHARE

    def __call__(self, count: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        kinds = self._rng.choice(NOTHING + 1, count, p=self._shares)
        at = np.empty(count, np.int64)
        for kind in range(NOTHING + 1):
            mine = kinds == kind
            if mine.any():
                at[mine] = self._rng.choice(self._of[kind], int(mine.sum()), p=self._odds[kind])
        return self._pictures[at], self._kinds[at]


def _views(squares: Any, rng: np.random.Generator) -> Any:
    """Shifted, scaled, mirrored, recoloured views, (B, 3, S, S) float RGB 0 to 1."""
    import torch

    count = len(squares)
    whole = squares.permute(0, 3, 1, 2).flip(1).float() / 255
    part = MARGIN / STORED_MARGIN
    scale = part * np.exp(rng.normal(0, 0.1, count)).clip(0.75, 1.3)
    turn = np.where(rng.random(count) < 0.5, rng.normal(0, 0.08, count), 0)
    flip = np.where(rng.random(count) < 0.5, -1.0, 1.0)
    shift = rng.normal(0, 0.06, (2, count))
    theta = np.stack(
        [
            np.stack([flip * scale * np.cos(turn), -scale * np.sin(turn), shift[0]], 1),
            np.stack([flip * scale * np.sin(turn), scale * np.cos(turn), shift[1]], 1),
        ],
        1,
    )
    grid = torch.nn.functional.affine_grid(
        torch.from_numpy(theta).float(), [count, 3, SIDE_PX, SIDE_PX], align_corners=False
    )
    seen = torch.nn.functional.grid_sample(
        whole, grid, mode="bilinear", padding_mode="border", align_corners=False
    )
    gain = torch.from_numpy(np.exp(rng.normal(0, 0.35, (count, 1, 1, 1)))).float()
    tint = torch.from_numpy(np.exp(rng.normal(0, 0.07, (count, 3, 1, 1)))).float()
    grey = seen.mean(1, keepdim=True)
    colour = torch.from_numpy(rng.uniform(0.4, 1.4, (count, 1, 1, 1))).float()
    seen = (grey + (seen - grey) * colour) * gain * tint
    noise = torch.from_numpy(np.where(rng.random(count) < 0.4, rng.uniform(0, 0.04, count), 0))
    seen = seen + torch.randn(seen.shape) * noise.float()[:, None, None, None]
    return seen.clamp(0, 1)
