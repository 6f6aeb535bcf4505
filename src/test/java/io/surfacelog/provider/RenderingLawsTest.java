package io.surfacelog.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.ImageBlock;
import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNull;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.ReasoningBlock;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.TextBlock;
import io.surfacelog.event.ToolCallBlock;
import io.surfacelog.event.ToolResultBlock;
import io.surfacelog.surface.Closers;
import io.surfacelog.surface.LogReader;
import io.surfacelog.surface.RecoverySettings;
import io.surfacelog.surface.Surface;
import io.surfacelog.testing.OddValues;
import io.surfacelog.testing.Seeds;
import io.surfacelog.testing.SessionGenerator;
import io.surfacelog.testing.SharedFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever a surface holds, its request is one that the provider accepts. */
class RenderingLawsTest {

    @TempDir
    Path folder;

    @Test
    void every_reachable_surface_renders_acceptably_before_and_after_recovery() {
        Seeds.forEach(400, seed -> {
            List<SessionEvent> log = SessionGenerator.any(seed).log();
            Surface surface = Logs.fold(log);
            ProviderAssertions.rendersForAll(surface);
            List<SessionEvent> closers = Closers.of(surface, LogReader.of(log), new RecoverySettings(true, true));
            ProviderAssertions.rendersForAll(surface.plan(closers).after());
        });
    }

    @Test
    void every_prefix_renders_acceptably() {
        Seeds.forEach(25, seed -> {
            Surface surface = Surface.empty();
            for (SessionEvent event : SessionGenerator.any(seed).log()) {
                surface = surface.plan(List.of(event)).after();
                ProviderAssertions.rendersForAll(surface);
            }
        });
    }

    @Test
    void every_list_of_messages_and_every_header_renders_acceptably() {
        Seeds.forEach(700, seed -> {
            Chaos chaos = new Chaos(seed);
            Optional<RequestHeader> header = chaos.header();
            List<Message> messages = chaos.messages();
            for (Provider provider : Provider.values()) {
                ProviderAssertions.sound(provider, header, messages);
            }
        });
    }

    @Test
    void nothing_that_was_said_is_lost_and_each_result_stands_with_its_call() {
        Seeds.forEach(300, seed -> {
            List<Message> messages = new Chaos(seed).messages();
            for (Provider provider : Provider.values()) {
                String body = provider.render(Optional.empty(), messages).body().toText();
                for (Message message : messages) {
                    for (ContentBlock block : message.content()) {
                        if (block instanceof TextBlock text && !Blank.is(text.text())) {
                            String said =
                                    JsonString.of(WellFormed.text(text.text())).toText();
                            assertThat(body).contains(said.substring(1, said.length() - 1));
                        }
                    }
                }
            }
        });
    }

    @Test
    void every_prefix_of_the_real_logs_and_the_reported_faults_renders_acceptably() throws IOException {
        int surfaces = 0;
        for (Path source : List.of(SharedFolder.realLogs(), SharedFolder.bugCases())) {
            try (Stream<Path> files = Files.list(source)) {
                for (Path file : files.filter(name -> name.toString().endsWith(".jsonl"))
                        .sorted()
                        .toList()) {
                    List<Surface> prefixes = new ArrayList<>();
                    Logs.prefixes(file, folder, prefixes::add);
                    prefixes.forEach(ProviderAssertions::rendersForAll);
                    surfaces += prefixes.size();
                }
            }
        }
        assertThat(surfaces).isGreaterThan(300);
    }

    /** Messages and headers that no log need ever hold. */
    private static final class Chaos {

        private static final List<String> IDS = List.of("c1", "c2", "", "c 1", "c_1", "\uD800", "x".repeat(300));
        private static final List<String> NAMES =
                List.of("read", "a b", "a_b", "", "\0", "\uD800", "\uD801", "ünï", "n".repeat(65), "n".repeat(200));

        private final SplittableRandom random;
        private final OddValues odd;

        Chaos(long seed) {
            random = new SplittableRandom(seed);
            odd = new OddValues(random);
        }

        private <T> T pick(List<T> of) {
            return of.get(random.nextInt(of.size()));
        }

        List<Message> messages() {
            List<Message> messages = new ArrayList<>();
            for (int i = random.nextInt(14); i > 0; i--) {
                messages.add(message(i));
            }
            return messages;
        }

        private Message message(int number) {
            String id = random.nextInt(5) == 0 ? "interrupted-tool-result-c1-" + number : "m" + number;
            return switch (random.nextInt(7)) {
                case 0, 1 -> Message.of(id, Message.USER, MessageSource.ofKind("user"), blocks());
                case 2 -> Message.of(id, odd.text(), MessageSource.ofKind("other"), blocks());
                case 3, 4 ->
                    Message.of(id, Message.ASSISTANT, MessageSource.model(odd.name("p"), odd.name("m")), blocks());
                default -> {
                    String call = pick(IDS);
                    yield Message.of(id, Message.USER, MessageSource.tool(call), List.of(result(call)));
                }
            };
        }

        private ToolResultBlock result(String call) {
            JsonObject block =
                    ToolResultBlock.of(call, blocks(), random.nextInt(4) == 0).json();
            return new ToolResultBlock(
                    random.nextInt(6) == 0
                            ? block.with("content", JsonArray.of(List.of(odd.value(), odd.value())))
                            : block);
        }

        private List<ContentBlock> blocks() {
            List<ContentBlock> blocks = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                blocks.add(block());
            }
            return blocks;
        }

        private ContentBlock block() {
            return switch (random.nextInt(9)) {
                case 0, 1 -> TextBlock.of(odd.text());
                case 2 ->
                    ContentBlock.of(ReasoningBlock.of(odd.text())
                            .json()
                            .with("signature", random.nextBoolean() ? JsonString.of(odd.text()) : odd.value()));
                case 3 -> ImageBlock.of(attachment());
                case 4 -> ContentBlock.of(odd.object().with("type", JsonString.of(odd.text())));
                case 5 -> ToolResultBlock.of(pick(IDS), odd.text());
                default -> ToolCallBlock.of(pick(IDS), pick(NAMES), arguments());
            };
        }

        private Json attachment() {
            return switch (random.nextInt(6)) {
                case 0 -> odd.value();
                case 1 -> JsonString.of("https://pictures.example/a.png");
                case 2 -> JsonString.of("http://pictures.example/a.png");
                case 3 -> Json.parse("{\"url\":\"https://pictures.example/" + random.nextInt(3) + ".png\"}");
                case 4 -> Json.parse("{\"mediaType\":\"image/png\",\"data\":\"iVBORw0KGgo=\"}");
                default -> Json.parse("{\"source\":{\"media_type\":\"image/tiff\",\"data\":\"AAAA\"}}");
            };
        }

        private String arguments() {
            return switch (random.nextInt(5)) {
                case 0 -> odd.text();
                case 1 -> odd.value().toText();
                case 2 -> "{\"a\":" + "[".repeat(90) + "]".repeat(90) + "}";
                default -> odd.object().toText();
            };
        }

        Optional<RequestHeader> header() {
            if (random.nextInt(6) == 0) {
                return Optional.empty();
            }
            JsonObject.Builder config =
                    JsonObject.builder().put("provider", odd.name("p")).put("model", odd.name("m"));
            maybe(config, "temperature", odd.number());
            maybe(config, "temperature", odd.value());
            maybe(config, "maxTokens", odd.number());
            maybe(config, "stop", Json.of(List.of(odd.text(), odd.value(), "x", "y", "z")));
            maybe(config, "stop", odd.value());
            maybe(config, "reasoningEffort", JsonString.of(pick(List.of("low", "max", "none", "x"))));
            JsonObject.Builder header = JsonObject.builder().put("config", config.build());
            maybe(header, "system", JsonString.of(odd.text()));
            maybe(header, "system", odd.value());
            maybe(header, "tools", odd.value());
            maybe(header, "tools", tools());
            return Optional.of(RequestHeader.of(header.build(), RequestHeader.INITIAL));
        }

        private void maybe(JsonObject.Builder object, String name, Json value) {
            if (random.nextInt(3) == 0) {
                object.put(name, value);
            }
        }

        private Json tools() {
            List<Json> tools = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                JsonObject tool = JsonObject.builder()
                        .put("name", pick(NAMES))
                        .put("description", odd.text())
                        .put(random.nextBoolean() ? "parameters" : "input_schema", schema())
                        .build();
                tools.add(
                        switch (random.nextInt(5)) {
                            case 0 -> odd.value();
                            case 1 ->
                                JsonObject.builder()
                                        .put("type", "function")
                                        .put("function", tool)
                                        .build();
                            default -> tool;
                        });
            }
            return random.nextInt(20) == 0 ? JsonNull.NULL : JsonArray.of(tools);
        }

        private Json schema() {
            return switch (random.nextInt(4)) {
                case 0 -> odd.value();
                case 1 -> odd.object().with("type", JsonString.of("object")).with("properties", odd.object());
                case 2 ->
                    Json.parse("{\"type\":\"object\",\"anyOf\":[{}],\"properties\":{\"a b\":{},\"c\":{}},"
                            + "\"required\":[\"a b\",\"c\"]}");
                default -> Json.parse("{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"}}}");
            };
        }
    }
}
