"""Writes files whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file in one step that never leaves half of it.

    A link is followed, and what is no plain file (a device, a pipe) is written to, since putting
    a new file in its place would destroy it.

    Args:
        path: Where to; replaced if it exists.
        data: Its contents.

    Raises:
        OSError: It cannot be written.
    """
    target = path.resolve()
    if target.is_dir():
        raise _fault(errno.EISDIR)
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            file.write(data)
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_mask()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:64]}.")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(target)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def check_place(path: Path) -> None:
    """See before any work whether a file could be written.

    Raises:
        OSError: It could not.
    """
    target = path.resolve()
    if target.is_dir():
        raise _fault(errno.EISDIR)
    if not target.parent.is_dir():
        raise _fault(errno.ENOENT)
    touched = target if target.exists() and not target.is_file() else target.parent
    if not os.access(touched, os.W_OK):
        raise _fault(errno.EACCES)


def _fault(code: int) -> OSError:
    return OSError(code, os.strerror(code))


def _mask() -> int:
    """Permissions that this process does not give to new files."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
