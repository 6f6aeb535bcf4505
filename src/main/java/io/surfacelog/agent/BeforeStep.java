package io.surfacelog.agent;

/**
 * Acts before a request is derived: compacts, prunes, adds context, or stops the turn. Register one as a bean; several are
 * asked in their order.
 *
 * <pre>{@code
 * @Bean
 * BeforeStep officeHours(Clock clock) {
 *     return step -> {
 *         if (LocalTime.now(clock).isAfter(LocalTime.of(18, 0))) {
 *             step.stop("the desk is closed");
 *         }
 *     };
 * }
 * }</pre>
 *
 * <p>Called on the thread of the loop, after what was queued has joined the surface and before the request is derived, so
 * what it appends is part of the request. It may wait, and should end when the turn is cancelled. What it throws ends the
 * turn with an error.
 */
@FunctionalInterface
public interface BeforeStep {

    void beforeStep(UpcomingStep step);
}
