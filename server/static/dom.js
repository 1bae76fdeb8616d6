// Small makers of elements, so that no text is ever parsed as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "value" || name === "checked") element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element. */
export const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** An SVG element. */
export const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

/** A button with words on it. */
export const button = (words, onclick, attributes) =>
  h("button", { type: "button", onclick, ...attributes }, words);

/** A labelled form field. */
export const field = (words, input) => h("label", { class: "field" }, h("span", {}, words), input);

/** Replace what is inside, keeping the keyboard's place by data-key. */
export function replace(element, ...children) {
  const key = element.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  element.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** Draw again only when what is drawn from has changed. */
export function memo(draw) {
  let last = null;
  return (...values) => {
    const now = JSON.stringify(values);
    if (now === last) return;
    last = now;
    draw(...values);
  };
}
