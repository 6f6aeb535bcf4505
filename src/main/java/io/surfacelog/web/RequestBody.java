package io.surfacelog.web;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.Json;
import jakarta.servlet.http.HttpServletRequest;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The body of a request, never more of it than is taken. */
final class RequestBody {

    private RequestBody() {}

    static Json json(HttpServletRequest request, long limit) throws IOException {
        requireType(request.getContentType(), "application/json");
        byte[] bytes;
        try (InputStream in = bounded(request, limit)) {
            bytes = in.readAllBytes();
        }
        try {
            return Json.parse(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException e) {
            throw new AdmissionException(AdmissionRule.JSON_SYNTAX, "expected UTF-8, found bytes that are not");
        }
    }

    /** Refuses a body of another kind. A browser sends none of the expected ones to another site unasked. */
    static void requireType(@Nullable String found, String... expected) {
        String type = found == null ? "" : found.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        for (String one : expected) {
            if (one.equals(type)) {
                return;
            }
        }
        throw Problem.of(
                        ProblemType.MEDIA_TYPE,
                        "expected a body of type " + String.join(" or ", expected) + ", found "
                                + (found == null ? "none named" : found))
                .exception();
    }

    /** Counts what is read, whatever was announced. */
    static InputStream bounded(HttpServletRequest request, long limit) throws IOException {
        if (request.getContentLengthLong() > limit) {
            throw tooLarge(limit);
        }
        return new Bounded(request.getInputStream(), limit);
    }

    private static ProblemException tooLarge(long limit) {
        return Problem.of(ProblemType.TOO_LARGE, "expected a body of at most " + limit + " bytes, found more")
                .with("limit", limit)
                .exception();
    }

    private static final class Bounded extends FilterInputStream {

        private final long limit;
        private long count;

        Bounded(InputStream in, long limit) {
            super(in);
            this.limit = limit;
        }

        @Override
        public int read() throws IOException {
            int one = in.read();
            count(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = in.read(bytes, from, length);
            count(Math.max(0, read));
            return read;
        }

        private void count(int more) {
            count += more;
            if (count > limit) {
                throw tooLarge(limit);
            }
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
