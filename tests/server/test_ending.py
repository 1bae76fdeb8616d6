from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from server.ending import EndingMiddleware


def apart(work: Coroutine[Any, Any, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Run in a thread of its own: where browser tests came before, this one has a loop already."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


async def cut_off(kind: str, started: bool) -> list[dict[str, Any]]:
    """What a request of a kind is answered whose work is cancelled."""
    told: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if started:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        await asyncio.sleep(60)

    async def send(message: Any) -> None:
        told.append(message)

    async def receive() -> Any:
        return {}

    task = asyncio.create_task(EndingMiddleware(app)({"type": kind}, receive, send))
    await asyncio.sleep(0.01)
    task.cancel()
    await task
    return told


def test_a_request_that_is_cut_off_is_answered() -> None:
    start, body = apart(cut_off("http", started=False))
    assert start["status"] == 503
    assert body == {"type": "http.response.body", "body": b""}


def test_an_answer_that_has_begun_is_ended() -> None:
    told = apart(cut_off("http", started=True))
    assert [message.get("status") for message in told] == [200, None]


def test_a_socket_is_left_to_its_own_end() -> None:
    with pytest.raises(asyncio.CancelledError):
        apart(cut_off("websocket", started=False))
