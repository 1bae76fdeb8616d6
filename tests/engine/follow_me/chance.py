"""Random legal games of Follow Me, played with what the engine offers and nothing else."""

from __future__ import annotations

import random
from dataclasses import replace

from shapely import Point

from engine.actions import Action
from engine.dice import SeededDice
from engine.errors import Refused
from engine.ruleset import InputKind, Option
from engine.rulesets.follow_me.data import data
from engine.table import FigureState, Terrain
from tests.engine.follow_me.battle import FIELD, Battle
from tests.engine.tables import box, drawn

MEN = (
    "light_soldier", "archer", "crossbowman", "orc_grunt", "goblin", "undead_pirate",
    "man_at_arms", "orc_chief", "ogre", "troll", "horseman", "knight", "cart_engine",
)  # fmt: skip
HEROES = ("hero_foot_light", "hero_foot_armoured", "hero_horse_light", "mage", "mage")
WARLIKE = ("answer", "roll", "volley", "sign", "test", "spell", "spot", "decide")
RARE = ("concede", "fallen", "wish", "talk", "carrier", "hold_fire", "no_spell", "chance")


def scenery(dice: random.Random) -> tuple[Terrain, ...]:
    """A house, a hedge, a ford and a wood in the middle."""
    return (
        box("house", 260, 420, 340, 470, 120.0, kind="building"),
        box("hedge", 420, 440, 700, 450, 15.0, kind="hedge"),
        box("ford", 760, 380, 1000, 440, 1.0, kind="ford"),
        box("wood", 20, 400, 180, 520, 90.0, kind="wood"),
    )[: dice.randint(0, 4)]


def enlist(
    dice: random.Random, options: dict[str, object] | None = None, sides: tuple[str, ...] = ()
) -> Battle:
    """Three to five figures a side, a hero or mage among them, sometimes a creature."""
    game = Battle(options, seed=dice.randrange(10_000), size=FIELD)
    game.terrain = scenery(dice)
    if not sides:
        sides = ("red", "blue", "green") if dice.random() < 0.15 else ("red", "blue")
    for side, y in zip(sides, (340.0, 540.0, 760.0), strict=False):
        x = 320.0 + dice.uniform(0, 80)
        kind = dice.choice(HEROES)
        spells = " ".join(dice.sample(list(data().spells), 6)) if kind == "mage" else ""
        game.join(f"{side[0]}h", side, (x, y), kind, spells=spells)
        kinds = [dice.choice(MEN) for _ in range(dice.randint(2, 4))]
        if dice.random() < 0.4:
            kinds[-1] = dice.choice(("giant", "dragon"))
        for i, what in enumerate(kinds):
            game.join(
                f"{side[0]}{i + 1}", side, (x + 70.0 * (i + 1), y + dice.uniform(-20, 20)), what
            )
    game.do("ready")
    if game.state.question is not None:
        game.do("answer", value=dice.choice(("yes", "no")))
    return game


def wish(option: Option, dice: random.Random, seq: int) -> Action | None:
    """What a page would send for an option, None where there is nothing to send."""
    fields: dict[str, object] = {
        "side": option.side, "figure_id": option.figure_id, "value": option.value,
        "basis_seq": seq,
    }  # fmt: skip
    if option.input is InputKind.SHOW or option.input is InputKind.POINT:
        return None
    if option.input is InputKind.CHOICE:
        fields["value"] = dice.choice(option.choices)[0]
    elif option.input is InputKind.FIGURE:
        allowed = [one.figure_id for one in option.targets if one.allowed]
        if not allowed:
            return None
        fields["target_id"] = dice.choice(allowed)
    elif option.input is InputKind.NUMBER:
        fields["numbers"] = (float(dice.randint(0, 20)),)
    if option.dice[0] and dice.random() < 0.3:
        fields["dice"] = tuple(dice.randint(1, option.dice[1]) for _ in range(option.dice[0]))
    return Action(option.kind, **fields)  # type: ignore[arg-type]


def every_offer_is_taken(game: Battle, dice: random.Random) -> int:
    """Resolve each option without keeping what comes of it; it may not be refused."""
    ruleset, state, table = game.referee.ruleset, game.state, game.table()
    count = 0
    for option in game.referee.options():
        action = wish(option, dice, state.seq)
        if action is None:
            continue
        ruleset.resolve(state, table, action, SeededDice(1, count))
        count += 1
    return count


def send(game: Battle, option: Option, dice: random.Random) -> bool:
    if option.input is InputKind.POINT:
        return point(game, option, dice)
    action = wish(option, dice, game.state.seq)
    if action is None:
        return False
    actor = game.state.unit(action.figure_id or "")
    assert actor is None or actor.alive or option.kind in ("fight", "test", "decide")
    game.do(
        action.kind, side=action.side, figure_id=action.figure_id, target_id=action.target_id,
        value=action.value, numbers=action.numbers, dice=action.dice,
    )  # fmt: skip
    return True


def tried(game: Battle, kind: str, **fields: object) -> bool:
    """Whether a wish was carried out; where it was refused, it was with a rule and no trace."""
    before, lines, refusal = game.state, len(game.referee.lines), None
    try:
        game.do(kind, **fields)
    except Refused as refused:
        refusal = refused
    if refusal is None:
        return True
    assert (refusal.rule or "").startswith("FM-"), refusal.reason
    assert (game.state, len(game.referee.lines)) == (before, lines)
    return False


def point(game: Battle, option: Option, dice: random.Random) -> bool:
    """A place near somebody; what cannot be seen or stood on is refused, and tried elsewhere."""
    for _ in range(20):
        x, y = dice.choice(list(game.figures.values())).position_mm
        at = (x + dice.uniform(-80, 80), y + dice.uniform(-80, 80))
        if tried(game, option.kind, figure_id=option.figure_id, value=option.value, point_mm=at):
            return True
    return False


def shift(game: Battle, dice: random.Random) -> bool:
    """Move a figure to somewhere in its reach, towards the enemy more often than not."""
    reaches = [o for o in game.referee.options() if o.kind == "reach" and o.shapes]
    if not reaches:
        return False
    option = dice.choice(reaches)
    name = option.figure_id or ""
    outline = drawn(dice.choice(option.shapes))
    x0, y0, x1, y1 = outline.bounds
    foes = [
        game.figures[u.figure_id].position_mm for u in game.state.units
        if u.alive and u.side != game.unit(name).side and u.figure_id in game.figures
    ]  # fmt: skip
    best = None
    for _ in range(12):
        at = (dice.uniform(x0, x1), dice.uniform(y0, y1))
        if not outline.contains(Point(at)) or crowded(game, name, at):
            continue
        far = min((Point(at).distance(Point(foe)) for foe in foes), default=0.0)
        if best is None or far < best[0]:
            best = (far, at)
    if best is None:
        return False
    game.put(name, best[1])
    return True


def crowded(game: Battle, name: str, at: tuple[float, float]) -> bool:
    """Somebody stands there; the drawn reach has no holes."""
    return any(
        Point(at).distance(Point(figure.position_mm)) < 21.0
        for other, figure in game.figures.items()
        if other != name and figure.state is FigureState.STANDING
    )


def obey(game: Battle) -> None:
    """Lay down the dead, stand up the raised, and put everybody where the rules set him."""
    changed = False
    for unit in game.state.units:
        figure = game.figures.get(unit.figure_id)
        if figure is None:
            continue
        if not unit.alive and figure.state is not FigureState.LYING:
            game.figures[unit.figure_id] = replace(figure, state=FigureState.LYING)
            changed = True
        elif unit.alive and unit.mark("placing") is True:
            at = (float(unit.mark("at_x")), float(unit.mark("at_y")))  # type: ignore[arg-type]
            game.figures[unit.figure_id] = replace(
                figure, position_mm=at, state=FigureState.STANDING
            )
            changed = True
    if changed:
        game.look()


def act(game: Battle, dice: random.Random) -> None:
    """One thing that is offered: flags first, then what the turn waits for, else whatever."""
    obey(game)
    options = game.referee.options()
    flagged = [o for o in options if o.kind == "accept"]
    if flagged and game.state.question is None:
        send(game, flagged[0], dice)
        return
    moving = game.state.phase in ("MOVE", "SALLY") and game.state.question is None
    if moving and dice.random() < 0.7 and shift(game, dice):
        return
    weighty = [o for o in options if o.kind in WARLIKE and not o.minor]
    if weighty and dice.random() < 0.85:
        dice.shuffle(weighty)
        if any(send(game, one, dice) for one in weighty):
            return
    rest = [o for o in options if o.kind not in RARE or dice.random() < 0.05]
    rest = [o for o in rest if o.kind != "concede" or dice.random() < 0.05]
    dice.shuffle(rest)
    if any(send(game, one, dice) for one in rest):
        return
    if any(send(game, one, dice) for one in options if o_is_plain(one)):
        return
    raise AssertionError(f"nothing can be done in {game.state.phase}")


def o_is_plain(option: Option) -> bool:
    return option.kind not in ("concede", "fallen")
