// Which pages are asked for while somebody scrolls or drags: those in sight now, a few at a time. What was overtaken is dropped.

/** Of the six connections that a browser opens to a service, some are left to the feed and to what is selected. */
const AT_ONCE = 4;
/** Milliseconds that what was asked for has before it is given up for what is in sight meanwhile. */
const GRACE = 100;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/** @typedef {{ abort: AbortController, done: Promise<void>, held: boolean }} Asked held is waited for, wherever one looks */

export class Sought {
  /** @type {Map<number, Asked>} */
  #asked = new Map();
  /** What the frame that is being drawn has room for. */
  #drawing = new Set();
  /** What the last frame had room for. */
  #wanted = new Set();
  /** What was asked for last, there or not. */
  #before = new Set();
  #startedAt = 0;
  #timer = 0;
  #wait = FIRST_WAIT;
  #restUntil = 0;
  #load;
  #changed;

  /** @param {(number: number, signal: AbortSignal) => Promise<void>} load @param {() => void} changed after a failure has rested */
  constructor(load, changed) {
    this.#load = load;
    this.#changed = changed;
  }

  want(number) {
    this.#drawing.add(number);
  }

  /** @returns {Promise<void>} */
  need(number) {
    const asked = this.#asked.get(number) ?? this.#ask(number);
    asked.held = true;
    return asked.done;
  }

  settle() {
    this.#wanted = this.#drawing;
    this.#drawing = new Set();
    if (this.#timer !== 0) {
      return;
    }
    const now = performance.now();
    const overtakes = [...this.#before].some((number) => this.#asked.has(number) && !this.#wanted.has(number));
    const at = Math.max(this.#restUntil, overtakes ? this.#startedAt + GRACE : 0);
    if (at <= now) {
      this.#start();
    } else {
      this.#timer = setTimeout(() => {
        this.#timer = 0;
        this.#start();
      }, at - now);
    }
  }

  /** The service is there again: what has failed is asked for without more ado. */
  resume() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#restUntil = 0;
    this.#wait = FIRST_WAIT;
    this.#start();
  }

  close() {
    clearTimeout(this.#timer);
    this.#wanted.clear();
    this.#asked.forEach(({ abort }) => abort.abort());
  }

  #start() {
    for (const [number, { abort, held }] of this.#asked) {
      if (!held && !this.#wanted.has(number)) {
        abort.abort();
        this.#asked.delete(number);
      }
    }
    const next = [...this.#wanted].filter((number) => !this.#asked.has(number)).slice(0, Math.max(0, AT_ONCE - this.#asked.size));
    if (next.length > 0) {
      this.#startedAt = performance.now();
      next.forEach((number) => this.#ask(number));
    }
    this.#before = new Set(this.#asked.keys());
  }

  /** @returns {Asked} */
  #ask(number) {
    const abort = new AbortController();
    const asked = { abort, held: false, done: Promise.resolve() };
    this.#asked.set(number, asked);
    asked.done = this.#load(number, abort.signal).then(
      () => {
        this.#wait = FIRST_WAIT;
      },
      () => this.#rest(),
    ).then(() => {
      this.#wanted.delete(number);
      if (this.#asked.get(number) === asked) {
        this.#asked.delete(number);
        if (this.#timer === 0 && performance.now() >= this.#restUntil) {
          this.#start();
        }
      }
    });
    return asked;
  }

  /** What failed is not asked for with every frame, but after a while, and then after a longer one. */
  #rest() {
    this.#restUntil = performance.now() + this.#wait;
    setTimeout(this.#changed, this.#wait + 1);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
  }
}
