package io.surfacelog.compaction;

import io.surfacelog.event.SessionId;
import io.surfacelog.surface.Surface;
import io.surfacelog.surface.SurfaceNode;

/** What surfaces, nodes and texts are estimated to cost, in tokens. */
interface Prices {

    /** The whole surface. Cost: O(what is new since it was asked last). */
    long ofSurface(SessionId session, Surface surface);

    /** One node. Cost: O(its message) the first time. */
    long ofNode(SurfaceNode node);

    /** All nodes. Cost: O(nodes and what is new since they were asked last). */
    PricedSurface ofNodes(SessionId session, Surface surface);

    /** A text, as a message of its own. Cost: O(text). */
    long ofText(String text);

    /** As the meter has them. */
    static Prices of(TokenMeter meter) {
        return new Prices() {

            @Override
            public long ofSurface(SessionId session, Surface surface) {
                return meter.count(session, surface).total();
            }

            @Override
            public long ofNode(SurfaceNode node) {
                return meter.tokens(node);
            }

            @Override
            public PricedSurface ofNodes(SessionId session, Surface surface) {
                return meter.priced(session, surface);
            }

            @Override
            public long ofText(String text) {
                return TokenEstimator.MESSAGE_FRAME + meter.estimator().tokens(text);
            }
        };
    }
}
