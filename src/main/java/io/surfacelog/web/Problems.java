package io.surfacelog.web;

import io.surfacelog.command.AppendConflictException;
import io.surfacelog.command.ForkException;
import io.surfacelog.command.IdempotencyConflictException;
import io.surfacelog.command.LeaseHeldException;
import io.surfacelog.command.LeaseLostException;
import io.surfacelog.command.OutcomeUnknownException;
import io.surfacelog.command.QueueFullException;
import io.surfacelog.command.SessionExistsException;
import io.surfacelog.command.StaleSeqException;
import io.surfacelog.command.WriteInterruptedException;
import io.surfacelog.compaction.CompactionRunningException;
import io.surfacelog.compaction.UnsafeBoundaryException;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonString;
import io.surfacelog.projection.UnknownEventException;
import io.surfacelog.store.DamagedStoreException;
import io.surfacelog.store.EventStore;
import io.surfacelog.store.SessionNeededException;
import io.surfacelog.store.StoreException;
import io.surfacelog.store.StoreUnavailableException;
import io.surfacelog.store.UnknownSessionException;
import io.surfacelog.surface.StructureException;
import io.surfacelog.surface.StructureRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Which problem a failure is. What the library throws says what to do, and is told; anything else is only logged. */
final class Problems {

    private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

    private final String location;

    /**
     * The failures of this store.
     *
     * @param store whose place on this machine is told to nobody: of a file only its name is
     */
    Problems(EventStore store) {
        this.location = store.info().location();
    }

    Problem of(Throwable failure) {
        Problem problem = whole(failure);
        String name = location.substring(Math.max(location.lastIndexOf('/'), location.lastIndexOf('\\')) + 1);
        return new Problem(problem.type(), problem.detail().replace(location, name), problem.members());
    }

    private static Problem whole(Throwable failure) {
        if (failure instanceof ProblemException known) {
            return known.problem();
        }
        if (failure instanceof AdmissionException e) {
            return admission(e);
        }
        if (failure instanceof StructureException e) {
            ProblemType type = e.rule() == StructureRule.BRACKET_SECOND_COMPACTION
                    ? ProblemType.OPEN_COMPACTION
                    : ProblemType.REFUSED;
            return Problem.of(type, e.detail()).with("rule", e.rule().code()).with("at", e.at());
        }
        if (failure instanceof StaleSeqException e) {
            return told(ProblemType.STALE_SEQ, e).with("expected", e.expected()).with("nextSeq", e.found());
        }
        if (failure instanceof ForkException e) {
            return fork(e);
        }
        if (failure instanceof UnknownEventException e) {
            return told(ProblemType.UNKNOWN_EVENT, e).with("nextSeq", e.nextSeq());
        }
        if (failure instanceof SessionNeededException e) {
            return needed(e);
        }
        if (failure instanceof LeaseHeldException e) {
            return told(ProblemType.LEASE_HELD, e)
                    .with("holder", e.holder())
                    .with("expiresAt", e.expiresAt().toEpochMilli());
        }
        if (failure instanceof CompactionRunningException e) {
            return told(ProblemType.OPEN_COMPACTION, e)
                    .with("holder", e.holder())
                    .with("expiresAt", e.expiresAt().toEpochMilli());
        }
        if (failure instanceof UnsafeBoundaryException) {
            return told(ProblemType.REFUSED, failure).with("rule", "compaction.unsafe-boundary");
        }
        if (failure instanceof StoreUnavailableException e) {
            return told(ProblemType.STORE_UNAVAILABLE, e)
                    .with("reason", e.reason().name().toLowerCase(Locale.ROOT));
        }
        return byType(failure);
    }

    private static Problem byType(Throwable failure) {
        if (failure instanceof SessionExistsException) {
            return told(ProblemType.SESSION_EXISTS, failure);
        }
        if (failure instanceof IdempotencyConflictException) {
            return told(ProblemType.IDEMPOTENCY_CONFLICT, failure);
        }
        if (failure instanceof AppendConflictException || failure instanceof LeaseLostException) {
            return told(ProblemType.APPEND_CONFLICT, failure);
        }
        if (failure instanceof QueueFullException) {
            return told(ProblemType.QUEUE_FULL, failure);
        }
        if (failure instanceof OutcomeUnknownException) {
            return told(ProblemType.OUTCOME_UNKNOWN, failure);
        }
        if (failure instanceof UnknownSessionException) {
            return told(ProblemType.UNKNOWN_SESSION, failure);
        }
        if (failure instanceof DamagedStoreException e) {
            Problem damaged = told(ProblemType.DAMAGED, e);
            return e.seq().isPresent() ? damaged.with("seq", e.seq().getAsLong()) : damaged;
        }
        if (failure instanceof StoreException || failure instanceof WriteInterruptedException) {
            return told(ProblemType.STORE_UNAVAILABLE, failure);
        }
        LOG.error("a request failed", failure);
        return Problem.of(ProblemType.INTERNAL, "the request failed for a reason that the log of the server names");
    }

    private static Problem admission(AdmissionException e) {
        AdmissionRule rule = e.rule();
        ProblemType type = switch (rule) {
            case JSON_SYNTAX -> ProblemType.BAD_REQUEST;
            case LIMIT_DEPTH, LIMIT_EVENT_BYTES -> ProblemType.TOO_LARGE;
            default -> ProblemType.REFUSED;
        };
        Problem problem = Problem.of(type, e.detail()).with("rule", rule.code());
        problem = e.at().isPresent() ? problem.with("at", e.at().getAsLong()) : problem;
        return e.line().isPresent() ? problem.with("line", e.line().getAsLong()) : problem;
    }

    private static Problem fork(ForkException e) {
        ProblemType type = switch (e.code()) {
            case SESSION_ALREADY_EXISTS -> ProblemType.SESSION_EXISTS;
            case SESSION_NOT_FOUND -> ProblemType.UNKNOWN_SESSION;
            case INVALID_BOUNDARY -> ProblemType.REFUSED;
            case OPEN_TURN -> ProblemType.OPEN_TURN;
        };
        return told(type, e).with("rule", e.code().name());
    }

    private static Problem needed(SessionNeededException e) {
        List<Json> ids = new ArrayList<>();
        e.neededBy().forEach(id -> ids.add(JsonString.of(id.value())));
        Problem problem = told(ProblemType.SESSION_NEEDED, e);
        return new Problem(problem.type(), problem.detail(), problem.members().with("neededBy", JsonArray.of(ids)));
    }

    private static Problem told(ProblemType type, Throwable failure) {
        return Problem.of(type, String.valueOf(failure.getMessage()));
    }
}
