"""A whole game from set-up to the winner with nothing but what is offered and a moved figure."""

import random
from dataclasses import replace

import pytest

from engine.codec import decode_input, decode_line, encode_input, encode_line
from engine.log import fold
from engine.norules import NoRules
from engine.play import play
from engine.referee import Referee
from engine.ruleset import InputKind
from engine.rulesets import RULESETS, by_id
from engine.table import FigureState
from tests.engine.deathzap.skirmish import BOARD, fighter
from tests.engine.tables import Game, box

BY_ID = {one.info.id: one for one in (NoRules(), *RULESETS)}
BANDS = {
    "red": (("Soldier", 4), ("Warrior", 5), ("Gunner", 5)),
    "blue": (("Beast", 4), ("Drone", 4), ("Berserker", 5)),
}


def offered(game: Game, kind: str, figure_id: str | None = None):
    option = game.option(kind, figure_id)
    assert option is not None, f"{kind} is not offered in {game.state.phase}"
    return option


def use(game: Game, option, **fields: object) -> None:
    """Send what the page would send for an option."""
    sent = {"side": option.side, "figure_id": option.figure_id, "value": option.value}
    sent |= fields
    if option.input is InputKind.CHOICE:
        assert sent["value"] in {value for value, _ in option.choices}
    if option.input is InputKind.FIGURE:
        assert sent["target_id"] in {t.figure_id for t in option.targets if t.allowed}
    game.do(option.kind, **sent)


def set_up(game: Game) -> None:
    for side, band, y in (("red", BANDS["red"], 100.0), ("blue", BANDS["blue"], 510.0)):
        for i in range(len(band)):
            name = f"{side[0]}{i + 1}"
            game.figures[name] = fighter(name, (250.0 + 50.0 * i, y))
    game.look()
    for side, band in BANDS.items():
        for i, (kind, worth) in enumerate(band):
            name = f"{side[0]}{i + 1}"
            use(game, offered(game, "join", name), value=side)
            use(game, offered(game, "class", name), value=kind)
            use(game, offered(game, "might", name), numbers=(float(worth),))
    use(game, offered(game, "shrine"), value="shrine")
    use(game, offered(game, "ready"))
    use(game, offered(game, "answer"), value="last_attack")
    while game.state.phase == "ROLL_OFF":
        use(game, offered(game, "roll_off"))
    own = {"red": "south", "blue": "north"}[game.state.active_side]
    use(game, offered(game, "edge"), value=own)
    use(game, offered(game, "ready"))
    use(game, offered(game, "ready"))


def approach(game: Game, name: str, dice: random.Random) -> bool:
    """Move the fighter towards an enemy, as the reach allows."""
    mine = game.figures[name]
    side = game.unit(name).side
    enemies = [game.figures[u.figure_id] for u in game.state.units if u.alive and u.side != side]
    x, y = mine.position_mm
    goal = min(enemies, key=lambda f: (f.position_mm[0] - x) ** 2 + (f.position_mm[1] - y) ** 2)
    gx, gy = goal.position_mm
    far = max(1.0, ((gx - x) ** 2 + (gy - y) ** 2) ** 0.5)
    step = min(70.0, far - 22.0)
    if step < 12.0:
        return False
    turn = dice.uniform(-0.2, 0.2)
    dx, dy = (gx - x) / far * step, (gy - y) / far * step
    at = (x + dx - turn * dy, y + dy + turn * dx)
    game.figures[name] = replace(mine, position_mm=at)
    game.look()
    return True


def turn(game: Game, dice: random.Random) -> None:
    """One thing that is offered, the most warlike first."""
    for unit in game.state.units:
        if not unit.alive and game.figures[unit.figure_id].state is FigureState.STANDING:
            game.lay(unit.figure_id)
    flagged = [o for o in game.referee.options() if o.kind == "accept"]
    if flagged:
        use(game, flagged[0])
        return
    options = {o.kind: o for o in game.referee.options() if o.input is not InputKind.SHOW}
    for kind in ("answer", "roll", "morale", "strike", "melee", "ranged", "charge"):
        option = options.get(kind)
        if option is None or (
            option.input is InputKind.FIGURE and not any(t.allowed for t in option.targets)
        ):
            continue
        fields: dict[str, object] = {}
        if option.input is InputKind.CHOICE:
            fields["value"] = option.choices[-1][0]
        if option.input is InputKind.FIGURE:
            fields["target_id"] = next(t.figure_id for t in option.targets if t.allowed)
        use(game, option, **fields)
        return
    if "pick" in options:
        picks = [o for o in game.referee.options() if o.kind == "pick"]
        use(game, dice.choice(picks))
        return
    finish = options.get("finish")
    name = (finish or options["call_off"]).figure_id
    if not approach(game, name, dice):
        use(game, finish or options["call_off"])


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_game_is_played_to_its_winner_with_options_alone(seed):
    """DZ-GEN-06: play runs from activation to activation; DZ-END-01: to a broken force."""
    game = Game(size=BOARD, ruleset="deathzap", seed=seed)
    game.terrain = (
        box("shrine", 290.0, 290.0, 320.0, 320.0, 60.0),
        box("wall", 120.0, 250.0, 220.0, 258.0, 30.0),
        box("step", 380.0, 330.0, 470.0, 380.0, 9.6),
    )
    set_up(game)
    assert game.state.phase == "PICK"
    dice = random.Random(seed)  # noqa: S311
    for _ in range(600):
        if game.state.outcome is not None:
            break
        turn(game, dice)
    assert game.state.outcome in ("red", "blue")
    assert game.referee.options() == ()
    lines = [encode_line(line) for line in game.referee.lines]
    again = Referee(by_id("deathzap"), {}, (), seed)
    play([decode_input(encode_input(item)) for item in game.inputs], again)
    assert [encode_line(line) for line in again.lines] == lines
    assert fold([decode_line(text) for text in lines], BY_ID) == game.state
