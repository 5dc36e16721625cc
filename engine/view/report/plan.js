"use strict";
// What lazy arrays would make of the equations: queries as boxes, on the arrows how much is stored; the chosen plan
// beside the one that came second.
function planFigure(name, way) {
  const nameOf = (id) => `plan-${name}:${id}`;
  for (const node of way.drawing.nodes) kin.add(nameOf(node.id), []);
  const kind = (node) => node.lines.length < 3 ? "input" : "";  // operands have a name and a format alone
  return html("figure", {}, html("figcaption", {}, way.caption), drawing(kin, way.drawing, nameOf, kind));
}

function planPane(kernel) {
  const plan = kernel.plan;
  if (!plan) return null;
  const figures = [planFigure("chosen", plan.chosen), plan.second ? planFigure("second", plan.second) : null];
  const remarks = html("ul", { class: "remarks" }, plan.remarks.map((remark) => html("li", {}, remark)));
  const parts = [html("div", { class: "lattices" }, figures), remarks];
  return pane("plan", "Plan", "as lazy arrays would compute it", parts, { wide: true });
}
