from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

from server.app import create_app
from server.live import LiveTable
from server.security import BODY_LIMIT, Guard
from tests.server.conftest import HOST, SOCKET, client_of

FOREIGN = [
    "http://evil.example",
    "null",
    "http://127.0.0.1:9999",
    "http://127.0.0.1.evil.example:8000",
    "https://127.0.0.1:8000@evil.example",
]


def routes(app: FastAPI) -> Iterator[tuple[str, str]]:
    """Every route of the application as method and path."""
    for route in app.router.routes:
        if isinstance(route, WebSocketRoute) or type(route).__name__ == "APIWebSocketRoute":
            yield "WEBSOCKET", route.path  # type: ignore[attr-defined]
        elif isinstance(route, Mount):
            yield "GET", route.path + "/main.js"
        elif isinstance(route, Route) or hasattr(route, "methods"):
            for method in route.methods or ():  # type: ignore[attr-defined]
                yield method, route.path  # type: ignore[attr-defined]


def all_routes(app: FastAPI) -> list[tuple[str, str]]:
    found = list(routes(app))
    for route in app.router.routes:
        inner = getattr(route, "original_router", None) or getattr(route, "router", None)
        if inner is not None:
            found += [pair for one in [inner] for pair in routes(type("App", (), {"router": one}))]  # type: ignore[arg-type]
    return found


def test_every_route_is_guarded(game: LiveTable) -> None:
    app = create_app(game)
    known = all_routes(app)
    paths = {path for _method, path in known}
    assert {"/ws", "/api/actions", "/api/measure", "/api/calibrate", "/healthz", "/"} <= paths
    documented = {
        (method.upper(), path)
        for path, methods in app.openapi()["paths"].items()
        for method in methods
    }
    assert documented <= set(known)
    with TestClient(app, base_url=HOST, client=("127.0.0.1", 50000)) as client:
        for method, path in known:
            for headers in ({"origin": "http://evil.example"}, {"host": "evil.example"}):
                if method == "WEBSOCKET":
                    with (
                        pytest.raises(WebSocketDisconnect),
                        client.websocket_connect(SOCKET + path, headers=headers),
                    ):
                        pass
                else:
                    answer = client.request(method, path, headers=headers)
                    assert answer.status_code == 403, (method, path, headers)


@pytest.mark.parametrize("origin", FOREIGN)
def test_a_foreign_origin_changes_nothing(client: TestClient, origin: str) -> None:
    body = {"kind": "terrain_done", "basis_seq": client.get("/api/snapshot").json()["seq"]}
    answer = client.post("/api/actions", json=body, headers={"origin": origin})
    assert answer.status_code == 403
    assert client.get("/api/snapshot").json()["seq"] == body["basis_seq"]


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8000",
        "127.0.0.1.evil.example",
        "",
        "localhost@x",
        "127.0.0.1#; script-src *",
        "127.0.0.1?x",
    ],
)
def test_a_foreign_host_is_turned_away(client: TestClient, host: str) -> None:
    assert client.get("/api/snapshot", headers={"host": host}).status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "localhost"])
def test_programs_on_this_machine_need_no_token(client: TestClient, host: str) -> None:
    assert client.get("/healthz", headers={"host": host}).status_code == 200
    same = client.get("/healthz", headers={"host": host, "origin": f"http://{host}"})
    assert same.status_code == 200


def test_a_foreign_page_may_not_even_show_the_picture(client: TestClient) -> None:
    embedded = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"}
    assert client.get("/api/frame.jpg", headers=embedded).status_code == 403
    followed = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get("/", headers=followed).status_code == 200


def test_large_bodies_are_not_read(client: TestClient) -> None:
    answer = client.post("/api/actions", content=b"x" * (BODY_LIMIT + 1))
    assert answer.status_code == 413


def test_other_devices_are_not_let_in_without_lan(game: LiveTable) -> None:
    app = create_app(game)
    with TestClient(app, base_url="http://192.168.1.2:8000", client=("192.168.1.7", 1)) as other:
        assert other.get("/healthz").status_code == 403


def test_with_lan_other_devices_need_the_token_once(game: LiveTable) -> None:
    guard = Guard(lan=True)
    app = create_app(game, guard)
    base = "http://192.168.1.2:8000"
    with TestClient(app, base_url=base, client=("192.168.1.7", 1)) as other:
        assert other.get("/healthz").status_code == 403
        assert other.get("/?token=wrong").status_code == 403
        assert other.get(f"/api/snapshot?token={guard.token}").status_code == 403
        assert other.get(f"/?token={guard.token}").status_code == 200
        assert other.get("/healthz").status_code == 200
        foreign = other.post("/api/actions", json={}, headers={"origin": "http://evil.example"})
        assert foreign.status_code == 403
        assert other.get("/healthz", headers={"host": "evil.example"}).status_code == 403
    with client_of(game) as own:
        assert own.get("/healthz").status_code == 200
