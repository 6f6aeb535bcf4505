package io.surfacelog.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.event.Json;
import io.surfacelog.event.JsonArray;
import io.surfacelog.event.JsonObject;
import io.surfacelog.event.JsonString;
import io.surfacelog.event.Message;
import io.surfacelog.testing.Seeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The validators find what they are there for. */
class ValidationTest {

    /** A request that holds one of everything; tests write ' for ". */
    private static final String CHAT =
            "{'model':'m','messages':[{'role':'system','content':'s'},{'role':'user','content':'q'},"
                    + "{'role':'assistant','content':null,'reasoning_content':'','tool_calls':["
                    + "{'id':'c1','type':'function','function':{'name':'read','arguments':'{}'}},"
                    + "{'id':'c2','type':'function','function':{'name':'look','arguments':'{}'}}]},"
                    + "{'role':'tool','tool_call_id':'c1','content':'one'},"
                    + "{'role':'tool','tool_call_id':'c2','content':'two'},"
                    + "{'role':'assistant','content':'a','reasoning_content':''},{'role':'user','content':'end'}],"
                    + "'tools':[{'type':'function','function':{'name':'read','parameters':{'type':'object','properties'"
                    + ":{}}}}],'temperature':1,'stop':['x'],'reasoning_effort':'high'}";

    private static final String CLAUDE =
            "{'model':'m','max_tokens':9,'system':'s','messages':[{'role':'user','content':'q'},{'role':'assistant',"
                    + "'content':[{'type':'thinking','thinking':'t','signature':'g'},"
                    + "{'type':'tool_use','id':'c1','name':'read','input':{}},"
                    + "{'type':'tool_use','id':'c2','name':'read','input':{}}]},"
                    + "{'role':'user','content':[{'type':'tool_result','tool_use_id':'c1','content':'one'},"
                    + "{'type':'tool_result','tool_use_id':'c2','is_error':true,'content':[{'type':'text','text':'two'}]},"
                    + "{'type':'text','text':'next'}]}],'tools':[{'name':'read','input_schema':{'type':'object'}}],"
                    + "'temperature':1,'stop_sequences':['x']}";

    private static JsonObject json(String text) {
        return (JsonObject) Json.parse(text.replace('\'', '"'));
    }

    @Test
    void the_examples_are_accepted() {
        assertThat(Provider.OPENAI.validate(json(CHAT))).isEmpty();
        assertThat(Provider.DEEPSEEK.validate(json(CHAT))).isEmpty();
        assertThat(Provider.ANTHROPIC.validate(json(CLAUDE))).isEmpty();
    }

    @ParameterizedTest(name = "{0}: {1} for {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "OPENAI | request.model | 'model':'m' | 'model':''",
                "OPENAI | request.messages | 'messages':[ | 'messages':7,'x':[",
                "OPENAI | message.role | 'role':'system' | 'role':'narrator'",
                "OPENAI | pair.result-missing | {'role':'tool','tool_call_id':'c2','content':'two'}, | ``",
                "OPENAI | pair.result-twice | 'tool_call_id':'c2' | 'tool_call_id':'c1'",
                "OPENAI | pair.result-unknown | 'tool_call_id':'c2' | 'tool_call_id':'c3'",
                "OPENAI | call.id | 'id':'c1' | 'id':''",
                "OPENAI | call.id-twice | 'id':'c2' | 'id':'c1'",
                "OPENAI | call.name | 'name':'look' | 'name':'look at'",
                "OPENAI | call.arguments | 'arguments':'{}' | 'arguments':{}",
                "OPENAI | call.shape | 'type':'function','function':{'name':'look' | 'function':{'name':'look'",
                "OPENAI | content.empty | 'content':'a' | 'content':' '",
                "OPENAI | content.shape | 'content':'q' | 'content':null",
                "OPENAI | content.block | 'content':'q' | 'content':[{'type':'video'}]",
                "OPENAI | content.image | 'content':'one' | 'content':[{'type':'image_url','image_url':{'url':'https://x.example'}}]",
                "OPENAI | tools.list | 'tools':[ | 'tools':[],'x':[",
                "OPENAI | tools.name | 'function':{'name':'read','parameters' | 'function':{'name':'re ad','parameters'",
                "OPENAI | tools.schema | 'type':'object' | 'type':'array'",
                "OPENAI | request.temperature | 'temperature':1 | 'temperature':3",
                "OPENAI | request.stop | 'stop':['x'] | 'stop':['1','2','3','4','5']",
                "OPENAI | request.reasoning-effort | 'high' | 'max'",
                "OPENAI | request.max-tokens | 'temperature':1 | 'max_completion_tokens':0",
                "OPENAI | unicode.lone-surrogate | 'content':'q' | 'content':'\\ud800'",
                "DEEPSEEK | order.first | {'role':'user','content':'q'}, | ``",
                "DEEPSEEK | order.alternation | {'role':'user','content':'q'} | {'role':'user','content':'p'},{'role':'user','content':'q'}",
                "DEEPSEEK | order.last | ,{'role':'user','content':'end'} | ``",
                "DEEPSEEK | reasoning.missing | 'content':'a','reasoning_content':'' | 'content':'a'",
                "DEEPSEEK | call.arguments | 'arguments':'{}' | 'arguments':'oops'",
                "ANTHROPIC | request.max-tokens | 'max_tokens':9, | ``",
                "ANTHROPIC | request.system | 'system':'s' | 'system':' '",
                "ANTHROPIC | request.temperature | 'temperature':1 | 'temperature':1.5",
                "ANTHROPIC | request.stop | ['x'] | [' ']",
                "ANTHROPIC | order.first | {'role':'user','content':'q'}, | ``",
                "ANTHROPIC | order.last | 'temperature' | 'messages':[{'role':'user','content':'q'},{'role':'assistant','content':'a'}],'temperature'",
                "ANTHROPIC | order.alternation | {'role':'user','content':'q'} | {'role':'user','content':'p'},{'role':'user','content':'q'}",
                "ANTHROPIC | content.empty | 'text':'next' | 'text':''",
                "ANTHROPIC | pair.result-missing | {'type':'tool_result','tool_use_id':'c1','content':'one'}, | ``",
                "ANTHROPIC | pair.result-twice | 'tool_use_id':'c2' | 'tool_use_id':'c1'",
                "ANTHROPIC | pair.result-unknown | 'tool_use_id':'c2' | 'tool_use_id':'c9'",
                "ANTHROPIC | pair.result-place | {'type':'tool_result','tool_use_id':'c1' | {'type':'text','text':'t'},{'type':'tool_result','tool_use_id':'c1'",
                "ANTHROPIC | call.id | 'id':'c1' | 'id':'c.1'",
                "ANTHROPIC | call.id-twice | 'id':'c2' | 'id':'c1'",
                "ANTHROPIC | call.name | 'name':'read','input':{} | 'name':'','input':{}",
                "ANTHROPIC | call.arguments | 'input':{} | 'input':'{}'",
                "ANTHROPIC | tools.undefined | 'tools' | 'x'",
                "ANTHROPIC | tools.name-twice | 'tools':[ | 'tools':[{'name':'read','input_schema':{'type':'object'}},",
                "ANTHROPIC | tools.schema | 'type':'object' | 'type':'object','anyOf':[]",
                "ANTHROPIC | reasoning.thinking | ,'signature':'g' | ``",
                "ANTHROPIC | content.block | 'type':'text','text':'two' | 'type':'image','source':{}",
                "ANTHROPIC | content.shape | 'content':'q' | 'content':7",
                "ANTHROPIC | content.image | {'type':'text','text':'next'} | {'type':'image','source':{'type':'url','url':'http://x.example'}}",
                "ANTHROPIC | unicode.lone-surrogate | 'input':{} | 'input':{'\\udc00':1}",
            })
    void each_fault_is_found_by_its_rule(Provider provider, String rule, String sound, String broken) {
        String request = provider == Provider.ANTHROPIC ? CLAUDE : CHAT;
        assertThat(request).contains(sound);
        int at = request.indexOf(sound);
        // a later member of the same name would be a duplicate key: the first messages give way
        String text = request.substring(0, at) + broken + request.substring(at + sound.length());
        if (broken.contains("'messages':[{")) {
            text = text.replaceFirst("'messages':", "'earlier':");
        }

        List<Violation> violations = provider.validate(json(text));

        assertThat(violations).extracting(Violation::rule).contains(rule);
        assertThat(violations).allSatisfy(violation -> {
            assertThat(violation.at()).isNotBlank();
            assertThat(violation.message()).contains("expected", "found");
        });
    }

    @Test
    void a_request_that_is_broken_anywhere_in_its_pairs_is_refused() {
        Seeds.forEach(600, seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (Provider provider : Provider.values()) {
                JsonObject body =
                        provider.render(Chat.header(), history(random)).body();
                assertThat(provider.validate(body)).isEmpty();
                Json broken = provider == Provider.ANTHROPIC ? breakBlocks(body, random) : breakMessages(body, random);
                assertThat(provider.validate(body.with("messages", broken)))
                        .as("%s %s from %s", provider, broken, body)
                        .isNotEmpty();
            }
        });
    }

    private static List<Message> history(SplittableRandom random) {
        List<Message> messages = new ArrayList<>();
        for (int turn = 0; turn <= random.nextInt(4); turn++) {
            messages.add(Chat.user("q" + turn));
            String id = "c" + turn;
            messages.add(Chat.assistant(Chat.call(id), Chat.call(id + "b")));
            messages.add(Chat.result(id, "one"));
            messages.add(Chat.result(id + "b", "two"));
        }
        return messages;
    }

    private static Json breakMessages(JsonObject body, SplittableRandom random) {
        List<Json> messages =
                new ArrayList<>(body.array("messages").orElseThrow().items());
        List<Integer> results = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            if (((JsonObject) messages.get(i)).string("role").orElseThrow().equals("tool")) {
                results.add(i);
            }
        }
        int result = results.get(random.nextInt(results.size()));
        JsonObject message = (JsonObject) messages.get(result);
        switch (random.nextInt(5)) {
            case 0 -> messages.remove(result);
            case 1 -> messages.add(result, message);
            case 2 -> messages.set(result, message.with("tool_call_id", JsonString.of("other")));
            case 3 -> messages.add(0, messages.remove(result));
            default -> messages.add(result, Json.parse("{\"role\":\"user\",\"content\":\"between\"}"));
        }
        return JsonArray.of(messages);
    }

    private static Json breakBlocks(JsonObject body, SplittableRandom random) {
        List<Json> messages =
                new ArrayList<>(body.array("messages").orElseThrow().items());
        List<Integer> callers = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            if (((JsonObject) messages.get(i)).string("role").orElseThrow().equals("assistant")) {
                callers.add(i);
            }
        }
        int at = callers.get(random.nextInt(callers.size())) + 1;
        JsonObject message = (JsonObject) messages.get(at);
        List<Json> blocks =
                new ArrayList<>(message.array("content").orElseThrow().items());
        JsonObject result = (JsonObject) blocks.get(0);
        switch (random.nextInt(5)) {
            case 0 -> blocks.remove(0);
            case 1 -> blocks.add(result);
            case 2 -> blocks.set(0, result.with("tool_use_id", JsonString.of("other")));
            case 3 -> blocks.add(0, Json.parse("{\"type\":\"text\",\"text\":\"first\"}"));
            default -> {
                messages.remove(at - 1);
                at--;
            }
        }
        messages.set(at, message.with("content", JsonArray.of(blocks)));
        return JsonArray.of(messages);
    }

    @Test
    void the_page_lists_every_code_once_and_invents_none() throws IOException {
        String page = Files.readString(Path.of("docs/providers.md"));
        List<String> listed = Pattern.compile("(?m)^\\| `([a-z-]+\\.[a-z-]+)` \\|")
                .matcher(page)
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(listed)
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                Arrays.stream(AdjustmentRule.values()).map(AdjustmentRule::code),
                                Arrays.stream(ViolationRule.values()).map(ViolationRule::code))
                        .distinct()
                        .toList());
    }
}
