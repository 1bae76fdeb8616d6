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
  const inputs = ruleset.options.filter((option) => option.choices.length !== 1).map((option) => [option, input(option)]);
  const seed = h("input", { type: "number", min: 0, step: 1, inputmode: "numeric", value: fresh(), "data-key": "seed" });
  const begin = async () => {
    const items = inputs
      .filter(([option, element]) => element.value !== String(option.default))
      .map(([option, element]) => `${option.key}=${element.value}`);
    if (await send({ kind: "new_game", value: ruleset.id, items, numbers: [Number(seed.value) || 0] })) closeDialog();
  };
  return h("section", { class: "ruleset" },
    h("h3", {}, ruleset.title),
    button(text.game.begin, begin, { class: "main", "data-ruleset": ruleset.id }),
    h("details", {}, h("summary", {}, text.game.options),
      inputs.map(([option, element]) => field(option.meaning.replaceAll("_", " "), element)),
      field(text.game.seed, seed)));
}

const fresh = () => crypto.getRandomValues(new Uint16Array(1))[0];

function input(option) {
  if (option.choices.length) {
    return h("select", {}, option.choices.map((choice) =>
      h("option", { value: String(choice), selected: choice === option.default }, words(choice))));
  }
  const [low, high] = option.span ?? [null, null];
  return h("input", { type: "text", inputmode: "decimal", value: option.default === null ? "" : String(option.default), placeholder: option.default === null ? text.game.null : null, title: low === null ? "" : `${low} – ${high}` });
}

function words(value) {
  if (value === true) return text.game.yes;
  if (value === false) return text.game.no;
  if (typeof value === "number") return String(Math.round(value * 1000) / 1000);
  return value === null ? text.game.null : String(value).replaceAll("_", " ");
}
