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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The body of a request, never more of it than is taken. */
final class RequestBody {

    private static final Logger LOG = LoggerFactory.getLogger(RequestBody.class);

    private RequestBody() {}

    static Json json(HttpServletRequest request, long limit) throws IOException {
        requireType(request.getContentType(), "application/json");
        requireNoCoding(request);
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

    /** Whether a body is announced, be it of length 0 in the end. */
    static boolean isAnnounced(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    private static void requireNoCoding(HttpServletRequest request) {
        String coding = request.getHeader("Content-Encoding");
        if (coding != null && !coding.strip().equalsIgnoreCase("identity")) {
            throw Problem.of(ProblemType.MEDIA_TYPE, "expected a body without a content coding, found " + coding)
                    .exception();
        }
    }

    /** Counts what is read, whatever was announced. */
    static InputStream bounded(HttpServletRequest request, long limit) throws IOException {
        requireNoCoding(request);
        if (request.getContentLengthLong() > limit) {
            throw tooLarge(limit);
        }
        return new Bounded(new Announced(request.getInputStream()), limit);
    }

    static ProblemException tooLarge(long limit) {
        return Problem.of(ProblemType.TOO_LARGE, "expected a body of at most " + limit + " bytes, found more")
                .with("limit", limit)
                .exception();
    }

    /** A body that breaks off, or whose chunks are none, is the client's fault, which may still be there to hear it. */
    private static final class Announced extends FilterInputStream {

        Announced(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            try {
                return in.read();
            } catch (IOException e) {
                throw brokenOff(e);
            }
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            try {
                return in.read(bytes, from, length);
            } catch (IOException e) {
                throw brokenOff(e);
            }
        }

        private static ProblemException brokenOff(IOException cause) {
            LOG.debug("a body could not be read", cause);
            return ProblemException.badRequest(
                    "expected the body that was announced, found one that breaks off or is put together wrongly");
        }
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
