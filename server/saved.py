"""A saved game brought to its last moment: from a recording, or from its log alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.codec import decode_line
from engine.errors import BadData, Refused
from engine.play import play
from engine.referee import Referee
from engine.ruleset import RuleSet
from server.console import Fault
from server.documents import options_document
from server.replay import open_recording, recorded_inputs
from vision.recording import names


def saved_game(path: Path) -> Referee:
    """The game as its recording left it.

    Args:
        path: A recording, or a log. A log within a recording stands for the recording; one alone
            tells the state of the game, but of no table.

    Raises:
        Fault: It is missing or damaged.
        vision.errors.BadSource: The folder is no recording.
    """
    folder = path if path.is_dir() else path.parent
    if path.is_dir() or (path.name == names.LOG and (folder / names.INPUTS).exists()):
        referee = Referee()
        play(recorded_inputs(open_recording(folder)), referee)
        return referee
    return _from_log(path)


def options_of(ruleset: RuleSet, path: Path) -> list[dict[str, Any]]:
    """The legal actions in a saved game, as the page is told them.

    Args:
        ruleset: That the game must be of.
        path: See :func:`saved_game`.

    Raises:
        Fault: It is missing, damaged, or a game of another rule set.
        vision.errors.BadSource: The folder is no recording.
    """
    referee = saved_game(path)
    played = referee.ruleset.info.id
    if played != ruleset.info.id:
        is_game = f"a game of {played}" if played else "a table without a game"
        raise Fault(str(path), f"is {is_game}, not of {ruleset.info.id}")
    return options_document(referee.options())


def _from_log(path: Path) -> Referee:
    referee = Referee()
    try:
        texts = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise Fault(str(path), error.strerror or str(error)) from error
    except ValueError:
        raise Fault(str(path), "not text") from None
    if not texts:
        raise Fault(str(path), "holds no log")
    for number, text in enumerate(texts, 1):
        try:
            referee.retell(decode_line(text))
        except (BadData, Refused) as error:
            fault = error.fault if isinstance(error, BadData) else error.reason
            raise Fault(str(path), f"line {number}: {fault}") from None
    return referee
