// The table from above: true to scale, y up, every figure a button.

import { h, memo, replace, s } from "./dom.js";
import { placeLabels, wordsOn } from "./labels.js";
import { currentShapes, rings, wordsAt } from "./shapes.js";
import { store } from "./store.js";
import { kindName, letters, longName, nameOf, sideClass, sideIndex } from "./teams.js";
import { text } from "./text.js";

const MARGIN_MM = 24;
const TAP_PX = 28;

let svg;
let layers;
let frame = { x: 0, y: 0, width: 400, height: 300, top: 300 };
let scale = 1; // mm for each screen pixel
let drawnAnew = false;

const handlers = { tap: null, drag: null, key: null };

/** Draw into an element; tools get taps as {mm, figure_id, terrain_id}. */
export function mountMap(root, given) {
  Object.assign(handlers, given);
  svg = s("svg", { class: "table", role: "group", "aria-label": text.map.label });
  layers = {};
  for (const name of ["ground", "terrain", "shapes", "tool", "figures", "ruler"]) {
    layers[name] = s("g", { class: name });
    svg.append(layers[name]);
  }
  layers.note = h("p", { class: "viewnote" });
  root.append(svg, layers.note);
  svg.addEventListener("pointerdown", onPointerDown);
  new ResizeObserver(() => drawMap(store, true)).observe(root);
}

/** Millimetres of a pointer event. */
export function toMm(event) {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [round(point.x), round(frame.top - point.y)];
}

/** Screen y of a table y. */
export const flip = (y) => frame.top - y;

/** Points attribute of an outline in mm. */
export const points = (outline) => outline.map(([x, y]) => `${round(x)},${round(flip(y))}`).join(" ");

/** The layer that the tools draw on, and mm for each screen pixel. */
export const toolLayer = () => ({ layer: layers.tool, scale });

/** Draw everything anew where it has changed. */
export function drawMap(now, force = false) {
  if (!svg) return;
  fit(now);
  const key = force ? Math.random() : 0;
  drawGround(frame, scale, now.table.size_mm, key);
  drawTerrain(now.table.terrain.length ? now.table.terrain : now.facts.terrain, scale, frame.top, key);
  drawShapes(currentShapes(), scale, frame.top, key);
  drawFigures(now);
  if (drawnAnew) placeLabels(svg);
  drawnAnew = false;
  const empty = now.camera.by_hand ? text.map.byHand : now.calibration === null ? text.map.uncalibrated : text.map.empty;
  const words = now.table.figures.length === 0 ? empty : "";
  if (layers.note.textContent !== words) layers.note.textContent = words;
}

function fit(now) {
  const box = extent(now);
  const next = {
    x: box.x0 - MARGIN_MM,
    y: 0,
    width: box.x1 - box.x0 + 2 * MARGIN_MM,
    height: box.y1 - box.y0 + 2 * MARGIN_MM,
    top: box.y1 + MARGIN_MM,
  };
  frame = next;
  const view = `${next.x} 0 ${next.width} ${next.height}`;
  if (svg.getAttribute("viewBox") !== view) svg.setAttribute("viewBox", view);
  const room = svg.getBoundingClientRect();
  scale = Math.max(next.width / Math.max(room.width, 1), next.height / Math.max(room.height, 1));
}

function extent(now) {
  if (now.table.size_mm) return { x0: 0, y0: 0, x1: now.table.size_mm[0], y1: now.table.size_mm[1] };
  const places = now.table.figures.map((one) => one.position_mm);
  for (const piece of now.facts.terrain) places.push(...piece.footprint_mm);
  if (!places.length) return { x0: 0, y0: 0, x1: 400, y1: 300 };
  const xs = places.map((p) => p[0]);
  const ys = places.map((p) => p[1]);
  // Whole decimetres, so that the map does not shake with every figure.
  const low = (values) => Math.floor((Math.min(...values) - 40) / 100) * 100;
  const high = (values) => Math.ceil((Math.max(...values) + 40) / 100) * 100;
  return { x0: low(xs), y0: low(ys), x1: Math.max(high(xs), low(xs) + 300), y1: Math.max(high(ys), low(ys) + 200) };
}

const drawGround = memo((box, mm, size) => {
  drawnAnew = true;
  const x0 = box.x + MARGIN_MM;
  const x1 = box.x + box.width - MARGIN_MM;
  const y0 = box.top - box.height + MARGIN_MM;
  const y1 = box.top - MARGIN_MM;
  const lines = [];
  for (let x = Math.ceil(x0 / 50) * 50; x <= x1; x += 50) lines.push(s("path", { d: `M${x} ${flip(y0)}V${flip(y1)}` }));
  for (let y = Math.ceil(y0 / 50) * 50; y <= y1; y += 50) lines.push(s("path", { d: `M${x0} ${flip(y)}H${x1}` }));
  replace(
    layers.ground,
    s("rect", { class: size ? "plate" : "plate open", x: x0, y: flip(y1), width: x1 - x0, height: y1 - y0 }),
    s("g", { class: "grid" }, lines),
  );
  const y = flip(y0) + MARGIN_MM * 0.62;
  replace(
    layers.ruler,
    s("path", { d: `M${x0} ${y - 3}v6M${x0} ${y}h100m0 -3v6` }),
    s("text", { x: x0 + 104, y: y + 4 * mm, "font-size": 13 * mm }, text.map.scale),
  );
});

const drawTerrain = memo((pieces, mm) => {
  drawnAnew = true;
  replace(
    layers.terrain,
    pieces.map((piece) =>
      s("g", { class: `piece ${piece.kind} ${piece.standable ? "standable" : ""}`, "data-terrain": piece.terrain_id,
        tabindex: 0, role: "button", "data-key": `t-${piece.terrain_id}`,
        "aria-label": text.terrain.label(piece.kind, piece.height_mm),
        onkeydown: (event) => onKey(event, { terrain_id: piece.terrain_id }) },
        s("polygon", { points: points(piece.footprint_mm) }),
        piece.marks.map((mark) => s("polygon", { class: "mark", points: points(mark.footprint_mm) })),
        s("text", { ...middle(piece.footprint_mm), "font-size": 11 * mm }, text.terrain.high(piece.height_mm)),
      ),
    ),
  );
});

const drawShapes = memo((shapes, mm) => {
  drawnAnew = true;
  replace(layers.shapes, shapes.map((shape) => drawShape(shape, mm)));
});

function drawShape(shape, mm) {
  const [x, y] = shape.points_mm[0] ?? [0, 0];
  const parts = [];
  if (shape.kind === "polygon" && shape.holes_mm?.length) parts.push(s("path", { d: rings([shape.points_mm, ...shape.holes_mm].map(points)) }));
  else if (shape.kind === "polygon") parts.push(s("polygon", { points: points(shape.points_mm) }));
  else if (shape.kind === "line") parts.push(s("polyline", { points: points(shape.points_mm) }));
  else if (shape.kind === "circle") parts.push(s("circle", { cx: x, cy: flip(y), r: shape.radius_mm }));
  if (shape.text) {
    parts.push(wordsOn(wordsAt(shape).map(([u, v]) => [u, flip(v) - 4 * mm]), 12 * mm, shape.text));
  }
  return s("g", { class: `shape ${shape.role}` }, parts);
}

function drawFigures(now) {
  const acting = new Set(now.options.map((option) => option.figure_id).filter(Boolean));
  const drawn = new Map([...layers.figures.children].map((node) => [node.dataset.figure, node]));
  // Far figures first, the tapped one on top: taps go to what is on top.
  for (const one of now.table.figures) {
    const key = JSON.stringify([one, scale, frame.top, now.selected === one.figure_id, acting.has(one.figure_id),
      sideIndex(one.side), nameOf(one.figure_id), kindName(one.figure_id), dead(now, one.figure_id)]);
    let node = drawn.get(one.figure_id);
    drawn.delete(one.figure_id);
    if (node && node.dataset.drawn === key) continue;
    if (!node) {
      node = s("g", { "data-figure": one.figure_id, "data-key": `f-${one.figure_id}`, tabindex: 0, role: "button",
        onkeydown: (event) => onKey(event, { figure_id: one.figure_id, mm: current(one.figure_id) }) });
      layers.figures.append(node);
    }
    drawnAnew = true;
    node.dataset.drawn = key;
    node.setAttribute("class", ["figure", sideClass(one.side), one.state, one.seen,
      now.selected === one.figure_id ? "selected" : "", acting.has(one.figure_id) ? "acting" : "",
      dead(now, one.figure_id) ? "dead" : ""].join(" "));
    node.setAttribute("aria-label", text.figureLabel(nameOf(one.figure_id), one.side, one.state, kindName(one.figure_id), dead(now, one.figure_id)));
    node.setAttribute("aria-pressed", String(now.selected === one.figure_id));
    node.replaceChildren(...glyph(one, dead(now, one.figure_id)));
  }
  for (const node of drawn.values()) node.remove();
}

function glyph(one, out) {
  const [x, y] = one.position_mm;
  const half = one.base.size_mm / 2;
  const along = one.base.shape === "oblong" ? one.base.length_mm / 2 : half;
  const cy = flip(y);
  const turn = -(one.base.rotation_deg ?? 0);
  const base =
    one.base.shape === "circle"
      ? s("circle", { class: "base", cx: x, cy, r: half })
      : s("rect", { class: "base", x: x - along, y: cy - half, width: 2 * along, height: 2 * half,
          transform: `rotate(${turn} ${x} ${cy})` });
  const parts = [s("circle", { class: "tap", cx: x, cy, r: Math.max(half * 1.5, TAP_PX * scale) }), base];
  const large = (2 * half) / scale > 20;
  if (large && sideIndex(one.side) === 1) parts.push(s("circle", { class: "sign", cx: x, cy, r: half * 0.55 }));
  else if (large && sideIndex(one.side) === 0) {
    parts.push(s("path", { class: "sign", d: `M${x - half * 0.6} ${cy}h${half * 1.2}M${x} ${cy - half * 0.6}v${half * 1.2}` }));
  }
  if (one.facing_deg !== null) {
    const angle = (one.facing_deg * Math.PI) / 180;
    const tip = [x + Math.cos(angle) * half * 1.9, cy - Math.sin(angle) * half * 1.9];
    parts.push(s("path", { class: "facing", d: `M${x + Math.cos(angle) * half} ${cy - Math.sin(angle) * half}L${tip[0]} ${tip[1]}` }));
  }
  // Who is out of the game is told by a cross as well as by being pale.
  if (out || one.state === "lying") {
    parts.push(s("path", { class: "cross", d: `M${x - half} ${cy - half}l${2 * half} ${2 * half}m0 ${-2 * half}l${-2 * half} ${2 * half}` }));
  }
  parts.push(s("circle", { class: "ring", cx: x, cy, r: half * 1.7 }));
  parts.push(s("text", { x, y: cy + half + 13 * scale, "font-size": 13 * scale, "data-long": longName(one.figure_id) }, letters(one)));
  return parts;
}

function onPointerDown(event) {
  if (event.button !== 0) return;
  const hit = {
    mm: toMm(event),
    figure_id: event.target.closest("[data-figure]")?.dataset.figure ?? null,
    terrain_id: event.target.closest("[data-terrain]")?.dataset.terrain ?? null,
  };
  const start = [event.clientX, event.clientY];
  let dragging = null;
  svg.setPointerCapture(event.pointerId);
  const move = (moved) => {
    const far = Math.hypot(moved.clientX - start[0], moved.clientY - start[1]) > 8;
    if (dragging === null && far) dragging = handlers.drag?.(hit) ?? false;
    if (dragging) dragging.move(toMm(moved));
  };
  const end = (ended) => {
    svg.removeEventListener("pointermove", move);
    svg.removeEventListener("pointerup", end);
    svg.removeEventListener("pointercancel", end);
    if (ended.type === "pointercancel") dragging?.cancel?.();
    else if (dragging) dragging.end(toMm(ended));
    else if (dragging === null) handlers.tap?.(hit);
  };
  svg.addEventListener("pointermove", move);
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);
}

function onKey(event, hit) {
  if (handlers.key?.(event, hit)) event.preventDefault();
  else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    handlers.tap?.({ mm: null, figure_id: null, terrain_id: null, ...hit });
  }
}

const current = (id) => store.table.figures.find((one) => one.figure_id === id)?.position_mm ?? null;
const dead = (now, id) => now.state?.units.some((unit) => unit.figure_id === id && !unit.alive) ?? false;
const round = (value) => Math.round(value * 10) / 10;

function middle(outline) {
  const x = outline.reduce((sum, p) => sum + p[0], 0) / outline.length;
  const y = outline.reduce((sum, p) => sum + p[1], 0) / outline.length;
  return { x, y: flip(y) };
}
