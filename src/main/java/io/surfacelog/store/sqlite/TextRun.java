package io.surfacelog.store.sqlite;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Many alike texts as one block of bytes: in groups, of which each says once what all its texts begin and end with, and
 * then the rest of each. Any texts come back byte for byte; alike neighbours make it short.
 */
final class TextRun {

    /** By how many bytes neighbours may agree less than others without being told apart. */
    private static final int TOLERANCE = 8;

    private TextRun() {}

    static byte[] encode(List<byte[]> texts) {
        ByteSink sink = new ByteSink();
        int[] common = new int[texts.size()];
        for (int i = 0; i + 1 < common.length; i++) {
            common[i] = Arrays.mismatch(texts.get(i), texts.get(i + 1));
            if (common[i] < 0) {
                common[i] = texts.get(i).length;
            }
        }
        int from = 0;
        while (from < common.length) {
            int to = from + 1;
            int prefix = texts.get(from).length;
            while (to < common.length) {
                int shared = Math.min(prefix, common[to - 1]);
                boolean leaves = to - from > 1 ? shared < prefix - TOLERANCE : shared < common[to] - TOLERANCE;
                if (leaves) {
                    break;
                }
                prefix = shared;
                to++;
            }
            group(sink, texts.subList(from, to), prefix);
            from = to;
        }
        return sink.toBytes();
    }

    private static void group(ByteSink sink, List<byte[]> texts, int prefix) {
        byte[] first = texts.get(0);
        int suffix = texts.size() == 1 ? 0 : first.length - prefix;
        for (byte[] text : texts) {
            suffix = Math.min(suffix, Math.min(text.length - prefix, commonEnd(first, text)));
        }
        sink.number(texts.size()).number(prefix).number(suffix);
        for (byte[] text : texts) {
            sink.number(text.length - prefix - suffix);
        }
        sink.bytes(first, 0, prefix).bytes(first, first.length - suffix, first.length);
        for (byte[] text : texts) {
            sink.bytes(text, prefix, text.length - suffix);
        }
    }

    private static int commonEnd(byte[] a, byte[] b) {
        int most = Math.min(a.length, b.length);
        int same = 0;
        while (same < most && a[a.length - 1 - same] == b[b.length - 1 - same]) {
            same++;
        }
        return same;
    }

    /**
     * So many texts.
     *
     * @throws IllegalArgumentException if these are not the bytes of so many texts
     */
    static List<String> decode(byte[] bytes, int count) {
        List<String> texts = new ArrayList<>(count);
        ByteCursor cursor = new ByteCursor(bytes, 0);
        while (texts.size() < count) {
            int size = cursor.number(count - texts.size());
            int prefix = cursor.number(bytes.length);
            int suffix = cursor.number(bytes.length);
            int[] lengths = new int[size];
            for (int i = 0; i < size; i++) {
                lengths[i] = cursor.number(bytes.length);
            }
            int prefixAt = cursor.skip(prefix);
            int suffixAt = cursor.skip(suffix);
            for (int length : lengths) {
                int at = cursor.skip(length);
                byte[] text = new byte[prefix + length + suffix];
                System.arraycopy(bytes, prefixAt, text, 0, prefix);
                System.arraycopy(bytes, at, text, prefix, length);
                System.arraycopy(bytes, suffixAt, text, prefix + length, suffix);
                texts.add(new String(text, StandardCharsets.UTF_8));
            }
            if (size == 0) {
                throw new IllegalArgumentException("expected " + count + " texts, found " + texts.size());
            }
        }
        if (!cursor.atEnd()) {
            throw new IllegalArgumentException("expected " + count + " texts, found more behind them");
        }
        return texts;
    }
}
