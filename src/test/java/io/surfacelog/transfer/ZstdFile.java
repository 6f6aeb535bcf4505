package io.surfacelog.transfer;

import com.github.luben.zstd.ZstdCompressCtx;
import io.surfacelog.event.SessionEvent;
import io.surfacelog.event.SessionHeader;
import io.surfacelog.event.SessionId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A Zstandard log made frame by frame, so that its frames can be told apart. */
public final class ZstdFile {

    private final byte[] bytes;
    private final List<Integer> ends;

    private ZstdFile(byte[] bytes, List<Integer> ends) {
        this.bytes = bytes;
        this.ends = List.copyOf(ends);
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /** Where each frame ends. */
    public List<Integer> ends() {
        return ends;
    }

    /** One frame for each text. */
    public static ZstdFile of(String... texts) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        List<Integer> ends = new ArrayList<>();
        for (String text : texts) {
            bytes.writeBytes(frame(text, true));
            ends.add(bytes.size());
        }
        return new ZstdFile(bytes.toByteArray(), ends);
    }

    static byte[] frame(String text, boolean checksum) {
        try (ZstdCompressCtx context = new ZstdCompressCtx().setChecksum(checksum)) {
            return context.compress(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** The log as the writer writes it. */
    static byte[] written(String id, List<SessionEvent> log) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonlWriter writer = JsonlWriter.openZstd(bytes, header(id))) {
            for (SessionEvent event : log) {
                writer.write(event);
            }
        }
        return bytes.toByteArray();
    }

    static byte[] plain(String id, List<SessionEvent> log) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonlWriter writer = JsonlWriter.open(bytes, header(id))) {
            for (SessionEvent event : log) {
                writer.write(event);
            }
        }
        return bytes.toByteArray();
    }

    private static SessionHeader header(String id) {
        return SessionHeader.builder().id(SessionId.of(id)).createdAt(7).build();
    }

    /** How many bytes the complete frames of the first so many bytes have. */
    int whole(int length) {
        return ends.stream()
                .filter(end -> end <= length)
                .mapToInt(end -> end)
                .max()
                .orElse(0);
    }
}
