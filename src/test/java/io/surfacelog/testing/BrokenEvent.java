package io.surfacelog.testing;

import io.surfacelog.event.AdmissionRule;

/**
 * An event of a log, broken in one way.
 *
 * @param at index of the event in its log; all before it are sound
 * @param text the broken event as JSON text
 * @param rule the rule it must be refused by
 * @param what what was done to it
 */
public record BrokenEvent(int at, String text, AdmissionRule rule, String what) {}
