"use strict";
// The order of the loops, to be chosen: bars that are dragged, all orders as a map and as a table, each with its verdict; of
// one that is refused the smallest instance on the grid.
const orderName = (entry) => entry.order.map((loop) => loop + (entry.descending.includes(loop) ? "-" : "")).join(" ");

/// Of the kernel that is shown: what is known of each order. A fix or another format may stand in for the order.
function knownOrders(kernel) {
  const refused = new Map(kernel.refused.map((why) => [why.order_text, why]));
  const others = new Map(kernel.others.map((other) => [other.order_text, other]));
  const instead = kernel.shown, asks = kernel.present;
  const shows = instead && (instead.order_text || (instead.command || "").startsWith("order ") && instead.command.slice(6)) || asks;
  const listed = kernel.orders.orders.map((entry) => {
    const text = orderName(entry);
    return { text, loops: text.split(" "), legal: entry.legal, reason: entry.reason, cost: entry.cost, median: entry.median_ms ?? null,
      why: refused.get(text), other: others.get(text), own: text === asks, here: text === shows, told: predict.knows(kernel.kernel, text) };
  });
  // The reply has the legal ones first, which would tell.
  return predict.on ? listed.sort((a, b) => (a.text < b.text ? -1 : 1)) : listed;
}

const verdictMark = (order) => !order.told ? "?" : order.legal ? "✓" : "✗";
const verdictStyle = (order) => !order.told ? "untold" : order.legal ? "legal" : "refused";
const verdictWords = (order) => !order.told ? "not predicted yet" : order.legal ? "legal" + (order.cost === null ? "" : ", " + times(order.cost)) : order.reason;

/// The page in that order, of the kernel that it shows. False: the page does not hold it.
function chooseOrder(text) {
  const kernel = model.kernels[shownAt], other = kernel.others.find((one) => one.order_text === text);
  if (!other && text !== kernel.present) return false;
  showKernel(shownAt, other || null);
  return true;
}

/// The order after the one that is shown, or before it, in the table.
function nextOrder(direction) {
  const kernel = model.kernels[shownAt];
  if (!kernel || !kernel.orders || !kernel.orders.ok) return;
  const held = knownOrders(inPlace(kernel, shown || {})).filter((order) => order.other || order.own);
  const at = held.findIndex((order) => order.here);
  if (held.length) chooseOrder(held[(at + direction + held.length) % held.length].text);
}

function ordersPane(kernel) {
  const reply = kernel.orders;
  if (!reply) return null;
  if (!reply.ok) return pane("orders", "Orders", "", problem(reply));
  const orders = knownOrders(kernel), detail = html("div", { class: "detail" });
  const table = html("table", {}, orders.map((order) => orderRow(order, orders, detail)));
  const legal = orders.filter((order) => order.legal).length, told = orders.every((order) => order.told);
  const about = (told ? `${legal} of ${reply.listed} are legal` : `${counted(reply.listed, "order")}: which are legal?`) + (kernel.others.length ? " · drag a loop, or pick an order: every pane follows" : "");
  const left = kernel.orders_left_out ? html("p", { class: "legend" }, `The page has no room for what becomes of ${counted(kernel.orders_left_out, "further order")}.`) : null;
  const here = orders.find((order) => order.here && order.told && order.why);
  const home = pane("orders", "Orders", about, [html("div", { class: "order-parts" }, orderBars(orders), orderMap(orders), html("div", { class: "table" }, table)), left, detail],
    { wide: orders.length > 1 });
  if (here || told) showInstance(table, detail, here || orders.find((order) => order.own && order.why) || orders.find((order) => order.why && !kernel.shown));
  return home;
}

function showInstance(table, detail, order) {
  if (!order || !order.why) return;
  for (const row of table.querySelectorAll("tr")) row.classList.toggle("picked", row.dataset.pick === order.text);
  showRefused(detail, order.why);
}

function orderRow(order, orders, detail) {
  const soft = (words) => html("span", { class: "soft" }, words);
  const can = order.other || order.own || order.told && order.why;
  const pick = () => chooseOrder(order.text) || order.told && showInstance(row.closest("table"), detail, order);
  const row = html("tr", { class: verdictStyle(order) + (order.here ? " shown" : "") + (can ? " can" : ""), "data-pick": order.text, tabindex: can ? 0 : undefined,
    "data-focus": "row:" + order.text, "aria-current": order.here ? "true" : undefined },
    html("td", { class: order.told ? order.legal ? "good" : "bad" : "soft" }, verdictMark(order)),
    html("td", { class: "mono" }, order.text, order.here ? soft("  shown") : order.own ? soft("  asked for") : ""),
    html("td", {}, !order.told ? "" : order.legal ? order.cost === null ? "" : soft(times(order.cost)) : order.reason,
      order.told && order.median !== null ? soft(` · ${number(order.median)} ms`) : ""));
  if (can) {
    row.addEventListener("click", pick);
    row.addEventListener("keydown", (event) => { if (event.key === "Enter") pick(); });
  }
  return row;
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
  if (why.fixes && why.fixes.length && !predict.on) lines.push(html("p", {}, html("span", { class: "good" }, "✓ "), "instead: ", why.fixes.map((fix, k) => [k ? " " : "", fixedOrder(fix.command)])));
  detail.append(html("div", { class: "words" }, lines));
}

/// A button, where it is an order that the page holds.
function fixedOrder(command) {
  const order = command.startsWith("order ") ? command.slice(6) : "", kernel = model.kernels[shownAt];
  const held = order === kernel.present || kernel.others.some((one) => one.order_text === order);
  return held ? html("button", { class: "choice", onclick: () => chooseOrder(order) }, command) : html("b", { class: "mono" }, command);
}
