"""The scene renderer: Blender and numpy only, run by path under the renderer's own Python."""
