from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from calibration.errors import NotFound
from server.interlude import Interlude
from server.live import LiveTable
from tests.server.conftest import SOCKET, client_of, wait_for
from tests.simulated import CAMERA, SIZE_MM, by_hand, opening, simulated, start_positions
from vision.sources import SourceState


def act(client: TestClient, **body: Any) -> Any:
    basis = client.get("/api/snapshot").json()["seq"]
    return client.post("/api/actions", json={"basis_seq": basis, **body})


def test_health_names_the_camera_and_the_last_line(client: TestClient) -> None:
    health = client.get("/healthz").json()
    assert health["status"] == "ok"
    assert health["camera"]["state"] == "live"
    assert set(health["camera"]) == {"state", "fps", "age_ms"}
    assert health["seq"] == client.get("/api/snapshot").json()["seq"]


def test_snapshot_has_the_shape_that_other_programs_rely_on(client: TestClient) -> None:
    snapshot = client.get("/api/snapshot").json()
    assert {"seq", "state", "table", "calibration", "announcements"} <= set(snapshot)
    table = snapshot["table"]
    assert {"t_ns", "size_mm", "figures", "terrain", "settled", "doubts"} <= set(table)
    assert table["size_mm"] == list(SIZE_MM)
    figure = next(one for one in table["figures"] if one["figure_id"] == "f1")
    assert {
        "figure_id",
        "label",
        "side",
        "position_mm",
        "sigma_mm",
        "facing_deg",
        "level_mm",
        "state",
        "seen",
    } <= set(figure)
    assert figure["side"] == "red"
    assert figure["position_mm"] == list(start_positions()[1])
    for said in snapshot["announcements"]:
        assert {"seq", "level", "text", "rule"} <= set(said)
    assert snapshot["calibration"]["schema_version"] == 1
    assert snapshot["state"]["ruleset"] == "figurslag"
    assert any(option["kind"] == "terrain_done" for option in snapshot["options"])


def test_an_action_answers_with_its_lines(client: TestClient) -> None:
    answer = act(client, kind="terrain_done")
    assert answer.status_code == 200
    lines = answer.json()["lines"]
    assert lines
    assert all(line["cause"] == "terrain_done" for line in lines)
    assert answer.json()["seq"] == lines[-1]["seq"]


def test_a_wish_on_an_old_state_is_stale(client: TestClient) -> None:
    old = client.get("/api/snapshot").json()["seq"]
    act(client, kind="terrain_done")
    answer = client.post("/api/actions", json={"kind": "roster_done", "basis_seq": old})
    assert answer.status_code == 409
    assert answer.json()["reason"]


def test_a_refusal_has_a_reason_and_a_rule(client: TestClient) -> None:
    answer = act(client, kind="done", side="blue")
    assert answer.status_code == 422
    assert set(answer.json()) == {"reason", "rule"}
    assert answer.json()["reason"]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"kind": "undo"},
        {"kind": "undo", "basis_seq": -1},
        {"kind": "undo", "basis_seq": 1, "nonsense": 2},
        {"kind": "undo", "basis_seq": 1, "numbers": [1e300]},
        {"kind": "x" * 70, "basis_seq": 1},
        {"kind": "terrain_set", "basis_seq": 1, "terrain": {"terrain_id": "t1"}},
    ],
)
def test_a_body_that_is_not_understood_is_422_with_a_reason(
    client: TestClient, body: dict[str, Any]
) -> None:
    answer = client.post("/api/actions", json=body)
    assert answer.status_code == 422
    assert answer.json()["reason"]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"kind": "undo", "basis_seq": ' + b"9" * 6000 + b"}",
    ],
)
def test_bytes_that_are_no_json_are_422_with_a_reason(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/actions", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["reason"]
    assert answer.json()["rule"] is None


def test_a_wish_of_another_game_is_stale(client: TestClient) -> None:
    """A page left open over a restart knows more lines than the new game has."""
    seq = client.get("/api/snapshot").json()["seq"]
    answer = client.post("/api/actions", json={"kind": "undo", "basis_seq": seq + 1})
    assert answer.status_code == 409
    assert answer.json()["reason"]


def test_not_a_number_is_not_understood(client: TestClient) -> None:
    body = '{"kind": "correct", "basis_seq": 1, "figure_id": "f1", "point_mm": [NaN, 1]}'
    headers = {"content-type": "application/json"}
    answer = client.post("/api/actions", content=body, headers=headers)
    assert answer.status_code == 422


def test_measuring_between_figures_gives_edge_and_centre_in_every_unit(client: TestClient) -> None:
    body = {"from": {"figure_id": "f1"}, "to": {"figure_id": "f2"}}
    answer = client.post("/api/measure", json=body).json()
    assert answer["centre"]["mm"] == pytest.approx(80.0, abs=0.02)
    assert answer["centre"]["cm"] == pytest.approx(8.0, abs=0.002)
    assert answer["centre"]["studs"] == pytest.approx(10.0, abs=0.002)
    assert answer["edge"]["low_mm"] <= 64.0 <= answer["edge"]["high_mm"] + 0.01
    for which in ("edge", "centre"):
        assert set(answer[which]) >= {"mm", "sigma_mm", "cm", "in", "studs", "segments", "feet"}
        assert answer[which]["sigma_mm"] > 0


def test_measuring_between_pixels_is_true_to_the_camera(client: TestClient) -> None:
    px = CAMERA.to_image(np.array([(100.0, 100.0), (300.0, 250.0)])).tolist()
    body = {"from": {"px": px[0]}, "to": {"px": px[1]}}
    answer = client.post("/api/measure", json=body).json()
    assert answer["centre"]["mm"] == pytest.approx(250.0, abs=0.05)
    assert answer["edge"]["mm"] == answer["centre"]["mm"]
    assert 0 < answer["centre"]["sigma_mm"] < 5


def test_measuring_wants_exactly_one_thing_at_each_end(client: TestClient) -> None:
    body = {"from": {"px": [1, 2], "mm": [3, 4]}, "to": {"figure_id": "f1"}}
    assert client.post("/api/measure", json=body).status_code == 422
    body = {"from": {"figure_id": "nobody"}, "to": {"figure_id": "f1"}}
    answer = client.post("/api/measure", json=body)
    assert answer.status_code == 422
    assert "nobody" in answer.json()["reason"]


@pytest.mark.parametrize("state", [SourceState.STALE, SourceState.LOST, SourceState.RECONNECTING])
def test_a_camera_that_is_not_live_measures_nothing(game: LiveTable, state: SourceState) -> None:
    game._source.state = state  # type: ignore[union-attr]
    with client_of(game) as client:
        for end in ({"figure_id": "f1"}, {"px": [400, 300]}):
            answer = client.post("/api/measure", json={"from": end, "to": end})
            assert answer.status_code == 422
            assert str(state) in answer.json()["reason"]
        answer = client.post("/api/calibrate", json={"reference": "studs"})
        assert answer.status_code == 422
        assert client.get("/healthz").json()["camera"]["state"] == str(state)


def test_terrain_is_drawn_and_taken_back(client: TestClient) -> None:
    wall = {
        "terrain_id": "t1",
        "kind": "wall",
        "footprint_mm": [[100, 180], [200, 180], [200, 190], [100, 190]],
        "height_mm": 28.8,
    }
    assert act(client, kind="terrain_set", terrain_id="t1", terrain=wall).status_code == 200
    wait_for(lambda: client.get("/api/snapshot").json()["table"]["terrain"])
    assert act(client, kind="undo").status_code == 200
    wait_for(lambda: not client.get("/api/snapshot").json()["table"]["terrain"])


def test_a_correction_beats_the_camera_at_once(client: TestClient) -> None:
    answer = act(client, kind="correct", figure_id="f1", point_mm=[130, 60])
    assert answer.status_code == 200
    figures = client.get("/api/snapshot").json()["table"]["figures"]
    figure = next(one for one in figures if one["figure_id"] == "f1")
    assert figure["position_mm"] == [130.0, 60.0]
    assert figure["seen"] == "corrected"


def test_who_is_who_can_be_exchanged(client: TestClient) -> None:
    assert act(client, kind="identify", figure_id="f1", target_id="f2").status_code == 200
    figures = {
        one["figure_id"]: one for one in client.get("/api/snapshot").json()["table"]["figures"]
    }
    assert figures["f2"]["position_mm"] == list(start_positions()[1])
    assert figures["f1"]["position_mm"] == list(start_positions()[2])


def messages(client: TestClient, path: str, until: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    with client.websocket_connect(SOCKET + path) as socket:
        while not until(found):
            found.append(json.loads(socket.receive_text()))
    return found


def test_the_socket_sends_missed_lines_then_the_table(client: TestClient) -> None:
    snapshot = client.get("/api/snapshot").json()
    found = messages(client, "/ws?after=0", lambda all_: any(m["type"] == "table" for m in all_))
    seqs = [message["seq"] for message in found if message["type"] == "line"]
    assert seqs == list(range(1, snapshot["seq"] + 1))
    assert found.index(next(m for m in found if m["type"] == "table")) >= len(seqs)


def test_the_socket_goes_on_after_the_last_line_known(client: TestClient) -> None:
    snapshot = client.get("/api/snapshot").json()
    path = f"/ws?after={snapshot['seq']}&epoch={snapshot['epoch']}"
    with client.websocket_connect(SOCKET + path) as socket:
        first = json.loads(socket.receive_text())
        assert first["type"] != "line"
        act(client, kind="terrain_done")
        while (message := json.loads(socket.receive_text()))["type"] != "line":
            pass
    assert message["seq"] == snapshot["seq"] + 1
    assert message["event"]["kind"]
    assert isinstance(message["announcements"], list)


def test_a_page_of_another_game_starts_over(client: TestClient) -> None:
    snapshot = client.get("/api/snapshot").json()
    for path in (f"/ws?after=3&epoch={snapshot['epoch'] + 1}", "/ws?after=999999"):
        found = messages(client, path, lambda all_: any(m["type"] == "line" for m in all_))
        assert found[0] == {"type": "restart", "epoch": snapshot["epoch"]}
        assert next(m for m in found if m["type"] == "line")["seq"] == 1


def test_the_picture_and_the_interface_are_served(client: TestClient) -> None:
    picture = client.get("/api/frame.jpg")
    assert picture.headers["content-type"] == "image/jpeg"
    assert picture.content[:2] == b"\xff\xd8"
    interface = client.get("/api/openapi.json").json()
    assert {"/healthz", "/api/snapshot", "/api/actions", "/api/measure"} <= set(interface["paths"])


def test_the_page_comes_from_here_alone_and_is_never_old(client: TestClient) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    script = client.get("/static/main.js")
    assert script.headers["cache-control"] == "no-cache"
    again = client.get("/static/main.js", headers={"if-none-match": script.headers["etag"]})
    assert again.status_code == 304
    assert client.get("/static/../app.py").status_code == 404


def test_corners_tell_where_the_tables_edges_are() -> None:
    table = simulated()
    table.start()
    try:
        wait_for(lambda: table.hub.picture[1])
        inner = [(100.0, 50.0), (400.0, 50.0), (400.0, 250.0), (100.0, 250.0)]
        corners = CAMERA.to_image(np.array(inner)).tolist()
        with client_of(table) as client:
            answer = client.post("/api/calibrate", json={"corners_px": corners})
            assert answer.status_code == 200
            assert answer.json()["calibration"]["size_mm"] == pytest.approx([300, 200], abs=0.05)
            body = {"from": {"px": corners[0]}, "to": {"px": corners[2]}}
            measured = client.post("/api/measure", json=body).json()
            assert measured["centre"]["mm"] == pytest.approx(360.555, abs=0.05)
            assert measured["from_mm"] == pytest.approx([0, 0], abs=0.05)
            wait_for(lambda: client.get("/api/snapshot").json()["table"]["size_mm"] == [300, 200])
    finally:
        table.stop()


def test_corners_with_a_size_calibrate_a_table_nobody_knew() -> None:
    table = simulated(calibrated=False)
    table.start()
    try:
        wait_for(lambda: table.hub.picture[1])
        edges = [(0.0, 0.0), (SIZE_MM[0], 0.0), SIZE_MM, (0.0, SIZE_MM[1])]
        corners = CAMERA.to_image(np.array(edges)).tolist()
        with client_of(table) as client:
            assert client.get("/api/snapshot").json()["calibration"] is None
            end = {"px": corners[0]}
            measured = client.post("/api/measure", json={"from": end, "to": end})
            assert measured.status_code == 422
            without = client.post("/api/calibrate", json={"corners_px": corners})
            assert without.status_code == 422
            body = {"corners_px": corners, "size_mm": SIZE_MM}
            assert client.post("/api/calibrate", json=body).status_code == 200
            wait_for(lambda: client.get("/api/snapshot").json()["table"]["figures"])
    finally:
        table.stop()


def test_without_a_camera_the_page_still_works() -> None:
    from server.hub import Hub
    from server.setting import Setting

    table = LiveTable(None, None, Setting(make_feed=lambda _calibration: None), Hub())  # type: ignore[arg-type, return-value]
    table.start()
    try:
        with client_of(table) as client:
            assert client.get("/healthz").json()["camera"]["state"] == "none"
            assert client.get("/api/frame.jpg").status_code == 404
            assert act(client, kind="new_game", value="figurslag").status_code == 200
            assert client.get("/api/snapshot").json()["state"]["ruleset"] == "figurslag"
    finally:
        table.stop()


def test_a_new_lap_has_the_calibration_it_came_with() -> None:
    table = simulated(length_s=0.4, loop=True)
    began = table.calibration
    assert began is not None
    table.start()
    with client_of(table) as client:
        first = client.get("/api/snapshot").json()["epoch"]
        table.recalibrate(replace(began, origin="elsewhere"))
        wait_for(lambda: client.get("/api/snapshot").json()["epoch"] > first)
        assert table.calibration is began
        assert client.get("/api/snapshot").json()["calibration"]["origin"] == began.origin
    table.stop()


def test_before_the_table_is_measured_nothing_in_millimetres_is_taken() -> None:
    table = simulated(calibrated=False)
    table.start()
    with client_of(table) as client:
        wait_for(lambda: client.get("/api/snapshot").json()["table"]["t_ns"] > 0)
        for kind, more in (("new_game", {"value": "figurslag"}), ("terrain_set", {})):
            answer = act(client, kind=kind, **more)
            assert answer.status_code == 422
            assert "measure it first" in answer.json()["reason"]
        table.recalibrate(CAMERA)
        assert act(client, kind="new_game", value="figurslag").status_code == 200
    table.stop()


def test_a_loop_starts_a_new_game_and_pages_follow() -> None:
    table = simulated(length_s=0.4, loop=True)
    table.start()
    try:
        with client_of(table) as client:
            first = client.get("/api/snapshot").json()["epoch"]
            with client.websocket_connect(f"{SOCKET}/ws?after=1&epoch={first}") as socket:
                while (message := json.loads(socket.receive_text()))["type"] != "restart":
                    pass
                assert message["epoch"] == first + 1
                while (message := json.loads(socket.receive_text()))["type"] != "line":
                    pass
                assert message["seq"] == 1
    finally:
        table.stop()


def test_a_film_waits_for_a_visitor_and_then_begins_again() -> None:
    table = simulated(length_s=60.0, loop=True, game=opening())
    table._interlude = Interlude(table._stop, tick_s=0.05)
    table.start()
    try:
        with client_of(table) as client:

            def snapshot() -> dict[str, Any]:
                return dict(client.get("/api/snapshot").json())

            wait_for(lambda: len(snapshot()["facts"]["sides"]) == 10)
            first = snapshot()
            wall = {"footprint_mm": [[200, 100], [260, 100], [260, 120]], "height_mm": 28.8}
            box = {"terrain_id": "t8", "kind": "wall", **wall}
            answer = act(client, kind="terrain_set", terrain_id="t8", terrain=box)
            assert answer.status_code == 200
            assert snapshot()["undo"] == "terrain_set"
            wait_for(lambda: snapshot()["camera"]["waiting"])
            assert act(client, kind="undo").status_code == 200
            assert client.get("/healthz").json()["camera"]["state"] == "live"
            wait_for(lambda: snapshot()["epoch"] > first["epoch"])
            wait_for(lambda: len(snapshot()["facts"]["sides"]) == 10)
            assert not snapshot()["camera"]["waiting"]
    finally:
        table.stop()


def test_without_a_camera_figures_are_put_and_moved_by_hand() -> None:
    table = by_hand()
    table.start()
    try:
        with client_of(table) as client:

            def figures() -> dict[str, Any]:
                shown = client.get("/api/snapshot").json()["table"]["figures"]
                return {one["figure_id"]: one for one in shown}

            snapshot = client.get("/api/snapshot").json()
            assert snapshot["camera"]["by_hand"]
            wait_for(lambda: client.get("/api/snapshot").json()["table"]["size_mm"] == [800, 600])
            assert act(client, kind="table_size", numbers=[512, 344]).status_code == 200
            assert client.get("/api/snapshot").json()["table"]["size_mm"] == [512, 344]
            assert act(client, kind="new_game", value="figurslag").status_code == 200
            put = act(client, kind="place", point_mm=[96, 30], items=["facing_deg=90"])
            assert put.json()["lines"][0]["event"]["figure_id"] == "f1"
            assert act(client, kind="assign", figure_id="f1", side="red").status_code == 200
            one = figures()["f1"]
            assert (one["position_mm"], one["seen"], one["sigma_mm"]) == ([96, 30], "seen", 0.0)
            assert (one["side"], one["facing_deg"]) == ("red", 90.0)
            # Put right by hand, it is where people say until it is moved again.
            assert act(client, kind="correct", figure_id="f1", value="lying").status_code == 200
            assert (figures()["f1"]["state"], figures()["f1"]["seen"]) == ("lying", "corrected")
            assert act(client, kind="place", figure_id="f1", point_mm=[96, 60]).status_code == 200
            assert (figures()["f1"]["state"], figures()["f1"]["seen"]) == ("standing", "seen")
            assert act(client, kind="undo").status_code == 200
            assert figures()["f1"]["position_mm"] == [96, 30]
            assert act(client, kind="remove", figure_id="f1").status_code == 200
            assert figures() == {}
    finally:
        table.stop()


def test_without_a_camera_lengths_are_measured_between_figures_as_they_stand() -> None:
    table = by_hand()
    table.start()
    try:
        with client_of(table) as client:
            for at in ([100, 100], [180, 100]):
                assert act(client, kind="place", point_mm=at, items=["facing_deg=90"]).json()[
                    "lines"
                ]

            def measured(start: dict[str, Any], end: dict[str, Any]) -> Any:
                return client.post("/api/measure", json={"from": start, "to": end})

            f1, f2 = {"figure_id": "f1"}, {"figure_id": "f2"}
            answer = measured(f1, f2).json()
            centre, edge = answer["centre"], answer["edge"]
            assert (centre["mm"], centre["sigma_mm"], centre["studs"]) == (80.0, 0.0, 10.0)
            assert (edge["mm"], edge["sigma_mm"]) == (64.0, 0.0)
            assert (answer["from_mm"], answer["to_mm"]) == ([100, 100], [180, 100])
            assert measured(f1, {"mm": [100, 200]}).json()["centre"]["mm"] == 100.0
            assert act(client, kind="place", figure_id="f2", point_mm=[100, 150]).status_code == 200
            assert measured(f1, f2).json()["centre"]["mm"] == 50.0
            assert "nobody" in measured(f1, {"figure_id": "nobody"}).json()["reason"]
            assert measured(f1, {"px": [1, 1]}).json()["reason"] == "there is no picture yet"
    finally:
        table.stop()


def test_where_a_camera_looks_nothing_is_put_by_hand(client: TestClient) -> None:
    assert not client.get("/api/snapshot").json()["camera"]["by_hand"]
    for kind in ("place", "remove", "table_size"):
        answer = act(client, kind=kind, figure_id="f1", point_mm=[1, 1])
        assert answer.status_code == 422
        assert "the camera sees the figures" in answer.json()["reason"]


def test_a_reference_is_looked_for_though_pictures_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from server.first_look import FirstLook
    from server.trials import Trials
    from vision.frames import Frame

    looked: list[int] = []

    def measured(_self: Trials, _body: object, frame: Frame, _base: object) -> None:
        looked.append(frame.index)
        raise NotFound("nothing there")

    monkeypatch.setattr(Trials, "measured", measured)
    first = FirstLook(Trials())
    image = np.zeros((4, 4, 3), np.uint8)
    for index in (1, 21, 31, 64, 146, 156, 232, 310, 320, 2):  # at last a new lap begins
        assert first.step(Frame(index, index, "x", image)) is None
    assert looked == [1, 21, 64, 156, 310, 2]


def test_a_number_out_of_bounds_is_refused_in_words(client: TestClient) -> None:
    corners = [[0, 0], [9, 0], [9, 9]]
    wall = {"terrain_id": "t1", "kind": "wall", "footprint_mm": corners, "height_mm": 1e9}
    high = act(client, kind="terrain_set", terrain_id="t1", terrain=wall)
    assert high.json()["reason"] == "height in mm: too large, at most 5000"
    wide = act(client, kind="table_size", numbers=[1e99, 5])
    assert wide.json()["reason"] == "numbers: too large, at most 1e+09"
    low = act(client, kind="terrain_set", terrain_id="t1", terrain={**wall, "height_mm": -1})
    assert low.json()["reason"] == "height in mm: too small, at least 0"


def test_a_truth_value_is_no_number_and_no_die(client: TestClient) -> None:
    dice = act(client, kind="roll", dice=[True, 2])
    assert (dice.status_code, dice.json()["reason"]) == (422, "dice: not a whole number")
    assert act(client, kind="roll", dice=[2.5]).json()["reason"] == "dice: not a whole number"
    size = act(client, kind="table_size", numbers=[True, 400])
    assert (size.status_code, size.json()["reason"]) == (422, "numbers: not a number")


def test_a_dice_number_is_whole_and_not_below_nothing(client: TestClient) -> None:
    for number in (-1.5, -1, 0.5):
        answer = act(client, kind="new_game", value="figurslag", numbers=[number])
        said = f"the dice number is whole and not below 0, not {number:g}"
        assert (answer.status_code, answer.json()["reason"]) == (422, said)


def test_a_figure_that_is_none_and_an_outline_that_crosses_are_refused(client: TestClient) -> None:
    answer = act(client, kind="identify", figure_id="f1", target_id="zz")
    assert (answer.status_code, answer.json()["reason"]) == (422, "there is no figure 'zz'")
    crossed = [[0, 0], [90, 90], [90, 0], [0, 60]]
    wall = {"terrain_id": "t1", "kind": "wall", "footprint_mm": crossed, "height_mm": 9.6}
    answer = act(client, kind="terrain_set", terrain_id="t1", terrain=wall)
    assert answer.status_code == 422
    assert answer.json()["reason"] == "an outline must not cross itself"


def test_a_rule_is_explained_in_words(client: TestClient) -> None:
    told = client.get("/api/rules/figurslag/FS-MOVE-01").json()
    assert told["text"].startswith("A move of up to 2 segments")
    options = client.get("/api/rules/figurslag/fs-turn-02").json()["options"]
    assert [one["key"] for one in options] == ["turn_order"]
    flag = client.get("/api/rules/figurslag/FS-FLAG-10").json()["text"]
    assert flag.startswith("A model moved")
    for address in ("figurslag/FS-NO-01", "chess/FS-MOVE-01"):
        assert client.get(f"/api/rules/{address}").status_code == 422


def test_a_new_game_begins_with_nothing_said(client: TestClient) -> None:
    """What was said of the last game comes back only with that game."""

    def said() -> list[str]:
        return [one["text"] for one in client.get("/api/snapshot").json()["announcements"]]

    before = said()
    assert before
    act(client, kind="new_game", value="deathzap")
    now = said()
    assert now
    assert not set(now) & set(before)
    act(client, kind="undo")
    assert said()[: len(before)] == before
