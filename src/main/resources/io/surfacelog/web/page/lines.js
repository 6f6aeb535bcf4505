// The lines between the columns: from a node to its event, and from a replacement to the span it hides.

import { h } from "./view.js";
import { HIDDEN, NODE } from "./surface.js";
import { ROW } from "./layout.js";

/**
 * @param {{ session: import("./session.js").Session, list: import("./surface.js").SurfaceList, log: { top: number, height: number },
 *     surface: { top: number, height: number }, width: number }} props
 */
export function Lines({ session, list, log, surface, width }) {
  if (session.nodes.length === 0 || width <= 0) {
    return h("svg", { class: "lines", "data-testid": "lines", "aria-hidden": "true" });
  }
  const paths = [];
  for (const { item, top } of list.between(surface.top, surface.top + surface.height)) {
    const right = top - surface.top + (item.under < 0 ? NODE : HIDDEN) / 2;
    const left = session.layout.top(item.seq) + ROW / 2 - log.top;
    const chosen = session.selected?.seq === item.seq || session.hovered === item.seq;
    if (left > -ROW && left < log.height + ROW && right > 0 && right < surface.height) {
      paths.push(path(`e${item.under}-${item.seq}`, item.under < 0 ? "event" : "under", item.seq, chosen, left, right, width));
    }
    const replaced = item.under < 0 ? session.moments?.replacements.get(item.seq) : undefined;
    if (replaced) {
      paths.push(...hidden(session, replaced, chosen, log, right, width));
    }
  }
  return h("svg", { class: "lines", "data-testid": "lines", "aria-hidden": "true", width, height: log.height }, paths);
}

function path(key, kind, seq, chosen, left, right, width) {
  const bend = width * 0.5;
  return h("path", {
    key,
    class: `line ${kind}${chosen ? " chosen" : ""}`,
    "data-from": seq,
    "data-kind": kind,
    d: `M0 ${left.toFixed(1)}C${bend} ${left.toFixed(1)} ${width - bend} ${right.toFixed(1)} ${width} ${right.toFixed(1)}`,
  });
}

/** A brace along the hidden span, as far as it is in sight, and a line from its middle to the replacement. */
function hidden(session, { seq, shadowed }, chosen, log, right, width) {
  const from = Math.max(4, session.layout.top(Math.min(shadowed[0], shadowed[shadowed.length - 1])) - log.top + 3);
  const to = Math.min(log.height - 4, session.layout.top(Math.max(...ends(shadowed))) + ROW - log.top - 3);
  if (to <= from) {
    return [];
  }
  const middle = (from + to) / 2;
  return [
    h("path", {
      key: `b${seq}`,
      class: `line brace${chosen ? " chosen" : ""}`,
      "data-from": seq,
      "data-kind": "brace",
      d: `M1 ${from.toFixed(1)}C8 ${from.toFixed(1)} 8 ${from.toFixed(1)} 8 ${Math.min(middle, from + 8).toFixed(1)}V${Math.max(middle, to - 8).toFixed(1)}C8 ${to.toFixed(1)} 8 ${to.toFixed(1)} 1 ${to.toFixed(1)}`,
    }),
    h("path", {
      key: `h${seq}`,
      class: `line hidden${chosen ? " chosen" : ""}`,
      "data-from": seq,
      "data-kind": "hidden",
      d: `M8 ${middle.toFixed(1)}C${width * 0.5} ${middle.toFixed(1)} ${width * 0.5} ${right.toFixed(1)} ${width} ${right.toFixed(1)}`,
    }),
  ];
}

const ends = (seqs) => [seqs[0], seqs[seqs.length - 1]];
