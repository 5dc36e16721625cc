"use strict";
// Graphs: where everything goes was decided by Graphviz when the page was written.
function curve(points) {
  let path = `M${points[0]}`;
  for (let k = 1; k + 2 < points.length; k += 3) path += `C${points[k]} ${points[k + 1]} ${points[k + 2]}`;
  return path;
}

/// The arrow's head, from the end of the curve to its tip.
function head(from, tip) {
  const dx = tip[0] - from[0], dy = tip[1] - from[1], length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length], width = 3.2;
  return `M${tip[0]} ${tip[1]}L${from[0] - uy * width} ${from[1] + ux * width}L${from[0] + uy * width} ${from[1] - ux * width}Z`;
}

/// `key` of a node's number is its node of the model; `kind` its style; `edgeKey` what an edge stands for, if anything.
function drawing(kin, model, key, kind, edgeKey) {
  const margin = 4;
  const out = svg("svg", { class: "drawing", viewBox: `${-margin} ${-margin} ${model.width + 2 * margin} ${model.height + 2 * margin}`,
    width: model.width + 2 * margin, height: model.height + 2 * margin, role: "img",
    "aria-label": model.nodes.map((node) => node.lines.join(" ")).join("; ") });
  for (const group of model.groups) {
    out.append(svg("rect", { class: "frame", x: group.x, y: group.y, width: group.width, height: group.height, rx: 8 }));
    out.append(svg("text", { class: "frame-label", x: group.x + 8, y: group.y + 15 }, group.label));
  }
  for (const edge of model.edges) {
    if (!edge.points.length) continue;
    const from = edgeKey ? edgeKey(edge) : null;
    const element = svg("g", { class: "edge" + (edge.exact === false ? " loose" : ""), "data-edge": edge.from + ">" + edge.to + (edge.label ? ">" + edge.label : ""), "data-n": from || undefined },
      edge.fragment ? svg("title", {}, edge.fragment) : null,
      svg("path", { class: "reach", d: curve(edge.points) }),
      svg("path", { d: curve(edge.points) }),
      svg("path", { class: "tip", d: head(edge.points[edge.points.length - 1], edge.tip) }),
      edge.label ? svg("text", { x: edge.at[0], y: edge.at[1] + 4 }, edge.label) : null);
    if (from) kin.show(from, element);
    out.append(element);
  }
  for (const node of model.nodes) {
    const name = key(node.id), step = (node.height - 8) / node.lines.length;
    const element = svg("g", { class: "node " + (kind(node) || ""), "data-n": name, "data-id": node.id },
      svg("rect", { class: "box", x: node.x, y: node.y, width: node.width, height: node.height, rx: 6 }),
      node.lines.map((line, k) => svg("text", { x: node.x + (node.lines.length > 1 ? 9 : node.width / 2), y: node.y + 4 + step * (k + 0.5) + 4,
        "text-anchor": node.lines.length > 1 ? "start" : "middle" }, line)));
    kin.show(name, element);
    out.append(element);
  }
  return out;
}
