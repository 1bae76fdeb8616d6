"""Army lists that players keep on this computer, and what the page is told of them."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from calibration.files import write_whole
from engine.armies.enlisting import kinds_of
from engine.armies.lists import ArmyList, read_army, ready_armies, write_army
from engine.army import MUSTERS, reckon
from engine.errors import BadData, Refused
from engine.state import GameState, OptionValue
from server.documents import plain

FOLDER: Final = "armies"
_MOST: Final = 200
_LONGEST: Final = 40
_LARGEST_BYTES: Final = 256 * 1024


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder with one folder for each rule system, and in it one file for each list.

    Attributes:
        folder: Need not exist yet.
    """

    folder: Path

    def lists(self, ruleset_id: str) -> dict[str, ArmyList]:
        """Lists by their key, the file's name without its end; what cannot be read is left out."""
        found = {}
        for path in sorted(self._of(ruleset_id).glob("*.toml"))[:_MOST]:
            try:
                if path.stat().st_size <= _LARGEST_BYTES:
                    found[path.stem] = read_army(path.read_text(encoding="utf-8"))
            except (BadData, OSError, ValueError):
                continue
        return found

    def save(self, ruleset_id: str, army: ArmyList) -> str:
        """Keep a list under its name, in the place of one of the same name.

        Returns:
            Its key.

        Raises:
            Refused: It has no name, there are too many, or the disk says no.
        """
        key = _key(army.name)
        if not key:
            raise Refused("give the army a name first")
        folder = self._of(ruleset_id)
        kept = self.lists(ruleset_id).get(key)
        if kept is not None and kept.name.strip() != army.name.strip():
            # Two names may have the same plain letters: the other army stays.
            other = hashlib.sha256(army.name.strip().encode()).hexdigest()[:8]
            key = f"{key[:31].rstrip('-')}-{other}"
        path = folder / f"{key}.toml"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            if not path.exists() and len(list(folder.glob("*.toml"))) >= _MOST:
                raise Refused(f"{_MOST} armies are kept already: delete one first")
            write_whole(path, write_army(army).encode())
        except OSError as error:
            raise Refused(f"the army cannot be saved: {error.strerror or error}") from None
        return key

    def delete(self, ruleset_id: str, key: str) -> None:
        """Throw a list away.

        Raises:
            Refused: There is none of that key.
        """
        # Looked for among those that are there, so that no key leads out of the folder.
        lists = self._of(ruleset_id).glob("*.toml")
        path = next((one for one in lists if one.stem == key and one.is_file()), None)
        if path is None:
            raise Refused("there is no such army")
        try:
            path.unlink()
        except OSError as error:
            raise Refused(f"the army cannot be deleted: {error.strerror or error}") from None

    def _of(self, ruleset_id: str) -> Path:
        known(ruleset_id)
        return self.folder / ruleset_id


def known(ruleset_id: str) -> None:
    """See that there are armies for these rules.

    Raises:
        Refused: There are none.
    """
    if ruleset_id not in MUSTERS:
        raise Refused(f"there are no armies for {ruleset_id!r}")


def armies_document(shelf: Shelf, ruleset_id: str, options: Mapping[str, OptionValue]) -> Any:
    """What a list may say, and the lists there are.

    Args:
        shelf: Where players keep theirs.
        ruleset_id: The rules.
        options: Of the running game; empty for those of each list.

    Raises:
        Refused: These rules have no armies.
    """
    known(ruleset_id)
    ready = {key: read_army(text) for key, text in ready_armies(ruleset_id).items()}

    def told(lists: Mapping[str, ArmyList]) -> list[dict[str, Any]]:
        return [
            {
                "key": key,
                "army": army.model_dump(),
                "told": told_document(ruleset_id, army, options),
            }
            for key, army in lists.items()
        ]

    return {
        "kinds": [plain(kind) for kind in kinds_of(ruleset_id)],
        "ready": told(ready),
        "saved": told(shelf.lists(ruleset_id)),
    }


def told_document(
    ruleset_id: str, army: ArmyList, options: Mapping[str, OptionValue]
) -> dict[str, Any]:
    """Points and errors of a list; where the rules refuse it, that is its one error."""
    known(ruleset_id)
    army = army.model_copy(update={"options": dict(options)}) if options else army
    figures = sum(entry.count for entry in army.figures)
    try:
        found = reckon(ruleset_id, army)
    except Refused as refused:
        errors = [{"rule": refused.rule, "text": _sentence(refused.reason)}]
        return {"figures": figures, "points": None, "limit": None, "totals": {}, "errors": errors}
    return {
        "figures": found.figures,
        "points": found.points,
        "limit": found.limit,
        "totals": dict(found.totals),
        "errors": [{"rule": rule, "text": _sentence(wrong)} for rule, wrong in found.errors],
    }


def see_known(ruleset_id: str, army: ArmyList, options: Mapping[str, OptionValue]) -> None:
    """See that the rules know everything a list names.

    Raises:
        Refused: They do not.
    """
    reckon(ruleset_id, army.model_copy(update={"options": dict(options)}))


def options_for(state: GameState, ruleset_id: str) -> Mapping[str, OptionValue]:
    """What was agreed for the running game, if it is one of these rules."""
    return dict(state.options) if state.ruleset == ruleset_id else {}


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."


def _key(name: str) -> str:
    """A file's name that every system takes."""
    letters = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    key = re.sub(r"[^a-z0-9]+", "-", letters).strip("-")[:_LONGEST].strip("-")
    if re.fullmatch(r"con|prn|aux|nul|(com|lpt)\d", key):
        return f"{key}-army"  # devices of Windows, whatever follows the dot
    if key or not name.strip():
        return key
    # Of letters that ASCII has not: their numbers tell names apart as well.
    return "-".join(f"{ord(one):x}" for one in name.strip()[:6])
