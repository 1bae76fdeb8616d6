"""A small game kept as files: its inputs, its log and what was said."""

from __future__ import annotations

import os
from pathlib import Path

from engine.codec import encode_input, encode_line
from tests.engine.tables import Game


def check_golden(game: Game, folder: Path) -> None:
    """The game is byte for byte the one kept; MINIMARSHAL_GOLDEN=1 writes it anew."""
    files = {
        "inputs.jsonl": [encode_input(item) for item in game.inputs],
        "log.jsonl": [encode_line(line) for line in game.referee.lines],
        "said.txt": [f"{a.seq} {a.level} {a.text}" for a in game.referee.announcements()],
    }
    for name, lines in files.items():
        path = folder / name
        if os.environ.get("MINIMARSHAL_GOLDEN") == "1":
            path.parent.mkdir(exist_ok=True)
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        assert path.read_text(encoding="utf-8").splitlines() == lines, name
