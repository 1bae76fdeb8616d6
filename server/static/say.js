// Announcements: the newest one large, read out by screen readers, and spoken if wished.

import { button, h, memo, replace } from "./dom.js";
import { openDialog } from "./dialog.js";
import { get } from "./api.js";
import { store } from "./store.js";
import { text } from "./text.js";

const SIGN = { info: "i", warn: "!", ask: "?", error: "×" };
const LONG = 80; // more than three lines on a phone
let root;
let live;
let voice = false;

const KEY = "minimarshal-voice";

/** Draw into an element. */
export function mountSaid(element) {
  root = h("div", { class: "shownsaid" });
  live = h("div", { class: "visuallyhidden", "aria-live": "polite" });
  element.append(root, live);
}

/** Draw the newest announcements. */
export const drawSaid = memo((said, brief) => {
  const last = said.slice(brief || (said.at(-2)?.text.length ?? 0) > LONG ? -1 : -2).reverse();
  replace(root,
    last.length ? last.map((one, i) => sentence(one, i === 0)) : h("p", { class: "hint" }, text.said.none),
    said.length > 1 && !brief ? button(text.said.all, showAll(said), { class: "link", "data-key": "all" }) : null);
});

/** New announcements have come: tell ears and screen readers. */
export function tell(said) {
  live.replaceChildren(...said.map((one) => h("p", {}, `${text.level[one.level]}: ${one.text}`)));
  if (!voice || !("speechSynthesis" in window)) return;
  for (const one of said) {
    const words = new SpeechSynthesisUtterance(one.spoken || one.text);
    words.lang = document.documentElement.lang;
    window.speechSynthesis.speak(words);
  }
}

/** The switch for the voice; browsers want a tap before the first word. */
export function voiceButton() {
  const show = (words) => {
    element.textContent = words ?? (voice ? text.voice.on : text.voice.off);
    element.setAttribute("aria-pressed", String(voice));
  };
  const turn = (on) => {
    voice = on;
    window.speechSynthesis?.cancel();
    sessionStorage.setItem(KEY, on ? "on" : "off");
    show();
  };
  const element = button("", () => turn(!voice), { class: "pill", title: text.voice.hint, "data-key": "voice" });
  show();
  if (sessionStorage.getItem(KEY) === "on") {
    show(text.voice.wake);
    const wake = (event) => {
      // The button itself does it by its own click.
      if (!element.contains(event.target) && !voice) turn(true);
    };
    for (const kind of ["pointerup", "keyup"]) window.addEventListener(kind, wake, { once: true });
  }
  return element;
}

const showAll = (said) => () =>
  openDialog(text.said.title, h("ol", { class: "allsaid", reversed: true }, [...said].reverse().map((one) => h("li", {}, sentence(one, false)))));

// The rule behind a sentence, in words for whoever asks.
function ruleButton(rule) {
  const id = store.state?.ruleset ?? store.ruleset?.id;
  const explain = async () => {
    const told = await get(`/api/rules/${encodeURIComponent(id)}/${encodeURIComponent(rule)}`).catch(() => null);
    openDialog(text.rule(rule), h("p", {}, told === null ? text.said.noRule : told.text));
  };
  return button(text.rule(rule), explain, { class: "rule", "data-rule": rule });
}

function sentence(one, large) {
  return h("p", { class: `sentence ${one.level} ${large ? "large" : ""} ${one.text.length > LONG ? "long" : ""}` },
    h("span", { class: "sign", "aria-label": text.level[one.level], role: "img" }, SIGN[one.level]),
    h("span", {}, one.text),
    one.rule ? ruleButton(one.rule) : null);
}
