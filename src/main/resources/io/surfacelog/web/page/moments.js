// The surface at any moment, known here so that the slider needs no answer from anywhere: which events were on it, in what
// order, and since when something stands in their place.

import { all, lowerBound } from "./seqs.js";

const NEVER = Number.POSITIVE_INFINITY;

/** @typedef {{ seq: number, start: number, end: number, shadowed: number[] }} Replacement */

export class Moments {
  /** Surface events as they have come, ascending. @type {number[]} */
  #seqs;
  /** The same in the order of the surface: two that were there at once stand as they stood then. @type {number[]} */
  #order;
  /** The appended event at whose place one stands. @type {Map<number, number>} */
  #place = new Map();
  /** The seq that took the place of one. @type {Map<number, number>} */
  #replacedBy = new Map();
  /** @type {Map<number, Replacement>} */
  replacements = new Map();
  /** @type {number[]} */
  turns;
  /** @type {number[]} */
  errors;
  /** @type {{ seq: number, time: number, input: number, output: number, cached: number }[]} */
  usage;
  nextSeq;
  title;

  /** @param {any} timeline what the API tells of the session */
  constructor(timeline) {
    this.nextSeq = timeline.nextSeq;
    this.title = timeline.title ?? "";
    this.turns = all(timeline.turns);
    this.errors = all(timeline.errors);
    this.usage = timeline.usage;
    this.#seqs = all(timeline.surfaceEvents);
    for (const { seq, start, end, shadowed } of timeline.replacements) {
      this.#replace({ seq, start, end, shadowed: all(shadowed) });
    }
    this.#order = this.#seqs.slice();
    if (this.replacements.size > 0) {
      this.#order.sort((a, b) => this.placeOf(a) - this.placeOf(b) || a - b);
    }
  }

  /** The appended event at whose place one stands: its own seq, or that of the first event it stands for. */
  placeOf(seq) {
    return this.#place.get(seq) ?? seq;
  }

  /** @param {Replacement} replacement */
  #replace(replacement) {
    this.replacements.set(replacement.seq, replacement);
    this.#place.set(replacement.seq, this.placeOf(replacement.shadowed[0]));
    replacement.shadowed.forEach((seq) => this.#replacedBy.set(seq, replacement.seq));
  }

  /**
   * Takes in the next event of the log; one that is known already changes nothing.
   *
   * @param {{ seq: number, type: string, time: number, data: any, surfaceOp?: any }} event
   */
  add(event) {
    if (event.seq !== this.nextSeq) {
      return;
    }
    this.nextSeq++;
    if (event.type === "turn/start") {
      this.turns.push(event.seq);
    } else if (event.type === "session/title" && typeof event.data?.title === "string") {
      this.title = event.data.title;
    }
    if (event.type === "llm/retry" || event.data?.error || event.data?.reason?.kind === "error") {
      this.errors.push(event.seq);
    }
    const usage = event.type === "assistant/message" ? event.data.usage : undefined;
    if (usage) {
      this.usage.push({
        seq: event.seq,
        time: event.time,
        input: usage.inputTokens + (usage.cacheWriteTokens ?? 0),
        output: usage.outputTokens,
        cached: usage.cacheReadTokens ?? 0,
      });
    }
    if (event.surfaceOp === undefined) {
      return;
    }
    if (event.surfaceOp === "append") {
      this.#order.push(event.seq);
    } else {
      const nodes = this.surfaceAt(event.seq - 1);
      const { start, end } = event.surfaceOp;
      const shadowed = nodes.slice(nodes.indexOf(start), nodes.indexOf(end) + 1);
      this.#replace({ seq: event.seq, start, end, shadowed });
      this.#order.splice(this.#order.indexOf(end) + 1, 0, event.seq);
    }
    this.#seqs.push(event.seq);
  }

  /** Whether an event joined the surface when it came. */
  isSurface(seq) {
    return this.#seqs[lowerBound(this.#seqs, seq)] === seq;
  }

  /** @returns {number} the first seq at which one was no longer on the surface, infinite if it still is */
  until(seq) {
    return this.#replacedBy.get(seq) ?? NEVER;
  }

  /** @returns {number[]} what was on the surface after an event, in order. Cost: O(surface events) */
  surfaceAt(moment) {
    if (this.replacements.size === 0) {
      return this.#order.slice(0, lowerBound(this.#order, moment + 1));
    }
    return this.#order.filter((seq) => seq <= moment && (this.#replacedBy.get(seq) ?? NEVER) > moment);
  }

  /** @returns {"surface" | "shadowed" | "log-only" | "future"} */
  stateAt(seq, moment) {
    if (seq > moment) {
      return "future";
    }
    if (!this.isSurface(seq)) {
      return "log-only";
    }
    return this.until(seq) > moment ? "surface" : "shadowed";
  }

  /** @returns {number} the node that stood for an event, itself or what had taken its place; -1 for none */
  nodeFor(seq, moment) {
    if (seq > moment || !this.isSurface(seq)) {
      return -1;
    }
    let node = seq;
    while (this.until(node) <= moment) {
      node = this.until(node);
    }
    return node;
  }

  /** @returns {number} how many surface events there are */
  get surfaceEvents() {
    return this.#seqs.length;
  }

  /** The surface event at or before a seq, -1 for none. */
  surfaceEventBefore(seq) {
    const at = lowerBound(this.#seqs, seq + 1) - 1;
    return at < 0 ? -1 : this.#seqs[at];
  }

  /** @returns {number} the place in the list before (direction -1) or after a moment, the moment itself for none */
  static step(sorted, moment, direction) {
    const at = direction < 0 ? lowerBound(sorted, moment) - 1 : lowerBound(sorted, moment + 1);
    return at < 0 || at >= sorted.length ? moment : sorted[at];
  }

  /** @returns {number[]} where something was replaced, ascending */
  get replaces() {
    return [...this.replacements.keys()];
  }
}

