/** What the test suites of all packages share: generated logs, broken logs, hand-written logs, and seeds to find a failure again. */
@NullMarked
package io.surfacelog.testing;

import org.jspecify.annotations.NullMarked;
