"""Renders a film with the truth of every frame."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.scenes import films
from vision.scenes.bricks import plate_base
from vision.scenes.camera import Camera
from vision.scenes.draw import HAND_ID, Artist
from vision.scenes.errors import SceneError
from vision.scenes.figure import Figure, assemble
from vision.scenes.hand import Grip, build
from vision.scenes.labels import box_of, silhouette_area
from vision.scenes.ldraw import Geometry, Library, joined, placed
from vision.scenes.mesh import surface_points
from vision.scenes.plan import Brick, Lamp, PlacedFigure, PlacedHand, Plan
from vision.scenes.recipe import ClipRecipe
from vision.scenes.sensor import Sensor, expose
from vision.scenes.stage import Stage
from vision.scenes.story import AWAY, HALF_MM, OPEN_MM, FrameState, Story, play

_CLOUD = 90000
_LOOKS = (0.0, HALF_MM, OPEN_MM)
_TONES = {"red": (0.68, 0.42, 0.32), "blue": (0.3, 0.145, 0.08)}
_CLEAN = Sensor()
_SENSOR = Sensor(blur_px=0.35, noise=0.007)


@dataclass(frozen=True, slots=True)
class Set:
    """What stays the same through a film."""

    story: Story
    camera: Camera
    bricks: tuple[Brick, ...]
    lamps: tuple[Lamp, ...]
    table: str
    plate_studs: int
    elbow: tuple[float, float, float]

    def grips(self) -> list[Grip]:
        """The hand in all its openings."""
        return [Grip(1.0, opening, 0.0, self.elbow) for opening in _LOOKS]


def film_set(recipe: ClipRecipe) -> Set:
    """The set of the film a recipe names.

    Raises:
        SceneError: there is no film of that name.
    """
    size = (recipe.width_px, recipe.height_px)
    if recipe.name == "demo":
        camera = films.demo_camera(*size)
        return Set(
            films.DEMO,
            camera,
            tuple(films.demo_bricks()),
            films.DEMO_LAMPS,
            "planks",
            48,
            (20, -620, 240),
        )
    if recipe.name == "second":
        camera = films.second_camera(*size)
        return Set(
            films.SECOND,
            camera,
            tuple(films.second_bricks()),
            films.SECOND_LAMPS,
            "slate",
            32,
            (20, -620, 120),
        )
    raise SceneError("name", f"no film called {recipe.name!r}")


def render(
    recipe: ClipRecipe, library: Library, stage: Stage, out: Path, limit: int | None
) -> Iterator[str]:
    """Render a film into out/table.mp4 and out/truth.json; yields the frames rendered.

    Frames that look the same are rendered once. What is rendered is kept in out/frames, so that a
    broken run goes on where it stopped; that folder can be deleted afterwards.

    Raises:
        SceneError: a part or ffmpeg is missing.
    """
    scene = film_set(recipe)
    kept = out / "frames"
    kept.mkdir(parents=True, exist_ok=True)
    figures = {a.name: assemble(library, a.outfit, a.pose) for a in scene.story.actors}
    bases = {a.name: base_geometry(library, a.base_colour) for a in scene.story.actors}
    states = play(scene.story, figures, bases, recipe.fps)
    states = [cropped(scene, state, figures) for state in states][:limit]
    artist = Artist(stage, library)
    artist.dress(list(figures.values()))
    rng = np.random.default_rng((recipe.seed, 1))
    artist.raise_hands(scene.grips(), rng)
    clouds = {n: surface_points(f.body, _CLOUD, rng) for n, f in figures.items()}
    done: dict[tuple[object, ...], int] = {}
    rows: list[dict[str, Any]] = []
    for state in states:
        first = done.setdefault(state.key, state.frame)
        path = kept / f"{first:04d}.npz"
        if first == state.frame and not path.exists():
            artist.show(_plan(scene, state), np.random.default_rng((recipe.seed, 2)))
            light, ids = stage.picture(recipe.samples)
            artist.clear()
            with (kept / "part").open("wb") as stream:
                np.savez(stream, light=light.astype(np.float16), ids=ids.astype(np.uint8))
            (kept / "part").replace(path)
            yield f"{recipe.name}/{state.frame:04d}"
        if first == state.frame:
            row = _row(scene, state, np.load(path)["ids"].astype(np.int32), figures, clouds)
        else:
            row = rows[first]
        rows.append({**row, "frame": state.frame, "t_ms": round(1000 * state.frame / recipe.fps)})
    _write_truth(scene, recipe, rows, out / "truth.json")
    numbers = [done[state.key] for state in states]
    _encode(recipe, [kept / f"{n:04d}.npz" for n in numbers], out / "table.mp4")


def cropped(scene: Set, state: FrameState, figures: dict[str, Figure]) -> FrameState:
    """A frame without the hand, and the figure it brings, while they are out of the picture."""
    if state.hand is None:
        return state
    skin, _ = build(scene.grips()[_LOOKS.index(state.hand.opening_mm)], np.random.default_rng(0))
    if _in_picture(scene.camera, skin, state.hand.matrix):
        return state
    held = next((f for f in state.figures if f.state == "in_hand"), None)
    if held is None:
        return replace(state, hand=None)
    if _in_picture(scene.camera, figures[held.name].body, held.matrix):
        return state
    gone = replace(held, state="absent", matrix=AWAY)
    return FrameState(state.frame, tuple(gone if f is held else f for f in state.figures), None)


def _in_picture(camera: Camera, thing: Geometry, matrix: NDArray[np.float64]) -> bool:
    points = thing.triangles.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    points = points[camera.depth_mm(points) > 10]
    x, y = camera.project(points).T
    inside = (x > -4) & (x < camera.width_px + 4) & (y > -4) & (y < camera.height_px + 4)
    return bool(inside.any())


def base_geometry(library: Library, colour: int) -> Geometry:
    """A figure's base in the figure frame."""
    return joined(
        [placed(library.geometry(b.name), b.matrix, b.colour) for b in plate_base(colour)]
    )


def _plan(scene: Set, state: FrameState) -> Plan:
    colours = [actor.base_colour for actor in scene.story.actors]
    placed_figures = tuple(
        PlacedFigure(i, f.state, f.facing_deg, f.level_mm, f.matrix, plate_base(colours[i]))
        for i, f in enumerate(state.figures)
    )
    hands: tuple[PlacedHand, ...] = ()
    if state.hand is not None:
        look = _LOOKS.index(state.hand.opening_mm)
        hand = PlacedHand(look, False, _TONES[state.hand.player], state.hand.matrix)
        hands = (hand,)
    wide, deep = scene.story.size_mm
    return Plan(
        scene.camera,
        (wide / 2, deep / 2, 0.0),
        scene.table,
        (1300.0, 1000.0),
        scene.lamps,
        (0.95, 0.97, 1.0),
        0.28,
        _CLEAN,
        films.TABLE_LEVEL_MM,
        scene.bricks,
        (),
        placed_figures,
        hands,
    )


def _row(
    scene: Set,
    state: FrameState,
    ids: NDArray[np.int32],
    figures: dict[str, Figure],
    clouds: dict[str, NDArray[np.float64]],
) -> dict[str, Any]:
    hand = box_of(ids == HAND_ID)
    row: dict[str, Any] = {"hands": [] if hand is None else [hand], "figures": []}
    for number, f in enumerate(state.figures, 1):
        entry: dict[str, Any] = {"id": f.name, "state": f.state}
        row["figures"].append(entry)
        if f.state == "absent":
            continue
        mask = ids == number
        spin, shift = f.matrix[:3, :3].T, f.matrix[:3, 3]
        area = silhouette_area(scene.camera, clouds[f.name] @ spin + shift, 120)
        soles = scene.camera.project(figures[f.name].keypoints[:2] @ spin + shift)
        entry |= {
            "position_mm": [round(v, 2) for v in f.position_mm],
            "level_mm": round(f.level_mm, 2),
            "facing_deg": f.facing_deg,
            "visible": round(min(1.0, float(mask.sum()) / area), 3),
            "box_px": box_of(mask),
            "soles_px": [[round(float(v), 2) for v in sole] for sole in soles],
        }
    return row


def _write_truth(scene: Set, recipe: ClipRecipe, rows: list[dict[str, Any]], path: Path) -> None:
    story, camera = scene.story, scene.camera
    head = {
        "schema_version": 1,
        "image_size_px": [camera.width_px, camera.height_px],
        "fps": recipe.fps,
        "K": camera.K.round(6).tolist(),
        "camera_T_table": camera.camera_T_table.round(9).tolist(),
        "table": {
            "size_mm": list(story.size_mm),
            "studs": [scene.plate_studs, scene.plate_studs],
            "pitch_mm": 8.0,
            "origin": "outer corner of the stud grid nearest to the picture's bottom left",
            "z0": "upper face of the baseplate",
            "stud_top_mm": 1.6,
            "sole_mm": 3.2,
        },
        "terrain": [
            {
                "id": t.name,
                "kind": t.kind,
                "footprint_mm": list(t.footprint_mm),
                "height_mm": t.height_mm,
                "stairs": t.stairs,
                "standable": t.standable,
            }
            for t in story.terrain
        ],
        "figures": [
            {"id": a.name, "side": a.side, "weapons": list(a.weapons)} for a in story.actors
        ],
    }
    text = json.dumps(head, indent=1).removesuffix("\n}")
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    path.write_text(f'{text},\n "frames": [\n{lines}\n ]\n}}\n', "utf-8")


def _encode(recipe: ClipRecipe, pictures: list[Path], path: Path) -> None:
    ffmpeg = shutil.which("ffmpeg")
    if ffmpeg is None:
        raise SceneError("ffmpeg", "not found; it is needed to encode the film")
    size = f"{recipe.width_px}x{recipe.height_px}"
    command = [
        ffmpeg, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size,
        "-r", str(recipe.fps), "-i", "-", "-c:v", "libx264", "-crf", "21", "-preset", "slow",
        "-pix_fmt", "yuv420p", "-g", str(2 * recipe.fps), "-x264-params", "open-gop=0",
        "-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709",
        "-vf", "scale=out_color_matrix=bt709", "-movflags", "+faststart", str(path),
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.PIPE) as process:  # noqa: S603
        if process.stdin is None:
            raise SceneError("ffmpeg", "takes no input")
        for number, picture in enumerate(pictures):
            rng = np.random.default_rng((recipe.seed, 3, number))
            light = np.load(picture)["light"].astype(np.float32)
            pixels = expose(light, _SENSOR, rng)
            process.stdin.write(np.rint(pixels * 255).astype(np.uint8).tobytes())
    if process.returncode:
        raise SceneError(str(path), "ffmpeg could not encode the film")
