// Terrain drawn, moved and deleted on the map.

import { send } from "./options.js";
import { toast } from "./dialog.js";
import { button, field, h, s } from "./dom.js";
import { flip, points, toolLayer } from "./map.js";
import { set, store } from "./store.js";
import { pieceName } from "./teams.js";
import { text } from "./text.js";

const MM = { plates: 3.2, bricks: 9.6, mm: 1 };
const LEAST_MM = 4;

let mode = null; // null, "rectangle", "polygon", "stairs", "form"
let piece = null; // the piece being made or changed
let outline = [];
let unit = "bricks";
let placeOpen = false; // the numbers stay unfolded while the form is drawn anew
let boxFault = null; // why the place and size as typed are none
let dragged = 0; // numbers being typed must not be redrawn, those of a piece that was dragged must
let typed = null; // what stands in the height field since the unit was chosen

/** A key that changes when the panel has to be drawn anew. */
export const terrainKey = () => JSON.stringify([mode, piece?.terrain_id, outline.length > 2, outline.length === 1, unit, piece?.marks.length, dragged, store.facts.terrain.length]);

/** Leave whatever was begun. */
export function closeTerrain() {
  mode = null;
  piece = null;
  outline = [];
  set({});
}

/** What the tools are doing: a panel of another kind begins at its top. */
export const terrainMode = () => mode ?? "";

/** A tap on the map. */
export function tapTerrain(hit) {
  if (mode === "polygon" && hit.mm) {
    outline.push(hit.mm);
    set({});
    return;
  }
  if (mode === "rectangle" || mode === "stairs") {
    tapCorner(hit.mm);
    return;
  }
  const found = store.facts.terrain.find((one) => one.terrain_id === hit.terrain_id);
  if (found) edit(structuredClone(found));
}

// Two corners tapped make a box as well as a drag does.
function tapCorner(mm) {
  if (!mm) return;
  if (outline.length === 1) boxed(box(outline[0], mm));
  else outline = [mm];
  set({});
}

/** A drag on the map: draws a box, or moves the piece being changed. */
export function dragTerrain(hit) {
  if (mode === "rectangle" || mode === "stairs") {
    return {
      move: (mm) => {
        outline = box(hit.mm, mm);
        drawTerrainTool();
      },
      end: (mm) => boxed(box(hit.mm, mm)),
    };
  }
  if (mode === "form" && hit.terrain_id === piece.terrain_id) {
    const start = structuredClone(piece);
    return {
      move: (mm) => {
        piece = moved(start, mm[0] - hit.mm[0], mm[1] - hit.mm[1], piece);
        drawTerrainTool();
      },
      end: () => {
        dragged += 1;
        set({});
      },
    };
  }
  return null;
}

/** What is being drawn. */
export function drawTerrainTool() {
  const { layer, scale } = toolLayer();
  const shown = mode === "form" ? piece.footprint_mm : outline;
  const parts = shown.length > 1 ? [s("polygon", { class: "draft", points: points(shown) })] : [];
  for (const mark of piece?.marks ?? []) parts.push(s("polygon", { class: "draft mark", points: points(mark.footprint_mm) }));
  for (const [x, y] of shown) parts.push(s("circle", { class: "end", cx: x, cy: flip(y), r: 4 * scale }));
  layer.replaceChildren(...parts);
}

/** What the panel shows. */
export function terrainPanel() {
  if (mode === "form") return form();
  if (mode === "rectangle" || mode === "stairs") {
    return [h("h2", {}, text.terrain.title), h("p", { class: "hint", role: "status" }, outline.length === 1 ? text.terrain.otherCorner : mode === "stairs" ? text.terrain.stairsHint : text.terrain.rectangleHint), cancel()];
  }
  if (mode === "polygon") {
    return [h("h2", {}, text.terrain.title), h("p", { class: "hint", role: "status" }, text.terrain.polygonHint),
      button(text.terrain.finish, () => edit(fresh(outline)), { class: "main", disabled: outline.length < 3, "data-key": "finish" }), cancel()];
  }
  return [
    h("h2", {}, text.terrain.title),
    h("p", { class: "hint" }, text.terrain.hint),
    h("div", { class: "options" },
      button(text.terrain.rectangle, () => start("rectangle"), { class: "main", "data-key": "rectangle" }),
      button(text.terrain.polygon, () => start("polygon"), { class: "main", "data-key": "polygon" }),
      button(text.terrain.numbers, () => edit(fresh(box([50, 50], [130, 66]))), { "data-key": "numbers" })),
    h("div", { class: "chips" }, store.facts.terrain.map((one) =>
      button(`${pieceName(one.terrain_id)}, ${text.terrain.high(one.height_mm)}`, () => edit(structuredClone(one)), { class: "chip", "data-key": `p-${one.terrain_id}` }))),
    generalOptions(),
  ];
}

let generalOptions = () => null;

/** Options of the game that belong to no figure are shown below the terrain tools. */
export function alsoShow(panel) {
  generalOptions = panel;
}

const cancel = () => button(text.cancel, closeTerrain, { class: "quiet", "data-key": "cancel" });

function start(next) {
  mode = next;
  outline = [];
  set({});
}

function edit(next) {
  piece = next;
  typed = null;
  boxFault = null;
  placeOpen = false;
  mode = "form";
  outline = [];
  unit = piece.lego ? (Math.abs(piece.height_mm / MM.bricks - Math.round(piece.height_mm / MM.bricks)) < 0.01 ? "bricks" : "plates") : "mm";
  set({});
}

function boxed(corners) {
  const wide = Math.abs(corners[1][0] - corners[0][0]);
  const deep = Math.abs(corners[2][1] - corners[1][1]);
  if (wide < LEAST_MM || deep < LEAST_MM) {
    toast(text.terrain.tooSmall, true);
    outline = [];
    set({});
  } else if (mode === "stairs") {
    piece = { ...piece, marks: [...piece.marks, { kind: "stairs", footprint_mm: corners }] };
    mode = "form";
    set({});
  } else edit(fresh(corners));
}

function form() {
  const kind = h("select", { "data-key": "kind", onchange: () => { piece.kind = kind.value; } },
    Object.entries(text.terrain.kinds).map(([value, words]) => h("option", { value, selected: value === piece.kind }, words)));
  const height = h("input", { type: "number", min: 0, step: "any", inputmode: "decimal", value: typed ?? tidy(piece.height_mm / MM[unit]), "data-key": "height",
    oninput: () => {
      typed = height.value;
      if (heightOk()) piece.height_mm = tidy(Number(typed) * MM[unit]);
    } });
  const standable = h("input", { type: "checkbox", checked: piece.standable, "data-key": "standable", onchange: () => { piece.standable = standable.checked; } });
  const lego = h("input", { type: "checkbox", checked: piece.lego, "data-key": "lego", onchange: () => { piece.lego = lego.checked; } });
  return [
    h("h2", {}, text.terrain.kinds[piece.kind] ?? piece.kind),
    h("p", { class: "hint" }, text.terrain.move),
    field(text.terrain.kind, kind),
    h("div", { class: "pair" }, field(text.terrain.height, height),
      h("div", { class: "options small" }, Object.keys(MM).map((name) =>
        button(text.terrain.units[name], () => chooseUnit(name), { "aria-pressed": String(unit === name), "data-key": `u-${name}` })))),
    h("label", { class: "check" }, standable, h("span", {}, text.terrain.standable)),
    h("label", { class: "check" }, lego, h("span", {}, text.terrain.lego)),
    h("div", { class: "options small" },
      button(text.terrain.addStairs, () => start("stairs"), { "data-key": "stairs" }),
      piece.marks.length ? button(text.terrain.clearStairs, () => { piece = { ...piece, marks: [] }; set({}); }, { "data-key": "nomarks" }) : null),
    piece.marks.length ? h("p", { class: "hint" }, text.terrain.marks(piece.marks.length)) : null,
    numbers(),
    h("div", { class: "options" },
      button(text.terrain.save, save, { class: "main", "data-key": "save" }),
      known() ? button(text.terrain.delete, remove, { class: "danger", "data-key": "delete" }) : null),
    cancel(),
  ];
}

function numbers() {
  const at = bounds(piece.footprint_mm);
  if (!at) return null;
  const inputs = {};
  const change = () => {
    const value = (name) => Number(inputs[name].value);
    const typed_ = Object.values(inputs).map((input) => input.value.trim());
    boxFault = typed_.includes("") || !(value("width") > 0 && value("depth") > 0) ? text.terrain.badBox : null;
    if (boxFault) return;
    piece = { ...piece, footprint_mm: box([value("x"), value("y")], [value("x") + value("width"), value("y") + value("depth")]) };
    drawTerrainTool();
  };
  for (const name of ["x", "y", "width", "depth"]) {
    inputs[name] = h("input", { type: "number", step: "any", inputmode: "decimal", value: tidy(at[name]), "data-key": `b-${name}`, oninput: change });
  }
  const details = h("details", { open: placeOpen, ontoggle: () => { placeOpen = details.open; } }, h("summary", {}, text.terrain.place),
    h("div", { class: "four" }, Object.entries(inputs).map(([name, input]) => field(text.terrain[name], input))));
  return details;
}

const heightOk = () => typed === null || (typed.trim() !== "" && Number(typed) >= 0);

// A number that was typed stays as typed; one that was only shown is the same height in another unit.
function chooseUnit(name) {
  unit = name;
  if (typed !== null && heightOk()) piece.height_mm = tidy(Number(typed) * MM[unit]);
  set({});
}

// A piece that lies beside the table could be neither seen nor tapped.
function offTable() {
  const size = store.table.size_mm;
  return size !== null && [0, 1].some((axis) => {
    const at = piece.footprint_mm.map((point) => point[axis]);
    return Math.min(...at) >= size[axis] || Math.max(...at) <= 0;
  });
}

const known = () => store.facts.terrain.some((one) => one.terrain_id === piece.terrain_id);

async function save() {
  if (!heightOk()) return toast(text.terrain.badHeight, true);
  if (boxFault ?? offTable()) return toast(boxFault ?? text.terrain.off, true);
  const body = { ...piece, footprint_mm: piece.footprint_mm.map(rounded), marks: piece.marks.map((mark) => ({ ...mark, footprint_mm: mark.footprint_mm.map(rounded) })) };
  await done({ kind: "terrain_set", terrain_id: piece.terrain_id, terrain: body });
}

const remove = () => done({ kind: "terrain_delete", terrain_id: piece.terrain_id });

// The form ends with the answer, unless another piece or tool was taken up meanwhile.
async function done(action) {
  const mine = piece;
  if (await send(action) && piece === mine && mode === "form") closeTerrain();
}

function fresh(footprint) {
  const used = new Set(store.facts.terrain.map((one) => one.terrain_id));
  let number = 1;
  while (used.has(`t${number}`)) number += 1;
  return { terrain_id: `t${number}`, kind: "wall", footprint_mm: footprint, height_mm: 28.8, standable: false, lego: true, marks: [] };
}

function moved(start_, dx, dy, now) {
  const by = (points_) => points_.map(([x, y]) => [x + dx, y + dy]);
  return { ...now, footprint_mm: by(start_.footprint_mm), marks: start_.marks.map((mark) => ({ ...mark, footprint_mm: by(mark.footprint_mm) })) };
}

function box([x0, y0], [x1, y1]) {
  const [l, r, b, t] = [Math.min(x0, x1), Math.max(x0, x1), Math.min(y0, y1), Math.max(y0, y1)];
  return [[l, b], [r, b], [r, t], [l, t]];
}

function bounds(corners) {
  if (corners.length !== 4) return null;
  const xs = [...new Set(corners.map((p) => tidy(p[0])))];
  const ys = [...new Set(corners.map((p) => tidy(p[1])))];
  if (xs.length !== 2 || ys.length !== 2) return null;
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, depth: Math.max(...ys) - y };
}

const tidy = (value) => Math.round(value * 100) / 100;
const rounded = ([x, y]) => [tidy(x), tidy(y)];
