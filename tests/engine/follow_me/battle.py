"""Battles built by hand, in millimetres, for tests of Follow Me, Men!"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.log import LogLine
from engine.referee import Referee
from engine.rulesets.follow_me.game import FollowMe
from engine.table import Base, BaseShape, Figure, PointMm, Seen, Terrain
from tests.engine.tables import Game, figure

FIELD = (1200.0, 900.0)
DISC = Base(BaseShape.CIRCLE, 20.0)
RED, BLUE = "rh", "bh"
"""The first hero of each side."""


def man(figure_id: str, at: PointMm, **fields: object) -> Figure:
    return figure(figure_id, at, base=DISC, **fields)  # type: ignore[arg-type]


class Battle(Game):
    """A game of Follow Me, from setting up on."""

    def __init__(
        self,
        options: dict[str, object] | None = None,
        *,
        sides: tuple[str, ...] = (),
        seed: int = 7,
        size: tuple[float, float] | None = FIELD,
    ) -> None:
        self.referee = Referee(FollowMe(), options or {}, sides, seed)  # type: ignore[arg-type]
        self.size = size
        self.t_ns = 0
        self.figures = {}
        self.terrain: tuple[Terrain, ...] = ()
        self.inputs = []

    def join(
        self, name: str, side: str, at: PointMm, kind: str, led_by: str = "", **fields: object
    ) -> None:
        """A figure with its type and leader."""
        spells = str(fields.pop("spells", ""))
        self.figures[name] = man(name, at, side=side, **fields)
        self.look()
        self.do("join", figure_id=name, value=side)
        self.do("type", figure_id=name, value=kind)
        if led_by:
            self.do("lead", figure_id=name, value=led_by)
        for spell in spells.split():
            self.do("learn", figure_id=name, value=spell)

    def hold(self, *but: str) -> None:
        """Every hero who has still to choose holds, but for some."""
        for unit in self.state.units:
            option = self.option("hold", unit.figure_id)
            if option is not None and unit.figure_id not in but and self.state.phase == "DECLARE":
                self.do("hold", figure_id=unit.figure_id)

    def to(self, phase: str, dice: int = 3) -> None:
        """Go on to a phase; heroes hold, nobody moves, all dice show the same."""
        for _ in range(60):
            begun = phase == "DECLARE" and any(unit.mark("deed") for unit in self.state.units)
            if self.state.phase == phase and not begun:
                return
            self.step(dice)
        raise AssertionError(f"{phase} is not reached from {self.state.phase}")

    def step(self, dice: int = 3) -> None:
        """One thing that brings the turn on."""
        if self.state.question is not None:
            values = [value for value, _ in self.state.question.choices]
            self.do("answer", value="no" if "no" in values else values[0])
            return
        if self.state.phase == "DECLARE":
            self.hold()
            return
        for unit in self.state.units:
            if unit.alive and unit.mark("placing"):
                self.obey()
                return
        for kind in ("no_spell", "sign", "roll", "volley", "test", "done"):
            option = next((o for o in self.referee.options() if o.kind == kind and not (
                kind == "test" and o.minor)), None)  # fmt: skip
            if option is None:
                continue
            value = option.choices[0][0] if option.choices else option.value
            self.do(kind, figure_id=option.figure_id, value=value, dice=(dice,) * option.dice[0])
            return
        raise AssertionError(f"nothing to do in {self.state.phase}")

    def obey(self) -> None:
        """Everybody is put where the rules set him."""
        for unit in self.state.units:
            if unit.alive and unit.mark("placing") and unit.figure_id in self.figures:
                at = (float(unit.mark("at_x")), float(unit.mark("at_y")))  # type: ignore[arg-type]
                self.figures[unit.figure_id] = replace(self.figures[unit.figure_id], position_mm=at)
        self.look()

    def shift(self, **places: PointMm) -> None:
        """Put figures elsewhere by the word of a human, which is no move."""
        for name, at in places.items():
            self.figures[name] = replace(self.figures[name], position_mm=at, seen=Seen.CORRECTED)
        self.look()
        for name in places:
            self.figures[name] = replace(self.figures[name], seen=Seen.SEEN)
        self.look()

    def named(self, spell: str, mage: str, **fields: object) -> None:
        """A mage names a spell."""
        self.do("spell", figure_id=mage, value=spell, **fields)

    def mark(self, name: str, mark: str):
        return self.unit(name).mark(mark)

    def kinds(self) -> list[str]:
        return [line.event.kind for line in self.referee.lines]

    def offers(self, kind: str) -> list[str | None]:
        return [option.figure_id for option in self.referee.options() if option.kind == kind]


def battle(
    red: Iterable[tuple[object, ...]],
    blue: Iterable[tuple[object, ...]],
    options: dict[str, object] | None = None,
    *,
    heroes: tuple[PointMm, PointMm] = ((600.0, 40.0), (600.0, 860.0)),
    kinds: tuple[str, str] = ("hero_foot_light", "hero_foot_light"),
    terrain: tuple[Terrain, ...] = (),
    spells: tuple[str, str] = ("", ""),
    **fields: object,
) -> Battle:
    """Two alliances, each with a hero (``rh`` and ``bh``) and men (``r1``... and ``b1``...).

    A man is a type and a place, and whatever :meth:`Battle.join` takes. DECLARE of turn 1 has
    begun.
    """
    game = Battle(options, **fields)  # type: ignore[arg-type]
    game.terrain = terrain
    for side, men, at, kind, known in (
        ("red", red, heroes[0], kinds[0], spells[0]),
        ("blue", blue, heroes[1], kinds[1], spells[1]),
    ):
        game.join(f"{side[0]}h", side, at, kind, spells=known)
        for i, (what, place, *_) in enumerate(men, start=1):
            game.join(f"{side[0]}{i}", side, place, str(what))  # type: ignore[arg-type]
    game.do("ready")
    if game.state.question is not None:
        game.do("answer", value="yes")
    return game


def last(lines: Iterable[LogLine], what: str):
    """The last event of a kind."""
    return [line.event for line in lines if line.event.kind == what][-1]
