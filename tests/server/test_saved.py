"""What may be done in a saved game, from its recording and from its log alone."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.codec import decode_input, encode_input, encode_line
from engine.play import play
from engine.referee import Referee
from server.cli import run
from tests.engine.tables import facing_off
from vision.recording.meta import Meta

GOLDEN = Path(__file__).parents[1] / "golden"


def inputs() -> list[str]:
    """A game of Figurslag stopped in a movement phase, from a table without a game on."""
    game = facing_off(red={"r1": (300, 150)}, blue={"b1": (300, 250)})
    # The tests' referee is made with its game; a recorded one is told it, one line later.
    found = [json.dumps({"type": "action", "kind": "new_game", "t_ns": 0, "value": "figurslag"})]
    for item in game.inputs:
        told = json.loads(encode_input(item))
        if told.get("basis_seq") is not None:
            told["basis_seq"] += 1
        found.append(json.dumps(told))
    return found


def asked(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["rules", "options", *arguments])
    out, err = capfd.readouterr()
    return code, out, err


def test_a_log_alone_tells_what_its_state_allows(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    referee = Referee()
    play([decode_input(text) for text in inputs()], referee)
    log = tmp_path / "game.jsonl"
    log.write_text("".join(encode_line(line) + "\n" for line in referee.lines))
    code, out, _ = asked(capfd, "figurslag", str(log), "--json")
    assert code == 0
    kinds = [option["kind"] for option in json.loads(out)]
    assert kinds[0] == "done"
    assert kinds.count("concede") == 2


def test_a_recording_tells_reach_and_rule_of_every_model(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "recording"
    folder.mkdir()
    (folder / "inputs.jsonl").write_text("\n".join(inputs()) + "\n")
    (folder / "log.jsonl").write_text(encode_line(Referee().lines[0]) + "\n")
    (folder / "meta.toml").write_text(Meta("test", "0").text())
    for path in (folder, folder / "log.jsonl"):
        code, out, err = asked(capfd, "figurslag", str(path), "--json")
        assert (code, err) == (0, "")
        reaches = [one for one in json.loads(out) if one["kind"] == "reach"]
        assert [one["figure_id"] for one in reaches] == ["r1", "r2", "r3", "r4", "r5"]
        assert all(one["rule"] == "FS-MOVE-01" and one["shapes"] for one in reaches)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("figurslag", "nowhere"), "nowhere: No such file"),
        (("chess", "nowhere"), "ID: no rule set 'chess'"),
        (("figurslag", str(GOLDEN / "deathzap" / "said.txt")), "line 1: "),
    ],
)
def test_a_wrong_game_is_one_line(
    arguments: tuple[str, str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code, out, err = asked(capfd, *arguments, "--json")
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_game_of_other_rules_is_named(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "alone.jsonl"
    shutil.copy(GOLDEN / "deathzap" / "log.jsonl", path)
    code, _, err = asked(capfd, "figurslag", str(path))
    assert code == 2
    assert "is a game of deathzap, not of figurslag" in err
    assert asked(capfd, "deathzap", str(path))[0] == 0


def test_an_army_is_reckoned(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "band.toml"
    path.write_text('name = "Two"\n[[figures]]\nkind = "Beast"\nmight = 11\ncount = 2\n')
    assert run(["army", "deathzap", str(path), "--json"]) == 0
    told = json.loads(capfd.readouterr().out)
    assert (told["ok"], told["points"], told["figures"]) == (False, 22, 2)
    assert [error["rule"] for error in told["errors"]] == ["DZ-WB-06"]
    assert run(["army", "deathzap", "patrol"]) == 0
    assert "Patrol: 6 figures, 20 points" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("chess", "patrol"), "ID: no armies for 'chess'"),
        (("deathzap", "nowhere"), "nowhere: no such file, and no ready army"),
    ],
)
def test_a_wrong_army_is_one_line(
    arguments: tuple[str, str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["army", *arguments, "--json"]) == 2
    out, err = capfd.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
