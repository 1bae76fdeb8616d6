// Measure: two taps, one answer in every unit. The program measures; the page only shows.

import { post } from "./api.js";
import { button, h, s } from "./dom.js";
import { flip, toolLayer } from "./map.js";
import { cameraLayer } from "./camera.js";
import { project } from "./project.js";
import { figure, set, store } from "./store.js";
import { nameOf } from "./teams.js";
import { text } from "./text.js";

const UNITS = ["cm", "in", "studs", "segments", "feet"];
const state = { ends: [], answer: null, error: null };
let turn = 0; // what was asked for before the last new beginning comes too late

/** A tap on the map or the picture: {figure_id} or {mm} or {px}. */
export async function tapMeasure(hit) {
  const end = hit.figure_id ? { figure_id: hit.figure_id } : hit.px ? { px: hit.px } : { mm: hit.mm };
  if (!hit.figure_id && !hit.px && !hit.mm) return;
  if (state.ends.length >= 2) clearMeasure();
  state.ends.push(end);
  set({});
  if (state.ends.length < 2) return;
  const [a, b] = state.ends;
  if (a.figure_id && a.figure_id === b.figure_id) {
    state.error = text.measure.same(nameOf(a.figure_id));
    set({});
    return;
  }
  const [p, q] = [a.mm, b.mm];
  if (p && q && Math.hypot(p[0] - q[0], p[1] - q[1]) < 1) {
    state.error = text.measure.samePlace;
    set({});
    return;
  }
  const mine = turn;
  const found = await post("/api/measure", { from: a, to: b }).then((answer) => ({ answer }), (error) => ({ error: error.message }));
  if (mine !== turn) return;
  Object.assign(state, found);
  set({});
}

/** Forget the measurement. */
export function clearMeasure() {
  turn += 1;
  Object.assign(state, { ends: [], answer: null, error: null });
  set({});
}

/** What the panel shows of it. */
export function measurePanel() {
  const { ends, answer, error } = state;
  const title = h("h2", {}, text.measure.title);
  if (error) return [title, h("p", { class: "error" }, error), again()];
  if (answer) {
    const names = ends.map((end) => (end.figure_id ? nameOf(end.figure_id) : text.measure.place));
    const rows = answer.edge.mm === answer.centre.mm ? ["centre"] : ["edge", "centre"];
    return [
      h("h2", {}, text.measure.between(...names)),
      h("div", { class: "lengths", role: "status" }, rows.map((which) => length(which, answer[which]))),
      off(answer.from_mm) || off(answer.to_mm) ? h("p", { class: "error" }, text.measure.off) : null,
      again(),
    ];
  }
  return [title, h("p", { class: "hint", role: "status" }, ends.length ? text.measure.second : text.measure.first)];
}

/** A key that changes when the panel has to be drawn anew. */
export const measureKey = () => JSON.stringify(state);

/** Lines on the map and the picture. */
export function drawMeasure() {
  const { layer, scale } = toolLayer();
  const shown = store.tool === "measure" ? state.ends.map(place).filter(Boolean) : [];
  const dots = shown.map(([x, y]) => s("circle", { class: "end", cx: x, cy: flip(y), r: 5 * scale }));
  const join = shown.length === 2
    ? s("path", { class: "length", d: `M${shown[0][0]} ${flip(shown[0][1])}L${shown[1][0]} ${flip(shown[1][1])}` })
    : null;
  layer.replaceChildren(...[join, ...dots].filter(Boolean));
  const picture = cameraLayer();
  const px = store.tool === "measure" ? state.ends.map(pixel).filter(Boolean) : [];
  picture.layer.replaceChildren(
    ...(px.length === 2 ? [s("path", { class: "length", d: `M${px[0].join(" ")}L${px[1].join(" ")}` })] : []),
    ...px.map(([x, y]) => s("circle", { class: "end", cx: x, cy: y, r: 6 * picture.scale })),
  );
}

function length(which, value) {
  return h("section", { class: "length", "data-which": which },
    h("h3", {}, text.measure[which]),
    h("p", { class: "big" }, `${shown(value.cm, 1)} ${text.measure.unit.cm}`),
    value.sigma_mm === null ? null : h("p", { class: "doubt" }, text.measure.doubt(shown(value.sigma_mm, 1))),
    h("ul", {}, UNITS.slice(1).map((unit) => h("li", {}, `${shown(value[unit], unit === "feet" ? 2 : 1)} ${text.measure.unit[unit]}`))));
}

// Beyond the table's edge there may be no table, and nothing there was measured.
function off([x, y]) {
  const size = store.table.size_mm;
  return size !== null && (x < -1 || y < -1 || x > size[0] + 1 || y > size[1] + 1);
}

const again = () => button(text.measure.again, clearMeasure, { class: "main", "data-key": "again" });
const shown = (value, digits) => value.toFixed(digits);

function place(end, index) {
  if (end.figure_id) return figure(end.figure_id)?.position_mm ?? null;
  if (end.mm) return end.mm;
  return state.answer ? [state.answer.from_mm, state.answer.to_mm][index] : null;
}

function pixel(end, index) {
  if (end.px) return [end.px[0] + 0.5, end.px[1] + 0.5];
  const mm = place(end, index);
  const px = mm && store.calibration ? project(store.calibration, mm) : null;
  return px && [px[0] + 0.5, px[1] + 0.5];
}
