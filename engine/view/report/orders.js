"use strict";
// Every order with its verdict; of one that is refused the reason, and its smallest instance on the grid.
function ordersPane(kernel) {
  const reply = kernel.orders;
  if (!reply) return null;
  if (!reply.ok) return pane("orders", "Orders", "", problem(reply));
  const name = (entry) => entry.order.map((loop) => loop + (entry.descending.includes(loop) ? "-" : "")).join(" ");
  const refused = new Map(kernel.refused.map((why) => [why.order_text, why]));
  const others = new Map(kernel.others.map((other) => [other.order_text, other]));
  // A fix may be one of these orders.
  const asks = "order " + kernel.present, instead = kernel.shown;
  const shows = instead ? instead.command || "order " + instead.order_text : asks;
  const soft = (words) => html("span", { class: "soft" }, words);
  const detail = html("div", { class: "detail" });
  const rows = reply.orders.map((entry) => {
    const text = name(entry), why = refused.get(text);
    const other = others.get(text), can = why || other, here = "order " + text === shows;
    const looks = (entry.legal ? "legal" : "refused") + (here ? " shown" : "") + (can ? " can" : "");
    const mark = here ? soft("  shown") : "order " + text === asks ? soft("  asked for") : "";
    const estimate = entry.cost === null ? "" : soft(times(entry.cost)), median = entry.median_ms ?? null;
    const row = html("tr", { class: looks, "data-pick": text, tabindex: can ? 0 : undefined },
      html("td", { class: entry.legal ? "good" : "bad" }, entry.legal ? "✓" : "✗"),
      html("td", { class: "mono" }, text, mark),
      html("td", {}, entry.legal ? estimate : entry.reason, median === null ? "" : soft(` · ${number(median)} ms`)));
    const pick = () => {
      if (other) return showKernel(shownAt, other);
      for (const one of rows) one.classList.toggle("picked", one === row);
      showRefused(detail, why);
    };
    if (can) { row.addEventListener("click", pick); row.addEventListener("keydown", (event) => { if (event.key === "Enter") pick(); }); }
    return row;
  });
  const legal = reply.orders.filter((entry) => entry.legal).length;
  const home = pane("orders", "Orders", `${legal} of ${reply.listed} are legal` + (others.size ? " · pick one to see what becomes of it" : kernel.refused.length ? " · pick one that is not" : ""),
    [html("div", { class: "table" }, html("table", {}, rows)), detail], { wide: kernel.refused.length > 0 });
  const own = kernel.refused.find((why) => why.order_text === kernel.present) || kernel.refused[0];
  if (own) rows.find((row) => row.dataset.pick === own.order_text).click();
  return home;
}

function showRefused(detail, why) {
  detail.replaceChildren();
  if (!why) return;
  const { grid: shape, instance } = why;
  const point = (at) => Object.entries(at).map(([name, value]) => `${name}=${value}`).join(", ");
  if (shape) {
    const grid = new Grid(shape.tensor, shape.shape, { values: false });
    grid.style(shape.reads, "early");
    if (shape.computes) { grid.style(shape.computes, "write"); grid.arrow(shape.reads, shape.computes, "early"); }
    detail.append(html("figure", {}, html("figcaption", {}, shape.tensor, html("span", { class: "soft" }, " at " + point(instance.sizes || {}))), grid.element));
  }
  const lines = [];
  if (instance && instance.read) {
    lines.push(html("p", {}, html("span", { class: "key write" }), "computed at ", html("b", { class: "mono" }, point(instance.at)), shape && shape.computes ? `: ${shape.tensor}(${shape.computes.join(",")})` : ""));
    lines.push(html("p", {}, html("span", { class: "key early" }), "reads ", html("b", { class: "mono" }, `${instance.read}${instance.element.length ? `(${instance.element.join(",")})` : ""}`),
      instance.written_at ? [", which is computed later, at ", html("b", { class: "mono" }, point(instance.written_at))] : ", which nothing computes"));
  }
  if (why.extent) lines.push(html("p", { class: "soft" }, `${why.extent.violations} of ${why.extent.reads} such reads come too early at ${point(why.extent.sizes)}`));
  if (why.fixes && why.fixes.length) lines.push(html("p", {}, html("span", { class: "good" }, "✓ "), "instead: ", why.fixes.map((fix, k) => [k ? " · " : "", html("b", { class: "mono" }, fix.command)])));
  detail.append(html("div", { class: "words" }, lines));
}
