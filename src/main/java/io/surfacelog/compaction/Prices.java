package io.surfacelog.compaction;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;

/** What surfaces, nodes and texts are estimated to cost, in tokens. */
interface Prices {

    /** The whole surface. Cost: O(what is new since it was asked last). */
    long ofSurface(SessionId session, Surface surface);

    /** One node. Cost: O(1) once it is known. */
    long ofNode(SurfaceNode node);

    /** A text, as a message of its own. Cost: O(text). */
    long ofText(String text);

    /** By length alone. */
    static Prices rough() {
        return new Prices() {

            @Override
            public long ofSurface(SessionId session, Surface surface) {
                return surface.textLength() / 4;
            }

            @Override
            public long ofNode(SurfaceNode node) {
                return node.event().data().text().length() / 4 + 1L;
            }

            @Override
            public long ofText(String text) {
                return (text.length() + 150L) / 4;
            }
        };
    }
}
