"""Dice: rolled from a seed, or typed."""

from collections import Counter

import pytest

from engine.dice import SeededDice, TypedDice
from engine.errors import Refused


def test_a_seed_gives_the_same_dice_however_they_are_asked_for():
    at_once = SeededDice(4).roll(6, 6)
    dice = SeededDice(4)
    assert dice.roll(2, 6) + dice.roll(1, 6) + dice.roll(3, 6) == at_once
    assert SeededDice(4, rolled=3).roll(3, 6) == at_once[3:]


def test_dice_are_fair():
    faces = Counter(SeededDice(1).roll(6000, 6))
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    assert all(870 < count < 1130 for count in faces.values())


def test_seeds_differ():
    assert len({SeededDice(seed).roll(8, 6) for seed in range(50)}) == 50


def test_typed_dice_come_in_order_and_run_out():
    dice = TypedDice((4, 2))
    assert (dice.roll(1, 6), dice.roll(1, 6)) == ((4,), (2,))
    with pytest.raises(Refused):
        dice.roll(1, 6)


@pytest.mark.parametrize("face", [0, 7, -1])
def test_impossible_faces_name_their_rule(face):
    with pytest.raises(Refused) as error:
        TypedDice((face,), "FS-FLAG-16").roll(1, 6)
    assert error.value.rule == "FS-FLAG-16"
