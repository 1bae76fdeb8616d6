"""Command line of the tools around training: its pictures, its second look, its alternatives."""

from __future__ import annotations

import argparse
import logging
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from vision.errors import BadSource
from vision.training.errors import TrainingError

LEAST_SCORE = 0.06
MINING_SEED = 7
NEEDS_TORCH = 'needs torch; in an environment of its own: pip install ".[train]"'


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m vision.training", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    collect = commands.add_parser("collect", help="make composites from the raw material")
    collect.add_argument("material", type=Path, help="folder that holds real/")
    collect.add_argument("out", type=Path)
    collect.add_argument("--count", type=int, default=1600)
    mine = commands.add_parser("mine", help="cut out what a detector proposes on labelled pictures")
    mine.add_argument("model", type=Path, help="the detector's ONNX, its card beside it")
    mine.add_argument("pictures", type=Path, help="folder with images/PART and labels/PART")
    mine.add_argument("out", type=Path, help="file of crops to write (.npz)")
    mine.add_argument("--part", default="train")
    mine.add_argument("--every", type=int, default=1, help="only every n-th picture")
    mine.add_argument("--score", type=float, default=LEAST_SCORE, help="lowest score to propose")
    mine.add_argument("--same", type=float, default=0.5, help="IoU from which a find is the thing")
    mean = commands.add_parser("mean", help="the mean of the weights of several trainings")
    mean.add_argument("out", type=Path, help="checkpoint to write (.pt)")
    mean.add_argument("checkpoints", type=Path, nargs="+", help="last.pt of runs, or judges kept")
    reopen = commands.add_parser(
        "reopen", help="make a checkpoint of a written ONNX file, to go on training from"
    )
    reopen.add_argument("model", type=Path, help="detector.onnx or second_look.onnx")
    reopen.add_argument(
        "pictures", type=Path, help="folder of labelled pictures; for the second look, crops (.npz)"
    )
    reopen.add_argument("out", type=Path, help="checkpoint to write (.pt)")
    judge = commands.add_parser("judge", help="train the second look and put it beside a card")
    judge.add_argument("card", type=Path, help="the detector's card (.json), gets its settings")
    judge.add_argument("--crops", type=Path, action="append", required=True)
    judge.add_argument("--weight", type=float, action="append", help="of a crop of each file (1)")
    judge.add_argument("--start", type=Path, help="a detector's last.pt, or a judge kept")
    judge.add_argument("--keep", type=Path, help="file for its weights, to go on from later")
    judge.add_argument("--steps", type=int, default=3000)
    judge.add_argument("--rate", type=float, default=1.5e-3, help="highest rate of learning")
    judge.add_argument("--seed", type=int, default=5)
    judge.add_argument("--threads", type=int, default=2)
    judge.add_argument("--share", type=float, default=0.4, help="its word against the detector's")
    judge.add_argument("--box-share", type=float, default=0.5, help="its boxes likewise")
    judge.add_argument("--point-share", type=float, default=0.0, help="its keypoints likewise")
    compare = commands.add_parser(
        "compare", help="train other networks and other starts alike for a short while, and measure"
    )
    compare.add_argument("out", type=Path, help="folder, a run in it for each")
    compare.add_argument("--start", type=Path, required=True, help="start weights (.npz)")
    compare.add_argument("--renders", type=Path, action="append", required=True)
    compare.add_argument("--composites", type=Path)
    compare.add_argument("--steps", type=int, default=350)
    compare.add_argument("--batch", type=int, default=8)
    compare.add_argument("--threads", type=int, default=1)
    compare.add_argument("--loaders", type=int, default=1, help="processes that prepare views")
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
        elif options.command == "mine":
            _mine(options)
        elif options.command == "mean":
            _mean(options)
        elif options.command == "reopen":
            _reopen(options)
        elif options.command == "judge":
            _judge(options)
        else:
            _compare(options)
    except (TrainingError, BadSource) as error:
        sys.stderr.write(f"minimarshal: error: {error}\n")
        return 2
    return 0


def _mine(options: argparse.Namespace) -> None:
    from vision.onnx_detector import load_detector
    from vision.training.mining import mine
    from vision.training.mixture import list_examples

    if options.every < 1:
        raise TrainingError("--every", "must be 1 or more")
    _check_folder(options.out)
    examples = list_examples(options.pictures, options.part)[:: options.every]
    if not examples:
        raise TrainingError(options.pictures, f"has no images/{options.part}/*.jpg with labels")
    detector = load_detector(options.model, options.score, second_look=False)
    found = mine(detector.propose, examples, MINING_SEED, same=options.same)
    found.save(options.out)
    logging.info("%s: %d crops of %d pictures", options.out, len(found), len(examples))


def _mean(options: argparse.Namespace) -> None:
    from vision.training.checkpoint import write_mean

    _see_torch("mean")
    _check_folder(options.out)
    write_mean(options.checkpoints, options.out)


def _reopen(options: argparse.Namespace) -> None:
    _see_torch("reopen")
    from vision.training.reopen import reopen

    _check_folder(options.out)
    count = reopen(options.model, options.pictures, options.out)
    logging.info("%s: %d convolutions unfolded", options.out, count)


def _see_torch(command: str) -> None:
    if find_spec("torch") is None:
        raise TrainingError(command, NEEDS_TORCH)


def _judge(options: argparse.Namespace) -> None:
    from vision.training.judge import JudgePlan, Say, add_to_card, keep_judge, train_judge
    from vision.training.mining import read_crops

    _see_torch("judge")
    weights = options.weight or [1.0] * len(options.crops)
    if len(weights) != len(options.crops):
        raise TrainingError(
            "--weight", f"given {len(weights)} times for {len(options.crops)} files"
        )
    if min(weights) <= 0:
        raise TrainingError("--weight", "must be more than 0")
    if options.rate <= 0 or options.steps < 0 or options.threads < 1:
        raise TrainingError("--rate, --threads, --steps", "must be more than 0, steps 0 or more")
    if not options.card.is_file():
        raise TrainingError(options.card, "is no model card")
    if options.keep is not None:
        _check_folder(options.keep)
    sets = [(read_crops(file), weight) for file, weight in zip(options.crops, weights, strict=True)]
    say = Say(options.share, options.box_share, options.point_share)
    if not (0 < say.score <= 1 and 0 <= say.box <= 1 and 0 <= say.points <= 1):
        raise TrainingError("--share, --box-share, --point-share", "must be 0 to 1")
    plan = JudgePlan(
        steps=options.steps, rate=options.rate, seed=options.seed, threads=options.threads
    )
    network = train_judge(
        plan, sets, options.start, lambda step, loss: logging.info("%d: %.4f", step, loss)
    )
    if options.keep is not None:
        keep_judge(network, options.keep)
    file = add_to_card(network, plan, options.card, LEAST_SCORE, say)
    logging.info("%s", file)


def _compare(options: argparse.Namespace) -> None:
    from vision.training.compare import compare, markdown
    from vision.training.plan import Plan
    from vision.training.sets import RENDER_SCALE, RENDER_SHARE, mix

    _see_torch("compare")
    if min(options.steps, options.batch, options.threads) < 1 or options.loaders < 0:
        raise TrainingError("--steps, --batch, --threads", "must be 1 or more")
    plan = Plan(
        steps=options.steps,
        batch=options.batch,
        warm_up=options.steps // 7,
        threads=options.threads,
        loaders=options.loaders,
    )
    mixture = mix(
        [(folder, 1.0) for folder in options.renders],
        options.composites,
        render_share=RENDER_SHARE if options.composites is not None else 1.0,
        render_scale=RENDER_SCALE,
        count=options.steps * options.batch,
        seed=plan.seed,
    )
    rows = compare(
        plan,
        mixture,
        options.renders,
        options.start,
        options.out,
        time.process_time,
        lambda name, step, losses: logging.info("%s: %d: %s", name, step, losses),
    )
    sys.stdout.write(markdown(rows))


def _check_folder(file: Path) -> None:
    """See before long work that its result has a place."""
    if not file.parent.is_dir():
        raise TrainingError(file.parent, "is no folder")


if __name__ == "__main__":
    sys.exit(main())
