package io.surfacelog.agent;

import io.surfacelog.model.ModelInterceptor;
import java.util.List;

/**
 * What acts on all agents of a process.
 *
 * @param beforeStep asked before each request, in this order
 * @param inputChecks asked before input is appended; the first that blocks is heard
 * @param context asked for context before each step, in this order
 * @param models stand around every model call, the first outermost
 * @param listeners told of every notification, in this order
 */
public record AgentHooks(
        List<BeforeStep> beforeStep,
        List<InputCheck> inputChecks,
        List<ContextProvider> context,
        List<ModelInterceptor> models,
        List<AgentListener> listeners) {

    public AgentHooks {
        beforeStep = List.copyOf(beforeStep);
        inputChecks = List.copyOf(inputChecks);
        context = List.copyOf(context);
        models = List.copyOf(models);
        listeners = List.copyOf(listeners);
    }

    /** No hooks. */
    public static AgentHooks none() {
        return new AgentHooks(List.of(), List.of(), List.of(), List.of(), List.of());
    }

    public AgentHooks beforeStep(BeforeStep... hooks) {
        return new AgentHooks(List.of(hooks), inputChecks, context, models, listeners);
    }

    public AgentHooks inputChecks(InputCheck... checks) {
        return new AgentHooks(beforeStep, List.of(checks), context, models, listeners);
    }

    public AgentHooks context(ContextProvider... providers) {
        return new AgentHooks(beforeStep, inputChecks, List.of(providers), models, listeners);
    }

    public AgentHooks models(ModelInterceptor... interceptors) {
        return new AgentHooks(beforeStep, inputChecks, context, List.of(interceptors), listeners);
    }

    public AgentHooks listeners(AgentListener... all) {
        return new AgentHooks(beforeStep, inputChecks, context, models, List.of(all));
    }
}
