// What the referee wants drawn: of the figure looked at, and of the last announcement.

import { circle, pieces } from "./project.js";
import { store } from "./store.js";

const ANCHORS = 24;

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

/**
 * Places where the words of a shape may go, the best one first, then ever farther from it: the middle
 * of its upper side, where they are seldom in the way, or another place on its line.
 */
export function wordsAt(shape) {
  const [x, y] = shape.points_mm[0] ?? [0, 0];
  if (shape.kind === "label") return [[x, y]];
  if (shape.kind === "line") {
    const end = shape.points_mm.at(-1);
    return [[(x + end[0]) / 2, (y + end[1]) / 2], end, [x, y]];
  }
  if (shape.kind === "circle") return byDistance([x, y + shape.radius_mm], circle([x, y], shape.radius_mm, ANCHORS));
  const upper = Math.max(...shape.points_mm.map((p) => p[1]));
  const xs = shape.points_mm.filter((p) => p[1] > upper - 1).map((p) => p[0]);
  return byDistance([(Math.min(...xs) + Math.max(...xs)) / 2, upper], along(shape.points_mm));
}

function byDistance([x, y], places) {
  const far = ([u, v]) => Math.hypot(u - x, v - y);
  return [[x, y], ...places.sort((a, b) => far(a) - far(b))];
}

// Places on an outline: its corners, and between those that are far apart.
function along(outline) {
  const sides = outline.map((point, i) => [point, outline[(i + 1) % outline.length]]);
  const length = sides.reduce((sum, [a, b]) => sum + Math.hypot(b[0] - a[0], b[1] - a[1]), 0);
  return sides.flatMap(([a, b]) => pieces(a, b, Math.max(1, Math.round((ANCHORS * Math.hypot(b[0] - a[0], b[1] - a[1])) / length))).slice(0, -1));
}
