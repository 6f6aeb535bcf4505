// The view of one session: what it is, the moment it is seen at, the columns, and what it used.

import { Component, h, Notice } from "./view.js";
import { Columns } from "./columns.js";
import { Detail } from "./detail.js";
import { download } from "./api.js";
import { Plot } from "./plot.js";
import { many, number, short, visible } from "./words.js";

const TABS = ["log", "surface", "detail"];

/** @param {{ session: import("./session.js").Session, theme: string }} props */
export function SessionView({ session, theme }) {
  if (session.state === "loading") {
    return h("main", { class: "session" }, h(Notice, { state: "loading", title: "Opening the session …" }));
  }
  if (session.state === "removed") {
    return h("main", { class: "session" }, h(Notice, { state: "error", title: "There is no such session" },
      "It was deleted or erased, or there never was one. ", h("a", { href: "#/" }, "All sessions")));
  }
  if (session.state === "error") {
    return h("main", { class: "session" }, h(Notice, { state: "error", title: "The session cannot be shown", retry: () => location.reload() },
      session.failure.message));
  }
  return h("main", {
    class: "session",
    "data-testid": "session",
    "data-session": session.info.id,
    "data-next-seq": session.nextSeq,
    "data-as-of": session.asOf ?? "live",
    "data-known": String(session.moments !== null),
  },
  h(Summary, { session }),
  session.damage && h("p", { class: "damaged", role: "alert", "data-testid": "damage", "data-seq": session.damage.seq },
    h("span", null, `Event ${session.damage.seq} is damaged, and what depends on it cannot be told: ${session.damage.message} `),
    h("button", { type: "button", onClick: () => session.visit(session.damage.seq) }, `Go to ${session.damage.seq}`)),
  session.failure && h("p", { class: "damaged", role: "alert", "data-testid": "problem" }, session.failure.message),
  h(Tabs, { session }),
  h("div", { class: "panes-wide", "data-tab": session.tab },
    h(Columns, { session }),
    h(Detail, { session })),
  h(Plot, { session, theme }));
}

function Summary({ session }) {
  const { info, moments } = session;
  const running = info.driver !== null;
  const state = info.damaged ? "damaged" : running ? "running" : info.openTurn ? "turn open, nobody drives it" : "idle";
  return h("header", { class: "summary" },
    h("div", { class: "title" },
      h("h1", { "data-testid": "session-title" }, h("bdi", null, visible(info.id)), moments?.title && h("bdi", { class: "label" }, visible(moments.title))),
      h("p", { class: "facts", "data-testid": "session-summary" },
        h("span", { class: `lamp ${running ? "on" : ""}`, "aria-hidden": "true" }), `${state} · `,
        info.lastTurn > 0 && `turn ${number(info.lastTurn)} · `,
        `${many(session.nextSeq, "event")}${info.damaged ? "" : " · "}`,
        !info.damaged && [`${many(moments ? session.nodes.length : info.nodes, "node")} · `, h(Tokens, { session })],
        info.findings?.length > 0 && h("span", { class: "bad" }, ` · ${many(info.findings.length, "finding")}`))),
    h("div", { class: "exports" },
      h(Export, { session, format: "jsonl", ending: "jsonl" }),
      h(Export, { session, format: "zstd", ending: "jsonl.zstd" })),
    h(Slider, { session }));
}

/** What the surface is expected to cost, as far as that is known of this moment. */
function Tokens({ session }) {
  const { tokens, asOf } = session;
  return tokens === null || tokens.asOf !== asOf ? "… tokens" : `${short(tokens.total)} tokens by ${tokens.basis}`;
}

function Export({ session, format, ending }) {
  const path = `${session.path}/export?format=${format}`;
  return h("button", {
    type: "button",
    class: "link",
    "data-testid": `export-${format}`,
    "aria-label": `Export as ${format === "jsonl" ? "JSONL" : "Zstandard"}`,
    onClick: () => download(path, `${session.segment}.${ending}`).catch((failure) => session.show({ failure })),
  }, `↓ ${ending}`);
}

/** The moment, to be moved. */
class Slider extends Component {
  #input = null;

  componentDidUpdate() {
    // after min and max, which a browser holds a value against
    this.#input.value = String(Math.max(0, this.props.session.moment));
  }

  componentDidMount() {
    this.componentDidUpdate();
  }

  render({ session }) {
    const last = Math.max(0, session.nextSeq - 1);
    const live = session.asOf === null;
    return h("div", { class: "slider" },
      h("label", { for: "moment" }, "as of"),
      h("span", { class: "track" },
        h("input", {
          id: "moment",
          type: "range",
          min: 0,
          max: last,
          step: 1,
          disabled: session.nextSeq === 0 || session.moments === null,
          "data-testid": "slider",
          "aria-valuetext": live ? `live, event ${last}` : `event ${session.moment} of ${last}`,
          ref: (element) => { this.#input = element; },
          onInput: (e) => session.seeAsOf(Number(e.target.value)),
        }),
        session.moments && h(Ticks, { session, last })),
      h("output", { for: "moment", "data-testid": "as-of" }, Math.max(0, session.moment)),
      h("button", {
        type: "button",
        class: "live",
        "data-testid": "live",
        "aria-pressed": String(live),
        onClick: () => session.seeAsOf(live ? session.moment : null),
      }, "live"));
  }
}

/** As many as can be told apart. */
const TICKS = 80;

/** Where something was replaced. */
function Ticks({ session, last }) {
  const places = new Set(session.moments.replaces.map((seq) => Math.round((TICKS * seq) / Math.max(1, last))));
  return h("span", { class: "ticks", "aria-hidden": "true" }, [...places].map((at) =>
    h("span", { key: at, style: { left: `${(100 * at) / TICKS}%` } })));
}

/** Log, surface and detail one at a time, where there is no room for all. */
function Tabs({ session }) {
  const choose = (tab) => session.show(tab === "detail" ? { tab } : { tab, column: tab });
  const onKeyDown = (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (step) {
      e.preventDefault();
      e.stopPropagation();
      choose(TABS[(TABS.indexOf(session.tab) + step + TABS.length) % TABS.length]);
      requestAnimationFrame(() => document.getElementById(`tab-${session.tab}`)?.focus());
    }
  };
  return h("div", { class: "tabs", role: "tablist", "aria-label": "Parts of the session", "data-testid": "tabs", onKeyDown },
    TABS.map((tab) => h("button", {
      key: tab,
      type: "button",
      role: "tab",
      id: `tab-${tab}`,
      "data-testid": `tab-${tab}`,
      "aria-selected": String(session.tab === tab),
      "aria-controls": `panel-${tab}`,
      tabindex: session.tab === tab ? 0 : -1,
      onClick: () => choose(tab),
    }, tab, h("span", { class: "count" }, { log: number(session.nextSeq), surface: session.moments ? number(session.nodes.length) : "" }[tab]))));
}
