"""Node trees of procedural Blender materials."""

from typing import Any

import bpy

RGB = tuple[float, float, float]


class Nodes:
    """A material's node tree with short ways to add and join nodes."""

    def __init__(self, roughness: float) -> None:
        self.material: Any = bpy.data.materials.new("surface")
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.bsdf = self.tree.nodes["Principled BSDF"]
        self.bsdf.inputs["Roughness"].default_value = roughness

    def add(self, kind: str, **inputs: Any) -> Any:
        """A new node of a type with values of its inputs, `_` in their names for a space."""
        node = self.tree.nodes.new(kind)
        for name, value in inputs.items():
            node.inputs[name.replace("_", " ")].default_value = value
        return node

    def join(self, source: Any, target: Any) -> None:
        """Lead an output into an input."""
        self.tree.links.new(source, target)

    def coordinates(self, turn_rad: float, stretch: float) -> Any:
        """Object coordinates turned about z and stretched along y."""
        source = self.add("ShaderNodeTexCoord")
        mapping = self.add("ShaderNodeMapping")
        mapping.inputs["Rotation"].default_value = (0.0, 0.0, turn_rad)
        mapping.inputs["Scale"].default_value = (1.0, stretch, 1.0)
        self.join(source.outputs["Object"], mapping.inputs["Vector"])
        return mapping.outputs["Vector"]

    def ramp(self, value: Any, stops: list[tuple[float, RGB]]) -> Any:
        """Colours along a value 0..1."""
        node = self.add("ShaderNodeValToRGB")
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(0.5)
        for element, (place, rgb) in zip(elements, stops, strict=True):
            element.position = place
            element.color = (*rgb, 1.0)
        self.join(value, node.inputs["Fac"])
        return node.outputs["Color"]

    def bump(self, value: Any, strength: float) -> None:
        """Make the surface rough after a value 0..1."""
        node = self.add("ShaderNodeBump", Strength=strength, Distance=0.02)
        self.join(value, node.inputs["Height"])
        self.join(node.outputs["Normal"], self.bsdf.inputs["Normal"])

    def colour(self, source: Any) -> None:
        """Paint the surface."""
        self.join(source, self.bsdf.inputs["Base Color"])


def triple(values: Any) -> RGB:
    """A colour of three numbers."""
    return (float(values[0]), float(values[1]), float(values[2]))


def dim(rgb: RGB, share: float) -> RGB:
    """A share of a colour's light."""
    return (rgb[0] * share, rgb[1] * share, rgb[2] * share)
