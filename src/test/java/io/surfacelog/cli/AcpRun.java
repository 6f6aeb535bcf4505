package io.surfacelog.cli;

import io.surfacelog.event.StreamChunk;
import io.surfacelog.model.FinishReason;
import io.surfacelog.model.ModelException;
import io.surfacelog.model.ScriptedAnswer;
import io.surfacelog.model.ScriptedModel;
import java.util.Random;

/** A model of random answers. */
final class AcpRun {

    private static final String[] WORDS = {"parcel ", "süß ", "漢字", "😀", "\n", " ", "\"\\", "\u2028", "e\u0301 "};

    private final Random random;

    AcpRun(long seed) {
        this.random = new Random(seed);
    }

    ScriptedModel model(int answers) {
        ScriptedModel.Builder script = ScriptedModel.builder();
        for (int i = 0; i < answers; i++) {
            script.answer(answer(i));
        }
        return script.whenUsedUp(call -> ScriptedAnswer.of("that is all")).build();
    }

    private ScriptedAnswer answer(int number) {
        ScriptedAnswer answer = ScriptedAnswer.begin();
        if (random.nextInt(3) == 0) {
            answer = answer.reasoning(deltas());
        }
        if (random.nextInt(5) > 0) {
            answer = answer.text(deltas());
        }
        if (random.nextInt(6) == 0) {
            // more than was streamed of it
            String text = word() + word();
            answer = answer.chunk(StreamChunk.blockStart(9, "text"))
                    .chunk(StreamChunk.text(9, text))
                    .chunk(StreamChunk.blockEnd(9, io.surfacelog.event.TextBlock.of(text)));
        }
        return switch (random.nextInt(8)) {
            case 0, 1 -> answer.toolCall("call", "echo", "{\"n\":", number + "}");
            case 2 -> answer.toolCall("call", "echo", "{}").toolCall("call", "nothing", "no json");
            case 3 -> answer.finish(FinishReason.MAX_TOKENS);
            case 4 -> answer.fail(ModelException.of(ModelException.Kind.PERMANENT, "BROKEN", "the model broke"));
            default -> answer;
        };
    }

    /** Cut anywhere, within a character too. */
    private String[] deltas() {
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            text.append(word());
        }
        String[] deltas = new String[1 + random.nextInt(4)];
        int from = 0;
        for (int i = 0; i < deltas.length; i++) {
            int to = i == deltas.length - 1 ? text.length() : from + random.nextInt(text.length() - from + 1);
            deltas[i] = text.substring(from, to);
            from = to;
        }
        return deltas;
    }

    private String word() {
        return WORDS[random.nextInt(WORDS.length)];
    }
}
