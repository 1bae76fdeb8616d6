"""Routes about army lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Request
from pydantic import Field

from engine.actions import Action
from engine.armies.enlisting import CHOOSE
from engine.armies.lists import MOST_FIGURES, ArmyList, read_army, write_army, write_entry
from engine.army import MUSTERS
from engine.log import LogLine
from server import documents
from server.armies import Shelf, armies_document, known, options_for, see_known, told_document
from server.live import LiveTable
from server.mustering import Post, muster
from server.schema import Body, Coordinate, Id, Number

router = APIRouter(prefix="/api/armies")


class ArmyBody(Body):
    """A list to be looked at or kept."""

    army: ArmyList


class ChooseBody(Body):
    """The list that a side plays from now on, None for none."""

    side: Id
    army: ArmyList | None
    basis_seq: Annotated[int, Field(ge=0)]


class PostBody(Body):
    """Where one figure of a list is put."""

    entry: Annotated[int, Field(ge=0)]
    point_mm: tuple[Coordinate, Coordinate]
    label: Id
    facing_deg: Number


class MusterBody(Body):
    """Figures of a side's list that are put at once."""

    side: Id
    figures: Annotated[list[PostBody], Field(min_length=1, max_length=MOST_FIGURES)]
    basis_seq: Annotated[int, Field(ge=0)]


class TextBody(Body):
    """A list's file, TOML or JSON."""

    text: Annotated[str, Field(max_length=200_000)]


class KeyBody(Body):
    """A kept list."""

    key: Annotated[str, Field(min_length=1, max_length=255)]


def _table(request: Request) -> LiveTable:
    table = request.app.state.table
    assert isinstance(table, LiveTable)  # noqa: S101
    return table


def _shelf(request: Request) -> Shelf:
    shelf = request.app.state.shelf
    assert isinstance(shelf, Shelf)  # noqa: S101
    return shelf


@router.get("/{ruleset}")
def armies(request: Request, ruleset: Id) -> dict[str, Any]:
    """What a list may say, the ready lists and those kept here."""
    options = options_for(_table(request).referee.state, ruleset)
    document: dict[str, Any] = armies_document(_shelf(request), ruleset, options)
    return document


@router.post("/{ruleset}/reckon")
def reckon(request: Request, ruleset: Id, body: ArmyBody) -> dict[str, Any]:
    """Points and errors of a list, and its file as the command ``army`` reads it."""
    options = options_for(_table(request).referee.state, ruleset)
    return {**told_document(ruleset, body.army, options), "toml": write_army(body.army)}


@router.post("/{ruleset}/read")
def read(ruleset: Id, body: TextBody) -> dict[str, Any]:
    """The list in a file."""
    known(ruleset)
    return {"army": read_army(body.text).model_dump()}


@router.post("/{ruleset}/save")
def save(request: Request, ruleset: Id, body: ArmyBody) -> dict[str, Any]:
    """Keep a list on this computer."""
    return {"key": _shelf(request).save(ruleset, body.army)}


@router.post("/{ruleset}/delete")
def delete(request: Request, ruleset: Id, body: KeyBody) -> dict[str, Any]:
    """Throw a kept list away."""
    _shelf(request).delete(ruleset, body.key)
    return {"key": body.key}


@router.post("")
def choose(request: Request, body: ChooseBody) -> dict[str, Any]:
    """A side plays a list: 200 with the new lines, 409 stale, 422 refused."""
    table = _table(request)
    army, state = body.army, table.referee.state
    if army is not None and state.ruleset in MUSTERS:
        see_known(state.ruleset, army, options_for(state, state.ruleset))
    lines = table.act(
        Action(
            CHOOSE,
            side=body.side,
            basis_seq=body.basis_seq,
            value="" if army is None else army.name,
            items=() if army is None else tuple(write_entry(entry) for entry in army.figures),
        )
    )
    return _answer(table, lines)


@router.post("/muster")
def put_all(request: Request, body: MusterBody) -> dict[str, Any]:
    """Put figures of a side's list where no camera looks: as above, and one undo for all."""
    table = _table(request)
    posts = [Post(one.entry, one.point_mm, one.label, one.facing_deg) for one in body.figures]
    return _answer(table, muster(table, body.side, posts, body.basis_seq))


def _answer(table: LiveTable, lines: Sequence[LogLine]) -> dict[str, Any]:
    return {
        "seq": table.referee.state.seq,
        "lines": [documents.line_document(line, ()) for line in lines],
    }
