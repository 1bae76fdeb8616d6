// The table step's drawing over the picture: a tried grid, how far its points are off, and handles.

import { cameraLayer, toPx } from "./camera.js";
import { s } from "./dom.js";
import { text } from "./text.js";

let drawn = "";
let dropped = -Infinity;

/** Whether a tap is only the end of a drag. */
export const justDropped = () => performance.now() - dropped < 300;

const NAMES = ["fine", "fair", "far"];

// How well a point fits: shape and size say it as well as colour.
const grade = (mm, limits) => NAMES[limits.filter((limit) => mm > limit).length];

/** How many points there are of each grade, with the limit in mm that is theirs. */
export const grades = (trial) => NAMES.map((name, index) => [name, trial.grades[index], trial.grade_mm[Math.min(index, 1)]]);

/** Draw a trial and handles, where anything changed; `moved` is told of every handle that moves. */
export function drawTrial(trial, handles, { outlined, named, moved }) {
  const { svg, layer, scale } = cameraLayer();
  const key = JSON.stringify([trial?.trial ?? null, handles, outlined, scale]);
  if (key === drawn && layer.querySelector(":scope > .look")) return;
  drawn = key;
  // The picture's drawing says nothing to a screen reader, but handles are for everybody.
  svg.setAttribute("aria-hidden", String(!handles.length));
  const held = document.activeElement?.dataset?.corner;
  const shapes = handles.map(([x, y]) => `${x + 0.5},${y + 0.5}`).join(" ");
  layer.replaceChildren(s("g", { class: "look" },
    trial ? gridOf(trial) : null,
    // Where corners are put right, the grid alone leaves the table to be seen.
    trial && !handles.length ? dotsOf(trial, scale) : null,
    outlined ? s("polygon", { class: "draft", points: shapes }) : null,
    handles.map((px, index) => handle(px, index, scale, named(index + 1), moved))));
  if (held) layer.querySelector(`[data-corner="${CSS.escape(held)}"]`)?.focus();
}

/** Nothing of it stays when another tool is opened. */
export function hideTrial() {
  drawn = "";
  cameraLayer().svg.setAttribute("aria-hidden", "true");
}

const gridOf = (trial) => s("g", { class: "grid" }, trial.grid_px.map((path) =>
  s("polyline", { points: path.map(([x, y]) => `${x + 0.5},${y + 0.5}`).join(" ") })));

function dotsOf(trial, scale) {
  // The worst last: it must not lie hidden under the others.
  const sorted = [...trial.residuals].sort((a, b) => a.off_mm - b.off_mm);
  return s("g", { class: "offs" }, sorted.map(({ px: [x, y], off_mm }) => dot(x + 0.5, y + 0.5, grade(off_mm, trial.grade_mm), scale)));
}

function dot(x, y, how, scale) {
  const r = { fine: 3, fair: 5.5, far: 8 }[how] * scale;
  if (how === "fine") return s("circle", { class: "off fine", cx: x, cy: y, r });
  if (how === "fair") return s("path", { class: "off fair", d: `M${x} ${y - r}L${x + r} ${y}L${x} ${y + r}L${x - r} ${y}Z` });
  return s("path", { class: "off far", d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}` });
}

function handle([left, top], index, scale, words, moved) {
  const { size, svg } = cameraLayer();
  const [x, y] = [left + 0.5, top + 0.5];
  // The number stands above, or below where above is no room, and never leaves the picture.
  const side = Math.min(Math.max(x, 12 * scale), size[0] - 12 * scale);
  const line = y > 44 * scale ? y - 26 * scale : y + 38 * scale;
  const group = s("g", { class: "handle", tabindex: 0, role: "slider", "aria-label": words, "aria-valuenow": Math.round(left),
    "aria-valuemin": 0, "aria-valuemax": size[0], "aria-valuetext": text.table.pixel(Math.round(left), Math.round(top)), "data-corner": index + 1 },
    s("circle", { cx: x, cy: y, r: 22 * scale }), s("circle", { class: "dot", cx: x, cy: y, r: 3 * scale }),
    s("text", { x: side, y: line, "font-size": 16 * scale }, String(index + 1)));
  group.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    event.stopPropagation();
    group.focus();
    svg.setPointerCapture(event.pointerId);
    const move = (now) => moved(index, inside(toPx(now), size));
    const end = () => {
      dropped = performance.now();
      svg.removeEventListener("pointermove", move);
      svg.removeEventListener("pointerup", end);
      svg.removeEventListener("pointercancel", end);
    };
    svg.addEventListener("pointermove", move);
    svg.addEventListener("pointerup", end);
    svg.addEventListener("pointercancel", end);
  });
  group.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!by) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    moved(index, inside([left + by[0] * far, top + by[1] * far], size));
  });
  return group;
}

// Nobody could take hold again of what was dragged out of the picture.
const inside = ([x, y], [width, height]) => [Math.min(Math.max(x, 0), width - 1), Math.min(Math.max(y, 0), height - 1)];
