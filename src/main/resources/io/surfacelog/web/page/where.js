// What the URL says: which session, at which moment, with what selected. It survives a reload and can be handed on.

// browsers refuse more than a hundred writes in thirty seconds
const EVERY = 400;
const BURST = 20;

/**
 * @typedef {object} Where
 * @property {string | null} session its id as a path spells it
 * @property {number | null} seq the moment, null for live
 * @property {number | null} selected
 * @property {string} pane
 * @property {string} shape
 * @property {number | null} requestOf
 * @property {string} query of the list
 */

const whole = (text) => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null);

/** What the URL said when it was last read or written here: where it says something else, somebody has gone there. */
let known = location.hash;

/** @returns {Where} */
export function where() {
  known = location.hash;
  const [path, query = ""] = location.hash.slice(1).split("?");
  const given = new URLSearchParams(query);
  const session = /^\/s\/([^/]+)$/.exec(path);
  return {
    session: session ? session[1] : null,
    seq: whole(given.get("seq")),
    selected: whole(given.get("sel")),
    pane: given.get("pane") === "request" ? "request" : "event",
    shape: given.get("shape") ?? "neutral",
    requestOf: whole(given.get("of")),
    query: given.get("q") ?? "",
  };
}

/** @param {Where} at */
export function hash(at) {
  const given = new URLSearchParams();
  if (at.session === null) {
    if (at.query) {
      given.set("q", at.query);
    }
  } else {
    if (at.seq !== null) {
      given.set("seq", String(at.seq));
    }
    if (at.selected !== null) {
      given.set("sel", String(at.selected));
    }
    if (at.pane === "request") {
      given.set("pane", "request");
      given.set("shape", at.shape);
      if (at.requestOf !== null) {
        given.set("of", String(at.requestOf));
      }
    }
  }
  const query = given.size > 0 ? `?${given}` : "";
  return at.session === null ? `#/${query}` : `#/s/${at.session}${query}`;
}

/** Writes that are left to be made at once; one more after each EVERY. */
let free = BURST;
let timer = 0;
let wanted = "";

/**
 * Writes where we are: at once, so that a reload right after a click shows what was clicked, and later, the newest only, where
 * more is to be written than a browser allows, as while the slider moves. Never over a place that a click has gone to and the
 * browser has not told of yet.
 *
 * @param {Where} at
 */
export function write(at) {
  wanted = hash(at);
  if (free > 0) {
    flush();
  }
}

function flush() {
  if (wanted && location.hash === known && wanted !== known) {
    history.replaceState(null, "", wanted);
    known = location.hash;
    free--;
    timer ||= setTimeout(tick, EVERY);
  }
}

function tick() {
  free++;
  timer = 0;
  flush();
  if (free < BURST) {
    timer ||= setTimeout(tick, EVERY);
  }
}

/** What was to be written belongs to a place that was left. */
export function forget() {
  wanted = "";
}

addEventListener("pagehide", flush);
