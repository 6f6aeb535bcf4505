package io.surfacelog.actuate;

import java.util.Set;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the actuator's endpoints show of sessions.
 *
 * @param showContent whether what was said and done in a session is shown, or only that something was: never, always, or
 *     when-authorized to whoever is logged in and has one of the roles
 * @param roles the roles to have; without any, whoever is logged in counts
 */
@ConfigurationProperties("surfacelog.inspect")
public record InspectProperties(
        @DefaultValue("never") Show showContent,
        @DefaultValue Set<String> roles) {}
