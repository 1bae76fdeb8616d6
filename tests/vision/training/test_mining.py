"""What a detector proposes on labelled pictures, under its true name."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.crops import square_around
from vision.detection import BoxPx, Detection
from vision.families import KINDS
from vision.frames import Image
from vision.training.errors import TrainingError
from vision.training.labels import Labels, write_labels
from vision.training.mining import MARGIN, NOTHING, SIDE_PX, Crops, mine, read_crops
from vision.training.mixture import list_examples


class Says:
    """A detector that finds what it is told."""

    labels = KINDS

    def __init__(self, *finds: tuple[str, float, BoxPx]) -> None:
        self.finds = [Detection(label, score, box) for label, score, box in finds]

    def propose(self, image: Image) -> list[Detection]:
        return self.finds


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One picture: a minifigure, a rider on a horse, a hand; each in a grey of its own."""
    image = np.zeros((200, 320, 3), np.uint8)
    boxes = [[20, 40, 50, 100], [120, 20, 150, 80], [100, 50, 190, 150], [220, 60, 320, 190]]
    for grey, (x0, y0, x1, y1) in zip((60, 120, 180, 240), boxes, strict=True):
        image[y0:y1, x0:x1] = grey
    for name in ("images", "labels"):
        (tmp_path / name / "train").mkdir(parents=True)
    cv2.imwrite(str(tmp_path / "images/train/a.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 100])
    kinds = np.array([KINDS.index(k) for k in ("minifig", "playmobil", "animal", "hand")])
    points = np.zeros((4, 5, 3), np.float32)
    points[0] = [(30, 98, 2), (40, 96, 1), (35, 40, 2), (0, 0, 0), (48, 70, 2)]
    labels = Labels(kinds, np.array(boxes, np.float32), points)
    write_labels(tmp_path / "labels/train/a.txt", labels, 320, 200)
    return tmp_path


def mined(folder: Path, *finds: tuple[str, float, BoxPx]) -> Crops:
    return mine(Says(*finds).propose, list_examples(folder, "train"), seed=1)


def test_finds_get_the_names_of_what_they_are(folder: Path) -> None:
    crops = mined(
        folder,
        ("playmobil", 0.7, (20, 40, 50, 100)),  # the minifigure under a wrong name
        ("minifig", 0.5, (119, 21, 150, 80)),  # the rider
        ("minifig", 0.4, (100, 50, 190, 150)),  # the horse
        ("animal", 0.3, (110, 20, 185, 150)),  # the horse, though the rider is there too
        ("minifig", 0.2, (60, 100, 80, 160)),  # nothing
        ("minifig", 0.2, (20, 40, 50, 64)),  # a part of the minifigure: a bad find of it
        ("hand", 0.6, (220, 60, 320, 190)),
    )
    found = crops.found >= 0
    names = [KINDS[k] if k != NOTHING else "nothing" for k in crops.kinds[found]]
    assert names == ["minifig", "playmobil", "animal", "animal", "nothing", "minifig", "hand"]
    overlaps = crops.overlaps[found].tolist()
    assert overlaps == pytest.approx([1, 1770 / 1859, 1, 7500 / 11250, 0, 0.4, 1])
    assert crops.scores[found].tolist() == pytest.approx([0.7, 0.5, 0.4, 0.3, 0.2, 0.2, 0.6])
    assert crops.pictures.shape == (len(crops), SIDE_PX, SIDE_PX, 3)
    middle = crops.pictures[found][:, SIDE_PX // 2, SIDE_PX // 2, 0]
    assert middle[[0, 1, 2, 6]].tolist() == pytest.approx(
        [60, 180, 180, 240], abs=12
    )  # it hides the rider
    assert crops.heights[found].tolist() == [60, 59, 100, 130, 60, 24, 130]


def test_some_of_what_was_missed_is_there_too(folder: Path) -> None:
    missed = [k for seed in range(20) for k in _missed(folder, seed)]
    assert set(missed) == {1, 2, 4}
    assert 15 < len(missed) < 45


def _missed(folder: Path, seed: int) -> list[int]:
    says = Says(("minifig", 0.5, (20, 40, 50, 100)))
    crops = mine(says.propose, list_examples(folder, "train"), seed)
    assert (crops.scores[crops.found < 0] == 1).all()
    return crops.kinds[crops.found < 0].tolist()


def test_crops_are_kept(folder: Path, tmp_path: Path) -> None:
    crops = mined(folder, ("minifig", 0.5, (20, 40, 50, 100)))
    crops.save(tmp_path / "crops.npz")
    back = read_crops(tmp_path / "crops.npz")
    for name in Crops.__dataclass_fields__:
        np.testing.assert_array_equal(getattr(back, name), getattr(crops, name))
    (tmp_path / "crops.npz").write_bytes(b"no crops")
    with pytest.raises(TrainingError, match="no file of crops"):
        read_crops(tmp_path / "crops.npz")
    with pytest.raises(TrainingError, match="finds nothing"):
        mine(Says().propose, [], 1)


def test_where_a_thing_lies_in_its_crop_is_known(folder: Path) -> None:
    finds = ("minifig", 0.7, (24, 40, 54, 94)), ("minifig", 0.2, (60, 100, 80, 160))
    crops = mined(folder, *finds)
    left, top, side = square_around(finds[0][2], MARGIN)
    corner = np.array([left, top])
    own = crops.boxes[0].reshape(2, 2) * side + corner
    np.testing.assert_allclose(own, [(20, 40), (50, 100)], atol=1e-3)
    assert crops.points[0, :, 2].tolist() == [2, 1, 2, 0, 2]
    np.testing.assert_allclose(crops.points[0, 0, :2] * side + corner, (30, 98), atol=1e-3)
    assert np.isnan(crops.boxes[1]).all()  # nothing is nowhere
    assert not crops.points[1].any()
    loose = mine(Says(*finds).propose, list_examples(folder, "train"), seed=1, same=0.35)
    assert np.isnan(loose.boxes).all()
    assert loose.kinds[0] == 0
