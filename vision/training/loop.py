"""The training loop: on the processor, moving average of weights, checkpoints, resumable."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from vision.families import KINDS
from vision.training.checkpoint import read_checkpoint
from vision.training.errors import TrainingError
from vision.training.loss import Criterion, criterion_of
from vision.training.mixture import Mixture, to_batch
from vision.training.network import (
    build_network,
    expect_kinds,
    is_of_kinds,
    kinds_of,
    load_averages,
    load_start_weights,
    train_mode,
)
from vision.training.plan import Plan
from vision.training.precision import quick
from vision.training.views import SIZE_PX

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from vision.training.labels import Labels

LAST = "last.pt"
KEEP_EVERY = 100
REPORT_EVERY = 50


def _optimiser(network: Any, plan: Plan) -> Any:
    """Return AdamW that decays weights only and moves the kinds' channels faster."""
    import torch

    named = [(is_of_kinds(name), p) for name, p in network.named_parameters()]
    groups = []
    for kinds, gain in ((False, 1.0), (True, plan.kinds_gain)):
        heavy = [p for own, p in named if own == kinds and p.ndim > 1]
        light = [p for own, p in named if own == kinds and p.ndim <= 1]
        groups += [
            {"params": heavy, "weight_decay": plan.decay, "gain": gain},
            {"params": light, "weight_decay": 0.0, "gain": gain},
        ]
    return torch.optim.AdamW(groups, lr=plan.rate, betas=(0.9, 0.999))


def targets_of(owners: Any, labels: Labels) -> dict[str, Any]:
    """Return labels as the loss takes them, relative to the view's size."""
    import torch

    boxes = torch.from_numpy(labels.boxes) / SIZE_PX
    points = torch.from_numpy(labels.points).clone()
    points[..., :2] /= SIZE_PX
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    return {
        "batch_idx": torch.from_numpy(owners).float(),
        "cls": torch.from_numpy(labels.kinds).float()[:, None],
        "bboxes": torch.cat([middle, boxes[:, 2:] - boxes[:, :2]], 1),
        "keypoints": points,
    }


class _Rest:
    """The views from one index on: what is left of a run that was interrupted."""

    def __init__(self, mixture: Mixture, start: int) -> None:
        self._mixture, self._start = mixture, start

    def __len__(self) -> int:
        return len(self._mixture) - self._start

    def __getitem__(self, index: int) -> Any:
        return self._mixture[self._start + index]


def _one_thread(worker: int) -> None:
    """Keep a loader process to one core."""
    import cv2

    cv2.setNumThreads(1)


class _Spent:
    """The share of a run's time that is over, over all the times it was called."""

    def __init__(self, plan: Plan, clock: Callable[[], float], before_s: float) -> None:
        self._limit_s = math.inf if plan.minutes is None else plan.minutes * 60
        self._clock, self._start_s = clock, clock() - before_s

    @property
    def seconds(self) -> float:
        """Seconds."""
        return self._clock() - self._start_s

    @property
    def share(self) -> float:
        """0 to 1 and beyond."""
        return self.seconds / self._limit_s


def train(
    plan: Plan,
    mixture: Mixture,
    folder: Path,
    start: Path | None,
    clock: Callable[[], float],
    report: Callable[[int, dict[str, float]], None],
    network: Any = None,
) -> tuple[Path, int]:
    """Train, or go on with the run in a folder.

    Args:
        plan: the settings; a resumed run may have more steps than before.
        mixture: at least ``steps * batch`` views.
        folder: gets ``last.pt``, ``log.jsonl`` and ``plan.json``.
        start: an ``.npz`` of start weights, or the ``last.pt`` of another run whose averaged
            weights to start from; None to start from nothing.
        clock: seconds since some moment.
        report: told the step and the mean losses since the last report.
        network: untrained; None for the shipped one's layers.

    Returns:
        The checkpoint file with the averaged weights, and the number of updates it has had.

    Raises:
        TrainingError: a file cannot be used or the mixture is too short.
    """
    import torch
    from torch.utils.data import DataLoader

    if len(mixture) < plan.steps * plan.batch:
        raise TrainingError("mixture", f"has fewer than {plan.steps * plan.batch} views")
    torch.manual_seed(plan.seed)
    torch.set_num_threads(plan.threads)
    last = folder / LAST
    network = network or build_network()
    expect_kinds(network)
    if start is not None and start.suffix == ".npz":
        load_start_weights(network, start)
    elif start is not None:
        load_averages(network, read_checkpoint(start)["average"], start)
    network = network.to(memory_format=torch.channels_last)
    average = copy.deepcopy(network).eval()
    optimiser = _optimiser(network, plan)
    step, before_s = 0, 0.0
    if last.exists():
        kept = read_checkpoint(last)
        if kinds_of(kept["average"], last) != len(KINDS):
            raise TrainingError(last, "is of a run with other kinds: start a new one from it")
        network.load_state_dict(kept["network"])
        average.load_state_dict(kept["average"])
        optimiser.load_state_dict(kept["optimiser"])
        step, before_s = int(kept["step"]), float(kept.get("spent_s", 0.0))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "plan.json").write_text(json.dumps(asdict(plan), indent=1), encoding="utf-8")
    spent = _Spent(plan, clock, before_s)
    criterion = criterion_of(network, plan.steps)
    loader = DataLoader(
        _Rest(mixture, step * plan.batch),
        batch_size=plan.batch,
        num_workers=plan.loaders,
        collate_fn=to_batch,
        prefetch_factor=6 if plan.loaders else None,
        worker_init_fn=_one_thread,
    )
    run = _Run(plan, network, average, optimiser, criterion, folder, spent, report, step)
    train_mode(network, plan.only_kinds)
    try:
        run.follow(loader)
    except KeyboardInterrupt:
        run.keep()
        raise
    run.keep()
    return run.last, run.step


class _Run:
    """The state of a run while it goes on."""

    def __init__(
        self,
        plan: Plan,
        network: Any,
        average: Any,
        optimiser: Any,
        criterion: Criterion,
        folder: Path,
        spent: _Spent,
        report: Callable[[int, dict[str, float]], None],
        step: int,
    ) -> None:
        self.step = step
        self.last = folder / LAST
        self._plan, self._spent, self._report = plan, spent, report
        self._network, self._average, self._optimiser = network, average, optimiser
        self._criterion = criterion
        self._log = folder / "log.jsonl"
        self._sums = [0.0] * len(criterion.names)

    def follow(self, loader: Any) -> None:
        """Take batches until the run's steps or its time are over."""
        for pictures, owners, labels in loader:
            if self.step >= self._plan.steps or self._spent.share >= 1:
                break
            self._update(pictures, owners, labels)
            if self.step % REPORT_EVERY == 0:
                self._tell()
            if self.step % KEEP_EVERY == 0:
                self.keep()

    def keep(self) -> None:
        """Write a checkpoint whole or not at all."""
        import torch

        fresh = self.last.with_suffix(".part")
        torch.save(
            {
                "network": self._network.state_dict(),
                "average": self._average.state_dict(),
                "optimiser": self._optimiser.state_dict(),
                "step": self.step,
                "spent_s": self._spent.seconds,
            },
            fresh,
        )
        fresh.replace(self.last)

    def _update(self, pictures: Any, owners: Any, labels: Labels) -> None:
        """One step of the optimiser."""
        import torch

        for group in self._optimiser.param_groups:
            group["lr"] = group["gain"] * self._plan.rate_at(self.step, self._spent.share)
        batch = torch.from_numpy(pictures).to(memory_format=torch.channels_last).float() / 255
        with quick():
            predictions = self._network(batch)
        total, parts = self._criterion(predictions, targets_of(owners, labels))
        if not math.isfinite(float(total.detach())):
            raise TrainingError(self._log.parent, f"the loss is not a number at step {self.step}")
        self._optimiser.zero_grad(set_to_none=True)
        total.backward()
        torch.nn.utils.clip_grad_norm_(self._network.parameters(), 10.0)
        self._optimiser.step()
        self.step += 1
        follow(self._average, self._network, self._plan.average * (1 - math.exp(-self.step / 300)))
        self._sums = [a + b for a, b in zip(self._sums, parts, strict=True)]

    def _tell(self) -> None:
        """Log and report the mean losses since the last time."""
        means = {
            name: round(value / REPORT_EVERY, 4)
            for name, value in zip(self._criterion.names, self._sums, strict=True)
        }
        with self._log.open("a", encoding="utf-8") as log:
            log.write(json.dumps({"step": self.step, **means}) + "\n")
        self._report(self.step, means)
        self._sums = [0.0] * len(self._criterion.names)


def follow(average: Any, network: Any, memory: float) -> None:
    """Move the averaged weights a little towards the current ones."""
    import torch

    with torch.no_grad():
        current = network.state_dict()
        for name, value in average.state_dict().items():
            if value.dtype.is_floating_point:
                value.mul_(memory).add_(current[name], alpha=1 - memory)
            else:
                value.copy_(current[name])
