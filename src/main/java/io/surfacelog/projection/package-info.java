/** The query side: live surfaces kept up to date by committed events, and the answers read from them. */
@NullMarked
package io.surfacelog.projection;

import org.jspecify.annotations.NullMarked;
