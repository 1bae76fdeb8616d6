"""How the program ends: told once, and requests that are cut off by it."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator

from starlette.types import ASGIApp, Message, Receive, Scope, Send

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def told_once(end: Callable[[], None]) -> Iterator[None]:
    """While this lasts, the first Ctrl+C (or its like) ends the work and further ones are unheard.

    Whoever presses it again out of impatience must not spoil a recording that is being finished.
    They stay unheard afterwards, since then there is only the exit of the program.

    Args:
        end: Told of the first.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals come to the main thread alone
        return
    told = False

    def hear(_number: int, _frame: object) -> None:
        nonlocal told
        if not told:
            told = True
            end()

    for number in SIGNALS:
        signal.signal(number, hear)
    try:
        yield
    finally:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)


class EndingMiddleware:
    """Answers them with 503, so that they are not reported as faults of the program.

    Args:
        app: What is wrapped.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        started = False

        async def sent(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, sent)
        except asyncio.CancelledError:
            if scope["type"] != "http":
                raise
            if not started:
                await send({"type": "http.response.start", "status": 503, "headers": []})
            await send({"type": "http.response.body", "body": b""})
