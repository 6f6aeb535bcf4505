/** Import and export of sessions as JSONL, plain or Zstandard. */
@NullMarked
package io.surfacelog.transfer;

import org.jspecify.annotations.NullMarked;
