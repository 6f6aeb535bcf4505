package io.surfacelog.compaction;

import io.surfacelog.event.ContentBlock;
import io.surfacelog.event.Message;
import io.surfacelog.event.RequestHeader;
import io.surfacelog.event.TextBlock;
import io.surfacelog.surface.SurfaceNode;

/**
 * Estimates what content costs a model, in tokens. Register a bean to have a real tokenizer asked instead of the {@linkplain
 * #heuristic() heuristic}:
 *
 * <pre>{@code
 * @Bean
 * TokenEstimator tokenizer(Tokenizer real) {
 *     TokenEstimator heuristic = TokenEstimator.heuristic();
 *     return block -> block instanceof TextBlock text ? real.count(text.text()) : heuristic.tokens(block);
 * }
 * }</pre>
 *
 * <p>An estimator is safe for use by several threads, answers from 0, and the same for the same block: answers are kept. What
 * it throws reaches whoever asked the {@link TokenMeter}, which has taken nothing in then.
 */
@FunctionalInterface
public interface TokenEstimator {

    /** What a provider adds around the content of each message: role and separators. */
    long MESSAGE_FRAME = 4;

    /** Tokens of one block, from 0. Cost: O(block). */
    long tokens(ContentBlock block);

    /** Tokens of a whole message, {@link #MESSAGE_FRAME} included. */
    default long tokens(Message message) {
        long sum = MESSAGE_FRAME;
        for (ContentBlock block : message.content()) {
            sum += tokens(block);
        }
        return sum;
    }

    /** Tokens of a text, without the frame of a message. */
    default long tokens(String text) {
        return tokens(TextBlock.of(text));
    }

    /** Tokens of what a node derives: 0 where it derives no message. */
    default long tokens(SurfaceNode node) {
        return node.derivesMessage() ? tokens(node.message()) : 0;
    }

    /** Tokens of what every request says beside the messages: system prompt and tools. */
    default long tokens(RequestHeader header) {
        long sum = header.system().map(this::tokens).orElse(0L);
        return sum
                + header.tools().items().stream()
                        .mapToLong(tool -> tokens(tool.toText()))
                        .sum();
    }

    /**
     * The default, which needs no tokenizer: a weight for each code point by its script, about 4 characters of English or 3 of
     * code to a token, and about one token for a character of Chinese, Japanese or Korean. A longer text never costs less than
     * its beginning, none costs more tokens than it has bytes in UTF-8, and an image costs the same whatever it shows. On our
     * samples of English, code, JSON and logs it is within 20 % of a current vocabulary (o200k), on those of other languages,
     * hashes and emoji within 40 % of that one and of an older one (cl100k).
     */
    static TokenEstimator heuristic() {
        return HeuristicTokens.INSTANCE;
    }
}
