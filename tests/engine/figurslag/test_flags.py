"""Every flag of the rules is raised somewhere, with a sentence of its own."""

import pytest

from engine.errors import Refused
from engine.rulesets.figurslag.data import data
from engine.table import Base, BaseShape
from tests.engine.tables import Game, began, box, facing_off, teams

FLAGS = [f"FS-FLAG-{n:02d}" for n in range(1, 22)]


def refused(game, kind, **fields):
    with pytest.raises(Refused) as error:
        game.do(kind, **fields)
    return error.value.rule, error.value.reason


def last(game):
    said = game.referee.announcements()[-1]
    return said.rule, said.text


def close():
    return facing_off(red={"r1": (300, 150), "r3": (240, 150)}, blue={"b1": (300, 240)})


def shooting():
    game = close()
    game.do("done")
    return game


def flag_01():
    game = began()
    game.put("r1", (100, 190))
    return last(game)


def flag_02():
    game = facing_off(red={"r1": (300, 100)}, blue={"b1": (300, 300)})
    game.put("r1", (300, 220))
    game.do("done")
    return refused(game, "shoot", figure_id="r1", target_id="b1")


def climbing(y, height):
    game = began()
    game.terrain = (box("h", 0, 40, 600, 200, height, standable=True),)
    game.look()
    game.put("r1", (100, y), level=height)
    return game


def flag_03():
    return last(climbing(130, 19.2))


def flag_04():
    game = climbing(80, 38.4)
    game.do("done")
    return refused(game, "shoot", figure_id="r1", target_id="b1")


def flag_05():
    return last(climbing(60, 96.0))


def flag_06():
    game = shooting()
    return refused(game, "shoot", figure_id="r1", target_id="b5")


def flag_07():
    game = facing_off(
        red={"r1": (300, 150)},
        blue={"b1": (300, 240)},
        terrain=(box("w", 0, 198, 600, 202, 96.0),),
    )
    game.do("done")
    return refused(game, "shoot", figure_id="r1", target_id="b1")


def flag_08():
    game = shooting()
    for _ in range(3):
        game.do("shoot", figure_id="r1", target_id="b1", dice=(1,))
    return refused(game, "shoot", figure_id="r1", target_id="b1")


def flag_09():
    return refused(shooting(), "shoot", figure_id="r1", target_id="r3")


def flag_10():
    game = began()
    game.put("b1", (100, 340))
    return last(game)


def flag_11():
    game = shooting()
    game.do("shoot", figure_id="r1", target_id="b1", dice=(6, 1))
    game.do("done")
    game.do("done")
    return refused(game, "shoot", figure_id="b1", target_id="r1")


def deploying(at, base=None):
    game = Game()
    game.do("terrain_done")
    game.put("r1", at, **({"base": base} if base else {}))
    game.put("b1", (300, 380))
    game.do("assign", figure_id="r1", side="red", items=("large",))
    game.do("assign", figure_id="b1", side="blue", items=("large",))
    return game


def flag_12():
    game = deploying((100, 90))
    game.do("roster_done")
    return last(game)


def flag_13():
    game = deploying((100, 20))
    game.do("roster_done")
    return next((a.rule, a.text) for a in game.referee.announcements() if a.rule == "FS-FLAG-13")


def flag_14():
    game = began()
    game.put("r1", (163, 22))
    return last(game)


def flag_15():
    game = began()
    game.put("r1", (100, -40))
    return last(game)


def flag_16():
    return refused(shooting(), "shoot", figure_id="r1", target_id="b1", dice=(9,))


def flag_17():
    game = close()
    game.put("r1", (300, 160))
    game.do("done")
    for _ in range(2):
        game.do("shoot", figure_id="r1", target_id="b1", dice=(1,))
    return refused(game, "shoot", figure_id="r1", target_id="b1")


def flag_18():
    game = deploying((100, 20))
    game.do("roster_done")
    game.figures.clear()
    lines = game.put("r1", (110, 28), base=Base(BaseShape.CIRCLE, 10.0))
    assert lines
    return next((a.rule, a.text) for a in game.referee.announcements() if a.rule == "FS-FLAG-18")


def flag_19():
    game = began()
    game.put("r1", (100, 121))
    return last(game)


def flag_20():
    game = began()
    game.terrain = (box("w", 250, 150, 330, 160, 96.0),)
    game.look()
    return last(game)


def flag_21():
    game = Game(sides=("red", "blue", "green"))
    teams(game)
    game.do("first", value="red")
    game.do("concede", side="green")
    game.do("answer", value="yes")
    game.do("done")
    return refused(game, "shoot", figure_id="r1", target_id="g1")


@pytest.mark.parametrize("flag", FLAGS)
def test_flag(flag):
    rule, sentence = globals()[f"flag_{flag[-2:]}"]()
    assert rule == flag
    assert sentence
    assert "{" not in sentence
    assert "None" not in sentence


def test_every_flag_has_a_sentence_in_the_data():
    assert list(data().flags) == FLAGS
