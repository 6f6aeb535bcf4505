package io.surfacelog.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/** That a write was answered: the session, the events from one seq to another and their hash. */
record Acknowledgement(SessionId session, long from, long to, long hash) {

    private static final String WORD = "ack";

    static Acknowledgement of(SessionId session, long nextSeq, List<SessionEvent> events) {
        return new Acknowledgement(session, nextSeq - events.size(), nextSeq, hash(events));
    }

    /** Of a line; empty if it says something else. */
    static Optional<Acknowledgement> parse(String line) {
        String[] words = line.split(" ", -1);
        return words.length == 5 && words[0].equals(WORD)
                ? Optional.of(new Acknowledgement(
                        SessionId.of(words[1]),
                        Long.parseLong(words[2]),
                        Long.parseLong(words[3]),
                        Long.parseLong(words[4])))
                : Optional.empty();
    }

    static long hash(List<SessionEvent> events) {
        CRC32C crc = new CRC32C();
        events.forEach(event -> crc.update(event.toText().getBytes(UTF_8)));
        return crc.getValue();
    }

    String line() {
        return WORD + " " + session + " " + from + " " + to + " " + hash;
    }
}
