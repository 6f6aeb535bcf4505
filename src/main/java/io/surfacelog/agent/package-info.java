/** Runs and records the turns of a session. */
@NullMarked
package io.surfacelog.agent;

import org.jspecify.annotations.NullMarked;
