// A list being made or changed: entries, what they hold, how many, and what the rules say to it.

import { post } from "./api.js";
import { closeDialog, openDialog, toast } from "./dialog.js";
import { button, field, h, replace } from "./dom.js";
import { text } from "./text.js";

const MOST = 200;
const WAIT_MS = 150;

let job = null; // what was asked for: rules, kinds, whose army, what to do with it
let draft = null;
let told = null; // points and errors of the draft as last heard
let unfolded = null; // index of the entry that is being changed
let turn = 0;
let body = null;

/** Open it on a list; `choose` is told the list that the side is to play. */
export function openBuilder(given) {
  job = given;
  draft = structuredClone({ name: given.army.name, figures: given.army.figures, options: given.army.options ?? {} });
  told = null;
  unfolded = draft.figures.length ? null : add();
  body = h("div", { class: "builder" });
  openDialog(text.army.builder, body);
  draw();
  ask();
}

/** The list in a file of the player's; null where it is none. */
export async function readFile(ruleset, file) {
  const contents = await file.text().catch(() => "");
  try {
    return (await post(`/api/armies/${ruleset}/read`, { text: contents })).army;
  } catch (error) {
    toast(error.message, true);
    return null;
  }
}

function draw() {
  const name = h("input", { type: "text", maxlength: 40, value: draft.name, autocomplete: "off", "data-key": "name", oninput: () => { draft.name = name.value; } });
  replace(body,
    field(text.army.name, name),
    h("ol", { class: "rows" }, draft.figures.map((one, index) => h("li", {}, head(one, index), index === unfolded ? form(one, index) : null))),
    button(text.army.add, addShown, { disabled: draft.figures.length >= MOST, "data-key": "addentry" }),
    h("div", { class: "verdict", role: "status", "aria-live": "polite" }, verdict()),
    h("div", { class: "options" }, button(text.army.use(text.side(job.side)), use, { class: "main", disabled: draft.figures.length === 0, "data-key": "use" })),
    h("div", { class: "options small" },
      button(text.army.save, save, { "data-key": "savearmy" }),
      button(text.army.download, download, { "data-key": "download" }),
      savedKey() ? button(text.army.delete, remove, { class: "danger", "data-key": "deletearmy" }) : null));
}

// Of several lists of one name, the one that was opened.
const savedKey = () => {
  const named = job.saved.filter((one) => one.name === draft.name);
  const opened = JSON.stringify(job.army.figures.map(contents));
  return (named.find((one) => JSON.stringify(one.figures.map(contents)) === opened) ?? named[0])?.key;
};

const contents = ({ name, kind, might, items, count: number }) => [name, kind, might, items, number];

function verdict() {
  if (told === null) return [h("p", { class: "hint" }, text.army.reckoning)];
  return [
    h("p", { class: "sum" }, text.army.size(told)),
    told.errors.length ? faultList(told.errors) : h("p", {}, h("span", { class: "sign", "aria-hidden": "true" }, "✓"), " ", text.army.legal),
  ];
}

/** What the rules hold against a list, each with its rule. */
export const faultList = (errors) => (errors.length
  ? h("ul", { class: "faults" }, errors.map((one) => h("li", {}, h("span", { class: "sign", "aria-hidden": "true" }, "×"), h("span", {}, one.text, one.rule ? ` (${one.rule})` : ""))))
  : null);

// Only what was said about the draft; a field that is being typed in stays as it is.
function drawVerdict() {
  const place = body?.querySelector(".verdict");
  if (place) place.replaceChildren(...verdict());
  for (const [index, one] of draft.figures.entries()) {
    const place_ = body?.querySelector(`[data-row="${index}"]`);
    if (place_) place_.replaceChildren(...headWords(one));
  }
}

const kindOf = (one) => job.kinds.find((kind) => kind.value === one.kind) ?? job.kinds[0];

function headWords(one) {
  const kind = kindOf(one);
  return [h("b", {}, `${one.count} × ${one.name || kind.words}`), h("span", { class: "sub" }, text.army.holds(one, kind, Boolean(one.name)))];
}

const head = (one, index) => button(headWords(one), () => { unfolded = unfolded === index ? null : index; draw(); },
  { class: "entry", "aria-expanded": String(index === unfolded), "data-row": index, "data-key": `row-${index}` });

function form(one, index) {
  const kind = kindOf(one);
  const pick = h("select", { "data-key": `kind-${index}`, onchange: () => { recast(one, pick.value); draw(); ask(); } },
    // Where a list says no kind, the first is meant.
    one.kind === "" || kind.value === one.kind ? null : h("option", { value: one.kind, selected: true }, `${one.kind}?`),
    job.kinds.map((other) => h("option", { value: other.value, selected: other.value === (one.kind || kind.value) }, other.words)));
  const name = h("input", { type: "text", maxlength: 40, value: one.name, autocomplete: "off", "data-key": `name-${index}`, oninput: () => { one.name = name.value; ask(); } });
  return h("div", { class: "entryform" },
    job.kinds.length > 1 ? field(text.army.kind, pick) : null,
    field(text.army.entryName, name),
    stepper(text.army.count, one.count, 1, MOST, `count-${index}`, (count) => { one.count = count; }),
    kind.amounts.map((amount) => amountField(one, amount, index)),
    things(one, kind, index),
    button(text.army.remove, () => { draft.figures.splice(index, 1); unfolded = null; draw(); ask(); }, { class: "danger", "data-key": `remove-${index}` }));
}

function stepper(words, now, least, most, key, change) {
  const to = (number) => () => { change(Math.min(most, Math.max(least, number))); draw(); ask(); };
  return h("div", { class: "stepper", role: "group", "aria-label": words }, h("span", {}, words),
    button("−", to(now - 1), { "aria-label": text.army.fewer(words), disabled: now <= least, "data-key": `${key}-less` }),
    h("output", {}, String(now)),
    button("+", to(now + 1), { "aria-label": text.army.more(words), disabled: now >= most, "data-key": `${key}-more` }));
}

function amountField(one, amount, index) {
  const now = amountOf(one, amount.key);
  const input = h("input", { type: "number", min: amount.least, max: amount.most, step: 1, inputmode: "numeric", value: now ?? "", "data-key": `a-${index}-${amount.key}`,
    oninput: () => { setAmount(one, amount.key, input.value === "" ? null : Math.round(Number(input.value))); ask(); } });
  return field(amount.words, input);
}

function things(one, kind, index) {
  if (!kind.things.length) return null;
  const several = kind.things.filter((thing) => thing.most > 1);
  const single = kind.things.filter((thing) => thing.most === 1);
  return [
    h("p", { class: "hint" }, text.army.things),
    single.length ? h("div", { class: "options small" }, single.map((thing) => {
      const on = one.items.includes(thing.value);
      return button(on ? `✓ ${thing.words}` : thing.words, () => { toggle(one, kind, thing, on); draw(); ask(); },
        { "aria-pressed": String(on), "data-thing": thing.value, "data-key": `t-${index}-${thing.value}` });
    })) : null,
    several.map((thing) => stepper(thing.words, count(one, thing.value), 0, thing.most, `t-${index}-${thing.value}`, (wanted) => {
      one.items = [...one.items.filter((item) => item !== thing.value), ...Array(wanted).fill(thing.value)];
    })),
  ];
}

const count = (one, value) => one.items.filter((item) => item === value).length;

function toggle(one, kind, thing, on) {
  const rivals = thing.group ? kind.things.filter((other) => other.group === thing.group).map((other) => other.value) : [thing.value];
  one.items = one.items.filter((item) => !rivals.includes(item));
  if (!on) one.items.push(thing.value);
}

const amountOf = (one, key) => (key === "might" ? one.might : one.items.find((item) => item.startsWith(`${key}=`))?.split("=")[1] ?? null);

function setAmount(one, key, number) {
  const wanted = number === null || !Number.isFinite(number) ? null : Math.max(0, number);
  if (key === "might") one.might = wanted;
  else one.items = [...one.items.filter((item) => !item.startsWith(`${key}=`)), ...(wanted === null ? [] : [`${key}=${wanted}`])];
}

// Of another kind, with what that one may hold, and what it usually says.
function recast(one, value) {
  one.kind = value;
  const kind = kindOf(one);
  const may = new Set(kind.things.map((thing) => thing.value));
  const keys = new Set(kind.amounts.map((amount) => amount.key));
  one.items = one.items.filter((item) => (item.includes("=") ? keys.has(item.split("=")[0]) : may.has(item)));
  if (!keys.has("might")) one.might = null;
  for (const amount of kind.amounts) if (amountOf(one, amount.key) === null) setAmount(one, amount.key, amount.usual);
  for (const thing of kind.things) {
    const rivals = kind.things.filter((other) => thing.group && other.group === thing.group).map((other) => other.value);
    if (rivals.length && !rivals.some((item) => one.items.includes(item))) one.items.push(rivals[0]);
  }
}

function add() {
  const one = { name: "", kind: "", might: null, items: [], count: 1 };
  recast(one, draft.figures.at(-1)?.kind ?? job.kinds[0].value);
  return draft.figures.push(one) - 1;
}

function addShown() {
  unfolded = add();
  draw();
  ask();
  const first = body.querySelector(`[data-row="${unfolded}"]`);
  first.focus();
  first.scrollIntoView({ block: "center" });
}

function ask() {
  const mine = ++turn;
  setTimeout(async () => {
    if (mine !== turn) return;
    const answer = await post(`/api/armies/${job.ruleset}/reckon`, { army: draft }).catch((error) => ({ figures: draft.figures.length, points: null, totals: {}, errors: [{ rule: error.rule, text: error.message }] }));
    if (mine !== turn) return;
    told = answer;
    drawVerdict();
  }, WAIT_MS);
}

async function use() {
  if (await job.choose(draft)) closeDialog();
}

async function save() {
  const answer = await post(`/api/armies/${job.ruleset}/save`, { army: draft }).catch((error) => toast(error.message, true));
  if (!answer) return;
  job.saved = [...job.saved.filter((one) => one.key !== answer.key), { key: answer.key, name: draft.name, figures: structuredClone(draft.figures) }];
  job.army = structuredClone(draft);
  toast(text.army.savedNow(draft.name));
  job.changed();
  draw();
}

async function remove() {
  const answer = await post(`/api/armies/${job.ruleset}/delete`, { key: savedKey() }).catch((error) => toast(error.message, true));
  if (!answer) return;
  closeDialog();
  job.changed();
}

async function download() {
  const answer = await post(`/api/armies/${job.ruleset}/reckon`, { army: draft }).catch((error) => toast(error.message, true));
  if (!answer) return;
  const url = URL.createObjectURL(new Blob([answer.toml], { type: "application/toml" }));
  h("a", { href: url, download: `${draft.name.trim() || text.army.unnamed}.toml` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
