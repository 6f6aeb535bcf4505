package io.surfacelog.transfer;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Compresses what is written into frames with a checksum; {@link #endFrame()} says where one ends. */
final class ZstdFrameWriter extends FilterOutputStream {

    private static final int LEVEL = 3;

    ZstdFrameWriter(OutputStream out) throws IOException {
        super(new ZstdOutputStreamNoFinalizer(out, LEVEL).setChecksum(true).setCloseFrameOnFlush(true));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        out.write(bytes, from, length);
    }

    /** What comes next goes into another frame. */
    void endFrame() throws IOException {
        out.flush();
    }

    /** Leaves the frame open: a reader can do nothing with part of one. */
    @Override
    public void flush() {}
}
