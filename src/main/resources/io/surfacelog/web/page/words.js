// Numbers, times and events as people read them.

const whole = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });
const seconds = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** @param {number} n */
export const number = (n) => whole.format(n);

/** @type {[number, string][]} */
const UNITS = [[1e3, "k"], [1e6, "M"], [1e9, "G"], [1e12, "T"], [1e15, "P"]];

/** @param {number} n */
export function short(n) {
  if (n < 1000) {
    return String(n);
  }
  const [unit, of] = UNITS.find(([size]) => n < size * 1000) ?? UNITS[UNITS.length - 1];
  const scaled = n / unit;
  return (scaled < 10 ? scaled.toFixed(1) : scaled < 1000 ? scaled.toFixed(0) : scaled.toExponential(0)) + of;
}

/** @param {number} n @param {string} word @param {string} [more] */
export const many = (n, word, more = `${word}s`) => `${number(n)} ${n === 1 ? word : more}`;

/** Beyond this no calendar goes, and an event may name any number. */
const LAST_DAY = 8.64e15;

/** @param {number} time Unix epoch milliseconds */
export const timeOfDay = (time) => (Math.abs(time) <= LAST_DAY ? clock.format(time) : String(time));

/** @param {number} time Unix epoch milliseconds */
export const secondOfDay = (time) => seconds.format(time);

/** @param {number} time Unix epoch milliseconds */
export const dateAndTime = (time) => (Math.abs(time) <= LAST_DAY ? day.format(time) : String(time ?? ""));

/** @param {number} time Unix epoch milliseconds */
export const isoTime = (time) => (Math.abs(time) <= LAST_DAY ? new Date(time).toISOString() : undefined);

/** @param {number} characters */
export function size(characters) {
  if (characters < 1024) {
    return many(characters, "character");
  }
  return characters < 1 << 20
    ? `${(characters / 1024).toFixed(1)} K characters`
    : `${(characters / (1 << 20)).toFixed(1)} M characters`;
}

/** @param {number} bytes */
export function bytes(bytes) {
  if (bytes < 1024) {
    return `${bytes} B`;
  }
  return bytes < 1 << 20 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / (1 << 20)).toFixed(1)} MB`;
}

const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text in which nothing turns its neighbours round or hides: what cannot be seen is named. @param {string} text */
export const visible = (text) => text.replace(UNSEEN, (c) => `⟨${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);

/** Roles and kinds of event by a small mark; shape and colour, so that neither has to carry it alone. */
const MARKS = {
  "user/message": "user",
  "context/message": "context",
  "steering/message": "steering",
  "assistant/message": "assistant",
  "assistant/chunk": "chunk",
  "tool/call": "call",
  "tool/result": "tool",
  "turn/start": "turn",
  "turn/end": "turn",
  "step/start": "step",
  "step/end": "step",
  "llm/retry": "error",
};

/** @param {string} type */
export function mark(type) {
  return MARKS[type] ?? (type.startsWith("compaction/") ? "compaction" : "other");
}

/** @param {string} type @returns {string} who speaks in a surface event of this type */
export function speaker(type) {
  return { assistant: "assistant", tool: "tool", context: "context", steering: "steering" }[mark(type)] ?? "user";
}

/**
 * What a list says of a row. Brackets say their numbers and not their JSON.
 *
 * @param {import("./rows.js").Row} row
 */
export function says(row) {
  switch (row.type) {
    case "turn/start":
      return `turn ${row.turn ?? "?"} begins`;
    case "step/start":
      return `step ${row.step ?? "?"}`;
    case "step/end":
      return `step ${row.step ?? "?"} ends`;
    case "turn/end":
      return `turn ${row.turn ?? "?"} ends ${ending(row.preview)}`;
    default:
      return visible(row.preview ?? "");
  }
}

function ending(preview) {
  const kind = /"kind":"([^"]{1,40})"/.exec(preview ?? "");
  return kind ? `· ${kind[1]}` : "";
}
