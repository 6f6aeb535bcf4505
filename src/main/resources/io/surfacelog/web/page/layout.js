// Where each row of the log stands, in pixels, without knowing every row: pages that were not read yet have an estimated
// height, and give way to the true one when it is known.

import { lowerBound } from "./seqs.js";
import { isRun, PAGE } from "./rows.js";

export const ROW = 26;

/** @typedef {import("./rows.js").Row} Row */

export class Layout {
  #rows;
  /** Where each page begins, in rows; one more for the end. @type {Float64Array} */
  #begin = new Float64Array(1);
  #version = -1;

  /** @param {import("./rows.js").Rows} rows */
  constructor(rows) {
    this.#rows = rows;
  }

  #update() {
    if (this.#version === this.#rows.version) {
      return;
    }
    this.#version = this.#rows.version;
    const pages = this.#rows.pages;
    this.#begin = new Float64Array(pages + 1);
    for (let page = 0; page < pages; page++) {
      this.#begin[page + 1] = this.#begin[page] + this.#rows.height(page);
    }
  }

  /** Height of the whole log in pixels. */
  get height() {
    this.#update();
    return this.#begin[this.#begin.length - 1] * ROW;
  }

  /** @returns {number} the page at a height */
  pageAt(y) {
    this.#update();
    const at = lowerBound(this.#begin, y / ROW + 1e-9) - 1;
    return Math.max(0, Math.min(at, this.#rows.pages - 1));
  }

  /** Top of the row that holds a seq. */
  top(seq) {
    this.#update();
    const page = Math.max(0, Math.min(Math.floor(seq / PAGE), this.#rows.pages - 1));
    const begin = this.#begin[page] ?? 0;
    const rows = this.#rows.on(page);
    if (rows === null) {
      return (begin + (this.#begin[page + 1] - begin) * ((seq - page * PAGE) / PAGE)) * ROW;
    }
    let at = rows.length - 1;
    while (at > 0 && rows[at].seq > seq) {
      at--;
    }
    if (at < 0 || rows[at].seq > seq) {
      // in a run that began on a page before
      return Math.max(0, begin - 1) * ROW;
    }
    return (begin + at) * ROW;
  }

  /**
   * The rows between two heights, each with its top; a page that is not there yet is asked for and stands as one gap.
   *
   * @returns {{ row: Row | null, top: number, height: number, key: string }[]}
   */
  between(from, to) {
    const found = [];
    for (let page = this.pageAt(from); page < this.#rows.pages && this.#begin[page] * ROW < to; page++) {
      this.#rows.want(page);
      const begin = this.#begin[page];
      const rows = this.#rows.on(page);
      if (rows === null) {
        found.push({ row: null, top: begin * ROW, height: (this.#begin[page + 1] - begin) * ROW, key: `page${page}` });
        continue;
      }
      const first = Math.max(0, Math.floor(from / ROW - begin));
      const end = Math.min(rows.length, Math.ceil(to / ROW - begin));
      for (let at = first; at < end; at++) {
        const row = rows[at];
        found.push({ row, top: (begin + at) * ROW, height: ROW, key: `${row.chunk ? "c" : isRun(row) ? "r" : "e"}${row.seq}` });
      }
    }
    return found;
  }

  /** The row at a height, null where it is not known. @returns {Row | null} */
  rowAt(y) {
    const page = this.pageAt(y);
    const rows = this.#rows.on(page);
    return rows?.[Math.max(0, Math.min(rows.length - 1, Math.floor(y / ROW - this.#begin[page])))] ?? null;
  }

  /** The row before or after one, asked for if need be. @returns {Promise<Row | null>} */
  async neighbour(seq, chunk, direction) {
    let page = Math.floor(seq / PAGE);
    await this.#rows.need(page);
    let rows = this.#rows.on(page) ?? [];
    let at = rows.findIndex((row) => row.seq === seq && !!row.chunk === chunk);
    if (at < 0) {
      at = rows.findIndex((row) => row.seq >= seq);
    }
    at += direction;
    while (at < 0 || at >= rows.length) {
      page += direction;
      if (page < 0 || page >= this.#rows.pages) {
        return null;
      }
      await this.#rows.need(page);
      rows = this.#rows.on(page) ?? [];
      at = direction > 0 ? 0 : rows.length - 1;
    }
    return rows[at];
  }
}

/**
 * The brackets that rows stand in, where the page tells: a turn, a step, a compaction. What begins before the page is seen
 * by its end, or by the turn that its events name.
 *
 * @param {Row[]} rows
 * @returns {{ turn: string, step: string, compaction: string }[]}
 */
export function brackets(rows) {
  const found = rows.map(() => ({ turn: "", step: "", compaction: "" }));
  bracket(rows, found, "turn", (row) => isRun(row) || row.chunk || row.turn > 0);
  bracket(rows, found, "step", (row) => isRun(row) || row.chunk || row.step > 0);
  bracket(rows, found, "compaction", (row) => row.type === "compaction/summary");
  return found;
}

function bracket(rows, found, name, within) {
  /** @type {boolean | null} */
  let open = null;
  rows.forEach((row, at) => {
    if (row.type === `${name}/start`) {
      known(found, at, name, open ?? false, open === null);
      found[at][name] = "start";
      open = true;
    } else if (row.type === `${name}/end`) {
      known(found, at, name, true, open === null);
      found[at][name] = "end";
      open = false;
    } else {
      if (open === null && within(row)) {
        known(found, at, name, true, true);
        open = true;
      }
      found[at][name] = open ? "in" : "";
    }
  });
}

/** Rows before the first that tells stand as it tells. */
function known(found, end, name, open, first) {
  for (let at = 0; first && open && at < end; at++) {
    found[at][name] = "in";
  }
}
