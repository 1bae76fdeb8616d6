"""Libraries that come with an extra only."""

from __future__ import annotations

from importlib.util import find_spec

from server.console import Fault

TRAINING = ("torch", "ultralytics")


def need_training(command: str) -> None:
    """See that the libraries of the extra ``train`` are there.

    Args:
        command: That needs them.

    Raises:
        Fault: One of them is not.
    """
    missing = [name for name in TRAINING if find_spec(name) is None]
    if missing:
        how = 'pip install "minimarshal[train]" (from a checkout: pip install -e ".[train]")'
        fault = f"needs {' and '.join(missing)}; in an environment of its own: {how}"
        raise Fault(command, fault)
