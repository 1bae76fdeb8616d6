"""How sentences about events come to be announced, and those every rule system says alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias, TypeVar

from engine.announce import Announcement, Level, Shape
from engine.events import Event
from engine.spots import name_of, number, side_name
from engine.state import GameState

Said: TypeAlias = tuple[Level, str, str]
"""Level, text for the eye, text for the ear (empty: the same)."""
S = TypeVar("S")
"""Settings of the game."""
Saying: TypeAlias = Callable[[GameState, S, Event], Said | None]
"""What is said about one kind of event, None for nothing."""
Drawing: TypeAlias = Callable[[GameState, Event, Level], tuple[Shape, ...]]
"""The shapes shown with it."""


def announced(
    sayings: Mapping[str, Saying[S]], draw: Drawing, state: GameState, settings: S, event: Event
) -> tuple[Announcement, ...]:
    """The sentences about ``event``; ``state`` already contains it."""
    saying = sayings.get(event.kind)
    said = None if saying is None else saying(state, settings, event)
    if said is None:
        return ()
    level, text, spoken = said
    shapes = draw(state, event, level)
    return (Announcement(0, level, text, spoken or text, event.rule, shapes),)


def place_shapes(
    state: GameState, event: Event, level: Level, ring_mm: float, start: str, far: str
) -> tuple[Shape, ...]:
    """A ring where a warned figure stands, a line from a moved one to its start.

    Args:
        state: Contains the event already.
        event: About a figure at a place.
        level: How serious it is.
        ring_mm: Radius of the ring.
        start: Prefix of the marks of the place it came from, empty for no line.
        far: Words for how far that is.
    """
    if event.value("x_mm") is None:
        return ()
    here = (event.number("x_mm"), event.number("y_mm"))
    role = "path" if level is Level.INFO else "warning"
    shapes = [Shape("circle", (here,), ring_mm, role, name_of(state, event.figure_id))]
    unit = state.unit(event.figure_id or "")
    if start and unit is not None and unit.mark(f"{start}_x") is not None:
        begun = (number(unit, f"{start}_x"), number(unit, f"{start}_y"))
        if begun != here:
            shapes.append(Shape("line", (begun, here), role=role, text=far))
    return tuple(shapes)


def moved_shapes(state: GameState, event: Event, level: Level, ring_mm: float) -> tuple[Shape, ...]:
    """Those of :func:`place_shapes` where a move is measured from its own start, in mm."""
    start = "start" if event.kind == "moved" else "at"
    return place_shapes(state, event, level, ring_mm, start, f"{event.number('moved_mm'):.0f} mm")


def plainly(
    words: str, spoken: str = "", level: Level = Level.INFO
) -> Callable[[GameState, object, Event], Said]:
    """A saying that only needs names.

    Args:
        words: For the eye; ``{figure}``, ``{target}`` and ``{side}`` are names.
        spoken: For the ear, empty for the same.
        level: How serious it is.
    """

    def say(state: GameState, settings: object, event: Event) -> Said:
        names = {
            "figure": name_of(state, event.figure_id),
            "target": name_of(state, event.target_id),
            "side": side_name(event.side),
        }
        return level, words.format(**names), spoken.format(**names)

    return say


def warning(words: str, spoken: str = "") -> Callable[[GameState, object, Event], Said]:
    """Like :func:`plainly`, for what somebody should put right."""
    return plainly(words, spoken, Level.WARN)


def missing(state: GameState, settings: object, event: Event) -> Said | None:
    """A figure is not seen for so long that somebody should say why."""
    if event.value("ask") is not True:
        return None
    name = name_of(state, event.figure_id)
    return Level.ASK, f"I do not see {name}. Removed, hidden or carried?", ""


ACCEPTED = plainly("Accepted: {figure} stays there.", "Accepted.")
PUT_BACK = plainly("{figure} is back in its place.", "Thank you.")
FELL = plainly("{figure} is lying. Killed or knocked over?", level=Level.ASK)
LEFT_OUT = plainly("{figure} does not play.")
REMOVED = plainly("{figure} is out of the game by agreement.")
