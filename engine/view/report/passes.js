"use strict";
// What each pass over control flow changed, one after the other: the lines that it took out and those that it put in
// their place, below the reason for which there is such a pass.
function passesPane(kernel) {
  const reply = kernel.stages["flow each"];
  const changing = reply && reply.ok ? (reply.passes || []).filter((pass) => pass.changed) : [];
  if (!changing.length) return null;
  const reason = html("div", { class: "says" }), lines = html("div", { class: "text flow-diff" });
  const kinds = { "-": "removed", "+": "added" };
  const draw = (at) => {
    const pass = changing[at];
    fill(reason, html("b", { class: "mono" }, pass.name), "  ", pass.reason);
    lines.replaceChildren(...pass.lines.map(([mark, text]) =>
      html("div", { class: "line" + (kinds[mark] ? " " + kinds[mark] : "") }, mark + " " + text)));
  };
  const stepper = new Stepper("passes", changing.length, draw);
  const idle = reply.passes.length - changing.length;
  const says = `what each changes in the control flow · ${idle} others change nothing here`;
  const home = pane("passes", "Passes", says, lines,
    { tabindex: 0, above: [stepper.element, stepper.ticks, reason] });
  steppers.add(stepper, home);
  return home;
}
