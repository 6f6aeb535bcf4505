package io.surfacelog.model;

import io.surfacelog.model.ScriptedAnswer.Act;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A model that plays a script, for tests and demonstrations: one answer for each time it is asked, in the order of the
 * script, whichever session asks. It remembers what it was asked. Safe for use by several threads.
 *
 * <pre>{@code
 * ScriptedModel model = ScriptedModel.of(
 *         ScriptedAnswer.begin().text("One ", "moment.").toolCall("call_1", "clock", "{}"),
 *         ScriptedAnswer.of("It is noon."));
 * }</pre>
 *
 * <p>Asked once more than its script has answers, it fails with a {@link ModelException} of kind {@code PERMANENT} and code
 * {@code SCRIPT_USED_UP}, unless {@link Builder#whenUsedUp} says otherwise. It is no model: it understands nothing.
 */
public final class ScriptedModel implements ModelPort {

    /** The code of the failure of a model whose script is used up. */
    public static final String USED_UP = "SCRIPT_USED_UP";

    private static final Duration LOOK = Duration.ofMillis(10);

    private final List<Function<ModelCall, ScriptedAnswer>> script;
    private final @Nullable Function<ModelCall, ScriptedAnswer> usedUp;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition asked = lock.newCondition();
    private final List<ModelCall> calls = new ArrayList<>();

    private ScriptedModel(
            List<Function<ModelCall, ScriptedAnswer>> script, @Nullable Function<ModelCall, ScriptedAnswer> usedUp) {
        this.script = List.copyOf(script);
        this.usedUp = usedUp;
    }

    /** A model with these answers, one after the other. */
    public static ScriptedModel of(ScriptedAnswer... answers) {
        Builder builder = builder();
        for (ScriptedAnswer answer : answers) {
            builder.answer(answer);
        }
        return builder.build();
    }

    /** A model that always answers by this function. */
    public static ScriptedModel answering(Function<ModelCall, ScriptedAnswer> function) {
        return builder().whenUsedUp(function).build();
    }

    /**
     * A model to try things out with, where none is configured: answers any text, word by word with small pauses, always the
     * same to the same conversation, and calls the tools of {@link DemoTools} when asked for the time or for a calculation.
     * Its first answer says what it can do.
     */
    public static ScriptedModel demo() {
        return demo(Duration.ofMillis(40));
    }

    /** The same, with this pause before each word; zero for none. */
    public static ScriptedModel demo(Duration pause) {
        return answering(new DemoScript(pause)::answer);
    }

    public static Builder builder() {
        return new Builder();
    }

    /** What it was asked so far, in order. Cost: O(calls). */
    public List<ModelCall> calls() {
        lock.lock();
        try {
            return List.copyOf(calls);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until it was asked this many times in all.
     *
     * @return whether it was, within that time
     */
    public boolean awaitCalls(int count, Duration atMost) throws InterruptedException {
        long nanos = atMost.toNanos();
        lock.lockInterruptibly();
        try {
            while (calls.size() < count) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = asked.awaitNanos(nanos);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stream(ModelCall call, ChunkSink sink) throws InterruptedException {
        for (Act act : next(call).acts()) {
            goOn(sink);
            if (act instanceof Act.Say say) {
                sink.accept(say.chunk());
            } else if (act instanceof Act.Pause pause) {
                rest(pause.time(), sink);
            } else if (act instanceof Act.Hang) {
                hang(sink);
            } else if (act instanceof Act.Fail fail) {
                throw fail.fault();
            } else if (act instanceof Act.CutOff) {
                return;
            }
        }
    }

    private ScriptedAnswer next(ModelCall call) {
        int place;
        lock.lock();
        try {
            place = calls.size();
            calls.add(call);
            asked.signalAll();
        } finally {
            lock.unlock();
        }
        if (place < script.size()) {
            return script.get(place).apply(call);
        }
        if (usedUp != null) {
            return usedUp.apply(call);
        }
        return ScriptedAnswer.failing(ModelException.of(
                ModelException.Kind.PERMANENT,
                USED_UP,
                "the script has " + script.size() + " answers and was asked " + (place + 1) + " times, last by session "
                        + call.session() + " turn " + call.turn() + " step " + call.step() + " attempt "
                        + call.attempt() + "; add an answer, or say what happens when it is used up"));
    }

    private static void goOn(ChunkSink sink) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("the attempt was cancelled");
        }
        if (sink.isCancelled()) {
            throw new ModelCancelledException();
        }
    }

    private static void hang(ChunkSink sink) throws InterruptedException {
        while (true) {
            rest(LOOK, sink);
        }
    }

    private static void rest(Duration time, ChunkSink sink) throws InterruptedException {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            Thread.sleep(Duration.ofNanos(Math.min(left, LOOK.toNanos())).toMillis() + 1);
            goOn(sink);
        }
    }

    /** Collects answers in order; not safe for use by several threads. */
    public static final class Builder {

        private final List<Function<ModelCall, ScriptedAnswer>> script = new ArrayList<>();
        private @Nullable Function<ModelCall, ScriptedAnswer> usedUp;

        private Builder() {}

        /** The next answer. */
        public Builder answer(ScriptedAnswer answer) {
            return answer((ModelCall call) -> answer);
        }

        /** The next answer, made of what is asked; the function runs on the thread that asks. */
        public Builder answer(Function<ModelCall, ScriptedAnswer> function) {
            script.add(function);
            return this;
        }

        /** The next answer: a text, split as given. */
        public Builder text(String... deltas) {
            return answer(ScriptedAnswer.of(deltas));
        }

        /** The next answer: a failure. */
        public Builder fail(ModelException fault) {
            return answer(ScriptedAnswer.failing(fault));
        }

        /** What is answered once the script is used up; without this, a failure that says so. */
        public Builder whenUsedUp(Function<ModelCall, ScriptedAnswer> function) {
            usedUp = function;
            return this;
        }

        public ScriptedModel build() {
            return new ScriptedModel(script, usedUp);
        }
    }
}
