package io.surfacelog.transfer;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Decodes concatenated Zstandard frames as a stream and knows which frame each decoded byte came from. Bytes are given out
 * before the checksum of their frame has been compared; {@link #verified()} says how far it has been.
 *
 * <p>Memory: two buffers and the window of a frame, which may not be larger than {@link ZstdFrameHeader#MAX_WINDOW}.
 */
final class ZstdFrames extends InputStream {

    private static final int BUFFER = 1 << 16;
    private static final int MAX_KNOWN_FRAMES = 1_024;

    /** Where a frame begins, in the file and in what it decodes to. */
    private record Start(long offset, long decoded) {}

    private final InputStream in;
    private final ZstdDecompressCtx context = new ZstdDecompressCtx().setLongMax(ZstdFrameHeader.MAX_WINDOW_LOG);
    private final ByteBuffer coded = ByteBuffer.allocate(BUFFER).flip();
    private final ByteBuffer plain = ByteBuffer.allocate(BUFFER).flip();
    private final Deque<Start> starts = new ArrayDeque<>();
    private long taken;
    private long produced;
    private long verified;
    private long frame;
    private Runnable whenVerified = () -> {};
    private boolean inFrame;
    private boolean damaged;
    private boolean torn;
    private boolean ended;

    ZstdFrames(InputStream in) {
        this.in = in;
    }

    /** Runs whenever a frame has been found sound, before anything of the next is decoded. */
    void whenVerified(Runnable action) {
        whenVerified = action;
    }

    /** Whether a file that begins with these bytes is one of Zstandard frames, sound or not. */
    static boolean begin(byte[] bytes, int length) {
        return length >= Integer.BYTES && ZstdFrameHeader.isMagic(ByteBuffer.wrap(bytes));
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /**
     * Reads bytes of one frame.
     *
     * @throws AdmissionException {@code file.frame} where the file is damaged, not where it is cut short
     */
    @Override
    public int read(byte[] target, int from, int length) throws IOException {
        while (!plain.hasRemaining()) {
            if (ended || !inFrame && !beginFrame()) {
                ended = true;
                return -1;
            }
            decode();
        }
        int count = Math.min(length, plain.remaining());
        plain.get(target, from, count);
        return count;
    }

    private boolean beginFrame() throws IOException {
        fill(ZstdFrameHeader.MAX_BYTES);
        frame = position();
        if (!coded.hasRemaining()) {
            return false;
        }
        try {
            inFrame = ZstdFrameHeader.check(coded.duplicate());
        } catch (AdmissionException e) {
            throw damage(e.detail());
        }
        if (!inFrame) {
            torn = true;
            return false;
        }
        Start last = starts.peekLast();
        if (last != null && last.decoded() == produced) {
            starts.removeLast(); // it held nothing
        }
        if (starts.size() < MAX_KNOWN_FRAMES) {
            starts.add(new Start(frame, produced));
        }
        return true;
    }

    private void decode() throws IOException {
        boolean more = coded.hasRemaining() || fill(1);
        int before = coded.position();
        plain.clear();
        boolean complete;
        try {
            complete = context.decompressByteBufferStream(plain, coded);
        } catch (ZstdException e) {
            plain.flip().position(plain.limit());
            throw damage("a sound frame, found one that does not decode: " + e.getMessage());
        }
        plain.flip();
        taken += coded.position() - before;
        produced += plain.remaining();
        if (complete) {
            inFrame = false;
            verified = produced;
            whenVerified.run();
        } else if (!more && !plain.hasRemaining()) {
            torn = true;
            ended = true;
        }
    }

    /** Sees to it that so many coded bytes are there, if the file has them; false if none are. */
    private boolean fill(int count) throws IOException {
        coded.compact();
        int read = 0;
        while (coded.position() < count && read >= 0) {
            read = in.read(coded.array(), coded.position(), coded.remaining());
            coded.position(coded.position() + Math.max(0, read));
        }
        coded.flip();
        return coded.hasRemaining();
    }

    private AdmissionException damage(String expected) {
        damaged = true;
        ended = true;
        return new AdmissionException(
                AdmissionRule.FILE_FRAME, "expected " + expected + ", at byte " + frame + " of the file");
    }

    /** The file offset of the frame that holds this decoded byte, which may not lie before the one last asked for. */
    long frameOf(long decoded) {
        Start first = starts.poll();
        if (first == null) {
            return 0;
        }
        for (Start next = starts.peek(); next != null && next.decoded() <= decoded; next = starts.peek()) {
            first = starts.remove();
        }
        starts.addFirst(first);
        return first.offset();
    }

    /** Where the frame begins that was read last, or what should have been one. */
    long frame() {
        return frame;
    }

    /** How many decoded bytes belong to frames that are complete and have the checksum they say. */
    long verified() {
        return verified;
    }

    /** Bytes of the file that have been decoded. */
    long position() {
        return taken;
    }

    /** Whether the file ends within a frame. */
    boolean isTorn() {
        return torn;
    }

    boolean isDamaged() {
        return damaged;
    }

    /** Whether the damage lies in a frame, so that lines may be lost with it; not so what stands between frames. */
    boolean isInFrame() {
        return inFrame;
    }

    /** Length of the file. Reads it to its end, so that nothing can be decoded after it. */
    long length() throws IOException {
        ended = true;
        long length = taken + coded.remaining();
        for (int read = 0; read >= 0; read = in.read(coded.array())) {
            length += read;
        }
        coded.position(coded.limit());
        taken = length;
        return length;
    }

    @Override
    public void close() throws IOException {
        context.close();
        in.close();
    }
}
