"use strict";
// Where a factorisation has entries: what the operands store, what fills in, and the elimination tree. A column and its box
// in the tree belong together.
function patternCells(pattern, keyOf) {
  const size = Math.max(4, Math.min(17, Math.floor(gridRoom / Math.max(1, pattern.across)))), left = 26, top = 16, side = pattern.across * size;
  const out = svg("svg", { class: "pattern", viewBox: `0 0 ${side + left + 4} ${side + top + 4}`, width: side + left + 4, height: side + top + 4, role: "img", "aria-label": pattern.caption });
  const every = Math.max(1, Math.ceil(22 / size));
  for (let k = 0; k < pattern.across; k += every) {
    out.append(svg("text", { class: "index", x: left + (k + 0.5) * size, y: 11, "text-anchor": "middle" }, k * pattern.block));
    out.append(svg("text", { class: "index", x: left - 5, y: top + (k + 0.5) * size + 4, "text-anchor": "end" }, k * pattern.block));
  }
  out.append(svg("rect", { class: "frame", x: left, y: top, width: side, height: side }));
  pattern.given.forEach((given, at) => {
    const filled = pattern.filled[at];
    if (!given && !filled) return;
    const row = Math.floor(at / pattern.across), column = at % pattern.across, inset = size > 8 ? 1.5 : 0.5;
    const key = keyOf(column * pattern.block);
    const cell = svg("g", { class: "entry " + (given ? "given" : "filled"), "data-n": key },
      svg("title", {}, entryText(pattern, row, column, given, filled)),
      svg("rect", { x: left + column * size + inset, y: top + row * size + inset, width: size - 2 * inset, height: size - 2 * inset, rx: size > 8 ? 2 : 0 }));
    if (key) kin.show(key, cell);
    out.append(cell);
  });
  return out;
}

function entryText(pattern, row, column, given, filled) {
  if (pattern.block > 1) return `rows from ${row * pattern.block}, columns from ${column * pattern.block}: ${given} given, ${filled} filled in`;
  const k = pattern.by[row * pattern.across + column], where = `row ${row}, column ${column}: `;
  if (given) return where + (row === column ? "the diagonal" : "given");
  return where + "filled in" + (k < 0 ? "" : `, as (${row},${k}) and ${pattern.symmetric ? `(${column},${k})` : `(${k},${column})`} have entries`);
}

function patternPane(kernel) {
  const pattern = kernel.pattern;
  if (!pattern) return null;
  const nodeOf = new Map();
  pattern.columns.forEach(([first, last], node) => { for (let c = first; c <= last; ++c) nodeOf.set(c, node); });
  const keyOfNode = (node) => "column:" + pattern.columns[node][0];
  pattern.columns.forEach((_, node) => kin.add(keyOfNode(node), []));
  const keyOf = (column) => nodeOf.has(column) ? keyOfNode(nodeOf.get(column)) : undefined;
  const figures = [html("figure", {}, html("figcaption", {}, "entries"), patternCells(pattern, keyOf))];
  if (pattern.tree) figures.push(html("figure", {}, html("figcaption", {}, "elimination tree"), drawing(kin, pattern.tree, keyOfNode, () => "")));
  const legend = html("p", { class: "legend" }, html("span", { class: "entry-sample given" }), " given  ", html("span", { class: "entry-sample filled" }), " filled in" +
    (pattern.tree ? ". An arrow leads from a column to its parent, the first one that it changes."
    : pattern.symmetric ? `. The elimination tree has ${pattern.columns.length} boxes, too many to draw.` : "."));
  return pane("pattern", "Pattern", pattern.caption, [html("div", { class: "lattices" }, figures), legend], { wide: Boolean(pattern.tree) });
}
