"""What goes on for as long as a page is open: messages, pictures, the state of the camera."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import Final

from fastapi import WebSocket, WebSocketDisconnect

from server.console import dump
from server.drawing import jpeg
from server.hub import Hub
from server.live import LiveTable

MESSAGE_PAUSE_S: Final = 0.1
"""Ten messages a second at most; log lines that come meanwhile go out together."""
PICTURE_PAUSE_S: Final = 0.1
PICTURE_WIDTH: Final = 960
_BOUNDARY: Final = "picture"
MJPEG_TYPE: Final = f"multipart/x-mixed-replace; boundary={_BOUNDARY}"


async def send_messages(socket: WebSocket, hub: Hub, after: int, epoch: int | None) -> None:
    """Feed one page until it goes away.

    Args:
        socket: Accepted.
        hub: Where messages are.
        after: Seq of the last line the page has.
        epoch: Game it knows, None when it knows none.
    """
    subscriber = hub.subscribe(after, epoch)
    gone = asyncio.create_task(_until_gone(socket))
    try:
        while not gone.done() and not hub.closed:
            waiting = asyncio.create_task(subscriber.wake.wait())
            await asyncio.wait({waiting, gone}, return_when=asyncio.FIRST_COMPLETED)
            waiting.cancel()
            subscriber.wake.clear()
            for text in hub.pending(subscriber):
                await socket.send_text(text)
            await asyncio.wait({gone}, timeout=MESSAGE_PAUSE_S)
    except (WebSocketDisconnect, RuntimeError):
        # Starlette raises RuntimeError when the page closed between two sends.
        return
    finally:
        hub.unsubscribe(subscriber)
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect):
            await gone


async def pictures(hub: Hub) -> AsyncIterator[bytes]:
    """The parts of a moving picture, each the newest there is."""
    shown = -1
    while not hub.closed:
        count, frame = hub.picture
        if frame is not None and count != shown:
            shown = count
            data = await asyncio.to_thread(jpeg, frame.image, PICTURE_WIDTH, 75)
            head = f"--{_BOUNDARY}\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n"
            yield head.encode() + b"\r\n" + data + b"\r\n"
        await asyncio.sleep(PICTURE_PAUSE_S)


async def watch_camera(table: LiveTable) -> None:
    """Tell the pages when the state of the camera changes."""
    while True:
        state = table.camera().state
        text = dump({"type": "camera", "state": state, **table.camera_facts()})
        table.hub.latest("camera", text)
        await asyncio.sleep(0.5)


async def _until_gone(socket: WebSocket) -> None:
    """Pages send nothing; reading notices when one closes."""
    try:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
    except RuntimeError:
        return
