// One session as it is looked at: what is known of it, the moment it is seen at, and what is selected.

import { Failure, json } from "./api.js";
import { Feed } from "./feed.js";
import { Layout } from "./layout.js";
import { Moments } from "./moments.js";
import { Price } from "./price.js";
import { Rows } from "./rows.js";

const SUMMARY_EVERY = 1_000;
const AHEAD = 80;

/** @typedef {{ seq: number, last: number, chunk: boolean }} Selection */

export class Session {
  /** @type {"loading" | "ready" | "error" | "removed"} */
  state = "loading";
  /** @type {Error | null} */
  failure = null;
  /** What of the log cannot be read. @type {import("./api.js").Failure | null} */
  damage = null;
  /** What the API says of the session as a whole. @type {any} */
  info = null;
  /** @type {Moments | null} */
  moments = null;
  /** @type {Rows | null} */
  rows = null;
  /** @type {Layout | null} */
  layout = null;
  /** @type {"ok" | "waiting" | "lost"} */
  feedState = "waiting";
  /** The moment it is seen at; null for now, whatever comes. @type {number | null} */
  asOf = null;
  /** @type {Selection | null} */
  selected = null;
  /** Replaces whose hidden nodes stay in sight. @type {Set<number>} */
  peeked = new Set();
  /** The replace under the pointer. @type {number | null} */
  hovered = null;
  /** @type {"log" | "surface"} */
  column = "log";
  /** @type {"log" | "surface" | "detail"} */
  tab = "surface";
  /** What the right side shows. @type {"event" | "request"} */
  pane = "event";
  /** The step whose request is shown; null for the moment. @type {number | null} */
  requestOf = null;
  shape = "neutral";
  /** Bumped whenever the columns have to come to another place by themselves. */
  jump = 0;
  #changed;
  #feed = null;
  #nodes = { moment: -1, events: -1, seqs: [] };
  #summaryAsked = 0;
  #closed = false;
  #price;

  /** @param {string} segment the id as a path spells it @param {() => void} changed */
  constructor(segment, changed) {
    this.segment = segment;
    this.path = `/sessions/${segment}`;
    this.#changed = changed;
    this.#price = new Price(this.path, changed);
  }

  /** Reads what the first look needs, and then follows. */
  async open() {
    try {
      this.info = await json(this.path);
      this.#damagedBy(this.info.damaged && new Failure(500, "damaged", this.info.damaged.detail, this.info.damaged.seq));
      const fail = (e) => this.#fail(e);
      this.rows = new Rows(this.path, this.info.nextSeq, () => this.#changed(), fail);
      this.layout = new Layout(this.rows);
      this.rows.need(Math.floor(this.moment / 256));
      this.state = "ready";
      this.jump++;
      this.#changed();
      this.#ahead();
      await this.#know();
      if (this.#closed) {
        return;
      }
      this.jump++;
      this.#changed();
      this.#askTokens(true);
      this.#feed = new Feed(this.path, this.moments?.nextSeq ?? this.nextSeq, {
        event: (event) => this.#heard(event),
        state: (state) => this.#feedIs(state),
        removed: () => this.#removed(),
      });
    } catch (e) {
      this.#fail(e);
    }
  }

  /** Learns what happened when. Of a log that is damaged this cannot be told, and all that can be read is shown without. */
  async #know() {
    if (this.damage !== null) {
      return;
    }
    try {
      this.moments = new Moments(await json(`${this.path}/timeline`));
      this.rows.grow(this.moments.nextSeq);
    } catch (e) {
      if (e.type !== "damaged") {
        throw e;
      }
      this.#damagedBy(e);
    }
  }

  /** No surface can be made of it at every moment, and what can be read is shown without. */
  #damagedBy(failure) {
    if (failure) {
      this.damage = failure;
      this.asOf = null;
    }
  }

  /** The end of the surface, which can be seen before it is known what happened when. */
  async #ahead() {
    if (this.asOf !== null || this.info.damaged) {
      return;
    }
    const { nodes } = await json(`${this.path}/surface?last=${AHEAD}`).catch(() => ({ nodes: [] }));
    if (this.moments === null) {
      this.#nodes.seqs = nodes.map((node) => node.seq);
      this.jump++;
      this.#changed();
    }
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#summaryAsked);
    this.#price.close();
    this.#feed?.close();
    this.rows?.close();
  }

  #fail(e) {
    if (e === null) {
      this.failure = null;
      return;
    }
    if (e.type === "unknown-session") {
      this.#removed();
      return;
    }
    if (this.rows === null || (this.moments === null && this.damage === null)) {
      this.state = "error";
    }
    this.failure = e;
    this.#changed();
  }

  #removed() {
    this.state = "removed";
    this.#feed?.close();
    this.#changed();
  }

  #feedIs(state) {
    this.feedState = state;
    if (state === "ok") {
      this.failure = null;
      this.rows.resume();
    }
    this.#changed();
  }

  #heard(event) {
    this.moments?.add(event);
    this.rows.grow(event.seq + 1);
    this.#askSummary();
    this.#changed();
  }

  /** Once a second at most, while something happens. */
  #askSummary() {
    if (this.#summaryAsked !== 0) {
      return;
    }
    this.#summaryAsked = setTimeout(async () => {
      this.#summaryAsked = 0;
      try {
        this.info = await json(this.path);
        this.#changed();
        this.#askTokens(true);
        if (this.damage !== null) {
          this.#ahead();
        }
      } catch (e) {
        this.#fail(e);
      }
    }, SUMMARY_EVERY);
  }

  /** What the surface was expected to cost at a moment, null before that is known. */
  get tokens() {
    return this.#price.known;
  }

  /** Asks what the surface is expected to cost, soon or once it is seen for a while. */
  #askTokens(soon = false) {
    if (!this.info.damaged) {
      this.#price.ask(this.asOf, soon);
    }
  }

  get nextSeq() {
    return this.rows?.nextSeq ?? 0;
  }

  /** The seq after which it is seen, -1 for an empty log. */
  get moment() {
    return Math.min(this.asOf ?? Number.POSITIVE_INFINITY, this.nextSeq - 1);
  }

  /** What the model sees at the moment. @returns {number[]} */
  get nodes() {
    const known = this.#nodes;
    if (this.moments === null) {
      return known.seqs;
    }
    const events = this.moments.nextSeq;
    if (known.moment !== this.moment || known.events !== events) {
      this.#nodes = { moment: this.moment, events, seqs: this.moments.surfaceAt(this.moment) };
    }
    return this.#nodes.seqs;
  }

  /** What is seen of an event at the moment. */
  stateOf(row) {
    if (this.moments) {
      return this.moments.stateAt(row.seq, this.moment);
    }
    return row.role === undefined ? "log-only" : "surface";
  }

  /** @param {number | null} seq null for live */
  seeAsOf(seq) {
    const moment = seq === null ? null : Math.max(0, Math.min(seq, this.nextSeq - 1));
    if (moment !== this.asOf) {
      this.asOf = moment;
      this.jump++;
      this.#askTokens();
      this.#changed();
    }
  }

  /** Moves the moment to the next of these seqs in a direction. */
  stepAmong(sorted, direction) {
    this.seeAsOf(Moments.step(sorted, this.moment, direction));
  }

  /** @param {{ seq: number, last?: number, chunk?: boolean } | null} row */
  select(row) {
    this.selected = row === null ? null : { seq: row.seq, last: row.last ?? row.seq, chunk: !!row.chunk };
    if (row !== null) {
      this.pane = "event";
    }
    this.#changed();
  }

  /** Selects an event wherever it is, and brings it into sight. */
  async visit(seq) {
    if (seq > this.moment) {
      this.seeAsOf(null);
    }
    await this.rows.need(Math.floor(seq / 256));
    this.select(this.rows.row(seq) ?? { seq });
    this.sought = seq;
    this.jump++;
    this.#changed();
  }

  /** The seq that has to come into sight, once. @type {number | null} */
  sought = null;

  peek(seq) {
    if (!this.peeked.delete(seq)) {
      this.peeked.add(seq);
    }
    this.#changed();
  }

  hover(seq) {
    if (this.hovered !== seq) {
      this.hovered = seq;
      this.#changed();
    }
  }

  show(change) {
    Object.assign(this, change);
    this.#changed();
  }
}
