package io.surfacelog.agent;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.StreamChunk;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.Usage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts the chunks of one attempt together into content blocks, in the order in which they first appear.
 *
 * <pre>{@code
 * ChunkAssembly answer = ChunkAssembly.create();
 * answer.add(StreamChunk.text(0, "It is "));
 * answer.add(StreamChunk.text(0, "in Lyon."));
 * answer.add(StreamChunk.finish("stop"));
 * answer.content(); // one text block: "It is in Lyon."
 * }</pre>
 *
 * <p>Blocks are told apart by index and kind; they may interleave, and need neither a beginning nor an end of their own. What
 * a {@code block-end} holds takes the place of the deltas before it. A fragment of a tool call belongs to the call of its
 * index; without an index, to the call of its id; without both, to the call that is open. A call to which the provider gives
 * no id, or that of another call, gets one that no other call here has. Chunks of shapes that are not known here, other than
 * fragments that lack members, add nothing. Nothing is refused, and no chunk is looked at twice: cost O(chunk).
 *
 * <p>Does no I/O. Not safe for use by several threads.
 */
public final class ChunkAssembly {

    private record Place(String kind, long index) {}

    private static final Set<String> CUT = Set.of("max-tokens", "max_tokens", "length", "error");

    private final String mintedPrefix;
    private final List<ChunkBlock> blocks = new ArrayList<>();
    private final Map<Place, ChunkBlock> latest = new HashMap<>();
    private @Nullable ChunkBlock openCall;
    private StreamChunk.@Nullable Finish finish;
    private @Nullable Usage usage;

    private ChunkAssembly(String mintedPrefix) {
        this.mintedPrefix = mintedPrefix;
    }

    /** An assembly of no chunk yet. */
    public static ChunkAssembly create() {
        return mintingIds("call");
    }

    /** Ids that are missing begin with this. */
    static ChunkAssembly mintingIds(String prefix) {
        return new ChunkAssembly(prefix);
    }

    /** Takes the next chunk. */
    public void add(StreamChunk chunk) {
        if (chunk instanceof StreamChunk.TextDelta delta) {
            at(ChunkBlock.TEXT, delta.index()).append(delta.text());
        } else if (chunk instanceof StreamChunk.ReasoningDelta delta) {
            at(ChunkBlock.REASONING, delta.index()).append(delta.text());
        } else if (chunk instanceof StreamChunk.BlockStart start) {
            ChunkBlock begun = at(start.blockType(), start.index());
            if (begun.isCall()) {
                begun.callIs(notEmpty(chunk.json(), "id"), notEmpty(chunk.json(), "name"));
                openCall = begun;
            }
        } else if (chunk instanceof StreamChunk.BlockEnd end) {
            ended(end.index(), end.block().json());
        } else if (chunk instanceof StreamChunk.UsageReport report) {
            report.usage().ifPresent(counted -> usage = counted);
        } else if (chunk instanceof StreamChunk.Finish end) {
            finish = end;
        } else if (chunk.json().string("type").filter("tool-call-delta"::equals).isPresent()) {
            fragment(chunk.json());
        }
    }

    private ChunkBlock at(String kind, long index) {
        ChunkBlock known = latest.get(new Place(kind, index));
        return known != null && !known.isEnded() ? known : begin(kind, OptionalLong.of(index));
    }

    private ChunkBlock begin(String kind, OptionalLong index) {
        ChunkBlock begun = new ChunkBlock(kind);
        blocks.add(begun);
        index.ifPresent(place -> latest.put(new Place(kind, place), begun));
        return begun;
    }

    private void ended(long index, JsonObject block) {
        String kind = block.string("type").orElse("");
        ChunkBlock known = latest.get(new Place(kind, index));
        if (known == null || known.isEnded()) {
            // a block may turn out to be of a kind that its beginning did not say
            known = latest.entrySet().stream()
                    .filter(entry -> entry.getKey().index() == index
                            && !entry.getValue().isEnded()
                            && !entry.getValue().isCall()
                            && !isStreamed(kind))
                    .map(Map.Entry::getValue)
                    .findFirst()
                    .orElseGet(() -> begin(kind, OptionalLong.of(index)));
        }
        known.end(block);
    }

    private static boolean isStreamed(String kind) {
        return kind.equals(ChunkBlock.TEXT) || kind.equals(ChunkBlock.REASONING) || kind.equals(ChunkBlock.TOOL_CALL);
    }

    /** A fragment of a call, of whatever members it has. */
    private void fragment(JsonObject json) {
        Optional<String> id = notEmpty(json, "id");
        OptionalLong index = json.longValue("index");
        ChunkBlock call = index.isPresent() ? at(ChunkBlock.TOOL_CALL, index.getAsLong()) : callOf(id);
        call.callIs(id, notEmpty(json, "name"));
        json.string("argumentsDelta").ifPresent(call::append);
        openCall = call;
    }

    private ChunkBlock callOf(Optional<String> id) {
        ChunkBlock open = openCall;
        if (open != null
                && !open.isEnded()
                && (id.isEmpty() || open.id().isEmpty() || open.id().equals(id.get()))) {
            return open;
        }
        return blocks.stream()
                .filter(block -> block.isCall()
                        && !block.isEnded()
                        && id.filter(block.id()::equals).isPresent())
                .findFirst()
                .orElseGet(() -> begin(ChunkBlock.TOOL_CALL, OptionalLong.empty()));
    }

    private static Optional<String> notEmpty(JsonObject json, String name) {
        return json.string(name).filter(value -> !value.isEmpty());
    }

    /**
     * What the attempt said, as a complete answer: the texts and all tool calls that are whole. A call is whole when its block
     * has ended, or when the stream has finished for a reason that does not cut it off.
     */
    public List<ContentBlock> content() {
        Set<String> taken = new HashSet<>();
        blocks.forEach(block -> taken.add(block.id()));
        Set<String> used = new HashSet<>();
        List<ContentBlock> content = new ArrayList<>();
        for (ChunkBlock block : blocks) {
            if (!block.isCall()) {
                block.block().ifPresent(content::add);
            } else if (isWhole(block)) {
                content.add(block.call(
                        !block.id().isEmpty() && used.add(block.id()) ? block.id() : mint(content.size(), taken)));
            }
        }
        return List.copyOf(content);
    }

    private String mint(int place, Set<String> taken) {
        String minted = mintedPrefix + "_" + place;
        while (!taken.add(minted)) {
            minted += "_";
        }
        return minted;
    }

    /** What a person may keep of an attempt that was broken off: its text and reasoning, and no tool call. */
    public List<ContentBlock> interruptedContent() {
        return blocks.stream()
                .flatMap(block -> block.block().stream())
                .filter(block -> block instanceof TextBlock || block instanceof ReasoningBlock)
                .toList();
    }

    /** Whether there is text that is not blank. Reasoning is not counted: nobody has been answered by it. */
    public boolean hasVisibleText() {
        return interruptedContent().stream()
                .anyMatch(
                        block -> block instanceof TextBlock text && !text.text().isBlank());
    }

    /** Whether the stream said that it is complete. */
    public boolean isFinished() {
        return finish != null;
    }

    /** Why the stream ended, in the provider's word; empty before it has, and where it does not say. */
    public Optional<String> finishReason() {
        Json reason = finish == null ? null : finish.reason();
        if (reason instanceof JsonObject object) {
            return object.string("kind");
        }
        return reason instanceof JsonString word ? Optional.of(word.value()) : Optional.empty();
    }

    /** The tokens used, as last reported. */
    public Optional<Usage> usage() {
        return Optional.ofNullable(usage);
    }

    /** What the provider needs to continue from here, null where it said nothing. */
    public @Nullable Json replayState() {
        return finish == null ? null : finish.replayState();
    }

    /** Whether some call is not whole. */
    public boolean hasBrokenCall() {
        return blocks.stream().anyMatch(block -> block.isCall() && !isWhole(block));
    }

    private boolean isWhole(ChunkBlock call) {
        return call.isEnded()
                || isFinished() && finishReason().filter(CUT::contains).isEmpty();
    }
}
