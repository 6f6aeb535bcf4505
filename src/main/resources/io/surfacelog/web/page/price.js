// What the surface is expected to cost at a moment. Of no weight: nothing is said where it cannot be told.

import { json, Latest } from "./api.js";

/** Milliseconds that a moment is seen before it is asked for. */
const AT_REST = 300;

export class Price {
  /** @type {{ asOf: number | null, total: number, basis: string } | null} */
  known = null;
  #timer = 0;
  #latest = new Latest();
  #path;
  #changed;

  /** @param {string} path of the session @param {() => void} changed */
  constructor(path, changed) {
    this.#path = path;
    this.#changed = changed;
  }

  /** @param {number | null} asOf null for now @param {boolean} soon and not only once it is seen for a while */
  ask(asOf, soon) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#latest.ask(
      (signal) => json(`${this.#path}/tokens?total=true${asOf === null ? "" : `&asOf=${asOf}`}`, signal),
      ({ total, basis }) => {
        this.known = { asOf, total, basis };
        this.#changed();
      },
      () => {},
    ), soon ? 0 : AT_REST);
  }

  close() {
    clearTimeout(this.#timer);
    this.#latest.cancel();
  }
}
