"use strict";
// The model as it was before engine/view/packed.hpp wrote what occurs twice only once. Equal parts are one object here:
// nobody may change them.
function unpacked({ shapes, shared, model }) {
  const known = [];
  const object = (shape, values) => Object.fromEntries(shapes[shape].map((name, k) => [name, read(values[k])]));
  const row = (shape, values) => (Array.isArray(values) ? object(shape, values) : read(values));
  const kinds = {
    r: (at) => known[at],
    o: ([shape, ...values]) => object(shape, values),
    t: ([shape, ...rows]) => rows.map((values) => row(shape, values)),
    l: (lines) => lines.map(read).join("\n"),
  };
  function read(value) {
    if (Array.isArray(value)) return value.map(read);
    if (value === null || typeof value !== "object") return value;
    const [kind] = Object.keys(value);
    return kinds[kind](value[kind]);
  }
  for (const one of shared) known.push(read(one));
  return read(model);
}
