// What may be done now, drawn from the options alone: this page knows no rules.

import { act } from "./api.js";
import { toast } from "./dialog.js";
import { button, field, h } from "./dom.js";
import { set, store } from "./store.js";
import { nameOf } from "./teams.js";
import { text } from "./text.js";

// The option being carried out, step by step: what has been chosen so far.
let step = null;

/** Send what was tapped, and say why not if refused. */
export async function send(action) {
  const mine = step;
  try {
    const answer = await act(action);
    // Whoever has begun something else meanwhile goes on with that.
    if (step === mine) step = null;
    set({ looked: null });
    return answer;
  } catch (error) {
    toast(error.rule ? `${error.message} (${error.rule})` : error.message, true);
    set({});
    return null;
  }
}

/** A key that changes when the panel has to be drawn anew. */
export const optionsKey = () => JSON.stringify([step, store.options, store.selected, store.facts.names]);

/** Whether a tap on a figure or place belongs to the option being carried out. */
export function tapOption(hit) {
  if (step === null || !stillOffered()) return false;
  const { option } = step;
  if (option.input === "figure" && hit.figure_id) {
    const target = option.targets.find((one) => one.figure_id === hit.figure_id);
    if (!target) return false;
    if (target.allowed) choose({ target_id: target.figure_id });
    else toast(target.text, true);
    return true;
  }
  if (option.input === "point" && hit.mm) {
    choose({ point_mm: hit.mm });
    return true;
  }
  return false;
}

/** Whether an option is being carried out. */
export const stepping = () => step !== null;

/** Give up the option being carried out. */
export function cancelStep() {
  step = null;
  set({ looked: null });
}

/** Buttons for everything that may be done. */
export function optionsPanel() {
  if (step !== null && !stillOffered()) step = null;
  if (step !== null) return stepPanel();
  const general = store.options.filter((option) => option.figure_id === null || answers(option));
  const own = store.options.filter((option) => option.figure_id !== null && option.figure_id === store.selected && !answers(option));
  const parts = [];
  // Said large already, a question is not asked twice.
  if (store.state?.question && store.said.at(-1)?.text !== store.state.question.text) parts.push(h("p", { class: "question" }, store.state.question.text));
  if (own.length) parts.push(h("div", { class: "options" }, own.map(offer)));
  // What asks back is rarely wanted, so it stands below and smaller.
  const rare = (option) => option.input === "confirm" || option.minor;
  const usual = general.filter((option) => !rare(option));
  if (usual.length) parts.push(h("div", { class: "options" }, usual.map(offer)));
  if (store.selected !== null) return parts;
  parts.push(actingFigures());
  if (general.some(rare)) parts.push(h("div", { class: "options small" }, general.filter(rare).map(offer)));
  return parts;
}

function actingFigures() {
  const ids = [...new Set(store.options.map((option) => option.figure_id).filter(Boolean))];
  if (!ids.length) return null;
  return h("div", { class: "acting" },
    h("p", { class: "hint" }, text.options.figures),
    h("div", { class: "chips" }, ids.map((id) =>
      button(nameOf(id), () => set({ selected: id, looked: null }), { class: "chip", "data-key": `a-${id}` }))));
}

function offer(option, index) {
  const key = `o-${option.kind}-${option.figure_id ?? ""}-${option.value ?? ""}-${index}`;
  const blocked = option.input === "figure" && !option.targets.some((target) => target.allowed);
  if (option.input === "show") return h("p", { class: "hint shown" }, !option.hint ? option.text : option.hint.startsWith(option.text) ? option.hint : [h("b", {}, option.text), " ", option.hint]);
  if (answers(option)) return answerButtons(option);
  const open = button(option.text, () => begin(option), { class: option.input === "confirm" || option.minor ? "" : "main", disabled: blocked, "data-key": key, "data-kind": option.kind });
  if (!blocked && !option.hint) return open;
  return h("div", { class: "blocked" }, open, option.hint ? h("p", { class: "hint" }, option.hint) : null, blocked ? notNow(option.targets) : null);
}

// The answers to the open question are one tap away.
const answers = (option) => option.input === "choice" && option.text === store.state?.question?.text;

const answerButtons = (option) => h("div", { class: "options", role: "group", "aria-label": option.text, "data-answers": option.kind }, option.choices.map(([value, words]) =>
  button(words, () => {
    step = { option, chosen: {} };
    choose({ value });
  }, { class: "main", "data-key": `c-${value}`, "data-value": value })));

function begin(option) {
  step = { option, chosen: {} };
  if (option.input === "tap") choose({});
  else set({});
}

function choose(more) {
  step = { option: step.option, chosen: { ...step.chosen, ...more }, ready: true };
  if (step.option.dice[0] > 0) set({});
  else finish([]);
}

function finish(dice) {
  const { option, chosen } = step;
  send({
    kind: option.kind,
    side: option.side,
    figure_id: option.figure_id,
    ...(option.value === null ? {} : { value: option.value }),
    ...chosen,
    ...(dice.length ? { dice } : {}),
  });
}

function stepPanel() {
  const { option, ready } = step;
  const cancel = button(text.cancel, cancelStep, { class: "quiet", "data-key": "cancel" });
  if (ready) return [h("h2", {}, option.text), dicePanel(option), cancel];
  const ask = {
    confirm: () => [h("p", { class: "question" }, text.options.sure), button(text.yes, () => choose({}), { class: "main", "data-key": "yes" })],
    choice: () => [h("div", { class: "options" }, option.choices.map(([value, words]) =>
      button(words, () => choose({ value }), { class: "main", "data-key": `c-${value}`, "data-value": value })))],
    figure: () => targets(option),
    point: () => [h("p", { class: "hint" }, text.options.tapPlace)],
    number: () => [numberForm()],
  }[option.input];
  return [h("h2", {}, option.text), option.hint ? h("p", { class: "hint" }, option.hint) : null, ...ask(), cancel];
}

function targets(option) {
  const allowed = option.targets.filter((target) => target.allowed);
  return [
    h("p", { class: "hint" }, text.options.target),
    h("div", { class: "options" }, allowed.map((target) =>
      button(words(target), () => choose({ target_id: target.figure_id }), {
        class: "main", "data-key": `x-${target.figure_id}`, "data-target": target.figure_id,
        onpointerenter: () => set({ looked: target.figure_id }), onfocus: () => set({ looked: target.figure_id }),
      }))),
    notNow(option.targets),
  ];
}

function words(target) {
  const name = nameOf(target.figure_id);
  return target.text.startsWith(name) ? [target.text] : [h("b", {}, name), " ", target.text];
}

function notNow(all) {
  const blocked = all.filter((target) => !target.allowed);
  if (!blocked.length) return null;
  return h("div", { class: "notnow" },
    h("p", { class: "hint" }, text.options.notNow),
    h("ul", {}, blocked.map((target) => h("li", {},
      button(words(target), () => set({ looked: target.figure_id }), { class: "link", "data-key": `n-${target.figure_id}` })))));
}

function dicePanel(option) {
  const [count, sides] = option.dice;
  const typed = Array.from({ length: count }, () => null);
  const rows = typed.map((_, i) => h("div", { class: "dice", role: "group", "aria-label": text.options.die(i + 1) },
    Array.from({ length: sides }, (_face, n) => button(String(n + 1), (event) => {
      typed[i] = n + 1;
      for (const other of event.target.parentElement.children) other.setAttribute("aria-pressed", String(other === event.target));
      if (typed.every((face) => face !== null)) finish(typed);
    }, { class: "die", "aria-pressed": "false", "data-die": n + 1, "data-key": `d-${i}-${n}` }))));
  return h("div", { class: "dicepanel" },
    h("p", { class: "question" }, option.dice_text),
    button(text.options.roll, () => finish([]), { class: "main", "data-key": "roll", "data-kind": "roll" }),
    h("p", { class: "hint" }, text.options.typed),
    rows);
}

function numberForm() {
  const input = h("input", { type: "number", step: "any", required: true, inputmode: "decimal" });
  return h("form", { onsubmit: (event) => {
    event.preventDefault();
    if (input.value !== "") choose({ numbers: [Number(input.value)] });
  } }, field(text.options.number, input), h("button", { class: "main" }, text.ok));
}

function stillOffered() {
  const { option } = step;
  const now = store.options.find((one) =>
    one.kind === option.kind && one.figure_id === option.figure_id && one.value === option.value && one.text === option.text);
  if (!now) return false;
  step.option = now;
  return true;
}
