// A tapped figure: who it is, and how to put right what the camera got wrong.

import { byHand, handPanel } from "./byhand.js";
import { send, stepping } from "./options.js";
import { button, field, h, s } from "./dom.js";
import { flip, toolLayer } from "./map.js";
import { figure, set, store } from "./store.js";
import { kindName, nameOf, sides } from "./teams.js";
import { text } from "./text.js";

let mode = null; // null, "who", "someone", "correct", "move"
let draft = null;
let ghost = null;
let turn = 0; // counts what was begun: an answer to what was left meanwhile ends nothing

/** A key that changes when the panel has to be drawn anew. */
export function sheetKey() {
  const one = store.selected === null ? null : figure(store.selected);
  // Not the position: a form must not be redrawn under somebody's finger.
  return JSON.stringify([mode, draft, ghost !== null, store.selected, one?.state, one?.seen, one?.side, store.facts.names, store.facts.equipment, store.facts.enlisted, store.ruleset?.id]);
}

/** What the panel shows of the selected figure. */
export function sheetPanel(optionParts) {
  const one = figure(store.selected);
  if (!one) return [button(text.close, unselect, { class: "quiet" })];
  const head = h("div", { class: "sheethead" },
    h("h2", {}, nameOf(one.figure_id)),
    h("p", { class: "hint" }, [kindName(one.figure_id), text.states[one.state], text.seen[one.seen], weaponsOf(one.figure_id)].filter(Boolean).join("; ")),
    button(text.close, unselect, { class: "pill", "data-key": "close" }));
  const body = { who: whoForm, someone: someoneList, correct: correctPanel, move: movePanel }[mode];
  if (body) return [head, ...body(one), button(text.back, () => open(null), { class: "quiet", "data-key": "back" })];
  if (stepping()) return [head, ...optionParts];
  if (byHand()) return [head, ...optionParts, ...handPanel(one), button(text.sheet.who, () => open("who"), { "data-key": "who" })];
  return [head, ...optionParts, h("div", { class: "options small" },
    button(text.sheet.who, () => open("who"), { "data-key": "who" }),
    button(text.sheet.correct, () => open("correct"), { "data-key": "correct" }),
    button(text.sheet.isSomeone, () => open("someone"), { "data-key": "someone" }))];
}

/** A tap or drag on the map while a figure is being moved. */
export function tapSheet(hit) {
  if (mode !== "move" || !hit.mm) return false;
  ghost = hit.mm;
  set({});
  return true;
}

/** Dragging the selected figure moves its ghost. */
export function dragSheet(hit) {
  if (hit.figure_id === null || hit.figure_id !== store.selected) return null;
  return {
    move: (mm) => {
      turn += 1;
      mode = "move";
      ghost = mm;
      drawSheet();
    },
    end: (mm) => {
      ghost = mm;
      set({});
    },
  };
}

/** Arrow keys nudge the ghost. */
export function keySheet(event) {
  const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
  if (mode !== "move" || !by) return false;
  const from = ghost ?? figure(store.selected)?.position_mm;
  const far = event.shiftKey ? 10 : 1;
  ghost = [from[0] + by[0] * far, from[1] + by[1] * far];
  set({});
  return true;
}

/** The ghost on the map. */
export function drawSheet() {
  const { layer, scale } = toolLayer();
  const one = store.selected === null ? null : figure(store.selected);
  if (mode !== "move" || ghost === null || !one) {
    layer.replaceChildren();
    return;
  }
  const half = one.base.size_mm / 2;
  const [x, y] = one.position_mm;
  layer.replaceChildren(
    s("path", { class: "length", d: `M${x} ${flip(y)}L${ghost[0]} ${flip(ghost[1])}` }),
    s("rect", { class: "ghost", x: ghost[0] - half, y: flip(ghost[1]) - half, width: 2 * half, height: 2 * half }),
    s("circle", { class: "end", cx: ghost[0], cy: flip(ghost[1]), r: 3 * scale }));
}

/** Forget what was begun with another figure. */
export function open(next) {
  turn += 1;
  mode = next;
  ghost = null;
  draft = null;
  set({});
}

// Tell the referee, and end what was begun unless something else is by then; whether that was so.
async function done(action) {
  const mine = turn;
  if (!(await send(action)) || mine !== turn) return false;
  open(null);
  return true;
}

function unselect() {
  turn += 1;
  mode = null;
  ghost = null;
  set({ selected: null, looked: null });
}

const weaponWords = (value) => store.ruleset?.equipment.find(([item]) => item === value)?.[1] ?? value;
const weaponsOf = (id) => (store.facts.equipment[id] ?? []).map(weaponWords).join(", ");

function whoForm(one) {
  const id = one.figure_id;
  draft ??= { side: one.side, items: [...(store.facts.equipment[id] ?? [])] };
  const name = h("input", { type: "text", maxlength: 40, value: store.facts.names[id] ?? "", autocomplete: "off" });
  const equipment = store.ruleset?.equipment ?? [];
  // From the draft as it is when tapped: a second tap may come before the first is drawn.
  const change = (patch) => () => {
    draft = { ...draft, ...patch(draft) };
    set({});
  };
  return [
    h("h3", {}, text.sheet.side),
    h("div", { class: "options small" }, [...sides(), null].map((side) =>
      button(side === null ? text.sheet.nobody : text.side(side), change(() => ({ side })),
        { "aria-pressed": String(draft.side === side), "data-side": side ?? "", "data-key": `s-${side}` }))),
    equipment.length ? h("h3", {}, text.sheet.weapons, ": ", draft.items.map(weaponWords).join(", ") || text.sheet.noWeapons) : null,
    equipment.length ? h("div", { class: "options small" },
      equipment.map(([value, words]) => button(text.sheet.add(words), change(({ items }) => ({ items: [...items, value].slice(0, 8) })), { "data-item": value, "data-key": `i-${value}` })),
      button(text.sheet.clear, change(() => ({ items: [] })), { "data-key": "i-" })) : null,
    field(text.sheet.name, name),
    button(text.sheet.save, () => done({ kind: "assign", figure_id: id, side: draft.side, items: draft.side === null ? [] : draft.items,
      ...(name.value.trim() && draft.side !== null ? { value: name.value.trim() } : {}) }), { class: "main", "data-key": "save" }),
  ];
}

function someoneList(one) {
  const ids = [...new Set([...Object.keys(store.facts.names), ...store.table.figures.map((other) => other.figure_id)])];
  return [
    h("p", { class: "hint" }, text.sheet.isWho),
    h("div", { class: "options small" }, ids.filter((id) => id !== one.figure_id).map((id) =>
      button(nameOf(id), async () => {
        if (await done({ kind: "identify", figure_id: one.figure_id, target_id: id })) set({ selected: id });
      }, { "data-key": `w-${id}` }))),
  ];
}

function correctPanel(one) {
  const told = (value) => () => done({ kind: "correct", figure_id: one.figure_id, value });
  return [h("div", { class: "options small" },
    button(text.sheet.move, () => open("move"), { "data-key": "move" }),
    button(text.sheet.stand, told("standing"), { "data-key": "stand" }),
    button(text.sheet.lie, told("lying"), { "data-key": "lie" }))];
}

function movePanel(one) {
  return [
    h("p", { class: "hint" }, text.sheet.moveHint),
    h("button", { class: "main", type: "button", disabled: ghost === null, "data-key": "here",
      onclick: () => done({ kind: "correct", figure_id: one.figure_id, point_mm: ghost }) }, text.sheet.moveHere),
  ];
}
