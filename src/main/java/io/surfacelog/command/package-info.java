/** The command side: the single place that commits events and publishes them. */
@NullMarked
package io.surfacelog.command;

import org.jspecify.annotations.NullMarked;
