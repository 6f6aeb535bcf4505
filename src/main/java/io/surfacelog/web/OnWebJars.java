package io.surfacelog.web;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Whether the libraries are there with which the page works; says so if not, since the page was asked for. */
final class OnWebJars implements Condition {

    private static final Logger LOG = LoggerFactory.getLogger(OnWebJars.class);

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
        String missing = PageFiles.missing(context.getClassLoader());
        if (missing.isEmpty()) {
            return true;
        }
        LOG.warn(
                "surfacelog.web.page.enabled is set, and there is no inspector page: expected on the class path {};"
                        + " add the dependencies org.webjars.npm:preact and org.webjars.npm:uplot",
                missing);
        return false;
    }
}
