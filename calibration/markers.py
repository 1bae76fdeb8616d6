"""The reference ``markers``: the printed board, or a plain chessboard."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.board import COLUMNS, ROWS, SQUARE_MM, Corners, find_board
from calibration.board_match import match_board
from calibration.camera import Intrinsics
from calibration.edges import moved_covariance
from calibration.errors import BadReference, NotFound
from calibration.fit import Fit
from calibration.homography import fit_homography, hull, pose_of
from calibration.line_fit import LineFit, Marks, fit_lines
from calibration.plane import Calibration
from calibration.points import ASSUMED_FOV_DEG
from calibration.ruler_find import brightness
from calibration.sheet import check_light
from calibration.sheet_camera import FOCAL_GUESS_DOUBT, prior_of, starts
from calibration.stud_camera import LensHints

LEAST_CORNERS = 6
LEAST_NOISE_PX = 0.1
SCALE_DOUBT = 0.0003
"""Relative doubt of the print, once the check ruler's 150 mm were found right."""

UNKNOWN_SQUARE_DOUBT = 0.5
"""Relative doubt of every length while nobody has said how large the squares are."""

CHESS_SIDE_PX = 1600
CHESS_SIZES = ((5, 4), (4, 4))
"""Fewest inner corners looked for; larger boards are taken as they are."""

MOST_OFF_PX = 3.0
WORSE_PX = 0.15
"""The whole board may leave corners so much farther off than a fit to them alone does."""

MOST_UNREST = 2.5
NOT_FLAT = "the board does not lie flat; press its page flat, or glue it to a board"
FAR_PX = 20.0
"""A corner farther off is no worse."""


def calibrate_markers(
    image: NDArray[np.uint8],
    *,
    square_mm: float | None = None,
    fov_deg: float | None = None,
    intrinsics: Intrinsics | None = None,
    camera_height_mm: float | None = None,
    table_size_mm: tuple[float, float] | None = None,
    chessboards: bool = True,
) -> Calibration:
    """Calibrate by the printed board, or by a plain chessboard.

    Args:
        image: (H, W, 3) BGR.
        square_mm: Side of a square; None is that of the printed board, and with a plain
            chessboard leaves the scale open.
        fov_deg: Horizontal field of view, if known.
        intrinsics: The whole lens, if known.
        camera_height_mm: Height of the camera over the table, if known.
        table_size_mm: Width and depth of the table from the board's corner, if known.
        chessboards: Look for a plain chessboard too.

    Returns:
        The calibration with z = 0 on the board.

    Raises:
        NotFound: No board is seen clearly enough; the message says why.
        BadReference: The side is no length.
    """
    if square_mm is not None and not 1 <= square_mm <= 1000:
        raise BadReference("--square", "must be between 1 and 1000 mm")
    check_light(image)
    hints = LensHints((image.shape[1], image.shape[0]), fov_deg, intrinsics, camera_height_mm)
    corners = find_board(image)
    if len(corners.px) >= LEAST_CORNERS and _spread(corners):
        shape = (COLUMNS, ROWS)
        light = brightness(image)
        return _calibration(corners, shape, square_mm or SQUARE_MM, hints, table_size_mm, light)
    chess = find_chessboard(image) if chessboards else None
    if chess is None:
        some = f"only {len(corners.px)} corners of the board are" if len(corners.px) else "none is"
        raise NotFound(
            f"no markers: {some} seen; lay the page of 'minimarshal board' flat in the picture, "
            "near enough that its squares are 15 px wide or more"
        )
    across, down = chess.nodes.max(axis=0)
    shape = (int(across) + 1, int(down) + 1)
    found = _calibration(chess, shape, square_mm or SQUARE_MM, hints, table_size_mm)
    if square_mm is not None:
        return found
    return replace(
        found,
        scale_sigma=UNKNOWN_SQUARE_DOUBT,
        warnings=(
            f"a plain chessboard of {shape[0]} x {shape[1]} squares of unknown size: the lens is "
            f"right, lengths are not before you say how long the side of a square is "
            f"({SQUARE_MM:g} mm was taken)",
        ),
    )


def _spread(corners: Corners) -> bool:
    """Whether corners fix a plane: in at least two rows and two columns, more than a strip."""
    return bool(
        (np.ptp(corners.nodes, axis=0) >= 1).all() and np.ptp(corners.nodes, axis=0).max() > 1
    )


def find_chessboard(image: NDArray[np.uint8]) -> Corners | None:
    """Look for a plain chessboard, all of its inner corners in view.

    Args:
        image: (H, W, 3) BGR.

    Returns:
        Its inner corners, the first at (1, 1), right-handed seen from above; None without one.
    """
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = min(1.0, CHESS_SIDE_PX / max(gray.shape))
    small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    flags = cv2.CALIB_CB_LARGER | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_ACCURACY
    for size in CHESS_SIZES:
        ok, px, meta = cv2.findChessboardCornersSBWithMeta(small, size, flags)
        if ok and meta is not None:
            break
    else:
        return None
    rows, columns = meta.shape[:2]
    places = (np.asarray(px, dtype=np.float64).reshape(-1, 2) + 0.5) / scale - 0.5
    down, across = np.divmod(np.arange(rows * columns), columns)
    nodes = np.column_stack([across + 1, rows - down]).astype(np.float64)
    if np.linalg.det(fit_homography(nodes, places)[0]) > 0:
        nodes[:, 1] = rows + 1 - nodes[:, 1]
    return Corners(nodes, places)


def fit_corners(corners: Corners, square_mm: float, hints: LensHints) -> LineFit | None:
    """Fit the camera to a board's corners, each where a line across meets a line up.

    Args:
        corners: What is seen.
        square_mm: Side of a square.
        hints: What is known of the lens.

    Returns:
        The fit, its marks first those along x and then those along y; None where no camera above
        the board sees it so.
    """
    columns, across = np.unique(corners.nodes[:, 0], return_inverse=True)
    rows, up = np.unique(corners.nodes[:, 1], return_inverse=True)
    lines = np.zeros((len(columns) + len(rows), 4))
    lines[: len(columns), 0], lines[: len(columns), 2] = 1, columns * square_mm
    lines[len(columns) :, 1], lines[len(columns) :, 2] = 1, rows * square_mm
    marks = Marks(
        np.concatenate([corners.px, corners.px]),
        np.concatenate([across, len(columns) + up]),
        np.ones(2 * len(corners.px)),
    )
    places = corners.nodes * square_mm

    def table(_shape: NDArray[np.float64]) -> NDArray[np.float64]:
        return lines

    best: LineFit | None = None
    for lens in starts(fit_homography(places, corners.px)[0], hints):
        matrix, _ = fit_homography(places, lens.undistort(corners.px))
        pose = pose_of(matrix, lens)
        if not np.isfinite(matrix).all() or (pose[:3, :3].T @ pose[:3, 3])[2] >= 0:
            continue
        fitted = fit_lines(marks, table, np.zeros(0), lens, pose, prior_of(hints), robust_px=1.5)
        if best is None or fitted.cost < best.cost:
            best = fitted
    if best is None:
        return None
    # Now that the corners have shown their own noise, they weigh rightly against the prior.
    fit = best.fit
    return fit_lines(
        marks,
        table,
        np.zeros(0),
        fit.intrinsics,
        fit.camera_T_table,
        prior_of(hints),
        noise_px=max(fit.noise_px, LEAST_NOISE_PX),
        robust_px=1.5,
    )


def _rms(corners: Corners, square_mm: float, fit: Fit) -> float:
    """How far corners are off where a camera sees them, px."""
    places = np.column_stack([corners.nodes * square_mm, np.zeros(len(corners.px))])
    pose = fit.camera_T_table
    px = fit.intrinsics.project(places @ pose[:3, :3].T + pose[:3, 3])
    squares = np.minimum(((px - corners.px) ** 2).sum(axis=1), FAR_PX**2)
    return float(np.sqrt(squares.mean()))


def _calibration(
    corners: Corners,
    shape: tuple[int, int],
    square_mm: float,
    hints: LensHints,
    table_size_mm: tuple[float, float] | None,
    light: NDArray[np.float32] | None = None,
) -> Calibration:
    """Fit the camera, with ``light`` to the whole printed board.

    The table frame is put at the board's corner nearest the picture's bottom left.
    """
    fitted = fit_corners(corners, square_mm, hints)
    if fitted is None:
        raise NotFound("no markers: no camera would see the board like this")
    fit, log_focal_sigma = fitted.fit, fitted.log_focal_sigma
    rms_px = _rms(corners, square_mm, fit)
    if rms_px > max(MOST_OFF_PX, 0.003 * max(hints.image_size_px)):
        raise NotFound(
            f"no markers: the board's corners are {rms_px:.1f} px off any flat board; press the "
            "page flat, and check the field of view or lens if you gave one"
        )
    warnings: tuple[str, ...] = ()
    if light is not None:
        lens, pose = fit.intrinsics, fit.camera_T_table
        match = match_board(light, lens, pose, prior_of(hints), square_mm)
        # What does not look like the board, such as a page that curls, can lead it astray.
        if match is not None and match.unrest > MOST_UNREST:
            warnings += (NOT_FLAT,)
        elif match is not None and _rms(corners, square_mm, match.fit) < rms_px + WORSE_PX:
            fit, log_focal_sigma = match.fit, match.log_focal_sigma
            rms_px = _rms(corners, square_mm, fit)
    assumed = [] if hints.intrinsics else ["square pixels", "centre principal point"]
    if not hints.known and log_focal_sigma > 0.5 * FOCAL_GUESS_DOUBT:
        assumed.append(f"horizontal field of view about {ASSUMED_FOV_DEG:.0f} degrees")
    pose = fit.camera_T_table
    columns, rows = shape
    frame = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], dtype=np.float64)
    outline = np.column_stack([frame * square_mm, np.zeros(4)])
    px = fit.intrinsics.project(outline @ pose[:3, :3].T + pose[:3, 3])
    first = int(np.argmin(px[:, 0] - px[:, 1]))
    x_axis = frame[(first + 1) % 4] - frame[first]
    y_axis = frame[(first + 3) % 4] - frame[first]
    old_T_new = np.eye(4)
    old_T_new[:2, 0] = x_axis / np.linalg.norm(x_axis)
    old_T_new[:2, 1] = y_axis / np.linalg.norm(y_axis)
    old_T_new[:2, 3] = frame[first] * square_mm
    back = np.linalg.inv(old_T_new)
    seen = np.column_stack([corners.nodes * square_mm, np.zeros(len(corners.px))])
    return Calibration(
        reference="markers",
        origin="corner of the board nearest the picture's bottom left, "
        "x along its edge to the right",
        image_size_px=hints.image_size_px,
        intrinsics=fit.intrinsics,
        camera_T_table=pose @ old_T_new,
        size_mm=table_size_mm,
        rms_px=rms_px,
        covariance=moved_covariance(fit.covariance, pose, old_T_new),
        scale_sigma=SCALE_DOUBT,
        assumed=(*assumed, f"squares of {square_mm:g} mm"),
        warnings=warnings,
        outline_px=hull(corners.px),
        seen_px=corners.px,
        seen_mm=seen @ back[:3, :3].T + back[:3, 3],
    )
