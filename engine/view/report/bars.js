"use strict";
// The loops of the order that is shown, outermost at the top. While one is dragged each place to drop it says what would
// become of the program; keys move it as well.
function moved(loops, from, to) {
  const left = loops.filter((_, k) => k !== from);
  left.splice(to, 0, loops[from]);
  return left.join(" ");
}

function orderBars(orders) {
  const here = orders.find((order) => order.here);
  if (!here || here.loops.length < 2) return null;
  const { loops } = here, hues = orders.find((order) => order.own) || here;
  const hue = (loop) => [...hues.loops].sort().indexOf(loop) % 6 + 1;
  const of = new Map(orders.map((order) => [order.text, order]));
  const slots = html("ul", { class: "slots", "aria-hidden": "true" });
  const bars = loops.map((loop, k) => html("li", { class: "bar", role: "option", tabindex: 0, "data-loop": loop, "data-focus": "bar:" + loop, "aria-selected": "false",
    "aria-label": `loop ${loop}, ${k + 1} of ${loops.length}`, style: `margin-left:${k * 14}px;--hue:var(--t-index${hue(loop)})` }, html("span", { class: "soft" }, "for "), html("b", {}, loop)));
  const list = html("ol", { class: "bars", role: "listbox", "aria-label": "Loops, outermost first. Alt and the arrow keys move one." }, bars);
  const possible = (from) => loops.map((_, to) => of.get(moved(loops, from, to)));
  const offer = (from, to) => fill(slots, possible(from).map((order, k) => order && html("li", { class: verdictStyle(order) + (k === to ? " here" : "") },
    html("b", { class: "mono" }, `${verdictMark(order)} ${order.text}`), " ", html("span", { class: "soft" }, order.here ? "as it is" : verdictWords(order)))));
  bars.forEach((bar, from) => {
    const drop = (to) => { if (to !== from && to >= 0 && to < loops.length) chooseOrder(moved(loops, from, to)); };
    bar.addEventListener("keydown", (event) => {
      const direction = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!direction || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.altKey) drop(from + direction);
      else if (bars[from + direction]) bars[from + direction].focus();
    });
    let to = null;
    bar.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      bar.setPointerCapture(event.pointerId);
      offer(from, to = from);
      bar.classList.add("dragged");
    });
    bar.addEventListener("pointermove", (event) => {
      if (to === null) return;
      const { top, height } = list.getBoundingClientRect();
      to = Math.max(0, Math.min(loops.length - 1, Math.floor((event.clientY - top) / height * loops.length)));
      bar.style.transform = `translateY(${(to - from) * height / loops.length}px)`;
      offer(from, to);
    });
    const end = (act) => { const there = to; to = null; bar.classList.remove("dragged"); bar.style.transform = ""; fill(slots); if (act && there !== null) drop(there); };
    bar.addEventListener("pointerup", () => end(true));
    bar.addEventListener("pointercancel", () => end(false));
  });
  return html("div", { class: "loops-of-order" }, list, slots);
}
