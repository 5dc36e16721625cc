"use strict";
// The lattice of each loop, and a walk through it over what the operands store: the point that glows, where each operand stands
// among its coordinates, the case that this is, and the line of control flow that belongs to it.
function latticePane(kernel) {
  const reply = kernel.stages.lattice, walk = kernel.lattice_walk;
  for (const span of reply.spans) kin.add("lattice:" + span.id, span.origin);
  const kinds = new Map(reply.model.nodes.map((node) => [node.id, node.kind]));
  const loops = new Map(reply.model.loops.map((loop) => [loop.id, loop]));
  const drawn = kernel.drawings.lattice.map((shape) => {
    const loop = loops.get(shape.lattice), missing = loop.missing.length ? `, without ${loop.missing.join(", ")}` : "";
    const picture = drawing(kin, shape, (id) => "lattice:" + id, (node) => kinds.get(node.id) === "end" ? "end" : "");
    return { number: shape.lattice, picture, element: html("figure", {}, html("figcaption", {}, `for ${shape.variable}: ${loop.algebra}${missing}`), picture) };
  });
  const figures = html("div", { class: "lattices" }, drawn.map((one) => one.element));
  if (!walk) return pane("lattice", "Lattice", "what is left to do as operands run out", figures, { wide: drawn.length > 1 });

  const says = html("div", { class: "says" }), stripsHere = html("div", { class: "cursors" });
  const held = new Map(model.tensors.map((tensor) => [tensor.tensor, tensor]));
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
    const around = Object.entries(step.around).map(([name, value]) => `${name}=${value} `).join(""), variable = loops.has(step.lattice) ? loops.get(step.lattice).loop : "";
    fill(says, html("b", { class: "mono" }, around + (leaving ? `loop over ${variable}` : `${variable}=${step.coordinate}`)), "  ",
      leaving ? html("span", { class: "warn" }, (step.runs_out ? `${step.runs_out} runs out` : "the range ends") + (kinds.get(step.to) === "end" ? ": done" : ": on to the next point"))
        : html("span", { class: "mono" }, step.does || "nothing to do"));
    stripsHere.replaceChildren(...step.cursors.map((cursor) => {
      const level = held.has(cursor.tensor) ? held.get(cursor.tensor).levels[cursor.level] : null;
      const crd = level && level.coordinates ? level.coordinates.items : [], items = [];
      const from = Math.max(cursor.begin, Math.min(cursor.at - 8, cursor.end - 17)), to = Math.min(cursor.end, from + 18, crd.length);
      for (let k = from; k < to; ++k) items.push(html("i", { class: k === cursor.at ? (cursor.here ? "here" : "next") : k < cursor.at ? "done" : "" }, crd[k]));
      return html("div", { class: "strip crd" }, html("span", { class: "operand" }, cursor.operand), html("span", { class: "items" }, from > cursor.begin ? html("em", {}, "…") : "", items,
        to < cursor.end ? html("em", {}, "…") : "", cursor.at >= cursor.end ? html("em", { class: "warn" }, cursor.begin === cursor.end ? "nothing stored" : "ran out") : ""));
    }));
  };
  const stepper = new Stepper("lattice", walk.steps.length, draw, { events: walk.steps.flatMap((step, k) => step.to !== undefined ? [k] : []) });
  const home = pane("lattice", "Lattice", "what is left to do as operands run out" + (walk.complete ? "" : ` · the first ${walk.steps.length} steps`), [stripsHere, figures],
    { wide: true, tabindex: 0, above: [stepper.element, stepper.ticks, says] });
  steppers.add(stepper, home);
  return home;
}
