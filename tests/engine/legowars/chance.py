"""Random legal games of Legowars, played with what the engine offers and nothing else."""

from __future__ import annotations

import random
from dataclasses import replace

from shapely import Point, Polygon

from engine.actions import Action
from engine.dice import SeededDice
from engine.ruleset import InputKind, Option
from engine.table import FigureState, Terrain
from tests.engine.legowars.battle import Battle, block, mark
from tests.engine.tables import drawn

HELD = ("sword", "shield", "spear", "bow", "halberd", "torch", "club")
WORN = ("quiver", "helmet", "plate", "leather")
WARLIKE = ("answer", "roll", "initiative", "attack", "horse_attack", "crew_heavy", "flee")


def scenery(dice: random.Random) -> tuple[Terrain, ...]:
    """A keep with a door, a drawbridge and a ladder, a fence, and stairs to nowhere."""
    keep = block(
        "keep",
        250.0,
        180.0,
        350.0,
        260.0,
        57.6,
        mark("ladder", 296.0, 164.0, 304.0, 184.0),
        mark("door", 250.0, 210.0, 262.0, 230.0),
        mark("drawbridge", 338.0, 210.0, 350.0, 230.0),
        mark("port", 290.0, 250.0, 296.0, 260.0),
        kind="building",
    )
    fence = block("fence", 100.0, 200.0, 220.0, 206.0, 19.2 if dice.random() < 0.5 else 9.6)
    return (keep, fence)


def enlist(dice: random.Random, options: dict[str, object] | None = None) -> Battle:
    """Small armies of men, a horse with its rider, a cart, a ballista and a keep."""
    seed = dice.randrange(10_000)
    sides = ("red", "blue", "green") if dice.random() < 0.25 else ()
    game = Battle(options, seed=seed, size=(600.0, 440.0), sides=sides)
    game.terrain = scenery(dice)
    for row, side in enumerate(game.state.sides):
        y = (100.0, 340.0, 30.0)[row]
        for i in range(dice.randint(2, 3)):
            things = [*dice.sample(HELD, k=dice.randint(0, 2)), *dice.sample(WORN, k=1)]
            game.join(f"{side[0]}{i + 1}", side, (180.0 + 90.0 * i, y), *things)
        if dice.random() < 0.5:
            game.join(
                f"{side[0]}h", side, (460.0, y), *(["saddle"] * dice.randint(0, 1)), kind="horse"
            )
            game.join(f"{side[0]}9", side, (460.0, y + 26.0), "lance")
        if dice.random() < 0.3:
            game.join(f"{side[0]}w", side, (80.0, y), kind="vehicle")
        if dice.random() < 0.3:
            kind = dice.choice(("ballista", "battering_ram", "catapult"))
            game.join(f"{side[0]}x", side, (540.0, y), kind=kind, height=20.0)
    game.do("building", figure_id="keep", value="blue")
    game.do("door_state", value="keep/1") if dice.random() < 0.5 else None
    return game


def wish(option: Option, dice: random.Random, seq: int) -> Action | None:
    """What a page would send for an option, None where there is nothing to send."""
    fields: dict[str, object] = {
        "side": option.side,
        "figure_id": option.figure_id,
        "value": option.value,
        "basis_seq": seq,
    }
    if option.input is InputKind.SHOW:
        return None
    if option.input is InputKind.CHOICE:
        fields["value"] = dice.choice(option.choices)[0]
    elif option.input is InputKind.FIGURE:
        allowed = [one.figure_id for one in option.targets if one.allowed]
        if not allowed:
            return None
        fields["target_id"] = dice.choice(allowed)
    elif option.input is InputKind.NUMBER:
        fields["numbers"] = (float(dice.randint(20, 30)),)
    return Action(option.kind, **fields)  # type: ignore[arg-type]


def every_offer_is_taken(game: Battle, dice: random.Random) -> int:
    """Resolve each option without keeping what comes of it; it may not be refused."""
    ruleset, state, table = game.referee.ruleset, game.state, game.table()
    count = 0
    for option in game.referee.options():
        action = wish(option, dice, state.seq)
        if action is not None:
            ruleset.resolve(state, table, action, SeededDice(1, count))
            count += 1
    return count


def shift(game: Battle, dice: random.Random) -> bool:
    """Move a model of the side at work to somewhere in its reach, or an unlucky other one."""
    reaches = [o for o in game.referee.options() if o.kind == "reach" and o.shapes]
    runs = [o for o in game.referee.options() if o.kind == "runs"]
    if runs:
        name, goal = runs[0].figure_id or "", runs[0].shapes[0].points_mm[0]
        put(game, name, goal)
        return True
    if not reaches:
        return False
    option = dice.choice(reaches)
    outline = drawn(dice.choice(option.shapes))
    x0, y0, x1, y1 = outline.bounds
    for _ in range(20):
        at = (dice.uniform(x0, x1), dice.uniform(y0, y1))
        if outline.contains(Point(at)):
            put(game, option.figure_id or "", at)
            return True
    return False


def put(game: Battle, name: str, at: tuple[float, float]) -> None:
    """A model with its rider at a place, on whatever is highest there."""
    level = max(
        (p.height_mm for p in game.terrain if Polygon(p.footprint_mm).covers(Point(at))),
        default=0.0,
    )
    old = game.figures[name]
    game.figures[name] = replace(old, position_mm=at, level_mm=level)
    riders = [u for u in game.state.units if dict(u.marks).get("mount") == name]
    for unit in riders:
        rider = game.figures[unit.figure_id]
        game.figures[unit.figure_id] = replace(rider, position_mm=at, state=FigureState.RIDER)
    game.look()


def obey(game: Battle) -> None:
    """Lay down the dead and put down whoever the rules set somewhere."""
    for unit in game.state.units:
        figure = game.figures.get(unit.figure_id)
        if figure is None:
            continue
        marks = dict(unit.marks)
        gone = marks.get("gone")
        if gone == "dead" and figure.state is not FigureState.LYING:
            game.figures[unit.figure_id] = replace(figure, state=FigureState.LYING)
        elif gone in ("destroyed", "left", "conceded"):
            del game.figures[unit.figure_id]
        elif marks.get("placing") is True and "at_x" in marks:
            at = (float(marks["at_x"]), float(marks["at_y"]))  # type: ignore[arg-type]
            level = float(marks["at_z"])  # type: ignore[arg-type]
            game.figures[unit.figure_id] = replace(figure, position_mm=at, level_mm=level)
    game.look()


def act(game: Battle, dice: random.Random) -> None:
    """One thing that is offered: warlike ones first, else a move, else whatever comes."""
    obey(game)
    options = game.referee.options()
    flagged = [o for o in options if o.kind == "accept"]
    if flagged and game.state.question is None:
        send(game, flagged[0], dice)
        return
    moving = game.state.phase == "MOVE" and game.state.question is None
    if moving and dice.random() < 0.75 and shift(game, dice):
        return
    weighty = [o for o in options if o.kind in WARLIKE]
    if weighty and dice.random() < 0.85:
        dice.shuffle(weighty)
        if any(send(game, one, dice) for one in weighty):
            return
    rest = [
        o
        for o in options
        if o.kind not in ("gear", "stat", "building")
        and (o.kind not in ("concede", "agree", "fallen") or dice.random() < 0.01)
    ]
    dice.shuffle(rest)
    if any(send(game, one, dice) for one in rest):
        return
    if moving and shift(game, dice):
        return
    raise AssertionError(f"nothing can be done in {game.state.phase}")


def send(game: Battle, option: Option, dice: random.Random) -> bool:
    action = wish(option, dice, game.state.seq)
    if action is None:
        return False
    game.do(
        action.kind,
        side=action.side,
        figure_id=action.figure_id,
        target_id=action.target_id,
        value=action.value,
        numbers=action.numbers,
    )
    return True
