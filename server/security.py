"""Who may talk to the local page: the page itself, programs on this machine, invited devices."""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs, urlsplit

from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_LIMIT: Final = 256 * 1024
COOKIE: Final = "minimarshal"
_SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_NEVER_IN_HOSTS: Final = frozenset("/?#@\\\"';, \t")
_LOOPBACK_NAMES: Final = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class Guard:
    """What is let in.

    Attributes:
        lan: Other devices of the home network may come in with the token.
        token: Given to them in the address that is printed once.
        secret: Cookie they carry from then on.
        names: Host names of this machine, for ``lan``.
    """

    lan: bool = False
    token: str = field(default_factory=lambda: secrets.token_urlsafe(12))
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    names: frozenset[str] = field(default_factory=lambda: frozenset({socket.gethostname().lower()}))

    def host_allowed(self, name: str) -> bool:
        """The Host header names this machine, so no foreign name was pointed at it."""
        if name in _LOOPBACK_NAMES:
            return True
        if not self.lan:
            return False
        return name.removesuffix(".local") in self.names or _is_address(name)


class GuardMiddleware:
    """Checks Host, Origin, the token and the size of every request before any route runs.

    Works on HTTP and WebSocket alike, so no route can be left out by mistake.
    """

    def __init__(self, app: ASGIApp, guard: Guard) -> None:
        self._app = app
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let the request through, or answer it here."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = _headers(scope)
        fault = self._fault(scope, headers)
        if fault is not None:
            await _refuse(scope, receive, send, *fault)
            return
        if not self._invited(scope, headers):
            if self._token_given(scope):
                await self._welcome(send)
            else:
                await _refuse(scope, receive, send, 403, "open the address with the token")
            return
        host = headers.get("host", "")
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        await self._app(scope, _Limited(receive), _with_headers(send, host))

    def _fault(self, scope: Scope, headers: Mapping[str, str]) -> tuple[int, str] | None:
        host = _split_host(headers.get("host", ""))
        if host is None or not self._guard.host_allowed(host[0]):
            return 403, "foreign Host"
        origin = headers.get("origin")
        if origin is not None and not _same_origin(origin, host):
            return 403, "foreign Origin"
        # Browsers say so even where they send no Origin, for example for pictures.
        site = headers.get("sec-fetch-site", "none")
        foreign = site in ("cross-site", "same-site")
        if foreign and (headers.get("sec-fetch-mode") != "navigate" or _changes(scope)):
            return 403, "foreign page"
        length = headers.get("content-length", "0")
        if not length.isdigit():
            return 400, "bad Content-Length"
        if int(length) > BODY_LIMIT:
            return 413, "too large"
        return None

    def _invited(self, scope: Scope, headers: Mapping[str, str]) -> bool:
        client = scope.get("client")
        if client is not None and _is_loopback(client[0]):
            return True
        if not self._guard.lan:
            return False
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and hmac.compare_digest(
            cookie.value.encode(), self._guard.secret.encode()
        )

    def _token_given(self, scope: Scope) -> bool:
        if not self._guard.lan or scope["type"] != "http" or scope["path"] != "/":
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return hmac.compare_digest(given.encode(), self._guard.token.encode())

    async def _welcome(self, send: Send) -> None:
        cookie = f"{COOKIE}={self._guard.secret}; HttpOnly; SameSite=Strict; Path=/"
        headers = [(b"location", b"/"), (b"set-cookie", cookie.encode("latin-1"))]
        await send({"type": "http.response.start", "status": 303, "headers": headers})
        await send({"type": "http.response.body", "body": b""})


class _Limited:
    """A receive channel that stops reading after ``BODY_LIMIT`` bytes."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._count = 0

    async def __call__(self) -> Message:
        message = await self._receive()
        self._count += len(message.get("body", b""))
        if self._count > BODY_LIMIT:
            return {"type": "http.disconnect"}
        return message


def _changes(scope: Scope) -> bool:
    return scope["type"] == "websocket" or scope["method"] not in _SAFE_METHODS


def _headers(scope: Scope) -> dict[str, str]:
    pairs: list[tuple[bytes, bytes]] = scope["headers"]
    return {key.decode("latin-1").lower(): value.decode("latin-1") for key, value in pairs}


def _split_host(text: str) -> tuple[str, int | None] | None:
    """Name and port of a Host header, None when it is none."""
    if set(text) & _NEVER_IN_HOSTS:
        return None
    try:
        parts = urlsplit(f"//{text}")
        name, port = parts.hostname, parts.port
    except ValueError:
        return None
    if not name:
        return None
    return name.lower(), port


def _same_origin(origin: str, host: tuple[str, int | None]) -> bool:
    scheme, separator, rest = origin.partition("://")
    if not separator or scheme not in ("http", "https"):
        return False
    theirs = _split_host(rest)
    if theirs is None:
        return False
    default = 443 if scheme == "https" else 80
    same_port = (theirs[1] or default) == (host[1] or default)
    both_loopback = theirs[0] in _LOOPBACK_NAMES and host[0] in _LOOPBACK_NAMES
    return same_port and (theirs[0] == host[0] or both_loopback)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _policy(host: str) -> str:
    return (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        f"connect-src 'self' ws://{host}; manifest-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


def _with_headers(send: Send, host: str) -> Send:
    extra = [
        (b"content-security-policy", _policy(host).encode("latin-1", "replace")),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", b"no-referrer"),
        (b"cross-origin-resource-policy", b"same-origin"),
        (b"cross-origin-opener-policy", b"same-origin"),
    ]

    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", []))
            if not any(name.lower() == b"cache-control" for name, _value in own):
                # Asked for again each time, and answered with 304 while unchanged.
                own.append((b"cache-control", b"no-cache"))
            message = {**message, "headers": [*own, *extra]}
        await send(message)

    return wrapped


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        # Closing before accepting makes the server answer the handshake with 403.
        await send({"type": "websocket.close", "code": 1008, "reason": reason})
        return
    body = f'{{"reason": "{reason}", "rule": null}}'.encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
