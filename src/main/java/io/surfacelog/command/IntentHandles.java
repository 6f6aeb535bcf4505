package io.surfacelog.command;

import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfaceOp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What an intent names by handle.
 *
 * @param replaced the nodes to be replaced, null for those of the intent itself
 * @param sources events cited, after those that the intent itself cites
 */
record IntentHandles(@Nullable Replaced replaced, List<EventHandle> sources) {

    static final IntentHandles NONE = new IntentHandles(null, List.of());

    /** A range of nodes; a null start is the number. */
    record Replaced(@Nullable EventHandle start, long startSeq, EventHandle end) {}

    IntentHandles {
        sources = List.copyOf(sources);
    }

    IntentHandles replacing(Replaced range) {
        return new IntentHandles(range, sources);
    }

    IntentHandles citing(List<EventHandle> more) {
        List<EventHandle> all = new ArrayList<>(sources);
        all.addAll(more);
        return new IntentHandles(replaced, all);
    }

    SurfaceIntent resolve(SurfaceIntent intent, ToLongFunction<EventHandle> seqs) {
        SurfaceOp op = intent.op();
        if (replaced != null) {
            EventHandle start = replaced.start();
            op = SurfaceOp.replace(
                    start == null ? replaced.startSeq() : seqs.applyAsLong(start), seqs.applyAsLong(replaced.end()));
        }
        Optional<EventSeqs> cited = intent.sources();
        if (!sources.isEmpty()) {
            EventSeqs.Builder all = EventSeqs.builder().addAll(intent.sourcesOrNone());
            sources.forEach(handle -> all.add(seqs.applyAsLong(handle)));
            cited = Optional.of(all.build());
        }
        return SurfaceIntent.of(op, cited);
    }
}
