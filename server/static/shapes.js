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
  const seen = new Set();
  return shapes.filter((shape) => {
    const key = JSON.stringify(shape);
    return seen.has(key) ? false : seen.add(key);
  });
}
