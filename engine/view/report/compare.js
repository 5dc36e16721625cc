"use strict";
// Two orders side by side, in lockstep: when one does a step, the other goes to where it has just done the same. A step is
// known by its fragment and where that stands in the equation's own indices, which no order changes; where these are not
// known, by the element that it writes.
const deedOf = (step) => step.does ? JSON.stringify(step.does) : step.writes ? JSON.stringify(step.writes.slice(0, 2)) : null;

/// By step of `one`: how many steps of `other` are done when it has just done the same; that of the step before where
/// nothing does the same.
function counterparts(one, other) {
  const place = (steps) => {
    const seen = new Map();
    return steps.map((step) => { const deed = deedOf(step); if (!deed) return null; seen.set(deed, (seen.get(deed) || 0) + 1); return deed + "#" + seen.get(deed); });
  };
  const there = new Map(place(other.steps).map((deed, k) => [deed, k + 1]));
  let last = 0;
  return place(one.steps).map((deed) => (last = deed && there.get(deed) || last));
}

/// What the page compares with, once asked to: the other side stays while this one changes.
const compare = { kernel: -1, side: null, lead: 0 };

function toggleCompare() {
  const own = model.kernels[shownAt];
  if (compare.side && compare.kernel === shownAt) compare.side = null;
  else if (own) Object.assign(compare, { kernel: shownAt, side: inPlace(own, shown || {}), name: shown ? shown.order_text || shown.command : own.present, lead: 0 });
  showKernel(shownAt, shown);
}

function comparePane(kernel) {
  const steps = (one) => one.execution && one.execution.steps && one.execution.steps.length;
  if (!compare.side || compare.kernel !== shownAt || predict.on) return null;
  const name = kernel.shown ? kernel.shown.order_text || kernel.shown.command : kernel.present;
  const say = (words) => pane("compare", "Compare", "two orders in lockstep", silent(words), { wide: true });
  if (name === compare.name) return say(`${name} is kept as side B: now choose another order. c ends the comparison.`);
  if (!steps(kernel) || !steps(compare.side)) return say("One of the two cannot be stepped through.");
  const runs = [kernel.execution, compare.side.execution], names = [name, compare.name];
  const views = runs.map((run) => executionView(run, false));
  const follows = [counterparts(runs[0], runs[1]), counterparts(runs[1], runs[0])], lead = compare.lead;
  const words = html("div", { class: "says", "aria-live": "polite" });
  const draw = (at) => {
    const other = follows[lead][at];
    views[lead].draw(at);
    views[1 - lead].draw(other - 1);
    // What the follower has done so far, though the leader has not.
    const done = new Set(runs[lead].steps.slice(0, at + 1).map(deedOf)), early = runs[1 - lead].steps.slice(0, other).filter((step) => !done.has(deedOf(step))).length;
    const has = new Set(runs[1 - lead].steps.slice(0, other).map(deedOf)), ahead = runs[lead].steps.slice(0, at + 1).filter((step) => !has.has(deedOf(step))).length;
    fill(words, html("b", {}, `${names[lead]} leads`), `${at + 1} of ${runs[lead].steps.length} steps; ${names[1 - lead]} is at ${other} of ${runs[1 - lead].steps.length}. `,
      html("span", { class: "soft" }, `Only ${names[lead]} has done ${ahead} of these, only ${names[1 - lead]} ${early}.`));
  };
  const stepper = new Stepper("compare", runs[lead].steps.length, draw);
  const half = (k) => html("section", { class: "side" + k, "aria-label": "Side " + "AB"[k] }, html("h3", {}, html("b", {}, "AB"[k] + " "), html("span", { class: "mono" }, names[k]), k === lead ? html("span", { class: "soft" }, " leads") : ""),
    views[k].says, html("div", { class: "scroll" }, views[k].text), html("div", { class: "scroll grids" }, views[k].figures));
  const swap = html("button", { "data-lead": lead, onclick: swapLead }, "the other leads (x)");
  const home = pane("compare", "Compare", "in lockstep: where one does something, the other has just done the same", html("div", { class: "halves" }, half(0), half(1)),
    { wide: true, tabindex: 0, above: [stepper.element, stepper.ticks, words, html("p", { class: "answers" }, swap)] });
  steppers.add(stepper, home);
  return home;
}

/// The same moment, led by the other side.
function swapLead() {
  if (!document.getElementById("pane-compare")) return;
  const found = steppers.all.find(({ stepper }) => stepper.id === "compare");
  const views = [model.kernels[shownAt], shown], kernel = inPlace(views[0], shown || {});
  const runs = [kernel.execution, compare.side.execution], at = found ? counterparts(runs[compare.lead], runs[1 - compare.lead])[found.stepper.at] - 1 : 0;
  compare.lead = 1 - compare.lead;
  showKernel(shownAt, shown);
  const now = steppers.all.find(({ stepper }) => stepper.id === "compare");
  if (now) now.stepper.go(Math.max(0, at));
}
