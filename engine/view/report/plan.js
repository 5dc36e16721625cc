"use strict";
// What a kernel runs as, beside what else was looked at; and what lazy arrays would make of its equations: queries as
// boxes, on the arrows how much is stored; the chosen plan beside the one that came second.
function planFigure(name, way) {
  const nameOf = (id) => `plan-${name}:${id}`;
  for (const node of way.drawing.nodes) kin.add(nameOf(node.id), []);
  const kind = (node) => node.lines.length < 3 ? "input" : "";  // operands have a name and a format alone
  return html("figure", {}, html("figcaption", {}, way.caption), drawing(kin, way.drawing, nameOf, kind));
}

// What was compiled and estimated: a row for each way, with a bar as long as its time is.
function planWays(choice) {
  if (choice.ways.length < 2) return null;
  const most = Math.max(...choice.ways.map((way) => way.ms));
  const row = (way, k) =>
    html("tr", { class: k === 0 ? "chosen" : "" }, [
      html("td", {}, way.what),
      html("td", { class: "number" }, `${way.ms.toPrecision(3)} ms`),
      html("td", {}, html("span", { class: "time", style: `width: ${Math.max(0.2, 12 * way.ms / most)}em` })),
    ]);
  return html("table", { class: "ways" }, choice.ways.map(row));
}

function planPane(kernel) {
  const plan = kernel.plan;
  if (!plan) return null;
  const figures = [
    plan.chosen ? planFigure("chosen", plan.chosen) : null,
    plan.second ? planFigure("second", plan.second) : null,
  ];
  const remarks = html("ul", { class: "remarks" }, plan.remarks.map((remark) => html("li", {}, remark)));
  const parts = [planWays(plan.choice), html("div", { class: "lattices" }, figures), remarks];
  return pane("plan", "Plan", "what it runs as, and its equations as queries", parts, { wide: true });
}
