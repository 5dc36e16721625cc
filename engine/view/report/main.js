"use strict";
// The page: the program at the side, a pane for each stage, one kernel at a time.
const model = JSON.parse(document.getElementById("model").textContent);
let kin = null, shownAt = 0;

function textPane(id, title, about, reply, options) {
  if (!reply) return null;
  if (!reply.ok) return pane(id, title, about, problem(reply), options);
  return pane(id, title, about, annotated(kin, id, reply.text, reply.spans), { copy: reply.text, ...options });
}

/// The schedule on one line.
function scheduleText(reply) {
  return reply && reply.ok ? reply.text.trim().split("\n").map((line) => line.replace(/^#\s*/, "").replace(/\s*#\s*/, ", ")).join(" · ") : "as they are compiled";
}

/// What is wrong with a kernel, or with the program where there is none, in the words of the terminal.
function messagesPane(kernel) {
  const own = model.messages.map((message, at) => ({ message, at })).filter(({ message }) => !kernel || !message.kernel || message.kernel === kernel.kernel);
  const refused = !kernel || !kernel.legal;
  if (!own.length) return refused && kernel ? pane("refusal", "Refused", "", problem(kernel.stages.loops), { wide: true }) : null;
  const words = own.map(({ message, at }) => {
    const element = html("pre", { class: "problem " + message.severity, id: "message-" + at, "data-n": "message:" + at, tabindex: -1 }, message.rendered);
    kin.show("message:" + at, element);
    return element;
  });
  return pane(refused ? "refusal" : "messages", refused ? "Refused" : "Messages", refused ? "and what would do instead" : own.some(({ message }) => message.severity === "error") ? "it may run, but fails" : "it runs, but", words, { wide: true });
}

/// From a place in the program to the message that is about it.
function showMessage(at) {
  const { kernel } = model.messages[at];
  if (!document.getElementById("message-" + at)) showKernel(model.kernels.findIndex((one) => one.kernel === kernel));
  const element = document.getElementById("message-" + at);
  element.scrollIntoView({ block: "center" });
  element.focus({ preventScroll: true });
  kin.pin(["message:" + at]);
}

function graphPane(kernel) {
  const reply = kernel.stages.graph, shape = kernel.drawings && kernel.drawings.graph;
  if (!reply) return null;
  if (!shape) return pane("graph", "Graph", "what depends on what", problem(reply));
  for (const span of reply.spans) kin.add("graph:" + span.id, span.origin);
  const numbers = new Map(kernel.stages.fragments.model.fragments.map((fragment) => [fragment.name, fragment.id]));
  const kinds = new Map(reply.model.nodes.map((node) => [node.id, node.kind]));
  return pane("graph", "Graph", "what depends on what",
    [drawing(kin, shape, (id) => "graph:" + id, (node) => kinds.get(node.id), (edge) => "fragments:" + numbers.get(edge.fragment)),
     html("p", { class: "legend" }, "An arrow leads from what is read to what is computed of it. Dashed: the two never meet in one element.")], { wide: shape.width > 560 });
}

/// What scrolls ends behind a whole row, not in the middle of one.
function endBehindRows() {
  for (const [boxes, rows, most] of [[".table", "tr", 260], [".halves .scroll", ".line, li", 520], [".pane:not(.wide) > .body", ".line", 640]])
    for (const box of document.querySelectorAll(boxes)) {
      const top = box.getBoundingClientRect().top - box.scrollTop;
      let end = most;
      if (box.scrollHeight > most) {
        const bottoms = [...box.querySelectorAll(rows)].map((row) => row.getBoundingClientRect().bottom - top).filter((bottom) => bottom <= most);
        if (bottoms.length) end = Math.ceil(Math.max(...bottoms));
      }
      if (box.style.maxHeight !== end + "px") box.style.maxHeight = end + "px";
    }
}

/// Heights become spans of rows, so that panes of any height lie close.
function arrange() {
  endBehindRows();
  const row = 2, gap = 14;
  for (const element of document.querySelectorAll("#panes > .pane")) {
    const rows = "span " + Math.ceil((element.offsetHeight + gap) / row);
    if (element.style.gridRowEnd !== rows) element.style.gridRowEnd = rows;
  }
}

/// What is shown of a kernel in another legal order than its own: what was compiled in that order, and nothing that belongs to its own.
function inOrder(kernel, other) {
  return { ...kernel, stages: { ...kernel.stages, placement: null, lattice: null, algebra: null, ...other.stages }, drawings: { graph: kernel.drawings && kernel.drawings.graph },
    execution: null, lattice_walk: null, timing: null, shown: other };
}

/// Which order is shown instead of the kernel's own, and the way back.
function otherOrderPane(kernel, at) {
  const { order_text: order, cost, median_ms: median } = kernel.shown, own = kernel.present;
  const back = html("button", { id: "own-order", onclick: () => showKernel(at) }, own ? `back to ${own}` : "back");
  return pane("other-order", `Order ${order}`, "instead of the kernel's own", [html("p", {}, "Loops, control flow and C below are those of ", html("b", { class: "mono" }, order), ": ",
    html("b", { class: "mono" }, "order " + order), " in the program chooses it. ", cost === null ? "" : `Estimated time ${times(cost)}. `,
    median === null || median === undefined ? "" : `It took ${number(median)} ms. `), back], { wide: true });
}

function showKernel(at, other) {
  const kernel = other ? inOrder(model.kernels[at], other) : model.kernels[at], side = document.getElementById("side"), panes = document.getElementById("panes");
  kin = new Kin();
  steppers.clear();
  for (const button of document.querySelectorAll("#kernels button")) button.setAttribute("aria-pressed", String(Number(button.dataset.at) === at));
  side.replaceChildren(pane("program", "Program", model.file, annotated(kin, "source", model.program.text, model.program.spans, "", markPlaces(model.messages)), { copy: model.program.text }));
  model.messages.forEach((message, at) => kin.add("message:" + at, []));
  panes.replaceChildren();
  if (!kernel) {
    panes.append(messagesPane(null) || pane("problem", "Problem", "", silent("The program declares nothing to compute.")));
    arrange();
    return;
  }
  const verdict = document.getElementById("verdict");
  const costs = model.messages.some((message) => message.severity === "warning" && message.kernel === kernel.kernel);
  verdict.className = "verdict " + (!kernel.legal ? "bad" : costs ? "warn" : "good");
  verdict.textContent = !kernel.legal ? "✗ refused" : costs ? "⚠ legal, at a cost" : "✓ legal";
  const stages = kernel.stages;
  shownAt = at;
  const sparse = stages.lattice && stages.lattice.ok && kernel.drawings.lattice.length;
  const built = [
    kernel.shown ? otherOrderPane(kernel, at) : messagesPane(kernel),
    textPane("equations", "Equations", "as they are understood", stages.equations),
    textPane("fragments", "Fragments", "every reduction taken out", stages.fragments),
    graphPane(kernel),
    placementPane(kernel),
    kernel.legal ? null : executionPane(kernel),
    ordersPane(kernel),
    kernel.legal ? textPane("loops", "Loops", scheduleText(stages.schedule), stages.loops) : null,
    sparse ? textPane("algebra", "Algebra", "which coordinates each loop visits", stages.algebra) : null,
    sparse ? latticePane(kernel) : null,
    kernel.legal ? executionPane(kernel) : null,
    kernel.legal ? textPane("cfir", "Control flow", "walks, look-ups, cases", stages.cfir) : null,
    kernel.legal ? textPane("c", "C", "for both back ends", stages.c) : null,
    formatsPane(kernel),
    timingPane(kernel),
  ];
  for (const one of built) if (one) panes.append(one);
  for (const { stepper } of steppers.all) stepper.go(stepper.start);
  const watch = new ResizeObserver(arrange);
  for (const one of panes.children) watch.observe(one);
  watch.observe(panes);
  arrange();
}

function tell(keys) {
  const status = document.getElementById("status");
  if (!keys.length) return status.replaceChildren("hover to see what belongs together · click to pin · ? for keys");
  const counts = new Map();
  for (const key of kin.of(keys[0])) counts.set(stageOf(key), (counts.get(stageOf(key)) || 0) + 1);
  const linked = [...counts].filter(([stage]) => stage !== stageOf(keys[0])).map(([stage, count]) => `${stage} ${count}`).join(" · ");
  status.replaceChildren(html("b", {}, keys[0].replace(":", " ")), linked, kin.pinned ? html("span", { class: "warn" }, "pinned: Esc lets go") : "");
}

function switchTheme() {
  const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
}

/// Of what is pinned; when nothing is, of another order than the kernel's own.
function letGo() {
  if (kin.pinned) { kin.pin(null); tell([]); }
  else if (document.getElementById("own-order")) showKernel(shownAt);
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const dialog = document.getElementById("help");
  const acts = { "?": () => dialog.open ? dialog.close() : dialog.showModal(), t: switchTheme, Escape: () => dialog.open ? dialog.close() : letGo(),
    "[": () => steppers.move(-1), "]": () => steppers.move(1),
    k: () => { const now = [...document.querySelectorAll("#kernels button")].findIndex((b) => b.getAttribute("aria-pressed") === "true"); showKernel((now + 1) % model.kernels.length); } };
  if (acts[event.key]) acts[event.key]();
  else if (dialog.open || !steppers.active || !steppers.active.key(event)) return;
  event.preventDefault();
}

document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("file").textContent = model.file;
  if (model.kernels.length > 1)
    model.kernels.forEach((kernel, at) => document.getElementById("kernels").append(html("button", { "data-at": at, onclick: () => showKernel(at) }, kernel.kernel)));
  document.getElementById("theme-button").addEventListener("click", switchTheme);
  document.getElementById("help-button").addEventListener("click", () => document.getElementById("help").showModal());
  document.addEventListener("keydown", onKey);
  document.querySelector("main").addEventListener("click", (event) => {
    const place = event.target.closest("[data-message]");
    if (place) showMessage(Number(place.dataset.message));
  });
  listen(document.querySelector("main"), () => kin, tell);
  showKernel(0);
  tell([]);
  // The panes were not there yet when the page looked for the one that its address names.
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (named) named.scrollIntoView();
});
