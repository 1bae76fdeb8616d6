"""Every route of the local interface."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response, WebSocket
from fastapi.responses import StreamingResponse

from calibration.advice import advise
from calibration.board import board_page
from calibration.errors import NotFound
from engine.errors import Refused
from engine.rulesets import RULESETS, by_id
from server import documents, measuring
from server.drawing import jpeg
from server.explaining import explanation
from server.live import LiveTable
from server.recalibrate import recalibrated
from server.schema import AcceptBody, ActionBody, CalibrateBody, EndBody, MeasureBody, TryBody
from server.stream import MJPEG_TYPE, pictures, send_messages

router = APIRouter()


def _table(connection: Request | WebSocket) -> LiveTable:
    table = connection.app.state.table
    assert isinstance(table, LiveTable)  # noqa: S101
    return table


@router.get("/healthz")
def health(request: Request) -> dict[str, Any]:
    """The camera's state and the last log line."""
    return _table(request).health()


@router.get("/api/snapshot")
def snapshot(request: Request) -> dict[str, Any]:
    """Everything a page needs to begin."""
    return _table(request).snapshot()


@router.get("/api/rulesets")
def rulesets() -> list[dict[str, Any] | None]:
    """The games one can begin, with their options."""
    return [documents.ruleset_document(one.info) for one in RULESETS]


@router.get("/api/rules/{ruleset}/{rule}")
def explain(ruleset: str, rule: str) -> dict[str, Any]:
    """A rule item in plain words."""
    found = by_id(ruleset)
    if found is None:
        raise Refused("there is no such rule set")
    return explanation(found.info, rule)


@router.post("/api/actions")
def act(request: Request, body: ActionBody) -> dict[str, Any]:
    """Carry out a tap: 200 with the new lines, 409 stale, 422 refused."""
    table = _table(request)
    lines = table.act(body.action())
    said = table.referee.announcements(after_seq=lines[0].seq - 1) if lines else ()
    return {
        "seq": table.referee.state.seq,
        "lines": [documents.line_document(line, said) for line in lines],
    }


@router.post("/api/measure")
def measure(request: Request, body: MeasureBody) -> dict[str, Any]:
    """Distance between two pixels, places or figures."""
    table = _table(request)
    table.refuse_moved()
    ends = _end(table, body.start), _end(table, body.end)
    return measuring.measure_ends(table.calibration, *ends)


@router.post("/api/calibrate")
def calibrate(request: Request, body: CalibrateBody) -> dict[str, Any]:
    """Calibrate from the newest picture."""
    table = _table(request)
    frame = table.newest_frame()
    found = recalibrated(body, frame.image, table.fitting_calibration())
    table.recalibrate(found, frame)
    return {"ok": True, "calibration": table.snapshot()["calibration"]}


@router.post("/api/calibrate/try")
def try_calibration(request: Request, body: TryBody) -> dict[str, Any]:
    """Calibrate from the newest picture without taking it into use: what was found, or why not."""
    table = _table(request)
    frame = table.newest_frame(even_dark=True)
    try:
        return table.trials.look(body, frame, table.fitting_calibration()).document()
    except NotFound as error:
        return {"ok": False, "reason": str(error), "advice": list(advise(frame.image, error))}


@router.post("/api/calibrate/accept")
def accept_calibration(request: Request, body: AcceptBody) -> dict[str, Any]:
    """Use a calibration that was tried from now on."""
    table = _table(request)
    table.refuse_recording()
    table.newest_frame()  # refuses while the picture is stale
    trial = table.trials.accept(body.trial)
    table.recalibrate(trial.calibration, trial.frame)
    return {"ok": True, "calibration": table.snapshot()["calibration"]}


@router.get("/api/board.pdf")
def board(paper: Annotated[str, Query(pattern="^(A4|letter)$")] = "A4") -> Response:
    """The page with the printable board."""
    headers = {"content-disposition": f'inline; filename="minimarshal-board-{paper}.pdf"'}
    return Response(board_page(paper), media_type="application/pdf", headers=headers)


@router.get("/api/frame.jpg")
def frame(request: Request) -> Response:
    """The newest picture, whole."""
    newest = _table(request).hub.picture[1]
    if newest is None:
        return Response(status_code=404)
    headers = {"cache-control": "no-store"}
    return Response(jpeg(newest.image, None, 88), media_type="image/jpeg", headers=headers)


@router.get("/api/stream.mjpg")
def stream(request: Request) -> StreamingResponse:
    """The moving picture."""
    headers = {"cache-control": "no-store"}
    return StreamingResponse(pictures(_table(request).hub), media_type=MJPEG_TYPE, headers=headers)


@router.websocket("/ws")
async def messages(
    socket: WebSocket,
    after: Annotated[int, Query(ge=0)] = 0,
    epoch: Annotated[int | None, Query()] = None,
) -> None:
    """Missed log lines, then live ones, and the newest table, state and camera."""
    table = _table(socket)
    await socket.accept()
    await send_messages(socket, table.hub, after, epoch)


def _end(table: LiveTable, body: EndBody) -> measuring.End:
    calibration = table.calibration
    if body.mm is not None:
        return measuring.place_end(calibration, body.mm)
    if body.figure_id is not None:
        table.refuse_unseen()
        seen = table.table
        try:
            if seen is None:
                raise KeyError(body.figure_id)
            return measuring.figure_end(seen, body.figure_id)
        except KeyError:
            raise Refused(f"there is no figure {body.figure_id!r} on the table") from None
    table.newest_frame()  # refuses while the picture is stale
    if calibration is None:
        raise Refused("the table is not calibrated yet")
    assert body.px is not None  # noqa: S101
    end = measuring.pixel_end(calibration, body.px)
    if end is None:
        raise Refused("that pixel lies above the horizon")
    return end
