"""``minimarshal train``."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from server import options
from server.console import Fault, emit, note, say
from server.extras import need_training
from vision.training.loop import train as run_training
from vision.training.plan import Plan
from vision.training.sets import RENDER_SCALE, RENDER_SHARE, mix


def train(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Folder of the run.")],
    start: Annotated[
        Path, typer.Option("--start", help="Start weights (.npz) or another run's last.pt.")
    ],
    renders: Annotated[
        list[Path], typer.Option("--renders", help="Rendered set; may be given several times.")
    ],
    weight: Annotated[
        list[float] | None,
        typer.Option("--weight", min=0, help="Of a picture of each rendered set, in order (1)."),
    ] = None,
    composites: Annotated[
        Path | None, typer.Option("--composites", help="Folder of composites and photographs.")
    ] = None,
    steps: Annotated[int, typer.Option("--steps", min=1, help="Updates in all.")] = 4500,
    minutes: Annotated[
        float | None, typer.Option("--minutes", min=0.1, help="End after so long at the latest.")
    ] = None,
    batch: Annotated[int, typer.Option("--batch", min=1, help="Views an update.")] = 16,
    rate: Annotated[float, typer.Option("--rate", min=0, help="Highest learning rate.")] = 1.5e-3,
    warm_up: Annotated[
        int, typer.Option("--warm-up", min=0, help="Updates over which the rate rises.")
    ] = 200,
    render_share: Annotated[
        float, typer.Option("--render-share", min=0, max=1, help="Share of rendered views.")
    ] = RENDER_SHARE,
    render_scale: Annotated[
        tuple[float, float],
        typer.Option("--render-scale", help="Lowest and highest magnification of renders."),
    ] = RENDER_SCALE,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads of torch.")] = 2,
    loaders: Annotated[
        int, typer.Option("--loaders", min=0, help="Processes that prepare views.")
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Of the views.")] = 7,
    as_json: options.Json = False,
) -> None:
    """Train the detector, or go on with a run that was interrupted (needs the extra train)."""
    need_training("train")
    if weight and len(weight) != len(renders):
        raise Fault("--weight", f"given {len(weight)} times for {len(renders)} rendered sets")
    if not 0 < render_scale[0] <= render_scale[1]:
        raise Fault("--render-scale", "takes two numbers over 0, the lower one first")
    plan = Plan(
        steps=steps,
        batch=batch,
        rate=rate,
        warm_up=warm_up,
        threads=threads,
        loaders=loaders,
        seed=seed,
        minutes=minutes,
    )
    mixture = mix(
        list(zip(renders, weight or [1.0] * len(renders), strict=True)),
        composites,
        render_share=render_share if composites is not None else 1.0,
        render_scale=render_scale,
        count=steps * batch,
        seed=seed,
    )

    def report(step: int, losses: dict[str, float]) -> None:
        parts = ", ".join(f"{name} {value:.3f}" for name, value in losses.items())
        note(f"step {step} of {steps}: {parts}")

    checkpoint, done = run_training(plan, mixture, run, start, time.monotonic, report)
    if as_json:
        emit({"ok": True, "checkpoint": str(checkpoint), "steps": done})
    else:
        say(f"{checkpoint}: minimarshal export writes the model from it.")
