// Words on the map and the picture never lie on one another, nor leave the view.

// Who keeps its place when words would meet: names before heights before what is being shown.
const RANKS = [".ruler text", ".figure text", ".shape text", ".piece text"];
const STEPS = 5;

/** Move what would lie over other words; what finds no room anywhere is not shown. */
export function placeLabels(svg) {
  const room = seen(svg);
  if (room === null) return;
  const placed = [];
  const bases = [...svg.querySelectorAll(".figure .base")].map((base) => base.getBBox());
  for (const rank of RANKS) {
    for (const word of svg.querySelectorAll(rank)) {
      if (word.textContent !== "") placed.push(...place(word, room, placed, rank === ".shape text" ? bases : []));
    }
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
  const found = spots(box, room, far).find((spot) => free(spot, [...placed, ...avoided])) ?? spots(box, room, far).find((spot) => free(spot, placed));
  if (!found) {
    word.setAttribute("visibility", "hidden");
    return [];
  }
  word.setAttribute("x", Number(word.dataset.x) + found.x - box.x);
  word.setAttribute("y", Number(word.dataset.y) + found.y - box.y);
  return [found];
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
