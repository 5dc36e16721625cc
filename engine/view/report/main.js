"use strict";
// The page: the program at the side, a pane for each stage, one kernel at a time.
const model = unpacked(JSON.parse(document.getElementById("model").textContent));
/// `shown`: what the page shows in place of the kernel's own: another legal order, or a fix of a message.
let kin = null, shownAt = 0, shown = null;

function textPane(id, title, about, reply, options) {
  if (!reply) return null;
  if (!reply.ok) return pane(id, title, about, problem(reply), options);
  const text = annotated(kin, id, reply.text, reply.spans);
  const shares = options && options.costs ? sharesByLine(kin, id, reply.text, reply.spans, options.costs) : [];
  addRemarks(text, reply.remarks);
  const body = tintLines(text, id, shares) ? [text, costLegend(id, shares)] : text;
  return pane(id, title, about, body, { copy: reply.text, ...options });
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
    const element = html("pre", { class: "problem " + message.severity, id: "message-" + at, "data-n": "message:" + at,
      tabindex: -1 }, message.rendered);
    kin.show("message:" + at, element);
    return [element, fixButtons(message)];
  });
  const fails = own.some(({ message }) => message.severity === "error");
  const about = refused ? "and what would do instead" : fails ? "it may run, but fails" : "it runs, but";
  return pane(refused ? "refusal" : "messages", refused ? "Refused" : "Messages", about, words, { wide: true });
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
  const kinds = [[".table", "tr", 260], [".halves .scroll", ".line, li", 520]];
  kinds.push(["#panes .pane:not(.wide) > .body", ".line", 640]);
  for (const [boxes, rows, most] of kinds)
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

function programPane() {
  if (shown && shown.program) return fixedProgramPane(shown);
  const text = annotated(kin, "source", model.program.text, model.program.spans, "", predict.on ? [] : markPlaces(model.messages));
  return pane("program", "Program", model.file, text, { copy: model.program.text });
}

/// Of what was asked for, or of the order or format that was chosen on the page.
function showVerdict(kernel, instead, asked) {
  const verdict = document.getElementById("verdict");
  if (asked) {
    verdict.className = "verdict";
    verdict.textContent = "? " + asked;
    return;
  }
  if (instead && !instead.program) {
    verdict.className = "verdict " + (instead.legal ? "good" : "bad");
    verdict.textContent = (instead.legal ? "✓ legal: " : "✗ illegal: ") + (instead.order_text || instead.command);
    return;
  }
  const costs = kernel &&
    model.messages.some((message) => message.severity === "warning" && message.kernel === kernel.kernel);
  const refused = kernel ? !kernel.legal : model.messages.some((message) => message.severity === "error");
  verdict.className = "verdict " + (refused ? "bad" : costs ? "warn" : "good");
  verdict.textContent = refused ? "✗ refused" : costs ? "⚠ legal, at a cost" : kernel ? "✓ legal" : "";
}

/// Those that compile with a complaint are marked, those that do not as well.
function markKernels(at) {
  for (const button of document.querySelectorAll("#kernels button")) {
    const kernel = model.kernels[Number(button.dataset.at)], worst = predict.on ? null : worstOf(kernel);
    button.setAttribute("aria-pressed", String(kernel === model.kernels[at]));
    fill(button, worst ? html("span", { class: worst === "error" ? "bad" : "warn" }, severityMarks[worst] + " ") : "", kernel.kernel);
    button.setAttribute("aria-label", kernel.kernel + ({ error: ", refused or fails", warning: ", at a cost" }[worst] || ""));
  }
}

/// "error", "warning" or null.
function worstOf(kernel) {
  const said = model.messages.filter((message) => message.kernel === kernel.kernel).map((message) => message.severity);
  return !kernel.legal || said.includes("error") ? "error" : said.includes("warning") ? "warning" : null;
}

/// The first kernel that something is wrong with, else the first one.
function firstKernel() {
  for (const worst of ["error", "warning"]) {
    const at = model.kernels.findIndex((kernel) => worstOf(kernel) === worst);
    if (at >= 0) return at;
  }
  return 0;
}

function showKernel(at, instead = null) {
  const focus = document.activeElement && document.activeElement.dataset.focus, active = steppers.active && steppers.active.id;
  const own = model.kernels[at], side = document.getElementById("side"), panes = document.getElementById("panes");
  [kin, shownAt, shown] = [new Kin(), at, instead];
  steppers.clear();
  markKernels(at);
  side.replaceChildren(programPane());
  model.messages.forEach((message, at) => kin.add("message:" + at, []));
  const asked = predict.question(own, shown);
  showVerdict(own, shown, asked);
  panes.replaceChildren();
  const kernel = shown && shown.stages ? inPlace(own, shown) : own;
  if (!kernel) {
    panes.append(messagesPane(null) || pane("problem", "Problem", "", silent("The program declares nothing to compute.")));
    arrange();
    return;
  }
  const stages = kernel.stages, compiled = kernel.legal || kernel.compiled;
  // What a fix leads to comes first: it is what was asked for.
  const fixed = Boolean(shown && shown.program);
  const cost = { costs: stages.loops && stages.loops.cost };
  const loops = compiled ? textPane("loops", "Loops", scheduleText(stages.schedule), stages.loops, cost) : null;
  const controlFlow = compiled ? textPane("flow", "Control flow", "walks, look-ups, cases", stages.flow) : null;
  const c = compiled ? textPane("c", "C", "for both back ends", stages.c, cost) : null;
  const sparse = stages.lattice && stages.lattice.ok && kernel.drawings.lattice.length;
  const built = asked ? [
    questionPane(own, asked, shown),
    ordersPane(kernel),
    textPane("equations", "Equations", "as they are understood", stages.equations),
    textPane("fragments", "Fragments", "every reduction taken out", stages.fragments),
    graphPane(kernel),
  ] : [
    shown && !fixed ? otherPane(kernel, at) : messagesPane(kernel),
    ordersPane(kernel),
    comparePane(kernel),
    ...(fixed ? [loops, controlFlow, c] : []),
    textPane("equations", "Equations", "as they are understood", stages.equations),
    textPane("fragments", "Fragments", "every reduction taken out", stages.fragments),
    graphPane(kernel),
    placementPane(kernel),
    compiled ? null : executionPane(kernel),
    fixed ? null : loops,
    compiled && !fixed ? textPane("storage", "Storage plan", "what loops go along and look up, how results are stored", stages.storage) : null,
    ranksPane(kernel),
    sparse ? textPane("algebra", "Algebra", "which coordinates each loop visits", stages.algebra) : null,
    sparse ? latticePane(kernel) : null,
    compiled ? executionPane(kernel) : null,
    ...(fixed ? [] : [controlFlow, compiled ? passesPane(kernel) : null, c]),
    patternPane(kernel),
    planPane(kernel),
    formatsPane(kernel),
    timingPane(kernel),
  ];
  for (const one of built) if (one) panes.append(one);
  for (const { stepper } of steppers.all) stepper.go(stepper.start);
  const watch = new ResizeObserver(arrange);
  for (const one of panes.children) watch.observe(one);
  watch.observe(panes);
  arrange();
  const same = steppers.all.find(({ stepper }) => stepper.id === active);
  if (same) steppers.choose(same.stepper);
  const focused = focus && document.querySelector(`[data-focus="${CSS.escape(focus)}"]`);
  if (focused) focused.focus({ preventScroll: true });
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

/// Of what is pinned; when nothing is, of what is shown in place of the kernel's own.
function letGo() {
  if (kin.pinned) { kin.pin(null); tell([]); }
  else if (shown) showKernel(shownAt);
  else if (compare.side) toggleCompare();
}

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const dialog = document.getElementById("help");
  const acts = {
    "?": () => dialog.open ? dialog.close() : dialog.showModal(),
    Escape: () => dialog.open ? dialog.close() : letGo(),
    t: switchTheme,
    "[": () => steppers.move(-1),
    "]": () => steppers.move(1),
    o: () => nextOrder(1),
    O: () => nextOrder(-1),
    c: toggleCompare,
    x: swapLead,
    p: () => predict.toggle(),
    k: () => showKernel((shownAt + 1) % Math.max(1, model.kernels.length)),
  };
  for (const k of [1, 2, 3]) acts[k] = () => chooseFix(k);
  for (const key of ["y", "n"]) {
    const answer = document.querySelector(`#pane-question [data-answer="${key === "y" ? "legal" : "illegal"}"]`);
    if (answer) acts[key] = () => answer.click();
  }
  if (acts[event.key]) acts[event.key]();
  else if (dialog.open || !steppers.active || !steppers.active.key(event)) return;
  event.preventDefault();
}

document.addEventListener("DOMContentLoaded", () => {
  document.getElementById("file").textContent = model.file;
  if (model.kernels.length > 1)
    model.kernels.forEach((kernel, at) => document.getElementById("kernels").append(html("button", { "data-at": at, onclick: () => showKernel(at) })));
  document.getElementById("theme-button").addEventListener("click", switchTheme);
  document.getElementById("help-button").addEventListener("click", () => document.getElementById("help").showModal());
  document.getElementById("predict-button").addEventListener("click", () => predict.toggle());
  document.addEventListener("keydown", onKey);
  // Paper is white, whatever the screen is.
  let theme;
  addEventListener("beforeprint", () => { theme = document.documentElement.dataset.theme; document.documentElement.dataset.theme = "light"; });
  addEventListener("afterprint", () => { if (theme) document.documentElement.dataset.theme = theme; else delete document.documentElement.dataset.theme; });
  document.querySelector("main").addEventListener("click", (event) => {
    const place = event.target.closest("[data-message]");
    if (place) showMessage(Number(place.dataset.message));
  });
  listen(document.querySelector("main"), () => kin, tell);
  showKernel(firstKernel());
  tell([]);
  // The panes were not there yet when the page looked for the one that its address names.
  const named = location.hash && document.getElementById(location.hash.slice(1));
  if (named) named.scrollIntoView();
});
