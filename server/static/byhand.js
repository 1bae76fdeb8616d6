// Figures put and moved on the map by hand, where no camera looks.

import { send } from "./options.js";
import { closeDialog, openDialog } from "./dialog.js";
import { button, field, h, s } from "./dom.js";
import { flip, toolLayer } from "./map.js";
import { figure, set, store } from "./store.js";
import { sides } from "./teams.js";
import { text } from "./text.js";

const TURN_DEG = 45;

let adding = null; // what a tap on the map puts there: {side, label}
let usual = "minifig"; // what was put last
let drag = null; // a figure on its way: {id, mm}

/** Whether people, not a camera, say where figures stand. */
export const byHand = () => store.camera.by_hand === true;

/** A key that changes when the panel has to be drawn anew. */
export const handKey = () => JSON.stringify([adding, byHand(), store.table.figures.length > 0]);

/** Whether figures are being put. */
export const putting = () => adding !== null;

/** Leave what was begun. */
export function endPutting() {
  adding = null;
  drag = null;
  set({});
}

/** What the panel shows while figures are put. */
export function puttingPanel() {
  const choose = (patch) => () => {
    adding = { ...adding, ...patch };
    set({});
  };
  const chips = (values, key, words) => h("div", { class: "options small" }, values.map((value) =>
    button(words(value), choose({ [key]: value }), { "aria-pressed": String(adding[key] === value), "data-key": `${key}-${value}`, [`data-put-${key}`]: value ?? "" })));
  return [
    h("h2", {}, text.hand.put),
    h("p", { class: "hint", role: "status" }, text.hand.putHint),
    chips([...sides(), null], "side", (side) => (side === null ? text.sheet.nobody : text.side(side))),
    chips(Object.keys(text.hand.labels), "label", (label) => text.hand.labels[label]),
    button(text.hand.done, endPutting, { class: "main", "data-key": "putdone" }),
  ];
}

/** The button that begins it, when no figure is looked at; quieter where another way is offered first. */
export function putButton(second) {
  const begin = () => {
    adding = { side: sides()[0] ?? null, label: usual };
    set({});
  };
  const first = store.table.figures.length === 0;
  return byHand() ? button(text.hand.put, begin, { class: first && !second ? "main" : "quiet", "data-key": "put" }) : null;
}

/** Ask how large the table is. */
export function openSize() {
  const now = store.table.size_mm ?? [800, 600];
  const [width, depth] = now.map((mm) => h("input", { type: "number", min: 5, step: "any", inputmode: "decimal", value: mm / 10 }));
  const use = async () => {
    const numbers = [Number(width.value) * 10, Number(depth.value) * 10];
    if (await send({ kind: "table_size", numbers })) closeDialog();
  };
  openDialog(text.hand.size, h("p", { class: "hint" }, text.hand.sizeHint), field(text.hand.width, width), field(text.hand.depth, depth),
    button(text.ok, use, { class: "main", "data-key": "usesize" }));
}

/** A tap on the map while figures are put. */
export function tapHand(hit) {
  if (adding === null || !hit.mm || hit.figure_id !== null) return false;
  put(hit.mm, { ...adding });
  return true;
}

async function put(mm, { side, label }) {
  usual = label;
  const answer = await placed(mm, label);
  if (answer && side !== null) await send({ kind: "assign", figure_id: answer.figure_id, side, basis_seq: answer.seq });
}

/** Degrees in which a figure put there looks: across the table. */
export const facingAt = (mm) => (mm[1] > (store.table.size_mm?.[1] ?? 0) / 2 ? 270 : 90);

/** Put a new figure there; its id and the last line's number, or null. */
export async function placed(mm, label) {
  const answer = await send({ kind: "place", point_mm: mm, items: [`label=${label}`, `facing_deg=${facingAt(mm)}`] });
  const line = answer?.lines.find((one) => one.event.kind === "put_by_hand");
  return line ? { figure_id: line.event.figure_id, seq: answer.seq } : null;
}

/** Dragging a figure carries it. */
export function dragHand(hit) {
  if (!byHand() || hit.figure_id === null) return null;
  return {
    move: (mm) => {
      drag = { id: hit.figure_id, mm };
      drawHand();
    },
    end: async (mm) => {
      await send({ kind: "place", figure_id: hit.figure_id, point_mm: mm });
      drag = null;
      set({});
    },
    cancel: endPutting,
  };
}

/** Arrow keys carry the selected figure. */
export function keyHand(event, hit) {
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  const one = byHand() && hit.figure_id ? figure(hit.figure_id) : null;
  if (!by || !one) return false;
  const far = event.shiftKey ? 50 : 10;
  const [x, y] = one.position_mm;
  send({ kind: "place", figure_id: one.figure_id, point_mm: [x + by[0] * far, y + by[1] * far] });
  return true;
}

/** The way a figure is carried. */
export function drawHand() {
  if (drag === null) return false;
  const { layer, scale } = toolLayer();
  const one = figure(drag.id);
  if (!one) return false;
  const half = one.base.size_mm / 2;
  const [x, y] = one.position_mm;
  layer.replaceChildren(
    s("path", { class: "length", d: `M${x} ${flip(y)}L${drag.mm[0]} ${flip(drag.mm[1])}` }),
    s("rect", { class: "ghost", x: drag.mm[0] - half, y: flip(drag.mm[1]) - half, width: 2 * half, height: 2 * half }),
    s("circle", { class: "end", cx: drag.mm[0], cy: flip(drag.mm[1]), r: 3 * scale }));
  return true;
}

/** What can be done by hand to a figure that was tapped. */
export function handPanel(one) {
  const told = (more) => () => send({ kind: "place", figure_id: one.figure_id, ...more });
  const turn = (by) => () => {
    const now = figure(one.figure_id)?.facing_deg ?? 90;
    send({ kind: "place", figure_id: one.figure_id, items: [`facing_deg=${(now + by + 360) % 360}`] });
  };
  const lies = one.state === "lying";
  return [
    h("p", { class: "hint" }, text.hand.drag),
    h("div", { class: "options small" },
      button(text.hand.left, turn(TURN_DEG), { "data-key": "turnleft" }),
      button(text.hand.right, turn(-TURN_DEG), { "data-key": "turnright" }),
      button(lies ? text.hand.stand : text.hand.lie, told({ value: lies ? "standing" : "lying" }), { "data-key": "lie" }),
      button(text.hand.remove, async () => {
        if (await send({ kind: "remove", figure_id: one.figure_id }) && store.selected === one.figure_id) set({ selected: null, looked: null });
      }, { "data-key": "takeaway" })),
  ];
}
