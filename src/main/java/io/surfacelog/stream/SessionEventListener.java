package io.surfacelog.stream;

/**
 * Hears of every event this process commits, after its commit. Register one as a bean.
 *
 * <pre>{@code
 * @Bean
 * SessionEventListener titles(TitleIndex index) {
 *     return committed -> {
 *         if (committed.event().payload() instanceof UserMessage message) {
 *             index.add(committed.session(), message.message().text());
 *         }
 *     };
 * }
 * }</pre>
 *
 * <p>Each listener runs on a thread of its own, gets the events of a session in seq order, and is behind nobody but
 * itself: one that is slow, throws or appends delays neither the writer nor another listener. An append made from a
 * listener is an ordinary append. What a listener throws is logged, and it gets the next event.
 *
 * <p>While commits follow each other closely, a listener hears of them once in a millisecond, of several at a time; of
 * one after a pause, at once. That keeps idle listeners cheap.
 */
@FunctionalInterface
public interface SessionEventListener {

    void onEvent(SessionEventCommitted committed);
}
