// What was used over time, with the replaces that made it less and the errors.

import { Component, h } from "./view.js";
import UPlot from "./lib/uplot.js";
import { many, number, short } from "./words.js";

/** Where there is little room, it takes less of it. */
const height = () => (matchMedia("(max-width: 900px)").matches ? 76 : 118);

/** @param {{ session: import("./session.js").Session, theme: string }} props */
export class Plot extends Component {
  state = { open: (localStorage.getItem("surfacelog.plot") ?? (matchMedia("(max-width: 760px)").matches ? "closed" : "open")) === "open" };
  #plot = null;
  #drawn = "";
  #holder = null;
  #line = Object.assign(document.createElement("div"), { className: "plot-moment" });
  #sized = new ResizeObserver(() => {
    this.#plot?.setSize({ width: this.#width(), height: height() });
    this.#draw();
  });

  componentDidMount() {
    this.#draw();
  }

  componentDidUpdate() {
    this.#draw();
  }

  componentWillUnmount() {
    this.#sized.disconnect();
    this.#plot?.destroy();
  }

  #width() {
    return Math.max(200, this.#holder.clientWidth);
  }

  #draw() {
    const { session, theme } = this.props;
    const { moments, moment } = session;
    if (!this.#holder || moments === null || moments.usage.length === 0) {
      this.#plot?.destroy();
      this.#plot = null;
      this.#drawn = "";
      return;
    }
    const points = moments.usage;
    const drawn = `${theme} ${points.length} ${points[points.length - 1].seq}`;
    if (this.#plot === null || !this.#holder.contains(this.#plot.root) || !this.#drawn.startsWith(theme)) {
      this.#plot?.destroy();
      this.#plot = new UPlot(this.#options(), this.#data(points), this.#holder);
      this.#sized.disconnect();
      this.#sized.observe(this.#holder);
    } else if (drawn !== this.#drawn) {
      this.#plot.setData(this.#data(points));
    }
    this.#drawn = drawn;
    this.#mark(moment, session.asOf !== null);
  }

  /** The moment is a line of its own over the plot, since it moves more often than the plot changes. */
  #mark(moment, shown) {
    this.#line.hidden = !shown;
    if (shown) {
      this.#line.style.transform = `translateX(${this.#plot.valToPos(moment, "x")}px)`;
    }
    if (!this.#plot.over.contains(this.#line)) {
      this.#plot.over.append(this.#line);
    }
  }

  #data(points) {
    return [
      points.map((point) => point.seq),
      points.map((point) => point.input + point.cached),
      points.map((point) => point.cached),
      points.map((point) => point.output),
    ];
  }

  #options() {
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(name).trim();
    const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
    const series = (label, name, fill) => ({
      label,
      stroke: colour(name),
      width: 1.5,
      fill: fill ? `${colour(name)}26` : undefined,
      points: { show: this.props.session.moments.usage.length < 60, size: 4 },
    });
    return {
      width: this.#width(),
      height: height(),
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      scales: { x: { time: false, range: () => [0, Math.max(1, this.props.session.nextSeq - 1)] } },
      axes: [
        { ...axis, size: 22, values: (_, splits) => splits.map((seq) => (Number.isInteger(seq) ? number(seq) : "")) },
        { ...axis, size: 46, values: (_, splits) => splits.map(short) },
      ],
      series: [{ label: "seq" }, series("input", "--input", true), series("cached", "--cached", true), series("output", "--output", false)],
      hooks: {
        draw: [(plot) => this.#marks(plot, colour)],
        ready: [(plot) => plot.over.addEventListener("click", () => this.#clicked(plot))],
      },
    };
  }

  #clicked(plot) {
    if (plot.cursor.left >= 0) {
      this.props.session.seeAsOf(Math.round(plot.posToVal(plot.cursor.left, "x")));
    }
  }

  /** Replaces and errors, as far as they can be told apart. */
  #marks(plot, colour) {
    const { moments } = this.props.session;
    const { ctx, bbox } = plot;
    const ratio = devicePixelRatio;
    const apart = (seqs) => [...new Set(seqs.map((seq) => Math.round(plot.valToPos(seq, "x", true) / (7 * ratio)) * 7 * ratio))];
    ctx.save();
    ctx.fillStyle = colour("--accent");
    for (const x of apart(moments.replaces)) {
      shape(ctx, x, bbox.top + 6 * ratio, 4.5 * ratio, true);
    }
    ctx.fillStyle = colour("--bad");
    for (const x of apart(moments.errors)) {
      shape(ctx, x, bbox.top + bbox.height - 6 * ratio, 4.5 * ratio, false);
    }
    ctx.restore();
  }

  #toggle() {
    const open = !this.state.open;
    localStorage.setItem("surfacelog.plot", open ? "open" : "closed");
    this.setState({ open });
  }

  render({ session }, { open }) {
    const moments = session.moments;
    const points = moments?.usage ?? [];
    const now = points[before(points, session.moment)];
    return h("figure", { class: "plot", "data-testid": "plot", "data-points": points.length, "data-open": String(open), "aria-label": "Tokens over time" },
      h("figcaption", null,
        h("button", { type: "button", "data-testid": "plot-toggle", "aria-expanded": String(open), onClick: () => this.#toggle() }, open ? "▾ tokens" : "▸ tokens"),
        h("span", { class: "key input" }, "input"), h("span", { class: "key cached" }, "of it cached"), h("span", { class: "key output" }, "output"),
        h("span", { class: "key replaced" }, "◆ replaces"), h("span", { class: "key failed" }, "▴ errors"),
        h("span", { class: "reading", role: "status", "data-testid": "plot-reading" }, now
          ? `${now.seq}: ${number(now.input + now.cached)} in, ${number(now.cached)} cached, ${number(now.output)} out`
          : moments ? (points.length ? "" : "no usage was reported") : "")),
      open && points.length > 0 && h("div", { class: "plot-holder", ref: (element) => { this.#holder = element; } }),
      open && points.length > 0 && h("p", { class: "unseen", "data-testid": "plot-summary" },
        `${many(points.length, "point")} from event ${points[0].seq} to ${points[points.length - 1].seq}, `
        + `${many(moments.replaces.length, "replace")}, ${many(moments.errors.length, "error")}. `
        + `Most input ${number(points.reduce((most, point) => Math.max(most, point.input + point.cached), 0))} tokens.`));
  }
}

/** @returns {number} which of the points is the last at or before a moment */
function before(points, moment) {
  let low = 0;
  let high = points.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle].seq <= moment) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}

function shape(ctx, x, y, size, diamond) {
  ctx.beginPath();
  ctx.moveTo(x, y - size);
  ctx.lineTo(x + size, diamond ? y : y + size * 0.7);
  if (diamond) {
    ctx.lineTo(x, y + size);
  }
  ctx.lineTo(x - size, diamond ? y : y + size * 0.7);
  ctx.fill();
}
