package io.surfacelog.provider;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.Message;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The body of a request to Anthropic's messages API. */
final class AnthropicBody {

    /** What every model of theirs can give. */
    private static final long DEFAULT_MAX_TOKENS = 4096;

    private final Rendering rendering;
    private final Adjustments adjustments;
    private final Pieces pieces;
    private final List<Json> messages = new ArrayList<>();
    private String role = "";
    private List<Json> blocks = new ArrayList<>();

    private AnthropicBody(Rendering rendering) {
        this.rendering = rendering;
        this.adjustments = rendering.adjustments();
        this.pieces =
                new Pieces(adjustments, image -> !(image instanceof ImageSource.Remote remote) || remote.isSecure());
    }

    static JsonObject of(Rendering rendering) {
        AnthropicBody body = new AnthropicBody(rendering);
        for (Entry entry : rendering.entries()) {
            body.add(entry);
        }
        return body.whole();
    }

    private JsonObject whole() {
        if (messages.isEmpty() && role.isEmpty()) {
            rendering.noteFirst();
            say(Message.USER, List.of(text(Rendering.CONTINUE)));
        } else if (role.equals(Message.ASSISTANT)) {
            rendering.noteLast();
            say(Message.USER, List.of(text(Rendering.CONTINUE)));
        }
        flush();
        Settings settings = rendering.settings();
        JsonObject.Builder body = JsonObject.builder()
                .put("model", settings.model())
                .put("max_tokens", settings.maxTokens().orElseGet(this::defaultMaxTokens));
        settings.system().ifPresent(system -> body.put("system", system));
        tools(body);
        body.put("messages", JsonArray.of(messages));
        settings.temperature().ifPresent(temperature -> body.put("temperature", temperature));
        if (!settings.stop().isEmpty()) {
            body.put("stop_sequences", Json.of(settings.stop()));
        }
        return body.build();
    }

    private long defaultMaxTokens() {
        adjustments.add(
                AdjustmentRule.MAX_TOKENS_DEFAULT,
                Adjustments.REQUEST,
                "expected the header to say maxTokens, found none; the request says " + DEFAULT_MAX_TOKENS);
        return DEFAULT_MAX_TOKENS;
    }

    private void tools(JsonObject.Builder body) {
        List<Json> tools = new ArrayList<>();
        for (OfferedTool tool : rendering.tools()) {
            JsonObject.Builder json = JsonObject.builder().put("name", rendering.name(tool.name()));
            tool.description().ifPresent(text -> json.put("description", text));
            tools.add(json.put("input_schema", tool.schema()).build());
        }
        boolean standIn = tools.isEmpty() && !rendering.names().isEmpty();
        if (standIn) {
            adjustments.add(
                    AdjustmentRule.TOOLS_STAND_IN,
                    Adjustments.REQUEST,
                    "expected tools where the messages hold calls, found none; the request defines those that were"
                            + " called and lets none be called");
            rendering.names().forEach(name -> tools.add(standIn(name)));
        }
        if (!tools.isEmpty()) {
            body.put("tools", JsonArray.of(tools));
        }
        if (standIn) {
            body.put("tool_choice", JsonObject.builder().put("type", "none").build());
        }
    }

    private static JsonObject standIn(String name) {
        return JsonObject.builder()
                .put("name", name)
                .put(
                        "input_schema",
                        JsonObject.builder()
                                .put("type", "object")
                                .put("properties", JsonObject.EMPTY)
                                .build())
                .build();
    }

    private void add(Entry entry) {
        if (entry instanceof Entry.Said said) {
            add(said);
            return;
        }
        List<Json> told = new ArrayList<>();
        if (entry instanceof Entry.Orphan orphan) {
            told.add(text(rendering.orphanHeading(orphan)));
            told.addAll(json(rendering.resultPieces(new Answer(orphan.message(), orphan.result()), pieces)));
        } else if (entry instanceof Entry.Told message) {
            told.addAll(json(pieces.of(message.message(), message.content())));
        }
        if (told.isEmpty()) {
            rendering.noteBlank(entry.message());
            return;
        }
        sayMerged(entry.message(), Message.USER, told);
    }

    private void add(Entry.Said said) {
        List<Json> content = content(said);
        if (content.isEmpty()) {
            rendering.noteBlank(said.message());
            return;
        }
        sayMerged(said.message(), Message.ASSISTANT, content);
        List<Json> results = new ArrayList<>();
        for (Call call : rendering.calls(said)) {
            results.add(result(call));
        }
        if (!results.isEmpty()) {
            rendering.noteResults(said);
            say(Message.USER, results);
        }
    }

    private List<Json> content(Entry.Said said) {
        List<Json> content = new ArrayList<>();
        Iterator<Call> calls = rendering.calls(said).iterator();
        int spoken = 0;
        for (ContentBlock block : said.content()) {
            if (block instanceof ToolCallBlock) {
                Call call = calls.next();
                content.add(JsonObject.builder()
                        .put("type", "tool_use")
                        .put("id", call.id())
                        .put("name", call.name())
                        .put("input", call.arguments().object())
                        .build());
                spoken = content.size();
            } else if (block instanceof TextBlock text) {
                if (!Blank.is(text.text())) {
                    content.add(text(adjustments.wellFormed(said.message(), text.text())));
                    spoken = content.size();
                }
            } else if (block instanceof ReasoningBlock reasoning) {
                thinking(said.message(), reasoning, content);
            } else {
                rendering.noteLeftOut(
                        said.message(), block.json().string("type").orElse(""));
            }
        }
        for (int i = spoken; i < content.size(); i++) {
            noteReasoning(said.message(), "found reasoning that nothing follows; the request leaves it out");
        }
        return content.subList(0, spoken);
    }

    private void thinking(int message, ReasoningBlock reasoning, List<Json> content) {
        String signature = reasoning.json().string("signature").orElse("");
        boolean sound = WellFormed.text(signature).equals(signature)
                // a signature does not hold for a text that had to be changed
                && WellFormed.text(reasoning.text()).equals(reasoning.text());
        if (Blank.is(signature) || !sound) {
            noteReasoning(message, "found reasoning without a signature that holds; the request leaves it out");
            return;
        }
        content.add(JsonObject.builder()
                .put("type", "thinking")
                .put("thinking", reasoning.text())
                .put("signature", signature)
                .build());
    }

    private void noteReasoning(int message, String detail) {
        adjustments.add(AdjustmentRule.REASONING_LEFT_OUT, message, detail);
    }

    private Json result(Call call) {
        JsonObject.Builder json =
                JsonObject.builder().put("type", "tool_result").put("tool_use_id", call.id());
        if (call.answer().isEmpty()) {
            return json.put("content", JsonArray.of(List.of(text(Call.UNANSWERED))))
                    .put("is_error", true)
                    .build();
        }
        Answer answer = call.answer().get();
        boolean error = answer.result().isError();
        List<Piece> said = rendering.resultPieces(answer, error ? pieces.withoutImages() : pieces);
        json.put("content", JsonArray.of(json(said)));
        return (error ? json.put("is_error", true) : json).build();
    }

    private void sayMerged(int message, String speaker, List<Json> content) {
        if (speaker.equals(role)) {
            rendering.noteMerged(message);
        }
        say(speaker, content);
    }

    private void say(String speaker, List<Json> content) {
        if (role.isEmpty() && !speaker.equals(Message.USER)) {
            rendering.noteFirst();
            say(Message.USER, List.of(text(Rendering.CONTINUE)));
        }
        if (!speaker.equals(role)) {
            flush();
            role = speaker;
        }
        blocks.addAll(content);
    }

    private void flush() {
        if (!blocks.isEmpty()) {
            messages.add(JsonObject.builder()
                    .put("role", role)
                    .put("content", JsonArray.of(blocks))
                    .build());
            blocks = new ArrayList<>();
        }
    }

    private static List<Json> json(List<Piece> pieces) {
        List<Json> json = new ArrayList<>(pieces.size());
        for (Piece piece : pieces) {
            json.add(piece instanceof Piece.Image image ? image(image.source()) : text(((Piece.Text) piece).text()));
        }
        return json;
    }

    private static Json text(String text) {
        return JsonObject.builder().put("type", "text").put("text", text).build();
    }

    private static Json image(ImageSource source) {
        JsonObject.Builder json = JsonObject.builder();
        if (source instanceof ImageSource.Inline inline) {
            json.put("type", JsonString.of("base64"))
                    .put("media_type", inline.mediaType())
                    .put("data", inline.data());
        } else if (source instanceof ImageSource.Remote remote) {
            json.put("type", "url").put("url", remote.url());
        }
        return JsonObject.builder()
                .put("type", "image")
                .put("source", json.build())
                .build();
    }
}
