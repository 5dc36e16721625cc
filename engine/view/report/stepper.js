"use strict";
// Steps through a list of states, by buttons, slider and keys. One of the page's steppers has the keys.
class Stepper {
  constructor(id, count, draw, options = {}) {
    Object.assign(this, { id, count, draw, events: options.events || [], start: options.start || 0, at: 0, timer: null, limit: options.limit ?? count - 1 });
    this.slider = html("input", { type: "range", min: 0, max: Math.max(0, count - 1), value: 0, "aria-label": id + ": step", tabindex: -1, oninput: () => this.go(Number(this.slider.value)) });
    this.label = html("span", { class: "count" });
    this.player = html("button", { title: "Play (Space)", tabindex: -1, onclick: () => this.play() }, "▸");
    const button = (text, title, act) => html("button", { title, tabindex: -1, "data-step": title, onclick: () => { this.stop(); act(); } }, text);
    this.element = html("div", { class: "stepper" }, button("⟨", "back", () => this.go(this.at - 1)), this.player, button("⟩", "on", () => this.go(this.at + 1)), this.slider, this.label);
    // Where the events are, unless they are everywhere.
    const mark = (k) => html("i", { style: `left:${(count > 1 ? k / (count - 1) : 0) * 100}%` });
    this.ticks = html("div", { class: "ticks" }, this.events.length * 2 < count ? this.events.map(mark) : []);
  }

  go(at) {
    this.at = Math.max(0, Math.min(this.limit, at));
    this.slider.value = this.at;
    this.label.textContent = (this.at + 1) + " / " + this.count;
    this.draw(this.at);
  }
  /// To the next state that is an event, or the previous one.
  jump(direction) {
    const ahead = this.events.filter((k) => direction > 0 ? k > this.at : k < this.at);
    if (ahead.length) this.go(direction > 0 ? Math.min(...ahead) : Math.max(...ahead));
  }
  play() {
    if (this.timer) return this.stop();
    if (this.at === this.limit) this.go(0);
    this.player.textContent = "▪";
    this.timer = setInterval(() => { if (this.at >= this.limit) this.stop(); else this.go(this.at + 1); }, 420);
  }
  stop() {
    clearInterval(this.timer);
    this.timer = null;
    this.player.textContent = "▸";
  }
  key(event) {
    const acts = { ArrowRight: () => event.shiftKey ? this.jump(1) : this.go(this.at + 1), ArrowLeft: () => event.shiftKey ? this.jump(-1) : this.go(this.at - 1),
      Home: () => this.go(0), End: () => this.go(this.count - 1), " ": () => this.play() };
    if (!acts[event.key]) return false;
    if (event.key !== " ") this.stop();
    acts[event.key]();
    return true;
  }
}

const steppers = {
  all: [], active: null,
  clear() { for (const { stepper } of this.all) stepper.stop(); this.all = []; this.active = null; },
  add(stepper, home) {
    this.all.push({ stepper, home });
    home.addEventListener("focusin", () => this.choose(stepper));
    home.addEventListener("pointerdown", () => this.choose(stepper));
    if (!this.active) this.choose(stepper);
  },
  choose(stepper) {
    this.active = stepper;
    for (const one of this.all) one.home.classList.toggle("active", one.stepper === stepper);
  },
  move(direction) {
    if (!this.all.length) return;
    const at = this.all.findIndex((one) => one.stepper === this.active);
    const next = this.all[(at + direction + this.all.length) % this.all.length];
    this.choose(next.stepper);
    next.home.scrollIntoView({ block: "nearest" });
  },
};
