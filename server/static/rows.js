// Free places in rows along an edge of the table, for figures that are put by hand.

import { store } from "./store.js";

const LEAST_MM = 45;
const MOST_MM = 90;
const EDGE_MM = 35;

/** Up to `count` places for the side of that index: near, far, left, right edge. */
export function freePlaces(index, count) {
  const [width, depth] = store.table.size_mm ?? [800, 600];
  const along = index % 4 < 2 ? width : depth;
  const away = index % 4 < 2 ? depth : width;
  const columns = Math.max(1, Math.min(count, Math.floor((along - 2 * EDGE_MM) / LEAST_MM) + 1));
  const pitch = Math.max(LEAST_MM, Math.min(MOST_MM, (along - 2 * EDGE_MM) / Math.max(1, columns - 1)));
  const found = [];
  for (let row = EDGE_MM; row < away && found.length < count; row += LEAST_MM) {
    for (let column = 0; column < columns && found.length < count; column += 1) {
      const x = along / 2 + (column - (columns - 1) / 2) * pitch;
      const mm = [[x, row], [x, depth - row], [row, x], [width - row, x]][index % 4].map(Math.round);
      if (free(mm)) found.push(mm);
    }
  }
  return found;
}

const free = ([x, y]) => store.table.figures.every((one) => Math.hypot(one.position_mm[0] - x, one.position_mm[1] - y) > LEAST_MM * 0.7);
