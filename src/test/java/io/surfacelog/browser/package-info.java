/** The inspector as a person meets it: in a real browser, over a real server and a real database. */
@NullMarked
package io.surfacelog.browser;

import org.jspecify.annotations.NullMarked;
