// Words on the map and the picture never lie on one another, nor leave the view.

import { s } from "./dom.js";

// Who keeps its place when words would meet: names before heights before what is being shown.
const RANKS = [".ruler text", ".figure text", ".shape text", ".piece text"];
const STEPS = 5;
const NEAR = 1; // words on a line stay at it

/** Words that belong to a line: at the first of its places that is in view and has room. */
export const wordsOn = (places, size, words) =>
  s("text", { x: places[0][0], y: places[0][1], "font-size": size, "data-places": JSON.stringify(places) }, words);

// The long words of a figure, in the place of its letters where nothing else is in the way.
function lengthen(word, room, placed, bases) {
  const short = word.textContent;
  if (["x", "y"].some((name) => Number(word.getAttribute(name)) !== Number(word.dataset[name]))) return; // it had to move aside already
  const own = placed.findIndex((box) => box.word === word);
  word.textContent = word.dataset.long;
  const box = word.getBBox();
  const within = box.x >= room.x && box.x + box.width <= room.x + room.width;
  // Two names side by side read as one without a gap.
  const gap = box.height / 3;
  const wide = { x: box.x - gap, y: box.y, width: box.width + 2 * gap, height: box.height };
  if (own >= 0 && within && free(wide, placed.filter((_, i) => i !== own)) && free(box, bases)) placed[own] = { x: box.x, y: box.y, width: box.width, height: box.height, word };
  else word.textContent = short;
}

/** Move what would lie over other words; what finds no room anywhere is not shown. */
export function placeLabels(svg) {
  const room = seen(svg);
  if (room === null) return;
  const placed = [];
  const bases = [...svg.querySelectorAll(".figure .base")].map((base) => base.getBBox());
  for (const rank of RANKS) {
    for (const word of svg.querySelectorAll(rank)) {
      if (word.dataset.long) word.textContent = word.dataset.short ??= word.textContent;
      if (word.textContent !== "") placed.push(...place(word, room, placed, rank === ".shape text" || rank === ".figure text" ? bases : []));
    }
    if (rank !== ".figure text") continue;
    for (const word of svg.querySelectorAll(".figure text[data-long]")) lengthen(word, room, placed, bases);
  }
}

function place(word, room, placed, avoided) {
  for (const name of ["x", "y"]) {
    word.dataset[name] ??= word.getAttribute(name);
    word.setAttribute(name, word.dataset[name]);
  }
  word.removeAttribute("visibility");
  const box = word.getBBox();
  // Beside a piece its height might be taken for another's; tapping the piece tells it as well.
  const piece = word.closest(".piece")?.querySelector("polygon");
  const far = piece ? 0 : STEPS;
  if (piece && !bears(piece, box)) {
    word.setAttribute("visibility", "hidden");
    return [];
  }
  const open = word.dataset.places ? onLine(box, room, JSON.parse(word.dataset.places)) : spots(box, room, far);
  const found = open.find((spot) => free(spot, [...placed, ...avoided])) ?? open.find((spot) => free(spot, placed));
  if (!found) {
    word.setAttribute("visibility", "hidden");
    return [];
  }
  if (found.x !== box.x) word.setAttribute("x", Number(word.dataset.x) + found.x - box.x);
  if (found.y !== box.y) word.setAttribute("y", Number(word.dataset.y) + found.y - box.y);
  return [{ ...found, word }];
}

// Whether words lie within a piece of terrain: its outline must not strike them through.
function bears(piece, box) {
  return [0, 0.25, 0.5, 0.75, 1].every((x) => [0.15, 0.85].every((y) =>
    piece.isPointInFill(new DOMPoint(box.x + x * box.width, box.y + y * box.height))));
}

// Where it is, then ever farther above, below and beside, always within the view.
function spots(box, room, farthest) {
  const found = [];
  for (let far = 0; far <= farthest; far += 1) {
    for (const [dx, dy] of [[0, -1], [0, 1], [-0.5, 0], [0.5, 0], [-0.5, -1], [0.5, -1], [-0.5, 1], [0.5, 1]]) {
      found.push({
        x: clamp(box.x + dx * far * box.width, room.x, room.x + room.width - box.width),
        y: clamp(box.y + dy * far * box.height * 0.7, room.y, room.y + room.height - box.height),
        width: box.width,
        height: box.height,
      });
      if (far === 0) break;
    }
  }
  return found;
}

// At each place of a line that is in view, as near to it as may be.
function onLine(box, room, places) {
  const [x, y] = places[0];
  return places.flatMap(([u, v]) => {
    const there = { x: box.x + u - x, y: box.y + v - y, width: box.width, height: box.height };
    return spots(there, room, NEAR).filter((spot) =>
      Math.abs(spot.x - there.x) <= there.width * 0.75 && Math.abs(spot.y - there.y) <= there.height * 1.5);
  });
}

const free = (a, others) => !others.some((b) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height);

const clamp = (value, low, high) => Math.max(low, Math.min(value, high));

// The part of the drawing that is on the screen, in its own units.
function seen(svg) {
  const matrix = svg.getScreenCTM();
  const box = svg.getBoundingClientRect();
  if (matrix === null || box.width < 1) return null;
  const inverse = matrix.inverse();
  const a = new DOMPoint(box.left, box.top).matrixTransform(inverse);
  const b = new DOMPoint(box.right, box.bottom).matrixTransform(inverse);
  return { x: a.x, y: a.y, width: b.x - a.x, height: b.y - a.y };
}
