/** The live stream {@code session/event}: its listeners, their dispatch, and subscriptions that resume from a position. */
@NullMarked
package io.surfacelog.stream;

import org.jspecify.annotations.NullMarked;
