from __future__ import annotations

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.training.collect import BASEPLATES, collect, turned_down
from vision.training.errors import TrainingError
from vision.training.photographs import (
    SPLIT_SEED,
    read_photographs,
    source_of,
    split_sources,
)

MODELS = Path(__file__).resolve().parents[3] / "models"


def sources() -> dict[str, list[str]]:
    document: dict[str, list[str]] = json.loads((MODELS / "sources.json").read_text())
    return document


def material() -> Path:
    place = os.environ.get("MINIMARSHAL_MATERIAL")
    if not place:
        if os.environ.get("MINIMARSHAL_STRICT") == "1":
            pytest.fail("MINIMARSHAL_MATERIAL names no folder")
        pytest.skip("MINIMARSHAL_MATERIAL names no folder of photographs")
    return Path(place)


def test_every_source_is_in_one_part() -> None:
    names = {f"{i:03d}_jpg" for i in range(60)}
    parts = split_sources(names)
    assert set(parts) == names
    counts = [list(parts.values()).count(p) for p in ("apart", "validation", "train")]
    assert counts == [12, 6, 42]


def test_all_renderings_of_an_original_share_its_source() -> None:
    assert source_of("001_jpg.rf.0c4ad.jpg") == source_of("001_jpg.rf.ffff.jpg") == "001_jpg"


def test_the_committed_split_is_the_computed_one() -> None:
    document = sources()
    names = {*document["apart"], *document["validation"], *document["train"]}
    parts = split_sources(names)
    for part in ("apart", "validation", "train"):
        assert sorted(name for name, own in parts.items() if own == part) == document[part]
    assert document["split_seed"] == SPLIT_SEED


def test_turned_down_cutouts_are_of_the_train_sources() -> None:
    train = set(sources()["train"])
    assert turned_down()
    assert {source_of(name) for name in turned_down()} <= train


def write_photo(folder: Path, name: str, seed: int, copy_of: int | None = None) -> None:
    rng = np.random.default_rng(seed if copy_of is None else copy_of)
    image = cv2.resize(rng.integers(0, 255, (16, 17, 3), dtype=np.uint8), (160, 160))
    (folder / "images").mkdir(exist_ok=True)
    (folder / "labels").mkdir(exist_ok=True)
    cv2.imwrite(str(folder / "images" / f"{name}.jpg"), image)
    (folder / "labels" / f"{name}.txt").write_text("0 0.5 0.5 0.4 0.6\n")


def test_the_same_picture_under_two_names_is_not_on_both_sides(tmp_path: Path) -> None:
    names = [f"{i:03d}_jpg" for i in range(20)]
    parts = split_sources(set(names))
    apart = next(i for i, n in enumerate(names) if parts[n] == "apart")
    train = next(i for i, n in enumerate(names) if parts[n] == "train")
    for index, name in enumerate(names):
        copy_of = apart if index == train else None
        write_photo(tmp_path, f"{name}.rf.x", index, copy_of)
    kept = {p.source: p.part for p in read_photographs(tmp_path)}
    assert names[train] not in kept
    assert kept[names[apart]] == "apart"
    assert len(kept) == 19


def test_a_folder_without_pictures_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match=r"images/\*\.jpg"):
        read_photographs(tmp_path)


def test_collect_never_reads_what_is_kept_apart(tmp_path: Path) -> None:
    photos = tmp_path / "real" / "minifig_boxes"
    photos.mkdir(parents=True)
    plates = tmp_path / "real" / "baseplates"
    plates.mkdir()
    plate = np.full((1000, 1600, 3), 90, np.uint8)
    for name in BASEPLATES:
        cv2.imwrite(str(plates / f"{name}.jpg"), plate)
    names = [f"{i:03d}_jpg" for i in range(10)]
    for index, name in enumerate(names):
        write_photo(photos, f"{name}.rf.x", index)
        file = photos / "images" / f"{name}.rf.x.jpg"
        image = cv2.imread(str(file))
        assert image is not None
        image[20:140, 36:124] = 200
        cv2.rectangle(image, (56, 40), (104, 120), (30, 30, 30 + 8 * index), -1)
        cv2.imwrite(str(file), image)
    collect(tmp_path, tmp_path / "out", count=10)
    parts = split_sources(set(names))
    out = tmp_path / "out"
    assert len(list((out / "images/train").glob("*.jpg"))) == 10
    assert len(list((out / "labels/train").glob("*.txt"))) == 10
    for folder, part in (("train", "train"), ("val", "validation")):
        written = list((out / "photographs/images" / folder).glob("*.jpg"))
        assert written
        assert {parts[source_of(file.name)] for file in written} == {part}


@pytest.mark.material
def test_no_picture_of_the_real_set_is_on_both_sides() -> None:
    kept = read_photographs(material() / "real" / "minifig_boxes")
    document = sources()
    for photograph in kept:
        assert photograph.source in document[photograph.part]
    names = {photograph.image.stem for photograph in kept}
    assert not names & set(document["same_picture_left_out"])
    assert len([p for p in kept if p.part == "apart"]) >= 50
