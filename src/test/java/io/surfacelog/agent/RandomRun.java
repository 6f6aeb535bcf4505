package io.surfacelog.agent;

import io.surfacelog.command.CommandStack;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TurnEndReason;
import io.surfacelog.event.Usage;
import io.surfacelog.event.UserMessage;
import io.surfacelog.model.FinishReason;
import io.surfacelog.model.ModelCall;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import io.surfacelog.model.ToolDefinition;
import io.surfacelog.model.ToolInvocation;
import io.surfacelog.model.ToolOutput;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/** What happens to an agent of one seed: odd models, odd tools, cancels, remarks, hooks and others who append. */
final class RandomRun {

    private static final String[] NAMES = {"echo", "alone", "throws", "hangs", "blank", "nobody", "a\u0000b", ""};
    private static final String[] ARGUMENTS = {"{}", "{\"n\":1}", "", "[]", "{\"cut", "{\"x\":1e400}", "\ud800", "null"
    };
    private static final String[] TEXTS = {"In Lyon.", "", " ", "\ud83d", "\ude80 off", "\u0000", "a\nb", "\u2028"};
    private static final String[] IDS = {"c1", "c1", "c2", "", "c\u0000", "a b", "long".repeat(40)};

    final SessionId id;
    private final CommandStack stack;
    private final long seed;
    private final CountDownLatch never = new CountDownLatch(1);

    RandomRun(CommandStack stack, long seed) {
        this.stack = stack;
        this.seed = seed;
        this.id = SessionId.of("run-" + seed);
    }

    /** The same for the same place of the same run. */
    private Random at(Object... place) {
        return new Random(Objects.hash(seed, Objects.hash(place)) * 0x9E3779B97F4A7C15L);
    }

    ScriptedModel model(Optional<Agents> agents) {
        return ScriptedModel.answering(call -> {
            Random random = at("model", call.turn(), call.step(), call.attempt());
            agents.flatMap(all -> all.find(call.session())).ifPresent(agent -> happen(random, agent));
            return answer(random, call);
        });
    }

    private void happen(Random random, Agent agent) {
        switch (random.nextInt(16)) {
            case 0 -> agent.cancel();
            case 1 -> agent.cancel(TurnEndReason.aborted("parent"));
            case 2 -> agent.steer("Only this year's.");
            case 3 -> agent.inject(ContextMessage.of("It is noon."));
            case 4 -> stack.commands.append(id, UserMessage.of("from elsewhere"), SurfaceIntent.append());
            case 5 -> agent.followUp("One more.");
            default -> {
                // nothing besides
            }
        }
    }

    private ScriptedAnswer answer(Random random, ModelCall call) {
        ScriptedAnswer answer = ScriptedAnswer.begin();
        int parts = random.nextInt(5);
        for (int i = 0; i < parts; i++) {
            answer = part(random, answer);
        }
        if (random.nextInt(3) == 0) {
            answer = answer.usage(Usage.of(random.nextInt(1_000), random.nextInt(100)));
        }
        boolean lastChance = call.step() >= 4 || call.turn() >= 6;
        return lastChance ? ScriptedAnswer.of("That is all.") : end(random, answer);
    }

    private static ScriptedAnswer part(Random random, ScriptedAnswer answer) {
        return switch (random.nextInt(6)) {
            case 0 -> answer.reasoning(any(random, TEXTS), any(random, TEXTS));
            case 1, 2 -> answer.toolCall(any(random, IDS), any(random, NAMES), any(random, ARGUMENTS));
            case 3 ->
                answer.chunk(new StreamChunk.Unknown(JsonObject.builder()
                        .put("type", "vendor-note")
                        .put("text", any(random, TEXTS))
                        .build()));
            default -> answer.text(any(random, TEXTS), any(random, TEXTS), any(random, TEXTS));
        };
    }

    private static ScriptedAnswer end(Random random, ScriptedAnswer answer) {
        return switch (random.nextInt(14)) {
            case 0 -> answer.fail(ModelException.of(ModelException.Kind.TRANSIENT, "RESET", "the line broke"));
            case 1 -> answer.fail(ModelException.of(ModelException.Kind.PERMANENT, "DENIED", "no"));
            case 2 -> answer.fail(ModelException.of(ModelException.Kind.CONTEXT_OVERFLOW, "TOO_LONG", "too long"));
            case 3 -> answer.cutOff();
            case 4 -> answer.hang();
            case 5 -> answer.finish(FinishReason.MAX_TOKENS);
            case 6 -> answer.finish(FinishReason.CONTENT_FILTER);
            case 7 -> answer.finish(FinishReason.STOP);
            default -> answer;
        };
    }

    Tool[] tools() {
        return new Tool[] {
            Tool.of(ToolDefinition.of("echo", "Says it again.").inParallel(), call -> {
                react(call);
                return ToolOutput.text(call.arguments().toText());
            }),
            Tool.of(ToolDefinition.of("alone", "Works alone."), call -> {
                react(call);
                return ToolOutput.text("alone")
                        .meta(JsonObject.builder().put("took", 3).build());
            }),
            Tool.of(ToolDefinition.of("throws", "Fails.").inParallel(), call -> {
                throw new IllegalStateException("out of order");
            }),
            Tool.of(ToolDefinition.of("hangs", "Never ends.").inParallel().timeout(Duration.ofMillis(4)), call -> {
                never.await();
                return ToolOutput.text("never");
            }),
            Tool.of(ToolDefinition.of("blank", "Says nothing."), call -> new ToolOutput(List.of(), false, null))
        };
    }

    private void react(ToolInvocation call) {
        Random random = at("tool", call.turn(), call.step(), call.callId());
        if (random.nextInt(8) == 0) {
            stack.commands.append(id, UserMessage.of("while a tool ran"), SurfaceIntent.append());
        }
    }

    /** Stops some turns, fails some, and replaces what is before the turn by a summary. */
    void beforeStep(UpcomingStep step) {
        Random random = at("hook", step.turn(), step.step(), step.cause());
        switch (random.nextInt(12)) {
            case 0 -> step.stop("enough");
            case 1 -> throw new IllegalStateException("a hook of no use");
            case 2 -> step.agent().cancel(TurnEndReason.abortedByHook("changed my mind"));
            case 3, 4 -> summarise(step);
            default -> {
                // lets it pass
            }
        }
    }

    /** Everything before the turn's own input, if there is anything: whole turns, so no call is parted from its result. */
    private static void summarise(UpcomingStep step) {
        SessionId id = step.agent().id();
        Surface surface = step.queries().surface(id);
        long turnStart = step.queries().events(id, 0, surface.nextSeq()).stream()
                .filter(event -> event.type().equals("turn/start"))
                .mapToLong(event -> event.seq())
                .max()
                .orElse(0);
        List<Long> before = new ArrayList<>();
        for (SurfaceNode node : surface.nodes()) {
            if (node.seq() > turnStart) {
                break;
            }
            before.add(node.seq());
        }
        if (!before.isEmpty()) {
            long[] seqs = before.stream().mapToLong(Long::longValue).toArray();
            step.driver()
                    .append(
                            UserMessage.of("What was before."),
                            SurfaceIntent.replace(seqs[0], seqs[seqs.length - 1])
                                    .citing(seqs));
        }
    }

    /** How many questions are asked, and whether one is cancelled from outside while it is streamed. */
    int questions() {
        return 1 + at("questions").nextInt(3);
    }

    boolean cancelsFromOutside(int question) {
        return at("outside", question).nextInt(4) == 0;
    }

    private static String any(Random random, String[] values) {
        return values[random.nextInt(values.length)];
    }
}
