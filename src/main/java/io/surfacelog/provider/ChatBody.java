package io.surfacelog.provider;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.Message;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import java.util.ArrayList;
import java.util.List;

/** The body of a chat completion, as OpenAI and DeepSeek take it. */
final class ChatBody {

    private static final String TOOL = "tool";

    /** No message may ask for more. */
    private static final int MOST_CALLS = 128;

    private final Rendering rendering;
    private final Adjustments adjustments;
    private final boolean deepSeek;
    private final Pieces pieces;
    private final List<ChatDraft> drafts = new ArrayList<>();

    private ChatBody(Rendering rendering) {
        this.rendering = rendering;
        this.adjustments = rendering.adjustments();
        this.deepSeek = rendering.provider() == Provider.DEEPSEEK;
        this.pieces = new Pieces(adjustments, image -> !deepSeek);
    }

    static JsonObject of(Rendering rendering) {
        ChatBody body = new ChatBody(rendering);
        for (Entry entry : rendering.entries()) {
            body.add(entry);
        }
        body.settleReasoning();
        return body.whole();
    }

    private JsonObject whole() {
        if (drafts.isEmpty()) {
            rendering.noteFirst();
            drafts.add(saying(Message.USER, Rendering.CONTINUE));
        } else if (deepSeek && drafts.get(drafts.size() - 1).role.equals(Message.ASSISTANT)) {
            rendering.noteLast();
            drafts.add(saying(Message.USER, Rendering.CONTINUE));
        }
        Settings settings = rendering.settings();
        List<Json> messages = new ArrayList<>(drafts.size() + 1);
        settings.system()
                .ifPresent(system -> messages.add(saying("system", system).json()));
        drafts.forEach(draft -> messages.add(draft.json()));
        JsonObject.Builder body = JsonObject.builder().put("model", settings.model());
        body.put("messages", JsonArray.of(messages));
        if (!rendering.tools().isEmpty()) {
            body.put(
                    "tools",
                    JsonArray.of(rendering.tools().stream().map(this::tool).toList()));
        }
        settings.temperature().ifPresent(temperature -> body.put("temperature", temperature));
        settings.maxTokens().ifPresent(most -> body.put(deepSeek ? "max_tokens" : "max_completion_tokens", most));
        if (!settings.stop().isEmpty()) {
            body.put("stop", Json.of(settings.stop()));
        }
        settings.effort().ifPresent(effort -> body.put("reasoning_effort", effort));
        return body.build();
    }

    private Json tool(OfferedTool tool) {
        JsonObject.Builder function = JsonObject.builder().put("name", rendering.name(tool.name()));
        tool.description().ifPresent(text -> function.put("description", text));
        return JsonObject.builder()
                .put("type", "function")
                .put("function", function.put("parameters", tool.schema()).build())
                .build();
    }

    private static ChatDraft saying(String role, String text) {
        ChatDraft draft = new ChatDraft(role);
        draft.pieces.add(new Piece.Text(text));
        return draft;
    }

    private void add(Entry entry) {
        if (entry instanceof Entry.Said said) {
            add(said);
            return;
        }
        ChatDraft draft = new ChatDraft(Message.USER);
        if (entry instanceof Entry.Orphan orphan) {
            draft.pieces.add(new Piece.Text(rendering.orphanHeading(orphan)));
            draft.pieces.addAll(rendering.resultPieces(new Answer(orphan.message(), orphan.result()), pieces));
        } else if (entry instanceof Entry.Told told) {
            draft.pieces.addAll(pieces.of(told.message(), told.content()));
        }
        if (draft.pieces.isEmpty()) {
            rendering.noteBlank(entry.message());
        } else {
            append(entry.message(), draft);
        }
    }

    private void add(Entry.Said said) {
        ChatDraft draft = draft(said);
        List<Call> calls = rendering.calls(said);
        if (calls.isEmpty()) {
            if (draft.pieces.isEmpty()) {
                rendering.noteBlank(said.message());
                draft.reasoners.forEach(this::noteReasoning);
            } else {
                append(said.message(), draft);
            }
            return;
        }
        rendering.noteResults(said);
        for (int from = 0; from < calls.size(); from += MOST_CALLS) {
            List<Call> some = calls.subList(from, Math.min(from + MOST_CALLS, calls.size()));
            if (from > 0) {
                draft = new ChatDraft(Message.ASSISTANT);
                adjustments.add(
                        AdjustmentRule.CALL_SPLIT,
                        said.message(),
                        "expected at most " + MOST_CALLS + " calls in one message, found " + calls.size()
                                + "; the request asks for them in several");
            }
            draft.calls.addAll(some);
            append(said.message(), draft);
            addResults(some);
        }
    }

    private ChatDraft draft(Entry.Said said) {
        ChatDraft draft = new ChatDraft(Message.ASSISTANT);
        for (ContentBlock block : said.content()) {
            if (block instanceof TextBlock text) {
                if (!Blank.is(text.text())) {
                    draft.pieces.add(new Piece.Text(adjustments.wellFormed(said.message(), text.text())));
                }
            } else if (block instanceof ReasoningBlock reasoning) {
                draft.reasoners.add(said.message());
                if (deepSeek) {
                    draft.reasoning.add(adjustments.wellFormed(said.message(), reasoning.text()));
                }
            } else if (!(block instanceof ToolCallBlock)) {
                rendering.noteLeftOut(
                        said.message(), block.json().string("type").orElse(""));
            }
        }
        return draft;
    }

    private void addResults(List<Call> calls) {
        ChatDraft images = new ChatDraft(Message.USER);
        for (Call call : calls) {
            ChatDraft result = new ChatDraft(TOOL);
            result.callId = call.id();
            if (call.answer().isEmpty()) {
                result.pieces.add(new Piece.Text(Call.UNANSWERED));
            } else {
                for (Piece piece : rendering.resultPieces(call.answer().get(), pieces)) {
                    (piece instanceof Piece.Image ? images : result).pieces.add(piece);
                }
            }
            if (result.pieces.isEmpty()) {
                result.pieces.add(new Piece.Text("[The result is an image; it follows the results.]"));
            }
            drafts.add(result);
        }
        if (!images.pieces.isEmpty()) {
            images.pieces.add(0, new Piece.Text("[Images of the tool results above, in their order.]"));
            drafts.add(images);
            calls.forEach(call -> call.answer().ifPresent(this::noteImages));
        }
    }

    private void noteImages(Answer answer) {
        boolean hasImage = answer.result().content().stream()
                .anyMatch(block -> block instanceof io.surfacelog.event.ImageBlock image
                        && ImageSource.of(image.attachment()).isPresent());
        if (hasImage) {
            adjustments.add(
                    AdjustmentRule.IMAGE_MOVED,
                    answer.message(),
                    "expected a result of text, found an image; the request shows it in a user message behind the"
                            + " results");
        }
    }

    private void append(int message, ChatDraft draft) {
        if (drafts.isEmpty() && !draft.role.equals(Message.USER)) {
            rendering.noteFirst();
            drafts.add(saying(Message.USER, Rendering.CONTINUE));
        }
        ChatDraft last = drafts.isEmpty() ? null : drafts.get(drafts.size() - 1);
        if (!deepSeek || last == null || !last.role.equals(draft.role) || !last.calls.isEmpty()) {
            drafts.add(draft);
            return;
        }
        rendering.noteMerged(message);
        last.pieces.addAll(draft.pieces);
        last.calls.addAll(draft.calls);
        last.reasoning.addAll(draft.reasoning);
        last.reasoners.addAll(draft.reasoners);
    }

    /** Between two messages of the user, reasoning goes back where the model called a tool, and nowhere else. */
    private void settleReasoning() {
        int from = 0;
        for (int to = 0; to <= drafts.size(); to++) {
            if (to < drafts.size() && !drafts.get(to).role.equals(Message.USER)) {
                continue;
            }
            List<ChatDraft> turn = drafts.subList(from, to);
            boolean called = turn.stream().anyMatch(draft -> !draft.calls.isEmpty());
            for (ChatDraft draft : turn) {
                if (deepSeek && called && draft.role.equals(Message.ASSISTANT)) {
                    draft.withReasoning = true;
                } else {
                    draft.reasoners.forEach(this::noteReasoning);
                }
            }
            from = to;
        }
    }

    private void noteReasoning(int message) {
        adjustments.add(
                AdjustmentRule.REASONING_LEFT_OUT,
                message,
                deepSeek
                        ? "found reasoning outside a turn with tool calls; the request leaves it out"
                        : "found reasoning, which is not taken back; the request leaves it out");
    }
}
