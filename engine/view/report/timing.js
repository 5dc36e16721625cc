"use strict";
// How long the kernel takes, and how far that is from what the machine can do. Back ends are labelled, never ranked.
function timingPane(kernel) {
  const reply = kernel.timing;
  if (!reply || !reply.ok || !reply.backends.length) return null;
  const own = reply.kernels[0], ms = (x) => x < 1e-3 ? Math.round(x * 1e6) + " ns" : x < 0.1 ? number(x * 1000) + " µs" : number(x) + " ms";
  const rows = reply.backends.map((one) => html("tr", {}, html("td", { class: "mono" }, one.backend), html("td", {}, ms(one.median_ms)), html("td", { class: "soft" }, "± " + ms(one.mad_ms)), html("td", { class: "soft" }, "min " + ms(one.min_ms)),
    html("td", {}, number(one.gb_per_s) + " GB/s"), html("td", {}, one.gflop_per_s === null ? "" : number(one.gflop_per_s) + " GFLOP/s"), html("td", { class: "soft" }, one.runs + " runs")));
  return pane("timing", "Timing", "median of many runs", [html("table", {}, rows),
    html("p", { class: "legend" }, `${own.bytes} bytes of operands and results, ${own.threads} thread${own.threads === 1 ? "" : "s"}` + (own.roof ? `; this machine can do ${number(own.roof.gb_per_s)} GB/s and ${number(own.roof.gflop_per_s)} GFLOP/s` : ""))]);
}
