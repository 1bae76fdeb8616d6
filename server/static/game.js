// Beginning a game: which rules, which house rules, which number for the dice.

import { get } from "./api.js";
import { closeDialog, openDialog } from "./dialog.js";
import { button, field, h } from "./dom.js";
import { send } from "./options.js";
import { unmeasured } from "./store.js";
import { text } from "./text.js";

/** Ask what to play. */
export async function openGame(measure) {
  if (unmeasured()) {
    openDialog(text.game.title, h("p", {}, text.game.unmeasured), button(text.table.title, () => { closeDialog(); measure(); }, { class: "main", "data-key": "measuretable" }));
    return;
  }
  const known = await get("/api/rulesets").catch(() => []);
  if (!known.length) {
    openDialog(text.game.title, h("p", {}, text.game.none));
    return;
  }
  openDialog(text.game.title, h("p", { class: "hint" }, text.game.without), known.map(one));
}

function one(ruleset) {
  // With one choice there is nothing to choose.
  const open = ruleset.options.filter((option) => option.choices.length !== 1 || option.span);
  const inputs = open.map((option) => [option, input(option)]);
  const seed = h("input", { type: "number", min: 0, step: 1, inputmode: "numeric", value: fresh(), "data-key": "seed" });
  const begin = async () => {
    const items = inputs
      .map(([option, element]) => [option, valueOf(element)])
      .filter(([option, value]) => value !== String(option.default ?? ""))
      .map(([option, value]) => `${option.key}=${value}`);
    if (await send({ kind: "new_game", value: ruleset.id, items, numbers: [Number(seed.value) || 0] })) closeDialog();
  };
  return h("section", { class: "ruleset" },
    h("h3", {}, ruleset.title),
    button(text.game.begin, begin, { class: "main", "data-ruleset": ruleset.id }),
    h("details", {}, h("summary", {}, text.game.options),
      inputs.map(([option, element]) => field(option.question, element)),
      field(text.game.seed, seed)));
}

const fresh = () => crypto.getRandomValues(new Uint16Array(1))[0];

const NUMBER = "number";

/** A choice by its words, a number, or a choice that may be a number. */
function input(option) {
  if (!option.choices.length) return number(option);
  const choices = option.choices.map((choice, i) =>
    h("option", { value: String(choice), selected: choice === option.default }, option.words[i]));
  if (!option.span) return h("select", {}, choices);
  if (option.unset) choices.unshift(h("option", { value: "", selected: option.default === null }, upper(option.unset)));
  choices.push(h("option", { value: NUMBER }, text.game.number));
  const typed = number(option);
  typed.hidden = true;
  const select = h("select", { onchange: () => { typed.hidden = select.value !== NUMBER; } }, choices);
  return h("span", { class: "either" }, select, typed);
}

function number(option) {
  const [low, high] = option.span;
  return h("input", { type: "text", inputmode: "decimal", value: option.default === null ? "" : String(option.default), placeholder: option.default === null ? option.unset : null, title: `${low} – ${high}`, "aria-label": option.question });
}

function valueOf(element) {
  if (element.localName !== "span") return element.value;
  const [select, typed] = element.children;
  return select.value === NUMBER ? typed.value : select.value;
}

const upper = (words) => words[0].toUpperCase() + words.slice(1);
