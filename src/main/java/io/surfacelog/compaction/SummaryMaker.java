package io.surfacelog.compaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Has summaries made on threads of its own, so that one that hangs keeps nobody waiting, and lets through only those that can
 * be used.
 */
final class SummaryMaker implements AutoCloseable {

    /** How often it is asked whether the summary is still wanted. */
    private static final long LOOK_MILLIS = 20;

    private final Summarizer summarizer;
    private final Prices prices;
    private final CompactionSettings settings;
    private final AtomicInteger threads = new AtomicInteger();
    private final ExecutorService executor = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "surfacelog-summaries-" + threads.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    });
    private volatile boolean closed;

    SummaryMaker(Summarizer summarizer, Prices prices, CompactionSettings settings) {
        this.summarizer = summarizer;
        this.prices = prices;
        this.settings = settings;
    }

    /**
     * A summary that may take the place of what it is made of.
     *
     * @throws SummaryException if there is none, after as many attempts as the settings say
     */
    Summary make(SummaryRequest request) {
        for (int attempt = 1; ; attempt++) {
            try {
                return usable(request, once(request, attempt));
            } catch (SummaryException e) {
                if (!e.fault().isRetried() || attempt > settings.retries()) {
                    throw e;
                }
            }
        }
    }

    private Summary usable(SummaryRequest request, Summary summary) {
        if (summary.text().isBlank()) {
            throw new SummaryException(CompactionFault.SUMMARY_EMPTY, "expected a summary, found only blanks");
        }
        long tokens = summary.usage().map(usage -> usage.outputTokens()).orElseGet(() -> prices.ofText(summary.text()));
        if (tokens > request.maxTokens()) {
            throw new SummaryException(
                    CompactionFault.SUMMARY_TOO_LONG,
                    "expected a summary of " + request.maxTokens() + " tokens at most, found " + tokens);
        }
        long replacing = prices.ofText(ReplacingMessage.text(request, summary));
        if (replacing >= request.hiddenTokens()) {
            throw new SummaryException(
                    CompactionFault.SUMMARY_TOO_LONG,
                    "expected a summary smaller than the " + request.hiddenTokens() + " tokens it hides, found "
                            + replacing);
        }
        return summary;
    }

    private Summary once(SummaryRequest request, int attempt) {
        BooleanSupplier cancelled = () -> closed || request.cancelled().getAsBoolean();
        SummaryRequest asked = new SummaryRequest(
                request.session(),
                request.surface(),
                request.span(),
                request.hiddenTokens(),
                request.maxTokens(),
                attempt,
                cancelled,
                prices::ofText);
        CompletableFuture<Summary> result = new CompletableFuture<>();
        Future<?> task;
        try {
            task = executor.submit(() -> answer(asked, result));
        } catch (RejectedExecutionException e) {
            throw cancelled();
        }
        try {
            return await(result, cancelled);
        } finally {
            task.cancel(true);
        }
    }

    private void answer(SummaryRequest request, CompletableFuture<Summary> result) {
        try {
            result.complete(summarizer.summarize(request));
        } catch (Throwable e) {
            // whatever it is: whoever waits has to hear of it
            result.completeExceptionally(e);
        }
    }

    private Summary await(CompletableFuture<Summary> result, BooleanSupplier cancelled) {
        long end = System.nanoTime() + settings.timeout().toNanos();
        while (true) {
            if (cancelled.getAsBoolean()) {
                throw cancelled();
            }
            try {
                Summary summary = result.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                if (cancelled.getAsBoolean()) {
                    throw cancelled();
                }
                return summary;
            } catch (TimeoutException e) {
                if (System.nanoTime() - end >= 0) {
                    throw new SummaryException(
                            CompactionFault.TIMED_OUT, "expected a summary within " + settings.timeout(), e);
                }
            } catch (ExecutionException e) {
                throw failed(e.getCause() == null ? e : e.getCause(), cancelled);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new SummaryException(CompactionFault.CANCELLED, "the thread that compacts was interrupted", e);
            }
        }
    }

    private static SummaryException failed(Throwable cause, BooleanSupplier cancelled) {
        if (cancelled.getAsBoolean()) {
            return new SummaryException(CompactionFault.CANCELLED, "the compaction was cancelled", cause);
        }
        return cause instanceof SummaryException known
                ? known
                : new SummaryException(CompactionFault.SUMMARIZER_FAILED, "the summarizer failed: " + cause, cause);
    }

    private static SummaryException cancelled() {
        return new SummaryException(CompactionFault.CANCELLED, "the compaction was cancelled");
    }

    @Override
    public void close() {
        closed = true;
        executor.shutdownNow();
    }
}
