"""`render` hands on to an interpreter with Blender; a small stand-in plays it here."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from server.cli import run

RECIPES = Path(__file__).parents[2] / "datasets" / "recipes"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def cli(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    for name in ("LDRAWDIR", "MINIMARSHAL_BLENDER"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: object) -> tuple[int, str, str]:
        code = run([str(argument) for argument in arguments])
        out, err = capfd.readouterr()
        return code, out, err

    return call


def stand_in(path: Path, body: str) -> Path:
    """An interpreter that has "bpy" and does `body` instead of rendering."""
    path.write_text(f'#!/bin/sh\nif [ "$1" = -c ]; then exit 0; fi\n{body}\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def usual(tmp_path: Path, body: str) -> list[object]:
    library = tmp_path / "ldraw"
    library.mkdir(exist_ok=True)
    python = stand_in(tmp_path / "python", body)
    return ["render", RECIPES / "kinds.toml", "--ldraw", library, "--python", python]


def test_it_says_how_many_there_are_and_passes_its_options_on(cli: Run, tmp_path: Path) -> None:
    body = f'echo train/00000; echo train/00001; echo "$LDRAWDIR $@" > {tmp_path}/said'
    words = [*usual(tmp_path, body), "--out", tmp_path / "r", "--split", "val", "--limit", 2]
    code, out, err = cli(*words, "--part", "1/2", "--no-pictures", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {"ok": True, "out": str(tmp_path / "r"), "rendered": 2}
    said = (tmp_path / "said").read_text()
    assert said.startswith(f"{tmp_path / 'ldraw'} ")
    for option in ("--split val", "--limit 2", "--part 1/2", "--no-pictures", "kinds.toml --out"):
        assert option in said
    assert (tmp_path / "r").is_dir()


def test_what_the_renderer_complains_of_is_said_in_one_line(cli: Run, tmp_path: Path) -> None:
    words = "render: error: 973.dat: not in the LDraw library"
    body = f"echo Blender talks >&2; echo '{words}' >&2; exit 2"
    code, out, err = cli(*usual(tmp_path, body), "--out", tmp_path / "r")
    assert (code, out) == (2, "")
    assert err == "minimarshal: error: 973.dat: not in the LDraw library\n"
    code, out, err = cli(*usual(tmp_path, "echo boom >&2; exit 1"), "--out", tmp_path / "r")
    assert (code, err) == (2, "minimarshal: error: render: boom\n")


def test_an_interpreter_without_blender(cli: Run, tmp_path: Path) -> None:
    words = usual(tmp_path, "")
    plain = tmp_path / "python"
    plain.write_text("#!/bin/sh\nexit 1\n")
    code, out, err = cli(*words, "--out", tmp_path / "r")
    assert (code, out) == (2, "")
    assert err.startswith(f"minimarshal: error: {plain}: has no bpy")
    assert err.count("\n") == 1
    assert not (tmp_path / "r").exists()
    plain.unlink()
    code, _, err = cli(*words, "--out", tmp_path / "r")
    assert code == 2
    assert "cannot be started" in err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("no.toml", "no.toml: cannot be read"),
        ("bad.toml", "bad.toml: no TOML"),
        ("--python", "--python: missing"),
        ("--ldraw", "--ldraw: missing"),
        ("nowhere", "nowhere: no LDraw library"),
        ("--limit", "--limit: "),
    ],
)
def test_bad_use_is_one_line(cli: Run, tmp_path: Path, change: str, words: str) -> None:
    (tmp_path / "bad.toml").write_text("kind = 1 2")
    call = [*usual(tmp_path, "exit 7"), "--out", tmp_path / "r"]
    if change.endswith(".toml"):
        call[1] = tmp_path / change
    elif change == "nowhere":
        call[3] = tmp_path / change
    elif change == "--limit":
        call += ["--limit", 0]
    else:
        at = call.index(change)
        del call[at : at + 2]
    code, out, err = cli(*call)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
    assert not (tmp_path / "r").exists()


@pytest.mark.material
@pytest.mark.skipif("MINIMARSHAL_BLENDER" not in os.environ, reason="names no Python with Blender")
def test_a_real_picture(tmp_path: Path) -> None:
    from tests.material import material

    words = ["render", str(RECIPES / "kinds.toml"), "--ldraw", str(material("ldraw/ldraw.zip"))]
    assert run([*words, "--out", str(tmp_path), "--split", "val", "--limit", "1"]) == 0
    for folder, kind in (("images", "jpg"), ("labels", "txt"), ("truth", "json")):
        assert (tmp_path / folder / "val" / f"00000.{kind}").stat().st_size > 20
    assert (tmp_path / "coco_val.json").exists()
