// The surface column: what the model sees at the moment, node by node, and under a replacement what it hides.

import { Component, h, Mark, Notice } from "./view.js";
import { span0 } from "./log.js";
import { lowerBound } from "./seqs.js";
import { many, says, short, speaker } from "./words.js";

export const NODE = 46;
export const HIDDEN = 26;
const BEYOND = 400;

/** @typedef {{ seq: number, under: number }} Item under is the replacement that hides it, -1 for a node of the surface */

/** The list with its heights: nodes, and behind a replacement that is looked into what it hides. */
export class SurfaceList {
  /** @type {Item[]} */
  items;
  /** @type {Float64Array} */
  tops;
  #key = "";
  #nodes = null;
  #moments = null;

  /** @param {import("./session.js").Session} session */
  update(session) {
    const nodes = session.nodes;
    const open = [...session.peeked, session.hovered ?? -1].sort().join();
    if (nodes === this.#nodes && open === this.#key) {
      return this;
    }
    this.#nodes = nodes;
    this.#moments = session.moments;
    this.#key = open;
    this.items = [];
    for (const seq of nodes) {
      this.items.push({ seq, under: -1 });
      if (session.peeked.has(seq) || session.hovered === seq) {
        session.moments?.replacements.get(seq)?.shadowed.forEach((hidden) => this.items.push({ seq: hidden, under: seq }));
      }
    }
    this.tops = new Float64Array(this.items.length + 1);
    this.items.forEach((item, at) => {
      this.tops[at + 1] = this.tops[at] + (item.under < 0 ? NODE : HIDDEN);
    });
    return this;
  }

  get height() {
    return this.tops[this.items.length];
  }

  /** @returns {number} the place in the list at a height */
  at(y) {
    return Math.max(0, Math.min(this.items.length - 1, lowerBound(this.tops, y + 1e-6) - 1));
  }

  /** How many of the items stand for events up to a seq; where a summary stands for older ones, for about so many. */
  upTo(seq) {
    let low = 0;
    let high = this.items.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.placeOf(middle) <= seq) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The appended event at whose place an item stands; these ascend. */
  placeOf(at) {
    const { seq } = this.items[at];
    return this.#moments?.placeOf(seq) ?? seq;
  }

  place(seq) {
    return this.items.findIndex((item) => item.seq === seq && item.under < 0);
  }

  /** @returns {{ item: Item, top: number }[]} */
  between(from, to) {
    const found = [];
    for (let at = this.at(Math.max(0, from)); at < this.items.length && this.tops[at] < to; at++) {
      found.push({ item: this.items[at], top: this.tops[at] });
    }
    return found;
  }
}

export class SurfaceColumn extends Component {
  render({ session, list, sight, beyond, scroller, onScroll, onDrive }) {
    if (session.info.damaged) {
      return h(Notice, { state: "error", title: "What the model sees cannot be told" }, `Event ${session.damage.seq} is needed for it, and is damaged.`);
    }
    if (session.moments === null && session.nodes.length === 0 && session.nextSeq > 0) {
      return h(Notice, { state: "loading", title: "Reading what happened when …" });
    }
    if (session.nodes.length === 0) {
      return h(Notice, { state: "empty", title: "The model sees nothing yet" },
        session.moment < 0 ? null : `No message had joined the surface as of ${session.moment}.`);
    }
    const more = beyond ? BEYOND : 0;
    const items = list.between(sight.top - more, sight.top + sight.height + more);
    const most = Math.max(1, ...items.map(({ item }) => session.rows.row(item.seq)?.tokens ?? 0));
    const active = session.selected && session.column === "surface" ? `node-${session.selected.seq}` : undefined;
    return h("div", {
      class: "scroller",
      "data-testid": "surface",
      role: "tree",
      tabindex: 0,
      "aria-label": "Surface",
      "aria-activedescendant": active && items.some(({ item }) => item.under < 0 && `node-${item.seq}` === active) ? active : undefined,
      ref: scroller,
      onScroll,
      onMouseLeave: () => session.hover(null),
      ...onDrive,
    },
    h("div", { class: "tall", role: "presentation", style: { height: `${list.height}px` } },
      items.map(({ item, top }) => item.under < 0
        ? h(Node, { key: `n${item.seq}`, session, seq: item.seq, top, most })
        : h(HiddenNode, { key: `h${item.under}-${item.seq}`, session, item, top }))));
  }
}

function rowOf(session, seq) {
  const row = session.rows.row(seq);
  if (row === null) {
    session.rows.want(Math.floor(seq / 256));
  }
  return row;
}

function Node({ session, seq, top, most }) {
  const row = rowOf(session, seq);
  const replaces = session.moments?.replacements.get(seq);
  const chosen = session.selected?.seq === seq;
  const peeked = session.peeked.has(seq);
  const role = row ? speaker(row.type) : "";
  const calls = row?.blocks?.filter((block) => block === "tool-call").length ?? 0;
  return h("div", {
    class: `node ${role}${chosen ? " chosen" : ""}${replaces ? " replacing" : ""}`,
    id: `node-${seq}`,
    style: { transform: `translateY(${top}px)`, height: `${NODE}px` },
    role: "treeitem",
    "aria-level": 1,
    "aria-selected": String(chosen),
    "aria-expanded": replaces ? String(peeked) : undefined,
    "data-testid": "node",
    "data-seq": seq,
    "data-role": role,
    "data-tokens": row?.tokens,
    "data-replaces": replaces ? span0(replaces) : undefined,
    onClick: () => {
      session.show({ column: "surface" });
      session.select(row ?? { seq });
    },
    onMouseEnter: () => session.hover(replaces ? seq : null),
  },
  h("span", { class: "node-head" },
    h("span", { class: "seq" }, seq),
    h(Mark, { kind: row?.failed ? "error" : role }),
    h("span", { class: "role" }, role),
    calls > 0 && h("span", { class: "calls", title: many(calls, "tool call") }, `⚙ ${calls}`),
    replaces && h("span", {
      class: "replaces peek",
      "data-testid": "peek",
      title: peeked ? "Hide again" : "Keep what it hides in sight",
      onClick: (e) => {
        e.stopPropagation();
        session.peek(seq);
      },
    }, `${peeked ? "▾" : "▸"} ◆ replaces ${many(replaces.shadowed.length, "node")}, ${span0(replaces)}`),
    row && row.tokens !== undefined && h("span", { class: "tokens", title: "Tokens, by estimate" },
      h("span", { class: "bar", "aria-hidden": "true" }, h("span", { style: { width: `${(100 * row.tokens) / most}%` } })),
      h("span", null, `${short(row.tokens)}`, h("span", { class: "unseen" }, " tokens")))),
  h("span", { class: "says" }, row ? says(row) : "…"));
}

function HiddenNode({ session, item, top }) {
  const row = rowOf(session, item.seq);
  return h("div", {
    class: "hidden-node",
    style: { transform: `translateY(${top}px)`, height: `${HIDDEN}px` },
    role: "treeitem",
    "aria-level": 2,
    "aria-selected": "false",
    "data-testid": "hidden-node",
    "data-seq": item.seq,
    "data-under": item.under,
    onClick: () => session.select(row ?? { seq: item.seq }),
  },
  h("span", { class: "seq" }, item.seq),
  h(Mark, { kind: row ? speaker(row.type) : "" }),
  h("span", { class: "says" }, row ? says(row) : "…"));
}
