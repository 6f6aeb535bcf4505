package io.surfacelog.model;

/**
 * Something a model can call. Implementations are safe for use by several threads.
 *
 * <pre>{@code
 * Tool time = Tool.of(ToolDefinition.of("time", "Tells the time."), call -> ToolOutput.text(Instant.now().toString()));
 * }</pre>
 */
public interface Tool {

    /** What the model is told of it. */
    ToolDefinition definition();

    /**
     * Runs it, on a thread that may wait and is interrupted when the turn is cancelled or the time is up. Whatever it throws
     * becomes an error result.
     */
    ToolOutput run(ToolInvocation call) throws Exception;

    /** A tool of its two parts. */
    static Tool of(ToolDefinition definition, Body body) {
        return new Tool() {
            @Override
            public ToolDefinition definition() {
                return definition;
            }

            @Override
            public ToolOutput run(ToolInvocation call) throws Exception {
                return body.run(call);
            }
        };
    }

    /** What a tool does. */
    @FunctionalInterface
    interface Body {
        ToolOutput run(ToolInvocation call) throws Exception;
    }
}
