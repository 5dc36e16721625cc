"use strict";
// A tensor as a grid of cells: vectors lie, over several rows when they are long; matrices stand as they are written.
const gridRoom = 470;

class Grid {
  constructor(name, shape, options = {}) {
    Object.assign(this, { name, shape });
    const text = Math.max(20, Math.min(46, (options.characters || 6) * 6.4 + 8)), count = shape.length ? shape[shape.length - 1] : 1;
    this.columns = shape.length === 1 ? Math.min(count, Math.floor(gridRoom / text)) : count;
    this.rows = shape.length === 2 ? shape[0] : shape.length === 1 ? Math.ceil(count / Math.max(1, this.columns)) : 1;
    this.values = options.values !== false && this.columns * text <= gridRoom && this.rows <= 14;
    if (!this.values && shape.length === 1) [this.columns, this.rows] = [Math.min(count, 60), Math.ceil(count / 60)];
    this.width = this.values ? text : Math.max(7, Math.min(this.columns <= 6 && this.rows <= 6 ? 30 : 20, gridRoom / this.columns));
    this.height = this.values ? 22 : this.width;
    const [w, h] = [this.columns * this.width, this.rows * this.height], left = 22, top = 16;
    this.cells = [];
    this.marks = svg("g", { class: "marks" });
    this.element = svg("svg", { class: "grid", viewBox: `0 0 ${w + left + 4} ${h + top + 4}`, width: w + left + 4, height: h + top + 4,
      role: "img", "aria-label": shape.length ? `${name}, ${shape.join(" by ")}` : name });
    const body = svg("g", { transform: `translate(${left},${top})` });
    for (let r = 0; r < this.rows; ++r)
      for (let c = 0; c < this.columns && (shape.length !== 1 || r * this.columns + c < count); ++c) {
        const cell = svg("g", { class: "cell" }, svg("rect", { x: c * this.width + 0.5, y: r * this.height + 0.5, width: this.width - 1.5, height: this.height - 1.5, rx: 3 }),
          this.values ? svg("text", { x: (c + 0.5) * this.width, y: (r + 0.5) * this.height + 4 }) : null);
        this.cells.push(cell);
        body.append(cell);
      }
    const every = (size) => Math.max(1, Math.ceil(17 / size));  // indices need some room
    for (let c = 0; shape.length && c < this.columns; c += every(this.width)) this.element.append(svg("text", { class: "index", x: left + (c + 0.5) * this.width, y: 11, "text-anchor": "middle" }, c));
    const step = shape.length === 2 ? 1 : this.columns;
    for (let r = 0; this.rows > 1 && r < this.rows; r += every(this.height)) this.element.append(svg("text", { class: "index", x: left - 5, y: top + (r + 0.5) * this.height + 4, "text-anchor": "end" }, r * step));
    this.addCuts(options.cuts, body);
    body.append(this.marks);
    this.element.append(body);
  }
  /// Lines at the rows and columns where blocks begin.
  addCuts(cuts, body) {
    const [w, h] = [this.columns * this.width, this.rows * this.height], middle = -0.75;
    const line = (x1, y1, x2, y2) => body.append(svg("line", { class: "cut", x1, y1, x2, y2 }));
    if (!cuts) return;
    cuts[0].forEach((cut, r) => cut && line(-2, r * this.height + middle, w, r * this.height + middle));
    cuts[1].forEach((cut, c) => cut && line(c * this.width + middle, -2, c * this.width + middle, h));
  }
  flat(index) { return this.shape.length === 2 ? index[0] * this.columns + index[1] : index.length ? index[0] : 0; }
  cell(index) { return this.cells[this.flat(index)]; }
  clear() {
    for (const cell of this.cells) cell.setAttribute("class", "cell");
    this.marks.replaceChildren();
  }
  style(index, name) { const cell = this.cell(index); if (cell) cell.classList.add(name); }
  centre(index) {
    const at = this.flat(index);
    return [(at % this.columns + 0.5) * this.width, (Math.floor(at / this.columns) + 0.5) * this.height];
  }
  /// A bent arrow from one cell to another.
  arrow(from, to, style) {
    const [x1, y1] = this.centre(from), [x2, y2] = this.centre(to), [dx, dy] = [x2 - x1, y2 - y1], length = Math.hypot(dx, dy);
    if (length < 1) return;
    const bend = 0.18, [cx, cy] = [(x1 + x2) / 2 - dy * bend, (y1 + y2) / 2 + dx * bend], short = Math.min(9, length / 3);
    const [ex, ey] = [x2 - cx, y2 - cy], end = Math.hypot(ex, ey) || 1, tip = [x2 - ex / end * 5, y2 - ey / end * 5], base = [tip[0] - ex / end * short, tip[1] - ey / end * short];
    this.marks.append(svg("g", { class: "arrow " + style }, svg("path", { d: `M${x1} ${y1}Q${cx} ${cy} ${base}` }), svg("path", { class: "tip", d: head(base, tip) })));
  }
}
