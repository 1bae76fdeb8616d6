"""The local web application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from calibration.errors import BadReference, NotFound
from engine.errors import BadData, Refused, Stale
from server.armies import FOLDER, Shelf
from server.army_routes import router as army_router
from server.datafolder import data_folder
from server.ending import EndingMiddleware
from server.live import LiveTable
from server.routes import router
from server.security import Guard, GuardMiddleware
from server.stream import watch_camera

STATIC: Final = Path(__file__).parent / "static"


def create_app(table: LiveTable, guard: Guard | None = None, shelf: Shelf | None = None) -> FastAPI:
    """The application around a running table.

    Args:
        table: Started or not; it is stopped by whoever made it.
        guard: Who is let in; by default only this machine.
        shelf: Where army lists are kept; by default in the user's data folder.
    """

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        task = asyncio.create_task(watch_camera(table))
        yield
        task.cancel()

    app = FastAPI(
        title="minimarshal",
        summary="The camera umpire's local page and its interface.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.table = table
    app.state.shelf = shelf or Shelf(data_folder() / FOLDER)
    app.include_router(router)
    app.include_router(army_router)
    app.add_middleware(GuardMiddleware, guard=guard or Guard())
    app.add_middleware(EndingMiddleware)
    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(Stale, _stale)
    for kind in (BadData, BadReference, NotFound):
        app.add_exception_handler(kind, _unusable)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _other)

    @app.get("/", include_in_schema=False)
    async def page() -> FileResponse:
        return FileResponse(STATIC / "index.html")

    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return app


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    rule = error.rule if isinstance(error, Refused) else None
    reason = error.reason if isinstance(error, Refused) else str(error)
    return JSONResponse({"reason": reason, "rule": rule}, status_code=422)


async def _stale(_request: Request, error: Exception) -> JSONResponse:
    seq = error.seq if isinstance(error, Stale) else None
    return JSONResponse({"reason": str(error), "rule": None, "seq": seq}, status_code=409)


async def _unusable(_request: Request, error: Exception) -> JSONResponse:
    # Nobody has typed an option of the command line on the page.
    option = isinstance(error, BadReference) and error.name.startswith("--")
    reason = error.fault if option and isinstance(error, BadReference) else str(error)
    return JSONResponse({"reason": reason, "rule": None}, status_code=422)


async def _other(_request: Request, error: Exception) -> JSONResponse:
    """What the framework refuses by itself, in the words of all refusals."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    reason = str(error.detail) if isinstance(error, HTTPException) else str(error)
    if status == 400:
        # It says so where a body cannot even be decoded.
        status, reason = 422, "the request is not understood"
    headers = error.headers if isinstance(error, HTTPException) else None
    return JSONResponse({"reason": reason, "rule": None}, status_code=status, headers=headers)


def _plain(kind: str, limits: Mapping[str, Any]) -> str | None:
    """What is wrong with a number, in words for people; None for other faults."""
    if kind in ("less_than_equal", "less_than"):
        return f"too large, at most {limits.get('le', limits.get('lt')):g}"
    if kind in ("greater_than_equal", "greater_than"):
        return f"too small, at least {limits.get('ge', limits.get('gt')):g}"
    if kind in ("int_type", "int_from_float"):
        return "not a whole number"
    numbers = ("float_parsing", "int_parsing", "finite_number", "float_type")
    return "not a number" if kind in numbers else None


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    reason = "the request is not understood"
    if isinstance(error, RequestValidationError) and error.errors():
        first = error.errors()[0]
        words = [str(part).replace("_mm", " in mm") for part in first["loc"] if part != "body"]
        where = next((word for word in reversed(words) if not word.isdecimal()), "")
        what = _plain(str(first["type"]), first.get("ctx", {})) or str(first["msg"])
        reason = f"{where.replace('_', ' ')}: {what}" if where else what
    return JSONResponse({"reason": reason, "rule": None}, status_code=422)
