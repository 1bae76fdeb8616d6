"""What waits for the play thread, and its last word."""

from __future__ import annotations

import threading

import pytest

from server.inbox import Inbox
from server.session import Resize
from tests.simulated import by_hand

ITEM = Resize(None)


def full() -> Inbox:
    """One that has no room for a last word."""
    inbox = Inbox(threading.Event())
    for _ in range(4):
        inbox.put(ITEM)
    return inbox


def test_whoever_reads_hears_the_last_word_after_all_the_others() -> None:
    inbox, heard = full(), list[object]()
    reader = threading.Thread(target=lambda: heard.extend(inbox.until_end()), daemon=True)
    reader.start()
    inbox.end(reader.is_alive)
    reader.join(timeout=60)
    assert not reader.is_alive()
    assert heard == [ITEM] * 4


def test_nobody_waits_for_a_reader_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.inbox._LAST_TRIES", 10**9)
    gone = threading.Thread(target=lambda: None)
    gone.start()
    gone.join()
    inbox = full()
    ending = threading.Thread(target=inbox.end, args=(gone.is_alive,), daemon=True)
    ending.start()
    ending.join(timeout=60)
    assert not ending.is_alive()


def test_nobody_waits_for_ever_for_a_reader_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.inbox._LAST_TRIES", 2)
    asked: list[bool] = []
    full().end(lambda: not asked.append(True))
    assert len(asked) == 2


def test_a_table_that_never_played_ends() -> None:
    by_hand().stop()
