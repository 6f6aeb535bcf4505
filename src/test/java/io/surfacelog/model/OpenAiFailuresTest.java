package io.surfacelog.model;

import static io.surfacelog.model.OpenAiStreams.KEY;
import static io.surfacelog.model.OpenAiStreams.content;
import static io.surfacelog.model.OpenAiStreams.failure;
import static io.surfacelog.model.OpenAiStreams.finish;
import static io.surfacelog.model.OpenAiStreams.settings;
import static org.assertj.core.api.Assertions.assertThat;

import io.surfacelog.model.ModelException.Kind;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What an endpoint refuses, and what that is for whoever decides whether to try again. */
class OpenAiFailuresTest {

    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String MESSAGE =
            "{\"error\":{\"message\":\"No such luck.\",\"type\":\"t\",\"param\":null,\"code\":\"c\"}}";

    @ParameterizedTest
    @CsvSource({
        "400 Bad Request, PERMANENT, INVALID_REQUEST",
        "401 Unauthorized, PERMANENT, UNAUTHORIZED",
        "402 Payment Required, PERMANENT, QUOTA_EXHAUSTED",
        "403 Forbidden, PERMANENT, FORBIDDEN",
        "404 Not Found, PERMANENT, NOT_FOUND",
        "408 Request Timeout, TRANSIENT, TIMEOUT",
        "409 Conflict, TRANSIENT, CONFLICT",
        "413 Content Too Large, CONTEXT_OVERFLOW, CONTEXT_OVERFLOW",
        "418 Teapot, PERMANENT, UNEXPECTED_STATUS",
        "422 Unprocessable, PERMANENT, INVALID_REQUEST",
        "429 Too Many, TRANSIENT, RATE_LIMITED",
        "500 Internal, TRANSIENT, SERVER_ERROR",
        "502 Bad Gateway, TRANSIENT, SERVER_ERROR",
        "503 Unavailable, TRANSIENT, OVERLOADED",
        "504 Gateway Timeout, TRANSIENT, TIMEOUT",
        "529 Overloaded, TRANSIENT, OVERLOADED",
    })
    void a_status_says_what_kind_of_failure_it_is_and_is_asked_for_once(String status, Kind kind, String code)
            throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.answering(status, JSON + "X-Request-Id: req_7\r\n", MESSAGE)) {
            ModelException fault = failure(endpoint);

            assertThat(fault.kind()).isEqualTo(kind);
            assertThat(fault.code()).isEqualTo(code);
            assertThat(fault.status()).hasValue(Integer.parseInt(status.substring(0, 3)));
            assertThat(fault.requestId()).contains("req_7");
            assertThat(fault.retryAfter()).isEmpty();
            assertThat(fault).hasMessageContaining(endpoint.url()).hasMessageContaining("\"No such luck.\"");
            assertThat(endpoint.received()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"error\":{\"message\":\"x\",\"code\":\"context_length_exceeded\"}}",
                "{\"error\":{\"message\":\"This model's maximum context length is 8192 tokens.\",\"code\":null}}",
                "{\"object\":\"error\",\"message\":\"the maximum context length is 4096 tokens\",\"code\":400}",
                "{\"error\":{\"code\":400,\"message\":\"too large\",\"type\":\"exceed_context_size_error\"}}",
            })
    void a_conversation_that_is_too_long_is_an_overflow(String body) throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.answering("400 Bad Request", JSON, body)) {
            ModelException fault = failure(endpoint);

            assertThat(fault.kind()).isEqualTo(Kind.CONTEXT_OVERFLOW);
            assertThat(fault).hasMessageContaining("compact");
        }
    }

    @Test
    void a_quota_that_is_used_up_does_not_come_back_by_trying_again() throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.answering(
                "429 Too Many", JSON, "{\"error\":{\"message\":\"m\",\"code\":\"insufficient_quota\"}}")) {
            assertThat(failure(endpoint).kind()).isEqualTo(Kind.PERMANENT);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "Retry-After: 20, 20000",
        "Retry-After: 1.5, 1500",
        "retry-after-ms: 250, 250",
        "Retry-After: 0, 0",
    })
    void how_long_to_wait_is_told_and_left_to_the_caller(String header, long millis) throws Exception {
        for (String status : new String[] {"429 Too Many", "503 Unavailable"}) {
            try (BadEndpoint endpoint = BadEndpoint.answering(status, JSON + header + "\r\n", MESSAGE)) {
                assertThat(failure(endpoint).retryAfter()).contains(Duration.ofMillis(millis));
                assertThat(endpoint.received()).hasSize(1);
            }
        }
    }

    @Test
    void a_date_to_wait_for_is_told_as_the_time_until_then() throws Exception {
        assertThat(waitFor(DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        ZonedDateTime.now(ZoneOffset.UTC).plusHours(1))))
                .isBetween(Duration.ofMinutes(55), Duration.ofHours(1));
        assertThat(waitFor("Sun, 06 Nov 1994 08:49:37 GMT")).isEqualTo(Duration.ZERO);
        assertThat(waitFor("soon")).isNull();
        assertThat(waitFor("-3")).isNull();
        assertThat(waitFor("1e3")).isNull();
        assertThat(waitFor("99999999999999999999"))
                .as("longer than can be counted")
                .isEqualTo(Duration.ofMillis(Long.MAX_VALUE));
    }

    private static Duration waitFor(String value) throws Exception {
        try (BadEndpoint endpoint =
                BadEndpoint.answering("429 Too Many", JSON + "Retry-After: " + value + "\r\n", MESSAGE)) {
            return failure(endpoint).retryAfter().orElse(null);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "<html><h1>502 Bad Gateway</h1></html>", "[1]", "\"oops\"", "{\"detail\":\"x\"}", "\u0000"})
    void a_body_of_any_kind_does_not_hide_the_status(String body) throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.answering("502 Bad Gateway", "Content-Type: text/html\r\n", body)) {
            ModelException fault = failure(endpoint);

            assertThat(fault.code()).isEqualTo("SERVER_ERROR");
            assertThat(fault.status()).hasValue(502);
            assertThat(fault).hasMessageContaining(body.isBlank() ? "no message" : body);
        }
    }

    @Test
    void a_body_that_never_comes_does_not_hide_the_status() throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.of(line -> {
            line.send("HTTP/1.1 429 Too Many\r\nContent-Length: 100\r\n\r\n{\"err");
            line.hang();
        })) {
            ModelException fault =
                    failure(settings(endpoint).idleTimeout(Duration.ofMillis(300)), new CollectingSink());

            assertThat(fault.code()).isEqualTo("RATE_LIMITED");
        }
    }

    @Test
    void a_redirect_is_not_followed_to_another_host() throws Exception {
        try (BadEndpoint other = BadEndpoint.streaming(finish("stop"));
                BadEndpoint endpoint = BadEndpoint.answering(
                        "307 Temporary Redirect", "Location: " + other.url() + "/chat/completions\r\n", "")) {
            assertThat(failure(endpoint).code()).isEqualTo("UNEXPECTED_STATUS");
            assertThat(other.received()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"error\":{\"message\":\"m\",\"type\":\"server_error\"}}|TRANSIENT|SERVER_ERROR",
                "{\"error\":\"something broke\"}|TRANSIENT|SERVER_ERROR",
                "{\"error\":{\"message\":\"m\",\"code\":429}}|TRANSIENT|RATE_LIMITED",
                "{\"error\":{\"message\":\"m\",\"code\":\"rate_limit_exceeded\"}}|TRANSIENT|RATE_LIMITED",
                "{\"error\":{\"message\":\"m\",\"code\":\"context_length_exceeded\"}}|CONTEXT_OVERFLOW|CONTEXT_OVERFLOW",
                "{\"error\":{\"message\":\"m\",\"type\":\"invalid_request_error\"}}|PERMANENT|INVALID_REQUEST",
                "{\"object\":\"error\",\"message\":\"m\",\"code\":401}|PERMANENT|UNAUTHORIZED",
            })
    void a_failure_told_with_a_good_status_is_a_failure_in_a_stream_and_instead_of_one(
            String error, Kind kind, String code) throws Exception {
        CollectingSink sink = new CollectingSink();
        try (BadEndpoint inside = BadEndpoint.streaming(content("Half"), error);
                BadEndpoint instead = BadEndpoint.answering("200 OK", JSON, error)) {
            for (ModelException fault : new ModelException[] {failure(settings(inside), sink), failure(instead)}) {
                assertThat(fault.kind()).isEqualTo(kind);
                assertThat(fault.code()).isEqualTo(code);
            }
            assertThat(sink.text()).isEqualTo("Half");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"error", "insufficient_system_resource"})
    void an_answer_that_the_endpoint_gave_up_has_failed(String reason) throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.streaming(content("Half"), finish(reason))) {
            assertThat(failure(endpoint).kind()).isEqualTo(Kind.TRANSIENT);
        }
    }

    @Test
    void an_endpoint_that_repeats_the_key_does_not_make_it_known() throws Exception {
        String echo = "{\"error\":{\"message\":\"Incorrect key provided: " + KEY + ".\"}}";
        try (BadEndpoint refusing = BadEndpoint.answering("401 Unauthorized", JSON, echo);
                BadEndpoint telling = BadEndpoint.streaming(echo);
                BadEndpoint garbling = BadEndpoint.streaming("{" + KEY);
                BadEndpoint greeting = BadEndpoint.answering("200 OK", "", "Hello " + KEY)) {
            for (BadEndpoint endpoint : new BadEndpoint[] {refusing, telling, garbling, greeting}) {
                StringWriter trace = new StringWriter();
                failure(endpoint).printStackTrace(new PrintWriter(trace));

                assertThat(trace.toString()).contains("(the key)").doesNotContain(KEY);
            }
        }
    }

    @Test
    void a_stand_in_for_a_key_is_not_taken_out_of_words() throws Exception {
        try (BadEndpoint endpoint = BadEndpoint.answering("400 Bad Request", JSON, MESSAGE)) {
            ModelException fault = failure(settings(endpoint).key(OpenAiKey.of(() -> "luck")), new CollectingSink());

            assertThat(fault).hasMessageContaining("\"No such luck.\"");
        }
    }
}
