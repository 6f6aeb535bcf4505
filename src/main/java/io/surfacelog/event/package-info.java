/** The vocabulary of a log: ids, header, events, payloads, messages, intents, and the rules their JSON obeys. */
@NullMarked
package io.surfacelog.event;

import org.jspecify.annotations.NullMarked;
