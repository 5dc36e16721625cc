"use strict";
// Predict: verdicts are hidden, and so is what comes next, until one has said what it will be. The answers are what the
// panes show otherwise.
const predict = {
  on: false, right: 0, asked: 0, told: new Set(),
  key: (kernel, order) => kernel + ": " + order,
  knows(kernel, order) { return !this.on || this.told.has(this.key(kernel, order)); },
  /// The order that is asked about: what stands on the page, unless that is known.
  question(own, instead) {
    const order = own && own.orders && own.orders.ok && (instead ? instead.order_text : own.present);
    return order && !this.knows(own.kernel, order) ? order : null;
  },
  answer(right) {
    this.asked += 1;
    this.right += right ? 1 : 0;
    this.show();
  },
  show() {
    const score = document.getElementById("score");
    document.body.classList.toggle("predicting", this.on);
    score.textContent = this.on ? `predicted ${this.right} of ${this.asked}` : "";
    document.getElementById("predict-button").setAttribute("aria-pressed", String(this.on));
  },
  toggle() {
    this.on = !this.on;
    if (this.on) { [this.right, this.asked] = [0, 0]; this.told.clear(); }
    this.show();
    showKernel(shownAt, shown && shown.order_text ? shown : null);
  },
};

/// May the loops run in that order?
function questionPane(own, order, instead) {
  const legal = instead ? instead.legal : own.legal;
  const say = (guess) => {
    predict.told.add(predict.key(own.kernel, order));
    predict.answer(guess === legal);
    showKernel(shownAt, instead);
    fill(document.getElementById("status"), html("b", {}, guess === legal ? "right" : "not so"), `order ${order} is ${legal ? "legal" : "illegal"}`);
  };
  const button = (guess, key, words) => html("button", { class: "answer", "data-answer": words, onclick: () => say(guess) }, html("kbd", {}, key), " " + words);
  return pane("question", `May the loops run in the order ${order}?`, "every read must come after its write, at all sizes",
    html("p", { class: "answers" }, button(true, "y", "legal"), button(false, "n", "illegal")), { wide: true });
}

/// What a step does, without what it makes of it.
function deedText(step) {
  const index = (at) => at.length ? `(${at.join(",")})` : "";
  const what = step.writes ? `writes ${step.writes[0]}${index(step.writes[1])}` : step.ends ? `${step.ends} has all of its entries` : step.fills === undefined ? `${step.starts} begins afresh` : `fills ${step.starts}`;
  const at = Object.entries(step.loops).map(([name, value]) => `${name}=${value}`).join(" ");
  return what + (at ? ` at ${at}` : "");
}

/// Which statement comes next? Among what others of the execution do nearby. Nothing to ask where all would say the same.
function nextQuestion(run, at, said) {
  const right = deedText(run.steps[at + 1]), now = deedText(run.steps[at]);
  const near = [...new Set(run.steps.slice(Math.max(0, at - 6), at + 16).map(deedText))].filter((text) => text !== right && text !== now);
  if (!near.length) return null;
  const shuffled = (all) => all.map((one) => [Math.random(), one]).sort((a, b) => a[0] - b[0]).map(([, one]) => one);
  const choices = shuffled([right, ...shuffled(near).slice(0, 3)]);
  return html("div", { class: "answers next" }, html("span", {}, "What comes next? "), choices.map((text) => html("button", { class: "answer mono", onclick: () => said(text === right, right) }, text)));
}
