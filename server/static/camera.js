// The camera's picture with what the program sees drawn on it.

import { h, memo, replace, s } from "./dom.js";
import { placeLabels, wordsOn } from "./labels.js";
import { circle, pieces, project } from "./project.js";
import { currentShapes, rings, wordsAt } from "./shapes.js";
import { store } from "./store.js";
import { letters, longName, sideClass } from "./teams.js";
import { text } from "./text.js";

const GRID_MM = 50;
const SLIP_PX = 8; // a finger that slips farther does not tap
const STREAM = "/api/stream.mjpg";

let root;
let image;
let svg;
let layers;
let size = [16, 9];
let onTap = null;
let showGrid = () => false;
let drawnAnew = false;

/** Draw into an element; taps are given as {px, figure_id}. */
export function mountCamera(element, { tap, grid }) {
  root = element;
  onTap = tap;
  showGrid = grid;
  image = h("img", { alt: text.camera.label, draggable: "false" });
  image.addEventListener("error", () => {
    image.removeAttribute("src");
    setTimeout(play, 2000);
  });
  svg = s("svg", { class: "overlay", "aria-hidden": "true", preserveAspectRatio: "xMidYMid meet" });
  layers = {};
  for (const name of ["grid", "shapes", "terrain", "figures", "tool"]) {
    layers[name] = s("g", { class: name });
    svg.append(layers[name]);
  }
  layers.note = h("p", { class: "viewnote" });
  root.append(image, svg, layers.note);
  // No "click": what was pressed may be drawn anew before the finger is lifted.
  let pressed = null;
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    pressed = { x: event.clientX, y: event.clientY, figure_id: event.target.closest("[data-figure]")?.dataset.figure ?? null };
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointerup", (event) => {
    const from = pressed;
    pressed = null;
    if (from === null || Math.hypot(event.clientX - from.x, event.clientY - from.y) > SLIP_PX) return;
    onTap?.({ px: toPx(event), figure_id: from.figure_id });
  });
  svg.addEventListener("pointercancel", () => { pressed = null; });
  play();
}

/** Pixel of the original picture under a pointer. */
export function toPx(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [point.x - 0.5, point.y - 0.5];
}

/** The layer that tools draw on, the picture's size, and its pixels for each screen pixel. */
export function cameraLayer() {
  const room = svg.getBoundingClientRect();
  return { svg, layer: layers.tool, size, scale: Math.max(size[0] / Math.max(room.width, 1), size[1] / Math.max(room.height, 1)) };
}

/** Draw everything anew where it has changed. */
export function drawCamera(now) {
  if (!svg) return;
  resize(now.calibration?.image_size_px ?? now.camera.size_px);
  const noPicture = now.camera.state === "none";
  root.classList.toggle("empty", noPicture);
  root.classList.toggle("old", ["stale", "lost", "reconnecting"].includes(now.camera.state));
  layers.note.textContent = noPicture ? text.camera.noPicture : "";
  if (!noPicture && !image.getAttribute("src")) play();
  const mm = cameraLayer().scale;
  drawGrid(showGrid(), now.calibration, now.table.size_mm, now.table.figures.length ? 1 : 0);
  drawShapes(currentShapes(), now.calibration, mm);
  drawTerrain(now.facts.terrain, now.calibration);
  drawFigures(now.table.figures, now.table.hands_px ?? [], now.calibration, now.selected, now.state?.sides, [now.facts.names, now.facts.enlisted], mm);
  if (drawnAnew) placeLabels(svg);
  drawnAnew = false;
}

function play() {
  // A stream never ends: begun earlier, it would keep the page loading for ever.
  if (document.readyState !== "complete") {
    window.addEventListener("load", () => setTimeout(play, 0), { once: true });
    return;
  }
  if (store.camera.state !== "none" && !image.getAttribute("src")) image.src = STREAM;
}

// Coordinates are always the camera's own; the picture shown here may be smaller.
function resize(next) {
  if (!next || (next[0] === size[0] && next[1] === size[1])) return;
  size = next;
  svg.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
}

const line = (calibration, outline, z = 0) => {
  const px = outline.map((point) => project(calibration, point, z));
  return px.some((point) => point === null) ? null : px.map(([x, y]) => `${(x + 0.5).toFixed(1)},${(y + 0.5).toFixed(1)}`).join(" ");
};

const closed = (outline) =>
  outline.flatMap((point, i) => pieces(point, outline[(i + 1) % outline.length], 6).slice(0, -1));

const drawGrid = memo((shown, calibration, sizeMm) => {
  const lines = [];
  if (shown && calibration) {
    const [width, depth] = sizeMm ?? [400, 300];
    for (let x = 0; x <= width + 1; x += GRID_MM) lines.push(line(calibration, pieces([x, 0], [x, depth])));
    for (let y = 0; y <= depth + 1; y += GRID_MM) lines.push(line(calibration, pieces([0, y], [width, y])));
  }
  replace(layers.grid, lines.filter(Boolean).map((d) => s("polyline", { points: d })));
});

const drawShapes = memo((shapes, calibration, mm) => {
  drawnAnew = true;
  replace(layers.shapes, calibration ? shapes.map((shape) => drawShape(calibration, shape, mm)) : []);
});

function drawShape(calibration, shape, mm) {
  const outline =
    shape.kind === "circle" ? circle(shape.points_mm[0], shape.radius_mm)
      : shape.kind === "polygon" ? closed(shape.points_mm) : shape.points_mm;
  const px = line(calibration, outline);
  if (px === null) return null;
  const parts = [];
  const holes = (shape.holes_mm ?? []).map((hole) => line(calibration, closed(hole))).filter(Boolean);
  if (holes.length) parts.push(s("path", { d: rings([px, ...holes]) }));
  else if (shape.kind !== "label") parts.push(s(shape.kind === "line" ? "polyline" : "polygon", { points: px }));
  if (shape.text) {
    const places = wordsAt(shape).map((place) => project(calibration, place)).filter(Boolean).map(([x, y]) => [x, y - 5 * mm]);
    if (places.length) parts.push(wordsOn(places, 13 * mm, shape.text));
  }
  return s("g", { class: `shape ${shape.role}` }, parts);
}

const drawTerrain = memo((pieces_, calibration) => {
  const drawn = [];
  for (const piece of calibration ? pieces_ : []) {
    const foot = line(calibration, closed(piece.footprint_mm));
    const top = line(calibration, closed(piece.footprint_mm), piece.height_mm);
    if (foot && top) drawn.push(s("g", { class: `piece ${piece.kind}` }, s("polygon", { points: foot }), s("polygon", { class: "top", points: top })));
  }
  replace(layers.terrain, drawn);
});

const drawFigures = memo((figures, hands, calibration, selected, _sides, _names, mm) => {
  drawnAnew = true;
  const drawn = hands.map(([x0, y0, x1, y1]) =>
    s("rect", { class: "hand", x: x0, y: y0, width: x1 - x0, height: y1 - y0 }));
  for (const one of calibration ? figures : []) {
    const half = one.base.size_mm / 2;
    const [x, y] = one.position_mm;
    const ring = line(calibration, circle([x, y], half * 1.4, 24), one.level_mm);
    const head = project(calibration, [x, y], one.level_mm + one.height_mm + 6);
    if (!ring || !head) continue;
    drawn.push(s("g", { class: `figure ${sideClass(one.side)} ${one.state} ${one.seen} ${selected === one.figure_id ? "selected" : ""}`,
      "data-figure": one.figure_id },
      s("polygon", { class: "base", points: ring }),
      s("circle", { class: "tap", cx: (head[0] + project(calibration, [x, y], one.level_mm)[0]) / 2,
        cy: (head[1] + project(calibration, [x, y], one.level_mm)[1]) / 2, r: 22 * mm }),
      s("text", { x: head[0], y: head[1], "font-size": 14 * mm, "data-long": longName(one.figure_id) }, letters(one))));
  }
  replace(layers.figures, drawn);
});
