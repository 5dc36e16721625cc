"use strict";
// How tensors are stored: level by level, and the arrays themselves.
function strip(name, array, style) {
  if (!array) return null;
  return html("div", { class: "strip " + style }, html("span", { class: "strip-name" }, name),
    html("span", { class: "items" }, array.items.map((item, k) => html("i", { "data-at": k, title: `${name}[${k}]` }, typeof item === "boolean" ? Number(item) : number(item))), array.count > array.items.length ? html("em", {}, `… ${array.count}`) : null));
}

function strips(tensor) {
  return tensor.levels.map((level, l) => [strip(`pos${l}`, level.positions, "pos"), strip(`crd${l}`, level.coordinates, "crd")]).concat(tensor.values ? [strip("vals", tensor.values, "vals")] : []);
}

/// Other formats that the program names: chosen, every pane follows.
function alternatives(kernel, tensor) {
  const others = predict.on ? [] : (kernel.formats || []).filter((one) => one.tensor === tensor);
  return others.length ? html("div", { class: "alternatives" }, html("span", { class: "soft" }, "as "), others.map((one) => html("button", { class: "choice", "data-format": one.command, "data-focus": one.command,
    "aria-pressed": String(kernel.shown === one), onclick: () => showKernel(shownAt, kernel.shown === one ? null : one) }, one.format, html("span", { class: one.legal ? "good" : "bad" }, one.legal ? " ✓" : " ✗")))) : null;
}

function formatsPane(kernel) {
  const reply = kernel.stages.formats;
  if (!reply || !reply.ok) return null;
  const own = new Set(reply.model.tensors.map((tensor) => tensor.tensor));
  const held = new Map(model.tensors.filter((tensor) => own.has(tensor.tensor)).map((tensor) => [tensor.tensor, tensor]));
  const parts = reply.model.tensors.map((tensor) => {
    const arrays = held.get(tensor.tensor), sparse = tensor.levels.some((level) => level.level !== "dense");
    return html("div", { class: "stored" }, html("div", {}, html("b", { class: "mono" }, tensor.tensor), " ", html("span", { class: "soft" }, `${tensor.format} ${tensor.type}` +
      (tensor.entries !== undefined ? ` · ${tensor.entries} entries · ${number(tensor.bytes)} bytes` : ""))),
      alternatives(kernel, tensor.tensor),
      arrays && arrays.picture ? storagePicture(arrays.picture) : null,
      arrays && (sparse || arrays.values.count <= 256) ? strips(arrays) : null);
  });
  const notes = reply.model.kernels.flatMap((one) => [...one.written, ...one.looked_up]);
  return pane("formats", "Formats", "what is in memory", [parts, notes.length ? html("p", { class: "legend" }, notes.map((note) => html("div", {}, note))) : null]);
}
