/** Compaction and pruning: what shortens a surface without breaking the conversation, and what finds again what was hidden. */
@NullMarked
package io.surfacelog.compaction;

import org.jspecify.annotations.NullMarked;
