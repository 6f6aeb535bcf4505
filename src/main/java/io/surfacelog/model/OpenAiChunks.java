package io.surfacelog.model;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one attempt as the log names them. Blocks are numbered in the order in which they begin: a tool call by the
 * index the provider gives it, or by its id where there is no index; text and reasoning begin a new block whenever the other
 * kind came between. Usage and finish come last, at the end, since providers send them in any order. For one thread.
 */
final class OpenAiChunks {

    private final Map<String, String> toolNames;
    private final Map<Long, Call> byIndex = new HashMap<>();
    private final Map<String, Call> byId = new HashMap<>();
    private @Nullable Call latest;
    private @Nullable String open;
    private long openBlock;
    private long blocks;
    private boolean any;
    private @Nullable Usage usage;
    private @Nullable String finish;

    /** A tool call that has begun. */
    private static final class Call {
        final long block;
        String id = "";

        Call(long block) {
            this.block = block;
        }
    }

    /** @param toolNames the recorded names of tools by the names in the request */
    OpenAiChunks(Map<String, String> toolNames) {
        this.toolNames = toolNames;
    }

    /** What a chunk of the provider says, or a whole answer of an endpoint that does not stream. */
    List<StreamChunk> read(JsonObject chunk) {
        List<StreamChunk> said = new ArrayList<>();
        chunk.object("usage").flatMap(OpenAiChunks::usage).ifPresent(found -> {
            usage = found;
            any = true;
        });
        for (Json item : chunk.array("choices").orElse(JsonArray.EMPTY).items()) {
            // of several answers to one request the first is the answer
            if (item instanceof JsonObject choice && choice.longValue("index").orElse(0) == 0) {
                any = true;
                choice.object("delta").or(() -> choice.object("message")).ifPresent(delta -> read(delta, said));
                choice.string("finish_reason").filter(word -> !word.isEmpty()).ifPresent(word -> finish = word);
            }
        }
        return said;
    }

    /** Whether anything came that belongs to an answer. */
    boolean isAnswer() {
        return any;
    }

    /** Why the provider stopped, in its own word; empty as long as it has not. */
    Optional<String> finish() {
        return Optional.ofNullable(finish);
    }

    /** What is to be said last. */
    List<StreamChunk> end() {
        List<StreamChunk> said = new ArrayList<>();
        if (usage != null) {
            said.add(StreamChunk.usage(usage));
        }
        if (finish != null) {
            said.add(FinishReason.chunk(finish));
        }
        return said;
    }

    /** Some endpoints stream a text as a list of parts, as it may stand in a request. */
    private static String parts(JsonObject delta, String member) {
        StringBuilder text = new StringBuilder();
        for (Json part : delta.array(member).orElse(JsonArray.EMPTY).items()) {
            if (part instanceof JsonObject one) {
                one.string("text").ifPresent(text::append);
            }
        }
        return text.toString();
    }

    private void read(JsonObject delta, List<StreamChunk> said) {
        String reasoning = delta.string("reasoning_content")
                .or(() -> delta.string("reasoning"))
                .orElse("");
        if (!reasoning.isEmpty()) {
            said.add(StreamChunk.reasoning(block("reasoning"), reasoning));
        }
        for (String member : List.of("content", "refusal")) {
            String text = delta.string(member).orElseGet(() -> parts(delta, member));
            if (!text.isEmpty()) {
                said.add(StreamChunk.text(block(member), text));
            }
        }
        for (Json item : delta.array("tool_calls").orElse(JsonArray.EMPTY).items()) {
            if (item instanceof JsonObject fragment) {
                said.add(toolCall(fragment));
            }
        }
    }

    private long block(String kind) {
        if (!kind.equals(open)) {
            open = kind;
            openBlock = blocks++;
        }
        return openBlock;
    }

    private StreamChunk toolCall(JsonObject fragment) {
        JsonObject function = fragment.object("function").orElse(JsonObject.EMPTY);
        String id = fragment.string("id").orElse("");
        String name = function.string("name").filter(given -> !given.isEmpty()).orElse(null);
        Call call = call(fragment.longValue("index"), id, name != null);
        if (call.id.isEmpty()) {
            call.id = id;
        }
        return StreamChunk.toolCall(
                call.block, id, name == null ? null : toolNames.getOrDefault(name, name), arguments(function));
    }

    /** Some endpoints send the arguments as JSON instead of its text. */
    private static String arguments(JsonObject function) {
        return function.string("arguments")
                .or(() -> function.object("arguments").map(Json::toText))
                .orElse("");
    }

    private Call call(OptionalLong index, String id, boolean named) {
        Call known;
        if (index.isPresent()) {
            known = byIndex.get(index.getAsLong());
            // endpoints that number every call 0 tell them apart by a new id, with the name of a new call
            if (known != null && named && !id.isEmpty() && !known.id.isEmpty() && !known.id.equals(id)) {
                known = null;
            }
        } else {
            known = id.isEmpty() ? (named ? null : latest) : byId.get(id);
        }
        Call call = known == null ? new Call(blocks++) : known;
        if (known == null) {
            open = null;
        }
        index.ifPresent(number -> byIndex.put(number, call));
        if (!id.isEmpty()) {
            byId.put(id, call);
        }
        latest = call;
        return call;
    }

    private static Optional<Usage> usage(JsonObject usage) {
        OptionalLong input = usage.longValue("prompt_tokens");
        OptionalLong output = usage.longValue("completion_tokens");
        if (input.isEmpty() || output.isEmpty() || input.getAsLong() < 0 || output.getAsLong() < 0) {
            return Optional.empty();
        }
        OptionalLong cached = count(usage.object("prompt_tokens_details"), "cached_tokens");
        if (cached.isEmpty()) {
            cached = count(Optional.of(usage), "prompt_cache_hit_tokens");
        }
        JsonObject.Builder ours = JsonObject.builder()
                .put("inputTokens", Math.max(0, input.getAsLong() - cached.orElse(0)))
                .put("outputTokens", output.getAsLong());
        cached.ifPresent(tokens -> ours.put("cacheReadTokens", tokens));
        count(usage.object("completion_tokens_details"), "reasoning_tokens")
                .ifPresent(tokens -> ours.put("reasoningTokens", tokens));
        return Optional.of(new Usage(ours.build()));
    }

    private static OptionalLong count(Optional<JsonObject> details, String name) {
        OptionalLong count = details.map(object -> object.longValue(name)).orElse(OptionalLong.empty());
        return count.isPresent() && count.getAsLong() >= 0 ? count : OptionalLong.empty();
    }
}
