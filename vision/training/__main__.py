"""Command line of the tools around training: collect its pictures, measure its results."""

from __future__ import annotations

import argparse
import json
import logging
import sys
from pathlib import Path

from vision.training.errors import TrainingError


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    collect = commands.add_parser("collect", help="make composites from the raw material")
    collect.add_argument("material", type=Path, help="folder that holds real/")
    collect.add_argument("out", type=Path)
    collect.add_argument("--count", type=int, default=1600)
    measure = commands.add_parser("measure", help="measure an ONNX")
    measure.add_argument("model", type=Path)
    measure.add_argument("--renders", type=Path, action="append", default=[])
    measure.add_argument("--composites", type=Path)
    measure.add_argument("--material", type=Path)
    measure.add_argument("--threshold", type=float)
    measure.add_argument("--out", type=Path, help="also write the report there")
    return parser


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
