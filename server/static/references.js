// What the table is measured by: the choice, and what each of them has to be told.

import { button, field, h } from "./dom.js";
import { text } from "./text.js";

const ORDER = ["auto", "studs", "ruler", "sheet", "markers", "points"];
const SHEETS = ["A4", "A3", "letter", "card", "other"];
const UNITS = ["", "cm", "inch"];
const SPACES = ["1", "5", "10", "1.5875", "3.175", "6.35", "12.7", "25.4"];

/** What somebody has chosen and typed so far. */
export const choice = { reference: "auto", sheet: "A4", unit: "", width: "", depth: "", long: "", short: "", square: "", pitch: "", counted: "", spanned: "" };

/** The form; `changed` is told when it must be drawn anew. */
export function referenceForm(changed) {
  const { reference } = choice;
  return [
    h("h2", {}, text.table.by),
    h("div", { class: "options small", role: "group", "aria-label": text.table.by }, ORDER.map((name) =>
      button(text.table.references[name], () => { choice.reference = name; changed(); },
        { "aria-pressed": String(reference === name), "data-key": `r-${name}`, "data-reference": name }))),
    h("p", { class: "hint" }, text.table.how[reference]),
    ...(parts[reference]?.(changed) ?? []),
  ];
}

/** Whether only one of two lengths that belong together is typed, or none where both are needed. */
export function unfinished() {
  const { reference, sheet } = choice;
  if (reference === "sheet") return sheet === "other" && !(choice.long && choice.short);
  const pairs = { studs: [choice.counted, choice.spanned], ruler: [choice.width, choice.depth] }[reference] ?? [];
  return pairs.filter(Boolean).length === 1;
}

/** What to ask the program for. */
export function request() {
  const { reference, sheet, unit } = choice;
  const body = { reference };
  const number = (value) => (value === "" ? null : Number(value));
  const pitch = number(choice.counted) && number(choice.spanned) ? Number((choice.spanned / choice.counted).toFixed(4)) : number(choice.pitch);
  if (reference === "studs" && pitch) body.stud_pitch_mm = pitch;
  if (reference === "sheet") body.sheet = sheet === "other" ? `${choice.long}x${choice.short}` : sheet;
  if (reference === "markers" && number(choice.square)) body.square_mm = number(choice.square);
  if (reference === "ruler") {
    if (unit) body.unit = unit;
    if (choice.width && choice.depth) body.size_mm = [number(choice.width), number(choice.depth)];
  }
  return body;
}

/** Buttons that answer which unit a ruler has; `told` gets the answer. */
export function unitQuestion(finer, told) {
  const answers = finer ? SPACES.map((mm) => [mm, text.table.spaces[mm]]) : UNITS.slice(1).map((one) => [one, text.table.units[one]]);
  return h("div", { class: "asked" },
    h("p", { class: "question" }, finer ? text.table.askSpace : text.table.askUnit),
    h("div", { class: "options small" }, answers.map(([value, words]) =>
      button(words, () => told(value), { "data-key": `u-${value}`, "data-unit": value }))));
}

const typed = (name, words) => field(words, h("input", {
  type: "number", min: 0.1, step: "any", inputmode: "decimal", value: choice[name], "data-key": `t-${name}`,
  oninput: (event) => { choice[name] = event.target.value; },
}));

function chosen(name, words, options, changed) {
  return field(words, h("select", { "data-key": `s-${name}`, value: choice[name],
    onchange: (event) => { choice[name] = event.target.value; changed(); } },
    options.map(([value, label]) => h("option", { value, selected: value === choice[name] }, label))));
}

const parts = {
  studs: () => [
    typed("pitch", text.table.pitch),
    h("p", { class: "hint" }, text.table.measured),
    h("div", { class: "pair" }, typed("counted", text.table.counted), typed("spanned", text.table.spanned)),
  ],
  ruler: (changed) => [
    chosen("unit", text.table.unit, UNITS.map((one) => [one, text.table.units[one]]), changed),
    h("div", { class: "pair" }, typed("width", text.table.optionalWidth), typed("depth", text.table.optionalDepth)),
  ],
  sheet: (changed) => [
    chosen("sheet", text.table.sheet, SHEETS.map((one) => [one, text.table.sheets[one]]), changed),
    choice.sheet === "other" ? h("div", { class: "pair" }, typed("long", text.table.long), typed("short", text.table.short)) : null,
  ],
  markers: () => [
    typed("square", text.table.square),
    h("p", {}, h("a", { href: "/api/board.pdf", target: "_blank", rel: "noopener", class: "boardlink" }, text.table.print)),
  ],
};
