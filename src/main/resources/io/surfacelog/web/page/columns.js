// Log and surface side by side, and kept in step: whoever is moved by hand leads, the other follows.

import { Component, h } from "./view.js";
import { Lines } from "./lines.js";
import { Log } from "./log.js";
import { ROW } from "./layout.js";
import { NODE, SurfaceColumn, SurfaceList } from "./surface.js";
import { many } from "./words.js";

/** How far down the row of the moment comes to stand, of the height in sight. */
const LOW = 0.88;
/** Milliseconds after which what lies beyond the sight is drawn too. */
const AT_REST = 100;

/** @typedef {{ top: number, height: number }} Sight what is in sight of a column, in pixels */

/**
 * Where to scroll to is reckoned before a frame is drawn, from heights that are known, so that the browser lays a frame out
 * once and not again for each question.
 *
 * @param {{ session: import("./session.js").Session }} props
 */
export class Columns extends Component {
  state = { log: { top: 0, height: 600 }, surface: { top: 0, height: 600 }, gutter: 56 };
  /** @type {{ log: HTMLElement | null, surface: HTMLElement | null, gutter: HTMLElement | null }} */
  #elements = { log: null, surface: null, gutter: null };
  #list = new SurfaceList();
  /** Who was moved by hand last. @type {"log" | "surface"} */
  #leads = "log";
  #jumped = -1;
  /** The jump that was drawn last. */
  #drawn = -1;
  #beyond = false;
  #rest = 0;
  /** Whether the end stays in sight while live: until somebody scrolls away from it. */
  #sticks = true;
  #anchor = { seq: 0, offset: 0, version: -1 };
  /** What has to be scrolled to with this frame. @type {{ log?: number, surface?: number }} */
  #wanted = {};
  #sized = new ResizeObserver(() => this.#measure());

  componentDidMount() {
    this.componentDidUpdate();
    this.#measure();
  }

  componentWillUnmount() {
    clearTimeout(this.#rest);
    this.#sized.disconnect();
  }

  #hold(name, element) {
    const before = this.#elements[name];
    if (before !== element) {
      this.#elements[name] = element;
      if (before) {
        this.#sized.unobserve(before);
      }
      if (element) {
        this.#sized.observe(element);
      }
    }
  }

  #refs = {
    log: (element) => this.#hold("log", element),
    surface: (element) => this.#hold("surface", element),
    gutter: (element) => this.#hold("gutter", element),
  };

  #measure() {
    const { log, surface, gutter } = this.#elements;
    const sight = (element) => ({ top: element?.scrollTop ?? 0, height: element?.clientHeight ?? 0 });
    const now = { log: sight(log), surface: sight(surface), gutter: gutter?.clientWidth ?? 0 };
    if (JSON.stringify(now) !== JSON.stringify(this.state)) {
      if ((this.state.log.height === 0 && now.log.height > 0) || (this.state.surface.height === 0 && now.surface.height > 0)) {
        this.#jumped = -1; // what was out of sight comes to where the other is
      }
      this.setState(now);
    }
  }

  /** @returns {{ log?: number, surface?: number }} where the columns have to come to by themselves */
  #where(session) {
    const { log, surface } = this.state;
    if (this.#jumped !== session.jump) {
      this.#sticks = session.asOf === null && session.sought === null;
    }
    if (this.#sticks && session.asOf === null) {
      this.#jumped = session.jump;
      return this.#within(session, this.#moment(session));
    }
    if (this.#jumped !== session.jump) {
      const wanted = session.sought === null ? this.#moment(session) : this.#sought(session);
      const there = wanted.log === undefined || session.rows.on(session.layout.pageAt(wanted.log)) !== null;
      // until its page is there, where it comes to is an estimate
      if (there && session.moments !== null) {
        this.#jumped = session.jump;
        session.sought = null;
      }
      return this.#within(session, wanted);
    }
    if (session.rows.version !== this.#anchor.version) {
      // pages above have come to their true height: what is looked at stays where it is
      return this.#within(session, { log: session.layout.top(this.#anchor.seq) + this.#anchor.offset });
    }
    return this.#within(session, { log: log.top, surface: surface.top });
  }

  #within(session, wanted) {
    const keep = (top, whole, height) => (top === undefined ? undefined : Math.round(Math.max(0, Math.min(top, whole - height))));
    return {
      log: keep(wanted.log, session.layout.height, this.state.log.height),
      surface: keep(wanted.surface, this.#list.height, this.state.surface.height),
    };
  }

  /** The log with the row of the moment low in sight, the surface with its end. */
  #moment(session) {
    const end = session.asOf === null;
    const top = session.layout.top(session.moment) + ROW - this.state.log.height * LOW;
    return { log: end ? session.layout.height : top, surface: this.#list.height };
  }

  #sought(session) {
    const bring = (sight, top, height) => (top < sight.top || top + height > sight.top + sight.height ? top - sight.height / 3 : undefined);
    const node = this.#list.place(session.moments?.nodeFor(session.sought, session.moment) ?? -1);
    return {
      log: bring(this.state.log, session.layout.top(session.sought), ROW),
      surface: node < 0 ? undefined : bring(this.state.surface, this.#list.tops[node], NODE),
    };
  }

  componentDidUpdate() {
    this.props.session.rows.drawn();
    if (!this.#beyond) {
      clearTimeout(this.#rest);
      this.#rest = setTimeout(() => this.setState({}), AT_REST);
    }
    for (const name of ["log", "surface"]) {
      const top = this.#wanted[name];
      const element = this.#elements[name];
      if (element && top !== undefined && top !== this.state[name].top) {
        this.state[name] = { ...this.state[name], top };
        element.scrollTop = top;
      }
    }
    this.#remember();
  }

  #remember() {
    const { session } = this.props;
    const { top } = this.state.log;
    const row = session.layout.rowAt(top);
    const seq = row?.seq ?? this.#anchor.seq;
    this.#anchor = { seq, offset: row ? top - session.layout.top(seq) : this.#anchor.offset, version: session.rows.version };
  }

  #scrolled(column) {
    const { session } = this.props;
    const top = this.#elements[column]?.scrollTop ?? 0;
    if (Math.abs(top - this.state[column].top) < 1) {
      return;
    }
    if (column === this.#leads) {
      const whole = column === "log" ? session.layout.height : this.#list.height;
      this.#sticks = top + this.state[column].height >= whole - ROW;
    }
    const change = { [column]: { ...this.state[column], top } };
    if (column === this.#leads && this.#jumped === session.jump && this.#list.items.length > 0) {
      const follows = column === "log" ? "surface" : "log";
      const to = column === "log" ? this.#surfaceFor(session, top) : this.#logFor(session, top);
      const element = this.#elements[follows];
      if (to !== null && element) {
        const kept = this.#within(session, { [follows]: to })[follows];
        change[follows] = { ...this.state[follows], top: kept };
        element.scrollTop = kept;
      }
    }
    this.setState(change);
  }

  /** The height in sight at which both are compared: the top at the beginning, the bottom at the end. */
  static #level(top, whole, height) {
    return whole <= height ? 0 : (top / (whole - height)) * height;
  }

  #surfaceFor(session, top) {
    const level = Columns.#level(top, session.layout.height, this.state.log.height);
    const row = session.layout.rowAt(top + level);
    if (!row) {
      return null;
    }
    const list = this.#list;
    const at = Math.max(0, list.upTo(row.seq) - 1);
    const [from, to] = [list.placeOf(at), list.placeOf(Math.min(list.items.length - 1, at + 1))];
    const part = to > from ? Math.min(1, Math.max(0, (row.seq - from) / (to - from))) : 1;
    return list.tops[at] + part * (list.tops[at + 1] - list.tops[at]) - level;
  }

  #logFor(session, top) {
    const list = this.#list;
    const level = Columns.#level(top, list.height, this.state.surface.height);
    const at = list.at(top + level);
    const [from, to] = [list.placeOf(at), at + 1 < list.items.length ? list.placeOf(at + 1) : session.moment + 1];
    const part = (top + level - list.tops[at]) / (list.tops[at + 1] - list.tops[at]);
    const begin = session.layout.top(from);
    return begin + part * (session.layout.top(to) - begin) - level;
  }

  #drive(column) {
    const lead = () => {
      this.#leads = column;
      this.#jumped = this.props.session.jump;
    };
    const wheel = (e) => {
      lead();
      this.#sticks &&= e.deltaY >= 0;
    };
    return { onWheel: wheel, onPointerDown: lead, onTouchStart: lead };
  }

  #driven = { log: this.#drive("log"), surface: this.#drive("surface") };
  #moved = { log: () => this.#scrolled("log"), surface: () => this.#scrolled("surface") };

  render({ session }, { gutter }) {
    const list = this.#list.update(session);
    const wanted = this.#where(session);
    this.#wanted = wanted;
    const sight = (name) => ({ top: wanted[name] ?? this.state[name].top, height: this.state[name].height });
    const log = sight("log");
    const surface = sight("surface");
    // what lies beyond is for those who scroll; who moves the moment comes to another place with the next frame
    const beyond = this.#drawn === session.jump;
    this.#beyond = beyond;
    this.#drawn = session.jump;
    return h("div", { class: "columns", "data-tab": session.tab },
      h("section", { class: "column log", id: "panel-log", "aria-label": "Log" },
        h("h2", null, "Log", h("span", { class: "count" }, many(session.nextSeq, "event"))),
        h(Log, { session, sight: log, beyond, scroller: this.#refs.log, onScroll: this.#moved.log, onDrive: this.#driven.log })),
      h("div", { class: "gutter", ref: this.#refs.gutter },
        h(Lines, { session, list, log, surface, width: gutter })),
      h("section", { class: "column surface", id: "panel-surface", "aria-label": "Surface" },
        h("h2", null, "Surface", h("span", { class: "count" }, session.info.damaged ? "" : many(session.moments ? session.nodes.length : session.info.nodes, "node"))),
        h(SurfaceColumn, { session, list, sight: surface, beyond, scroller: this.#refs.surface, onScroll: this.#moved.surface, onDrive: this.#driven.surface })));
  }
}
