package io.surfacelog.store.sqlite;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdDictCompress;
import com.github.luben.zstd.ZstdDictDecompress;
import com.github.luben.zstd.ZstdException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How data stands in its column: as it is, or, where that is shorter, as a Zstandard frame without the parts that the row
 * knows already. The first byte tells: JSON never begins with so small a one. Used by the one thread that has borrowed
 * the connection it belongs to.
 *
 * <p>Layout of a block: one byte, {@link #STORED} or {@link #ZSTD}; then the bytes themselves, or their number and the
 * frame, which needs the dictionary of the store.
 */
final class Compression implements AutoCloseable {

    /** Below this many bytes what is saved is not worth the time, which every append would take. */
    static final int SMALLEST = 128;

    private static final byte STORED = 0;
    private static final byte ZSTD = 1;

    /** Of the levels, the quickest; the dictionary gives it nearly what slower ones find. */
    private static final int LEVEL = 1;

    private final byte[] dictionary;
    private final ZstdDecompressCtx reading = new ZstdDecompressCtx();
    private @Nullable ZstdCompressCtx writing;
    private byte[] room = new byte[4096];

    /** Compression by this dictionary. */
    Compression(byte[] dictionary) {
        this.dictionary = dictionary.clone();
        reading.setMagicless(true).loadDict(new ZstdDictDecompress(this.dictionary));
    }

    private ZstdCompressCtx writing() {
        ZstdCompressCtx known = writing;
        if (known == null) {
            known = new ZstdCompressCtx()
                    .setMagicless(true)
                    .setChecksum(false)
                    .setContentSize(false)
                    .setDictID(false)
                    .loadDict(new ZstdDictCompress(dictionary, LEVEL));
            writing = known;
        }
        return known;
    }

    /** The block of these bytes; null if they are shorter as they are. */
    byte @Nullable [] compressed(byte[] plain) {
        if (plain.length < SMALLEST) {
            return null;
        }
        int bound = (int) Zstd.compressBound(plain.length);
        if (room.length < bound) {
            room = new byte[bound];
        }
        int size = writing().compressByteArray(room, 0, room.length, plain, 0, plain.length);
        byte[] block = new ByteSink()
                .number(ZSTD)
                .number(plain.length)
                .bytes(room, 0, size)
                .toBytes();
        return block.length < plain.length ? block : null;
    }

    /** The block of these bytes, whether that is shorter or not. */
    byte[] block(byte[] plain) {
        byte[] compressed = compressed(plain);
        return compressed != null
                ? compressed
                : new ByteSink().number(STORED).bytes(plain, 0, plain.length).toBytes();
    }

    /** Whether these are a block, and not JSON as it is. */
    static boolean isBlock(byte[] stored) {
        return stored.length > 0 && stored[0] >= 0 && stored[0] < ' ';
    }

    /**
     * The bytes of a block.
     *
     * @throws IllegalArgumentException if it is none
     */
    byte[] plain(byte[] block) {
        ByteCursor cursor = new ByteCursor(block, 0);
        int kind = cursor.number(127);
        if (kind == STORED) {
            return Arrays.copyOfRange(block, cursor.at(), block.length);
        }
        if (kind != ZSTD) {
            throw new IllegalArgumentException("expected a block of kind 0 or 1, found kind " + kind);
        }
        byte[] plain = new byte[cursor.number(Integer.MAX_VALUE - 8)];
        int from = cursor.at();
        try {
            int size = reading.decompressByteArray(plain, 0, plain.length, block, from, block.length - from);
            if (size == plain.length) {
                return plain;
            }
            throw new IllegalArgumentException("expected " + plain.length + " bytes in a block, found " + size);
        } catch (ZstdException e) {
            throw new IllegalArgumentException("not a Zstandard frame: " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        if (writing != null) {
            writing.close();
        }
        reading.close();
    }
}
