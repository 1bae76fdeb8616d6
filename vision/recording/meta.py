"""What a recording is of and what made it: meta.toml."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from vision.errors import BadSource
from vision.recording.names import META

SCHEMA_VERSION = 1

Option: TypeAlias = "str | int | float | bool"


@dataclass(frozen=True, slots=True)
class Meta:
    """Head of a recording.

    Attributes:
        source: What was recorded, as the user named it.
        app_version: Of the program that wrote it.
        model_sha256: Hash of all weights that find figures, None where a script stood in for it.
        ruleset: Id of the rule set, None without a game.
        options: Of the rule set.
        schema_version: Of the folder's layout.
    """

    source: str
    app_version: str
    model_sha256: str | None = None
    ruleset: str | None = None
    options: Mapping[str, Option] = field(default_factory=dict)
    schema_version: int = SCHEMA_VERSION

    def text(self) -> str:
        """As TOML."""
        lines = [f"schema_version = {self.schema_version}"]
        for key in ("source", "app_version", "model_sha256", "ruleset"):
            value = getattr(self, key)
            if value is not None:
                lines.append(f"{key} = {_toml(value)}")
        lines += ["", "[options]"]
        lines += [f"{_toml(key)} = {_toml(value)}" for key, value in sorted(self.options.items())]
        return "\n".join(lines) + "\n"


def read_meta(folder: Path) -> Meta:
    """Read a recording's head.

    Raises:
        BadSource: Missing, damaged, or of a later layout.
    """
    path = folder / META
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadSource(str(folder), f"not a recording: {META} is missing") from error
    except OSError as error:
        raise BadSource(str(path), f"cannot be read ({error.strerror})") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadSource(str(path), "is not TOML") from error
    version = document.get("schema_version")
    if not isinstance(version, int) or not 1 <= version <= SCHEMA_VERSION:
        raise BadSource(str(path), f"schema_version {version!r} is not known here")
    options = document.get("options", {})
    texts = {key: document.get(key) for key in ("source", "app_version")}
    maybe = {key: document.get(key) for key in ("model_sha256", "ruleset")}
    whole = isinstance(options, dict) and all(
        isinstance(value, str | int | float | bool) for value in options.values()
    )
    if (
        not whole
        or not all(isinstance(value, str) for value in texts.values())
        or not all(value is None or isinstance(value, str) for value in maybe.values())
    ):
        raise BadSource(str(path), "a field is missing or of the wrong kind")
    return Meta(
        str(texts["source"]),
        str(texts["app_version"]),
        maybe["model_sha256"],
        maybe["ruleset"],
        options,
        version,
    )


def _toml(value: Option) -> str:
    """A TOML value or quoted key: JSON's strings, numbers and booleans are TOML's."""
    if isinstance(value, str):
        # TOML wants U+007F escaped, which JSON leaves as it is.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return json.dumps(value)
