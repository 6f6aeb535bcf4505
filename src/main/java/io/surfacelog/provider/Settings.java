package io.surfacelog.provider;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonNumber;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.Message;
import io.surfacelog.event.MessageSource;
import io.surfacelog.event.RequestHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a request says beside its messages and tools, as its provider takes it.
 *
 * @param model name of the model
 * @param system the system prompt, empty where it would be blank
 * @param temperature how freely is sampled, within the provider's range
 * @param maxTokens most tokens of the answer, from 1
 * @param stop texts that end the answer, none of them blank
 * @param effort how much the model is to reason
 */
record Settings(
        String model,
        Optional<String> system,
        Optional<JsonNumber> temperature,
        OptionalLong maxTokens,
        List<String> stop,
        Optional<String> effort) {

    static Settings of(
            Optional<RequestHeader> header, List<Message> messages, Provider provider, Adjustments adjustments) {
        Reader reader = new Reader(provider, adjustments);
        JsonObject config = header.map(RequestHeader::config).orElse(JsonObject.EMPTY);
        return new Settings(
                header.map(RequestHeader::model)
                        .filter(name -> !Blank.is(name))
                        .map(name -> adjustments.wellFormed(Adjustments.REQUEST, name))
                        .orElseGet(() -> reader.lastModel(messages)),
                header.flatMap(known -> reader.system(known.header().get("system"))),
                reader.temperature(config.get("temperature")),
                reader.maxTokens(config.get("maxTokens")),
                reader.stop(config.get("stop")),
                reader.effort(config.get("reasoningEffort")));
    }

    private record Reader(Provider provider, Adjustments adjustments) {

        String lastModel(List<Message> messages) {
            String model = "unknown";
            for (Message message : messages) {
                if (message.source().kind().equals(MessageSource.MODEL)) {
                    model = message.source()
                            .model()
                            .filter(name -> !Blank.is(name))
                            .orElse(model);
                }
            }
            model = adjustments.wellFormed(Adjustments.REQUEST, model);
            adjustments.add(
                    AdjustmentRule.MODEL_UNKNOWN,
                    Adjustments.REQUEST,
                    "found no request header in force that names a model; the request names the model "
                            + Adjustments.quoted(model));
            return model;
        }

        Optional<String> system(@Nullable Json recorded) {
            if (recorded == null) {
                return Optional.empty();
            }
            List<Json> items = recorded instanceof JsonArray blocks
                    ? blocks.items()
                    : recorded instanceof JsonString ? List.of(recorded) : List.of();
            List<String> texts = new ArrayList<>();
            for (Json item : items) {
                Optional<String> text = item instanceof JsonString string
                        ? Optional.of(string.value())
                        : item instanceof JsonObject block ? block.string("text") : Optional.empty();
                text.filter(found -> !Blank.is(found)).ifPresent(texts::add);
            }
            boolean plain = recorded.equals(JsonString.of(""))
                    || (items.size() == texts.size() && !(texts.isEmpty() && !(recorded instanceof JsonArray)));
            if (!plain) {
                leaveOut(
                        "system",
                        recorded,
                        "a text or an array of text blocks, not blank",
                        AdjustmentRule.SYSTEM_LEFT_OUT);
            }
            return texts.isEmpty()
                    ? Optional.empty()
                    : Optional.of(adjustments.wellFormed(Adjustments.REQUEST, String.join("\n\n", texts)));
        }

        Optional<JsonNumber> temperature(@Nullable Json recorded) {
            if (recorded == null) {
                return Optional.empty();
            }
            if (!(recorded instanceof JsonNumber number)) {
                return leaveOut("temperature", recorded, "a number", AdjustmentRule.CONFIG_LEFT_OUT);
            }
            long max = provider == Provider.ANTHROPIC ? 1 : 2;
            double value = number.doubleValue();
            if (value >= 0 && value <= max) {
                return Optional.of(number);
            }
            long nearest = value < 0 ? 0 : max;
            adjustments.add(
                    AdjustmentRule.CONFIG_CHANGED,
                    Adjustments.REQUEST,
                    "expected a temperature from 0 to " + max + ", found " + Adjustments.quoted(number.digits())
                            + "; the request says " + nearest);
            return Optional.of(JsonNumber.of(nearest));
        }

        OptionalLong maxTokens(@Nullable Json recorded) {
            if (recorded == null) {
                return OptionalLong.empty();
            }
            OptionalLong count = recorded instanceof JsonNumber number ? number.safeInteger() : OptionalLong.empty();
            if (count.isEmpty() || count.getAsLong() < 1) {
                leaveOut("maxTokens", recorded, "an integer from 1", AdjustmentRule.CONFIG_LEFT_OUT);
                return OptionalLong.empty();
            }
            return count;
        }

        List<String> stop(@Nullable Json recorded) {
            if (recorded == null) {
                return List.of();
            }
            int most = switch (provider) {
                case OPENAI -> 4;
                case DEEPSEEK -> 16;
                case ANTHROPIC -> Integer.MAX_VALUE;
            };
            List<Json> items = recorded instanceof JsonArray array ? array.items() : List.of(recorded);
            List<String> stops = new ArrayList<>();
            for (Json item : items) {
                if (item instanceof JsonString string && !Blank.is(string.value()) && stops.size() < most) {
                    stops.add(adjustments.wellFormed(Adjustments.REQUEST, string.value()));
                } else {
                    leaveOut(
                            "stop",
                            item,
                            (most == Integer.MAX_VALUE ? "texts" : "at most " + most + " texts")
                                    + " that are not blank",
                            AdjustmentRule.CONFIG_LEFT_OUT);
                }
            }
            return List.copyOf(stops);
        }

        Optional<String> effort(@Nullable Json recorded) {
            if (recorded == null) {
                return Optional.empty();
            }
            String words = switch (provider) {
                case OPENAI -> "none minimal low medium high xhigh";
                case DEEPSEEK -> "low medium high xhigh max";
                case ANTHROPIC -> "";
            };
            if (recorded instanceof JsonString string) {
                String word = string.value();
                if (!word.isEmpty() && List.of(words.split(" ")).contains(word)) {
                    return Optional.of(word);
                }
            }
            return leaveOut(
                    "reasoningEffort",
                    recorded,
                    words.isEmpty() ? "none, since not every model takes one" : "one of " + words,
                    AdjustmentRule.CONFIG_LEFT_OUT);
        }

        private <T> Optional<T> leaveOut(String member, Json found, String expected, AdjustmentRule rule) {
            adjustments.add(
                    rule,
                    Adjustments.REQUEST,
                    "expected " + member + " to be " + expected + ", found "
                            + Adjustments.quoted(WellFormed.json(found).toText()) + "; the request leaves it out");
            return Optional.empty();
        }
    }
}
