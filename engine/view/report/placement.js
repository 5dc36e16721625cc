"use strict";
// The greedy placement, step by step: what each fragment's state is, what was tried, and the loops as far as they stand.
const eventWords = { component: "takes up", coalesce: "merges", assume: "assumes", try: "tries", reject: "rejects", place: "places",
  reorder: "reorders", ready: "ready", shrink: "shrinks", undo: "undoes", ignore: "ignores" };
const fragmentMarks = { placed: "✓", tried: "▸", refused: "⊖", waiting: "○" };
const eventMarks = { place: "✓", reject: "✗", undo: "✗", ready: "●", try: "▸", ignore: "⚠" };

function placementPane(kernel) {
  const reply = kernel.stages.placement;
  if (!reply) return null;
  const about = "greedy, with what is ready";
  if (!reply.ok) return pane("placement", "Placement", about, problem(reply), { wide: true });
  const { events, nest, certificate } = reply.model, fragments = kernel.stages.fragments.model.fragments;
  const chips = html("div", { class: "chips" }), says = html("div", { class: "says" });
  const chip = new Map(fragments.map((fragment) => {
    const key = "fragments:" + fragment.id, element = html("span", { class: "chip", "data-n": key });
    kin.show(key, element);
    chips.append(element);
    return [fragment.name, element];
  }));
  const list = html("ol", { class: "events" }, events.map((event, k) => html("li", { "data-pick": k, class: event.kind, style: `padding-left:${event.depth * 14 + 4}px`, onclick: () => stepper.go(k) },
    html("span", { class: "mark" }, eventMarks[event.kind] || "·"), html("span", { class: "kind" }, eventWords[event.kind] || event.kind), " ", event.text)));
  const loops = nest && nest.text ? annotated(kin, "placement", nest.text, nest.spans) : silent("No loops: the order is refused.");
  const lines = [...loops.querySelectorAll(".line")].map((line) => ({ line, of: lineFragments(line) }));
  const verdict = certificate ? html("p", { class: "good certified" }, `✓ proven ${certificate.sizes}: ${counted(certificate.dependences, "dependence")} respected, ${counted(certificate.instances, "fragment")} run once`)
    : html("p", { class: "bad certified" }, "✗ no place is left for what remains");
  const draw = (at) => {
    const states = kernel.placed[at], event = events[at];
    fragments.forEach(({ id, name }) => {
      const { state, waits_for: waits } = states[id], element = chip.get(name);
      element.dataset.state = state;
      element.textContent = fragmentMarks[state] + " " + name;
      element.title = waits.length ? "waits for " + waits.map((other) => fragments[other].name).join(", ") : "";
    });
    [...list.children].forEach((item, k) => { item.classList.toggle("here", k === at); item.classList.toggle("later", k > at); });
    scrollInside(list.children[at]);
    const done = new Set(fragments.map(({ id }) => id).filter((id) => states[id].state === "placed"));
    for (const { line, of } of lines) line.classList.toggle("later", of.length > 0 && !of.some((id) => done.has(id)));
    verdict.classList.toggle("later", at < events.length - 1);
    fill(says, html("b", {}, eventWords[event.kind] || event.kind), " ", html("span", { class: "mono" }, event.text));
  };
  const stepper = new Stepper("placement", events.length, draw, { start: events.length - 1, events: events.flatMap((event, k) => event.kind === "reject" || event.kind === "undo" ? [k] : []) });
  const home = pane("placement", "Placement", about, html("div", { class: "halves" }, html("div", { class: "scroll" }, list), html("div", { class: "scroll" }, loops, verdict)),
    { wide: true, tabindex: 0, above: [stepper.element, stepper.ticks, chips, says] });
  steppers.add(stepper, home);
  return home;
}

/// The fragments that a line of the nest comes from.
function lineFragments(line) {
  for (const element of line.querySelectorAll("[data-n]")) {
    const key = element.getAttribute("data-n").split(" ").find((name) => stageOf(name) === "placement");
    if (key) return [...(kin.origins.get(key) || [])].filter((name) => stageOf(name) === "fragments").map((name) => Number(name.split(":")[1]));
  }
  return [];
}

function scrollInside(element) {
  const frame = element && element.closest(".scroll, .body");
  if (!frame || !frame.clientHeight) return;
  const inside = element.getBoundingClientRect(), around = frame.getBoundingClientRect();
  if (inside.top < around.top + 4) frame.scrollTop -= around.top + 4 - inside.top;
  else if (inside.bottom > around.bottom - 4) frame.scrollTop += inside.bottom - around.bottom + 4;
}
