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

/** What players call a figure, or a piece of terrain that can be aimed at. */
export function nameOf(id) {
  return store.facts.names[id] || pieceName(id) || text.figure(id);
}

/** Class or troop type of a figure of an army list, in words; "" for others. */
export const kindName = (id) => store.facts.enlisted[id]?.kind ?? "";

/** What players call a piece of terrain, as the referee does: its kind and which one it is. */
export function pieceName(id) {
  const pieces = store.facts.terrain;
  const at = pieces.findIndex((piece) => piece.terrain_id === id);
  if (at < 0) return null;
  const { kind } = pieces[at];
  const number = pieces.slice(0, at + 1).filter((piece) => piece.kind === kind).length;
  return `${text.terrain.kinds[kind] ?? kind} ${number}`;
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

/** What is written beside a figure of an army list where there is room: its name and kind. */
export function longName(id) {
  if (!store.facts.enlisted[id]) return null;
  const [name, kind] = [nameOf(id), kindName(id)];
  return !kind || name.toLowerCase().startsWith(kind.replace(/ \(.*/, "").toLowerCase()) ? name : `${name}, ${kind}`;
}

/** Sides that can be chosen. */
export function sides() {
  if (store.state?.sides?.length) return store.state.sides;
  if (store.ruleset?.sides?.length) return store.ruleset.sides;
  return ["red", "blue"];
}
