// The table step: look for something to measure by, show how well it fits, take it or put it right.

import { post } from "./api.js";
import { cameraLayer } from "./camera.js";
import { toast } from "./dialog.js";
import { button, field, h } from "./dom.js";
import { project } from "./project.js";
import { choice, referenceForm, request, unfinished, unitQuestion } from "./references.js";
import { set, store, subscribe, unmeasured } from "./store.js";
import { drawTrial, grades, hideTrial, justDropped } from "./trial.js";
import { text } from "./text.js";

const AGAIN_MS = 3000;
const MOST_TRIES = 12;
const LENS = /square pixels|principal point|field of view/; // taken for granted of the camera: nobody could say better
const LEAST_POINTS = 4;
const MOST_POINTS = 12;

let leave = () => {};
let opened = false;
let moved = false;
let turn = 0;
const view = {
  mode: null, // null, "choose", "corners", "points"
  looking: false,
  asked: { reference: "auto" },
  tries: 0,
  trial: null,
  fault: null, // {reason, advice}
  finer: false, // the unit alone did not tell it
  handles: [],
  typed: [], // what stands beside the points: [x, y] as typed
  size: ["", ""],
};
const live = h("div", { class: "visuallyhidden", role: "status" });
document.body.append(live);

/** Told when the table is good enough. */
export function onLeave(handler) {
  leave = handler;
}

/** Whether a grid is shown that is not in use, so that the one in use would be in the way. */
export const trying = () => view.trial !== null || view.mode !== null;

/** A key that changes when the panel has to be drawn anew. */
export const calibrateKey = () => JSON.stringify([view.mode, view.looking && view.tries < 2, view.trial?.trial, view.fault, view.finer,
  view.handles.length, choice.reference, choice.sheet, store.calibration, store.camera.size_px, store.camera.state]);

// Begins to look by itself where nothing is known, and ends when another tool is opened.
subscribe((now) => {
  const open = now.tool === "table";
  if (opened && open && now.camera.moved && !moved) {
    // Neither a grid that is shown nor one in use lies on the table any more.
    if (view.mode === null) look({ reference: "auto", quick: true });
  }
  moved = Boolean(now.camera.moved);
  if (open === opened || (open && !now.connected)) return;
  opened = open;
  if (open) {
    if (unmeasured() && view.trial === null && view.mode === null) look({ reference: "auto", quick: true });
  } else {
    turn += 1;
    Object.assign(view, { mode: null, looking: false, trial: null, fault: null, finer: false, handles: [] });
    hideTrial();
  }
});

/** What the panel shows. */
export function calibratePanel() {
  if (view.mode === "choose") return chooseForm();
  if (view.mode === "corners") return cornersForm();
  if (view.mode === "points") return pointsForm();
  const title = h("h2", {}, text.table.title);
  if (view.trial) return [title, ...found(view.trial)];
  if (view.fault) return [title, ...failed(view.fault)];
  if (view.looking) return [title, h("p", { class: "hint" }, text.table.looking), ...ways(false)];
  return [title, ...inUse()];
}

/** The tried grid and the handles on the picture. */
export function drawCalibrate() {
  drawTrial(view.trial, view.mode === "corners" || view.mode === "points" ? view.handles : [], {
    outlined: view.mode === "corners",
    named: view.mode === "points" ? text.table.point : text.table.corner,
    moved: (index, px) => {
      view.handles[index] = px;
      drawCalibrate();
    },
  });
}

/** A tap on the picture while points are given. */
export function tapCalibrate(hit) {
  if (view.mode === "points" && !justDropped()) addPoint(hit.px);
}

function inUse() {
  const known = store.calibration;
  return [
    h("p", { class: "hint" }, known ? text.table.good : text.table.none),
    ...(known ? said(known) : []),
    known ? button(text.table.accept, () => leave(), { class: "main", "data-key": "accept" }) : null,
    known ? taken(known) : null,
    ...ways(!known),
  ];
}

function found(trial) {
  // Four points always fit: they tell nothing of themselves.
  const rows = trial.residuals.length > LEAST_POINTS ? grades(trial).filter(([how, count]) => how === "fine" || count > 0) : [];
  return [
    ...said(trial.calibration),
    button(text.table.use, accept, { class: "main", "data-key": "accept" }),
    taken(trial.calibration),
    advice(trial.advice, trial.calibration.reference),
    rows.length ? h("ul", { class: "legend" }, rows.map(([how, count, mm]) =>
      h("li", { "data-grade": how }, h("span", { class: `sign ${how}`, "aria-hidden": "true" }, text.table.signs[how]), text.table.grades[how](count, mm)))) : null,
    ...ways(false),
  ];
}

// By what, and how far off a place may be: two sigma at the worst place.
function said(known) {
  const worst = known.sigma_mm?.max;
  return [
    h("p", {}, text.table.reference[known.reference] ?? known.reference),
    typeof worst === "number" ? h("p", { class: "within" }, text.table.within(2 * worst, known.size_mm !== null)) : null,
    ...known.warnings.map((one) => h("p", { class: "error" }, sentence(one))),
  ];
}

// A sheet of another size, or strokes of another unit, can only be told by who sees them.
function taken(known) {
  const granted = known.assumed.filter((one) => !LENS.test(one));
  return granted.length ? h("p", { class: "hint" }, text.table.granted(granted.join("; "))) : null;
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? "" : "."}`;

function failed(fault) {
  const unit = fault.advice.includes("unit");
  return [
    h("p", { class: "question" }, view.asked.reference === "auto" || unit ? text.table.nothing(unit) : sentence(fault.reason)),
    unit ? unitQuestion(view.finer, tellUnit) : advice(fault.advice, view.asked.reference),
    fault.again ? h("p", { class: "hint" }, text.table.keepsLooking) : null,
    h("details", {}, h("summary", {}, text.table.why), h("p", { class: "hint" }, sentence(fault.reason))),
    ...ways(true),
  ];
}

function advice(codes, reference) {
  const words = codes.map((code) => (code === "view" ? text.table.view[reference] : text.table.advice[code])).filter(Boolean);
  return words.length ? h("ul", { class: "advice" }, words.map((one) => h("li", {}, one))) : null;
}

const ways = (first) => [h("div", { class: "options" },
  button(view.trial ? text.table.correct : text.table.corners, openCorners, { class: first ? "main" : "", disabled: !store.camera.size_px, "data-key": "corners" }),
  button(text.table.again, lookFresh, { disabled: view.looking && view.tries < 2, "data-key": "again" }),
  button(text.table.choose, () => change({ mode: "choose" }), { "data-key": "choose" }))];

function chooseForm() {
  return [
    ...referenceForm(() => set({})),
    button(choice.reference === "points" ? text.table.tapPoints : text.table.look, () => {
      if (choice.reference === "points") openPoints();
      else if (unfinished()) toast(text.table.bothSides, true);
      else look(request());
    }, { class: "main", "data-key": "look" }),
    back(),
  ];
}

function cornersForm() {
  return [
    h("h2", {}, text.table.corners),
    h("p", { class: "hint" }, text.table.cornersHint),
    sizeFields(),
    view.trial || store.calibration ? h("p", { class: "hint" }, text.table.keep) : null,
    button(text.table.useCorners, () => {
      const size = bySize();
      look({ reference: "corners", corners_px: view.handles, ...(size ? { size_mm: size } : view.trial ? { basis: view.trial.trial } : {}) });
    }, { class: "main", "data-key": "use" }),
    back(),
  ];
}

function pointsForm() {
  const enough = view.handles.length >= LEAST_POINTS;
  return [
    h("h2", {}, text.table.references.points),
    h("p", { class: "hint" }, text.table.pointsHint),
    h("ol", { class: "points" }, view.handles.map((_, index) => h("li", { class: "pointrow" },
      h("b", {}, text.table.point(index + 1)),
      ...[0, 1].map((axis) => field(axis ? text.table.up : text.table.across, h("input", {
        type: "number", step: "any", inputmode: "decimal", value: view.typed[index][axis], "data-key": `p-${index}-${axis}`,
        oninput: (event) => { view.typed[index][axis] = event.target.value; } })))))),
    button(text.table.addPoint, () => addPoint(cameraLayer().size.map((side) => side / 2)), { disabled: view.handles.length >= MOST_POINTS, "data-key": "addpoint" }),
    view.handles.length ? button(text.table.dropPoint, () => { view.handles.pop(); view.typed.pop(); set({}); }, { "data-key": "droppoint" }) : null,
    button(text.table.usePoints, () => {
      const points = view.handles.map((px, index) => ({ px, mm: view.typed[index].map(Number) }));
      if (view.typed.some((pair) => pair.includes(""))) toast(text.table.allPoints, true);
      else look({ reference: "points", points });
    }, { class: "main", disabled: !enough, "data-key": "use" }),
    back(),
  ];
}

const sizeFields = () => h("div", { class: "pair" }, [0, 1].map((axis) => field(axis ? text.table.depth : text.table.width, h("input", {
  type: "number", min: 1, step: "any", inputmode: "decimal", value: view.size[axis], "data-key": axis ? "depth" : "width",
  oninput: (event) => { view.size[axis] = event.target.value; } }))));

const bySize = () => (view.size[0] && view.size[1] ? view.size.map(Number) : null);

const back = () => button(text.cancel, () => {
  change({ mode: null, handles: [] });
  if (view.fault?.again) look(view.asked, view.tries + 1);
}, { class: "quiet", "data-key": "cancel" });

function change(patch) {
  turn += 1; // what is still being looked for comes too late
  Object.assign(view, { looking: false }, patch);
  set({});
}

function openCorners() {
  change({ mode: "corners", handles: startCorners() });
}

function openPoints() {
  change({ mode: "points", handles: [], typed: [], trial: null, fault: null });
}

function addPoint(px) {
  if (view.handles.length >= MOST_POINTS) return;
  view.handles.push(px);
  view.typed.push(view.handles.length === 1 ? ["0", "0"] : ["", ""]);
  set({});
}

function tellUnit(unit) {
  view.finer = true;
  choice.unit = unit === "cm" || unit === "inch" ? unit : "";
  look({ ...view.asked, reference: "ruler", unit });
}

// Whoever asks for another look can wait for everything in view to be held against each other.
const lookFresh = () => look(["auto", "corners", "points"].includes(view.asked.reference) ? { reference: "auto" } : view.asked);

async function look(body, tries = 0) {
  const mine = ++turn;
  const kept = tries > 0 ? { fault: view.fault } : { fault: null, trial: body.basis ? view.trial : null, finer: view.finer && body.unit !== undefined };
  if (tries === 0 && body.reference !== "corners" && body.reference !== "points") Object.assign(view, { mode: null, handles: [] });
  Object.assign(view, { looking: true, asked: body, tries, ...kept });
  set({});
  const answer = await post("/api/calibrate/try", body).catch((error) => ({ ok: false, refused: true, reason: error.message, advice: [] }));
  if (mine !== turn) return;
  view.looking = false;
  if (answer.ok) Object.assign(view, { mode: null, trial: answer, fault: null, finer: false, handles: [] });
  else if (view.mode !== null) toast(answer.reason, true);
  else {
    const again = !answer.advice.includes("unit") && tries + 1 < MOST_TRIES && body.reference !== "corners";
    Object.assign(view, { trial: null, fault: { reason: answer.reason, advice: answer.advice, again } });
    if (again) setTimeout(() => lookAgain(mine), AGAIN_MS);
  }
  tellStatus();
  set({});
}

// Meanwhile somebody has put on a light, or moved the ruler into view.
function lookAgain(mine) {
  if (mine !== turn || store.tool !== "table") return;
  if (document.hidden) setTimeout(() => lookAgain(mine), AGAIN_MS);
  else look(view.asked, view.tries + 1);
}

// One sentence for who does not see the picture; the same one is not said twice.
function tellStatus() {
  const { trial, fault } = view;
  const words = trial
    ? [text.table.reference[trial.calibration.reference], typeof trial.calibration.sigma_mm.max === "number"
        ? text.table.within(2 * trial.calibration.sigma_mm.max, trial.calibration.size_mm !== null) : ""].join(" ")
    : fault ? [text.table.nothing(fault.advice.includes("unit")), ...fault.advice.map((code) => text.table.advice[code] ?? text.table.view[view.asked.reference])].join(" ") : "";
  if (live.textContent !== words) live.textContent = words;
}

async function accept() {
  try {
    const answer = await post("/api/calibrate/accept", { trial: view.trial.trial });
    set({ calibration: answer.calibration });
    leave();
  } catch (error) {
    toast(error.message, true);
    lookFresh();
  }
}

function startCorners() {
  const { size } = cameraLayer();
  if (view.trial?.corners_px) return view.trial.corners_px;
  const known = view.trial ? null : store.calibration;
  if (known && store.table.size_mm) {
    const [w, d] = store.table.size_mm;
    const px = [[0, 0], [w, 0], [w, d], [0, d]].map((place) => project(known, place));
    if (px.every((one) => one && one[0] > 0 && one[1] > 0 && one[0] < size[0] && one[1] < size[1])) return px;
  }
  const [w, d] = size;
  return [[0.15 * w, 0.85 * d], [0.85 * w, 0.85 * d], [0.75 * w, 0.2 * d], [0.25 * w, 0.2 * d]];
}
