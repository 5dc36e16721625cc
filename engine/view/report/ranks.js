"use strict";
// Whose elements are, with hatched cells where somebody else is sent them; who sends whom; and when ranks waited.
const rankHue = (rank) => `rank hue${rank % 6}`;

function ownedPicture(owned, keyOf) {
  const columns = owned.columns.cuts.length;
  const labels = (axis) => axis.cuts.map((cut, k) => (k === 0 || cut ? axis.places[k] : ""));
  const cell = (one) => {
    const element = html("td", { class: `place ${rankHue(one.owner)}${one.readers.length ? " ghost" : ""}`, title: one.title, "data-n": keyOf(one.owner) },
      one.owner, one.readers.length ? html("sup", {}, one.readers.join(" ")) : null);
    kin.show(keyOf(one.owner), element);
    return element;
  };
  const cut = (axis, k) => (axis.cuts[k] ? " cut" : "");
  const heads = html("tr", {}, html("th", {}), labels(owned.columns).map((label, k) => html("th", { class: cut(owned.columns, k) }, label)));
  const names = labels(owned.rows);
  const rows = owned.rows.cuts.map((_, r) => html("tr", { class: cut(owned.rows, r) }, html("th", {}, owned.order > 1 ? names[r] : ""),
    owned.cells.slice(r * columns, (r + 1) * columns).map((one, k) => { const made = cell(one); if (owned.columns.cuts[k]) made.classList.add("cut"); return made; })));
  return html("figure", {}, html("figcaption", {}, owned.caption), html("table", { class: "relation owners" }, heads, rows));
}

function sendsPicture(picture, keyOf) {
  const most = Math.max(...picture.bytes), ranks = Array.from({ length: picture.ranks }, (_, r) => r);
  const name = (rank) => html("th", { class: rankHue(rank), "data-n": keyOf(rank) }, rank);
  const rows = ranks.map((from) => html("tr", {}, name(from), ranks.map((to) => {
    const bytes = picture.bytes[from * picture.ranks + to];
    return html("td", { class: "bytes", title: `rank ${from} sends rank ${to} ${bytes} bytes`, style: bytes ? `--share: ${(100 * bytes / most).toFixed(0)}%` : "" }, bytes || "·");
  })));
  return html("figure", {}, html("figcaption", {}, `who sends (rows) whom (columns), bytes in all${picture.at_most ? ", at most" : ""}`),
    html("table", { class: "relation sends" }, html("tr", {}, html("th", {}), ranks.map(name)), rows));
}

function lanesPicture(lanes, keyOf) {
  const slice = 9, high = 18, left = 30, count = lanes.ranks[0].waits.length, width = left + count * slice + 4;
  const out = svg("svg", { class: "lanes", viewBox: `0 0 ${width} ${lanes.ranks.length * (high + 4)}`, width, height: lanes.ranks.length * (high + 4), role: "img", "aria-label": lanes.caption });
  lanes.ranks.forEach((lane, rank) => {
    const y = rank * (high + 4);
    const row = svg("g", { class: rankHue(rank), "data-n": keyOf(rank) }, svg("title", {}, `rank ${rank} computed ${lane.compute_ms.toPrecision(3)} ms and waited ${lane.wait_ms.toPrecision(3)} ms`),
      svg("text", { class: "index", x: left - 6, y: y + high - 5, "text-anchor": "end" }, rank),
      svg("rect", { class: "lane", x: left, y, width: count * slice, height: high }),
      lane.waits.map((waited, k) => svg("rect", { class: "computes", x: left + k * slice, y: y + waited * high, width: slice, height: (1 - waited) * high })));
    kin.show(keyOf(rank), row);
    out.append(row);
  });
  return html("figure", {}, html("figcaption", {}, `${lanes.caption}; as high as it is filled a rank computed`), out);
}

function ranksPane(kernel) {
  const stage = kernel.stages.ranks, picture = kernel.ranks;
  if (!stage) return null;
  if (!picture) return textPane("ranks", "Ranks", "who has what, who computes, what is sent", stage);
  const keyOf = (rank) => `rank:${rank}`;
  for (let rank = 0; rank < picture.ranks; ++rank) kin.add(keyOf(rank), []);
  const figures = [...picture.tensors.map((owned) => ownedPicture(owned, keyOf)), picture.bytes.length ? sendsPicture(picture, keyOf) : null, picture.lanes ? lanesPicture(picture.lanes, keyOf) : null];
  const legend = html("p", { class: "legend" }, html("span", { class: "place rank hue0 ghost" }, "0", html("sup", {}, "1")), ` of rank 0, sent to rank 1; ${picture.ranks} ranks`,
    picture.whole.length ? `; each has all of ${picture.whole.join(", ")}` : "");
  return pane("ranks", "Ranks", "who has what, who computes, what is sent", [html("div", { class: "lattices" }, figures), legend, picture.forecast ? html("p", { class: "legend" }, picture.forecast) : null, stage.ok ? annotated(kin, "ranks", stage.text, stage.spans) : problem(stage)], { wide: true });
}
