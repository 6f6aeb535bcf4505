/** The durable log: what a backend must do, how a foreign schema is refused, and who holds a session's lease. */
@NullMarked
package io.surfacelog.store;

import org.jspecify.annotations.NullMarked;
