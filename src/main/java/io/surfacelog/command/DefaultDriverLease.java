package io.surfacelog.command;

import io.surfacelog.event.LogOnlyPayload;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.SurfacePayload;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/** Appends through the commands, under the token of a lease. */
final class DefaultDriverLease implements DriverLease {

    private final SessionCommands commands;
    private final HeldLeases leases;
    private final HeldLease held;
    private final Appended recovered;

    DefaultDriverLease(SessionCommands commands, HeldLeases leases, HeldLease held, Appended recovered) {
        this.commands = commands;
        this.leases = leases;
        this.held = held;
        this.recovered = recovered;
    }

    @Override
    public SessionId session() {
        return held.session;
    }

    @Override
    public long token() {
        return held.token;
    }

    @Override
    public Appended recovered() {
        return recovered;
    }

    @Override
    public boolean isHeld() {
        return held.isHeld();
    }

    @Override
    public Appended append(SurfacePayload payload, SurfaceIntent intent) {
        return appendAll(List.of(EventDraft.of(payload, intent)));
    }

    @Override
    public Appended append(LogOnlyPayload payload) {
        return appendAll(List.of(EventDraft.of(payload)));
    }

    @Override
    public Appended append(AppendEvents command) {
        return commands.append(under(command));
    }

    @Override
    public Appended appendAll(List<EventDraft> batch) {
        return append(AppendEvents.to(held.session, batch));
    }

    @Override
    public Appended appendAll(LongFunction<List<EventDraft>> batch) {
        return append(AppendEvents.to(held.session, batch));
    }

    @Override
    public CompletableFuture<Appended> appendAsync(SurfacePayload payload, SurfaceIntent intent) {
        return appendAllAsync(List.of(EventDraft.of(payload, intent)));
    }

    @Override
    public CompletableFuture<Appended> appendAsync(LogOnlyPayload payload) {
        return appendAllAsync(List.of(EventDraft.of(payload)));
    }

    @Override
    public CompletableFuture<Appended> appendAsync(AppendEvents command) {
        return commands.appendAsync(under(command));
    }

    @Override
    public CompletableFuture<Appended> appendAllAsync(List<EventDraft> batch) {
        return appendAsync(AppendEvents.to(held.session, batch));
    }

    @Override
    public CompletableFuture<Appended> appendAllAsync(LongFunction<List<EventDraft>> batch) {
        return appendAsync(AppendEvents.to(held.session, batch));
    }

    private AppendEvents under(AppendEvents command) {
        if (!command.session().equals(held.session)) {
            throw new IllegalArgumentException("expected an append to session \"" + held.session
                    + "\", whose lease this is, found one to \"" + command.session() + "\"");
        }
        return command.underLease(held.token);
    }

    @Override
    public void close() {
        commands.flush(held.session);
        leases.release(held);
    }

    @Override
    public String toString() {
        return "DriverLease[session=" + held.session + ", token=" + held.token + ", held=" + isHeld() + "]";
    }
}
