"""Command line of the training tools: collect, train, export, measure."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path

from vision.training.errors import TrainingError

SHARES = {"render": 0.64, "composite": 0.26, "photograph": 0.10}
SCALES = {"render": (0.5, 1.6), "composite": (0.5, 1.5), "photograph": (0.09, 0.6)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    collect = commands.add_parser("collect", help="make composites from the raw material")
    collect.add_argument("material", type=Path, help="folder that holds real/")
    collect.add_argument("out", type=Path)
    collect.add_argument("--count", type=int, default=1600)
    train = commands.add_parser("train", help="train, or go on with a run")
    train.add_argument("run", type=Path, help="folder of the run")
    train.add_argument("--start", type=Path, required=True, help=".npz or another run's last.pt")
    train.add_argument("--renders", type=Path, required=True)
    train.add_argument("--composites", type=Path, required=True)
    train.add_argument("--steps", type=int, default=4500)
    train.add_argument("--batch", type=int, default=16)
    train.add_argument("--rate", type=float, default=1.5e-3)
    train.add_argument("--warm-up", type=int, default=200)
    train.add_argument("--render-share", type=float, default=SHARES["render"])
    train.add_argument("--render-scale", type=float, nargs=2, default=SCALES["render"])
    train.add_argument("--threads", type=int, default=2)
    train.add_argument("--loaders", type=int, default=1)
    train.add_argument("--seed", type=int, default=7)
    export = commands.add_parser("export", help="write the ONNX and its settings")
    export.add_argument("checkpoint", type=Path)
    export.add_argument("out", type=Path, help="folder that gets minifig.onnx and minifig.json")
    export.add_argument("--threshold", type=float, required=True)
    export.add_argument("--trained", required=True, help="date of the training, YYYY-MM-DD")
    export.add_argument("--plan", type=Path, action="append", default=[], help="plan.json")
    measure = commands.add_parser("measure", help="measure an ONNX")
    measure.add_argument("model", type=Path)
    measure.add_argument("--renders", type=Path)
    measure.add_argument("--composites", type=Path)
    measure.add_argument("--material", type=Path)
    measure.add_argument("--threshold", type=float)
    measure.add_argument("--out", type=Path, help="also write the report there")
    return parser


def _train(options: argparse.Namespace) -> None:
    from vision.training.loop import Plan, train
    from vision.training.mixture import Mixture, list_examples

    plan = Plan(
        steps=options.steps,
        batch=options.batch,
        rate=options.rate,
        warm_up=options.warm_up,
        threads=options.threads,
        loaders=options.loaders,
        seed=options.seed,
    )
    real = (1 - options.render_share) / (SHARES["composite"] + SHARES["photograph"])
    mixture = Mixture(
        examples={
            "render": list_examples(options.renders, "train", "render"),
            "composite": list_examples(options.composites, "train", "composite"),
            "photograph": list_examples(options.composites / "photographs", "train", "photograph"),
        },
        shares={
            "render": options.render_share,
            "composite": SHARES["composite"] * real,
            "photograph": SHARES["photograph"] * real,
        },
        scales={**SCALES, "render": (options.render_scale[0], options.render_scale[1])},
        count=plan.steps * plan.batch,
        seed=plan.seed,
    )
    logging.getLogger(__name__).info(
        "pictures: %s", {kind: len(found) for kind, found in mixture.examples.items()}
    )
    train(plan, mixture, options.run, options.start)


def main(arguments: list[str] | None = None) -> int:
    """Run one command.

    Returns:
        0, or 2 after a bad input with one line on stderr.
    """
    options = _parser().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        if options.command == "collect":
            from vision.training.collect import collect

            collect(options.material, options.out, options.count)
        elif options.command == "train":
            _train(options)
        elif options.command == "export":
            from vision.training.export import export

            export(
                options.checkpoint, options.out, options.threshold, options.trained, options.plan
            )
        else:
            from vision.training.measure import measure

            report = measure(
                options.model,
                renders=options.renders,
                composites=options.composites,
                material=options.material,
                threshold=options.threshold,
            )
            text = json.dumps(report, indent=1)
            if options.out is not None:
                options.out.write_text(text + "\n", encoding="utf-8")
            sys.stdout.write(text + "\n")
    except TrainingError as error:
        sys.stderr.write(f"minimarshal: error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
