package io.surfacelog.compaction;

import io.surfacelog.agent.ChunkAssembly;
import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.TextBlock;
import io.surfacelog.model.ChunkSink;
import io.surfacelog.model.FinishReason;
import io.surfacelog.model.ModelCall;
import io.surfacelog.model.ModelCancelledException;
import io.surfacelog.model.ModelPort;
import io.surfacelog.projection.ModelRequest;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Has a model make the summary. What it is asked begins with the very messages of the conversation, under the header in force,
 * and ends with the instruction, so that a provider's prompt cache holds. Earlier summaries among the hidden messages are
 * merged: what they were made of is not sent again.
 *
 * <pre>{@code
 * Summarizer summarizer = ModelSummarizer.of(model);
 * }</pre>
 *
 * <p>Safe for use by several threads if the model is. Costs one answer of the model.
 */
public final class ModelSummarizer implements Summarizer {

    private final ModelPort port;
    private final Optional<RequestHeader> otherwise;

    private ModelSummarizer(ModelPort port, Optional<RequestHeader> otherwise) {
        this.port = port;
        this.otherwise = otherwise;
    }

    /** Summaries by the model that the session's request header names. One without a header cannot be summarised. */
    public static ModelSummarizer of(ModelPort port) {
        return new ModelSummarizer(port, Optional.empty());
    }

    /**
     * The same, for sessions without a header too.
     *
     * @param provider who is named where no request header is in force yet; not empty
     * @param model and which model there; not empty
     */
    public static ModelSummarizer of(ModelPort port, String provider, String model) {
        return new ModelSummarizer(port, Optional.of(RequestHeader.of(provider, model, null, RequestHeader.INITIAL)));
    }

    @Override
    public Summary summarize(SummaryRequest request) throws InterruptedException {
        RequestHeader header = header(request);
        ModelCall call = new ModelCall(
                request.session(),
                Math.max(1, request.surface().lastTurn()),
                1,
                request.attempt(),
                new ModelRequest(Optional.of(header), request.surface().requestContext(), messages(request)));
        Answer answer = new Answer(request.cancelled());
        port.stream(call, answer);
        return answer.summary(header);
    }

    /** That in force, so that system prompt and tools are the same; only the answer is limited. */
    private RequestHeader header(SummaryRequest request) {
        Surface surface = request.surface();
        JsonObject header = surface.requestHeader()
                .or(() -> otherwise)
                .map(RequestHeader::header)
                .orElseThrow(() -> new SummaryException(
                        CompactionFault.SUMMARIZER_FAILED,
                        "expected a request header that names the model, found none in session \"" + request.session()
                                + "\"; say which model to ask where there is none"));
        JsonObject config = header.object("config").orElse(JsonObject.EMPTY);
        long longest =
                Math.min(request.maxTokens(), config.longValue("maxTokens").orElse(Long.MAX_VALUE));
        JsonObject limited = header.with("config", config.with("maxTokens", JsonNumber.of(longest)));
        Optional<JsonObject> defaults = limited.object("adapterDefaults").map(object -> object.without("maxTokens"));
        if (defaults.isPresent()) {
            limited = limited.with("adapterDefaults", defaults.get());
        }
        return RequestHeader.of(limited, RequestHeader.CHANGE);
    }

    /** The conversation up to the last hidden message, word for word, and the instruction. */
    private static List<Message> messages(SummaryRequest request) {
        List<Message> messages = new ArrayList<>();
        int before = 0;
        List<SurfaceNode> nodes = request.surface().nodes();
        for (int i = 0; i <= request.span().last(); i++) {
            if (nodes.get(i).derivesMessage()) {
                messages.add(nodes.get(i).message());
                before += i < request.span().first() ? 1 : 0;
            }
        }
        messages.add(Message.of(
                "summary-instruction",
                Message.USER,
                new MessageSource(JsonObject.builder()
                        .put("kind", "plugin")
                        .put("plugin", SummaryRequest.PLUGIN)
                        .build()),
                List.of(TextBlock.of(instruction(request, before)))));
        return messages;
    }

    private static String instruction(SummaryRequest request, int before) {
        boolean merges = request.hidden().stream().anyMatch(SummaryRequest::isSummary);
        return "The conversation has become long. Write a summary that takes the place of "
                + (before == 0
                        ? "all messages above."
                        : "the messages above, except for the first " + before
                                + ", which stay as they are and need not be repeated.")
                + (merges ? " It takes in the earlier summaries among them: carry over what still holds." : "")
                + " Keep what is needed to go on without those messages: what the user wants and has decided, what was done"
                + " and found out, with names, paths, numbers and identifiers as they are, which errors came up, and what"
                + " is left to do. Answer with the summary alone, in plain text, and call no tool."
                + (request.attempt() > 1 ? " Be brief: an earlier attempt was too long or not usable." : "");
    }

    /** Collects what the model says. */
    private static final class Answer implements ChunkSink {

        private final BooleanSupplier cancelled;
        private final ChunkAssembly assembly = ChunkAssembly.create();
        private @Nullable FinishReason finished;

        Answer(BooleanSupplier cancelled) {
            this.cancelled = cancelled;
        }

        @Override
        public void accept(StreamChunk chunk) {
            if (cancelled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
                throw new ModelCancelledException();
            }
            assembly.add(chunk);
            if (chunk instanceof StreamChunk.Finish finish) {
                finished = FinishReason.of(finish);
            }
        }

        @Override
        public boolean isCancelled() {
            return cancelled.getAsBoolean();
        }

        Summary summary(RequestHeader header) {
            if (finished == null || finished == FinishReason.MAX_TOKENS) {
                throw new SummaryException(
                        CompactionFault.SUMMARY_CUT_OFF,
                        finished == null
                                ? "the model's stream ended without a finish chunk: its summary is not complete"
                                : "the summary was cut off at the limit of "
                                        + header.config().get("maxTokens") + " tokens");
            }
            if (finished == FinishReason.CONTENT_FILTER) {
                throw new SummaryException(CompactionFault.SUMMARIZER_FAILED, "the model refused to summarise");
            }
            StringBuilder text = new StringBuilder();
            for (ContentBlock block : assembly.content()) {
                if (block instanceof TextBlock words) {
                    text.append(words.text());
                }
            }
            return new Summary(text.toString().strip(), header.provider(), header.model(), assembly.usage());
        }
    }
}
