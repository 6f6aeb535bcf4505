package io.surfacelog.cli;

import io.surfacelog.agent.Agent;
import io.surfacelog.agent.AgentProfile;
import io.surfacelog.agent.Agents;
import io.surfacelog.agent.QueuedInput;
import io.surfacelog.command.ForkSession;
import io.surfacelog.command.Forked;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.stream.SessionEventCommitted;
import io.surfacelog.stream.SessionEventListener;
import io.surfacelog.stream.StreamRequest;
import io.surfacelog.stream.StreamSubscription;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The session a chat is about, its agent, and the subscriptions that show it. The session is made with the first prompt, so
 * that a chat in which nothing was said leaves nothing behind. For the thread that reads the keyboard, but for what says so.
 */
final class ChatSession implements AutoCloseable {

    private static final String OWN = "main";

    private final Standalone store;
    private final AgentProfile profile;
    private final ChatScreen screen;
    private final ShownEvents shown = new ShownEvents();
    private final StreamSubscription beside;
    private volatile SessionId id = SessionId.random();
    private volatile @Nullable Agent agent;
    private @Nullable StreamSubscription own;

    ChatSession(Standalone store, AgentProfile profile, ChatScreen screen) {
        this.store = store;
        this.profile = profile;
        this.screen = screen;
        OtherTurns others = new OtherTurns(screen);
        this.beside = store.stream().subscribe(StreamRequest.all(), committed -> {
            if (!committed.session().equals(id)) {
                others.show(committed.session(), committed.event());
            }
        });
    }

    /** What was found when a session was taken up again: seqs of the events that closed what was open, none if equal. */
    record Resumed(long recoveredFrom, long recoveredTo) {}

    /** Takes up a session, and shows its last turns. */
    Resumed resume(SessionId session) {
        store.queries().refresh(session);
        long before = store.queries().nextSeq(session);
        // first, so that what is closed is not taken for the doing of another session
        id = session;
        agent = store.agents().resume(session, profile);
        long after = store.queries().nextSeq(session);
        show(LastTurns.begin(store.queries(), session, after));
        awaitShown(after - 1);
        return new Resumed(before, after);
    }

    /** May be called by any thread. */
    SessionId id() {
        return id;
    }

    /** Whether the session is in the store. May be called by any thread. */
    boolean isThere() {
        return agent != null;
    }

    QueuedInput prompt(String text) {
        return agent().followUp(text);
    }

    QueuedInput steer(String text) {
        return agent().steer(text);
    }

    /** The agent, made or made anew if need be: one that has ended, since it lost its lease, is followed by another. */
    Agent agent() {
        Agent live = agent;
        if (live == null) {
            String folder = Path.of("").toAbsolutePath().toString();
            live = store.agents()
                    .create(SessionHeader.builder().id(id).cwd(folder).build(), profile);
            agent = live;
            show(0);
        } else if (live.isDisposed()) {
            live = store.agents().resume(id, profile);
            agent = live;
        }
        return live;
    }

    /** Cancels the turn that is running; false if none is, or it was cancelled before. May be called by any thread. */
    boolean cancel() {
        Agent live = agent;
        return live != null && live.cancel();
    }

    /** Waits until nothing is asked for any more. */
    void awaitIdle() {
        Agent live = agent;
        try {
            if (live != null) {
                live.awaitIdle();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Goes on in a fork that ends with the last turn that has ended. */
    Forked fork(ForkSession request) {
        Agents agents = store.agents();
        Forked forked = store.commands().fork(request.beforeOpenTurns());
        Agent next = agents.resume(forked.session(), profile);
        leave();
        id = forked.session();
        agent = next;
        show(forked.nextSeq());
        return forked;
    }

    private void show(long fromSeq) {
        TurnView view = new TurnView(screen, OWN);
        shown.begin(fromSeq);
        SessionEventListener listener = (SessionEventCommitted committed) -> {
            view.show(committed.event());
            shown.shown(committed.event().seq());
        };
        own = store.stream().subscribe(StreamRequest.of(id).fromSeq(fromSeq), listener);
    }

    /** Waits until this event of the session was shown. */
    void awaitShown(long seq) {
        try {
            shown.await(seq, Objects.requireNonNull(own));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted while the chat waited for its agent", e);
    }

    /** Ends the agent, whose last events are shown, too. */
    private void leave() {
        Agent live = agent;
        StreamSubscription subscription = own;
        if (live == null || subscription == null) {
            return;
        }
        try (subscription) {
            live.close();
            awaitShown(store.queries().nextSeq(id) - 1);
        }
    }

    /** Ends the agent: a turn that is running is aborted. */
    @Override
    public void close() {
        try (beside) {
            leave();
        }
    }
}
