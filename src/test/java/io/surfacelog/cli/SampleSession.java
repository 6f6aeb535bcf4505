package io.surfacelog.cli;

import io.surfacelog.event.CompactionEnd;
import io.surfacelog.event.CompactionPrune;
import io.surfacelog.event.CompactionStart;
import io.surfacelog.event.CompactionSummary;
import io.surfacelog.event.ContextMessage;
import io.surfacelog.event.EventSeqs;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.OpaquePayload;
import io.surfacelog.event.RequestContext;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import io.surfacelog.event.Shadowed;
import io.surfacelog.event.SteeringMessage;
import io.surfacelog.event.SurfaceIntent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.TodoWrite;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolError;
import io.surfacelog.event.ToolResult;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.event.UserMessage;
import io.surfacelog.surface.SurfaceNode;
import io.surfacelog.transfer.JsonlWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The bundled sample: six turns of a support agent of a shop that does not exist. The agent's process died twice: in turn 4
 * while it was speaking, which was recovered then, and in turn 6 while its tools ran, which is left to whoever imports it.
 */
final class SampleSession {

    private static final long MORNING = 1_772_442_840_000L;
    private static final int PRUNE_OVER = 8_192;
    private static final int PRUNE_HEAD = 4_096;
    private static final int PRUNE_TAIL = 1_024;

    private final SampleLog log = new SampleLog(MORNING);

    private SampleSession() {}

    static SessionHeader header() {
        return SessionHeader.builder()
                .id(SessionId.of("sample-parcel-support"))
                .createdAt(MORNING)
                .cwd("/srv/support-desk")
                .agentPreset("support")
                .build();
    }

    static List<SessionEvent> events() {
        SampleSession session = new SampleSession();
        session.findTheParcel();
        session.bookADelivery();
        session.readTheConditions();
        session.refundAndBreakOff();
        session.goOn();
        session.crash();
        return session.log.events();
    }

    /** The bytes of the bundled file. */
    static byte[] file() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonlWriter writer = JsonlWriter.open(bytes, header())) {
            for (SessionEvent event : events()) {
                writer.write(event);
            }
        }
        return bytes.toByteArray();
    }

    private void findTheParcel() {
        log.startTurn("Good morning! My parcel for order A-1047 was due on Friday and never came. Where is it?");
        log.add(title("Order A-1047"));
        log.add(
                ContextMessage.of(log.message(
                        MessageSource.ofKind("context"),
                        TextBlock.of(
                                "Customer since 2021, writes English, three orders this year, no open complaint."))),
                SurfaceIntent.append());
        log.add(requestHeader(RequestHeader.INITIAL));
        log.add(RequestContext.of(SampleLog.PROVIDER, SampleLog.MODEL, 8_192L));
        log.startStep();
        ToolCallBlock order = ToolCallBlock.of("call-1", "find_order", "{\"order\":\"A-1047\"}");
        ToolCallBlock parcel = ToolCallBlock.of("call-2", "track_parcel", "{\"order\":\"A-1047\",\"last\":3}");
        log.answer(
                "I need the order and the parcel's way. Both can be asked at once.",
                "I will look that up for you.",
                412,
                order,
                parcel);
        log.startCall(order);
        log.startCall(parcel);
        log.after(310).result(parcel, """
                {"events":[{"at":"Thu 17:20","what":"left the warehouse"},{"at":"Fri 08:05","what":"arrived at depot North"},\
                {"at":"Fri 08:40","what":"held: flat number missing"}]}""");
        log.result(
                order,
                "{\"order\":\"A-1047\",\"items\":[\"desk lamp\",\"charger\"],\"paid\":\"54.90\",\"deliveryFee\":\"4.90\"}");
        log.endStep();
        log.startStep();
        log.answer(
                "",
                "Your parcel has been at depot North since Friday morning: the label lacks your flat number, so the"
                        + " driver could not deliver it. Tell me the number and I will book a new delivery.",
                655);
        log.endStep();
        log.endTurn();
        log.add(title("Parcel of order A-1047 held at the depot"));
    }

    private void bookADelivery() {
        log.after(95_000).startTurn("It is flat 12. Please have it delivered tomorrow.");
        log.add(todos("in_progress", "pending", "pending"));
        log.startStep();
        ToolCallBlock morning =
                ToolCallBlock.of("call-3", "book_delivery", "{\"order\":\"A-1047\",\"slot\":\"Tue 8-12\"}");
        log.answer("Tomorrow is Tuesday. The first slot is the morning.", "", 702, morning);
        log.startCall(morning);
        log.add(
                SteeringMessage.of(log.message(
                        MessageSource.ofKind("steering"), TextBlock.of("The afternoon would suit me even better."))),
                SurfaceIntent.append());
        log.result(
                morning,
                ToolResult.of(
                                log.turn(),
                                log.step(),
                                log.toolMessage(ToolResultBlock.error(
                                        morning.id(), "The slot Tue 8-12 is full. Free: Tue 13-17, Wed 8-12.")))
                        .withError(new ToolError("ToolExecutionError", "SLOT_FULL")));
        log.endStep();
        log.startStep();
        ToolCallBlock afternoon = ToolCallBlock.of(
                "call-4", "book_delivery", "{\"order\":\"A-1047\",\"slot\":\"Tue 13-17\",\"flat\":\"12\"}");
        log.answer("The morning is full, and the customer prefers the afternoon anyway.", "", 790, afternoon);
        log.startCall(afternoon);
        log.after(640).result(afternoon, "{\"booked\":\"Tue 13-17\",\"flat\":\"12\",\"reference\":\"R-88\"}");
        log.endStep();
        log.add(todos("completed", "completed", "pending"));
        log.startStep();
        log.answer("", "Done: tomorrow between 13 and 17 o’clock, flat 12. Your reference is R-88.", 861);
        log.endStep();
        log.endTurn();
    }

    private void readTheConditions() {
        log.after(61_000).startTurn("Thank you. Do I get the delivery fee back, now that it comes four days late?");
        log.startStep();
        ToolCallBlock conditions = ToolCallBlock.of("call-5", "read_policy", "{\"topic\":\"late delivery\"}");
        log.answer("That is for the delivery conditions to say.", "Let me read our conditions.", 934, conditions);
        log.startCall(conditions);
        String text = conditions();
        ToolResult whole =
                ToolResult.of(log.turn(), log.step(), log.toolMessage(ToolResultBlock.of(conditions.id(), text)));
        long result = log.result(conditions, whole);
        log.endStep();
        log.startStep();
        log.answer(
                "Section 41: more than two days late, fee refunded on request.",
                "Yes. By section 41 the fee of 4.90 is refunded on request when a parcel is more than two days late."
                        + " Shall I refund it?",
                3_310);
        log.endStep();
        log.endTurn();
        prune(result, whole, text);
    }

    private void prune(long result, ToolResult whole, String text) {
        int points = text.codePointCount(0, text.length());
        if (points <= PRUNE_OVER) {
            throw new IllegalStateException("expected a text that is pruned, found one of " + points);
        }
        String pruned = text.substring(0, text.offsetByCodePoints(0, PRUNE_HEAD))
                + "\n[… " + (points - PRUNE_HEAD - PRUNE_TAIL) + " characters left out …]\n"
                + text.substring(text.offsetByCodePoints(text.length(), -PRUNE_TAIL));
        long prune = log.add(CompactionPrune.of(new Shadowed(result, result, EventSeqs.of(result), points / 4)));
        log.add(
                whole.withContent(JsonArray.of(List.of(TextBlock.of(pruned).json()))),
                SurfaceIntent.replace(result, result).citing(result, prune));
    }

    private void refundAndBreakOff() {
        log.after(33_000).startTurn("Yes, please.");
        compact();
        log.startStep();
        ToolCallBlock refund = ToolCallBlock.of(
                "call-6", "issue_refund", "{\"order\":\"A-1047\",\"amount\":\"4.90\",\"reason\":\"late\"}");
        log.answer("", "I am refunding the fee.", 2_040, refund);
        log.startCall(refund);
        log.after(880).result(refund, "{\"refund\":\"4.90\",\"to\":\"card ending in 0000\",\"days\":3}");
        log.endStep();
        log.startStep();
        log.streamOpenText(
                0, "The fee of 4.90 is on its way back to your card; allow three days. Is there anything el");
        log.recover();
    }

    /** Hides the first two turns behind a summary. */
    private void compact() {
        long[] nodes = hidden();
        EventSeqs seqs = EventSeqs.of(nodes);
        Shadowed shadowed = new Shadowed(nodes[0], nodes[nodes.length - 1], seqs, 840);
        String summary = """
                The customer asked for the parcel of order A-1047 (desk lamp, charger; paid 54.90, delivery fee 4.90). \
                It was held at depot North since Friday because the flat number was missing. A new delivery is booked: \
                Tuesday 13-17, flat 12, reference R-88.""";
        long start = log.add(CompactionStart.of("compaction-1", log.turn()));
        log.after(2_400);
        long made = log.add(CompactionSummary.of(
                "compaction-1",
                JsonArray.of(List.of(TextBlock.of(summary).json())),
                shadowed,
                SampleLog.PROVIDER,
                SampleLog.MODEL));
        MessageSource compact = new MessageSource(JsonObject.builder()
                .put("kind", "plugin")
                .put("plugin", "compact")
                .put("compactionId", "compaction-1")
                .build());
        log.add(
                UserMessage.of(log.message(compact, TextBlock.of("Summary of the conversation so far: " + summary))),
                SurfaceIntent.replace(shadowed.start(), shadowed.end())
                        .citing(seqs.and(start).and(made)));
        log.add(CompactionEnd.of("compaction-1", log.turn(), null));
    }

    /** The nodes before the third thing the customer said. */
    private long[] hidden() {
        List<SurfaceNode> nodes = log.surface().nodes();
        long third = nodes.stream()
                .filter(node -> node.event().payload() instanceof UserMessage)
                .skip(2)
                .findFirst()
                .orElseThrow()
                .seq();
        return Arrays.stream(log.surface().nodeSeqs())
                .takeWhile(seq -> seq != third)
                .toArray();
    }

    private void goOn() {
        log.after(240_000)
                .startTurn("You broke off. Did the refund go through? And is the charger in the parcel at all?");
        log.add(requestHeader(RequestHeader.RESUME));
        log.startStep();
        log.answer(
                "The result of the refund stands above: it went through. The charger: item of the order.",
                "The refund went through, 4.90 to your card. The order holds a desk lamp and a charger; both left the"
                        + " warehouse in one parcel. 📦",
                2_190);
        log.endStep();
        log.add(todos("completed", "completed", "completed"));
        log.endTurn();
    }

    private void crash() {
        log.after(52_000).startTurn("Then please order a second charger, and send me one mail about all of this.");
        log.startStep();
        ToolCallBlock order = ToolCallBlock.of("call-7", "place_order", "{\"item\":\"charger\",\"count\":1}");
        ToolCallBlock mail = ToolCallBlock.of("call-8", "send_mail", "{\"about\":[\"R-88\",\"refund\",\"charger\"]}");
        log.answer("Two things that do not depend on each other.", "I will do both.", 2_304, order, mail);
        log.startCall(order);
    }

    private static OpaquePayload title(String title) {
        return OpaquePayload.of(
                "session/title", JsonObject.builder().put("title", title).build());
    }

    private static TodoWrite todos(String first, String second, String third) {
        return TodoWrite.of(List.of(
                new TodoWrite.Todo("Find the parcel", first),
                new TodoWrite.Todo("Book a new delivery", second),
                new TodoWrite.Todo("Settle the delivery fee", third)));
    }

    private static RequestHeader requestHeader(String reason) {
        JsonObject config = JsonObject.builder()
                .put("provider", SampleLog.PROVIDER)
                .put("model", SampleLog.MODEL)
                .put("temperature", JsonNumber.ofDigits("0.2"))
                .put("maxTokens", 1_024)
                .build();
        List<JsonObject> tools = List.of(
                tool("find_order", "Items and payments of an order", "order"),
                tool("track_parcel", "Where the parcel of an order has been", "order", "last"),
                tool("book_delivery", "Books a delivery in a time slot", "order", "slot", "flat"),
                tool("read_policy", "The shop's conditions on a topic", "topic"),
                tool("issue_refund", "Refunds an amount", "order", "amount", "reason"),
                tool("place_order", "Orders an item for the customer", "item", "count"),
                tool("send_mail", "Sends the customer a mail", "about"));
        return RequestHeader.of(
                JsonObject.builder()
                        .put("config", config)
                        .put(
                                "system",
                                "You are the support desk of a small shop. Be brief and kind, and never guess: look it up.")
                        .put("tools", JsonArray.of(tools))
                        .build(),
                reason);
    }

    private static JsonObject tool(String name, String description, String... parameters) {
        JsonObject.Builder properties = JsonObject.builder();
        for (String parameter : parameters) {
            properties.put(parameter, JsonObject.builder().build());
        }
        Json schema = JsonObject.builder()
                .put("type", "object")
                .put("properties", properties.build())
                .build();
        return JsonObject.builder()
                .put("name", name)
                .put("description", description)
                .put("parameters", schema)
                .build();
    }

    /** Longer than a tool result may stay. */
    private static String conditions() {
        List<String> matters =
                List.of("lamps", "chargers", "cables", "batteries", "gift cards", "spare parts", "returns");
        return IntStream.rangeClosed(1, 80)
                .mapToObj(section -> section == 41
                        ? "41. A parcel more than two days late: the delivery fee is refunded on request, without"
                                + " further conditions."
                        : section + ". Delivery of " + matters.get(section % matters.size()) + " in zone "
                                + (section % 9 + 1) + ": within " + (section % 5 + 2)
                                + " working days of the order; Sundays and holidays do not count as days. (§" + section
                                + ")")
                .collect(Collectors.joining("\n", "Conditions of delivery\n\n", "\n\nEnd of the conditions."));
    }
}
