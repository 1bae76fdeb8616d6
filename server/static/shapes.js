// What the referee wants drawn: of the figure looked at, and of the last announcement.

import { store } from "./store.js";

/** Options shown for the tapped figure, and those always shown. */
export function optionsFor(id) {
  return store.options.filter((option) => option.figure_id === null || option.figure_id === id);
}

/** Every shape to draw now. */
export function currentShapes() {
  const shapes = store.options.filter((option) => option.figure_id === null).flatMap((option) => option.shapes);
  if (store.selected !== null) {
    for (const option of store.options) {
      if (option.figure_id !== store.selected) continue;
      shapes.push(...option.shapes);
      for (const target of option.targets) {
        if (store.looked === target.figure_id) shapes.push(...target.shapes);
      }
    }
  } else {
    shapes.push(...(store.said.at(-1)?.shapes ?? []));
  }
  // A figure bears its letters already.
  const names = new Set(Object.values(store.facts.names));
  const seen = new Set();
  const words = new Set();
  return shapes
    .filter((shape) => {
      if (shape.kind === "label" && names.has(shape.text)) return false;
      const key = JSON.stringify(shape);
      return seen.has(key) ? false : seen.add(key);
    })
    .map((shape) => {
      // A reach may come in several pieces; its words are said once.
      if (!shape.text || !(words.has(shape.text) || names.has(shape.text))) {
        words.add(shape.text);
        return shape;
      }
      return { ...shape, text: "" };
    });
}

/** Path data of an outline and its holes, each as the points of a polygon; CSS leaves the holes open. */
export const rings = (outlines) => outlines.map((outline) => `M${outline}Z`).join("");

/** Where the words of a shape go: the middle of its upper side, where they are seldom in the way. */
export function wordsAt(shape) {
  const [x, y] = shape.points_mm[0] ?? [0, 0];
  if (shape.kind === "circle") return [x, y + shape.radius_mm];
  if (shape.kind === "label") return [x, y];
  if (shape.kind === "line") {
    const [u, v] = shape.points_mm.at(-1);
    return [(x + u) / 2, (y + v) / 2];
  }
  const upper = Math.max(...shape.points_mm.map((p) => p[1]));
  const xs = shape.points_mm.filter((p) => p[1] > upper - 1).map((p) => p[0]);
  return [(Math.min(...xs) + Math.max(...xs)) / 2, upper];
}
