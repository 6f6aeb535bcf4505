package io.surfacelog.provider;

import io.surfacelog.event.ToolResultBlock;

/**
 * The result of a call.
 *
 * @param message index of the message that brings it
 * @param result the result
 */
record Answer(int message, ToolResultBlock result) {}
