package io.surfacelog.surface;

import io.surfacelog.event.AdmissionException;
import io.surfacelog.event.AdmissionRule;
import io.surfacelog.event.SurfaceOp;

/** The positions, both included, that a replace takes off a surface. */
record ReplaceRange(int first, int last) {

    static ReplaceRange find(PersistentList<SurfaceNode> nodes, SurfaceOp.Replace replace) {
        int first = Surface.position(nodes, replace.start());
        if (first < 0) {
            throw absent(AdmissionRule.REPLACE_START_ABSENT, "start", replace.start());
        }
        int last = replace.end() == replace.start() ? first : Surface.position(nodes, replace.end());
        if (last < 0) {
            throw absent(AdmissionRule.REPLACE_END_ABSENT, "end", replace.end());
        }
        if (first > last) {
            throw new AdmissionException(
                    AdmissionRule.REPLACE_ORDER,
                    "expected start to stand before end on the surface, found start " + replace.start()
                            + " at position " + first + " and end " + replace.end() + " at position " + last);
        }
        return new ReplaceRange(first, last);
    }

    private static AdmissionException absent(AdmissionRule rule, String name, long seq) {
        return new AdmissionException(
                rule,
                "expected " + name + " to be a node of the current surface, found " + seq
                        + ", which is log-only, shadowed or not there");
    }

    int size() {
        return last - first + 1;
    }

    /** The seqs of the shadowed nodes in surface order. */
    long[] seqs(PersistentList<SurfaceNode> nodes) {
        long[] seqs = new long[size()];
        for (int i = 0; i < seqs.length; i++) {
            seqs[i] = nodes.get(first + i).seq();
        }
        return seqs;
    }
}
