// The API: where it is, the token it may ask for, and what it answers.

const TOKEN = "surfacelog.token";

/** Where the API begins, as a URL without a slash at its end. */
export const base = new URL(document.documentElement.dataset.api, document.baseURI).href;

/** What went wrong, as the API says it. */
export class Failure extends Error {
  /** @param {number} status 0 where there was no answer @param {string} type @param {string} detail @param {number} [seq] of what is damaged */
  constructor(status, type, detail, seq) {
    super(detail);
    this.status = status;
    this.type = type;
    this.seq = seq;
  }
}

/** The token is kept for this tab only, and sent nowhere but to the API. */
export function setToken(token) {
  if (token) {
    sessionStorage.setItem(TOKEN, token);
  } else {
    sessionStorage.removeItem(TOKEN);
  }
}

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

/** @param {Record<string, string>} [more] @returns {Record<string, string>} */
function headers(more = {}) {
  const token = sessionStorage.getItem(TOKEN);
  return token === null ? more : { ...more, Authorization: `Bearer ${token}` };
}

/** @type {Set<() => void>} */
const refused = new Set();

/** Calls the action when the API asks for a token that it was not sent. */
export function onRefused(action) {
  refused.add(action);
}

/**
 * @param {string} path below the base, with its query
 * @param {{ signal?: AbortSignal, headers?: Record<string, string> }} [options]
 * @returns {Promise<Response>} an answer that is one
 */
export async function open(path, options = {}) {
  let response;
  try {
    response = await fetch(base + path, { signal: options.signal, headers: headers(options.headers), cache: "no-store" });
  } catch (e) {
    if (e.name === "AbortError") {
      throw e;
    }
    throw new Failure(0, "unreachable", "The service does not answer.");
  }
  if (response.ok) {
    return response;
  }
  const problem = await response.json().catch(() => ({}));
  const failure = new Failure(
    response.status,
    String(problem.type ?? "").replace("urn:surfacelog:problem:", ""),
    String(problem.detail ?? `The service answered ${response.status}.`),
    problem.seq,
  );
  if (response.status === 401) {
    refused.forEach((action) => action());
  }
  throw failure;
}

/** @param {string} path @param {AbortSignal} [signal] */
export const json = async (path, signal) => (await open(path, { signal })).json();

/** @param {string} path @param {AbortSignal} [signal] */
export const text = async (path, signal) => (await open(path, { signal })).text();

/**
 * Hands a file to the browser to be kept. Without a token a link does that, and never holds it.
 *
 * @param {string} path @param {string} name
 */
export async function download(path, name) {
  const link = document.createElement("a");
  link.download = name;
  if (!hasToken()) {
    link.href = base + path;
    link.click();
    return;
  }
  const url = URL.createObjectURL(await (await open(path)).blob());
  link.href = url;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * One request at a time, of which the newest wins: whatever is asked for while one is under way waits, and only the last of
 * it is asked.
 *
 * @template T
 * @param {(signal: AbortSignal) => Promise<T>} ask
 */
export class Latest {
  /** @type {(() => Promise<void>) | null} */
  #next = null;
  #running = false;
  #abort = new AbortController();

  /**
   * @template T
   * @param {(signal: AbortSignal) => Promise<T>} ask
   * @param {(answer: T) => void} take
   * @param {(failure: Error) => void} fail
   */
  ask(ask, take, fail) {
    this.#next = async () => {
      const { signal } = this.#abort;
      try {
        const answer = await ask(signal);
        if (!signal.aborted) {
          take(answer);
        }
      } catch (e) {
        if (!signal.aborted) {
          fail(e);
        }
      }
    };
    if (!this.#running) {
      this.#run();
    }
  }

  async #run() {
    this.#running = true;
    while (this.#next) {
      const next = this.#next;
      this.#next = null;
      await next();
    }
    this.#running = false;
  }

  /** What is under way is of no interest any more. */
  cancel() {
    this.#next = null;
    this.#abort.abort();
    this.#abort = new AbortController();
  }
}
