package io.surfacelog.cli;

import io.surfacelog.agent.QueuedInput;
import io.surfacelog.agent.TurnOutcome;
import io.surfacelog.event.SurfacelogException;
import io.surfacelog.event.TurnEndReason;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import picocli.CommandLine.TypeConversionException;

/** Does what is typed, line by line, until somebody quits. */
final class ChatLoop {

    private final ChatSession chat;
    private final Keyboard keyboard;
    private final ChatScreen screen;
    private final SlashCommands commands;
    private final boolean waits;
    private boolean pressedBefore;
    private boolean allWell = true;

    /** @param waits whether a turn has to end before the next line is read */
    ChatLoop(ChatSession chat, Keyboard keyboard, ChatScreen screen, SlashCommands commands, boolean waits) {
        this.chat = chat;
        this.keyboard = keyboard;
        this.screen = screen;
        this.commands = commands;
        this.waits = waits;
    }

    /** Returns whether all that was asked for was done, and every turn that was waited for is complete. */
    boolean run() throws IOException {
        String begun = "";
        while (true) {
            Keyboard.Typed typed = keyboard.next(begun);
            begun = "";
            if (typed instanceof Keyboard.Typed.End) {
                return allWell;
            }
            if (typed instanceof Keyboard.Typed.Interrupt interrupt) {
                if (chat.cancel()) {
                    begun = interrupt.begun();
                    pressedBefore = true;
                } else if (pressedBefore) {
                    return allWell;
                } else if (interrupt.begun().isBlank()) {
                    pressedBefore = true;
                    screen.aside("(Ctrl-C once more quits)", Ink.FAINT);
                }
                continue;
            }
            pressedBefore = false;
            ChatInput input = ChatInput.of(((Keyboard.Typed.Line) typed).text());
            if (input instanceof ChatInput.Slash slash && slash.name().equals("quit")) {
                return allWell;
            }
            allWell &= done(input);
        }
    }

    private boolean done(ChatInput input) throws IOException {
        try {
            if (input instanceof ChatInput.Slash slash) {
                return commands.run(slash);
            }
            if (input instanceof ChatInput.Prompt prompt) {
                return ended(chat.prompt(prompt.text()));
            }
            if (input instanceof ChatInput.Steer steer) {
                return ended(chat.steer(steer.text()));
            }
            return true;
        } catch (SurfacelogException | TypeConversionException e) {
            screen.line(Failure.sentence(e), Ink.ACCENT);
            return false;
        }
    }

    /** Whether the turn has ended well, as far as it is waited for. */
    private boolean ended(QueuedInput input) {
        if (!waits) {
            return true;
        }
        try {
            TurnOutcome outcome = input.outcome().join();
            chat.awaitShown(outcome.endSeq());
            chat.awaitIdle();
            return outcome.reason().kind().equals(TurnEndReason.COMPLETED);
        } catch (CancellationException e) {
            screen.line("The prompt was discarded.", Ink.ACCENT);
            return false;
        } catch (CompletionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            screen.line(Failure.sentence(cause), Ink.ACCENT);
            return false;
        }
    }
}
