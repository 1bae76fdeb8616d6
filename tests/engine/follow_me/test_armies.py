"""Companies as lists: heroes, their men, and what mages know."""

import pytest

from engine.armies.lists import read_army, ready_armies
from engine.army import reckon
from engine.errors import Refused

HERO = '[[figures]]\nkind = "hero_foot_light"\n'
MEN = '[[figures]]\nkind = "orc_grunt"\ncount = 6\n'
SIX = '"fire", "heal", "flash", "gone", "safe", "mighty"'


def errors(text):
    found = reckon("follow_me", read_army(text))
    assert found.points is None
    return [rule for rule, _ in found.errors]


def test_companies():
    """FM-SET-02 to 05: a hero, six to twenty men after him, and creatures by themselves."""
    assert errors(HERO + MEN) == []
    assert errors(HERO + MEN + '[[figures]]\nkind = "dragon"\n') == []
    assert errors(MEN) == ["FM-SET-02", "FM-SET-03"]
    assert errors(HERO + MEN.replace("6", "21")) == ["FM-SET-04"]
    assert errors(HERO + MEN.replace("6", "5")) == ["FM-SET-04"]
    assert errors(HERO + MEN + HERO) == ["FM-SET-04"]


def test_mages_know_six_spells():
    """FM-MAGE-11, FM-GEN-12."""
    mage = f'[[figures]]\nkind = "mage"\nitems = [{SIX}]\n'
    assert errors(mage + MEN) == []
    assert errors(mage.replace('"fire", ', "") + MEN) == ["FM-MAGE-11"]
    plain = 'options = { "fm.modules.spells" = false }\n[[figures]]\nkind = "mage"\n'
    assert errors(plain + MEN) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ('[[figures]]\nkind = "wizard"\n', "FM-SET-06"),
        ('[[figures]]\nkind = "ogre"\nmight = 3\n', "FM-SET-06"),
        ('[[figures]]\nkind = "ogre"\nitems = ["bow"]\n', "FM-SET-12"),
        ('[[figures]]\nkind = "mage"\nitems = ["fireball"]\n', "FM-MAGE-11"),
        ('options = { "fm.modules.mages" = false }\n[[figures]]\nkind = "mage"\n', "FM-GEN-12"),
        (HERO + "options = { nonsense = 1 }\n", None),
    ],
)
def test_what_the_rules_do_not_know(text, rule):
    """FM-SET-06, FM-SET-12, FM-MAGE-11."""
    if rule is None:
        text = "options = { nonsense = 1 }\n" + HERO
    with pytest.raises(Refused) as caught:
        reckon("follow_me", read_army(text))
    assert caught.value.rule == (rule or "FM-GEN-12")


def test_ready_companies():
    """FM-SET-04: three of them, as the rules suggest."""
    ready = ready_armies("follow_me")
    assert list(ready) == ["knights", "orcs", "wizard"]
    for text in ready.values():
        assert errors(text) == []
