package io.surfacelog.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * JSON lines on their way to a terminal: DEL and the C1 controls, which JSON leaves raw, go out as JSON escapes of the same
 * value. What goes into a file or a pipe needs no such thing.
 */
final class TerminalFilter extends FilterOutputStream {

    private static final int C1_LEAD = 0xC2;

    private boolean lead;

    TerminalFilter(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int b) throws IOException {
        int value = b & 0xFF;
        if (lead) {
            lead = false;
            if (value >= 0x80 && value < 0xA0) {
                escape(value);
                return;
            }
            out.write(C1_LEAD);
        }
        if (value == C1_LEAD) {
            lead = true;
        } else if (value == 0x7F) {
            escape(value);
        } else {
            out.write(value);
        }
    }

    private void escape(int value) throws IOException {
        out.write(("\\u00" + Integer.toHexString(value)).getBytes(StandardCharsets.US_ASCII));
    }
}
