// One dialog at a time.

import { button, h } from "./dom.js";
import { text } from "./text.js";

/** Open it with a title and contents. */
export function openDialog(title, ...children) {
  const dialog = document.getElementById("dialog");
  dialog.replaceChildren(
    h("div", { class: "dialoghead" }, h("h2", {}, title), button(text.close, closeDialog, { class: "pill" })),
    h("div", { class: "dialogbody" }, ...children),
  );
  if (!dialog.open) dialog.showModal();
}

/** Close it. */
export function closeDialog() {
  document.getElementById("dialog").close();
}

let timer = null;

/** A short word at the foot of the page. */
export function toast(words, error = false) {
  const element = document.getElementById("toast");
  element.textContent = words;
  element.className = error ? "shown error" : "shown";
  clearTimeout(timer);
  timer = setTimeout(() => {
    element.className = "";
  }, 6000);
}
