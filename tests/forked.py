"""Work in a forked child: imports stay warm, and what it changes or breaks is gone with it."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a child ended.

    Attributes:
        answer: What the work returned, None if it did not come to its end.
        ended: False where it raised (its traceback is on stderr) or ran out of time.
        late: It ran out of time.
        cpu_s: Processor seconds it used.
    """

    answer: object
    ended: bool
    late: bool
    cpu_s: float


def in_child(work: Callable[[], object], limit_s: float) -> Outcome:
    """Run ``work`` in a forked child for at most ``limit_s`` seconds of the clock."""
    context = multiprocessing.get_context("fork")
    listening, telling = context.Pipe(duplex=False)
    child = context.Process(target=_tell, args=(work, telling))
    before = os.times()
    child.start()
    telling.close()
    answer, ended = None, False
    late = not listening.poll(limit_s)
    if late:
        child.kill()
    else:
        with contextlib.suppress(EOFError):  # it raised
            answer, ended = listening.recv(), True
    child.join()
    after = os.times()
    used = after.children_user + after.children_system
    return Outcome(answer, ended, late, used - before.children_user - before.children_system)


def _tell(work: Callable[[], object], telling: Connection) -> None:
    telling.send(work())
