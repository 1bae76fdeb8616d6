"""Files that people write, read and checked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TypeVar

from pydantic import TypeAdapter, ValidationError

from server.console import Fault

T = TypeVar("T")


def read_json(path: Path, adapter: TypeAdapter[T], key: str | None = None) -> T:
    """Read a JSON file that has to have a certain shape.

    Args:
        path: The file.
        adapter: The shape.
        key: Where the document is an object, what is wanted may lie under this key.

    Raises:
        Fault: It is missing or wrong.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise Fault(str(path), error.strerror or str(error)) from error
    except UnicodeDecodeError:
        raise Fault(str(path), "not text") from None
    except (ValueError, RecursionError):
        raise Fault(str(path), "not JSON") from None
    if key is not None and isinstance(document, dict):
        document = document.get(key)
    try:
        return adapter.validate_python(document)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or key or "the whole"
        raise Fault(str(path), f"{where}: {first['msg']}") from None
