"use strict";
// What belongs together. Nodes are "stage:number"; every node names its origins, the nodes that it was made of. The kin
// of a node are the nodes that it came from and the nodes that came from it. Where a stage has none of these, as the
// lattice and the control flow were both made of loops, what came from the same origins takes their place, and of a
// stage that its line of descent has passed by, as loops are not made of the graph, what the last stage before became.
class Kin {
  constructor() {
    this.origins = new Map();
    this.made = new Map();
    this.places = new Map();  // node -> elements that show it
    this.pinned = null;
    this.lit = [];
  }

  add(key, origins) {
    if (!this.origins.has(key)) this.origins.set(key, new Set());
    for (const origin of origins) {
      const from = origin.stage + ":" + origin.id;
      if (from === key) continue;
      this.origins.get(key).add(from);
      if (!this.made.has(from)) this.made.set(from, new Set());
      this.made.get(from).add(key);
    }
  }

  show(key, element) {
    if (!this.places.has(key)) this.places.set(key, []);
    this.places.get(key).push(element);
  }

  reach(start, links) {
    const found = new Set(), todo = [...start];
    while (todo.length) for (const next of links.get(todo.pop()) || []) if (!found.has(next)) { found.add(next); todo.push(next); }
    return found;
  }

  of(key) {
    const back = this.reach([key], this.origins), on = this.reach([key], this.made);
    const kin = new Set([key, ...back, ...on]);
    const stages = new Set([...kin].map(stageOf));
    for (const cousin of this.reach(this.origins.get(key) || [], this.made)) if (!stages.has(stageOf(cousin))) kin.add(cousin);
    this.addPassedBy(stageOf(key), kin);
    return kin;
  }

  addPassedBy(stage, kin) {
    const known = new Set([...kin].map(stageOf)), found = [];
    for (let passed = 1; passed < lineOfDescent.indexOf(stage); ++passed) {
      const before = lineOfDescent.slice(0, passed).reverse().find(one => known.has(one));
      if (known.has(lineOfDescent[passed]) || !before) continue;
      for (const from of kin) if (stageOf(from) === before)
        for (const one of this.made.get(from) || []) if (stageOf(one) === lineOfDescent[passed]) found.push(one);
    }
    for (const one of found) kin.add(one);
  }

  /// The nodes that an element shows, innermost first: the first one is meant, and with it, more faintly, the first of them
  /// that other stages know.
  light(keys) {
    this.dim();
    if (!keys.length) return;
    const strong = this.of(keys[0]);
    let weak = new Set();
    for (const key of keys.slice(1)) {
      if (new Set([...strong].map(stageOf)).size > 3) break;
      weak = this.of(key);
      if (new Set([...weak].map(stageOf)).size > 3) break;
    }
    for (const key of weak) this.mark(key, "near");
    for (const key of strong) this.mark(key, "kin");
    return strong;
  }

  mark(key, style) {
    for (const element of this.places.get(key) || []) {
      element.classList.add(style);
      this.lit.push(element);
    }
  }

  dim() {
    for (const element of this.lit) element.classList.remove("kin", "near");
    this.lit = [];
  }

  pin(keys) {
    this.pinned = keys;
    document.body.classList.toggle("pinned", Boolean(keys));
    if (keys) this.light(keys);
    else this.dim();
  }

  /// Scrolls every other pane to the first of what is lit in it.
  reveal(except) {
    const done = new Set([except]);
    for (const element of this.lit) {
      const home = element.closest("[data-pane]"), body = element.closest(".body");
      if (!home || !body || done.has(home) || !element.classList.contains("kin")) continue;
      done.add(home);
      const inside = element.getBoundingClientRect(), frame = body.getBoundingClientRect();
      if (inside.top < frame.top || inside.bottom > frame.bottom) body.scrollTop += inside.top - frame.top - body.clientHeight / 3;
    }
  }
}

/// Follows the pointer on `root`, and pins what is clicked. `kin`: that of now.
function listen(root, kin, tell) {
  const keysAt = (event) => {
    const element = event.target.closest ? event.target.closest("[data-n]") : null;
    return element ? element.getAttribute("data-n").split(" ") : [];
  };
  root.addEventListener("mouseover", (event) => {
    if (kin().pinned) return;
    const keys = keysAt(event);
    kin().light(keys);
    tell(keys);
  });
  root.addEventListener("mouseleave", () => {
    if (kin().pinned) return;
    kin().dim();
    tell([]);
  });
  root.addEventListener("click", (event) => {
    if (event.target.closest("button, input, .stepper, [data-pick], [data-message]")) return;
    const keys = keysAt(event);
    kin().pin(keys.length ? keys : null);
    tell(keys);
    if (keys.length) kin().reveal(event.target.closest("[data-pane]"));
  });
}

const lineOfDescent = [
  "source", "equations", "fragments", "graph", "placement", "loops", "algebra", "lattice", "flow", "c",
];
const stageOf = (key) => key.slice(0, key.indexOf(":"));
