// Log and surface side by side, and kept in step: whoever is moved by hand leads, the other follows.

import { Component, h } from "./view.js";
import { Lines } from "./lines.js";
import { Log } from "./log.js";
import { ROW } from "./layout.js";
import { NODE, SurfaceColumn, SurfaceList } from "./surface.js";
import { many } from "./words.js";

/** @param {{ session: import("./session.js").Session, onKeyDown: (e: KeyboardEvent) => void }} props */
export class Columns extends Component {
  state = { log: { top: 0, height: 600 }, surface: { top: 0, height: 600 }, gutter: 56 };
  #log = null;
  #surface = null;
  #gutter = null;
  #list = new SurfaceList();
  /** Who was moved by hand last. */
  #leads = "log";
  #jumped = -1;
  #anchor = { seq: 0, offset: 0, version: -1 };
  #sized = new ResizeObserver(() => this.#measure());

  componentDidMount() {
    this.#sized.observe(this.base);
    this.#measure();
  }

  componentWillUnmount() {
    this.#sized.disconnect();
  }

  #measure() {
    this.setState({
      log: { top: this.#log?.scrollTop ?? 0, height: this.#log?.clientHeight ?? 0 },
      surface: { top: this.#surface?.scrollTop ?? 0, height: this.#surface?.clientHeight ?? 0 },
      gutter: this.#gutter?.clientWidth ?? 0,
    });
  }

  componentDidUpdate() {
    const { session } = this.props;
    if (this.#log && session.rows.version !== this.#anchor.version && this.#jumped === session.jump) {
      this.#hold(session);
    }
    if (this.#jumped !== session.jump && this.#log) {
      this.#come(session);
      // until the pages are there, where it comes to is an estimate
      const there = session.rows.on(session.layout.pageAt(this.#log.scrollTop)) !== null && session.moments !== null;
      this.#jumped = there ? session.jump : -1;
    }
    this.#seen();
  }

  /** Pages above have come to their true height: what is looked at stays where it is. */
  #hold(session) {
    const { seq, offset } = this.#anchor;
    const top = session.layout.top(seq) + offset;
    if (Math.abs(top - this.#log.scrollTop) > 1) {
      this.#log.scrollTop = top;
    }
    this.#remember(session);
  }

  #remember(session) {
    const row = session.layout.rowAt(this.#log.scrollTop);
    const seq = row?.seq ?? this.#anchor.seq;
    this.#anchor = { seq, offset: row ? this.#log.scrollTop - session.layout.top(seq) : 0, version: session.rows.version };
  }

  /** Both columns come to what is sought, or to the moment: the log with its row low in sight, the surface with its end. */
  #come(session) {
    const { layout } = session;
    if (session.sought !== null) {
      this.#bring(this.#log, layout.top(session.sought), ROW);
      const node = this.#list.place(session.moments?.nodeFor(session.sought, session.moment) ?? -1);
      if (node >= 0 && this.#surface) {
        this.#bring(this.#surface, this.#list.tops[node], NODE);
      }
      session.sought = null;
    } else {
      const end = session.asOf === null;
      const top = layout.top(session.moment);
      const low = top - this.#log.clientHeight * 0.75;
      this.#log.scrollTop = end ? layout.height : low;
      if (this.#surface && session.moments) {
        this.#surface.scrollTop = this.#list.height;
      }
    }
    this.#remember(session);
  }

  #bring(scroller, top, height) {
    if (top < scroller.scrollTop || top + height > scroller.scrollTop + scroller.clientHeight) {
      scroller.scrollTop = top - scroller.clientHeight / 3;
    }
  }

  /** What is in sight now, if it is not what was drawn. */
  #seen() {
    const log = this.#log?.scrollTop ?? 0;
    const surface = this.#surface?.scrollTop ?? 0;
    if (log !== this.state.log.top || surface !== this.state.surface.top
        || (this.#log && this.#log.clientHeight !== this.state.log.height)
        || (this.#surface && this.#surface.clientHeight !== this.state.surface.height)) {
      this.#measure();
    }
  }

  #scrolled(column) {
    const { session } = this.props;
    if (column === this.#leads && this.#jumped === session.jump) {
      if (column === "log") {
        this.#surfaceFollows(session);
      } else {
        this.#logFollows(session);
      }
      this.#remember(session);
    }
    this.#measure();
  }

  /** The height in sight at which both are compared: the top at the beginning, the bottom at the end. */
  static #level(scroller) {
    const most = scroller.scrollHeight - scroller.clientHeight;
    return most <= 0 ? 0 : (scroller.scrollTop / most) * scroller.clientHeight;
  }

  #surfaceFollows(session) {
    if (!this.#surface || session.moments === null || this.#list.items.length === 0) {
      return;
    }
    const level = Columns.#level(this.#log);
    const row = session.layout.rowAt(this.#log.scrollTop + level);
    if (!row) {
      return;
    }
    const at = this.#list.upTo(row.seq);
    const before = this.#list.items[Math.max(0, at - 1)].seq;
    const after = this.#list.items[Math.min(this.#list.items.length - 1, at)].seq;
    const part = after > before ? Math.min(1, Math.max(0, (row.seq - before) / (after - before))) : 0;
    const top = this.#list.tops[Math.max(0, at - 1)] + part * NODE;
    this.#surface.scrollTop = level === 0 ? 0 : top - level;
  }

  #logFollows(session) {
    if (!this.#log || this.#list.items.length === 0) {
      return;
    }
    const level = Columns.#level(this.#surface);
    const y = this.#surface.scrollTop + level;
    const at = this.#list.at(y);
    const here = this.#list.items[at].seq;
    const next = this.#list.items[Math.min(at + 1, this.#list.items.length - 1)].seq;
    const part = (y - this.#list.tops[at]) / (this.#list.tops[at + 1] - this.#list.tops[at]);
    const from = session.layout.top(here);
    const top = next > here ? from + part * (session.layout.top(next) - from) : from;
    this.#log.scrollTop = top - level;
  }

  #drive(column) {
    const lead = () => {
      this.#leads = column;
    };
    return { onWheel: lead, onPointerDown: lead, onTouchStart: lead, onKeyUp: lead, onFocus: lead };
  }

  render({ session, onKeyDown }, { log, surface, gutter }) {
    const list = this.#list.update(session);
    return h("div", { class: "columns", "data-tab": session.tab },
      h("section", { class: "column log", id: "panel-log", "aria-label": "Log" },
        h("h2", null, "Log", h("span", { class: "count" }, many(session.nextSeq, "event"))),
        h(Log, {
          session,
          scrollTop: log.top,
          height: log.height,
          scroller: (element) => { this.#log = element; },
          onScroll: () => this.#scrolled("log"),
          onKeyDown,
          onDrive: this.#drive("log"),
        })),
      h("div", { class: "gutter", ref: (element) => { this.#gutter = element; } },
        h(Lines, { session, list, log, surface, width: gutter })),
      h("section", { class: "column surface", id: "panel-surface", "aria-label": "Surface" },
        h("h2", null, "Surface", h("span", { class: "count" }, session.moments ? many(session.nodes.length, "node") : "")),
        h(SurfaceColumn, {
          session,
          list,
          scrollTop: surface.top,
          height: surface.height,
          scroller: (element) => { this.#surface = element; },
          onScroll: () => this.#scrolled("surface"),
          onKeyDown,
          onDrive: this.#drive("surface"),
        })));
  }
}
