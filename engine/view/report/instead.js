"use strict";
// What the page shows in place of a kernel's own: another order or format, or the program with a fix of a message. With a
// fix the verdict stays that of what was asked for; Escape, or the same button again, goes back.

/// The kernel with what was compiled instead, and nothing that belongs to its own alone. A program that is wrong has no
/// kernel: then the fix's stands for it.
function inPlace(own, instead) {
  if (!instead.stages) return own;
  const nothing = { legal: false, orders: null, refused: [], others: [], formats: [], stages: {}, drawings: {} };
  const none = { kernel: instead.kernel, ...nothing };
  const kernel = own || none, graph = instead.program ? null : kernel.drawings.graph;
  const left = { placement: null, loops: null, storage: null, algebra: null, lattice: null, flow: null, c: null, "flow each": null };
  const stages = { ...kernel.stages, ...left, ...instead.stages };
  if (!graph) stages.graph = null;
  const unknown = { lattice_walk: null, timing: null, placed: instead.placed, execution: instead.execution };
  const drawings = { graph, lattice: (instead.drawings || {}).lattice };
  const verdict = instead.program ? { compiled: true } : { legal: instead.legal, compiled: instead.legal };
  return { ...kernel, ...unknown, stages, drawings, ...verdict, shown: instead };
}

/// Which order or format is shown instead of the kernel's own, and the way back.
function otherPane(kernel, at) {
  const { order_text: order, cost, median_ms: median, legal } = kernel.shown, own = order ? kernel.present : null;
  const command = order ? "order " + order : kernel.shown.command;
  const code = (text) => html("b", { class: "mono" }, text);
  const back = html("button", { onclick: () => showKernel(at) }, own ? `back to ${own}` : "back");
  const words = legal ? html("p", {}, "All that follows is that of ", code(command), ", which chooses it in the program. ",
    cost === null || cost === undefined ? "" : `Estimated time ${times(cost)}. `,
    median === null || median === undefined ? "" : `It took ${number(median)} ms. `)
    : problem({ rendered: (kernel.stages.loops.rendered || "").replace(/\nfixes:[^]*$/, "") });
  return pane("other-order", (legal ? "" : "✗ ") + (order ? `Order ${order}` : command), "instead of the kernel's own", [words, back], { wide: true });
}

/// The fixes that a message offers: each shows the program as it would be.
function fixButtons(message) {
  if (!message.fixed.length || predict.on) return null;
  const rows = message.fixed.map((fix, k) => {
    const chosen = fix === shown, mark = fix.legal ? html("span", { class: "good" }, "✓ ") : null;
    const acts = { "data-fix": k + 1, "aria-pressed": String(chosen), onclick: () => toggleFix(fix) };
    return html("div", {}, html("button", { class: "fix", ...acts },
      html("span", { class: "soft" }, k + 1 + " "), fix.command), mark, html("span", { class: "soft" }, fix.remark));
  });
  const chosen = message.fixed.includes(shown) ? fixWords(shown) : null;
  return html("div", { class: "fixes" }, html("span", { class: "soft" }, "fixes:"), html("div", {}, rows, chosen));
}

function fixWords(fix) {
  const line = ["It stands in line ", html("b", { class: "mono" }, String(fix.line)), " of the program. "];
  const below = "Loops, control flow and C below are those of the program with it. Esc goes back.";
  if (fix.legal) return html("p", {}, line, below);
  const left = fix.problem ? problem({ rendered: fix.problem }) : null;
  return html("div", {}, html("p", {}, line, "Something else is left to mend. Esc goes back."), left);
}

function toggleFix(fix) {
  showKernel(shownAt, fix === shown ? null : fix);
}

/// The k-th fix of the first message that offers any, among those that are shown.
function chooseFix(k) {
  const button = document.querySelector(`#panes .fix[data-fix="${k}"]`);
  if (button) button.click();
}

/// The program with a fix, whose lines are marked.
function fixedProgramPane(fix) {
  const { text, spans } = fix.program;
  const written = annotated(kin, "source", text, spans, "");
  const line = written.children[fix.line - 1];
  line.classList.add("fixed-line");
  line.append(html("span", { class: "badge fixed" }, "fix"));
  requestAnimationFrame(() => scrollInside(line));
  return pane("program", "Program", `${model.file} with ${fix.command}`, written, { copy: text });
}
