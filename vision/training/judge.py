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
from vision.training.judge_batches import Drawer
from vision.training.judge_loss import edges, where_loss
from vision.training.judge_views import carried, random_affine, seen
from vision.training.labels import KEYPOINTS
from vision.training.loop import follow
from vision.training.mining import MARGIN as STORED_MARGIN
from vision.training.mining import NOTHING
from vision.training.network import build_network, load_averages
from vision.training.precision import quick

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from vision.training.mining import Crops

SIDE_PX = 64
MARGIN = 1.35
"""Side of what it sees, as a multiple of a find's longer side."""
UPPER, LOWER = 7, 9
"""Layers of the detector: up to its stride of 16, and from there to its stride of 32."""
CHANNELS = (128, 256)
"""Of what comes out of the two."""
CELLS = (SIDE_PX // 16) ** 2
WIDTH = 128
"""Of the layer between what is seen and where things are."""
PLACES = 4 + 2 * len(KEYPOINTS)
"""Numbers that say where: middle, width and height of the box, then the keypoints."""
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
            # where something is must not be averaged away
            self.places = nn.Sequential(
                nn.Linear(CHANNELS[0] * CELLS + CHANNELS[1], WIDTH),
                nn.SiLU(),
                nn.Linear(WIDTH, PLACES),
            )

        def forward(self, squares: Any) -> tuple[Any, Any]:
            coarse = self.upper(squares)
            deep = self.lower(coarse)
            mean = deep.mean((2, 3))
            kinds = self.answer(self.drop(torch.cat([coarse.mean((2, 3)), mean], 1)))
            return kinds, self.places(torch.cat([coarse.flatten(1), mean], 1))

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
    draw = Drawer(sets, rng)
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
        some = draw(plan.batch)
        affine = random_affine(rng, plan.batch, MARGIN / STORED_MARGIN)
        view = seen(torch.from_numpy(some.pictures), affine, SIDE_PX, rng)
        with quick():
            answer, places = network(view.to(memory_format=torch.channels_last))
        loss = criterion(answer.float(), torch.from_numpy(some.wanted()))
        loss = loss + where_loss(places.float(), *carried(affine, some.boxes, some.points))
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
    """Write the network as ONNX.

    (B, 3, 64, 64) RGB 0 to 1 -> (B, kinds + 1 + 4 + 2 K, 1): the chances, the box's edges x0, y0,
    x1, y1 and the keypoints x, y in sides of the square from its upper left corner.
    """
    import torch

    class Whole(torch.nn.Module):  # type: ignore[misc]  # as above
        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, squares: Any) -> Any:
            answer, places = self.network(squares)
            box = edges(places)
            points = places[:, 4:] + 0.5
            return torch.cat([torch.softmax(answer, 1), box, points], 1)[:, :, None]

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


@dataclass(frozen=True, slots=True)
class Say:
    """What the second look's word counts against the detector's, 0 to 1.

    Attributes:
        score: as an exponent.
        box: of its boxes.
        points: of its keypoints.
    """

    score: float = 0.4
    box: float = 0.5
    points: float = 0.0


def add_to_card(network: Any, plan: JudgePlan, card: Path, least_score: float, say: Say) -> Path:
    """Write the network beside a detector's card, and its settings into the card.

    Args:
        network: as from ``train_judge``.
        plan: how it was trained, kept in the card.
        card: JSON of the detector.
        least_score: what the detector proposes from this score on gets a look.
        say: what the second look counts against the detector.

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
        "weight": say.score,
        "keypoints": list(KEYPOINTS),
        "box_weight": say.box,
        "point_weight": say.points,
        "training": asdict(plan),
    }
    part = card.with_suffix(".part")
    part.write_text(json.dumps(settings, indent=1) + "\n", encoding="utf-8")
    part.replace(card)
    return file
