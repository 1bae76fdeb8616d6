"""``minimarshal export``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from server import options
from server.console import Fault, emit, say
from server.extras import need_training
from vision.model_card import read_card
from vision.training.export import export as write_model


def export(
    checkpoint: Annotated[Path, typer.Argument(metavar="CHECKPOINT", help="A run's last.pt.")],
    out: Annotated[Path, typer.Option("--out", help="Folder that gets the model and its card.")],
    threshold: Annotated[
        float, typer.Option("--threshold", help="Score from which a find is shown, 0 to 1.")
    ],
    trained: Annotated[
        str, typer.Option("--trained", metavar="DATE", help="Day of the training, YYYY-MM-DD.")
    ],
    plan: Annotated[
        list[Path] | None,
        typer.Option("--plan", help="A run's plan.json, kept in the card; in order."),
    ] = None,
    as_json: options.Json = False,
) -> None:
    """Write the detector as ONNX with its card (needs the extra train)."""
    need_training("export")
    if not 0 < threshold < 1:
        raise Fault("--threshold", "is between 0 and 1")
    model = write_model(checkpoint, out, threshold, trained, plan or [])
    card = read_card(model.with_suffix(".json"))
    size = model.stat().st_size
    if as_json:
        document = {"ok": True, "model": str(model), "sha256": card.sha256, "bytes": size}
        emit({**document, "labels": list(card.labels), "threshold": card.threshold})
        return
    say(f"{model}: {', '.join(card.labels)}; {size / 1e6:.1f} MB")
