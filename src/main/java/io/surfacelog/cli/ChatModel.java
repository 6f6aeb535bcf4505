package io.surfacelog.cli;

import io.surfacelog.agent.AgentProfile;
import io.surfacelog.model.DemoTools;
import io.surfacelog.model.ScriptedModel;
import org.jspecify.annotations.Nullable;

/**
 * The model a chat asks.
 *
 * @param profile what its agents are made of
 * @param sentence what it is, for people
 */
record ChatModel(AgentProfile profile, String sentence) implements AutoCloseable {

    static final String HELP = "Only \"demo\" yet: the scripted model.";

    static ChatModel of(Standalone store, @Nullable String name) {
        return new ChatModel(
                AgentProfile.of(ScriptedModel.demo(), "surfacelog", "demo").tools(DemoTools.all()),
                "No model is configured, so a script answers.");
    }

    @Override
    public void close() {}
}
