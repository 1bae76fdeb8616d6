"""Answers kept while one game and one table are looked at."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)


def kept(function: Callable[P, R]) -> Callable[P, R]:
    """Remember what a pure function answered about the last state and table it was asked about.

    Everything handed over is known again by being the very same object: states and tables are
    frozen, and comparing two of them costs more than most answers. Nothing is kept of an older
    look, so that little memory is held.

    Args:
        function: Takes a state, a table and further things; what is asked with names is not kept.
    """
    known: list[tuple[tuple[Any, ...], dict[tuple[int, ...], tuple[tuple[Any, ...], R]]]] = []

    @wraps(function)
    def asked(*args: P.args, **named: P.kwargs) -> R:
        if named:
            return function(*args, **named)
        look = known[0] if known else None
        if look is None or look[0][0] is not args[0] or look[0][1] is not args[1]:
            look = (args[:2], {})
            known[:] = [look]
        key = tuple(map(id, args[2:]))
        found = look[1].get(key)
        if found is None:
            # The things themselves are kept too, so that nothing new gets their identity.
            found = look[1][key] = (args, function(*args, **named))
        return found[1]

    asked.cache_clear = known.clear  # type: ignore[attr-defined]
    return asked


def known_by(most: int) -> Callable[[Callable[[T], R]], Callable[[T], R]]:
    """Remember what a pure function answered about the frozen things it was asked about last.

    A thing is known again by being the very same object. When more than ``most`` are known, all
    are forgotten.

    Args:
        most: Things remembered.
    """

    def around(function: Callable[[T], R]) -> Callable[[T], R]:
        known: dict[int, tuple[T, R]] = {}

        @wraps(function)
        def asked(thing: T) -> R:
            found = known.get(id(thing))
            if found is not None and found[0] is thing:
                return found[1]
            if len(known) >= most:
                known.clear()
            answer = function(thing)
            # The thing itself is kept too, so that nothing new gets its identity.
            known[id(thing)] = (thing, answer)
            return answer

        asked.cache_clear = known.clear  # type: ignore[attr-defined]
        return asked

    return around


def each_kept(
    most: int,
) -> Callable[[Callable[[Sequence[K]], Sequence[R]]], Callable[[Sequence[K]], list[R]]]:
    """Remember what a pure function answered to each of the things it was asked at once.

    It is asked again only about those not known; it never answers None. At most so many answers
    are kept, the latest.

    Args:
        most: Answers kept.
    """

    def around(
        function: Callable[[Sequence[K]], Sequence[R]],
    ) -> Callable[[Sequence[K]], list[R]]:
        known: dict[K, R] = {}

        @wraps(function)
        def asked(keys: Sequence[K]) -> list[R]:
            found = {key: answer for key in keys if (answer := known.get(key)) is not None}
            new = list(dict.fromkeys(key for key in keys if key not in found))
            if new:
                answers = dict(zip(new, function(new), strict=True))
                found |= answers
                known.update(answers)
                for key in list(known)[: max(0, len(known) - most)]:
                    known.pop(key, None)
            return [found[key] for key in keys]

        asked.cache_clear = known.clear  # type: ignore[attr-defined]
        return asked

    return around
