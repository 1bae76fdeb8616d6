"""Measure an ONNX on the validation sets, the photographs kept apart and the clip."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import onnxruntime as ort

from vision.training.decode import Found, iou, scan
from vision.training.errors import TrainingError
from vision.training.labels import FAMILIES, read_labels
from vision.training.mixture import Example, list_examples
from vision.training.photographs import read_photographs
from vision.training.pictures import read_picture
from vision.training.scoring import FIGURES, Tally, choose_threshold

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from numpy.typing import NDArray

FLOOR = 0.05
PHOTO_SCALES = (0.5, 0.25)
"""The square 640 px photographs show one big figure: it must fit into a tile."""


class OnnxNetwork:
    """The exported network as a function of a batch."""

    def __init__(self, model: Path, threads: int = 2) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        try:
            self._session = ort.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"]
            )
        except (
            ort.capi.onnxruntime_pybind11_state.Fail,
            ort.capi.onnxruntime_pybind11_state.InvalidProtobuf,
            ort.capi.onnxruntime_pybind11_state.NoSuchFile,
        ) as error:
            raise TrainingError(model, "is not an ONNX model") from error
        self._name = self._session.get_inputs()[0].name

    def __call__(self, pictures: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the raw output (B, rows, A) of pictures (B, 3, 320, 320)."""
        return np.asarray(self._session.run(None, {self._name: pictures})[0], np.float32)


def tally_examples(
    network: OnnxNetwork, examples: list[Example], scales: tuple[float, ...]
) -> Tally:
    """Scan labelled pictures and count."""
    tally = Tally()
    for example in examples:
        image, labels = example.read()
        tally.add(scan(network, image, FLOOR, scales), labels)
    return tally


def tally_apart(network: OnnxNetwork, material: Path) -> Tally:
    """Scan the photographs kept apart and count."""
    tally = Tally()
    for photograph in read_photographs(material / "real" / "minifig_boxes"):
        if photograph.part == "apart":
            image = read_picture(photograph.image)
            labels = read_labels(photograph.label, image.shape[1], image.shape[0])
            tally.add(scan(network, image, FLOOR, PHOTO_SCALES), labels)
    return tally


def clip_poses(clip: Path) -> Iterator[tuple[int, NDArray[np.uint8], NDArray[np.float32]]]:
    """Yield number, picture and (4,) box of every pose boxed beside a clip.

    Raises:
        TrainingError: the clip or its ``.boxes.json`` cannot be read.
    """
    notes = clip.with_suffix(".boxes.json")
    try:
        document = json.loads(notes.read_text(encoding="utf-8"))
        boxes = {int(b["frame"]): np.array(b["xyxy"], np.float32) for b in document["boxes"]}
    except (OSError, ValueError, KeyError) as error:
        raise TrainingError(notes, "is not a list of boxes") from error
    capture = cv2.VideoCapture(str(clip))
    try:
        for frame in range(max(boxes) + 1):
            done, image = capture.read()
            if not done:
                raise TrainingError(clip, f"ends before frame {frame}")
            if frame in boxes:
                yield frame, np.asarray(image, np.uint8), boxes[frame]
    finally:
        capture.release()


def walk_clip(network: OnnxNetwork, clip: Path, threshold: float) -> dict[str, Any]:
    """Count the poses of the walking figure found at a threshold, and what else is found."""
    poses, hits, others, overlap = 0, 0, 0, []
    missed: list[int] = []
    for frame, image, box in clip_poses(clip):
        found: Found = scan(network, image, FLOOR)
        found = found.take((found.scores >= threshold) & (FAMILIES[found.kinds] == FIGURES))
        shares = iou(found.boxes, box[None]).ravel()
        best = float(shares.max()) if len(shares) else 0.0
        poses += 1
        hits += best >= 0.5
        others += len(found) - (best >= 0.5)
        overlap.append(best)
        if best < 0.5:
            missed.append(frame)
    return {
        "poses": poses,
        "found": hits,
        "median_iou": round(float(np.median(overlap)), 3),
        "missed_frames": missed,
        "other_finds_a_frame": round(others / max(1, poses), 2),
    }


def measure(
    model: Path,
    renders: list[Path],
    composites: Path | None,
    material: Path | None,
    threshold: float | None,
) -> dict[str, Any]:
    """Measure a model on what is given.

    Args:
        model: the ONNX file.
        renders: folders with ``images/val`` and ``labels/val``; each is reported by itself.
        composites: as ``collect`` writes it, or None.
        material: folder that holds ``real/``, or None.
        threshold: score threshold; None chooses it on the validation sets.

    Returns:
        The report.

    Raises:
        TrainingError: a file is missing, or a threshold is wanted without validation sets.
    """
    network = OnnxNetwork(model)
    sets: dict[str, Tally] = {}
    for number, folder in enumerate(renders, 1):
        examples = list_examples(folder, "val")
        name = "renders" if number == 1 else f"renders_{number}"
        sets[name] = tally_examples(network, examples, (1.0, 0.5))
    if composites is not None:
        examples = list_examples(composites, "val")
        sets["composites"] = tally_examples(network, examples, (1.0, 0.5))
        examples = list_examples(composites / "photographs", "val")
        sets["photographs"] = tally_examples(network, examples, PHOTO_SCALES)
    if threshold is None:
        if not sets:
            raise TrainingError("--threshold", "is needed without validation sets")
        threshold = choose_threshold(list(sets.values()))
    report: dict[str, Any] = {"threshold": threshold}
    for name, tally in sets.items():
        report[f"validation_{name}"] = tally.report(threshold)
    if material is not None:
        report["apart_photographs"] = tally_apart(network, material).report(threshold)
        clip = material / "real" / "figures_video" / "bag-25.mp4"
        report["clip"] = walk_clip(network, clip, threshold)
    return report
