package io.surfacelog.provider;

import io.surfacelog.event.ToolCallBlock;
import java.util.Optional;

/**
 * A call as the request says it.
 *
 * @param id its id, one of a kind in the request
 * @param name the name of its tool in the request
 * @param arguments what it was called with
 * @param answer its result, empty if there is none
 * @param recorded the call as it was recorded
 */
record Call(String id, String name, Arguments arguments, Optional<Answer> answer, ToolCallBlock recorded) {

    /** What a request says in the place of a result that is not there. */
    static final String UNANSWERED =
            "Error: no result of this tool call was recorded. Whether the tool ran, and what it"
                    + " did, is not known.";

    /** What a request says where a result says nothing. */
    static final String NO_OUTPUT = "(no output)";
}
