// The log column: every event, in the order in which it happened.

import { Component, h, Mark, Notice } from "./view.js";
import { brackets, ROW } from "./layout.js";
import { isRun } from "./rows.js";
import { mark, number, says, visible } from "./words.js";

const BEYOND = 10;

/** @param {{ session: import("./session.js").Session }} props */
export class Log extends Component {
  render({ session, sight, beyond, scroller, onScroll, onDrive }) {
    const layout = session.layout;
    if (session.nextSeq === 0) {
      return h(Notice, { state: "empty", title: "Nothing has happened yet" }, "Events appear here as they are appended.");
    }
    const more = beyond ? BEYOND * ROW : 0;
    const items = layout.between(sight.top - more, sight.top + sight.height + more);
    const depths = brackets(items.map((item) => item.row ?? { type: "", seq: -1, last: -1 }));
    const span = hiddenSpan(session);
    const selected = session.selected;
    const active = selected && session.column === "log" ? `log-${selected.chunk ? "c" : ""}${selected.seq}` : undefined;
    return h("div", {
      class: "scroller",
      "data-testid": "log",
      role: "tree",
      tabindex: 0,
      "aria-label": "Log",
      "aria-activedescendant": active && items.some((item) => item.row && rowId(item.row) === active) ? active : undefined,
      style: { "--seq": `${2 * String(session.nextSeq).length + 1.5}ch` },
      ref: scroller,
      onScroll,
      ...onDrive,
    },
    h("div", { class: "tall", role: "presentation", style: { height: `${layout.height}px` } },
      items.map((item, at) => item.row === null
        ? h("div", { key: item.key, class: "gap", role: "presentation", style: place(item) })
        : h(LogRow, { key: item.key, session, row: item.row, style: place(item), depth: depths[at], span, selected }))));
  }
}

const place = (item) => ({ transform: `translateY(${item.top}px)`, height: `${item.height}px` });

export const rowId = (row) => `log-${row.chunk ? "c" : ""}${row.seq}`;

/** What the replace in question hides. @returns {Set<number>} */
function hiddenSpan(session) {
  const seq = session.hovered ?? session.selected?.seq ?? -1;
  return new Set(session.moments?.replacements.get(seq)?.shadowed);
}

function LogRow({ session, row, style, depth, span, selected }) {
  const run = isRun(row);
  const state = run || row.chunk ? (row.seq > session.moment ? "future" : "log-only") : session.stateOf(row);
  const replaces = session.moments?.replacements.get(row.seq);
  const chosen = selected !== null && selected.seq === row.seq && selected.chunk === !!row.chunk;
  const opened = run && session.rows.isOpen(row.seq);
  if (row.chunk && row.preview === undefined) {
    session.rows.needChunks(row.seq, row.seq + 255);
  }
  const choose = () => {
    session.show({ column: "log" });
    session.select(row);
  };
  return h("div", {
    class: `row ${state}${chosen ? " chosen" : ""}${span.has(row.seq) ? " span" : ""}${row.chunk ? " chunk" : ""}`,
    id: rowId(row),
    style,
    role: "treeitem",
    "aria-level": row.chunk ? 2 : 1,
    "aria-selected": String(chosen),
    "aria-expanded": run ? String(opened) : undefined,
    "data-testid": "log-row",
    "data-seq": row.seq,
    "data-last": row.last,
    "data-type": row.type,
    "data-state": state,
    "data-folded": run ? String(!opened) : undefined,
    "data-now": row.seq <= session.moment && session.moment <= row.last && session.asOf !== null ? "true" : undefined,
    onClick: choose,
    onDblClick: () => session.seeAsOf(row.last),
  },
  h("span", { class: `rail turn ${depth.turn}`, "aria-hidden": "true" }),
  h("span", { class: `rail step ${depth.step}`, "aria-hidden": "true" }),
  h("span", { class: `rail compaction ${depth.compaction}`, "aria-hidden": "true" }),
  h("span", { class: "seq" }, row.last > row.seq ? `${row.seq}–${row.last}` : row.seq),
  h(Mark, { kind: row.failed ? "error" : mark(row.type) }),
  h("span", { class: "type" }, visible(row.type)),
  run && h("span", { class: "times" }, `×${number(row.last - row.seq + 1)}`),
  run && h("span", { class: "fold", "data-testid": "fold", title: opened ? "Fold" : "Open", onClick: (e) => {
    e.stopPropagation();
    session.rows.toggle(row);
  } }, opened ? "▾" : "▸"),
  replaces && h("span", { class: "replaces" }, `◆ replaces ${span0(replaces)}`),
  h("span", { class: "says" }, run ? "" : says(row)),
  state === "shadowed" && h("span", { class: "tag" }, `shadowed by ${session.moments.until(row.seq)}`));
}

/** First and last of what a replace hides, as a reader looks for it. */
export const span0 = (replacement) => replacement.start === replacement.end
  ? `${replacement.start}`
  : `${replacement.start}…${replacement.end}`;
