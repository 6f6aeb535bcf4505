/** The pure fold of a log into its surface, and the admission and structure rules that go with it. */
@NullMarked
package io.surfacelog.surface;

import org.jspecify.annotations.NullMarked;
