// The inspector page: which part is shown, and what belongs to all of them.
//
// Hooks for tests, as data-testid (and what else is to be relied on):
//   html[data-ready=true]            the first view stands
//   html[data-theme=dark|light]      theme-toggle
//   health[data-state=ok|waiting|lost], home, search, show-keys, keys
//   token-form, token-input, token-submit, token-error
//   session-list[data-state=loading|empty|error|lost|ready][data-query], session-row[data-session][data-active=true|false], more-sessions
//   empty, loading, error            these states, wherever they are; error-retry
//   session[data-session][data-next-seq][data-as-of=SEQ|live][data-known=true once the slider works]
//   session-title, session-summary, problem, damage[data-seq], export-jsonl, export-zstd
//   slider, as-of, live[aria-pressed]
//   tabs, tab-log, tab-surface, tab-detail    seen where the page is narrow; panels are #panel-log, #panel-surface, #panel-detail
//   log, log-row[data-seq][data-last][data-type][data-state=surface|shadowed|log-only|future], type damaged for what cannot be read[data-folded][data-now=true], fold
//   surface, node[data-seq][data-role][data-tokens][data-replaces=FIRST…LAST], peek, hidden-node[data-seq][data-under]
//   lines: path[data-from=SEQ][data-kind=event|hidden|brace|under]
//   detail[data-seq], payload, payload-more, streamed, provenance, provenance-link[data-seq][data-relation], see-as-of
//   show-event, show-request, show-moment-request, request[data-state=loading|ready|error][data-shape][data-as-of],
//   request-shape, request-text, request-copy, request-violations, request-adjustments
//   plot[data-points][data-open], plot-toggle, plot-reading, plot-summary

import { Component, h, render } from "./view.js";
import { json, onRefused } from "./api.js";
import { KeyList, pressed } from "./keys.js";
import { SessionList } from "./list.js";
import { Session } from "./session.js";
import { SessionView } from "./session-view.js";
import { startTheme, theme } from "./theme.js";
import { TokenForm } from "./token.js";
import { forget, hash, where, write } from "./where.js";

const LOOK_EVERY = 15_000;
/** So long after the last key, what was typed is looked for and written into the URL. */
const AFTER_TYPING = 150;

class App extends Component {
  state = { at: where(), typed: where().query, refused: false, keys: false, reachable: "waiting", round: 0 };
  /** @type {Session | null} */
  #session = null;
  #frame = 0;
  #typing = 0;
  #search = null;
  #toggleTheme = () => {};

  componentDidMount() {
    onRefused(() => this.setState({ refused: true }));
    addEventListener("hashchange", () => this.#go());
    addEventListener("keydown", (e) => this.#pressed(e));
    this.#toggleTheme = startTheme(() => this.#draw());
    setInterval(() => this.#session && !document.hidden && this.#look(), LOOK_EVERY);
    this.#go();
  }

  /** Whether the service is there, where neither a feed nor the list tells. */
  async #look() {
    try {
      await json("/sessions?limit=1");
      this.#reached("ok");
    } catch (e) {
      this.#reached(e.status === 0 ? "lost" : "ok");
    }
  }

  #reached = (reachable) => {
    if (reachable !== this.state.reachable) {
      this.setState({ reachable });
    }
  };

  #go() {
    const at = where();
    forget();
    clearTimeout(this.#typing);
    if (at.session !== (this.#session?.segment ?? null)) {
      this.#session?.close();
      this.#session = at.session === null ? null : this.#open(at);
    } else if (this.#session) {
      this.#session.seeAsOf(at.seq);
      if (at.selected !== null && at.selected !== this.#session.selected?.seq) {
        this.#session.visit(at.selected);
      }
    }
    this.setState({ at, typed: at.query });
    if (this.#session !== null) {
      this.#look();
    }
  }

  #open(at) {
    const session = new Session(at.session, () => this.#draw());
    session.asOf = at.seq;
    session.show({ pane: at.pane, shape: at.shape, requestOf: at.requestOf });
    session.link = (seq) => hash({ ...this.#here(), selected: seq });
    session.open().then(() => {
      if (at.selected !== null && session.state === "ready") {
        const { pane, requestOf } = session;
        session.visit(at.selected).then(() => session.show({ pane, requestOf }));
      }
    });
    return session;
  }

  /** Once a frame, however much has changed. */
  #draw() {
    if (this.#frame === 0) {
      this.#frame = requestAnimationFrame(() => {
        this.#frame = 0;
        this.setState({ round: this.state.round + 1 });
      });
    }
  }

  #here() {
    const session = this.#session;
    return session === null
      ? this.state.at
      : {
        session: session.segment,
        seq: session.asOf,
        selected: session.selected?.seq ?? null,
        pane: session.pane,
        shape: session.shape,
        requestOf: session.requestOf,
        query: "",
      };
  }

  componentDidUpdate() {
    const session = this.#session;
    if (session === null || session.state === "ready") {
      write(this.#here());
    }
    document.title = session?.info ? `${session.info.id} · Surfacelog` : "Surfacelog";
    if (this.state.refused || session === null || session.state !== "loading") {
      document.documentElement.dataset.ready = "true";
    }
  }

  #pressed(e) {
    const typing = e.target.matches?.("input:not([type=range]), select, textarea, dialog *");
    if (typing || this.state.refused || this.state.keys) {
      if (e.key === "Escape" && e.target === this.#search) {
        this.#search.blur();
      }
      return;
    }
    if (e.key === "/") {
      this.#search?.focus();
      e.preventDefault();
    } else if (e.key === "?") {
      this.setState({ keys: true });
    } else if (e.key === "Enter" && e.target.matches?.("button, a")) {
      return;
    } else if (this.#session && pressed(e, this.#session)) {
      e.preventDefault();
    }
  }

  #searched(query) {
    if (this.#session) {
      location.hash = hash({ ...this.state.at, session: null, query });
    } else {
      this.setState({ typed: query });
      clearTimeout(this.#typing);
      this.#typing = setTimeout(() => this.setState({ at: { ...this.state.at, query } }), AFTER_TYPING);
    }
  }

  render(_, { at, typed, refused, keys, reachable }) {
    const session = this.#session;
    const health = session?.state === "ready" && (session.moments || session.damage) ? session.feedState : reachable;
    return h("div", { class: "page" },
      h("header", { class: "top" },
        h("a", { class: "brand", href: "#/", "data-testid": "home" }, "Surfacelog", h("span", { class: "unseen" }, ", all sessions")),
        h("input", {
          type: "search",
          placeholder: "Search by id or header …",
          "aria-label": "Search sessions",
          "data-testid": "search",
          value: session ? "" : typed,
          ref: (element) => { this.#search = element; },
          onInput: (e) => this.#searched(e.target.value),
        }),
        h("button", { type: "button", class: "icon", "data-testid": "show-keys", "aria-label": "Keys", onClick: () => this.setState({ keys: true }) }, "?"),
        h("button", {
          type: "button",
          class: "icon",
          "data-testid": "theme-toggle",
          "aria-label": `Switch to ${theme() === "dark" ? "light" : "dark"}`,
          onClick: () => this.#toggleTheme(),
        }, "◐"),
        h("span", { class: `health ${health}`, role: "status", "data-testid": "health", "data-state": health },
          h("span", { class: "lamp", "aria-hidden": "true" }),
          { ok: session?.state === "ready" ? "following" : "connected", waiting: "connecting", lost: "no connection" }[health])),
      refused
        ? h(TokenForm, { onAccepted: () => location.reload() })
        : session
          ? h(SessionView, { session, theme: theme() })
          : h(SessionList, { query: at.query, onReached: this.#reached }),
      keys && h(KeyList, { onClose: () => this.setState({ keys: false }) }));
  }
}

const root = document.getElementById("app");
root.replaceChildren();
render(h(App), root);
