package io.surfacelog.event;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An event, header or chunk row was refused, and nothing was changed. Names the {@link AdmissionRule}, the index of the
 * refused event in its (unpacked) log and, when it came from a file, the physical line, the header being line 1.
 */
public final class AdmissionException extends SurfacelogException {

    private static final long serialVersionUID = 1L;
    private static final long NOWHERE = -1;

    private final AdmissionRule rule;
    private final String detail;
    private final long at;
    private final long line;

    public AdmissionException(AdmissionRule rule, String detail) {
        this(rule, detail, NOWHERE, NOWHERE, null);
    }

    public AdmissionException(AdmissionRule rule, long at, String detail) {
        this(rule, detail, at, NOWHERE, null);
    }

    private AdmissionException(AdmissionRule rule, String detail, long at, long line, @Nullable Throwable cause) {
        super(compose(rule, detail, at, line));
        if (cause != null) {
            initCause(cause);
        }
        this.rule = rule;
        this.detail = detail;
        this.at = at;
        this.line = line;
    }

    private static String compose(AdmissionRule rule, String detail, long at, long line) {
        StringBuilder text = new StringBuilder(rule.code());
        if (at >= 0) {
            text.append(" at event ").append(at);
        }
        if (line >= 0) {
            text.append(at >= 0 ? ", line " : " at line ").append(line);
        }
        return text.append(": ").append(detail).toString();
    }

    /** The rule that was broken. */
    public AdmissionRule rule() {
        return rule;
    }

    /** What was expected and what was found, without rule and place. */
    public String detail() {
        return detail;
    }

    /** Index of the refused event in the unpacked log; empty for header and syntax faults. */
    public OptionalLong at() {
        return at < 0 ? OptionalLong.empty() : OptionalLong.of(at);
    }

    /** Physical line of the file, the header being line 1; empty when the event came from no file. */
    public OptionalLong line() {
        return line < 0 ? OptionalLong.empty() : OptionalLong.of(line);
    }

    /** The same refusal, placed at this event index. */
    public AdmissionException at(long index) {
        return new AdmissionException(rule, detail, index, line, this);
    }

    /** The same refusal, placed at this physical line of a file. */
    public AdmissionException line(long physicalLine) {
        return new AdmissionException(rule, detail, at, physicalLine, this);
    }
}
