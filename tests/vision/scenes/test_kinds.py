"""Recipes of all kinds: what they keep apart, how hard the test is, labels, truth and COCO."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.material import material
from vision.families import KINDS
from vision.scenes import coco, digest, invented, rigs
from vision.scenes.animals import animal, ldraw_animal
from vision.scenes.bricks import at_rest
from vision.scenes.camera import look_at
from vision.scenes.errors import SceneError
from vision.scenes.figure import Figure, move, turn
from vision.scenes.films import DEMO_CAST, SECOND_CAST
from vision.scenes.labels import line, look, look_at_hand, truth
from vision.scenes.ldraw import Geometry, Library
from vision.scenes.lens import canvas, distort_ids, distorted
from vision.scenes.plan import PlacedFigure, Plan
from vision.scenes.playmobil_gear import EXTRAS, TOOLS
from vision.scenes.playmobil_hats import HATS
from vision.scenes.playmobil_head import HAIR
from vision.scenes.playmobil_prints import PRINTS
from vision.scenes.props import PROPS
from vision.scenes.recipe import LISTS, Emphasis, Mix, RandomRecipe, Split, load
from vision.scenes.sensor import Sensor
from vision.scenes.shapes import box, rgb
from vision.scenes.tabletop import Tabletop
from vision.scenes.vehicles import CARTS, Paint, vehicle

RECIPES = Path(__file__).parents[3] / "datasets" / "recipes"
PARTS = ("tables", "torsos", "heads", "headgear", "items")
LATER = ("dresses", "wide", "wide-littered", "wide-close", "wide-rare")
TRAINED = ("kinds", "rare", "close", "bricks", "littered", *LATER, "training", "bases")
GREY = rgb(120, 120, 120)


def recipe(name: str) -> RandomRecipe:
    found = load(RECIPES / f"{name}.toml")
    assert isinstance(found, RandomRecipe)
    return found


def split_of(found: RandomRecipe, name: str) -> Split:
    return next(s for s in found.splits if s.name == name)


def lists(split: Split) -> Iterator[tuple[str, set[str]]]:
    for key in PARTS:
        yield key, set(getattr(split, key))
    for key, words in split.kinds.items():
        # our own horse is one model with as many coats as it likes, as legs and arms are
        yield key, set(words) - {"horse"}


def test_the_test_shares_no_part_table_or_light_with_anything_trained_on() -> None:
    test = dict(lists(split_of(recipe("test"), "test")))
    for name in TRAINED:
        for split in recipe(name).splits:
            for key, words in lists(split):
                assert not words & test[key], (name, split.name, key)
    worn = {
        part.name
        for cast in (DEMO_CAST, SECOND_CAST)
        for actor in cast
        for part in (actor.outfit.torso, actor.outfit.headgear)
        if part is not None
    }
    assert not worn & (test["torsos"] | test["headgear"])
    seeds = [recipe(n).seed for n in ("test", *TRAINED)]
    assert len(set(seeds)) == len(seeds)


def test_training_and_validation_with_kinds_keep_apart_what_is_worn_and_lit() -> None:
    train, val = (dict(lists(s)) for s in recipe("kinds").splits)
    for key in set(train) - {"vehicles"}:
        assert not train[key] & val[key], key


def test_the_wide_recipe_keeps_off_validation_and_the_clips() -> None:
    train = dict(lists(split_of(recipe("wide"), "train")))
    for name in ("kinds", "training"):
        for key, words in lists(split_of(recipe(name), "val")):
            if key != "vehicles":
                assert not train[key] & words, (name, key)
    outfits = [actor.outfit for cast in (DEMO_CAST, SECOND_CAST) for actor in cast]
    worn = {part.name for o in outfits for part in (o.torso, o.head, o.headgear, *o.items) if part}
    assert not worn & (train["torsos"] | train["heads"] | train["headgear"] | train["items"])
    assert not {"planks", "slate"} & train["tables"]
    assert split_of(recipe("wide"), "val").images == 0
    kinds = dict(lists(split_of(recipe("kinds"), "train")))
    for key in ("torsos", "heads", "headgear", "items", "loose", "tables"):
        assert len(train[key]) > 1.5 * len(kinds[key])


def test_the_mixed_light_is_of_any_kind() -> None:
    drawn = [rigs.RIGS["mixed"](np.random.default_rng(n), 700.0) for n in range(300)]
    assert {len(rig.lamps) for rig in drawn} == {1, 2, 3, 4}
    gains = [rig.gain for rig in drawn]
    assert 0.5 <= min(gains) < 0.6
    assert 1.6 < max(gains) <= 1.8
    assert min(rig.sky for rig in drawn) < 0.07
    assert max(rig.sky for rig in drawn) > 0.9
    heights = [lamp.elevation_deg for rig in drawn for lamp in rig.lamps]
    assert 10 <= min(heights) < 15
    assert 85 < max(heights) <= 90


@pytest.mark.parametrize("name", ["kinds", "wide", "dresses", "test"])
def test_lists_name_what_there_is(name: str) -> None:
    known = {
        "rigs": set(rigs.RIGS),
        "prints": set(PRINTS) | {invented.WORD},
        "hairs": set(HAIR) | {invented.WORD},
        "hats": set(HATS) | {invented.WORD},
        "tools": set(TOOLS),
        "extras": set(EXTRAS),
        "props": set(PROPS),
        "vehicles": set(CARTS) | {"brick_cart", "brick_wagon", "brick_car"},
    }
    for split in recipe(name).splits:
        assert set(split.kinds) == set(LISTS)
        for key, words in known.items():
            assert set(split.kinds[key]) <= words, key
            assert split.name == "train" or invented.WORD not in split.kinds[key]


@pytest.mark.material
@pytest.mark.parametrize("name", ["kinds", "wide", "test"])
def test_every_part_is_in_the_library(name: str) -> None:
    parts = set(Library(material("ldraw/ldraw.zip")).parts())
    for split in recipe(name).splits:
        named = {*split.torsos, *split.heads, *split.headgear, *split.items}
        named |= {f"{n}.dat" for n in split.kinds["loose"]}
        named |= {f"{n}.dat" for n in split.kinds["animals"] if n != "horse"}
        assert named <= parts


def test_shares_of_the_test_from_its_truth() -> None:
    """A third small, a third half hidden, a quarter badly lit."""
    pictures = json.loads((RECIPES / "test.truth.json").read_text("utf-8"))
    test = split_of(recipe("test"), "test")
    assert len(pictures) == test.images
    assert {p["table"] for p in pictures} == set(test.tables)
    assert {p["rig"] for p in pictures} == set(test.kinds["rigs"])
    figures = [f for p in pictures for f in p["figures"]]
    assert len(figures) > 1000
    heights = np.array([f["height_px"] for f in figures])
    seen = np.array([f["visible"] for f in figures])
    assert (heights < 30).mean() >= 1 / 3
    assert (seen < 0.7).mean() >= 1 / 3
    assert np.mean([rigs.word(p["rig"]) != "plain" for p in pictures]) >= 0.25
    kinds = [f["kind"] for f in figures]
    assert all(kinds.count(k) >= 40 for k in KINDS[:4])
    assert 0.35 < kinds.count("playmobil") / len(figures) < 0.6
    assert {f["state"] for f in figures} == {"standing", "lying", "tilted", "in_hand", "rider"}
    assert sum(p["hands"] for p in pictures) >= 40
    assert sum(p["image_size_px"] == [1280, 720] for p in pictures) == test.images // 5


def test_a_recipe_that_extends_another_keeps_what_it_does_not_name(tmp_path: Path) -> None:
    kinds, rare, close = (recipe(name) for name in ("kinds", "rare", "close"))
    assert (rare.samples, rare.width_px) == (kinds.samples, kinds.width_px)
    assert split_of(rare, "train").torsos == split_of(kinds, "train").torsos
    assert split_of(rare, "val").images == split_of(close, "val").images == 0
    assert rare.mix is not None
    assert close.mix is not None
    assert kinds.mix is not None
    assert (rare.mix.animals, rare.mix.crowded) == (0.85, kinds.mix.crowded)
    assert (close.mix.empty, close.mix.loose) == (0.6, 60)
    bricks = recipe("bricks")
    assert bricks.mix is not None
    assert (bricks.mix.turned, bricks.mix.one_colour, bricks.mix.rests) == (0.6, 0.5, 1.0)
    assert (kinds.mix.turned, kinds.mix.one_colour, kinds.mix.rests) == (0.15, 0.0, 0.0)
    assert (bricks.emphasis.nearest_mm, kinds.emphasis.nearest_mm) == (75.0, 180.0)
    lost = tmp_path / "lost.toml"
    lost.write_text('extends = "nothing.toml"\n', "utf-8")
    with pytest.raises(SceneError, match=r"nothing\.toml: cannot be read"):
        load(lost)
    lost.write_text("extends = 3\n", "utf-8")
    with pytest.raises(SceneError, match="extends names no file"):
        load(lost)
    lost.write_text('extends = "lost.toml"\n', "utf-8")
    with pytest.raises(SceneError, match=r"circle: lost\.toml -> lost\.toml"):
        load(lost)


def test_recipes_extend_one_another_to_any_depth(tmp_path: Path) -> None:
    for name in ("kinds.toml", "rare.toml"):
        (tmp_path / name).write_bytes((RECIPES / name).read_bytes())
    (tmp_path / "third.toml").write_text('extends = "rare.toml"\nsamples = 7\n', "utf-8")
    (tmp_path / "fourth.toml").write_text(
        'extends = "third.toml"\nseed = 5\n[mix]\ncrowded = 0.0\n', "utf-8"
    )
    rare, fourth = recipe("rare"), load(tmp_path / "fourth.toml")
    assert isinstance(fourth, RandomRecipe)
    assert (fourth.seed, fourth.samples, fourth.width_px) == (5, 7, rare.width_px)
    assert rare.mix is not None
    assert fourth.mix is not None
    assert (fourth.mix.animals, fourth.mix.crowded) == (rare.mix.animals, 0.0)
    assert fourth.splits == rare.splits
    for name, base in (("a", "b"), ("b", "c"), ("c", "b")):
        (tmp_path / f"{name}.toml").write_text(f'extends = "{base}.toml"\n', "utf-8")
    with pytest.raises(SceneError, match=r"a\.toml -> b\.toml -> c\.toml -> b\.toml") as caught:
        load(tmp_path / "a.toml")
    assert str(caught.value).startswith(str(tmp_path / "c.toml"))


def test_more_loose_parts_and_fewer_people_where_a_mix_says_so() -> None:
    def shown(name: str) -> tuple[float, float]:
        found = recipe(name)
        split = split_of(found, "train")
        body = animal(box((8, 8, 30), (0, 0, 15), GREY), "dog")
        people = [replace(body, kind=k) for k in ("minifig", "playmobil") for _ in range(30)]
        parts = frozenset(f"{n}.dat" for n in split.kinds["loose"])
        assert found.mix is not None
        plans = [
            Tabletop(
                np.random.default_rng(n),
                people,
                split,
                (640, 360),
                parts,
                found.emphasis,
                found.mix,
            ).plan()
            for n in range(40)
        ]
        empty = [not p.figures for p in plans]
        return float(np.mean(empty)), float(np.mean([len(p.bricks) for p in plans]))

    (usual, few), (close, many) = shown("kinds"), shown("close")
    assert usual < 0.3 < close
    assert many > 1.3 * few


def test_bricks_are_turned_dyed_alike_and_seen_from_near_where_a_mix_says_so() -> None:
    bricks, kinds = recipe("bricks"), recipe("kinds")
    split = split_of(bricks, "train")
    built = {"3001", "3003", "3004", "3005", "3008", "3010", "3062b", "3068b"}  # walls too
    parts = frozenset(f"{n}.dat" for n in {*split.kinds["loose"]} - built)
    assert bricks.mix is not None
    usual = replace(bricks.mix, turned=0.15, one_colour=0.0, rests=0.0)

    def drawn(mix: Mix, emphasis: Emphasis) -> list[Plan]:
        draw = [np.random.default_rng(n) for n in range(40)]
        size = (640, 360)
        return [Tabletop(rng, [], split, size, parts, emphasis, mix).plan() for rng in draw]

    def shares(plans: list[Plan]) -> tuple[float, float, float]:
        """Pictures with loose parts of one colour; parts at rest; those that are turned."""
        loose = [[b for b in p.bricks if b.name in parts] for p in plans]
        alike = np.mean([len({b.colour for b in some}) == 1 for some in loose if len(some) > 5])
        every = [b for some in loose for b in some]
        turned = [abs(b.matrix[2, 1]) < 0.39 for b in every]  # upright: 0.4 mm an LDU along z
        return float(alike), float(np.mean([b.rests for b in every])), float(np.mean(turned))

    near = drawn(bricks.mix, bricks.emphasis)
    alike, rests, turned = shares(near)
    plain_alike, plain_rests, plain_turned = shares(drawn(usual, kinds.emphasis))
    assert alike > 0.2
    assert plain_alike == plain_rests == 0.0
    assert rests == 1.0
    assert turned > plain_turned + 0.1

    def away(plan: Plan) -> float:
        return float(np.linalg.norm(np.linalg.inv(plan.camera.camera_T_table)[:3, 3]))

    assert 75.0 <= min(away(p) for p in near) < 180.0 - 15.0


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_a_part_at_rest_touches_the_ground_with_its_lowest_point(axis: str) -> None:
    part = Geometry(box((20, 40, 24), (5, 0, 7), GREY).triangles, np.zeros(12, dtype=int))
    matrix = move(30, -20, 9.6) @ turn(axis, 90) @ turn("y", 33)
    settled = at_rest(part, matrix)
    points = part.triangles.reshape(-1, 3) @ settled[:3, :3].T + settled[:3, 3]
    assert points[:, 2].min() == pytest.approx(9.6)
    assert np.allclose(settled[:2], matrix[:2])
    assert np.allclose(settled[:3, :3], matrix[:3, :3])


@pytest.mark.parametrize(
    ("text", "fault"), [("[mix]\nplaymobil = 2", "lacks animals"), ("[mix]\n", "lacks playmobil")]
)
def test_bad_mixes(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "r.toml"
    head = "kind = 'random'\nsize_px = [9, 9]\nseed = 1\nsamples = 1\n[splits]\n"
    path.write_text(head + text)
    with pytest.raises(SceneError, match=fault):
        load(path)
    shares = "animals = 0\nvehicles = 0\nhands = 0\ncrowded = 0\nhard_light = 0\nk1 = [0, 0]"
    path.write_text(f"{head}[mix]\nplaymobil = 2\n{shares}")
    with pytest.raises(SceneError, match="not within 0 and 1"):
        load(path)


# Plans ---------------------------------------------------------------------------------------


def company() -> list[Figure]:
    """A small company of boxes of all kinds."""
    people = []
    for kind, tall in (("minifig", 40.0), ("playmobil", 75.0)):
        shape = box((10, 16, tall), (0, 0, tall / 2), GREY)
        soles = [(0, 4, 0), (0, -4, 0), (0, 0, tall), (0, 8, 20), (0, -8, 20)]
        usual = Figure(shape, box((1, 1, 1), (0, 0, 20), GREY), np.array(soles, float), kind=kind)
        people += [replace(usual, name=f"{kind}{i}") for i in range(30)]
        people += [replace(usual, riding=r, seat_mm=12.0) for r in ("astride", "sitting")] * 4
    block = box((60, 14, 40), (0, 0, 20), GREY)
    beasts = [animal(block, "beast", 40.0, 0.0, k) for k in ("minifig", "playmobil", "")] * 4
    rng = np.random.default_rng(0)
    cart = vehicle("cart", Paint(GREY, GREY, GREY), None, rng)  # type: ignore[arg-type]
    return [*people, *beasts, *[cart] * 5]


@pytest.fixture(scope="module")
def plans() -> list[Plan]:
    kinds, people = recipe("kinds"), company()
    assert kinds.mix is not None
    split = split_of(kinds, "train")
    parts = frozenset(f"{n}.dat" for n in split.kinds["loose"])
    draw = [np.random.default_rng(i) for i in range(150)]
    size = (640, 360)
    return [
        Tabletop(rng, people, split, size, parts, kinds.emphasis, kinds.mix).plan() for rng in draw
    ]


def test_plans_keep_to_the_mix(plans: list[Plan]) -> None:
    people = company()
    kinds = [people[f.look].kind for p in plans for f in p.figures]
    persons = kinds.count("playmobil") + kinds.count("minifig")
    assert 0.35 < kinds.count("playmobil") / persons < 0.65
    having = {
        kind: np.mean([any(people[f.look].kind == kind for f in p.figures) for p in plans])
        for kind in ("animal", "vehicle")
    }
    assert 0.2 < having["animal"] < 0.5
    assert 0.1 < having["vehicle"] < 0.4
    assert 0.2 < np.mean([bool(p.hands) for p in plans]) < 0.45
    assert {f.state for p in plans for f in p.figures} == {
        "standing",
        "lying",
        "tilted",
        "in_hand",
        "rider",
    }
    assert 0.18 < np.mean([rigs.word(p.rig) != "plain" for p in plans]) < 0.42


def test_nobody_is_twice_in_a_picture_and_riders_have_mounts(plans: list[Plan]) -> None:
    people = company()
    riders = 0
    for plan in plans:
        looks = [f.look for f in plan.figures]
        assert len(set(looks)) == len(looks)
        for mount, rider in zip(plan.figures, plan.figures[1:], strict=False):
            if rider.state != "rider":
                continue
            riders += 1
            assert people[mount.look].kind in ("animal", "vehicle")
            assert people[rider.look].kind == people[mount.look].takes
            assert rider.facing_deg == mount.facing_deg
            # its seat is where the saddle is
            at = np.array([people[mount.look].seat_x_mm, 0, people[mount.look].seat_mm, 1])
            seat = rider.matrix @ np.array([0, 0, people[rider.look].seat_mm, 1])
            assert np.allclose(mount.matrix @ at, seat)
    assert riders > 15


def test_standing_figures_do_not_stand_in_each_other(plans: list[Plan]) -> None:
    people = company()
    for plan in plans:
        standing = [f for f in plan.figures if f.state == "standing"]
        for i, a in enumerate(standing):
            for b in standing[:i]:
                apart = np.linalg.norm(a.matrix[:2, 3] - b.matrix[:2, 3])
                # feet are put on studs after the spot is found: half a stud or so of play
                assert apart > people[a.look].radius_mm + people[b.look].radius_mm - 9


def test_a_tilted_figure_leans_and_touches_the_ground(plans: list[Plan]) -> None:
    people = company()
    tilted = [f for p in plans for f in p.figures if f.state == "tilted"]
    assert len(tilted) > 20
    for placed in tilted:
        points = people[placed.look].body.triangles.reshape(-1, 3)
        low = (points @ placed.matrix[:3, :3].T + placed.matrix[:3, 3])[:, 2].min()
        assert low == pytest.approx(placed.level_mm)
        assert 0.75 < placed.matrix[2, 2] < 0.99
        # where the chest looks, seen from above
        chest = placed.matrix[:2, 0]
        assert np.degrees(np.arctan2(chest[1], chest[0])) % 360 == pytest.approx(placed.facing_deg)


# Labels --------------------------------------------------------------------------------------


def scene(k1: float = 0.0) -> tuple[Plan, list[Figure]]:
    camera = replace(look_at(640, 360, 70, (0, 0, 15), 300, 45, 0), k1=k1)
    beast = animal(box((60, 14, 40), (0, 0, 20), GREY), "beast", 0.0, 0.0)
    matrix = move(30, 10, 0) @ turn("z", 90)
    placed = PlacedFigure(0, "standing", 90.0, 0.0, matrix)
    plan = Plan(camera, (0, 0, 0), "felt", (900, 900), (), (1, 1, 1), 1.0, Sensor())
    return replace(plan, figures=(placed,), rig="candle"), [beast]


def splat(plan: Plan, cloud: np.ndarray, number: int) -> np.ndarray:
    """Ids of a cloud of points, as a picture would show them."""
    ids = np.zeros((360, 640), dtype=np.int32)
    x, y = np.rint(plan.camera.project(cloud)).astype(int).T
    for dx in (0, 1):
        for dy in (0, 1):
            inside = (x + dx >= 0) & (x + dx < 640) & (y + dy >= 0) & (y + dy < 360)
            ids[y[inside] + dy, x[inside] + dx] = number
    return ids


def cloud_of(figure: Figure) -> np.ndarray:
    from vision.scenes.mesh import surface_points

    return surface_points(figure.body, 40000, np.random.default_rng(0))


def test_an_animal_has_no_hands_in_its_line_and_truth() -> None:
    plan, figures = scene()
    cloud = cloud_of(figures[0])
    placed = plan.figures[0]
    ids = splat(plan, cloud @ placed.matrix[:3, :3].T + placed.matrix[:3, 3], 1)
    seen = look(plan.camera, ids, 1, figures[0], placed, cloud)
    assert seen.share > 0.85
    assert seen.flags.tolist()[3:] == [0, 0]
    text = line(seen, plan.camera, figures[0].kind)
    assert text is not None
    words = text.split()
    assert words[0] == "2"
    assert words[-6:] == ["0.000000", "0.000000", "0"] * 2
    known = truth(plan, figures, [seen], [])
    assert known["light"] == "dim"
    assert known["image_size_px"] == [640, 360]
    assert known["elevation_deg"] == pytest.approx(45)
    (found,) = known["figures"]
    assert found["kind"] == "animal"
    assert found["base_centre_mm"] == pytest.approx([30, 10])
    # the own left of what looks along +y is towards -x, left in a picture taken along +y
    left, right = found["keypoints_px"][:2]
    assert left[0] < right[0]


def test_hands_are_seen_as_far_as_the_picture_goes() -> None:
    plan, _ = scene()
    rng = np.random.default_rng(0)
    arm = rng.uniform((-500, -12, 20), (40, 12, 44), (60000, 3))
    seen = look_at_hand(plan.camera, splat(plan, arm, 200), 200, arm)
    assert seen.box_px is not None
    assert seen.box_px[0] == 0
    assert seen.share > 0.8
    text = line(seen, plan.camera, "hand")
    assert text is not None
    assert text.split()[0] == str(KINDS.index("hand"))
    assert set(text.split()[7::3]) == {"0"}
    hidden = look_at_hand(plan.camera, np.zeros((360, 640), np.int32), 200, arm)
    assert line(hidden, plan.camera, "hand") is None


@pytest.mark.parametrize("k1", [-0.1, 0.04])
def test_a_bent_lens_moves_ids_and_keypoints_alike(k1: float) -> None:
    plan, _ = scene(k1)
    straight = replace(plan.camera, k1=0.0)
    source = canvas(plan.camera, k1)
    assert source.k1 == 0
    point = np.array([[-120.0, 60.0, 0.0]])
    expected = distorted(straight.project(point), straight, k1)
    assert plan.camera.project(point) == pytest.approx(expected)
    u, v = np.rint(source.project(point)[0]).astype(int)
    ids = np.zeros((source.height_px, source.width_px), dtype=np.int32)
    ids[v - 2 : v + 3, u - 2 : u + 3] = 7
    rows, columns = np.nonzero(distort_ids(ids, source, plan.camera, k1) == 7)
    assert [columns.mean(), rows.mean()] == pytest.approx(expected[0], abs=0.8)


def test_a_barrel_lens_does_not_fold_far_outside() -> None:
    camera = replace(look_at(640, 360, 90, (0, 0, 0), 300, 90, 0), k1=-0.15)
    across = np.stack([np.linspace(0, 3000, 40), np.zeros(40), np.zeros(40)], axis=1)
    assert (np.diff(camera.project(across)[:, 0]) > 0).all()


def test_coco(tmp_path: Path) -> None:
    for folder in ("labels", "truth"):
        (tmp_path / folder / "val").mkdir(parents=True)
    (tmp_path / "truth/val/00003.json").write_text('{"image_size_px": [200, 100]}')
    points = "0.25 0.5 2 0 0 0 0.3 0.4 1 0 0 0 0 0 0"
    (tmp_path / "labels/val/00003.txt").write_text(f"3 0.5 0.5 0.1 0.2 {points}\n")
    (tmp_path / "truth/val/00004.json").write_text("{}")  # of a picture still in the making
    coco.write(tmp_path, "val")
    found: dict[str, Any] = json.loads((tmp_path / "coco_val.json").read_text())
    assert [c["name"] for c in found["categories"]] == list(KINDS)
    (image,), (note,) = found["images"], found["annotations"]
    assert image["file_name"] == "images/val/00003.jpg"
    assert note["image_id"] == image["id"]
    assert note["category_id"] == 4
    assert note["bbox"] == pytest.approx([90, 40, 20, 20])
    assert note["keypoints"] == [50, 50, 2, 0, 0, 0, 60, 40, 1, 0, 0, 0, 0, 0, 0]
    assert note["num_keypoints"] == 2


def test_digest_keeps_what_has_a_label(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    usual = {"kind": "animal", "state": "lying", "visible": 0.5, "box_px": [0, 5, 20, 17]}
    others = [{"visible": 0.1}, {"box_px": None}, {"box_px": [0, 0, 7, 7]}]
    hands = [{"box_px": [0, 0, 9, 9], "visible": 0.4}, {"box_px": None, "visible": 0.0}]
    known = {
        "image_size_px": [640, 360],
        "rig": "bulbs",
        "table": "felt",
        "figures": [usual, *({**usual, **other} for other in others)],
        "hands": hands,
    }
    (tmp_path / "truth/test").mkdir(parents=True)
    (tmp_path / "truth/test/00000.json").write_text(json.dumps(known))
    assert digest.main([str(tmp_path), "test"]) == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["hands"] == 1
    assert row["figures"] == [{"kind": "animal", "state": "lying", "visible": 0.5, "height_px": 12}]
    assert digest.main([str(tmp_path), "val"]) == 2
    assert "holds no truth/val" in capsys.readouterr().err


@pytest.mark.material
@pytest.mark.parametrize("cat", ["13786.dat", "6251.dat"])
def test_a_cat_looks_forward(cat: str) -> None:
    library = Library(material("ldraw/ldraw.zip"))
    body = ldraw_animal(library, cat, np.random.default_rng(0)).body.triangles.reshape(-1, 3)
    tail = body[body[:, 2].argmax()]  # raised, at its rear end
    middle = (body[:, 0].min() + body[:, 0].max()) / 2
    assert tail[0] < middle - 5
