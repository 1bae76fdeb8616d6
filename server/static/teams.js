// How figures of each side look: colour is never the only sign.

import { store } from "./store.js";
import { text } from "./text.js";

/** Position of a side in playing order, -1 for nobody's. */
export function sideIndex(side) {
  if (side === null || side === undefined) return -1;
  const sides = store.state?.sides?.length ? store.state.sides : [...new Set(Object.values(store.facts.sides))].sort();
  return sides.indexOf(side);
}

/** Class that colours something of a side. */
export const sideClass = (side) => `side${sideIndex(side)}`;

/** What players call a figure. */
export function nameOf(id) {
  return store.facts.names[id] || text.figure(id);
}

/** One or two letters beside a figure: its side's letter and its own number. */
export function letters(figure) {
  const name = store.facts.names[figure.figure_id];
  if (name) {
    const number = name.match(/\d+/)?.[0] ?? "";
    return name.charAt(0).toUpperCase() + number;
  }
  return figure.figure_id.replace(/^f/, "");
}

/** Sides that can be chosen. */
export function sides() {
  if (store.state?.sides?.length) return store.state.sides;
  if (store.ruleset?.sides?.length) return store.ruleset.sides;
  return ["red", "blue"];
}
