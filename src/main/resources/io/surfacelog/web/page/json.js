// JSON as text: laid out without being read as numbers, so that it stays digit for digit what was recorded.

/** An array of numbers fits on one line. */
const NUMBERS = /^\[[-+.\deE,]+\]/;
const LONGEST_LINE = 4_096;

/**
 * @param {string} text compact JSON
 * @returns {string} the same, one member a line
 */
export function pretty(text) {
  const out = [];
  let depth = 0;
  let at = 0;
  const line = () => out.push("\n", "  ".repeat(depth));
  while (at < text.length) {
    const c = text[at];
    if (c === '"') {
      const end = stringEnd(text, at);
      out.push(text.slice(at, end));
      at = end;
      continue;
    }
    if (c === "{" || c === "[") {
      const close = c === "{" ? "}" : "]";
      if (text[at + 1] === close) {
        out.push(c, close);
        at += 2;
        continue;
      }
      const flat = c === "[" ? NUMBERS.exec(text.slice(at, at + LONGEST_LINE)) : null;
      if (flat) {
        out.push(flat[0].replaceAll(",", ", "));
        at += flat[0].length;
        continue;
      }
      depth++;
      out.push(c);
      line();
    } else if (c === "}" || c === "]") {
      depth--;
      line();
      out.push(c);
    } else if (c === ",") {
      out.push(c);
      line();
    } else if (c === ":") {
      out.push(": ");
    } else if (c > " ") {
      let end = at + 1;
      while (end < text.length && !'{}[],:" \n\r\t'.includes(text[end])) {
        end++;
      }
      out.push(text.slice(at, end));
      at = end;
      continue;
    }
    at++;
  }
  return out.join("");
}

function stringEnd(text, start) {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') {
    at += text[at] === "\\" ? 2 : 1;
  }
  return at + 1;
}

/**
 * The text of one member of an object, as it was written.
 *
 * @param {string} text compact JSON of an object
 * @param {string} name a name without escapes
 * @returns {string | null}
 */
export function member(text, name) {
  let depth = 0;
  let key = null;
  let from = -1;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '"') {
      const end = stringEnd(text, at);
      if (depth === 1 && from < 0 && text[end] === ":") {
        key = text.slice(at + 1, end - 1);
        from = end + 1;
      }
      at = end - 1;
    } else if (c === "{" || c === "[") {
      depth++;
    } else if (c === "}" || c === "]" || c === ",") {
      if (depth === 1 && from >= 0) {
        if (key === name) {
          return text.slice(from, at);
        }
        from = -1;
      }
      depth -= c === "," ? 0 : 1;
    }
  }
  return null;
}
