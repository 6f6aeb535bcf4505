// The list of sessions, newest first, which goes on while it is looked at.

import { Component, h, Fragment, Notice } from "./view.js";
import { json, Latest } from "./api.js";
import { dateAndTime, isoTime, many, secondOfDay, visible } from "./words.js";

const PAGE = 50;
/** What one answer may hold, as the API has it. */
const MOST = 1_000;
const LOOK_EVERY = 2_000;
/** A look costs the service what it does; so many times as long it is left alone. */
const REST = 20;
const ACTIVE_FOR = 10_000;

/** @param {{ query: string, onReached: (state: "ok" | "lost") => void }} props */
export class SessionList extends Component {
  state = { sessions: [], damaged: [], next: null, state: "loading", failure: null, query: null, seenAt: 0 };
  #latest = new Latest();
  #again = 0;
  /** When a session was last seen to have grown, by its path. @type {Map<string, number>} */
  #active = new Map();
  #shown = () => !document.hidden && this.#ask();

  componentDidMount() {
    document.addEventListener("visibilitychange", this.#shown);
    this.#ask();
  }

  componentDidUpdate(before) {
    if (before.query !== this.props.query) {
      this.#ask();
    }
  }

  componentWillUnmount() {
    document.removeEventListener("visibilitychange", this.#shown);
    clearTimeout(this.#again);
    this.#latest.cancel();
  }

  /** @param {number | null} next where the older sessions begin, null for all that are shown */
  #ask(next = null) {
    const { query } = this.props;
    const known = query === this.state.query ? this.state.sessions.length : 0;
    const limit = next === null ? Math.min(MOST, Math.max(PAGE, known)) : PAGE;
    const part = (query ? `&contains=${encodeURIComponent(query)}` : "") + (next === null ? "" : `&before=${next}`);
    const began = performance.now();
    clearTimeout(this.#again);
    this.#latest.ask(
      (signal) => json(`/sessions?limit=${limit}${part}`, signal),
      (page) => {
        this.props.onReached("ok");
        this.#took(page, query, next);
        this.#later(performance.now() - began);
      },
      (failure) => {
        this.props.onReached(failure.status === 0 ? "lost" : "ok");
        this.setState(({ sessions, query: of }) => ({ state: sessions.length > 0 && of === query ? "lost" : "error", failure }));
        this.#later(0);
      });
  }

  #later(took) {
    clearTimeout(this.#again);
    this.#again = setTimeout(() => (document.hidden ? this.#later(took) : this.#ask()), Math.max(LOOK_EVERY, REST * took));
  }

  #took(page, query, next) {
    const now = Date.now();
    const known = query === this.state.query ? this.state.sessions : null;
    const done = { state: "ready", failure: null, query, seenAt: now };
    if (next !== null) {
      this.setState({ ...done, sessions: [...known, ...page.sessions], damaged: [...this.state.damaged, ...page.damaged], next: page.next ?? null });
      return;
    }
    const before = known && new Map(known.map((session) => [session.path, session.nextSeq]));
    for (const { path, nextSeq } of before ? page.sessions : []) {
      if (before.get(path) !== nextSeq) {
        this.#active.set(path, now);
      }
    }
    // more than one answer holds stays as it was
    const last = page.sessions[MOST - 1]?.path;
    const rest = last && known ? known.slice(known.findIndex(({ path }) => path === last) + 1) : [];
    const all = rest.length === 0 || rest.length === known.length;
    this.setState({
      ...done,
      sessions: all ? page.sessions : [...page.sessions, ...rest],
      damaged: page.damaged,
      next: all ? page.next ?? null : this.state.next,
    });
  }

  #isActive(session) {
    return this.state.state === "ready" && Date.now() - (this.#active.get(session.path) ?? 0) < ACTIVE_FOR;
  }

  render(_, { sessions, damaged, next, state, failure, query, seenAt }) {
    const shown = state === "ready" && sessions.length === 0 ? "empty" : state;
    return h("main", { class: "list", "data-testid": "session-list", "data-state": shown, "data-query": query ?? "" },
      h("h1", { class: "unseen" }, "Sessions"),
      shown === "loading" && h(Notice, { state: "loading", title: "Reading the sessions …" }),
      shown === "error" && h(Notice, { state: "error", title: "The sessions cannot be shown", retry: () => this.#ask() }, failure.message),
      shown === "lost" && h("p", { class: "damaged", role: "alert", "data-testid": "problem" },
        h("span", null, `${failure.message} These are the sessions as of ${secondOfDay(seenAt)}. `),
        h("button", { type: "button", "data-testid": "error-retry", onClick: () => this.#ask() }, "Try again")),
      shown === "empty" && (query
        ? h(Notice, { state: "empty", title: `No session says “${query}”` }, "Searched are ids, and all that stands in headers.")
        : h(Notice, { state: "empty", title: "There is no session yet" }, "As soon as an agent creates one, it is here.")),
      damaged.length > 0 && h("p", { class: "damaged", role: "alert" }, `${many(damaged.length, "session")} cannot be read: ${damaged[0].detail}`),
      sessions.length > 0 && shown !== "error" && h("ul", { class: "sessions" }, sessions.map((session) =>
        h(SessionRow, { key: session.path, session, active: this.#isActive(session) }))),
      next !== null && state === "ready" && h("button", { type: "button", class: "more", "data-testid": "more-sessions", onClick: () => this.#ask(next) },
        "Older sessions"));
  }
}

/** The last part of its path is its id, spelt so that it passes through every URL. */
export const segment = (session) => session.path.slice(session.path.lastIndexOf("/") + 1);

function SessionRow({ session, active }) {
  const { header } = session;
  const facts = [header.agentPreset, header.cwd, header.origin && `from ${header.origin}`, header.parentSession && `fork of ${header.parentSession}`];
  return h("li", null,
    h("a", { href: `#/s/${segment(session)}`, "data-testid": "session-row", "data-session": session.id, "data-active": String(active) },
      h("span", { class: "name" }, visible(session.id)),
      h("span", { class: "about" }, facts.filter((fact) => typeof fact === "string").map(visible).join(" · ")),
      h("span", { class: "figures" },
        active && h(Fragment, null, h("span", { class: "lamp on", title: "Something has just happened", "aria-hidden": "true" }), h("span", { class: "unseen" }, "active, ")),
        session.nextSeq === 0
        ? "empty"
        : h(Fragment, null, many(session.nextSeq, "event"), h("span", { class: "wide" }, ` · ${many(session.surfaceEvents, "surface event")}`))),
      h("time", { dateTime: isoTime(header.createdAt) }, dateAndTime(header.createdAt))));
}
