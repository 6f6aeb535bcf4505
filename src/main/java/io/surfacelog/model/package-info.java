/** What an agent talks to: the model behind a port, and tools. */
@NullMarked
package io.surfacelog.model;

import org.jspecify.annotations.NullMarked;
