// Sets of seqs as the API writes them: "5,3,10-12".

/**
 * @param {string} text
 * @returns {[number, number][]} runs of first and last seq, in the order given
 */
export function runs(text) {
  if (!text) {
    return [];
  }
  return text.split(",").map((part) => {
    const dash = part.indexOf("-");
    return dash < 0 ? [Number(part), Number(part)] : [Number(part.slice(0, dash)), Number(part.slice(dash + 1))];
  });
}

/**
 * Every seq of them; for sets that are known to be of a size that memory holds.
 *
 * @param {string} text
 * @returns {number[]}
 */
export function all(text) {
  const seqs = [];
  for (const [first, last] of runs(text)) {
    for (let seq = first; seq <= last; seq++) {
      seqs.push(seq);
    }
  }
  return seqs;
}

/**
 * @param {string} text
 * @returns {number} how many seqs it names
 */
export function count(text) {
  return runs(text).reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/**
 * Where in an ascending array a value stands, or would stand.
 *
 * @param {ArrayLike<number>} sorted
 * @param {number} value
 * @param {number} [length] how much of the array counts
 */
export function lowerBound(sorted, value, length = sorted.length) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
