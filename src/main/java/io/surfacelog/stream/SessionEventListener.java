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
 * <p>Each listener gets the events of a session in seq order, one at a time, though not always on the same thread: those
 * that do little share one. It is behind nobody but itself: one that is slow, throws or appends does not delay the writer,
 * and delays another listener by some milliseconds at most, after which that one has another thread. An append made from
 * a listener is an ordinary append. What a listener throws is logged, and it gets the next event.
 *
 * <p>While commits follow each other closely, a listener hears of them once in two milliseconds, of several at a time; of
 * one after a pause, at once. That keeps idle listeners cheap.
 */
@FunctionalInterface
public interface SessionEventListener {

    void onEvent(SessionEventCommitted committed);
}
