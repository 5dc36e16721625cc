"use strict";
// A small execution, statement by statement: the loops with the line that runs, and the tensors with what it reads and writes.
// Of an illegal order nothing that it computes is there to begin with, and what is read too early shows.
/// What shows an execution: the text of the loops, the words of a step, and figures of tensors; `draw` goes to a step, or
/// with -1 to before all of them. `linked`: its lines belong together with those of other panes.
function executionView(run, linked) {
  const roles = ["result", "temporary", "operand"];
  const shown = run.tensors.filter((tensor) => tensor.shape.length <= 2).sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role)).slice(0, 12);
  const longest = new Map(shown.map((tensor) => [tensor.tensor, Math.max(...tensor.values.map((value) => brief(value).length), 1)]));
  for (const { writes, starts, fills } of run.steps) {
    const [name, value] = writes ? [writes[0], writes[2]] : [starts, fills];
    if (longest.has(name)) longest.set(name, Math.max(longest.get(name), brief(value).length));
  }
  const grids = new Map(shown.map((tensor) => [tensor.tensor, new Grid(tensor.tensor, tensor.shape, { characters: longest.get(tensor.tensor), cuts: tensor.cuts })]));
  // What was compiled is that of the pane of loops or of control flow, number for number.
  const text = annotated(linked ? kin : new Kin(), run.stage, run.nest.text, run.nest.spans, !run.legal);
  if (!linked) for (const element of text.querySelectorAll("[data-n]")) element.removeAttribute("data-n");
  const lineOf = statementLines(text, run.nest);
  const says = html("div", { class: "says", "aria-live": "polite" });
  const place = (tensor, index) => tensor + (index.length ? `(${index.join(",")})` : "");
  const element = ([tensor, index, , last]) => place(tensor, index) + (last ? " to " + place(tensor, last) : "");
  /// All that a write touches: of a run the elements up to the last one, along one dimension.
  const elements = ([, index, , last]) => {
    if (!last) return [index];
    const along = index.findIndex((first, d) => first !== last[d]);
    return Array.from({ length: last[along] - index[along] + 1 }, (_, k) => index.map((first, d) => first + (d === along ? k : 0)));
  };
  const draw = (at) => {
    const step = run.steps[at] || { loops: {}, reads: [] }, known = new Map(shown.map((tensor) => [tensor.tensor, [...tensor.values]]));
    const written = new Map(shown.map((tensor) => [tensor.tensor, new Set()]));
    const stored = new Map(shown.filter((tensor) => tensor.stored).map((tensor) => [tensor.tensor, [...tensor.stored]]));
    const wrong = new Set();
    for (let k = 0; k <= at; ++k) {
      const { writes, starts, fills, ends, wrong: missed } = run.steps[k], name = writes ? writes[0] : starts || ends, grid = grids.get(name);
      if (!grid) continue;
      const there = stored.get(name) || [];
      if (writes) {
        for (const index of elements(writes)) {
          known.get(name)[grid.flat(index)] = writes[2];
          written.get(name).add(grid.flat(index));
          there[grid.flat(index)] = true;
        }
      } else if (ends) {
        const fill = shown.find((tensor) => tensor.tensor === name).fill;
        known.set(name, known.get(name).map((value) => value === null ? fill : value));
      } else {
        there.fill(false);
        known.get(name).fill(fills === undefined ? null : fills);
        written.get(name).clear();
      }
      for (const index of missed || []) wrong.add(name + ":" + grid.flat(index));
    }
    for (const { tensor, role, pads, fill } of shown) {
      const grid = grids.get(tensor), values = known.get(tensor);
      grid.clear();
      values.forEach((value, flat) => {
        const cell = grid.cells[flat], label = cell.querySelector("text"), absent = value !== null && stored.has(tensor) && !stored.get(tensor)[flat];
        if (absent) {
          cell.classList.add("absent");
          if (label) label.textContent = "";
          return;
        }
        if (label) label.textContent = brief(value);
        else if (value && value !== "nan") cell.classList.add("some");
        if (value === null) cell.classList.add("empty");
        else if (role !== "operand" && written.get(tensor).has(flat)) cell.classList.add("written");
        else if (pads && value === fill) cell.classList.add("padding");
        if (wrong.has(tensor + ":" + flat)) cell.classList.add("wrong");
      });
    }
    const early = new Set(step.early || []);
    step.reads.forEach((read, k) => {
      const grid = grids.get(read[0]);
      if (!grid) return;
      grid.style(read[1], early.has(k) ? "early" : "read");
      if (step.writes && step.writes[0] === read[0]) grid.arrow(read[1], step.writes[1], early.has(k) ? "early" : "plain");
    });
    if (step.writes && grids.has(step.writes[0])) for (const index of elements(step.writes)) grids.get(step.writes[0]).style(index, "write");
    if (step.starts && grids.has(step.starts)) for (const cell of grids.get(step.starts).cells) cell.classList.add("write");
    for (const line of text.querySelectorAll(".current-line")) line.classList.remove("current-line");
    const line = lineOf.get(step.at);
    if (line) { line.classList.add("current-line"); scrollInside(line); }
    if (linked) follow(run.legal ? run.stage + ":" + step.at : null);
    if (at < 0) return fill(says, html("b", {}, "nothing is done yet"));
    const loops = Object.entries(step.loops).map(([name, value]) => `${name}=${value}`).join(" ");
    fill(says, html("b", { class: "mono" }, loops || "before the loops"), " ",
      step.ends ? html("span", {}, html("span", { class: "mono" }, step.ends), " has all of its entries") : step.starts ? html("span", {}, step.fills === undefined ? `${step.starts} begins afresh` : [html("span", { class: "mono" }, step.starts), ` becomes ${number(step.fills)} everywhere`]) : [
        step.writes ? html("span", { class: "mono" }, `${element(step.writes)} = ${number(step.writes[2])}`) : "",
        step.reads.length ? html("span", { class: "soft" }, "  from ") : "",
        step.reads.map((read, k) => [k ? ", " : "", html("span", { class: "mono" + (early.has(k) ? " bad" : "") }, element(read) + (early.has(k) ? " ✗" : ""))])],
      step.wrong ? html("span", { class: "bad" }, "  ✗ and stays wrong") : "",
      run.fault && at === run.steps.length - 1 ? html("span", { class: "bad" }, `  ✗ stops here: ${run.fault}`) : "",
      early.size ? html("div", { class: "bad" }, "✗ reads too early: ", step.reads.filter((_, k) => early.has(k)).map(element).join(", "), " is not complete yet") : "");
  };
  const figures = [gridLegend(shown.some((tensor) => tensor.stored), shown.some((tensor) => tensor.pads)), shown.map((tensor) => html("figure", {},
    html("figcaption", {}, tensor.tensor, tensor.role === "result" ? "" : html("span", { class: "soft" }, " " + tensor.role)), grids.get(tensor.tensor).element))];
  return { text, says, figures, draw };
}

/// Where an execution begins to be interesting: at the first read that comes too early, else at the first one of another
/// element of what is computed.
function startOf(run, events) {
  const reads = (step) => step.writes && step.reads.some((read) => read[0] === step.writes[0] && String(read[1]) !== String(step.writes[1]));
  return events.length ? events[0] : Math.max(0, run.steps.findIndex(reads));
}

function executionPane(kernel) {
  const run = kernel.execution;
  if (run && run.problem) return !kernel.legal ? null : pane("execution", "Execution", "statement by statement", [silent(run.problem), run.notes.map(silent)]);
  if (!run || !run.steps.length) return null;
  const { text, says, figures, draw } = executionView(run, true), next = html("div", {});
  const events = run.steps.flatMap((step, k) => step.early || run.fault && k === run.steps.length - 1 ? [k] : []);
  let stepper = null;
  /// Predicting, nobody gets further than what has been answered.
  const ask = (at) => {
    next.replaceChildren();
    const question = predict.on && at === stepper.limit && at + 1 < run.steps.length ? nextQuestion(run, at, said) : null;
    if (question) next.append(question);
    else if (predict.on && at === stepper.limit && at + 1 < run.steps.length) stepper.limit = at + 1;
  };
  const said = (right, answer) => {
    predict.answer(right);
    stepper.limit += 1;
    stepper.go(stepper.limit);
    next.prepend(html("p", { class: right ? "good" : "bad" }, (right ? "✓ " : "✗ it ") + answer));
  };
  const show = (at) => { draw(at); if (stepper) ask(at); };
  stepper = new Stepper("execution", run.steps.length, show, predict.on ? { limit: 0 } : { events, start: startOf(run, events) });
  const about = (run.order ? "order " + run.order + " · " : "") + (run.legal ? run.stage === "flow" ? "the control flow that was compiled" : "as it runs" : "✗ illegal, followed all the same") + (run.fault && !predict.on ? ` · ✗ ${run.fault}` : run.complete ? "" : ` · the first ${run.steps.length} steps`);
  const home = pane("execution", "Execution", about, html("div", { class: "halves" }, html("div", { class: "scroll" }, text), html("div", { class: "scroll grids" }, figures)),
    { wide: true, tabindex: 0, above: [stepper.element, stepper.ticks, says, next] });
  steppers.add(stepper, home);
  return home;
}

/// What cells look like: three kinds of nothing, and what this step does.
function gridLegend(sparse, pads) {
  const entry = (style, text, label) => html("span", {}, svg("svg", { class: "grid sample", "aria-hidden": "true", width: 20, height: 16 },
    svg("g", { class: "cell " + style }, svg("rect", { x: 1, y: 1, width: 18, height: 14, rx: 3 }), text ? svg("text", { x: 10, y: 12 }, text) : null)), label);
  return html("p", { class: "legend cells" }, entry("empty", "", "not written yet"), sparse ? entry("absent", "", "not stored") : null, pads ? entry("padding", "0", "padding") : null, entry("", "0", "zero"),
    entry("read", "", "read now"), entry("write", "", "written now"), entry("early", "", "read too early"), entry("wrong", "", "ends up wrong"));
}

/// Underlines what runs in the stages that come after the loops.
let followed = [];
function follow(key) {
  for (const element of followed) element.classList.remove("runs");
  followed = key ? [...kin.of(key)].filter((node) => ["flow", "c"].includes(stageOf(node))).flatMap((node) => kin.places.get(node) || []) : [];
  for (const element of followed) element.classList.add("runs");
}

/// The line that each statement begins in.
function statementLines(pre, nest) {
  const lines = [...pre.querySelectorAll(".line")], starts = [0], found = new Map(), character = characterOf(nest.text);
  for (let k = nest.text.indexOf("\n"); k >= 0; k = nest.text.indexOf("\n", k + 1)) starts.push(k + 1);
  for (const span of nest.spans) {
    if (span.stage === "equations" || found.has(span.id)) continue;
    const at = character(span.begin);
    let line = starts.length - 1;
    while (line > 0 && starts[line] > at) --line;
    found.set(span.id, lines[line]);
  }
  return found;
}
