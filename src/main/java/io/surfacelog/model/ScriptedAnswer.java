package io.surfacelog.model;

import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a {@link ScriptedModel} does when it is asked once: the chunks it streams, and how that ends. Immutable; each method
 * answers a longer script.
 *
 * <pre>{@code
 * ScriptedAnswer.begin()
 *         .reasoning("The clock ", "will know.")
 *         .toolCall("call_1", "clock", "{\"zone\":", "\"UTC\"}")
 *         .usage(Usage.of(120, 14)); // finishes with tool-calls
 * }</pre>
 *
 * <p>Each {@code text}, {@code reasoning} and {@code toolCall} is a block of its own, with the next index. Unless the script
 * says how it ends, a finish chunk follows the last: tool-calls where a tool was called, else stop.
 */
public final class ScriptedAnswer {

    /** One thing to do. */
    sealed interface Act {
        record Say(StreamChunk chunk) implements Act {}

        record Pause(Duration time) implements Act {
            public Pause {
                if (time.isNegative()) {
                    throw new IllegalArgumentException("expected a pause from 0, found " + time);
                }
            }
        }

        record Fail(ModelException fault) implements Act {}

        record Hang() implements Act {}

        record CutOff() implements Act {}
    }

    private final List<Act> acts;
    private final int blocks;
    private final boolean callsTools;
    private final boolean ended;

    private ScriptedAnswer(List<Act> acts, int blocks, boolean callsTools, boolean ended) {
        this.acts = List.copyOf(acts);
        this.blocks = blocks;
        this.callsTools = callsTools;
        this.ended = ended;
    }

    /** A script without a chunk yet; as it stands it answers with nothing and stops. */
    public static ScriptedAnswer begin() {
        return new ScriptedAnswer(List.of(), 0, false, false);
    }

    /** An answer of one text, split as given. */
    public static ScriptedAnswer of(String... deltas) {
        return begin().text(deltas);
    }

    /** No answer, but this failure. */
    public static ScriptedAnswer failing(ModelException fault) {
        return begin().fail(fault);
    }

    /** Then a block of text, one chunk for each part. */
    public ScriptedAnswer text(String... deltas) {
        return text(Duration.ZERO, deltas);
    }

    /** Then a block of text, one chunk for each part, with this pause before each; zero for none. */
    public ScriptedAnswer text(Duration pause, String... deltas) {
        List<Act> more = new ArrayList<>();
        for (String delta : deltas) {
            if (!pause.isZero()) {
                more.add(new Act.Pause(pause));
            }
            more.add(new Act.Say(StreamChunk.text(blocks, delta)));
        }
        return then(more, 1, callsTools, false);
    }

    /** Then a block of reasoning, one chunk for each part. */
    public ScriptedAnswer reasoning(String... deltas) {
        List<Act> more = new ArrayList<>();
        for (String delta : deltas) {
            more.add(new Act.Say(StreamChunk.reasoning(blocks, delta)));
        }
        return then(more, 1, callsTools, false);
    }

    /**
     * Then a call of a tool, one chunk for each part of the arguments; the name stands in the first, the id in all. Without
     * a part, one chunk with empty arguments.
     */
    public ScriptedAnswer toolCall(String id, String name, String... argumentFragments) {
        List<Act> more = new ArrayList<>();
        String[] fragments = argumentFragments.length == 0 ? new String[] {""} : argumentFragments;
        for (int i = 0; i < fragments.length; i++) {
            more.add(new Act.Say(StreamChunk.toolCall(blocks, id, i == 0 ? name : null, fragments[i])));
        }
        return then(more, 1, true, false);
    }

    /** Then this chunk as it is; a {@code finish} chunk ends the script. Its index is yours to choose. */
    public ScriptedAnswer chunk(StreamChunk chunk) {
        return then(List.of(new Act.Say(chunk)), 0, callsTools, chunk instanceof StreamChunk.Finish);
    }

    /** Then a report of the tokens used. */
    public ScriptedAnswer usage(Usage usage) {
        return chunk(StreamChunk.usage(usage));
    }

    /** Then nothing for this long, or until the attempt is cancelled. */
    public ScriptedAnswer pause(Duration time) {
        return then(List.of(new Act.Pause(time)), 0, callsTools, false);
    }

    /** Ends with a finish chunk of this reason. */
    public ScriptedAnswer finish(FinishReason reason) {
        return chunk(reason.chunk());
    }

    /** Ends with this failure. */
    public ScriptedAnswer fail(ModelException fault) {
        return then(List.of(new Act.Fail(fault)), 0, callsTools, true);
    }

    /** Ends without a finish chunk, as a stream that was cut off. */
    public ScriptedAnswer cutOff() {
        return then(List.of(new Act.CutOff()), 0, callsTools, true);
    }

    /** Says nothing more and does not end until the attempt is cancelled. */
    public ScriptedAnswer hang() {
        return then(List.of(new Act.Hang()), 0, callsTools, true);
    }

    /** How many chunks there are to say so far. */
    long chunks() {
        return acts.stream().filter(Act.Say.class::isInstance).count();
    }

    /** All there is to do, the end included. */
    List<Act> acts() {
        if (ended) {
            return acts;
        }
        FinishReason reason = callsTools ? FinishReason.TOOL_CALLS : FinishReason.STOP;
        List<Act> all = new ArrayList<>(acts);
        all.add(new Act.Say(reason.chunk()));
        return all;
    }

    private ScriptedAnswer then(List<Act> more, int moreBlocks, boolean calls, boolean ends) {
        if (ended) {
            throw new IllegalStateException("expected a script that goes on, found one that has ended with "
                    + acts.get(acts.size() - 1) + "; nothing can follow it");
        }
        List<Act> all = new ArrayList<>(acts);
        all.addAll(more);
        return new ScriptedAnswer(all, blocks + moreBlocks, calls, ends);
    }
}
