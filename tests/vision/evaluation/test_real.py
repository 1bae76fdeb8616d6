"""Photographs with boxes, those drawn by hand among them."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import cv2
import pytest

from tests.material import material
from tests.vision.evaluation.pictures import nothing
from vision.data import data_path
from vision.errors import BadSource
from vision.evaluation import hand_labels, real
from vision.evaluation.hand_labels import FOLDERS, HandLabels, read_hand_labels, with_hand_labels


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    """One photograph."""
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), nothing())
    return path


def labels_of(photo: Path, **more: Any) -> HandLabels:
    picture = {
        "image": photo.name,
        "sha256": hashlib.sha256(photo.read_bytes()).hexdigest(),
        "size_px": [320, 240],
        "boxes": [
            {"kind": "minifig", "box_px": [10, 10, 30, 50]},
            {"kind": "ignore", "box_px": [100, 0, 200, 90]},
        ],
        **more,
    }
    document = {"folder": "photos", "least_height_px": 24, "pictures": [picture]}
    return HandLabels.model_validate(document)


def test_boxes_and_areas_to_pass_over(photo: Path) -> None:
    (picture,) = with_hand_labels(labels_of(photo), photo.parent)
    assert [figure.box_px for figure in picture.figures] == [(10, 10, 30, 50)]
    assert picture.ignore == ((100, 0, 200, 90),)
    assert picture.name == "photos/a.png"
    assert picture.read().shape == (240, 320, 3)


def test_a_changed_or_missing_photograph_is_an_error(photo: Path) -> None:
    labels = labels_of(photo)
    photo.write_bytes(photo.read_bytes() + b"\0")
    with pytest.raises(BadSource, match="is not the picture that was labelled"):
        list(with_hand_labels(labels, photo.parent))
    photo.unlink()
    with pytest.raises(BadSource, match="cannot be read"):
        list(with_hand_labels(labels, photo.parent))


def test_a_file_that_holds_no_labels(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    with pytest.raises(BadSource, match="cannot be read"):
        read_hand_labels(path)
    path.write_text('{"folder": "x", "least_height_px": 24, "pictures": [{"image": "a"}]}')
    with pytest.raises(BadSource, match=r"pictures\.0\.sha256"):
        read_hand_labels(path)


def test_the_boxes_that_come_with_the_program_keep_their_own_rules() -> None:
    kinds: Counter[str] = Counter()
    for folder in FOLDERS:
        labels = read_hand_labels(data_path(f"datasets/labels/{folder}.json"))
        assert labels.folder == folder
        assert len({picture.image for picture in labels.pictures}) == len(labels.pictures)
        for picture in labels.pictures:
            width, height = picture.size_px
            for box in picture.boxes:
                x0, y0, x1, y1 = box.box_px
                assert 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height, picture.image
                kinds[box.kind] += 1
                if box.kind == "minifig":
                    assert max(x1 - x0, y1 - y0) >= labels.least_height_px, picture.image
    assert kinds["minifig"] > 80 and kinds["ignore"] > 80


def test_the_parts_of_the_material() -> None:
    place = material("real")
    parts = Counter(picture.part for picture in real.read_real(place.parent))
    assert parts[real.CLIP] == 55
    assert parts[real.DUPLO] == 9
    assert parts[hand_labels.PART] == len(list((place / "figures_photos").iterdir())) + len(
        list((place / "figures_lowres").iterdir())
    )
    assert parts[real.APART] > 40
    assert all(parts[name] for name in real.WITHOUT)


def test_material_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(BadSource, match="holds no folder real"):
        list(real.read_real(tmp_path))
    (tmp_path / "real/minifig_boxes").mkdir(parents=True)
    with pytest.raises(BadSource, match="images"):
        list(real.read_real(tmp_path))


def test_boxes_beside_a_clip_that_are_none(tmp_path: Path) -> None:
    clip = tmp_path / "bag-25.mp4"
    clip.with_suffix(".boxes.json").write_text(json.dumps({"boxes": [{"frame": 1}]}))
    with pytest.raises(BadSource, match="is not a list of boxes"):
        list(real._clip(clip))
