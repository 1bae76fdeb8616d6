from __future__ import annotations

import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from server.app import create_app
from server.datafolder import VARIABLE
from server.live import LiveTable
from tests.browser.waiting import LONGEST_S, SLOW, until
from tests.simulated import opening, simulated

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LATENCY_MS = 20.0
PHONE, LAPTOP = {"width": 390, "height": 844}, {"width": 1366, "height": 768}


def give_up(reason: str) -> None:
    if os.environ.get("MINIMARSHAL_STRICT") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        give_up("Chromium is not installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        give_up("playwright is not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=program, headless=True, args=ARGUMENTS
        )
        yield chromium
        chromium.close()


def slowed(page: Any) -> Any:
    """A page as slow as asked for: its processor, its way to the program, its timers."""
    page.set_default_timeout(LONGEST_S * 1000)
    if SLOW > 1:
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW})
        session.send("Network.enable")
        way = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
        session.send("Network.emulateNetworkConditions", {**way, "latency": LATENCY_MS * SLOW})
        page.add_init_script(path=Path(__file__).parent / "slow.js")
    return page


class Served:
    """A table and the address of its page."""

    def __init__(self, table: LiveTable) -> None:
        self.table = table
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        self.url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        config = uvicorn.Config(create_app(table), log_level="error", timeout_graceful_shutdown=1)
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [listener]}, daemon=True
        )
        table.start()
        self._thread.start()
        until(lambda: self._server.started)

    def close(self) -> None:
        self.table.hub.close()
        self._server.should_exit = True
        self._thread.join(timeout=10)
        self.table.stop()


@pytest.fixture(autouse=True)
def own_data(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read from or written to the folder of whoever runs the tests."""
    monkeypatch.setenv(VARIABLE, str(tmp_path_factory.mktemp("data")))


@pytest.fixture
def leave(request: pytest.FixtureRequest) -> Callable[[], None]:
    """Close the page before its program ends: what it asks then cannot be answered."""

    def gone() -> None:
        if "page" in request.fixturenames:
            request.getfixturevalue("page").goto("about:blank")

    return gone


@pytest.fixture
def serve(leave: Callable[[], None]) -> Iterator[Callable[..., Served]]:
    """Serve a simulated table made with these arguments."""
    made: list[Served] = []

    def start(**arguments: Any) -> Served:
        made.append(Served(simulated(**arguments)))
        return made[-1]

    yield start
    leave()
    for one in made:
        one.close()


@pytest.fixture
def ready(serve: Callable[..., Served]) -> Served:
    """Both teams assigned, nothing begun."""
    served = serve(game=opening())
    until(lambda: len(served.table.referee.facts.sides) == 10)
    return served


@pytest.fixture(params=[PHONE, LAPTOP], ids=["390x844", "1366x768"])
def page(request: pytest.FixtureRequest, browser: Any) -> Iterator[Any]:
    """A fresh page that fails the test on any error of its own."""
    context = browser.new_context(viewport=request.param)
    page = slowed(context.new_page())
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    outside: list[str] = []
    page.on("request", lambda asked: outside.append(asked.url))
    yield page
    context.close()
    # A refusal of the referee is a 409 or 422, which Chromium counts as an error.
    assert [fault for fault in faults if "status of 4" not in fault] == []
    assert [url for url in outside if not url.startswith(("http://127.0.0.1", "data:"))] == []


@pytest.fixture
def keep(request: pytest.FixtureRequest) -> Callable[[Any, str], None]:
    """Save screenshots where MINIMARSHAL_SHOTS says, to be looked at."""
    folder = os.environ.get("MINIMARSHAL_SHOTS")

    def shoot(page: Any, name: str) -> None:
        if folder is not None:
            width = page.viewport_size["width"]
            page.screenshot(path=str(Path(folder) / f"{name}-{width}.png"))

    return shoot
