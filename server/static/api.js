// Talks to the program: questions over HTTP, news over one WebSocket.

import { begin, fold, set, store } from "./store.js";
import { text } from "./text.js";

const WAITS_MS = [500, 1000, 2000, 4000];

/** Send a body; the answer, or an Error whose message is for people. */
export async function post(path, body) {
  let response;
  try {
    response = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  } catch {
    throw new Error(text.errors.network);
  }
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer;
  const error = new Error(
    response.status === 409 ? text.errors.stale : text.errors.refused(answer.reason ?? response.statusText),
  );
  error.status = response.status;
  error.rule = answer.rule ?? null;
  throw error;
}

/** Read JSON. */
export async function get(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(text.errors.network);
  return response.json();
}

/** Ask the referee for something. */
export const act = (action) => post("/api/actions", { basis_seq: store.seq, ...action });

/** Keep the page fed for as long as it is open. */
export async function connect(onSaid) {
  let tries = 0;
  for (;;) {
    try {
      begin(await get("/api/snapshot"));
      await listen(onSaid, () => {
        tries = 0;
      });
    } catch {
      // Said by the banner.
    }
    set({ connected: false });
    await new Promise((done) => setTimeout(done, WAITS_MS[Math.min(tries++, WAITS_MS.length - 1)]));
  }
}

function listen(onSaid, onOpen) {
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const url = `${scheme}://${location.host}/ws?after=${store.seq}&epoch=${store.epoch}`;
  return new Promise((done) => {
    const socket = new WebSocket(url);
    socket.onopen = () => {
      onOpen();
      set({ connected: true });
    };
    socket.onmessage = (event) => {
      const said = fold(JSON.parse(event.data));
      if (said.length) onSaid(said);
    };
    socket.onclose = done;
  });
}
