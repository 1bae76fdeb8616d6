// Puts the parts of the page together.

import { connect } from "./api.js";
import { armiesFirst, armiesOpen, armyButton, armyKey, armyMode, armyPanel, closeArmies, tapArmy } from "./armies.js";
import { byHand, dragHand, drawHand, endPutting, handKey, keyHand, openSize, putButton, putting, puttingPanel, tapHand } from "./byhand.js";
import { drawCalibrate, calibrateKey, calibratePanel, onLeave, tapCalibrate, trying } from "./calibrate.js";
import { cameraLayer, drawCamera, mountCamera } from "./camera.js";
import { closeDialog, openDialog, toast } from "./dialog.js";
import { button, h, memo, replace } from "./dom.js";
import { openGame } from "./game.js";
import { drawMap, mountMap } from "./map.js";
import { clearMeasure, drawMeasure, measureKey, measurePanel, tapMeasure } from "./measure.js";
import { cancelStep, optionsKey, optionsPanel, send, stepping, tapOption } from "./options.js";
import { drawSaid, mountSaid, tell, voiceButton } from "./say.js";
import { dragSheet, drawSheet, keySheet, open, sheetKey, sheetPanel, tapSheet } from "./sheet.js";
import { lastTool, remember, set, store, subscribe, unmeasured } from "./store.js";
import { alsoShow, closeTerrain, dragTerrain, drawTerrainTool, tapTerrain, terrainKey, terrainMode, terrainPanel } from "./terrain.js";
import { sideClass } from "./teams.js";
import { text } from "./text.js";

const $ = (id) => document.getElementById(id);

const bar = { turn: h("h1", { id: "turn" }), camera: h("span", { id: "camerastate", class: "pill" }) };
$("bar").append(bar.turn, bar.camera, voiceButton(), button(text.menu, openMenu, { class: "pill", id: "menu" }));

mountMap($("map"), {
  tap: (hit) => {
    if (store.tool === "measure") tapMeasure(hit);
    else if (store.tool === "terrain") tapTerrain(hit);
    else if (armiesOpen()) tapArmy(hit);
    else if (!tapHand(hit) && !tapSheet(hit) && !tapOption(hit)) select(hit.figure_id);
  },
  drag: (hit) => {
    if (store.tool === "terrain") return dragTerrain(hit);
    return store.tool === "play" ? dragHand(hit) ?? (armiesOpen() ? null : dragSheet(hit)) : null;
  },
  key: (event, hit) => store.tool === "play" && (keyHand(event, hit) || keySheet(event)),
});
mountCamera($("camera"), {
  tap: (hit) => {
    if (store.tool === "measure") tapMeasure(hit);
    else if (store.tool === "table") tapCalibrate(hit);
    else if (store.tool === "play" && armiesOpen()) tapArmy(hit);
    else if (store.tool === "play" && !tapOption(hit)) select(hit.figure_id);
  },
  grid: () => store.tool === "table" && !trying(),
});
mountSaid($("said"));
alsoShow(() => (store.selected === null ? optionsPanel() : null));
onLeave(() => tool("play"));

const TOOLS = ["play", "measure", "terrain"];
const toolButtons = TOOLS.map((name) => button(text.tools[name], () => tool(name), { "data-tool": name }));
const undo = button(text.tools.undo, () => send({ kind: "undo" }), { "data-tool": "undo" });
const swap = button(text.tools.camera, () => set({ main: store.main === "map" ? "camera" : "map" }), { "data-tool": "swap" });
$("tools").append(...toolButtons, swap, undo);

// A button must not be replaced under a finger: the tap would be lost.
let pressed = false;
$("panel").addEventListener("pointerdown", () => { pressed = true; });
// The space bar presses until it is let go as well.
$("panel").addEventListener("keydown", (event) => { if (event.key === " ") pressed = true; });
for (const kind of ["pointerup", "pointercancel", "keyup", "blur"]) {
  window.addEventListener(kind, () => setTimeout(() => {
    pressed = false;
    set({});
  }, 0));
}

subscribe(drawBar);
subscribe((now) => drawMap(now));
subscribe((now) => drawCamera(now));
subscribe((now) => pressed || drawSaid(now.said, now.selected !== null || now.tool !== "play" || armiesOpen()));
subscribe(() => drawTool());
subscribe(() => pressed || drawWork(workKey()));
let moved = false;
// A new table has to be measured first; nobody should have to search for where.
let asked = false;
const before = lastTool();
subscribe((now) => {
  if (asked || !now.connected) return;
  asked = true;
  if (unmeasured()) tool("table");
  // Whoever was quicker than the connection has chosen already.
  else if (store.tool === "play" && before !== "play" && TOOLS.includes(before)) tool(before);
});
connect((said) => {
  tell(said);
  if (!$("work").contains(document.activeElement) || document.activeElement.tagName === "BUTTON") $("panel").scrollTop = 0;
});

function tool(name) {
  if (name === "terrain" && unmeasured()) return toast(text.terrain.unmeasured, true);
  cancelStep();
  closeTerrain();
  endPutting();
  closeArmies();
  if (name !== "measure") clearMeasure();
  set({ tool: name, selected: null, main: name === "table" ? "camera" : name === "terrain" ? "map" : store.main });
  remember();
}

function select(id) {
  open(null);
  cancelStep();
  set({ selected: id === store.selected ? null : id, looked: null });
  $("panel").scrollTop = 0;
}

function workKey() {
  const key = { measure: measureKey, terrain: terrainKey, table: calibrateKey }[store.tool];
  if (store.tool === "terrain") return ["terrain", key(), optionsKey()];
  if (!key && armiesOpen()) return ["army", armyKey()];
  return key ? [store.tool, key()] : ["play", armyKey(), store.state?.enlisting, store.state?.outcome, optionsKey(), sheetKey(), handKey(), store.state === null];
}

function drawTool() {
  if (store.tool === "measure") drawMeasure();
  else if (store.tool === "terrain") drawTerrainTool();
  else if (store.tool === "table") drawCalibrate();
  else if (!drawHand()) drawSheet();
  if (store.tool !== "measure" && store.tool !== "table") cameraLayer().layer.replaceChildren();
}

let shownPanel = "";
const drawWork = memo(() => {
  const panel = { measure: measurePanel, terrain: terrainPanel, table: calibratePanel }[store.tool] ?? playPanel;
  replace($("work"), panel());
  const now = `${store.tool} ${terrainMode()} ${putting()} ${armyMode()} ${stepping()}`;
  // Who has begun something sees how it goes on; the words above are known by then.
  if (now !== shownPanel) $("panel").scrollTop = stepping() ? $("work").offsetTop - 8 : 0;
  shownPanel = now;
});

function playPanel() {
  if (armiesOpen()) return armyPanel();
  if (store.selected !== null) return sheetPanel(optionsPanel());
  if (putting()) return puttingPanel();
  const options = optionsPanel();
  if (stepping()) return options;
  // What is wanted first stands first.
  const over = store.state?.outcome ? button(text.game.title, newGame, { class: "main", "data-key": "newgame" }) : null;
  const parts = (armiesFirst() ? [armyButton(), ...options, putButton(true)] : [over, ...options, armyButton(), putButton()]).filter(Boolean);
  if (store.state === null) {
    return [h("p", { class: "hint" }, text.noGameHint), button(text.game.title, newGame, { class: "main", "data-key": "newgame" }), ...parts];
  }
  return parts.length ? parts : [h("p", { class: "hint" }, text.options.tapFigure)];
}

function drawBar(now) {
  const { state } = now;
  const words = !now.connected && now.epoch === null ? text.loading
    : state === null ? text.noGame
      : state.outcome !== null ? text.over(state.outcome)
        : [state.active_side && text.side(state.active_side), state.phase && text.phase(state.phase), state.turn ? text.turn(state.turn) : ""]
            .filter(Boolean).join(" · ");
  if (bar.turn.textContent !== words) bar.turn.textContent = words;
  bar.turn.className = state?.active_side && state.outcome === null ? sideClass(state.active_side) : "";
  const camera = now.camera.state;
  if (Boolean(now.camera.moved) !== moved) {
    moved = Boolean(now.camera.moved);
    tell([{ level: "warn", text: moved ? text.camera.moved : text.camera.again }]);
  }
  const hand = camera === "live" && now.table.figures.length > 0 && !now.table.settled;
  bar.camera.textContent = hand ? text.map.unsettled : text.camera.short[camera] ?? camera;
  bar.camera.className = `pill camera ${camera}`;
  const bad = now.epoch !== null && !now.connected ? text.connection.lost
    : ["stale", "lost", "reconnecting"].includes(camera) ? text.camera[camera]
      : now.camera.dark ? text.camera.dark
      : now.camera.moved ? text.camera.moved : "";
  const said = bad || (now.camera.waiting ? text.camera.waiting : "");
  const banner = $("banner");
  banner.className = bad ? "" : "calm";
  if (banner.textContent !== said) banner.textContent = said;
  banner.hidden = said === "";
  document.body.dataset.main = now.main;
  document.body.dataset.tool = now.tool;
  document.body.dataset.work = armiesOpen() ? "army" : "";
  // Where nobody looks there is no picture to show.
  document.body.dataset.byhand = String(byHand());
  swap.disabled = now.tool === "table";
  undo.disabled = !undoes(now);
  swap.textContent = now.main === "map" ? text.tools.camera : text.tools.map;
  for (const element of toolButtons) element.setAttribute("aria-pressed", String(element.dataset.tool === now.tool));
}

// Whoever draws terrain does not mean to take back the last shot.
const undoes = ({ tool: name, undo: last }) => Boolean(last) && (name === "play" || (name === "terrain" && last.startsWith("terrain_")));

const newGame = () => openGame(() => tool("table"));

function openMenu() {
  const entry = (words, action) => button(words, () => { closeDialog(); action(); }, { class: "main" });
  openDialog(text.menu, h("div", { class: "options" },
    entry(text.game.title, newGame),
    entry(byHand() ? text.hand.size : text.table.title, () => (byHand() ? openSize() : tool("table"))),
    entry(text.about.title, () => openDialog(text.about.title, text.about.lines.map((line) => h("p", {}, line))))));
}
