"use strict";
// All orders as a map: a line between two that differ by one swap of neighbouring loops, and a column for each number of
// swaps from what the program asks for.
function orderMap(orders) {
  const start = orders.find((order) => order.own) || orders[0];
  const rank = new Map(start ? start.loops.map((loop, k) => [loop, k]) : []);
  const same = orders.every((order) => order.loops.length === rank.size && order.loops.every((loop) => rank.has(loop)));
  if (!start || !same || orders.length < 2 || orders.length > 24) return null;
  const swaps = ({ loops }) => loops.reduce((sum, a, k) => sum + loops.slice(k + 1).filter((b) => rank.get(a) > rank.get(b)).length, 0);
  const neighbours = (a, b) => {
    const differ = a.loops.flatMap((loop, k) => loop === b.loops[k] ? [] : [k]);
    return differ.length === 2 && differ[1] === differ[0] + 1;
  };
  const columns = [];
  for (const order of orders) (columns[swaps(order)] = columns[swaps(order)] || []).push(order);
  const wide = start.text.length * 7.4 + 34, [across, down, high] = [wide + 26, 38, 24], places = new Map();
  const most = Math.max(...columns.map((column) => column.length));
  columns.forEach((column, c) => {
    // Each near those of the column before that it is joined to.
    const middle = (order) => { const at = (columns[c - 1] || []).filter((one) => neighbours(one, order)).map((one) => places.get(one).y); return at.reduce((a, b) => a + b, 0) / (at.length || 1); };
    const sorted = c ? column.map((order) => [middle(order), order]).sort((a, b) => a[0] - b[0]).map(([, order]) => order) : column;
    sorted.forEach((order, k) => places.set(order, { x: c * across + wide / 2 + 3, y: (k + (most - sorted.length) / 2) * down + high / 2 + 3 }));
  });
  const [width, height] = [(columns.length - 1) * across + wide + 6, (most - 1) * down + high + 6];
  const out = svg("svg", { class: "order-map", viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": "Orders; lines join those that differ by one swap" });
  orders.forEach((a, k) => orders.slice(k + 1).forEach((b) => {
    const [from, to] = [places.get(a), places.get(b)];
    if (neighbours(a, b)) out.append(svg("line", { class: "swap", x1: from.x, y1: from.y, x2: to.x, y2: to.y }));
  }));
  for (const order of orders) out.append(mapNode(order, orders, places, wide, high));
  return html("div", { class: "map" }, out);
}

function mapNode(order, orders, places, wide, high) {
  const { x, y } = places.get(order);
  const node = svg("g", { class: `order-node ${verdictStyle(order)}${order.here ? " shown" : ""}${order.own ? " own" : ""}`, "data-pick": order.text, "data-focus": "map:" + order.text,
    role: "button", tabindex: order.here ? 0 : -1, "aria-pressed": String(order.here), "aria-label": `${order.text}: ${verdictWords(order)}${order.own ? ", asked for" : ""}`,
    onclick: () => chooseOrder(order.text), onkeydown: onKeyDown },
    svg("title", {}, `${order.text}: ${verdictWords(order)}${order.own ? " · asked for" : ""}`),
    svg("rect", { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 6 }), svg("text", { x, y: y + 4 }, `${verdictMark(order)} ${order.text}`));
  function onKeyDown(event) {
    if (event.key === "Enter" || event.key === " ") chooseOrder(order.text);
    else {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
      // The nearest one in that direction.
      const ahead = orders.map((one) => ({ one, dx: places.get(one).x - x, dy: places.get(one).y - y })).filter(({ dx, dy }) => way[0] ? dx * way[0] > 1 : Math.abs(dx) < 1 && dy * way[1] > 1);
      ahead.sort((a, b) => Math.hypot(a.dx, a.dy) - Math.hypot(b.dx, b.dy));
      if (ahead.length) node.parentNode.querySelector(`[data-pick="${CSS.escape(ahead[0].one.text)}"]`).focus();
    }
    event.preventDefault();
    event.stopPropagation();
  }
  return node;
}
