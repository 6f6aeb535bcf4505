package io.surfacelog.cli;

import io.surfacelog.event.EventPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The names of tool calls on the wire, which have to be different in all of a session, while the ids models give come back
 * in later turns and even in one message. Told by the log alone, so that a replay names a call as it was named live.
 *
 * <p>Which call is meant is as the structure rules have it: a run begins the first call of its id that has not begun, a result
 * answers the first that has none. For one thread.
 */
final class AcpToolCalls {

    private static final class Call {

        private final String base;
        private final String name;
        private boolean started;
        private boolean answered;

        private Call(String base, String name) {
            this.base = base;
            this.name = name;
        }
    }

    private final List<Call> calls = new ArrayList<>();
    private EventPlace step = EventPlace.NONE;

    /** A call that a message asks for. */
    String asked(EventPlace place, String id) {
        enter(place);
        return add(id).name;
    }

    /** A call whose run begins; empty if nobody has asked for it. */
    Optional<String> started(EventPlace place, String id) {
        enter(place);
        Optional<Call> call = first(id, one -> !one.started);
        call.ifPresent(one -> one.started = true);
        return call.map(one -> one.name);
    }

    /** A call that is answered; empty if nobody has asked for it. */
    Optional<String> answered(EventPlace place, String id) {
        enter(place);
        Optional<Call> call = first(id, one -> !one.answered);
        call.ifPresent(one -> one.answered = true);
        return call.map(one -> one.name);
    }

    /** Calls pair within their step; a log that tells of no steps is one long step. */
    private void enter(EventPlace place) {
        if (place.turn() != step.turn() || place.step() != step.step()) {
            calls.removeIf(call -> call.answered && place.turn() > 0);
            step = place;
        }
    }

    private Call add(String id) {
        String base = base(id);
        long before = calls.stream().filter(call -> call.base.equals(base)).count();
        Call call = new Call(base, before == 0 ? base : base + "#" + (before + 1));
        calls.add(call);
        return call;
    }

    private Optional<Call> first(String id, Predicate<Call> which) {
        String base = base(id);
        return calls.stream()
                .filter(call -> call.base.equals(base))
                .filter(which)
                .findFirst();
    }

    private String base(String id) {
        return step.turn() + "." + step.step() + "." + id;
    }
}
