// The table in the picture: the grid to check, studs to look for, four corners to drag.

import { post } from "./api.js";
import { cameraLayer, toPx } from "./camera.js";
import { toast } from "./dialog.js";
import { button, field, h, memo, s } from "./dom.js";
import { project } from "./project.js";
import { set, store } from "./store.js";
import { text } from "./text.js";

let corners = null; // four pixels while they are being dragged
let busy = false;
let leave = () => {};

/** Told when the table is good enough. */
export function onLeave(handler) {
  leave = handler;
}

/** A key that changes when the panel has to be drawn anew. */
export const calibrateKey = () => JSON.stringify([corners !== null, busy, store.calibration, store.camera.size_px]);

/** What the panel shows. */
export function calibratePanel() {
  if (corners) return cornersForm();
  const known = store.calibration;
  const sigma = known?.sigma_mm?.median;
  return [
    h("h2", {}, text.table.title),
    h("p", { class: "hint" }, known ? text.table.good : text.table.none),
    known ? h("p", {}, text.table.reference[known.reference] ?? known.reference, ". ", sigma ? text.table.sigma(sigma.toFixed(1)) : "") : null,
    known?.warnings.length ? h("p", { class: "error" }, known.warnings.join(" ")) : null,
    h("div", { class: "options" },
      known ? button(text.table.accept, () => leave(), { class: "main", "data-key": "accept" }) : null,
      button(text.table.corners, () => { corners = startCorners(); set({}); }, { class: known ? "" : "main", disabled: !store.camera.size_px, "data-key": "corners" }),
      button(text.table.studs, () => ask({ reference: "studs" }), { disabled: busy, "data-key": "studs" })),
  ];
}

/** Handles on the picture; drawn anew only when they move, or nobody could hold one. */
export function drawCalibrate() {
  drawHandles(store.tool === "table" ? corners : null, cameraLayer().scale);
}

const drawHandles = memo((shown, scale) => {
  const { layer } = cameraLayer();
  if (shown === null) layer.replaceChildren();
  else {
    layer.replaceChildren(
      s("polygon", { class: "draft", points: shown.map((px) => px.join(",")).join(" ") }),
      ...shown.map((px, i) => handle(px, i, scale)));
  }
});

function handle([x, y], index, scale) {
  const group = s("g", { class: "handle", tabindex: 0, role: "slider", "aria-label": text.table.corner(index + 1), "data-corner": index + 1 },
    s("circle", { cx: x, cy: y, r: 22 * scale }), s("circle", { class: "dot", cx: x, cy: y, r: 3 * scale }),
    s("text", { x, y: y - 26 * scale, "font-size": 16 * scale }, String(index + 1)));
  group.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    const picture = cameraLayer().svg;
    picture.setPointerCapture(event.pointerId);
    const move = (moved) => {
      corners[index] = toPx(moved);
      drawCalibrate();
    };
    const end = () => {
      picture.removeEventListener("pointermove", move);
      picture.removeEventListener("pointerup", end);
    };
    picture.addEventListener("pointermove", move);
    picture.addEventListener("pointerup", end);
  });
  group.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!by) return;
    event.preventDefault();
    const far = event.shiftKey ? 10 : 1;
    corners[index] = [corners[index][0] + by[0] * far, corners[index][1] + by[1] * far];
    drawCalibrate();
    cameraLayer().layer.querySelector(`[data-corner="${index + 1}"]`)?.focus();
  });
  return group;
}

function cornersForm() {
  const width = h("input", { type: "number", min: 1, step: "any", inputmode: "decimal", "data-key": "width" });
  const depth = h("input", { type: "number", min: 1, step: "any", inputmode: "decimal", "data-key": "depth" });
  return [
    h("h2", {}, text.table.corners),
    h("p", { class: "hint" }, text.table.cornersHint),
    h("div", { class: "pair" }, field(text.table.width, width), field(text.table.depth, depth)),
    store.calibration ? h("p", { class: "hint" }, text.table.keep) : null,
    button(text.table.use, () => {
      const size = width.value && depth.value ? [Number(width.value), Number(depth.value)] : null;
      ask({ corners_px: corners, ...(size ? { size_mm: size } : {}) });
    }, { class: "main", disabled: busy, "data-key": "use" }),
    button(text.cancel, () => { corners = null; set({}); }, { class: "quiet", "data-key": "cancel" }),
  ];
}

async function ask(body) {
  busy = true;
  set({});
  try {
    const answer = await post("/api/calibrate", body);
    corners = null;
    set({ calibration: answer.calibration });
  } catch (error) {
    toast(error.message, true);
  }
  busy = false;
  set({});
}

function startCorners() {
  const { size } = cameraLayer();
  const known = store.calibration;
  if (known && store.table.size_mm) {
    const [w, d] = store.table.size_mm;
    const px = [[0, 0], [w, 0], [w, d], [0, d]].map((place) => project(known, place));
    if (px.every((one) => one && one[0] > 0 && one[1] > 0 && one[0] < size[0] && one[1] < size[1])) return px;
  }
  const [w, d] = size;
  return [[0.15 * w, 0.85 * d], [0.85 * w, 0.85 * d], [0.75 * w, 0.2 * d], [0.25 * w, 0.2 * d]];
}
