from pathlib import Path

import pytest

from vision.scenes import render
from vision.scenes.errors import SceneError
from vision.scenes.films import DEMO_CAST, SECOND_CAST, demo_bricks, second_bricks
from vision.scenes.recipe import ClipRecipe, RandomRecipe, load

RECIPES = Path(__file__).parents[3] / "datasets" / "recipes"


def test_sets_share_no_figure_parts_and_no_tables() -> None:
    training, demo, second = (load(RECIPES / f"{n}.toml") for n in ("training", "demo", "second"))
    assert isinstance(training, RandomRecipe)
    assert isinstance(demo, ClipRecipe)
    assert isinstance(second, ClipRecipe)
    train, val = training.splits
    assert (train.name, val.name) == ("train", "val")
    for kind in ("torsos", "headgear", "items", "tables"):
        assert not set(getattr(train, kind)) & set(getattr(val, kind))
    seen: set[str] = set()
    for cast in (DEMO_CAST, SECOND_CAST):
        parts = {a.outfit.torso.name for a in cast}
        parts |= {a.outfit.headgear.name for a in cast if a.outfit.headgear}
        for split in training.splits:
            assert not parts & {*split.torsos, *split.headgear}
        assert not parts & seen
        seen |= parts
    assert len({training.seed, demo.seed, second.seed}) == 3
    for split in training.splits:
        assert not {"planks", "slate"} & set(split.tables)
    assert demo_bricks()[0].colour != second_bricks()[0].colour


def test_training_is_wide_enough() -> None:
    training = load(RECIPES / "training.toml")
    assert isinstance(training, RandomRecipe)
    train = training.splits[0]
    assert len(train.torsos) >= 60
    assert len(train.headgear) >= 30
    assert len(train.items) >= 15


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("kind = 1 2", "no TOML"),
        ("kind = 'random'", "lacks size_px"),
        ("kind = 'clip'\nsize_px = [9, 9]\nseed = 1\nsamples = 1\nfps = 10", "lacks name"),
        ("kind = 'odd'\nsize_px = [9, 9]\nseed = 1\nsamples = 1", "unknown kind"),
        ("kind = 'clip'\nsize_px = ['a', 9]\nseed = 1\nsamples = 1", "wrong value"),
    ],
)
def test_bad_recipes(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "r.toml"
    path.write_text(text)
    with pytest.raises(SceneError, match=fault):
        load(path)


def test_command_line_says_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("LDRAWDIR", raising=False)
    assert render.main([str(tmp_path / "no.toml"), "--out", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"render: error: {tmp_path / 'no.toml'}: cannot be read\n"
    assert render.main([str(RECIPES / "demo.toml"), "--out", str(tmp_path)]) == 2
    assert "LDRAWDIR: not set" in capsys.readouterr().err
