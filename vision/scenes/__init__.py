"""Scene renderer: pictures of minifigures with their truth, from LDraw parts.

Runs by path under the renderer's own Python (bpy wants numpy < 2), so nothing here imports
what the rest of the program needs (cv2, scipy, shapely). Lengths are mm unless a name says so.
"""
