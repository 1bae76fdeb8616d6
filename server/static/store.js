// What the page knows: folded from messages, and what its user has tapped.

const KEY = "minimarshal";
const KEPT = 200;

export const store = {
  connected: false,
  epoch: null,
  seq: 0,
  state: null,
  options: [],
  undo: null, // the kind of wish that would be taken back
  facts: { terrain: [], sides: {}, equipment: {}, names: {}, corrections: {}, identities: {}, armies: {}, enlisted: {} },
  ruleset: null,
  table: { t_ns: 0, size_mm: null, figures: [], terrain: [], settled: false, doubts: [] },
  calibration: null,
  camera: { state: "none" },
  heard: [], // every announcement that still counts
  began: [], // numbers of the lines that games began with
  said: [], // those of the running game
  tool: "play",
  main: "map",
  selected: null,
  looked: null, // a target whose shapes are shown
};

const listeners = new Set();
let planned = false;

/** Be told, once a frame, when something has changed. */
export function subscribe(listener) {
  listeners.add(listener);
}

/** Change what is known. */
export function set(patch) {
  Object.assign(store, patch);
  if (planned) return;
  planned = true;
  // Also in a background tab, where animation frames stop.
  setTimeout(() => {
    planned = false;
    for (const listener of listeners) listener(store);
  }, 0);
}

/** Begin from a snapshot; go on after the last line seen before a reload of the same game. */
export function begin(snapshot) {
  const kept = remembered();
  const same = Array.isArray(kept?.heard) && Array.isArray(kept.began) && kept.epoch === snapshot.epoch && kept.seq <= snapshot.seq;
  set({
    epoch: snapshot.epoch,
    state: snapshot.state,
    options: snapshot.options,
    undo: snapshot.undo,
    facts: snapshot.facts,
    ruleset: snapshot.ruleset,
    table: snapshot.table,
    calibration: snapshot.calibration,
    camera: snapshot.camera,
    seq: same ? kept.seq : snapshot.seq,
    ...told(same ? kept.heard : snapshot.announcements, same ? kept.began : []),
  });
  remember();
}

/** The tool that was in use before a reload, if it can be gone back to. */
export const lastTool = () => remembered()?.tool ?? "play";

/** Fold one message; returns the announcements that are new. */
export function fold(message) {
  switch (message.type) {
    case "restart":
      set({ epoch: message.epoch, seq: 0, ...told([], []), selected: null, looked: null });
      remember();
      return [];
    case "line": {
      if (message.seq <= store.seq) return [];
      const undone = message.event.kind === "undone" ? firstUndone(message.event) : Infinity;
      const heard = store.heard.filter((one) => one.seq < undone).concat(message.announcements);
      const began = store.began.filter((seq) => seq < undone).concat(message.event.kind === "game_began" ? [message.seq] : []);
      set({ seq: message.seq, ...told(heard.slice(-KEPT), began) });
      remember();
      return message.announcements;
    }
    case "state":
      set({
        epoch: message.epoch,
        state: message.state,
        options: message.options,
        undo: message.undo,
        facts: message.facts,
        ruleset: message.ruleset,
      });
      return [];
    case "table":
      set({ table: message });
      return [];
    case "calibration":
      set({ calibration: message.calibration });
      return [];
    case "camera":
      set({ camera: message });
      return [];
    default:
      return [];
  }
}

// What the last game had to say is of no use in a new one, but comes back when that is taken back.
function told(heard, began) {
  const first = began.at(-1) ?? 0;
  return { heard, began, said: heard.filter((one) => one.seq >= first) };
}

/** Whether a camera looks at a table whose millimetres are not known yet. */
export const unmeasured = () => store.calibration === null && store.camera.state !== "none";

/** The figure of that id as last seen, or undefined. */
export const figure = (id) => store.table.figures.find((one) => one.figure_id === id);

function firstUndone(event) {
  const pair = event.values.find(([name]) => name === "from_seq");
  return pair ? pair[1] : Infinity;
}

/** Keep for a reload what must not be lost by it. */
export function remember() {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ epoch: store.epoch, seq: store.seq, heard: store.heard, began: store.began, tool: store.tool }));
  } catch {
    // A full or forbidden storage only means that a reload starts from the snapshot.
  }
}

function remembered() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
