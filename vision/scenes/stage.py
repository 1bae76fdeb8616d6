"""The one module that talks to Blender: meshes, materials, lights, camera and pictures.

Blender's unit is UNIT_MM; everything that crosses this border is in mm and table axes.
"""

from pathlib import Path
from typing import Any

import bpy
import numpy as np
from mathutils import Matrix
from numpy.typing import NDArray

from vision.scenes import exr
from vision.scenes.camera import Camera
from vision.scenes.errors import SceneError
from vision.scenes.ldraw import Colour
from vision.scenes.mesh import Mesh

UNIT_MM = 100.0
_SMOOTH_RAD = 0.7
_LAYER = "all"
_FLIP = np.diag([1.0, -1.0, -1.0, 1.0])


def linear(srgb: tuple[float, ...]) -> tuple[float, ...]:
    """SRGB components 0..1 to linear light."""
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in srgb)


class Stage:
    """A Blender scene set for fast, denoised Cycles pictures and exact id pictures."""

    def __init__(self, width_px: int, height_px: int, threads: int, scratch: Path) -> None:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        self.scene: Any = bpy.context.scene
        self._scratch = scratch
        self.size(width_px, height_px)
        render, cycles = self.scene.render, self.scene.cycles
        render.engine = "CYCLES"
        render.threads_mode, render.threads = "FIXED", threads
        render.use_persistent_data = True
        render.resolution_percentage = 100
        render.use_compositing = render.use_sequencer = False
        settings = render.image_settings
        settings.media_type = "MULTI_LAYER_IMAGE"
        settings.file_format = "OPEN_EXR_MULTILAYER"
        settings.color_depth, settings.exr_codec = "32", "NONE"
        layer = self.scene.view_layers[0]
        layer.name = _LAYER
        layer.use_pass_object_index = True
        cycles.device = "CPU"
        cycles.max_bounces = 2
        cycles.caustics_reflective = cycles.caustics_refractive = False
        cycles.transparent_max_bounces = 8
        cycles.use_denoising = True
        cycles.denoiser = "OPENIMAGEDENOISE"
        cycles.denoising_prefilter = "NONE"
        cycles.denoising_quality = "FAST"
        cycles.sample_clamp_indirect = 4.0
        data = bpy.data.cameras.new("camera")
        data.sensor_fit = "HORIZONTAL"
        data.clip_start, data.clip_end = 0.05, 400.0
        self._camera = bpy.data.objects.new("camera", data)
        self.scene.collection.objects.link(self._camera)
        self.scene.camera = self._camera
        self.world: Any = bpy.data.worlds.new("world")
        self.scene.world = self.world
        self.world.use_nodes = True

    def size(self, width_px: int, height_px: int) -> None:
        """Set the picture size."""
        self.scene.render.resolution_x = width_px
        self.scene.render.resolution_y = height_px

    # Objects -----------------------------------------------------------------------------

    def mesh(self, mesh: Mesh, materials: list[Any], smooth: bool = True) -> Any:
        """A Blender mesh of welded triangles in mm, one material a slot."""
        data = bpy.data.meshes.new("mesh")
        faces = len(mesh.faces)
        data.vertices.add(len(mesh.vertices))
        data.vertices.foreach_set("co", (mesh.vertices / UNIT_MM).astype(np.float32).ravel())
        data.loops.add(3 * faces)
        data.loops.foreach_set("vertex_index", mesh.faces.astype(np.int32).ravel())
        data.polygons.add(faces)
        data.polygons.foreach_set("loop_start", np.arange(0, 3 * faces, 3, dtype=np.int32))
        for material in materials:
            data.materials.append(material)
        data.polygons.foreach_set("material_index", mesh.slots.astype(np.int32))
        data.polygons.foreach_set("use_smooth", np.full(faces, smooth))
        data.update(calc_edges=True)
        if smooth:
            data.set_sharp_from_angle(angle=_SMOOTH_RAD)
        return data

    def add(self, data: Any, matrix: NDArray[np.float64] | None = None, index: int = 0) -> Any:
        """Put a mesh on the stage under an id (0 = no figure)."""
        thing = bpy.data.objects.new("object", data)
        thing.pass_index = index
        self.scene.collection.objects.link(thing)
        if matrix is not None:
            self.place(thing, matrix)
        return thing

    def place(self, thing: Any, matrix: NDArray[np.float64]) -> None:
        """Move an object: 4x4 matrix from its own mm to table mm."""
        scaled = np.array(matrix, dtype=float)
        scaled[:3, 3] /= UNIT_MM
        thing.matrix_world = Matrix(scaled.tolist())

    def fuse(self, mesh: Mesh, materials: list[Any], voxel_mm: float) -> Any:
        """One smooth skin round overlapping closed pieces (voxel remesh, then smoothed)."""
        rough = self.add(self.mesh(mesh, materials))
        remesh = rough.modifiers.new("remesh", "REMESH")
        remesh.mode = "VOXEL"
        remesh.voxel_size = voxel_mm / UNIT_MM
        remesh.use_smooth_shade = True
        smooth = rough.modifiers.new("smooth", "SMOOTH")
        smooth.factor, smooth.iterations = 0.5, 8
        graph = bpy.context.evaluated_depsgraph_get()
        data = bpy.data.meshes.new_from_object(rough.evaluated_get(graph))
        self.remove(rough)
        data.polygons.foreach_set("use_smooth", np.ones(len(data.polygons), dtype=bool))
        data.materials.clear()
        for material in materials:
            data.materials.append(material)
        return data

    def box(self, size_mm: tuple[float, float, float], material: Any) -> Any:
        """Mesh of a box that stands on its origin."""
        x, y, z = size_mm
        corners = [
            (sx * x / 2, sy * y / 2, sz * z) for sz in (0, 1) for sy in (-1, 1) for sx in (-1, 1)
        ]
        sides = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
        return self._polygons(corners, sides, material)

    def cylinder(self, radius_mm: float, height_mm: float, material: Any) -> Any:
        """Mesh of a closed cylinder that stands on its origin."""
        count = 40
        angles = [2 * np.pi * i / count for i in range(count)]
        corners = [
            (radius_mm * float(np.cos(a)), radius_mm * float(np.sin(a)), z)
            for z in (0.0, height_mm)
            for a in angles
        ]
        sides = [(i, (i + 1) % count, count + (i + 1) % count, count + i) for i in range(count)]
        caps = [tuple(range(count - 1, -1, -1)), tuple(range(count, 2 * count))]
        return self._polygons(corners, [*sides, *caps], material)

    def sheet(self, size_mm: tuple[float, float, float], material: Any) -> Any:
        """Mesh of a flat thing below its origin, its picture on the upper face (+y is up)."""
        x, y, z = size_mm
        corners = [
            (sx * x / 2, sy * y / 2, -z * d) for d in (0, 1) for sy in (-1, 1) for sx in (-1, 1)
        ]
        sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        data = self._polygons(corners, sides, material)
        layer = data.uv_layers.new(name="print")
        for loop in data.loops:
            corner = corners[loop.vertex_index]
            layer.data[loop.index].uv = (corner[0] / x + 0.5, corner[1] / y + 0.5)
        return data

    def remove(self, thing: Any, keep_mesh: bool = False) -> None:
        """Take an object off and free its mesh if nobody else uses it."""
        data = thing.data
        bpy.data.objects.remove(thing)
        if not keep_mesh and data.users == 0:
            bpy.data.meshes.remove(data)

    def drop(self, block: Any) -> None:
        """Free a mesh or a material nothing shows any more."""
        store = bpy.data.meshes if isinstance(block, bpy.types.Mesh) else bpy.data.materials
        store.remove(block)

    def _polygons(self, corners: list[Any], sides: list[Any], material: Any) -> Any:
        data = bpy.data.meshes.new("solid")
        data.from_pydata([[c / UNIT_MM for c in p] for p in corners], [], sides)
        data.materials.append(material)
        return data

    # Materials ---------------------------------------------------------------------------

    def plastic(self, colour: Colour, roughness: float = 0.25) -> Any:
        """Material of an LDraw colour."""
        material, bsdf = self.principled(linear(colour.rgb), roughness)
        if colour.finish in ("metal", "chrome", "pearl"):
            bsdf.inputs["Metallic"].default_value = {"chrome": 1.0, "metal": 0.8}.get(
                colour.finish, 0.4
            )
        if colour.finish == "rubber":
            bsdf.inputs["Roughness"].default_value = 0.6
        if colour.alpha < 1:
            bsdf.inputs["Alpha"].default_value = 0.55
        return material

    def principled(self, rgb: tuple[float, ...], roughness: float) -> tuple[Any, Any]:
        """A plain material of a linear colour, and its shader node."""
        material = bpy.data.materials.new("material")
        material.use_nodes = True
        bsdf = material.node_tree.nodes["Principled BSDF"]
        bsdf.inputs["Base Color"].default_value = (*rgb[:3], 1.0)
        bsdf.inputs["Roughness"].default_value = roughness
        return material, bsdf

    def printed(self, picture: Path, roughness: float = 0.5) -> Any:
        """Material of a picture file, sRGB, laid out by the mesh's own coordinates.

        Raises:
            SceneError: the picture cannot be read.
        """
        try:
            image = bpy.data.images.load(str(picture.resolve()), check_existing=True)
        except RuntimeError as error:
            raise SceneError(str(picture), "cannot be read") from error
        material, bsdf = self.principled((1.0, 1.0, 1.0), roughness)
        node = material.node_tree.nodes.new("ShaderNodeTexImage")
        node.image, node.extension = image, "EXTEND"
        material.node_tree.links.new(node.outputs["Color"], bsdf.inputs["Base Color"])
        return material

    # Light and camera --------------------------------------------------------------------

    def area_light(
        self, matrix: NDArray[np.float64], size_mm: float, watts: float, rgb: tuple[float, ...]
    ) -> Any:
        """Square area light that shines along its own -z and is not seen itself."""
        data = bpy.data.lights.new("light", "AREA")
        data.size = size_mm / UNIT_MM
        data.energy = watts
        data.color = rgb
        light = bpy.data.objects.new("light", data)
        light.visible_camera = False
        self.scene.collection.objects.link(light)
        self.place(light, matrix)
        return light

    def remove_light(self, light: Any) -> None:
        """Take a light away."""
        data = light.data
        bpy.data.objects.remove(light)
        bpy.data.lights.remove(data)

    def sky(self, rgb: tuple[float, ...], strength: float) -> None:
        """Even light from all round."""
        node = self.world.node_tree.nodes["Background"]
        node.inputs["Color"].default_value = (*rgb[:3], 1.0)
        node.inputs["Strength"].default_value = strength

    def look(self, camera: Camera) -> None:
        """See through a camera."""
        self.size(camera.width_px, camera.height_px)
        self._camera.data.angle = 2 * float(np.arctan(camera.width_px / 2 / camera.focal_px))
        pose = np.asarray(np.linalg.inv(camera.camera_T_table) @ _FLIP, dtype=np.float64)
        self.place(self._camera, pose)

    # Pictures ----------------------------------------------------------------------------

    def picture(self, samples: int) -> tuple[NDArray[np.float32], NDArray[np.int32]]:
        """A denoised picture and the ids in it; with no samples a rough one that shows the ids.

        Returns:
            (H, W, 3) float32 linear light, and (H, W) int32 pass index of the first object met by
            the first ray of each pixel.
        """
        self.scene.cycles.samples = max(1, samples)
        self.scene.cycles.use_denoising = samples > 0
        self.scene.cycles.max_bounces = 2 if samples else 0
        path = self._scratch / "shot.exr"
        self.scene.render.filepath = str(path)
        bpy.ops.render.render(write_still=True)
        channels = exr.read(path)
        rgb = np.stack([channels[f"{_LAYER}.Combined.{c}"] for c in "RGB"], axis=2)
        ids = channels[f"{_LAYER}.Object Index.X"]
        return rgb, np.rint(ids).astype(np.int32)

    def write_jpeg(self, pixels: NDArray[np.float32], path: Path, quality: int) -> None:
        """Write (H, W, 3) sRGB 0..1 as a JPEG, in one step that never leaves half a file."""
        height, width = pixels.shape[:2]
        image = bpy.data.images.new("out", width, height)
        flat = np.ones((height, width, 4), dtype=np.float32)
        flat[:, :, :3] = pixels[::-1]
        image.pixels.foreach_set(flat.ravel())
        image.file_format = "JPEG"
        part = path.with_suffix(".part")
        image.save(filepath=str(part), quality=quality)
        bpy.data.images.remove(image)
        part.replace(path)
