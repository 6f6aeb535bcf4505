// The right side: one event with its payload and where it comes from, or the request of a step.

import { Component, h, Fragment, LongText, Mark, Notice } from "./view.js";
import { json, Latest, text } from "./api.js";
import { member, pretty } from "./json.js";
import { RequestView } from "./request.js";
import { runs } from "./seqs.js";
import { bytes, mark, many, size, timeOfDay, visible } from "./words.js";

const MOST_LINKS = 40;
const MOST_CHUNKS = 200;

/** @param {{ session: import("./session.js").Session }} props */
export class Detail extends Component {
  state = { key: "", event: null, chunks: null, why: null, failure: null };
  #event = new Latest();
  #why = new Latest();

  componentDidMount() {
    this.#ask();
  }

  componentDidUpdate() {
    this.#ask();
  }

  #ask() {
    const { session } = this.props;
    const selected = session.selected;
    const replaced = selected && session.moments ? session.moments.until(selected.seq) : "";
    const key = selected ? `${selected.seq}-${selected.chunk ? selected.seq : selected.last}-${replaced}` : "";
    if (key === this.state.key) {
      return;
    }
    this.setState({ key, event: null, chunks: null, why: null, failure: null });
    if (!selected) {
      return;
    }
    const fail = (failure) => this.state.key === key && this.setState({ failure });
    const { path } = session;
    const run = selected.last > selected.seq && !selected.chunk;
    this.#event.ask(
      (signal) => run
        ? json(`${path}/events?from=${selected.seq}&to=${selected.last + 1}&limit=${MOST_CHUNKS}`, signal)
        : text(`${path}/events/${selected.seq}`, signal),
      (answer) => this.state.key === key && this.setState(run ? { chunks: answer.events } : { event: answer }),
      fail);
    this.#why.ask(
      (signal) => json(`${path}/events/${selected.seq}/provenance`, signal),
      (why) => this.state.key === key && this.setState({ why }),
      // an event is shown also where it cannot be told what it comes from
      ({ message }) => this.state.key === key && this.setState({ why: { failure: message, attemptBegin: null } }));
  }

  render({ session }, { event, chunks, why, failure }) {
    const selected = session.selected;
    return h("section", { class: "column detail", id: "panel-detail", "aria-label": "Detail", "data-testid": "detail", "data-seq": selected?.seq },
      h("h2", null, session.pane === "request" ? "Request" : "Detail",
        h("span", { class: "panes", role: "group", "aria-label": "What is shown here" },
          h(Pane, { session, pane: "event", testid: "show-event" }, "event"),
          h(Pane, { session, pane: "request", testid: "show-moment-request" }, "request"))),
      h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": session.pane === "request" ? "Request" : "Event" },
        session.pane === "request"
          ? h(RequestView, { session })
          : selected === null
            ? h(Notice, { state: "empty", title: "Select an event" }, "Click one, or press j and Enter. Press ? for all keys.")
            : failure
              ? h(Notice, { state: "error", title: "This event cannot be shown", retry: () => this.setState({ key: "?" }) }, failure.message)
              : chunks ? h(Chunks, { session, chunks, why }) : event === null ? h(Notice, { state: "loading", title: "Reading …" })
                : h(Event, { session, text: event, why })));
  }
}

function Pane({ session, pane, testid, children }) {
  return h("button", {
    type: "button",
    "data-testid": testid,
    "aria-pressed": String(session.pane === pane),
    onClick: () => session.show(pane === "request" ? { pane, requestOf: null } : { pane }),
  }, children);
}

function Event({ session, text, why }) {
  const event = JSON.parse(text);
  const payload = member(text, "data") ?? "null";
  const { turn, step } = event.data ?? {};
  return h(Fragment, null,
    h("h3", null, h(Mark, { kind: mark(event.type) }), `${visible(event.type)} `, h("span", { class: "seq" }, event.seq)),
    h("p", { class: "facts" },
      [turn && `turn ${turn}`, step && `step ${step}`, timeOfDay(event.time), bytes(new Blob([payload]).size), StateOf(session, event)]
        .filter(Boolean).join(" · ")),
    h(Provenance, { session, why }),
    h("p", { class: "actions" },
      h("button", { type: "button", "data-testid": "see-as-of", onClick: () => session.seeAsOf(event.seq) }, `See as of ${event.seq}`),
      h(RequestButton, { session, seq: event.seq, why })),
    h("h4", null, "Payload"),
    h(LongText, { testid: "payload", label: "Payload as JSON", text: pretty(payload), size }));
}

/** Where a model was asked, as the API tells with the provenance: it alone knows which attempt an event belongs to. */
function RequestButton({ session, seq, why }) {
  const asked = why !== null && why.attemptBegin !== null;
  return asked && h("button", {
    type: "button",
    "data-testid": "show-request",
    onClick: () => session.show({ pane: "request", requestOf: seq }),
  }, "Request sent at this step");
}

const StateOf = (session, event) => ({
  surface: "on the surface",
  shadowed: "shadowed",
  future: "still to come",
})[session.moments?.stateAt(event.seq, session.moment)] ?? "";

function Chunks({ session, chunks, why }) {
  const { seq, last } = session.selected;
  const said = chunks.map((event) => event.data?.chunk?.text ?? event.data?.chunk?.arguments ?? "").join("");
  const { turn, step } = chunks[0]?.data ?? {};
  return h(Fragment, null,
    h("h3", null, h(Mark, { kind: "chunk" }), "assistant/chunk ", h("span", { class: "seq" }, `${seq}–${last}`)),
    h("p", { class: "facts" }, [many(last - seq + 1, "chunk"), turn && `turn ${turn}`, step && `step ${step}`,
      chunks[0] && timeOfDay(chunks[0].time)].filter(Boolean).join(" · ")),
    h(Provenance, { session, why }),
    h("p", { class: "actions" },
      h("button", { type: "button", "data-testid": "see-as-of", onClick: () => session.seeAsOf(last) }, `See as of ${last}`),
      h(RequestButton, { session, seq, why })),
    said && h(Fragment, null, h("h4", null, "Streamed"), h(LongText, { testid: "streamed", label: "Streamed text", text: said, size })),
    h("h4", null, chunks.length < last - seq + 1 ? `The first ${chunks.length}` : "Payloads"),
    h(LongText, { testid: "payload", label: "Payloads as JSON", size, text: chunks.map((event) => JSON.stringify(event.data)).join("\n") }));
}

/** Up to what an event was made of, down to what was made of it. */
function Provenance({ session, why }) {
  if (why === null) {
    return h("dl", { class: "provenance" }, h("dt", null, "provenance"), h("dd", null, "…"));
  }
  if (why.failure) {
    return h("p", { class: "quiet", role: "alert" }, `What it comes from cannot be told: ${why.failure}`);
  }
  return h("dl", { class: "provenance", "data-testid": "provenance" },
    h(Links, { session, name: "cites", relation: "cites", text: why.cites }),
    h(Links, { session, name: "cited by", relation: "cited-by", text: why.citedBy }),
    why.replaces && h(Links, { session, name: "replaces", relation: "replaces", text: why.replaces.shadowed }),
    why.replacedBy && h(Links, { session, name: "replaced by", relation: "replaced-by", text: String(why.replacedBy.seq) }),
    why.chain.length > 2 && h(Links, { session, name: "stands now as", relation: "chain", text: String(why.chain[why.chain.length - 1]) }));
}

function Links({ session, name, relation, text }) {
  const found = runs(text);
  if (found.length === 0) {
    return null;
  }
  const link = (seq) => h("a", {
    href: session.link(seq),
    "data-testid": "provenance-link",
    "data-seq": seq,
    "data-relation": relation,
    onClick: (e) => {
      if (!e.ctrlKey && !e.metaKey && !e.shiftKey) {
        e.preventDefault();
        session.visit(seq);
      }
    },
  }, seq);
  const total = found.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  return h(Fragment, null,
    h("dt", null, name),
    h("dd", null,
      found.slice(0, MOST_LINKS).map(([first, last], at) => h("span", { key: first }, at > 0 && " ", link(first), last > first && ["–", link(last)])),
      found.length > MOST_LINKS && " …",
      total > 1 && h("span", { class: "count" }, ` ${many(total, "event")}`)));
}
