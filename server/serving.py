"""Listening on a port, and saying where."""

from __future__ import annotations

import contextlib
import errno
import socket
import webbrowser
from collections.abc import Callable, Generator

import uvicorn

from server.app import create_app
from server.console import Fault, note
from server.ending import told_once
from server.hub import Hub
from server.live import LiveTable
from server.security import Guard


def open_port(port: int, lan: bool) -> socket.socket:
    """Listen, before any other work: a busy port is found out at once.

    Args:
        port: 0 takes any free one.
        lan: Listen to other devices as well.

    Raises:
        Fault: It is in use or may not be used.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        # All interfaces only where --lan asks for it; the guard then wants the token.
        listener.bind(("0.0.0.0" if lan else "127.0.0.1", port))  # noqa: S104
        listener.listen(128)
    except OSError as error:
        listener.close()
        fault = "is in use" if error.errno == errno.EADDRINUSE else str(error.strerror)
        raise Fault("--port", f"{port} {fault}") from None
    return listener


class _Server(uvicorn.Server):
    """Says where it is once it answers."""

    def __init__(
        self, config: uvicorn.Config, hub: Hub, lines: list[str], open_page: str | None
    ) -> None:
        super().__init__(config)
        self._hub = hub
        self._lines = lines
        self._open_page = open_page

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        for line in self._lines:
            note(line)
        if self._open_page is not None:
            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(self._open_page)

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Nothing of its own: a second Ctrl+C would end it with a traceback."""
        yield

    def end(self) -> None:
        """Finish in order."""
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let the open pages go first: their streams would never end by themselves."""
        self._hub.close()
        await super().shutdown(sockets)


def serve_table(
    table: LiveTable,
    listener: socket.socket,
    lan: bool,
    browser: bool,
    finish: Callable[[], None] = lambda: None,
) -> None:
    """Run the page until it is interrupted.

    Args:
        table: Started and stopped here.
        listener: From :func:`open_port`.
        lan: Let other devices in with the token.
        browser: Open the page.
        finish: Called last, whatever happens, and never interrupted.
    """
    port = listener.getsockname()[1]
    guard = Guard(lan=lan)
    lines = [f"http://127.0.0.1:{port}/"]
    if lan:
        lines.extend(
            f"for other devices: http://{address}:{port}/?token={guard.token}"
            for address in _addresses()
        )
    config = uvicorn.Config(
        create_app(table, guard),
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=1,
        server_header=False,
        ws_max_size=4096,
        proxy_headers=False,
    )
    server = _Server(config, table.hub, lines, lines[0] if browser else None)
    with told_once(server.end):
        try:
            table.start()
            server.run(sockets=[listener])
        finally:
            table.stop()
            listener.close()
            finish()


def _addresses() -> list[str]:
    """Addresses under which this machine is found in the home network."""
    try:
        found = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return []
    addresses = {str(entry[4][0]) for entry in found}
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: this only asks which address would be used.
        probe.connect(("192.0.2.1", 9))
        addresses.add(str(probe.getsockname()[0]))
    return sorted(address for address in addresses if not address.startswith("127."))
