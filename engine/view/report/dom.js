"use strict";
// Elements out of a name, attributes and children; `on…` attributes are listeners.
function make(space, name, attributes, children) {
  const element = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  for (const child of [children === undefined ? [] : children].flat(Infinity)) if (child !== null && child !== undefined && child !== "") element.append(child);
  return element;
}
/// In place of what the element holds.
function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""));
}

const html = (name, attributes, ...children) => make(null, name, attributes, children);
const svg = (name, attributes, ...children) => make("http://www.w3.org/2000/svg", name, attributes, children);

/// Panes that are folded, whatever kernel or order they show.
const folded = new Set();

/// A pane: a head that says what it is about, and a body. `copy` is the text that a button puts on the clipboard.
function pane(id, title, about, body, options = {}) {
  const fold = html("button", { class: "fold", onclick: () => { if (!folded.delete(id)) folded.add(id); show(); } });
  const element = html("article", { class: "pane" + (options.wide ? " wide" : ""), id: "pane-" + id, "data-pane": id, tabindex: options.tabindex, role: "region", "aria-labelledby": "title-" + id },
    html("div", { class: "head" }, fold, html("h2", { id: "title-" + id }, html("a", { href: "#pane-" + id, title: "Link to this section" }, title)), html("span", { class: "about", title: about }, about),
      options.copy === undefined ? null : copyButton(options.copy)),
    options.above, html("div", { class: "body" }, body));
  const show = () => {
    element.classList.toggle("folded", folded.has(id));
    fill(fold, folded.has(id) ? "▸" : "▾");
    fold.title = folded.has(id) ? "Unfold" : "Fold";
    fold.setAttribute("aria-label", fold.title + " " + title);
    fold.setAttribute("aria-expanded", String(!folded.has(id)));
  };
  show();
  return element;
}

/// Pages that were opened from a file may not ask for the clipboard; then the text is selected the old way.
function copyButton(text) {
  const button = html("button", { class: "copy", title: "Copy the text", onclick: async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = html("textarea", { class: "unseen" }, text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    fill(button, "copied");
    setTimeout(() => fill(button, "copy"), 1200);
  } }, "copy");
  return button;
}

const silent = (text) => html("p", { class: "silent" }, text);
/// A reply that is an error, in the words of the terminal.
const problem = (reply) => html("pre", { class: "problem" }, reply.rendered || "");

const counted = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

/// At most about six characters; nothing for what has no value.
function brief(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "boolean") return value ? "✓" : "·";
  if (typeof value !== "number" || Number.isInteger(value) && Math.abs(value) < 1e6) return String(value);
  if (Math.abs(value) >= 1e4 || Math.abs(value) < 1e-2) return value.toExponential(1).replace("e+", "e");
  return value.toPrecision(Math.abs(value) < 0.1 ? 3 : 4).slice(0, value < 0 ? 7 : 6);
}

/// A multiple: "1.0×", "35×".
function times(value) {
  return value.toFixed(value < 9.95 ? 1 : 0) + "×";
}

function number(value) {
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return Math.abs(value) < 1e5 ? String(value) : value.toLocaleString("en").replaceAll(",", "\u2009");
  const text = Math.abs(value) >= 1e5 || Math.abs(value) < 1e-3 ? value.toExponential(2) : value.toPrecision(4);
  return text.includes(".") && !text.includes("e") ? text.replace(/\.?0+$/, "") : text;
}
