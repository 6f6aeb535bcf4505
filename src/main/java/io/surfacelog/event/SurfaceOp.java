package io.surfacelog.event;

/** How a surface event joins the surface: at its end, or in the place of a range of nodes. */
public sealed interface SurfaceOp {

    /** Joins at the end. */
    record Append() implements SurfaceOp {

        static final Append INSTANCE = new Append();

        @Override
        public Json toJson() {
            return JsonString.of("append");
        }
    }

    /**
     * Takes the place of the nodes from start to end, both included, by position on the surface; after earlier replaces
     * the number of start may exceed that of end.
     *
     * @param start seq of the first node to go
     * @param end seq of the last node to go
     */
    record Replace(long start, long end) implements SurfaceOp {

        public Replace {
            if (start < 0 || end < 0 || start > JsonNumber.MAX_SAFE || end > JsonNumber.MAX_SAFE) {
                throw new AdmissionException(
                        AdmissionRule.SURFACE_OP_BAD_REPLACE,
                        "expected start and end from 0 to 2^53-1, found " + start + " and " + end);
            }
        }

        @Override
        public Json toJson() {
            return JsonObject.builder()
                    .put("op", "replace")
                    .put("start", start)
                    .put("end", end)
                    .build();
        }
    }

    static SurfaceOp append() {
        return Append.INSTANCE;
    }

    static SurfaceOp replace(long start, long end) {
        return new Replace(start, end);
    }

    /** The value of {@code surfaceOp} in the JSON form of the event. */
    Json toJson();
}
