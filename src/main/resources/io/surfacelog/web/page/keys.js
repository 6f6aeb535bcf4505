// What the keys do.

import { Component, h } from "./view.js";

export const KEYS = [
  ["j  k", "next and previous row, or node"],
  ["Enter", "show the event; open a run of chunks, or what a replacement hides"],
  ["Esc", "leave the selection, then live again"],
  ["← →", "one event back and forth"],
  ["Shift ← →", "one turn"],
  ["[  ]", "one replace"],
  ["l", "live: stick to the end"],
  ["g g   G", "first and last row"],
  ["h  s  d", "log, surface, detail"],
  ["r", "the request as of the moment"],
  ["/", "search sessions"],
  ["?", "this list"],
];

let pending = false;

/**
 * @param {KeyboardEvent} e
 * @param {import("./session.js").Session} session
 * @returns {boolean} whether the key was for us
 */
export function pressed(e, session) {
  if (e.ctrlKey || e.metaKey || e.altKey || session.state !== "ready") {
    return false;
  }
  const second = pending && e.key === "g";
  pending = e.key === "g" && !second;
  const moments = session.moments;
  const direction = e.key === "ArrowLeft" || e.key === "[" ? -1 : 1;
  switch (e.key) {
    case "ArrowLeft":
    case "ArrowRight":
      if (e.shiftKey) {
        session.stepAmong(moments?.turns ?? [], direction);
      } else {
        session.seeAsOf(session.moment + direction);
      }
      return true;
    case "[":
    case "]":
      session.stepAmong(moments?.replaces ?? [], direction);
      return true;
    case "j":
    case "k":
    case "ArrowDown":
    case "ArrowUp":
      move(session, e.key === "j" || e.key === "ArrowDown" ? 1 : -1);
      return true;
    case "g":
      return second ? (toEnd(session, 0), true) : true;
    case "G":
    case "End":
      toEnd(session, session.column === "surface" ? -1 : session.nextSeq - 1);
      return true;
    case "Home":
      toEnd(session, 0);
      return true;
    case "Enter":
      return enter(session);
    case "Escape":
      escape(session);
      return true;
    case "l":
      session.seeAsOf(null);
      return true;
    case "r":
      session.show({ pane: "request", requestOf: null, tab: "detail" });
      return true;
    case "h":
    case "s":
    case "d":
      session.show({ tab: { h: "log", s: "surface", d: "detail" }[e.key] });
      if (e.key !== "d") {
        session.show({ column: session.tab });
      }
      document.querySelector(`#panel-${session.tab} .scroller`)?.focus();
      return true;
    default:
      return false;
  }
}

async function move(session, direction) {
  const selected = session.selected;
  if (session.column === "surface") {
    const nodes = session.nodes;
    const at = selected === null ? -1 : nodes.indexOf(session.moments.nodeFor(selected.seq, session.moment));
    const next = nodes[at < 0 ? (direction > 0 ? 0 : nodes.length - 1) : Math.max(0, Math.min(nodes.length - 1, at + direction))];
    if (next !== undefined) {
      bring(session, session.rows.row(next) ?? { seq: next });
    }
    return;
  }
  const row = selected === null
    ? session.rows.row(session.moment)
    : await session.layout.neighbour(selected.seq, selected.chunk, direction);
  if (row) {
    bring(session, row);
  }
}

function bring(session, row) {
  session.sought = row.seq;
  session.jump++;
  session.select(row);
}

function toEnd(session, seq) {
  if (session.column === "surface") {
    const nodes = session.nodes;
    const node = nodes[seq < 0 ? nodes.length - 1 : 0];
    if (node !== undefined) {
      bring(session, session.rows.row(node) ?? { seq: node });
    }
    return;
  }
  session.rows.need(Math.floor(seq / 256)).then(() => bring(session, session.rows.row(seq) ?? { seq }));
}

function enter(session) {
  const selected = session.selected;
  if (selected === null) {
    return false;
  }
  const row = session.rows.row(selected.seq);
  if (session.column === "surface" && session.moments?.replacements.has(selected.seq)) {
    session.peek(selected.seq);
  } else if (session.column === "log" && !selected.chunk && row && row.last > row.seq) {
    session.rows.toggle(row);
  }
  session.show({ tab: "detail", pane: "event" });
  return true;
}

function escape(session) {
  if (session.pane === "request") {
    session.show({ pane: "event", requestOf: null });
  } else if (session.tab === "detail" && matchMedia("(max-width: 900px)").matches) {
    session.show({ tab: session.column });
  } else if (session.selected !== null) {
    session.select(null);
  } else if (session.peeked.size > 0) {
    session.show({ peeked: new Set() });
  } else {
    session.seeAsOf(null);
  }
}

/** The list of keys, over everything. */
export class KeyList extends Component {
  #dialog = null;

  componentDidMount() {
    this.#dialog.showModal();
  }

  render({ onClose }) {
    return h("dialog", { class: "keys", "data-testid": "keys", "aria-label": "Keys", onClose, ref: (element) => { this.#dialog = element; } },
      h("h2", null, "Keys"),
      h("dl", null, KEYS.map(([key, does]) => [h("dt", { key }, h("kbd", null, key)), h("dd", { key: does }, does)])),
      h("form", { method: "dialog" }, h("button", { type: "submit", class: "primary" }, "Close")));
  }
}
