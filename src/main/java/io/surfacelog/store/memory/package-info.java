/** A backend that keeps its logs in memory and forgets them with the process. */
@NullMarked
package io.surfacelog.store.memory;

import org.jspecify.annotations.NullMarked;
