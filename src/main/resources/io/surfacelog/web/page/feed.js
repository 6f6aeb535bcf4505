// The live feed of one session. Read with fetch, since an EventSource cannot send a token.

import { open } from "./api.js";

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;

/**
 * @typedef {object} Listener
 * @property {(event: { seq: number, type: string, time: number, data: any, surfaceOp?: any }) => void} event
 * @property {(state: "ok" | "waiting" | "lost") => void} state
 * @property {() => void} removed
 */

/** Follows a session until it is closed; takes up again behind the last event it has heard, without gap or repetition. */
export class Feed {
  #path;
  #listener;
  #last = "";
  #wait = FIRST_WAIT;
  /** @type {AbortController | null} */
  #abort = null;
  #closed = false;
  #hidden = () => this.#onVisibility();

  /** @param {string} path of the session @param {number} from the first seq to hear of @param {Listener} listener */
  constructor(path, from, listener) {
    this.#path = `${path}/feed?from=${from}`;
    this.#listener = listener;
    document.addEventListener("visibilitychange", this.#hidden);
    this.#follow();
  }

  close() {
    this.#closed = true;
    document.removeEventListener("visibilitychange", this.#hidden);
    this.#abort?.abort();
  }

  /** A browser opens six connections to a service: a tab that nobody looks at gives its own back. */
  #onVisibility() {
    if (document.hidden) {
      this.#abort?.abort();
    } else if (this.#abort === null) {
      this.#follow();
    }
  }

  async #follow() {
    while (!this.#closed && !document.hidden) {
      this.#abort = new AbortController();
      try {
        const headers = this.#last ? { "Last-Event-ID": this.#last } : {};
        const response = await open(this.#path, { signal: this.#abort.signal, headers });
        this.#listener.state("ok");
        await this.#read(response.body.pipeThrough(new TextDecoderStream()).getReader());
      } catch (e) {
        if (e.status === 404 || e.status === 401) {
          this.#abort = null;
          return e.status === 404 ? this.#listener.removed() : undefined;
        }
      }
      if (!this.#closed && !document.hidden) {
        this.#listener.state("lost");
        await new Promise((resolve) => setTimeout(resolve, this.#wait));
        this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
      }
    }
    this.#abort = null;
  }

  /** @param {ReadableStreamDefaultReader<string>} reader */
  async #read(reader) {
    let held = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      this.#wait = FIRST_WAIT;
      held += value;
      const words = held.split("\n\n");
      held = words.pop();
      words.forEach((word) => this.#word(word));
    }
  }

  /** @param {string} text one server-sent event */
  #word(text) {
    const fields = { id: "", event: "", data: "" };
    for (const line of text.split("\n")) {
      const colon = line.indexOf(": ");
      if (colon > 0) {
        fields[line.slice(0, colon)] = line.slice(colon + 2);
      }
    }
    if (fields.event === "session/event") {
      this.#listener.event(JSON.parse(fields.data).event);
    } else if (fields.event === "session/removed") {
      this.close();
      this.#listener.removed();
    }
    this.#last = fields.id || this.#last;
  }
}
