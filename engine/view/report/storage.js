"use strict";
// Where a tensor has its elements: its grid, and beside it what is stored, in boxes of the levels above. Numbers and hues
// are the same in both, and a place lights up in both.
const rangeText = ([first, last]) => (first === last ? String(first) : `${first}..${last}`);

function storagePicture(p) {
  const known = new Set();
  const cell = (one, group, words) => {
    const element = html("td", { class: `place ${one.holds} hue${Math.max(0, group) % 6}`, title: one.title }, words);
    if (one.place < 0 || one.place === undefined) return element;
    const key = `place:${p.tensor}.${one.place}`;
    if (!known.has(key)) kin.add(key, []);
    known.add(key);
    element.dataset.n = key;
    kin.show(key, element);
    return element;
  };
  // Lines between blocks are narrow columns and rows of their own.
  const spread = (cuts, cells) => cells.flatMap((one, k) => (cuts[k] ? [html("td", { class: "column-cut" }), one] : [one]));
  const wide = 1 + p.columns + p.column_cuts.filter(Boolean).length;
  const heads = spread(p.column_cuts, Array.from({ length: p.columns }, (_, c) => html("th", {}, c)));
  const rows = Array.from({ length: p.rows }, (_, r) => [
    p.row_cuts[r] ? html("tr", {}, html("td", { class: "row-cut", colspan: wide })) : null,
    html("tr", {}, html("th", {}, p.matrix ? r : ""),
      spread(p.column_cuts, p.grid.slice(r * p.columns, (r + 1) * p.columns).map((one) =>
        cell(one, one.group, one.place < 0 ? "" : one.place + (one.mirrored ? "'" : "")))))]);
  const grid = html("table", { class: "relation" }, html("tr", {}, html("th", {}), heads), rows);
  return html("div", { class: "relations" }, grid, storageFibers(p, cell), storageLegend(p));
}

/// A row for each fiber of the last level; entries of those above reach over all that lie below them.
function storageFibers(p, cell) {
  const outer = p.levels.length - 1, most = Math.max(1, ...p.fibers.map((fiber) => fiber.cells.length + fiber.free));
  const rows = p.fibers.map((fiber, k) => {
    const boxes = fiber.outer.map((range, level) => {
      if (k > 0 && fiber.news > level) return null;
      let end = k + 1;
      while (end < p.fibers.length && p.fibers[end].news > level) ++end;
      return html("td", { class: "outer", rowspan: end - k }, rangeText(range));
    });
    const places = fiber.cells.map((one) => cell(one, fiber.group, [html("sub", {}, rangeText(one.coordinates)), one.place]));
    const free = Array.from({ length: fiber.free }, () => html("td", { class: "place nobody", title: "a slot that is not taken" }, "free"));
    return html("tr", {}, boxes, places, free, fiber.beyond ? html("td", { class: "soft" }, `… ${fiber.beyond} more`) : null);
  });
  const heads = p.levels.map((level, l) => html("th", { class: "level", title: level.level, colspan: l === outer ? most : 1 }, level.stores));
  return html("table", { class: "relation" }, html("tr", {}, heads), rows);
}

function storageLegend(p) {
  const samples = { padding: "7", nobody: "8", free: "free", mirrored: "7'", absent: "", excluded: "" };
  const looks = { free: "nobody", mirrored: "entry" };
  return html("p", { class: "legend" }, p.legend.map(({ mark, words }) => html("span", { class: "relation-legend" },
    mark ? html("span", { class: `place hue0 ${looks[mark] || mark}` }, samples[mark] || "\u00a0") : null, words)));
}
