"""COCO keypoints file of a rendered split, from its label lines."""

import json
from pathlib import Path
from typing import Any

from vision.families import KINDS
from vision.scenes.figure import KEYPOINTS


def annotation(line: str, width: int, height: int) -> dict[str, Any]:
    """One COCO annotation (without ids) of a label line of a picture of a size in px."""
    words = [float(w) for w in line.split()]
    cx, cy, w, h = words[1:5]
    box = [(cx - w / 2) * width, (cy - h / 2) * height, w * width, h * height]
    points: list[float] = []
    for x, y, flag in zip(words[5::3], words[6::3], words[7::3], strict=True):
        seen = flag > 0
        # COCO counts from the corner of the first pixel like the label lines do
        points += [round(x * width, 2) * seen, round(y * height, 2) * seen, int(flag)]
    return {
        "category_id": int(words[0]) + 1,
        "bbox": [round(v, 2) for v in box],
        "area": round(box[2] * box[3], 2),
        "iscrowd": 0,
        "num_keypoints": sum(1 for flag in words[7::3] if flag > 0),
        "keypoints": points,
    }


def write(folder: Path, split: str) -> None:
    """Write coco_SPLIT.json of a folder with labels/ and truth/ for a split."""
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    # a picture's labels are written last: those of a run beside this one may be missing yet
    for number, path in enumerate(sorted((folder / "labels" / split).glob("*.txt")), 1):
        truth = folder / "truth" / split / f"{path.stem}.json"
        width, height = json.loads(truth.read_text("utf-8"))["image_size_px"]
        images.append(
            {
                "id": number,
                "file_name": f"images/{split}/{path.stem}.jpg",
                "width": width,
                "height": height,
            }
        )
        for line in path.read_text("utf-8").splitlines():
            found = annotation(line, width, height)
            annotations.append({"id": len(annotations) + 1, "image_id": number, **found})
    categories = [
        {
            "id": k,
            "name": name,
            "keypoints": list(KEYPOINTS),
            "skeleton": [[1, 3], [2, 3], [3, 4], [3, 5]],
        }
        for k, name in enumerate(KINDS, 1)
    ]
    document = {"images": images, "annotations": annotations, "categories": categories}
    part = folder / f"coco_{split}.part"
    part.write_text(json.dumps(document), "utf-8")
    part.replace(folder / f"coco_{split}.json")
