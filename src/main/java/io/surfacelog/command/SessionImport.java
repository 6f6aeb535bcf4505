package io.surfacelog.command;

import io.surfacelog.event.EventCandidate;
import io.surfacelog.event.EventLimits;
import io.surfacelog.event.EventTypes;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import io.surfacelog.projection.SurfaceProjection;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.WriteOutcome;
import io.surfacelog.surface.StructureMode;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfacePlanner;
import io.surfacelog.surface.SurfaceRules;
import java.util.Iterator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Admits the events of a log one by one while the store takes them, so that none of them is held. */
final class SessionImport {

    private static final Logger LOG = LoggerFactory.getLogger(SessionImport.class);

    private final EventStore store;
    private final SurfaceProjection projection;
    private final CommitPublication publication;
    private final DeclaredTypes declared;
    private final EventLimits limits;
    private final WriteQueue queue;

    SessionImport(
            EventStore store,
            SurfaceProjection projection,
            CommitPublication publication,
            DeclaredTypes declared,
            EventLimits limits,
            WriteQueue queue) {
        this.store = store;
        this.projection = projection;
        this.publication = publication;
        this.declared = declared;
        this.limits = limits;
        this.queue = queue;
    }

    Imported run(ImportSession command) {
        // before the transaction, since a session whose types are not declared could not be read again
        declared.declare(command.types().added());
        EventTypes types = EventTypes.standard().with(command.types().added());
        SurfacePlanner planner = Surface.empty().planner(new SurfaceRules(types, StructureMode.REPORT));
        return queue.alone(command.session(), () -> load(command, planner));
    }

    private Imported load(ImportSession command, SurfacePlanner planner) {
        SessionId id = command.session();
        WriteOutcome outcome;
        try {
            outcome = store.load(command.header(), admitted(command.log(), planner));
        } catch (StoreException e) {
            return settled(command, planner, e);
        }
        if (outcome instanceof WriteOutcome.Committed) {
            return published(command, planner);
        }
        if (outcome instanceof WriteOutcome.IdTaken) {
            throw new SessionExistsException(id);
        }
        if (outcome instanceof WriteOutcome.Damaged damaged) {
            throw new DamagedStoreException(damaged.fault());
        }
        throw new IllegalStateException("expected session \"" + id + "\" to be created, found " + outcome);
    }

    /** Only the answer may have been lost: what the store holds decides. */
    private Imported settled(ImportSession command, SurfacePlanner planner, StoreException cause) {
        return switch (new CommitFate(store, cause).ofNew(command.header(), planner.nextSeq())) {
            case STORED -> published(command, planner);
            case NOT_STORED -> throw cause;
            case UNKNOWN -> {
                publication.owes();
                throw new OutcomeUnknownException(command.session(), 0, planner.nextSeq(), cause);
            }
        };
    }

    private Iterator<SessionEvent> admitted(Iterator<EventCandidate> log, SurfacePlanner planner) {
        return new Iterator<>() {

            @Override
            public boolean hasNext() {
                return log.hasNext();
            }

            @Override
            public SessionEvent next() {
                EventCandidate candidate = log.next();
                return AppendPlan.admitted(planner, candidate, limits);
            }
        };
    }

    /** It is durable, so its caller is told so, whatever else happens here. */
    private Imported published(ImportSession command, SurfacePlanner planner) {
        try {
            projection.created(command.header(), planner.change());
        } catch (RuntimeException e) {
            LOG.error("session {} could not be brought up to date and will be opened again", command.session(), e);
            projection.forget(command.session());
        }
        if (planner.nextSeq() > 0) {
            publication.owes();
            publication.tellOfTheRest();
        }
        return new Imported(command.session(), planner.nextSeq());
    }
}
