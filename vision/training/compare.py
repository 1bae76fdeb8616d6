"""Other networks and no start weights against the shipped choice, on one small budget."""

from __future__ import annotations

import copy
import json
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vision.detect import look
from vision.evaluation.breakdowns import LEAST_HEIGHT_PX
from vision.evaluation.labelled import nameless
from vision.evaluation.matching import Verdict
from vision.evaluation.rendered import read_set
from vision.evaluation.rows import Part
from vision.families import KINDS
from vision.frames import Frame
from vision.hands import HandFinder
from vision.onnx_detector import load_detector
from vision.onnx_session import OnnxSession
from vision.training.checkpoint import read_checkpoint
from vision.training.export import NAME, describe, write_onnx
from vision.training.loop import LAST, targets_of, train
from vision.training.loss import criterion_of
from vision.training.mixture import Mixture, Source, list_examples, to_batch
from vision.training.network import RECIPE, build_network, is_end_to_end
from vision.training.sets import RENDER_SCALE
from vision.training.views import SIZE_PX

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from vision.training.plan import Plan

PICTURES = 40
"""Of each validation set."""
VIEWS = 160
"""On which the validation loss is taken."""
FLOOR = 0.02
"""Lowest score that counts."""
PRECISIONS = (0.5, 0.7, 0.9)
TIMED = 30
"""How often one tile is looked at for its time."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A network and how it starts.

    Attributes:
        name: Of its folder and its row.
        recipe: Its layers, as ultralytics reads them.
        starts: Whether from the start weights, which fit only one of them.
    """

    name: str
    recipe: Path | str
    starts: bool = False


CANDIDATES = (
    Candidate("yolov5n-pose, start weights", RECIPE, starts=True),
    Candidate("yolo11n-pose, from nothing", "yolo11n-pose.yaml"),
    Candidate("yolo26n-pose, from nothing", "yolo26n-pose.yaml"),
    Candidate("yolov5n-pose, from nothing", RECIPE),
)


def compare(
    plan: Plan,
    mixture: Mixture,
    renders: Sequence[Path],
    start: Path,
    out: Path,
    clock: Callable[[], float],
    report: Callable[[str, int, dict[str, float]], None],
) -> list[dict[str, Any]]:
    """Train every candidate on the same views and measure all on the same pictures.

    A run that is there already is gone on with, or only measured.

    Args:
        plan: settings of all runs.
        mixture: views of all runs.
        renders: folders with ``images/val``; those without are not measured on.
        start: the start weights.
        out: gets one folder a candidate.
        clock: seconds of processor time since some moment.
        report: told candidate, step and losses now and then.

    Returns:
        One row a candidate.

    Raises:
        TrainingError: a file cannot be used.
    """
    rows = []
    measured = [folder for folder in renders if list_examples(folder, "val")]
    for candidate in CANDIDATES:
        folder = out / candidate.name.replace(", ", "_").replace(" ", "_")
        began = clock()
        train(
            plan,
            mixture,
            folder,
            start if candidate.starts else None,
            clock,
            lambda step, losses, name=candidate.name: report(name, step, losses),  # type: ignore[misc]
            build_network(recipe=candidate.recipe),
        )
        spent = read_checkpoint(folder / LAST)["spent_s"]
        network = build_network(recipe=candidate.recipe)
        network.load_state_dict(read_checkpoint(folder / LAST)["average"])
        loss, parts = validation_loss(network, plan, measured)
        file = write_candidate(network, folder)
        row = {
            "network": candidate.name,
            "million_numbers": round(sum(p.numel() for p in network.parameters()) / 1e6, 2),
            "step_ms": round(1000 * spent / plan.steps, 1),
            "tile_ms": tile_ms(file, clock),
            "validation_loss": round(loss, 3),
            "validation_loss_parts": parts,
            "spent_s": round(clock() - began, 1),
            **{f.name: found_on(file, f) for f in measured},
        }
        (folder / "measured.json").write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
        rows.append(row)
    return rows


def validation_loss(
    network: Any, plan: Plan, renders: Sequence[Path]
) -> tuple[float, dict[str, float]]:
    """Return the mean loss over views of validation pictures, and its parts.

    A network with a loss of its own has numbers that cannot be compared with the others'.
    """
    import torch

    network = copy.deepcopy(network).eval()
    network.model[-1].training = True  # gives what the loss takes, and nothing is learnt
    criterion = criterion_of(network, plan.steps)
    sources = tuple(Source(list_examples(f, "val"), 1.0, RENDER_SCALE) for f in renders)
    views = Mixture(sources, VIEWS, plan.seed)
    totals, parts = [], []
    for first in range(0, VIEWS, plan.batch):
        pictures, owners, labels = to_batch(
            [views[at] for at in range(first, min(VIEWS, first + plan.batch))]
        )
        with torch.no_grad():
            total, some = criterion(
                network(torch.from_numpy(pictures).float() / 255), targets_of(owners, labels)
            )
        totals.append(float(total))
        parts.append(some)
    means = np.mean(parts, axis=0).tolist()
    named = zip(criterion.names, means, strict=False)
    return statistics.fmean(totals), {name: round(value, 3) for name, value in named}


def write_candidate(network: Any, folder: Path) -> Path:
    """Write a network as the program takes it: one row of numbers a candidate, in any case.

    An end-to-end head is measured by the one that gives each figure one box; suppression then
    finds little to do.
    """
    network = copy.deepcopy(network)
    head = network.model[-1]
    if is_end_to_end(network):
        for name in [name for name in head._modules if name.startswith("one2one_")]:
            setattr(head, name.removeprefix("one2one_"), getattr(head, name))
        head.end2end = False
    file = folder / f"{NAME}.onnx"
    write_onnx(network, file)
    card = describe(file, KINDS, FLOOR, "1970-01-01", [])
    file.with_suffix(".json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    return file


def tile_ms(file: Path, clock: Callable[[], float]) -> float:
    """Return the processor time of one tile in ONNX Runtime, the median of some."""
    session = OnnxSession(file.read_bytes(), str(file))
    tile = np.full((1, 3, SIZE_PX, SIZE_PX), 0.5, np.float32)
    times = []
    for _ in range(TIMED + 3):
        began = clock()
        session.run(tile)
        times.append(clock() - began)
    return round(1000 * statistics.median(times[3:]), 1)


def found_on(file: Path, folder: Path) -> dict[str, Any]:
    """Return recall at some precisions and the best F1 on a validation set, whatever the names."""
    detector = load_detector(file, FLOOR, second_look=False)
    part = Part(folder.name)
    for picture in list(read_set(folder, "val"))[:PICTURES]:
        frame = Frame(0, 0, picture.name, picture.read())
        part.add(nameless(picture), look(frame, detector, None, HandFinder()))
    scores = [r.score or 0.0 for r in part.figures if r.figure.height_px >= LEAST_HEIGHT_PX]
    false = [r.find.score for r in part.finds if r.match.verdict is Verdict.FALSE]
    return {"figures": len(scores), **best_of(np.array(scores), np.array(false))}


def best_of(found: NDArray[np.float64], false: NDArray[np.float64]) -> dict[str, float]:
    """Return the best recall at some precisions and the best F1, over all thresholds.

    Args:
        found: (N,) score with which each figure was found, 0 if never.
        false: (M,) scores of false finds.
    """
    thresholds = np.unique(found[found > 0])
    right = (found[None] >= thresholds[:, None]).sum(1)
    wrong = (false[None] >= thresholds[:, None]).sum(1)
    recall, precision = right / max(1, len(found)), right / np.maximum(1, right + wrong)
    answer = {}
    for least in PRECISIONS:
        good = recall[precision >= least]
        answer[f"recall_at_{least:g}"] = round(float(good.max()), 3) if len(good) else 0.0
    f1 = 2 * recall * precision / np.maximum(recall + precision, 1e-9)
    answer["best_f1"] = round(float(f1.max()), 3) if len(f1) else 0.0
    return answer


def markdown(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows as a table."""
    sets = [
        name for name, value in rows[0].items() if isinstance(value, dict) and "best_f1" in value
    ]
    plain = ("network", "million_numbers", "step_ms", "tile_ms", "validation_loss")
    scores = ("best_f1", *(f"recall_at_{least:g}" for least in PRECISIONS))
    heads = [*plain, *(f"{name} {score}" for name in sets for score in scores)]
    lines = ["| " + " | ".join(head.replace("_", " ") for head in heads) + " |"]
    lines.append("|" + "---|" * len(heads))
    for row in rows:
        values = [row[name] for name in plain]
        values += [row[name][score] for name in sets for score in scores]
        lines.append("| " + " | ".join(str(value) for value in values) + " |")
    return "\n".join(lines) + "\n"
