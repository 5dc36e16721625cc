"use strict";
// How the estimated time is spread over the lines of a text. A line of the loops has the shares of the nodes that begin in it, as
// `show cost` has them; a line of a later stage those of the loops that it was made of.

/// `costs`: [{id, share}] of nodes of the loops, or none. By line, 0 to 1. `kin` knows the stages from the loops up to this one.
function sharesByLine(kin, stage, text, spans, costs) {
  const shares = new Map((costs || []).map((cost) => ["loops:" + cost.id, cost.share]));
  const character = characterOf(text), nodes = [new Set()], lines = [0], seen = new Set();
  for (const letter of text) {
    lines.push(lines[lines.length - 1] + (letter === "\n" ? 1 : 0));
    if (letter.length === 2) lines.push(lines[lines.length - 1]);
    if (letter === "\n") nodes.push(new Set());
  }
  for (const span of shares.size ? spans : []) {
    const key = span.stage + ":" + span.id;
    const made = stage === "loops" ? [key] : kin.reach([key], kin.origins);
    for (const from of made) {
      if (!shares.has(from) || (stage === "loops" && seen.has(from))) continue;
      seen.add(from);
      nodes[lines[character(span.begin)]].add(from);
    }
  }
  return nodes.map((line) => [...line].reduce((sum, node) => sum + shares.get(node), 0));
}

const leastShare = 0.005;
const percent = (share) => share < leastShare ? "less than 1 %" : Math.round(100 * share) + " %";

/// Tints the lines of a text that is shown, and says why. True if there is one that stands out.
function tintLines(element, stage, shares) {
  [...element.children].forEach((line, at) => {
    if (!(shares[at] >= leastShare)) return;
    line.classList.add("cost");
    line.style.setProperty("--share", shares[at].toFixed(3));
    line.dataset.share = shares[at].toFixed(3);
    line.title = percent(shares[at]) + " of the estimated time" + (stage === "loops" ? "" : " goes to the loops that this was made of");
  });
  return shares.some((share) => share >= leastShare);
}

function costLegend(stage, shares) {
  const whose = stage === "loops" ? "of a line" : "of the loops that a line was made of";
  return html("p", { class: "legend" }, html("span", { class: "key cost" }), `Estimated time ${whose}: the wider, the more; up to ${percent(Math.max(...shares))}.`);
}
