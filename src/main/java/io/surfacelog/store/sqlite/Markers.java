package io.surfacelog.store.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Byte strings by which the rows of a session would be known wherever they stood: its id, and pieces of what its rows hold,
 * as they are stored. Rows are sampled; those that are too short to be told from others are left out. Not safe for use by
 * several threads.
 */
final class Markers {

    /** Shorter ones stand in many places by chance. */
    static final int SHORTEST = 8;

    private static final int LONGEST = 48;
    private static final int MOST = 4_096;
    private static final int READ_BYTES = 1 << 20;

    private final List<byte[]> all = new ArrayList<>();

    /** By the first bytes, so that most places of a file are passed at one look. */
    private final Map<Long, List<byte[]>> byHead = new HashMap<>();

    private final BitSet heads = new BitSet(1 << 16);

    void add(String text) {
        add(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes a piece of these bytes, from behind what many rows begin with; all of them if they are few. */
    void add(byte[] stored) {
        if (stored.length < SHORTEST || all.size() >= MOST) {
            return;
        }
        int from = stored.length <= LONGEST ? 0 : (stored.length - LONGEST) / 2;
        byte[] piece = Arrays.copyOfRange(stored, from, Math.min(stored.length, from + LONGEST));
        List<byte[]> sameHead = byHead.computeIfAbsent(head(piece, 0), head -> new ArrayList<>());
        if (sameHead.stream().noneMatch(known -> Arrays.equals(known, piece))) {
            sameHead.add(piece);
            heads.set(bit(head(piece, 0)));
            all.add(piece);
        }
    }

    void addAll(Markers others) {
        others.all.forEach(this::add);
    }

    int size() {
        return all.size();
    }

    /** How often one of them stands in these bytes. */
    long count(byte[] bytes) {
        return count(bytes, bytes.length, 0);
    }

    /** Those that begin at this place or behind it. */
    private long count(byte[] bytes, int length, int from) {
        long found = 0;
        for (int at = from; at + SHORTEST <= length; at++) {
            long head = head(bytes, at);
            if (heads.get(bit(head))) {
                for (byte[] piece : byHead.getOrDefault(head, List.of())) {
                    if (at + piece.length <= length
                            && Arrays.equals(piece, 0, piece.length, bytes, at, at + piece.length)) {
                        found++;
                    }
                }
            }
        }
        return found;
    }

    /** How often one of them stands in the file. Cost: O(file) in time, flat memory. */
    long count(Path file) throws IOException {
        long found = 0;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            byte[] bytes = new byte[READ_BYTES + LONGEST];
            int kept = 0;
            while (true) {
                int read = channel.read(ByteBuffer.wrap(bytes, kept, READ_BYTES));
                int length = kept + Math.max(read, 0);
                found += count(bytes, length, 0);
                if (read < 0) {
                    return found;
                }
                // what may begin here and end in the next part is looked at again, and nothing else is
                int next = Math.max(0, length - LONGEST + 1);
                found -= count(bytes, length, next);
                kept = length - next;
                System.arraycopy(bytes, next, bytes, 0, kept);
            }
        }
    }

    private static long head(byte[] bytes, int at) {
        long head = 0;
        for (int i = 0; i < SHORTEST; i++) {
            head = head << 8 | bytes[at + i] & 0xFF;
        }
        return head;
    }

    private static int bit(long head) {
        return (int) (head * 0x9E37_79B9_7F4A_7C15L >>> 48);
    }
}
