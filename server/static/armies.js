// Which army each side plays, and figures that become what its list says by being tapped.

import { get, post } from "./api.js";
import { byHand, facingAt, placed } from "./byhand.js";
import { faultList, openBuilder, readFile } from "./builder.js";
import { toast } from "./dialog.js";
import { button, h } from "./dom.js";
import { send } from "./options.js";
import { freePlaces } from "./rows.js";
import { set, store } from "./store.js";
import { nameOf, sideClass, sides } from "./teams.js";
import { text } from "./text.js";

const PEOPLE = ["minifig", "playmobil"];
const NEWS_MS = 3000;

let side = null; // whose army is looked at; null while nobody looks
let game = 0; // number of the line its game began with
let entry = null; // index of the entry that figures are tapped for
let choosing = false; // another list is wanted
let known = null; // what the rules' lists may say, and the lists there are
let person = null; // what stands for a person on a table without a camera
let first = false; // a list was just chosen: figures are tapped for its first entry
let verdict = { of: "", told: null }; // what the rules say to the list that is played
let given = []; // figures that have become something, of which the news has not come back yet
let busy = false; // figures are being put one after another

/** Whether lists can be chosen now, and figures become what they say. */
export const hasArmies = () => Boolean(store.ruleset?.armies && store.state?.enlisting);

/** Whether they are what is wanted first: nobody is anything yet. */
export const armiesFirst = () => hasArmies() && Object.keys(store.facts.armies).length === 0 && Object.keys(store.facts.sides).length === 0;

/** Whether the armies are looked at; a new game begins without. */
export const armiesOpen = () => side !== null && hasArmies() && game === gameBegan();

/** A key that changes when the panel has to be drawn anew. */
export const armyKey = () => JSON.stringify([side, entry, choosing, first, known?.loaded, verdict.told, person, busy, store.selected, store.facts.armies, store.facts.enlisted, store.facts.names, store.table.figures.length > 0]);

/** What is being done with them: a panel of another kind begins at its top. */
export const armyMode = () => (armiesOpen() ? `${side} ${Boolean(store.facts.armies[side]) && !choosing}` : "");

/** Leave the armies. */
export function closeArmies() {
  if (side === null) return;
  side = null;
  entry = null;
  set({ selected: null });
}

/** The button that opens them, while no figure is looked at. */
export const armyButton = () => (hasArmies()
  ? button(text.army.title, () => openArmies(), { class: armiesFirst() ? "main" : "quiet", "data-key": "armies" }) : null);

const gameBegan = () => store.began.at(-1) ?? 0;

async function openArmies(of) {
  side = of ?? sides().find((one) => !store.facts.armies[one]) ?? sides()[0];
  game = gameBegan();
  entry = null;
  choosing = false;
  set({ selected: null });
  await load();
}

async function load() {
  const id = store.ruleset.id;
  const found = await get(`/api/armies/${id}`).catch(() => null);
  if (found === null) return toast(text.errors.network, true);
  known = { ...found, ruleset: id, loaded: (known?.loaded ?? 0) + 1 };
  set({});
}

/** What the panel shows. */
export function armyPanel() {
  const army = store.facts.armies[side];
  return [
    h("h2", {}, text.army.title),
    h("div", { class: "options small" }, sides().map((one) =>
      button([h("b", {}, text.side(one)), h("span", { class: "sub" }, store.facts.armies[one]?.name || (store.facts.armies[one] ? text.army.unnamed : text.army.none))],
        () => openArmies(one), { class: `sidechip ${sideClass(one)}`, "aria-pressed": String(one === side), "data-army-side": one, "data-key": `as-${one}` }))),
    ...(known?.ruleset !== store.ruleset.id ? [h("p", { class: "hint" }, text.army.loading)] : army && !choosing ? playing(army) : lists()),
    // Once a side is complete and nobody is next, it stands above already.
    army && !choosing && finished(army) ? null : button(text.army.done, closeArmies, { class: "quiet", "data-key": "armiesdone" }),
  ];
}

function lists() {
  const offers = (found, words) => found.map(({ key, army, told }) =>
    button([h("b", {}, army.name || key), h("span", { class: "sub" }, [words, text.army.size(told)].filter(Boolean).join(" · "), told.errors.length ? ` ${text.army.faults(told.errors.length)}` : "")],
      () => choose(army), { class: "main", "data-army": key, "data-key": `l-${words}-${key}` }));
  const saved = offers(known.saved, text.army.saved);
  return [
    h("p", { class: "hint" }, text.army.chooseHint(text.side(side))),
    h("div", { class: "options" }, offers(known.ready, ""), saved),
    h("div", { class: "options small" },
      button(text.army.build, () => build({ name: "", figures: [], options: {} }), { "data-key": "build" }),
      filePicker(),
      choosing ? button(text.back, () => { choosing = false; set({}); }, { "data-key": "keep" }) : null),
  ];
}

function filePicker() {
  const input = h("input", { type: "file", accept: ".toml,.json,application/json,text/plain", class: "visuallyhidden", tabindex: -1, "aria-hidden": "true", onchange: async () => {
    const army = input.files[0] ? await readFile(store.ruleset.id, input.files[0]) : null;
    if (army) build(army);
  } });
  return [button(text.army.file, () => input.click(), { "data-key": "file" }), input];
}

function build(army) {
  openBuilder({ ruleset: store.ruleset.id, kinds: known.kinds, army, side, saved: known.saved.map(({ key, army: { name, figures } }) => ({ key, name, figures })), choose, changed: load });
}

/** The side plays that list; whether it was taken. */
async function choose(army) {
  const answer = await post("/api/armies", { side, army, basis_seq: store.seq }).catch((error) => toast(error.rule ? `${error.message} (${error.rule})` : error.message, true));
  if (!answer) return false;
  choosing = false;
  first = true;
  set({});
  return true;
}

// Points and faults of the list that is played, by what was agreed for the game.
function judged(army) {
  const of = JSON.stringify([store.ruleset.id, store.state.options, army]);
  if (verdict.of !== of) {
    verdict = { of, told: null };
    post(`/api/armies/${store.ruleset.id}/reckon`, { army: { name: army.name, figures: army.entries } }).then((told) => {
      if (verdict.of === of) verdict = { of, told };
      set({});
    }).catch(() => null); // the list is played all the same
  }
  return verdict.told;
}

function playing(army) {
  const rows = army.entries;
  const told = judged(army);
  if (first || (entry !== null && (entry >= rows.length || room(entry) <= 0))) entry = next();
  first = false;
  const left = leftOf(army);
  const chosen = entry === null ? null : kindOf(rows[entry]);
  const standing = missing();
  const hint = left === 0 ? text.army.full(text.side(side))
    : entry === null ? (store.selected ? text.army.whichEntry(nameOf(store.selected)) : text.army.tapEntry)
      : chosen.label === "terrain" ? text.army.tapPiece(words(rows[entry])) : byHand() ? text.army.tapMap(words(rows[entry])) : text.army.tapFigure(words(rows[entry]));
  return [
    h("p", { class: "hint", role: "status" }, hint),
    standing.length && byHand() ? button(text.army.putRest(standing.length), putRest, { class: "main", disabled: busy, "data-key": "putrest" }) : null,
    left === 0 ? forward(army) : null,
    h("div", { class: "options entries" }, rows.map((one, index) => row(one, index))),
    chosen && byHand() && PEOPLE.includes(chosen.label) ? people(chosen) : null,
    told ? h("div", { class: "judged" }, h("p", { class: "hint" }, text.army.size(told)), faultList(told.errors)) : null,
    h("div", { class: "options small" },
      button(text.army.change, () => build({ name: army.name, figures: army.entries, options: {} }), { "data-key": "change" }),
      button(text.army.another, () => { choosing = true; set({}); }, { "data-key": "another" })),
  ];
}

// Once a side is complete, what is wanted next stands first.
function forward(army) {
  const enough = finished(army);
  const other = unarmed();
  return [
    enough ? button(text.army.done, closeArmies, { class: "main", "data-key": "armiesdone" }) : null,
    other ? button(text.army.now(text.side(other)), () => openArmies(other), { class: enough ? "" : "main", "data-key": "otherside" }) : null,
  ];
}

const leftOf = (army) => army.entries.reduce((sum, _, index) => sum + Math.max(0, room(index)), 0);
const unarmed = () => sides().find((one) => one !== side && !store.facts.armies[one]);
const finished = (army) => leftOf(army) === 0 && (Object.keys(store.facts.armies).length > 1 || !unarmed());

function row(one, index) {
  const have = one.count - room(index);
  const names = Object.entries(store.facts.enlisted).filter(([, is]) => is.side === side && is.entry === index).map(([id]) => nameOf(id));
  return button([
    h("b", {}, words(one)),
    h("span", { class: "sub" }, [detail(one), text.army.have(have, one.count)].filter(Boolean).join(" · ")),
    names.length && one.count <= 4 ? h("span", { class: "sub" }, `${text.army.are} ${names.join(", ")}`) : null,
  ], () => pick(index), { class: have === one.count ? "entry full" : "entry", "aria-pressed": String(index === entry), "data-entry": index, "data-key": `e-${index}` });
}

const people = (kind) => h("div", { class: "options small" }, PEOPLE.map((label) =>
  button(text.hand.labels[label], () => { person = label; set({}); }, { "aria-pressed": String((person ?? kind.label) === label), "data-put-label": label, "data-key": `pl-${label}` })));

// An entry was tapped: a figure that was tapped before becomes it at once.
function pick(index) {
  const figure = store.selected;
  entry = index;
  set({ selected: null });
  if (figure !== null) enlist(figure, index);
}

/** A tap on the map or the picture. */
export function tapArmy(hit) {
  const army = store.facts.armies[side];
  if (!army || choosing || busy) return;
  if (entry !== null && entry >= army.entries.length) entry = null; // the list was changed elsewhere
  const piece = entry !== null && kindOf(army.entries[entry]).label === "terrain";
  const id = piece ? hit.terrain_id : hit.figure_id;
  if (id && entry !== null) enlist(id, entry);
  else if (hit.figure_id && !piece) set({ selected: hit.figure_id === store.selected ? null : hit.figure_id });
  else if (entry !== null && !piece && byHand() && hit.mm) put(hit.mm, entry);
  else toast(entry === null ? text.army.tapEntry : piece ? text.army.tapPiece(words(army.entries[entry])) : text.army.noFigure, true);
}

async function enlist(id, index, basis) {
  const whose = side;
  const answer = await send({ kind: "enlist", side: whose, figure_id: id, numbers: [index], ...(basis ? { basis_seq: basis } : {}) });
  if (answer) given.push({ id, side: whose, index, at: performance.now() });
  return answer;
}

function labelOf(index) {
  const { label } = kindOf(store.facts.armies[side].entries[index]);
  return PEOPLE.includes(label) ? person ?? label : label;
}

async function put(mm, index) {
  const answer = await placed(mm, labelOf(index));
  if (!answer) return null;
  const enlisted = await enlist(answer.figure_id, index, answer.seq);
  // Nobody's figure is of no use where one of the list was wanted.
  if (!enlisted) await send({ kind: "remove", figure_id: answer.figure_id, basis_seq: answer.seq });
  return enlisted;
}

// Everybody who is not there yet, in rows along the side's own edge: one wish, taken back at once.
async function putRest() {
  const wanted = missing();
  const places = freePlaces(sides().indexOf(side), wanted.length);
  const figures = places.map((mm, i) => ({ entry: wanted[i], point_mm: mm, label: labelOf(wanted[i]), facing_deg: facingAt(mm) }));
  const whose = side;
  if (figures.length) {
    busy = true;
    set({});
    const answer = await post("/api/armies/muster", { side: whose, figures, basis_seq: store.seq }).catch((error) => toast(error.rule ? `${error.message} (${error.rule})` : error.message, true));
    busy = false;
    for (const { event } of (answer?.lines ?? []).filter((line) => line.event.kind === "enlisted")) {
      given.push({ id: event.figure_id, side: whose, index: event.values.find(([name]) => name === "entry")[1], at: performance.now() });
    }
  }
  if (wanted.length > places.length) toast(text.army.noRoom, true);
  set({});
}

// Entries whose figures are not there, each as often as it is missing; terrain has to be drawn.
const missing = () => store.facts.armies[side].entries.flatMap((one, index) =>
  (kindOf(one).label === "terrain" ? [] : Array(Math.max(0, room(index))).fill(index)));

function room(index) {
  given = given.filter((one) => !store.facts.enlisted[one.id] && performance.now() - one.at < NEWS_MS);
  return store.facts.armies[side].entries[index].count
    - Object.values(store.facts.enlisted).filter((one) => one.side === side && one.entry === index).length
    - given.filter((one) => one.side === side && one.index === index).length;
}

function next() {
  const { entries } = store.facts.armies[side];
  const piece = entries.findIndex((one, index) => kindOf(one).label === "terrain" && room(index) > 0);
  return missing()[0] ?? (piece < 0 ? null : piece);
}

const kindOf = (one) => known.kinds.find((kind) => kind.value === one.kind) ?? known.kinds[0];
const words = (one) => one.name || kindOf(one).words;

function detail(one) {
  const kind = kindOf(one);
  return text.army.holds(one, kind, Boolean(one.name));
}
