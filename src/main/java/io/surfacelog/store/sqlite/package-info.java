/** A backend that keeps its logs in one SQLite file. */
@NullMarked
package io.surfacelog.store.sqlite;

import org.jspecify.annotations.NullMarked;
