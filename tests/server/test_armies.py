"""Army lists over the page's interface: chosen, reckoned, kept and read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from engine.armies.lists import read_army, ready_armies
from engine.army import MUSTERS
from engine.referee import Referee
from server.armies import Shelf
from server.cli import run
from server.datafolder import data_folder
from server.live import LiveTable
from server.recorder import Recorder
from server.replay import check, open_recording
from tests.server.conftest import client_of, wait_for
from tests.simulated import by_hand, simulated

BAND = {"name": "Band", "figures": [{"kind": "Beast", "might": 3, "count": 4}]}


@pytest.fixture
def table() -> Iterator[LiveTable]:
    """A table without a camera on which Deathzap has begun."""
    table = by_hand()
    table.start()
    wait_for(lambda: table.table is not None)
    yield table
    table.stop()


@pytest.fixture
def page(table: LiveTable) -> Iterator[TestClient]:
    with client_of(table) as client:
        act(client, kind="new_game", value="deathzap")
        yield client


def act(client: TestClient, **body: Any) -> Any:
    basis = client.get("/api/snapshot").json()["seq"]
    return client.post("/api/actions", json={"basis_seq": basis, **body})


def choose(client: TestClient, side: str, army: dict[str, Any] | None) -> Any:
    basis = client.get("/api/snapshot").json()["seq"]
    return client.post("/api/armies", json={"side": side, "army": army, "basis_seq": basis})


@pytest.mark.parametrize("ruleset_id", MUSTERS)
def test_the_ready_lists_come_reckoned(page: TestClient, ruleset_id: str) -> None:
    told = page.get(f"/api/armies/{ruleset_id}").json()
    assert {one["key"] for one in told["ready"]} == set(ready_armies(ruleset_id))
    assert all(one["told"]["figures"] and not one["told"]["errors"] for one in told["ready"])
    assert told["kinds"][0]["words"]
    assert told["saved"] == []


def test_a_list_is_reckoned_by_what_was_agreed_for_the_game(page: TestClient) -> None:
    told = page.post("/api/armies/deathzap/reckon", json={"army": BAND}).json()
    assert (told["points"], told["limit"], told["figures"], told["errors"]) == (12, 20, 4, [])
    act(page, kind="new_game", value="deathzap", items=["dz.points.standard=10"])
    told = page.post("/api/armies/deathzap/reckon", json={"army": BAND}).json()
    assert [error["rule"] for error in told["errors"]] == ["DZ-WB-06"]
    assert read_army(told["toml"]).name == "Band"


def test_what_the_rules_do_not_know_is_one_error_with_its_rule(page: TestClient) -> None:
    army = {"figures": [{"kind": "Wizard"}]}
    told = page.post("/api/armies/deathzap/reckon", json={"army": army}).json()
    (error,) = told["errors"]
    assert error["rule"] == "DZ-WB-02"
    assert error["text"].startswith("'Wizard' is no class")


def test_figures_put_by_hand_become_what_the_list_says(page: TestClient, table: LiveTable) -> None:
    assert choose(page, "red", BAND).status_code == 200
    put = act(page, kind="place", point_mm=[100, 100], items=["label=minifig"]).json()
    figure_id = put["lines"][0]["event"]["figure_id"]
    answer = act(page, kind="enlist", side="red", figure_id=figure_id, numbers=[0])
    assert answer.status_code == 200
    facts = page.get("/api/snapshot").json()["facts"]
    assert facts["names"][figure_id] == "Beast 1"
    assert facts["enlisted"][figure_id] == {"side": "red", "entry": 0, "kind": "Beast (basic)"}
    assert facts["armies"]["red"]["entries"][0]["count"] == 4
    assert table.referee.state.unit(figure_id).equipment == ("Beast",)  # type: ignore[union-attr]
    act(page, kind="remove", figure_id=figure_id)
    assert page.get("/api/snapshot").json()["facts"]["enlisted"] == {}


def test_a_list_is_kept_where_the_program_keeps_things(page: TestClient, capsys: Any) -> None:
    saved = page.post("/api/armies/deathzap/save", json={"army": BAND})
    assert saved.json() == {"key": "band"}
    path = data_folder() / "armies" / "deathzap" / "band.toml"
    assert read_army(path.read_text()).figures[0].count == 4
    # The very file that the command reads.
    assert run(["army", "deathzap", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["points"] == 12
    (one,) = page.get("/api/armies/deathzap").json()["saved"]
    assert one["army"]["name"] == "Band"
    assert page.get("/api/armies/playmobil").json()["saved"] == []
    assert page.post("/api/armies/deathzap/delete", json={"key": "band"}).status_code == 200
    assert not path.exists()
    assert page.post("/api/armies/deathzap/delete", json={"key": "band"}).status_code == 422


@pytest.mark.parametrize("write", [json.dumps, lambda army: ready_armies("deathzap")["patrol"]])
def test_a_file_is_read_as_toml_and_as_json(page: TestClient, write: Any) -> None:
    told = page.post("/api/armies/deathzap/read", json={"text": write(BAND)}).json()
    assert told["army"]["figures"]


def test_files_that_are_no_lists_are_left_out(page: TestClient) -> None:
    folder = data_folder() / "armies" / "deathzap"
    folder.mkdir(parents=True)
    (folder / "broken.toml").write_text("figures = [")
    (folder / "binary.toml").write_bytes(b"\xff\xfe")
    (folder / "huge.toml").write_text("#" * 300_000)
    assert page.get("/api/armies/deathzap").json()["saved"] == []


@pytest.mark.parametrize(
    ("path", "body", "reason"),
    [
        ("deathzap/save", {"army": {"figures": []}}, "name first"),
        ("deathzap/read", {"text": "figures = ["}, "not TOML"),
        ("deathzap/read", {"text": "{"}, "not JSON"),
        ("deathzap/read", {"text": "{}"}, "figures"),
        ("deathzap/reckon", {"army": {"figures": [{"count": 0}]}}, "count"),
        ("deathzap/reckon", {"army": {"figures": [{"cost": 3}]}}, "cost"),
        ("deathzap/delete", {"key": "../../secret"}, "no such army"),
        ("chess/reckon", {"army": BAND}, "no armies for 'chess'"),
        ("..%2Fx/save", {"army": BAND}, ""),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    page: TestClient, path: str, body: dict[str, Any], reason: str
) -> None:
    answer = page.post(f"/api/armies/{path}", json=body)
    assert answer.status_code in (404, 405, 422)
    assert reason in answer.json()["reason"]
    assert "\n" not in answer.json()["reason"]


def test_a_side_that_is_not_there_plays_no_list(page: TestClient) -> None:
    answer = choose(page, "green", BAND)
    assert answer.status_code == 422
    assert "no side 'green'" in answer.json()["reason"]
    assert choose(page, "red", None).status_code == 200


def test_a_list_that_the_rules_do_not_know_is_not_played(page: TestClient) -> None:
    answer = choose(page, "red", {"figures": [{"kind": "Wizard"}]})
    assert (answer.status_code, answer.json()["rule"]) == (422, "DZ-WB-02")


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Zoë's Ritter", "zoe-s-ritter"),
        ("../../etc/passwd", "etc-passwd"),
        ("Con", "con-army"),
        ("騎士団", "9a0e-58eb-56e3"),
        ("CON " * 40, "con-con-con-con-con-con-con-con-con-con"),
    ],
)
def test_a_name_becomes_the_name_of_a_file(tmp_path: Path, name: str, key: str) -> None:
    shelf = Shelf(tmp_path)
    assert (
        shelf.save("deathzap", read_army("figures = []").model_copy(update={"name": name})) == key
    )
    assert [path.name for path in tmp_path.rglob("*.toml")] == [f"{key}.toml"]


def test_a_shelf_is_full_some_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.armies._MOST", 2)
    shelf, army = Shelf(tmp_path), read_army("figures = []")
    for name in ("a", "b", "b"):
        shelf.save("deathzap", army.model_copy(update={"name": name}))
    with pytest.raises(Exception, match="delete one first"):
        shelf.save("deathzap", army.model_copy(update={"name": "c"}))


def test_a_game_with_armies_replays_to_the_same_log(tmp_path: Path) -> None:
    """Lists, bound figures and a taken back one: byte for byte, and the log alone tells them."""
    recorder = Recorder(tmp_path / "game", "by hand", pictures=False)
    table = by_hand(recorder)
    table.start()
    wait_for(lambda: table.table is not None)
    with client_of(table) as client:
        act(client, kind="new_game", value="playmobil")
        army = read_army(ready_armies("playmobil")["guard"]).model_dump()
        assert choose(client, "red", army).status_code == 200
        for i in range(3):
            put = act(client, kind="place", point_mm=[100 + 60 * i, 100]).json()
            figure_id = put["lines"][0]["event"]["figure_id"]
            entry = {"side": "red", "figure_id": figure_id, "numbers": [min(i, 1)]}
            assert act(client, kind="enlist", **entry).status_code == 200
        act(client, kind="undo")
    table.stop()
    recorder.close()
    assert check(open_recording(tmp_path / "game"), None) == table.referee.state.seq
    alone = Referee()
    for line in table.referee.lines:
        alone.retell(line)
    assert alone.facts == table.referee.facts
    assert len(alone.facts.enlisted) == 2
    assert alone.announcements() == table.referee.announcements()


def test_two_armies_with_the_same_letters_are_both_kept(tmp_path: Path) -> None:
    shelf, army = Shelf(tmp_path), read_army("figures = []")
    names = ("Орки 2", "Рыцари 2", "Army", "Army!", "Army ", "CON " * 15 + "a", "CON " * 15 + "b")
    keys = [shelf.save("deathzap", army.model_copy(update={"name": name})) for name in names]
    assert len(set(keys)) == len(names) - 1  # "Army " is "Army"
    kept = shelf.lists("deathzap")
    assert {kept[key].name.strip() for key in keys} == {name.strip() for name in names}
    for key in set(keys):
        shelf.delete("deathzap", key)
    assert shelf.lists("deathzap") == {}


def muster(client: TestClient, side: str, figures: list[dict[str, Any]], basis: int) -> Any:
    body = {"side": side, "figures": figures, "basis_seq": basis}
    return client.post("/api/armies/muster", json=body)


def posts(*entries: int) -> list[dict[str, Any]]:
    return [
        {"entry": entry, "point_mm": [60 + 50 * i, 60], "label": "minifig", "facing_deg": 90}
        for i, entry in enumerate(entries)
    ]


def seq(client: TestClient) -> int:
    return int(client.get("/api/snapshot").json()["seq"])


def test_an_army_is_put_at_once_and_taken_back_at_once(tmp_path: Path) -> None:
    """One wish, one undo, and the recording replays to the same log."""
    recorder = Recorder(tmp_path / "game", "by hand", pictures=False)
    table = by_hand(recorder)
    table.start()
    wait_for(lambda: table.table is not None)
    with client_of(table) as client:
        act(client, kind="new_game", value="deathzap")
        choose(client, "red", BAND)
        before = table.referee.facts
        assert muster(client, "red", posts(0, 0, 0), seq(client)).status_code == 200
        assert len(table.referee.facts.enlisted) == len(table.table.figures) == 3  # type: ignore[union-attr]
        assert {one.mark("might") for one in table.referee.state.units} == {3}
        assert table.referee.undoable == "together"
        act(client, kind="undo")
        assert table.referee.facts == before
        assert table.table.figures == ()  # type: ignore[union-attr]
        said = client.get("/api/snapshot").json()["announcements"][-1]["text"]
        assert said == "Taken back: the figures that were put."
        assert table.referee.undoable == "army"
        assert muster(client, "red", posts(0, 0, 0, 0), seq(client)).status_code == 200
        # What comes after it is taken back by itself.
        act(client, kind="terrain_delete", terrain_id="t9")
        act(client, kind="place", point_mm=[400, 400])
        act(client, kind="undo")
        assert len(table.referee.facts.enlisted) == 4
    table.stop()
    recorder.close()
    assert check(open_recording(tmp_path / "game"), None) == table.referee.state.seq
    alone = Referee()
    for line in table.referee.lines:
        alone.retell(line)
    assert alone.facts == table.referee.facts


def test_who_finds_no_line_of_the_list_is_not_put(table: LiveTable, page: TestClient) -> None:
    """Four Beasts: the fifth is refused and leaves nobody's figure, the four are one undo."""
    choose(page, "red", BAND)
    answer = muster(page, "red", posts(0, 0, 0, 0, 0), seq(page))
    assert answer.status_code == 422
    assert "on the table already" in answer.json()["reason"]
    assert len(table.table.figures) == 4  # type: ignore[union-attr]
    act(page, kind="undo")
    assert table.table.figures == ()  # type: ignore[union-attr]


def test_a_list_that_was_changed_meanwhile_is_not_put(table: LiveTable, page: TestClient) -> None:
    choose(page, "red", BAND)
    basis = seq(page)
    choose(page, "blue", BAND)
    assert muster(page, "red", posts(0), basis).status_code == 200
    choose(page, "red", {"figures": [{"kind": "Soldier", "might": 2, "count": 3}]})
    assert muster(page, "red", posts(0), basis).status_code == 409
    assert len(table.table.figures) == 1  # type: ignore[union-attr]


def test_where_a_camera_looks_nobody_is_put_by_the_page() -> None:
    table = simulated()
    with client_of(table) as client:
        assert muster(client, "red", posts(0), 0).status_code in (409, 422)


def test_a_list_that_would_take_for_ever_is_no_list(page: TestClient) -> None:
    many = {"name": "Many", "figures": [{"kind": "Beast", "might": 3, "count": 150}] * 2}
    assert page.post("/api/armies/deathzap/reckon", json=many).status_code in (409, 422)
    for value in ("1e400", "-1e400", "1" + "0" * 400, "NaN"):
        text = '{"name": "X", "figures": [], "options": {"army_points": ' + value + "}}"
        answer = page.post("/api/armies/deathzap/read", json={"text": text})
        assert answer.status_code in (400, 409, 422), value
    assert page.get("/api/armies/deathzap").status_code == 200


@pytest.mark.parametrize("name", ["My army", "Zoë", "a.b", "ARMY" * 25])
def test_a_list_under_a_name_of_ones_own_is_listed_and_deleted(page: TestClient, name: str) -> None:
    folder = data_folder() / "armies" / "deathzap"
    folder.mkdir(parents=True)
    path = folder / f"{name}.toml"
    path.write_text('name = "Band"\nfigures = [{ kind = "Beast", might = 3 }]\n', "utf-8")
    (folder.parent / "secret.toml").write_text("figures = []", "utf-8")
    (one,) = page.get("/api/armies/deathzap").json()["saved"]
    assert (one["key"], one["army"]["name"]) == (name, "Band")
    for other in ("../secret", "..", str(path.with_suffix(""))):
        assert page.post("/api/armies/deathzap/delete", json={"key": other}).status_code == 422
    assert path.exists()
    assert page.post("/api/armies/deathzap/delete", json={"key": name}).status_code == 200
    assert not path.exists()
    assert (folder.parent / "secret.toml").exists()
    assert page.get("/api/armies/deathzap").json()["saved"] == []
