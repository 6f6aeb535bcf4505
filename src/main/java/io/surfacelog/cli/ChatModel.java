package io.surfacelog.cli;

import io.surfacelog.agent.AgentProfile;
import io.surfacelog.compaction.Recall;
import io.surfacelog.compaction.RecallTool;
import io.surfacelog.model.DemoTools;
import io.surfacelog.model.ModelPort;
import io.surfacelog.model.ScriptedModel;
import io.surfacelog.model.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The model a chat asks.
 *
 * @param profile what its agents are made of
 * @param sentence what it is, for people
 */
record ChatModel(AgentProfile profile, String sentence) implements AutoCloseable {

    static final String HELP = "The model to ask at the endpoint of surfacelog.model.openai.base-url, or demo: a script"
            + " (default: surfacelog.model.openai.default-model, and demo where no endpoint is configured).";

    private static final String DEMO = "demo";
    private static final String ENDPOINT = "surfacelog.model.openai.";

    /**
     * The model of this name.
     *
     * @param name null for the one that is configured
     * @throws NoModelException if it is not known where to ask it, or which one to ask
     */
    static ChatModel of(Standalone store, @Nullable String name) {
        Optional<ModelPort> port = store.model();
        String wanted = name == null ? store.setting(ENDPOINT + "default-model").orElse(null) : name;
        if (DEMO.equals(wanted) || (wanted == null && port.isEmpty())) {
            return new ChatModel(
                    AgentProfile.of(ScriptedModel.demo(), "surfacelog", DEMO).tools(tools(store)),
                    wanted == null ? "No model is configured, so a script answers: demo." : "A script answers: demo.");
        }
        if (wanted == null) {
            throw NoModelException.unnamed();
        }
        ModelPort asked = port.orElseThrow(() -> NoModelException.unreachable(wanted));
        String provider = store.setting(ENDPOINT + "provider").orElse("openai");
        String url = store.setting(ENDPOINT + "base-url").orElse("its endpoint");
        return new ChatModel(
                AgentProfile.of(asked, provider, wanted).tools(tools(store)), "Asks " + wanted + " at " + url + ".");
    }

    /** Those of the demo desk, and one to look up what was compacted or pruned. */
    private static List<Tool> tools(Standalone store) {
        List<Tool> tools = new ArrayList<>(DemoTools.all());
        tools.add(RecallTool.of(Recall.of(store.queries())));
        return tools;
    }

    /** Nothing: the application context closes what it has made. */
    @Override
    public void close() {}
}
