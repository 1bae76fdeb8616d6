from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from fastapi.testclient import TestClient

from server.app import create_app
from server.datafolder import VARIABLE
from server.live import LiveTable
from tests.simulated import opening, simulated

HOST = "http://127.0.0.1:8000"
SOCKET = "ws://127.0.0.1:8000"


def wait_for(true: Callable[[], object], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def client_of(table: LiveTable) -> TestClient:
    return TestClient(create_app(table), base_url=HOST, client=("127.0.0.1", 50000))


@pytest.fixture(autouse=True)
def own_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read from or written to the folder of whoever runs the tests."""
    monkeypatch.setenv(VARIABLE, str(tmp_path_factory.mktemp("data")))


@pytest.fixture
def game() -> Iterator[LiveTable]:
    """A running table with both teams assigned."""
    table = simulated(game=opening())
    table.start()
    wait_for(lambda: len(table.referee.facts.sides) == 10)
    wait_for(lambda: table.snapshot()["seq"] == table.referee.state.seq)
    yield table
    table.stop()


@pytest.fixture
def client(game: LiveTable) -> Iterator[TestClient]:
    with client_of(game) as client:
        yield client
