package io.surfacelog.command;

import io.surfacelog.command.ForkException.Code;
import io.surfacelog.event.EventType;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.SessionEndSeed;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventRange;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionWrite;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoredSession;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.store.WriteOutcome;
import java.time.Clock;
import java.util.List;
import java.util.OptionalLong;

/** Forks what is stored. Reads the source back from the boundary to the last turn that began or ended, and no further. */
final class SessionFork {

    private static final long FIRST_LOOK_BACK = 64;
    private static final long LONGEST_LOOK_BACK = 8_192;

    private final EventStore store;
    private final CommitPublication publication;
    private final WriteQueue queue;
    private final Clock clock;

    SessionFork(EventStore store, CommitPublication publication, WriteQueue queue, Clock clock) {
        this.store = store;
        this.publication = publication;
        this.queue = queue;
        this.clock = clock;
    }

    /** Makes the fork; that its id is not being taken by this process is known. */
    Forked run(ForkSession command) {
        SessionId child = command.session();
        SessionId source = command.source();
        if (store.find(child).isPresent()) {
            throw taken(child);
        }
        StoredSession stored = store.find(source).orElseThrow(() -> notFound(source));
        try {
            long prefix = prefix(command, stored.nextSeq());
            SessionHeader header = header(command, stored.header(), prefix);
            Forked forked = new Forked(header, endSeed(source, prefix));
            return queue.alone(child, () -> commit(source, forked));
        } catch (UnknownSessionException removedMeanwhile) {
            throw notFound(source);
        }
    }

    static ForkException taken(SessionId child) {
        return new ForkException(
                child,
                Code.SESSION_ALREADY_EXISTS,
                "there is a session \"" + child + "\" already; choose another id for the fork");
    }

    private static ForkException notFound(SessionId source) {
        return new ForkException(source, Code.SESSION_NOT_FOUND, "there is no session \"" + source + "\" to fork from");
    }

    private long prefix(ForkSession command, long nextSeq) {
        long prefix = nextSeq;
        if (command.boundary().isPresent()) {
            Json boundary = command.boundary().get();
            OptionalLong seq = boundary instanceof JsonNumber number ? number.safeInteger() : OptionalLong.empty();
            if (seq.isEmpty() || seq.getAsLong() < 0 || seq.getAsLong() >= nextSeq) {
                throw invalid(command.source(), boundary.toText(), nextSeq);
            }
            prefix = seq.getAsLong() + 1;
        }
        long open = openTurn(command.source(), prefix);
        if (open >= 0 && !command.beforeOpenTurn()) {
            throw new ForkException(
                    command.source(),
                    Code.OPEN_TURN,
                    "event " + (prefix - 1) + " of session \"" + command.source()
                            + "\" lies inside the turn that began at event " + open
                            + "; recover the session, fork before that turn, or choose another boundary");
        }
        while (open >= 0) {
            prefix = open;
            open = openTurn(command.source(), prefix);
        }
        return prefix;
    }

    private static ForkException invalid(SessionId source, String found, long nextSeq) {
        return new ForkException(
                source,
                Code.INVALID_BOUNDARY,
                "expected the boundary to be an event of session \"" + source + "\", "
                        + (nextSeq == 0 ? "which has none" : "one from 0 to " + (nextSeq - 1)) + ", found " + found);
    }

    /** Seq of the turn/start of the turn that is open behind so many events, -1 if none is. */
    private long openTurn(SessionId source, long prefix) {
        long look = FIRST_LOOK_BACK;
        for (long to = prefix; to > 0; look = Math.min(2 * look, LONGEST_LOOK_BACK)) {
            long from = Math.max(0, to - look);
            List<SessionEvent> events =
                    store.events(source, EventRange.of(from, to).kind(EventRange.Kind.NOT_CHUNK));
            for (int i = events.size() - 1; i >= 0; i--) {
                String type = events.get(i).type();
                if (type.equals(EventType.TURN_START)) {
                    return events.get(i).seq();
                }
                if (type.equals(EventType.TURN_END)) {
                    return -1;
                }
            }
            to = from;
        }
        return -1;
    }

    private List<SessionEvent> endSeed(SessionId source, long prefix) {
        boolean ended = prefix > 0
                && store.events(source, EventRange.of(prefix - 1, prefix).kind(EventRange.Kind.NOT_CHUNK)).stream()
                        .anyMatch(event -> event.type().equals(EventType.SESSION_END_SEED));
        return ended ? List.of() : List.of(EventDraft.of(SessionEndSeed.of()).toEvent(prefix, clock.millis()));
    }

    private SessionHeader header(ForkSession command, SessionHeader source, long prefix) {
        SessionHeader.Builder header = SessionHeader.builder()
                .id(command.session())
                .createdAt(clock.millis())
                .parentSession(command.source())
                .seedLength(prefix);
        if (source.delegationDepth() > 0) {
            header.delegationDepth(source.delegationDepth());
        }
        source.origin().ifPresent(subagent -> header.subagent());
        source.cwd().ifPresent(header::cwd);
        source.agentPreset().ifPresent(header::agentPreset);
        return header.build();
    }

    private Forked commit(SessionId source, Forked forked) {
        SessionWrite write = SessionWrite.fork(forked.header(), source, forked.seedLength(), forked.events());
        WriteOutcome outcome;
        try {
            outcome = store.commit(List.of(write)).get(0);
        } catch (StoreException e) {
            return settled(forked, e);
        }
        if (outcome instanceof WriteOutcome.Committed) {
            return told(forked);
        }
        if (outcome instanceof WriteOutcome.IdTaken) {
            throw taken(forked.session());
        }
        if (outcome instanceof WriteOutcome.NoSuchSession) {
            throw notFound(source);
        }
        if (outcome instanceof WriteOutcome.Damaged damaged) {
            throw new DamagedStoreException(damaged.fault());
        }
        if (outcome instanceof WriteOutcome.TailMoved moved) {
            throw invalid(source, String.valueOf(forked.seedLength() - 1), moved.storedNextSeq());
        }
        throw new IllegalStateException("expected session \"" + forked.session() + "\" to be forked, found " + outcome);
    }

    /** Listeners read its events from the store. */
    private Forked told(Forked forked) {
        if (!forked.events().isEmpty()) {
            publication.owes();
            publication.tellOfTheRest();
        }
        return forked;
    }

    /** Only the answer may have been lost: what the store holds decides. */
    private Forked settled(Forked forked, StoreException cause) {
        return switch (new CommitFate(store, cause).ofNew(forked.header(), forked.nextSeq())) {
            case STORED -> told(forked);
            case NOT_STORED -> throw cause;
            case UNKNOWN -> {
                publication.owes();
                throw new OutcomeUnknownException(forked.session(), forked.seedLength(), forked.nextSeq(), cause);
            }
        };
    }
}
