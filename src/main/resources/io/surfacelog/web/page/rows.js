// Windows of the log, asked for when they come into sight and kept; a run of chunks is one row until it is opened.

import { json } from "./api.js";
import { Sought } from "./sought.js";

/** Seqs of one page. A page of nothing but chunks costs next to nothing. */
export const PAGE = 256;
const KEPT = 400;
const USUAL_ROWS = 24;
/**
 * Pages that were not read share in so many rows at most: browsers lay out nothing that is higher than some 17 million pixels,
 * and with what was read a log of any length stays below.
 */
const MOST_ROWS = 500_000;
const CHUNKS_AGAIN = 2_000;

/**
 * @typedef {object} Row
 * @property {number} seq
 * @property {number} last
 * @property {string} type
 * @property {number} [time]
 * @property {number} [turn]
 * @property {number} [step]
 * @property {string} [preview]
 * @property {string} [role]
 * @property {number} [tokens]
 * @property {number} [bytes]
 * @property {string[]} [blocks]
 * @property {any} [surfaceOp]
 * @property {boolean} [failed]
 * @property {boolean} [chunk] a chunk of an opened run
 */

/**
 * @typedef {object} Page
 * @property {Row[]} rows
 * @property {number} to where it ends; less than the end of the page where the log ended there
 * @property {number} used when it was looked at last
 */

export class Rows {
  /** @type {Map<number, Page>} */
  #pages = new Map();
  #asking;
  /** Opened runs, by their first seq. @type {Set<number>} */
  #opened = new Set();
  /** @type {Map<number, Row>} */
  #chunks = new Map();
  /** First chunks that were asked for. @type {Set<number>} */
  #chunksAsked = new Set();
  #path;
  #changed;
  #failed;
  #clock = 0;
  nextSeq;
  /** Grows whenever heights may have changed. */
  version = 0;

  /** @param {string} path of the session @param {number} nextSeq @param {() => void} changed @param {(e: Error | null) => void} failed null when a page came after all */
  constructor(path, nextSeq, changed, failed) {
    this.#path = path;
    this.#changed = changed;
    this.#failed = failed;
    this.nextSeq = nextSeq;
    this.#asking = new Sought((number, signal) => this.#load(number, signal), changed);
  }

  get pages() {
    return Math.ceil(this.nextSeq / PAGE);
  }

  /** The log has grown: of its last page more is to be read. */
  grow(nextSeq) {
    if (nextSeq > this.nextSeq) {
      this.nextSeq = nextSeq;
      this.version++;
    }
  }

  #complete(number) {
    const page = this.#pages.get(number);
    return page !== undefined && page.to >= Math.min((number + 1) * PAGE, this.nextSeq);
  }

  /** Whether there is something of a page to be asked for. */
  #lacks(number) {
    if (number >= 0 && number < this.pages && !this.#complete(number)) {
      return true;
    }
    const page = this.#pages.get(number);
    if (page) {
      page.used = ++this.#clock;
    }
    return false;
  }

  /** Sees to it that a page is there, or that it was tried. @returns {Promise<void>} */
  need(number) {
    return this.#lacks(number) ? this.#asking.need(number) : Promise.resolve();
  }

  /** A frame that is being drawn has room for a page, and is drawn again when it is there. */
  want(number) {
    if (this.#lacks(number)) {
      this.#asking.want(number);
    }
  }

  /** A frame was drawn: what it wanted is asked for, and what only earlier ones wanted is not any more. */
  drawn() {
    this.#asking.settle();
  }

  /** The service is there again. */
  resume() {
    this.#asking.resume();
  }

  close() {
    this.#asking.close();
  }

  async #load(number, signal) {
    const known = this.#pages.get(number);
    const from = known ? known.to : number * PAGE;
    try {
      const answer = await windowOf(this.#path, from, (number + 1) * PAGE, this.nextSeq, signal);
      const rows = known ? join(known.rows, answer.rows) : answer.rows;
      this.#pages.set(number, { rows, to: answer.to, used: ++this.#clock });
      this.grow(answer.nextSeq);
      this.#forget();
      this.version++;
      this.#failed(null);
      this.#changed();
    } catch (e) {
      if (!signal.aborted) {
        this.#failed(e);
        throw e;
      }
    }
  }

  #forget() {
    if (this.#pages.size > KEPT) {
      const eldest = [...this.#pages].sort((a, b) => a[1].used - b[1].used).slice(0, KEPT / 4);
      eldest.forEach(([number]) => this.#pages.delete(number));
    }
  }

  /** What stands on a page as far as it is known; null for not at all. A run that begins before it belongs there. @returns {Row[] | null} */
  on(number) {
    const page = this.#pages.get(number);
    if (!page) {
      return null;
    }
    let rows = page.rows;
    if (rows.length > 0 && isRun(rows[0]) && this.#endsInRun(number - 1)) {
      rows = rows.slice(1);
    }
    const last = rows[rows.length - 1];
    if (last && isRun(last)) {
      rows = [...rows.slice(0, -1), { ...last, last: this.#runEnd(number, last) }];
    }
    return this.#opened.size === 0 ? rows : rows.flatMap((row) => (this.#opened.has(row.seq) ? this.#open(row) : [row]));
  }

  #endsInRun(number) {
    const rows = this.#pages.get(number)?.rows;
    return rows !== undefined && rows.length > 0 && isRun(rows[rows.length - 1]);
  }

  #runEnd(number, run) {
    let end = run.last;
    for (let next = number + 1; end + 1 === next * PAGE; next++) {
      const first = this.#pages.get(next)?.rows[0];
      if (!first || !isRun(first)) {
        break;
      }
      end = first.last;
    }
    return end;
  }

  /** An opened run and its chunks, as far as those were read. */
  #open(run) {
    const rows = [{ ...run, opened: true }];
    for (let seq = run.seq; seq <= run.last; seq++) {
      rows.push(this.#chunks.get(seq) ?? { seq, last: seq, type: "assistant/chunk", chunk: true });
    }
    return rows;
  }

  /** How many rows a page has, by estimate where it is not known. */
  height(number) {
    const rows = this.on(number);
    if (rows !== null) {
      return rows.length;
    }
    const usual = Math.max(1, Math.min(USUAL_ROWS, Math.floor(MOST_ROWS / this.pages)));
    return Math.min(usual, this.nextSeq - number * PAGE);
  }

  /** The event of a seq as a row, if its page is there. @returns {Row | null} */
  row(seq) {
    const rows = this.#pages.get(Math.floor(seq / PAGE))?.rows;
    if (!rows) {
      return null;
    }
    return rows.find((row) => row.seq <= seq && seq <= row.last) ?? null;
  }

  isOpen(seq) {
    return this.#opened.has(seq);
  }

  /** Opens a run of chunks, or closes it again. @param {Row} run */
  toggle(run) {
    if (!this.#opened.delete(run.seq)) {
      this.#opened.add(run.seq);
      this.needChunks(run.seq, Math.min(run.last, run.seq + PAGE));
    }
    this.version++;
    this.#changed();
  }

  /** Sees to it that the chunks of these seqs can be shown. */
  async needChunks(first, last) {
    if (this.#chunksAsked.has(first)) {
      return;
    }
    this.#chunksAsked.add(first);
    try {
      const path = `${this.#path}/events?view=outline&from=${first}&to=${last + 1}&limit=${PAGE}`;
      for (const event of (await json(path)).events) {
        this.#chunks.set(event.seq, { ...event, last: event.seq, chunk: true });
      }
      this.#changed();
    } catch (e) {
      this.#failed(e);
      setTimeout(() => this.#chunksAsked.delete(first), CHUNKS_AGAIN);
    }
  }
}

/** How many events of a page may be damaged before the rest of it is passed over. */
const MOST_DAMAGED = 8;

/** The rows between two seqs; a place that cannot be read is a row that says so, and the rest is read around it. */
async function windowOf(path, from, to, known, signal) {
  const rows = [];
  let at = from;
  let end = to;
  let damaged = 0;
  let nextSeq = 0;
  while (at < to) {
    try {
      const answer = await json(`${path}/rows?from=${at}&to=${end}&limit=${2 * PAGE}`, signal);
      rows.push(...answer.rows);
      nextSeq = answer.nextSeq;
      at = answer.to;
      if (end === to || at < end) {
        return { rows, to: at, nextSeq };
      }
    } catch (e) {
      if (e.type !== "damaged" || e.seq === undefined || e.seq < at || e.seq >= end) {
        throw e;
      }
      if (e.seq > at) {
        end = e.seq; // first what stands before it
        continue;
      }
      const last = ++damaged < MOST_DAMAGED ? at : Math.max(at, Math.min(to, known) - 1);
      rows.push({ seq: at, last, type: "damaged", preview: e.message, failed: true });
      at = last + 1;
    }
    end = to;
  }
  return { rows, to: at, nextSeq };
}

/** @param {Row} row */
export const isRun = (row) => row.type === "assistant/chunk" && !row.chunk;

/** What was read of a page before, and what has been read of it since. */
function join(before, after) {
  const last = before[before.length - 1];
  if (last && after.length > 0 && isRun(last) && isRun(after[0])) {
    return [...before.slice(0, -1), { ...last, last: after[0].last }, ...after.slice(1)];
  }
  return [...before, ...after];
}
