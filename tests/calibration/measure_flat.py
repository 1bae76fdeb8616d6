"""Measures sheet, markers and rulers on drawn scenes and prints a table.

    python -m tests.calibration.measure_flat [KIND ...] [--count N] [--first SEED] [--bound]

The scenes depend on the seed alone; those from 1000 on were not looked at while building. With
``--bound`` a last column gives what sensor noise alone leaves to the best method (``bounds.py``).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.errors import NotFound
from calibration.markers import calibrate_markers
from calibration.plane import Calibration
from calibration.ruler import calibrate_ruler
from calibration.sheet import SHEETS, calibrate_sheet
from tests.calibration.bounds import MADE_MM, Painted, bound, bound_errors
from tests.calibration.drawing import Drawing
from tests.calibration.flat import BOARD, PAPER, Scene, box, draw_board, fill, scene
from tests.calibration.rulers import BLACK, GREY, WHITE, WOOD, Made, draw_ruler

Size = tuple[float, float]
TABLE = (620.0, 420.0)


@dataclass(frozen=True, slots=True)
class Case:
    """A drawn scene.

    Attributes:
        view: Camera and picture.
        size: What lengths lie about, mm.
        calibrate: Measures the picture.
        painted: Its reference.
    """

    view: Scene
    size: Size
    calibrate: Callable[[], Calibration]
    painted: Painted


def sheet(seed: int) -> Case:
    """An A4 sheet, or an A3 one or a letter, with figures about and on it."""
    size = [SHEETS["A4"], SHEETS["A3"], SHEETS["letter"]][seed % 3]
    view = scene(seed, size, (30, 85), (500, 1400))

    def paint(drawing: Drawing, _made: NDArray[np.float64]) -> None:
        fill(drawing, box(0, 0, *size), PAPER)

    painted = Painted(paint, np.zeros(0), box(0, 0, *size))
    paint(view.drawing, np.zeros(0))
    view.clutter(6, (-100, -100), (size[0] + 80, size[1] + 80))
    image = view.drawing.picture(seed=seed)
    return Case(view, size, lambda: calibrate_sheet(image, size_mm=size), painted)


def markers(seed: int) -> Case:
    """The printed board with figures on it."""
    view = scene(seed, BOARD, (30, 85), (500, 1300))
    painted = Painted(lambda drawing, _: draw_board(drawing), np.zeros(0), box(0, 0, *BOARD))
    painted.paint(view.drawing, np.zeros(0))
    view.clutter(6, (-50, -50), BOARD)
    image = view.drawing.picture(seed=seed)
    return Case(view, BOARD, lambda: calibrate_markers(image), painted)


def ruler(seed: int, how: str = "") -> Case:
    """A ruler of wood, plastic or metal in mm or sixteenths of an inch."""
    unit = "inch" if seed % 4 == 3 else "mm"
    length = 304.8 if unit == "inch" else (200.0, 300.0, 400.0)[seed % 3]
    whole = TABLE if how == "table" else (length, 30.0)
    view = scene(seed, whole, (30, 85), (500, 1200) if how != "table" else (700, 1300))
    body = [WOOD, WHITE, BLACK, GREY][seed // 2 % 4]
    at = (100.0, 150.0) if how == "table" else (0.0, 0.0)
    turn = float(np.radians(view.rng.uniform(30, 120))) if how == "two" else 0.0

    def paint(drawing: Drawing, made: NDArray[np.float64]) -> None:
        """Of what is unknown: how a ruler is made, and how the second or the table's one lies."""
        extra = Made(*made[:5])
        lies = (made[5], made[6], made[7]) if how in ("two", "table") else (0.0, 0.0, 0.0)
        if how == "table":
            fill(drawing, box(0, 0, *TABLE), (70, 110, 160))
            place = at[0] + lies[0], at[1] + lies[1], lies[2]
            draw_ruler(drawing, length, unit, place, body, more=extra)
            return
        draw_ruler(drawing, length, unit, (*at, 0.0), body, more=extra)
        if how == "two":
            place = 80.0 + lies[0], 50.0 + lies[1], turn + lies[2]
            draw_ruler(drawing, length, unit, place, body, more=Made(*made[8:]))

    steps = np.full({"two": 13, "table": 8}.get(how, 5), MADE_MM)
    steps[7:8] = MADE_MM / length
    painted = Painted(paint, steps, box(0, 0, *(TABLE if how == "table" else (length, 30.0))))
    paint(view.drawing, np.zeros(len(steps)))
    view.clutter(3, (at[0] - 60, at[1] - 60), (at[0] + length + 60, at[1] + 90))
    image = view.drawing.picture(seed=seed)
    focal = view.truth.intrinsics.fx_px
    fov = float(np.degrees(2 * np.arctan(image.shape[1] / 2 / focal)))
    return Case(
        view,
        whole,
        lambda: calibrate_ruler(
            image,
            fov_deg=fov if how == "fov" else None,
            table_size_mm=TABLE if how == "table" else None,
        ),
        painted,
    )


KINDS: dict[str, Callable[[int], Case]] = {
    "sheet": sheet,
    "markers": markers,
    "ruler": ruler,
    "ruler-fov": lambda seed: ruler(seed, "fov"),
    "ruler-two": lambda seed: ruler(seed, "two"),
    "ruler-table": lambda seed: ruler(seed, "table"),
}


def along(view: Scene, found: Calibration, size: Size) -> list[float]:
    """Relative errors of lengths within 15 degrees of the x axis."""
    off = []
    width, height = view.truth.image_size_px
    for _ in range(100):
        start = view.rng.uniform([-100, -200], [size[0] + 100, 200])
        turn = np.radians(view.rng.uniform(-15, 15)) + np.pi * view.rng.integers(2)
        true = view.rng.uniform(100, 400)
        ends = np.array([start, start + true * np.array([np.cos(turn), np.sin(turn)])])
        px = view.truth.to_image(ends)
        if (px < 0).any() or (px >= [width, height]).any():
            continue
        if np.abs(view.truth.to_table(px) - ends).max() < 0.1:
            off.append(found.length(px[0], px[1])[0] / true - 1)
    return off


def measure(kind: str, count: int, first: int, with_bound: bool) -> str:
    """One line of the table."""
    locked, errors, pulls, own, worst = 0, [], [], [], 0.0
    least = []
    for seed in range(first, first + count):
        case = KINDS[kind](seed)
        view, size = case.view, case.size
        if with_bound:
            best = bound(view, case.painted, kind == "ruler-fov")
            spare = replace(view, rng=np.random.default_rng(seed))
            least.append(bound_errors(spare, best, size, seed))
        try:
            found = case.calibrate()
        except NotFound as error:
            print(f"  {kind} {seed}: {error}")
            continue
        locked += 1
        off, pull = view.length_errors(found, size)
        errors.append(np.abs(off))
        pulls.append(np.abs(pull))
        middle = float(np.median(np.abs(off)))
        worst = max(worst, middle)
        if kind.startswith("ruler"):
            own += along(view, found, size)
        if middle > 0.02:
            print(f"  {kind} {seed}: {100 * middle:.1f} % off; {found.assumed} {found.warnings}")
    off, pull = np.concatenate(errors), np.concatenate(pulls)
    lengths = f"{100 * np.median(off):.2f} / {100 * np.percentile(off, 95):.2f}"
    near = f"{100 * np.median(np.abs(own)):.2f}" if own else ""
    within = f"{100 * (pull < 1).mean():.0f} / {100 * (pull < 2).mean():.0f}"
    line = f"| {kind} | {locked} of {count} | {lengths} | {near} | {100 * worst:.1f} | {within} |"
    if not with_bound:
        return line
    most = np.concatenate(least)
    return f"{line} {100 * np.median(most):.3f} / {100 * np.percentile(most, 95):.2f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("kinds", nargs="*", default=list(KINDS))
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--bound", action="store_true", help="what no method can do better, too")
    wanted = parser.parse_args()
    for kind in wanted.kinds:
        print(measure(kind, wanted.count, wanted.first, wanted.bound), flush=True)


if __name__ == "__main__":
    main()
