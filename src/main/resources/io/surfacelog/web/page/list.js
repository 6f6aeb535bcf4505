// The list of sessions, newest first.

import { Component, h, Fragment, Notice } from "./view.js";
import { json, Latest } from "./api.js";
import { dateAndTime, isoTime, many, visible } from "./words.js";

const PAGE = 50;
const AFTER_TYPING = 150;

/** @param {{ query: string }} props */
export class SessionList extends Component {
  state = { sessions: [], damaged: [], next: null, state: "loading", failure: null, query: null };
  #latest = new Latest();
  #timer = 0;

  componentDidMount() {
    this.#ask();
  }

  componentDidUpdate(before) {
    if (before.query !== this.props.query) {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#ask(), AFTER_TYPING);
    }
  }

  componentWillUnmount() {
    clearTimeout(this.#timer);
    this.#latest.cancel();
  }

  #ask(next = null) {
    const { query } = this.props;
    const part = (query ? `&contains=${encodeURIComponent(query)}` : "") + (next === null ? "" : `&before=${next}`);
    this.#latest.ask(
      (signal) => json(`/sessions?limit=${PAGE}${part}`, signal),
      (page) => this.setState((known) => ({
        sessions: next === null ? page.sessions : [...known.sessions, ...page.sessions],
        damaged: next === null ? page.damaged : [...known.damaged, ...page.damaged],
        next: page.next ?? null,
        state: "ready",
        failure: null,
        query,
      })),
      (failure) => this.setState({ state: "error", failure }));
  }

  render(_, { sessions, damaged, next, state, failure, query }) {
    const shown = state === "ready" && sessions.length === 0 ? "empty" : state;
    return h("main", { class: "list", "data-testid": "session-list", "data-state": shown, "data-query": query ?? "" },
      h("h1", { class: "unseen" }, "Sessions"),
      shown === "loading" && h(Notice, { state: "loading", title: "Reading the sessions …" }),
      shown === "error" && h(Notice, { state: "error", title: "The sessions cannot be shown", retry: () => this.#ask() }, failure.message),
      shown === "empty" && (query
        ? h(Notice, { state: "empty", title: `No session says “${query}”` }, "Searched are ids, and all that stands in headers.")
        : h(Notice, { state: "empty", title: "There is no session yet" }, "As soon as an agent creates one, it is here.")),
      damaged.length > 0 && h("p", { class: "damaged", role: "alert" }, `${many(damaged.length, "session")} cannot be read: ${damaged[0].detail}`),
      sessions.length > 0 && h("ul", { class: "sessions" }, sessions.map((session) => h(SessionRow, { key: session.path, session }))),
      next !== null && state === "ready" && h("button", { type: "button", class: "more", "data-testid": "more-sessions", onClick: () => this.#ask(next) },
        "Older sessions"));
  }
}

/** The last part of its path is its id, spelt so that it passes through every URL. */
export const segment = (session) => session.path.slice(session.path.lastIndexOf("/") + 1);

function SessionRow({ session }) {
  const { header } = session;
  const facts = [header.agentPreset, header.cwd, header.origin && `from ${header.origin}`, header.parentSession && `fork of ${header.parentSession}`];
  return h("li", null,
    h("a", { href: `#/s/${segment(session)}`, "data-testid": "session-row", "data-session": session.id },
      h("span", { class: "name" }, visible(session.id)),
      h("span", { class: "about" }, facts.filter((fact) => typeof fact === "string").map(visible).join(" · ")),
      h("span", { class: "figures" }, session.nextSeq === 0
        ? "empty"
        : h(Fragment, null, many(session.nextSeq, "event"), h("span", { class: "wide" }, ` · ${many(session.surfaceEvents, "surface event")}`))),
      h("time", { dateTime: isoTime(header.createdAt) }, dateAndTime(header.createdAt))));
}
