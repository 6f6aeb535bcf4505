/** The command line of the executable jar. */
@NullMarked
package io.surfacelog.cli;

import org.jspecify.annotations.NullMarked;
