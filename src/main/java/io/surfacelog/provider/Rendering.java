package io.surfacelog.provider;

import io.surfacelog.event.Message;
import io.surfacelog.event.RequestHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the requests of all providers have in common: settings, tools, and the messages by the part they play, with the
 * spellings of this provider.
 */
final class Rendering {

    /** Speaks for the user where a provider wants the user to speak and nobody has. */
    static final String CONTINUE = "Continue.";

    private final Provider provider;
    private final Adjustments adjustments = new Adjustments();
    private final Settings settings;
    private final List<OfferedTool> tools;
    private final List<Entry> entries;
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Spellings ids;
    private final Map<Integer, List<Call>> calls = new HashMap<>();

    private Rendering(Provider provider, Optional<RequestHeader> header, List<Message> messages) {
        this.provider = provider;
        this.settings = Settings.of(header, messages, provider, adjustments);
        this.tools =
                OfferedTools.of(header.map(known -> known.header().get("tools")).orElse(null), provider, adjustments);
        this.entries = CallPairs.entries(messages, adjustments);
        List<String> recordedIds = new ArrayList<>();
        Set<String> recordedNames = new LinkedHashSet<>();
        tools.forEach(tool -> recordedNames.add(tool.name()));
        for (Entry entry : entries) {
            if (entry instanceof Entry.Said said) {
                for (AnsweredCall call : said.calls()) {
                    recordedIds.add(call.call().id());
                    recordedNames.add(call.call().name());
                }
            }
        }
        this.ids = new Spellings(Alphabet.callIds(provider), recordedIds);
        spell(recordedNames);
        for (Entry entry : entries) {
            if (entry instanceof Entry.Said said) {
                calls.put(
                        said.message(),
                        said.calls().stream()
                                .map(call -> call(said.message(), call))
                                .toList());
            }
        }
    }

    static RenderedRequest of(Provider provider, Optional<RequestHeader> header, List<Message> messages) {
        Rendering rendering = new Rendering(provider, header, messages);
        Map<String, String> recorded = new LinkedHashMap<>();
        rendering.names.forEach((name, spelling) -> recorded.put(spelling, name));
        return new RenderedRequest(
                provider,
                provider == Provider.ANTHROPIC ? AnthropicBody.of(rendering) : ChatBody.of(rendering),
                rendering.adjustments.inOrder(),
                recorded);
    }

    private void spell(Set<String> recorded) {
        Spellings spellings = new Spellings(Alphabet.names(provider), recorded);
        for (String name : recorded) {
            String spelling = spellings.next(name);
            names.put(name, spelling);
            if (!spelling.equals(name)) {
                adjustments.add(
                        AdjustmentRule.NAME_MAPPED,
                        Adjustments.REQUEST,
                        "expected a tool name of " + provider + ", found " + Adjustments.quoted(name)
                                + "; the request says " + spelling);
            }
        }
    }

    private Call call(int message, AnsweredCall answered) {
        String recorded = answered.call().id();
        String id = ids.next(recorded);
        if (!id.equals(recorded)) {
            adjustments.add(
                    AdjustmentRule.CALL_ID,
                    message,
                    "expected a call id of " + provider + " that the request does not hold yet, found "
                            + Adjustments.quoted(recorded) + "; the request says " + id);
        }
        return new Call(
                id,
                name(answered.call().name()),
                Arguments.of(message, answered.call(), adjustments),
                answered.answer(),
                answered.call());
    }

    Provider provider() {
        return provider;
    }

    Adjustments adjustments() {
        return adjustments;
    }

    Settings settings() {
        return settings;
    }

    List<OfferedTool> tools() {
        return tools;
    }

    List<Entry> entries() {
        return entries;
    }

    /** The name in the request of the tool that was recorded under this one. */
    String name(String recorded) {
        return names.getOrDefault(recorded, recorded);
    }

    /** The names in the request, in the order in which they come up. */
    List<String> names() {
        return List.copyOf(names.values());
    }

    /** The calls of this entry, in order. */
    List<Call> calls(Entry.Said said) {
        return calls.getOrDefault(said.message(), List.of());
    }

    /** Takes note of the results of these calls that are missing, or stood elsewhere. */
    void noteResults(Entry.Said said) {
        int expected = said.message();
        boolean inPlace = true;
        for (Call call : calls(said)) {
            String id = Adjustments.quoted(call.recorded().id());
            if (call.answer().isEmpty()) {
                adjustments.add(
                        AdjustmentRule.RESULT_MISSING,
                        said.message(),
                        "found no result of call " + id + "; the request holds an error that says so");
                continue;
            }
            expected++;
            inPlace &= call.answer().get().message() == expected;
            if (!inPlace) {
                adjustments.add(
                        AdjustmentRule.RESULT_MOVED,
                        call.answer().get().message(),
                        "expected the result of call " + id + " behind its call and in the order of the calls, found it"
                                + " elsewhere; the request moves it there");
            }
        }
    }

    /** The orphan as a user may tell it. */
    String orphanHeading(Entry.Orphan orphan) {
        String id = Adjustments.quoted(orphan.result().toolCallId());
        adjustments.add(
                AdjustmentRule.RESULT_ORPHAN,
                orphan.message(),
                "found a result of call " + id + ", which is not there or has its result; the request holds it as text"
                        + " of the user");
        return adjustments.wellFormed(
                orphan.message(),
                "[" + (orphan.result().isError() ? "Error" : "Result") + " of the tool call " + id
                        + ", which is not part of this conversation any more]");
    }

    /** What the result says; never nothing. */
    List<Piece> resultPieces(Answer answer, Pieces pieces) {
        List<Piece> said = pieces.of(
                answer.message(),
                answer.result().json().array("content").orElseThrow().items());
        if (!said.isEmpty()) {
            return said;
        }
        adjustments.add(
                AdjustmentRule.RESULT_EMPTY,
                answer.message(),
                "found a result that says nothing; the request says " + Call.NO_OUTPUT);
        return List.of(new Piece.Text(Call.NO_OUTPUT));
    }

    void noteBlank(int message) {
        adjustments.add(
                AdjustmentRule.MESSAGE_BLANK, message, "found a message that says nothing; the request leaves it out");
    }

    void noteMerged(int message) {
        adjustments.add(
                AdjustmentRule.MESSAGE_MERGED,
                message,
                "expected user and assistant to take turns, found two messages of one; the request joins them");
    }

    void noteFirst() {
        adjustments.add(
                AdjustmentRule.MESSAGE_FIRST,
                Adjustments.REQUEST,
                "expected a message of the user to come first, found none; the request begins with \"" + CONTINUE
                        + "\"");
    }

    void noteLast() {
        adjustments.add(
                AdjustmentRule.MESSAGE_LAST,
                Adjustments.REQUEST,
                "expected the user or a tool to come last, found the assistant; the request ends with \"" + CONTINUE
                        + "\"");
    }

    /** A block of an assistant message that no request can carry. */
    void noteLeftOut(int message, String type) {
        adjustments.add(
                AdjustmentRule.BLOCK_LEFT_OUT,
                message,
                "found a block of type " + Adjustments.quoted(type) + " in what the model said; the request leaves it"
                        + " out");
    }
}
