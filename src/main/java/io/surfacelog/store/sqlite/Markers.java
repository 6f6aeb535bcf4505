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
    private final Map<Long, List<Integer>> byHead = new HashMap<>();

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
        List<Integer> sameHead = byHead.computeIfAbsent(head(piece, 0), head -> new ArrayList<>());
        if (sameHead.stream().noneMatch(known -> Arrays.equals(all.get(known), piece))) {
            sameHead.add(all.size());
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

    /** Notes which of them stand in these bytes, by their numbers. */
    void find(byte[] bytes, BitSet found) {
        find(bytes, bytes.length, found);
    }

    private void find(byte[] bytes, int length, BitSet found) {
        for (int at = 0; at + SHORTEST <= length; at++) {
            long head = head(bytes, at);
            if (heads.get(bit(head))) {
                for (int number : byHead.getOrDefault(head, List.of())) {
                    byte[] piece = all.get(number);
                    if (at + piece.length <= length
                            && Arrays.equals(piece, 0, piece.length, bytes, at, at + piece.length)) {
                        found.set(number);
                    }
                }
            }
        }
    }

    /** Which of them stand in the file, by their numbers. Cost: O(file) in time, flat memory. */
    BitSet find(Path file) throws IOException {
        BitSet found = new BitSet();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            byte[] bytes = new byte[READ_BYTES + LONGEST];
            int kept = 0;
            while (true) {
                int read = channel.read(ByteBuffer.wrap(bytes, kept, READ_BYTES));
                if (read < 0) {
                    return found;
                }
                int length = kept + read;
                find(bytes, length, found);
                // one that begins here may end in the next part
                kept = Math.min(length, LONGEST - 1);
                System.arraycopy(bytes, length - kept, bytes, 0, kept);
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
