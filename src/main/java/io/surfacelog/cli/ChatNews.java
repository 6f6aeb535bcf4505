package io.surfacelog.cli;

import io.surfacelog.agent.AgentError;
import io.surfacelog.agent.AgentNotification;
import io.surfacelog.agent.AgentQueued;
import io.surfacelog.agent.AgentStatus;
import io.surfacelog.agent.AgentStatusChanged;
import io.surfacelog.agent.QueuedInput;

/**
 * Shows of the chat's own agent what is not in the log: whether it works, what waits for it, and what failed. Called by any
 * thread.
 */
final class ChatNews {

    static final String IDLE = "> ";
    static final String RUNNING = "… ";

    private final ChatScreen screen;
    private final ChatSession chat;

    ChatNews(ChatScreen screen, ChatSession chat) {
        this.screen = screen;
        this.chat = chat;
    }

    void show(AgentNotification notification) {
        if (!notification.agent().id().equals(chat.id())) {
            return;
        }
        if (notification instanceof AgentStatusChanged changed) {
            screen.prompt(changed.status() == AgentStatus.RUNNING ? RUNNING : IDLE);
        } else if (notification instanceof AgentError error) {
            screen.aside("the agent has ended: " + Failure.sentence(error.failure()), Ink.ACCENT);
        } else if (notification instanceof AgentQueued queued) {
            show(queued);
        }
    }

    private void show(AgentQueued queued) {
        String text = queued.input().message().text();
        switch (queued.change()) {
            case INSERTED -> {
                if (queued.agent().status() == AgentStatus.RUNNING) {
                    boolean steers = queued.input().kind() == QueuedInput.Kind.STEERING;
                    screen.aside((steers ? "(steers) " : "(queued) ") + text, Ink.FAINT);
                }
            }
            case DISCARDED -> screen.aside("(discarded) " + text, Ink.FAINT);
            case CLAIMED -> {
                // the log says so
            }
        }
    }
}
