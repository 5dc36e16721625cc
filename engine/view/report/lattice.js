"use strict";
// The lattice of each loop, and the control flow that was compiled, executed over what is stored: the point that glows, where each operand stands
// among its coordinates, the case that this is, and the line of control flow that belongs to it.
/// What the operands of a loop do, and what is proven of those that are looked up.
function findList(reply, lattice) {
  const found = (reply.finds || []).find((one) => one.lattice === lattice);
  return found ? html("ul", { class: "finds" }, found.notes.map(({ words, verdict }) => html("li", { class: verdict || undefined }, words))) : null;
}

function latticePane(kernel) {
  const reply = kernel.stages.lattice, walk = kernel.lattice_walk;
  for (const span of reply.spans) kin.add("lattice:" + span.id, span.origin);
  const kinds = new Map(reply.model.nodes.map((node) => [node.id, node.kind]));
  const loops = new Map(reply.model.loops.map((loop) => [loop.id, loop]));
  const drawn = kernel.drawings.lattice.map((shape) => {
    const loop = loops.get(shape.lattice), missing = loop.missing.length ? `, without ${loop.missing.join(", ")}` : "";
    const picture = drawing(kin, shape, (id) => "lattice:" + id, (node) => kinds.get(node.id) === "end" ? "end" : "");
    return { number: shape.lattice, picture, element: html("figure", {}, html("figcaption", {}, `for ${shape.variable}: ${loop.algebra}${missing}`), findList(reply, shape.lattice), picture) };
  });
  const figures = html("div", { class: "lattices" }, drawn.map((one) => one.element));
  if (!walk) return pane("lattice", "Lattice", "what is left to do as operands run out", figures, { wide: drawn.length > 1 });

  const says = html("div", { class: "says" }), stripsHere = html("div", { class: "cursors" });
  const touchText = (touch) => touch.words + (touch.value === undefined ? '' : ` = ${number(touch.value)}`);
  const isHere = (cursor, k) => cursor.here && (cursor.together ? cursor.together[0] <= k && k < cursor.together[1] : k === cursor.at);
  const strip = (name, cursor, kind) => {
    const from = cursor.first, to = from + cursor.crd.length;
    const words = (crd, k) => cursor.starts && cursor.starts[k] !== crd ? `${cursor.starts[k]}..${crd}` : crd ?? "·";
    const items = cursor.crd.map((crd, k) => html("i", { class: kind(from + k) }, words(crd, k)));
    const end = cursor.begin === cursor.end ? "nothing stored" : cursor.ran_out ? "ran out" : "";
    return html("div", { class: "strip crd" }, html("span", { class: "operand" }, name),
      html("span", { class: "items" }, from > cursor.begin ? html("em", {}, "…") : "", items,
        to < cursor.end ? html("em", {}, "…") : "", end ? html("em", { class: "warn" }, end) : ""));
  };
  const draw = (at) => {
    const step = walk.steps[at], leaving = step.to !== undefined;
    for (const { picture, number: own } of drawn) {
      for (const lit of picture.querySelectorAll(".here")) lit.classList.remove("here");
      if (own !== step.lattice) continue;
      const node = picture.querySelector(`.node[data-id="${step.point}"]`);
      node.classList.add("here");
      if (step.case !== undefined) node.querySelectorAll("text")[step.case + 1].classList.add("here");
      if (!leaving) continue;
      for (const edge of picture.querySelectorAll(".edge"))
        if (edge.dataset.edge === `${step.point}>${step.to}${step.runs_out ? `>${step.runs_out} runs out` : ""}`) edge.classList.add("here");
    }
    const waited = Object.entries(step.waited ?? {}).map(([name, at]) => `(${name} waited for ${at}) `).join('');
    const around = Object.entries(step.around).map(([name, value]) => `${name}=${value} `).join('') + waited,
          variable = loops.has(step.lattice) ? loops.get(step.lattice).loop : '';
    fill(says, html("b", { class: "mono" }, around + (leaving ? `loop over ${variable}` : `${variable}=${step.coordinate}`)), "  ",
      leaving ? html("span", { class: "warn" }, (step.left ? "nothing can change any more" : step.runs_out ? `${step.runs_out} runs out` : "the range ends") + (kinds.get(step.to) === "end" ? ": done" : ": on to the next point"))
        : html("span", { class: "mono" }, step.does || "nothing to do"));
    const levelStrip = (level, depth) =>
      strip("  ".repeat(depth) + (depth > 0 ? "└ " : "") + level.name, level, (k) => k === level.at ? "here" : "");
    const strips = step.cursors.flatMap((cursor) => [
      strip(cursor.operand, cursor, (k) => isHere(cursor, k) ? "here" : k === cursor.at ? "next" : ""),
      ...(cursor.levels ?? []).map(levelStrip)]);
    const touches = step.touches?.map(touchText).join(", ");
    stripsHere.replaceChildren(...strips, ...(touches ? [html("div", { class: "strip touches mono" }, touches)] : []));
  };
  const stepper = new Stepper("lattice", walk.steps.length, draw, { events: walk.steps.flatMap((step, k) => step.to !== undefined ? [k] : []) });
  const home = pane("lattice", "Lattice", "what is left to do as operands run out" + (walk.complete ? "" : ` · the first ${walk.steps.length} steps`), [stripsHere, figures],
    { wide: true, tabindex: 0, above: [stepper.element, stepper.ticks, says] });
  steppers.add(stepper, home);
  return home;
}
