// One dialog at a time.

import { button, h } from "./dom.js";
import { text } from "./text.js";

const dialog = document.getElementById("dialog");
const note = document.getElementById("toast");

/** Open it with a title and contents. */
export function openDialog(title, ...children) {
  dialog.replaceChildren(
    h("div", { class: "dialoghead" }, h("h2", {}, title), button(text.close, closeDialog, { class: "pill" })),
    h("div", { class: "dialogbody" }, ...children),
  );
  if (!dialog.open) dialog.showModal();
}

/** Close it. */
export function closeDialog() {
  dialog.close();
}

let timer = null;

/** A short word at the foot of the page. */
export function toast(words, error = false) {
  lift();
  note.textContent = words;
  note.className = error ? "shown error" : "shown";
  clearTimeout(timer);
  timer = setTimeout(() => {
    note.className = "";
    note.hidePopover?.();
  }, 6000);
}

// What lies outside an open dialog is neither seen nor read out: the word goes inside, and on top.
function lift() {
  (dialog.open ? dialog : document.body).append(note);
  note.showPopover?.();
}

dialog.addEventListener("close", () => {
  if (note.className !== "") lift();
  else document.body.append(note);
});
